// A table: connects the server with the board, the buttons, the log and the keyboard.
import {Actions} from "./actions.js";
import {connect} from "./connection.js";
import {element, find} from "./elements.js";
import {Places} from "./places.js";
import {Recent} from "./recent.js";
import {Thoughts} from "./thoughts.js";

let hello = null, state = null, places = null, recent = null, thoughts = null;
let regions = {}, ranked = [], byKeyboard = false;

const send = connect(location.pathname + "/messages", {received, lost: () => notice("The connection is lost; trying again...")});
const actions = new Actions({
  act: ids => { actions.clear(); send({type: "act", version: state.version, actions: ids}); },
  attempt: ids => {
    if (ids.length) send({type: "try", version: state.version, actions: ids});
    else { places.draw(regions); showState(); }
  },
  light: options => { if (places) { places.light(recent.at === null ? options : []); places.mark(about(), ranked); } },
  undo: () => send({type: "undo", version: state.version}),
});

function about() {
  const choices = actions.draft && actions.draft.choices || state && state.choices;
  return choices ? choices.about : null;
}

function received(message) {
  const focused = document.activeElement && focusKey(document.activeElement);
  handlers[message.type](message);
  restoreFocus(focused);
}

const handlers = {
  hello(message) {
    hello = message;
    places = new Places(hello.geometry, hello.players, hello.seat, chooseAt);
    recent = new Recent(hello.players, hello.seat < 0 ? "What happened" : "Since your last move", look);
    thoughts = new Thoughts(hello.advisers, hello.players, agent => send({type: "think", version: state.version, agent}));
    regions = {};
    actions.icons = new Map(Object.entries(hello.symbols));
    actions.players = hello.players;
    showLegend();
  },
  state(message) {
    const moved = !state || state.version !== message.version;
    state = message;
    Object.assign(regions, message.regions);
    if (moved) { actions.clear(); ranked = []; recent.at = null; thoughts.ready(Boolean(state.choices)); }
    if (recent.at === null) places.draw(moved ? regions : message.regions);
    notice(state.trouble);
    showState();
    recent.show(state.recent);
  },
  draft(message) {
    if (message.version !== state.version || String(message.actions) !== String(actions.plan)) return;
    actions.words = message.words;
    if (!message.complete) places.draw(message.regions);
    actions.show(state.choices, 0, message);
    document.body.dataset.plan = actions.plan.length;
  },
  look(message) {
    if (recent.at === message.move) { places.draw(message.regions); places.light([]); places.mark(null); }
  },
  thoughts(message) {
    if (message.version !== state.version) return;
    const placeOf = new Map(actions.groups().flatMap(group => group.options.map(option => [option[0], option[3]])));
    ranked = message.actions.map(([action], k) => [placeOf.get(action), k + 1]);
    thoughts.show(message);
    actions.render();
  },
  refused(message) {
    notice(message.why);
    thoughts.ready(Boolean(state.choices));
    actions.clear();
    places.draw(regions);
    showState();
  },
  closed(message) { notice(message.why); },
};

function showLegend() {
  document.querySelector("#legend ul").replaceChildren(...hello.legend.map(([symbol, words]) => {
    const entry = element("li");
    entry.innerHTML = symbol;
    entry.append(words);
    return entry;
  }));
}

function showState() {
  const own = Boolean(state.choices);
  find("headline").textContent = own ? state.headline.replace(`Seat ${hello.seat} to act`, "Your move") : named(state.headline);
  document.querySelector("header").classList.toggle("own", own);
  document.title = (own ? "* " : "") + hello.title;
  Object.assign(document.body.dataset, {version: state.version, own, plan: 0, over: Boolean(state.result)});
  places.setBeside(own && state.on_turn !== hello.seat ? state.on_turn : null);  // its offer waits for an answer
  actions.show(state.choices, state.undo, null);
  if (!own) showWaiting();
}

function named(headline) {
  return headline.replace(/^Seat (\d+)/, (whole, seat) => `${whole} (${hello.players[seat].name})`);
}

