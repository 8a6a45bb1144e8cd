// The page of the host: a form for a new game, and all games with their links.
import {element, find} from "./elements.js";

const PERSON = "person";
const base = location.pathname;
let scenarios = [], details = null;

async function get(path, options = {}) {
  const response = await fetch(base + path, options);
  const found = await response.json();
  if (!response.ok) throw new Error(found.error);
  return found;
}

function guarded(work) {
  return async (...given) => {
    find("notice").textContent = "";
    try { await work(...given); } catch (error) { find("notice").textContent = error.message; }
  };
}

const option = (value, words = value) => element("option", {value}, String(words));

function chosen() { return scenarios.find(one => one.name === find("scenario").value); }

const chooseScenario = guarded(async () => {
  const scenario = chosen();
  find("summary").textContent = scenario.summary;
  find("players").replaceChildren(...scenario.players.map(count => option(count)));
  find("players").value = scenario.players.at(-1);
  find("picture").alt = `the board of ${scenario.title}`;
  find("picture").src = `${base}/picture/${encodeURIComponent(scenario.name)}`;
  await choosePlayers();
});

const choosePlayers = guarded(async () => {
  details = await get(`/scenario/${encodeURIComponent(chosen().name)}?players=${find("players").value}`);
  find("seats").replaceChildren(...Array.from({length: details.players}, (_, seat) => seatRow(seat)));
  find("layout").replaceChildren(option("", "that of the scenario"), ...details.boards.map(name => option(name)));
  find("numbers").replaceChildren(...details.numbers.map(numberRow));
});

function seatRow(seat) {
  const who = element("select", {id: `who-${seat}`}, option(PERSON), ...details.agents.map(name => option(name)));
  const more = element("input", {id: `name-${seat}`, title: "the name of a person, or options of an agent, such as worlds=2", "aria-label": `name or options of seat ${seat}`});
  if (seat) who.value = details.agents[0];
  who.onchange = () => { more.placeholder = who.value === PERSON ? "name" : "options"; };
  who.onchange();
  return element("label", {}, `Seat ${seat}`, who, more);
}

function numberRow(number) {
  const shown = JSON.stringify(number.value).replaceAll('"', "");
  const field = number.choices.length
    ? element("select", {}, ...number.choices.map(name => option(name, name.replaceAll("_", " "))))
    : element("input", {});
  field.value = shown;
  field.dataset.number = number.name;
  field.dataset.shown = shown;
  return element("label", {}, `${number.name.replaceAll("_", " ")}: ${number.meaning}`, field);
}

function rules() {
  const changed = {};
  for (const field of document.querySelectorAll("[data-number]")) {
    if (field.value === field.dataset.shown) continue;
    try { changed[field.dataset.number] = field.tagName === "SELECT" ? field.value : JSON.parse(field.value); }
    catch { throw new Error(`${field.dataset.number}: write a whole number, or a list such as [1,1,0,0,0].`); }
  }
  return changed;
}

function optionsOf(text) {
  const options = {};
  for (const part of text.split(",").filter(part => part.trim())) {
    const [key, value] = part.split("=").map(side => side.trim());
    try { options[key] = JSON.parse(value); } catch { throw new Error(`Write options of agents as worlds=2,depth=3; not "${part}".`); }
  }
  return options;
}

const start = guarded(async () => {
  const seats = Array.from({length: details.players}, (_, seat) => {
    const who = find(`who-${seat}`).value, more = find(`name-${seat}`).value.trim();
    return who === PERSON ? {name: more} : {agent: who, options: optionsOf(more)};
  });
  const seed = find("seed").value.trim();
  if (seed && !/^\d{1,15}$/.test(seed)) throw new Error("The seed is a whole number with at most 15 digits.");
  const wanted = {
    scenario: chosen().name, players: details.players, seats, rules: rules(), board: find("layout").value || null,
    seed: seed ? Number(seed) : null,
  };
  find("start").disabled = true;
  find("notice").textContent = "Setting the table...";
  try {
    const made = await get("/games", {method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(wanted)});
    const people = Object.keys(made.links).filter(seat => +seat >= 0);
    await listGames();
    find("notice").textContent = "";
    if (people.length < 2) location.href = made.links[people[0] ?? -1];
  } finally { find("start").disabled = false; }
});

const listGames = guarded(async () => {
  const games = await get("/games");
  find("games").replaceChildren(...games.slice(0, 100).map(gameRow));
  if (!games.length) find("games").textContent = "None yet.";
  if (games.some(game => game.result)) {
    const packed = (page, file, words) => element("a", {href: `${base}/${page}`, download: file}, words);
    find("games").append(element("p", {}, "All finished games: ", packed("logs", "logs.zip", "logs"), " ", packed("dataset", "games.zip", "datasets")));
  }
});

function gameRow(game) {
  const when = new Date(game.created * 1000).toLocaleString();
  const names = seat => seat === "watch" ? "watch" : `seat ${seat}: ${game.players[seat]}`;
  const links = Object.entries(game.links).map(([seat, path]) =>
    element("li", {}, element("a", {href: path}, names(seat)), ` ${location.origin}${path}`));
  const winners = game.result && game.result.winners.map(seat => game.players[seat]).join(" and ");
  const outcome = game.result ? (winners ? `won by ${winners}` : "ended without a winner") : "goes on";
  const replay = game.result ? element("p", {}, element("a", {href: `${base}/replay/${game.id}`}, "replay"), " ",
    element("a", {href: `${base}/review/${game.id}`}, "review"), " ",
    element("a", {href: `${base}/log/${game.id}`, download: `${game.id}.json`}, "log"), " ",
    element("a", {href: `${base}/dataset/${game.id}`, download: `${game.id}.zip`}, "dataset")) : null;
  return element("details", {class: "links"}, element("summary", {}, `${game.title}, ${when}: ${game.players.join(", ")} (${outcome})`),
    element("ul", {}, ...links), replay);
}

find("scenario").onchange = chooseScenario;
find("players").onchange = choosePlayers;
find("start").onclick = start;
guarded(async () => {
  scenarios = await get("/scenarios");
  find("scenario").replaceChildren(...scenarios.map(one => option(one.name, `${one.title} (${one.name})`)));
  if (scenarios.some(one => one.name === "base")) find("scenario").value = "base";
  await chooseScenario();
  await listGames();
})();