function showWaiting() {
  const box = find("actions");
  if (state.result) {
    const link = (page, words) => element("a", {href: location.pathname + page, target: "_blank"}, words);
    box.append(element("p", {class: "waiting", id: "over"}, "The game is over. ", link("/replay", "Look at the whole game"), " or ",
      link("/review", "review it"), ": chances to win, and the moves that cost most."), ...nextGame());
  } else if (state.turn >= 0 && hello.players[state.turn].person && !state.present.includes(state.turn)) {
    box.append(element("p", {class: "waiting"}, `Waiting for ${hello.players[state.turn].name}, whose page is not open.`));
  } else if (!state.undo) {
    box.append(element("p", {class: "waiting"}, hello.seat < 0 ? "You are watching." : "Waiting for the other players."));
  }
}

// A way to the next game of the same players: a link if one of them has started it.
function nextGame() {
  if (state.next) return [element("p", {}, element("a", {href: state.next, id: "next"}, "Go to the next game"), " of the same players.")];
  if (hello.seat < 0 && hello.players.some(player => player.person)) return [];
  return [element("button", {type: "button", class: "main", id: "again", onclick: playAgain}, "Play again")];
}

async function playAgain() {
  find("again").disabled = true;
  const response = await fetch(location.pathname + "/again", {method: "POST"}), made = await response.json();
  if (response.ok) location.href = made.link;
  else notice(made.error);
}

function notice(words) { find("notice").textContent = words; }

function look(move) {
  if (move === null) { places.draw(regions); actions.render(); }
  else send({type: "look", move});
}

// A place was clicked. If it has several actions, a dialog asks which one.
function chooseAt(options) {
  if (options.length === 1) return actions.choose(options[0]);
  const dialog = element("dialog", {"aria-label": "which action?"});
  for (const option of options) {
    dialog.append(element("button", {type: "button", onclick: () => { dialog.close(); actions.choose(option); }}, option[1]));
  }
  dialog.append(element("button", {type: "button", onclick: () => dialog.close()}, "none of these"));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

// -- keyboard ---------------------------------------------------------------------------------------------------

const ARROWS = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};

document.addEventListener("pointerdown", () => { byKeyboard = false; });
document.addEventListener("keydown", event => {
  byKeyboard = true;
  if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
  if (document.querySelector("dialog[open]")) return;
  const target = document.activeElement;
  if (ARROWS[event.key] && target.classList.contains("target")) {
    event.preventDefault();
    places.step(target, ARROWS[event.key]);
  } else if (/^[1-9]$/.test(event.key)) {
    const button = document.querySelector(`#actions [data-number="${event.key}"]`);
    if (button) {
      const closed = button.closest("details:not([open])");
      if (closed) closed.open = true;
      button.click();
    }
  } else if (event.key === "b") {
    const first = document.querySelector(".target");
    if (first) first.focus();
  } else if (event.key === "u" && find("undo")) find("undo").click();
  else if (event.key === "c" && find("send")) find("send").click();
  else if (event.key === "x" && find("clear")) find("clear").click();
  else if (event.key === "," && recent) recent.step(-1);
  else if (event.key === "." && recent) recent.step(1);
  else if (event.key === "Escape" && state) {
    if (recent.at !== null) recent.goTo(null);
    else { actions.filter = null; actions.render(); }
  }
});

function focusKey(focused) {
  if (focused.dataset && focused.dataset.place) return `[data-place="${focused.dataset.place}"]`;
  if (focused.dataset && focused.dataset.number) return `[data-number="${focused.dataset.number}"]`;
  return focused === document.body ? "body" : null;
}

// Somebody who plays with the keyboard goes on where they were, or at the first thing to choose.
function restoreFocus(key) {
  if (!byKeyboard || document.activeElement !== document.body || !key) return;
  const next = (key !== "body" && document.querySelector(key)) || document.querySelector(".target, #send, #actions [data-number]");
  if (next) next.focus({preventScroll: true});
}
