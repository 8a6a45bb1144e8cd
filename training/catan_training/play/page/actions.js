// The buttons below the board: single actions, groups, places to light up, and decisions of several parts.
import {element, find} from "./elements.js";

const INLINE = 8;  // groups with more options are closed at first

export class Actions {
  // `act(ids)` sends actions, `attempt(ids)` asks for the position after them, `light(options)` lights up places.
  constructor({act, attempt, light, undo}) {
    Object.assign(this, {act, attempt, light, undo});
    this.opened = new Set();
    this.icons = new Map();  // markup of symbols by word
    this.players = [];
    this.clear();
  }

  clear() {
    this.plan = [];
    this.words = [];
    this.filter = null;
  }

  show(choices, undoable, draft = null) {
    this.choices = choices;
    this.undoable = undoable;
    this.draft = draft;
    this.render();
  }

  // Choose an option that was clicked, on the board or here.
  choose(option) {
    const group = this.groups().find(one => one.options.some(([id]) => id === option[0]));
    if (group && group.part) this.setPlan([...this.plan, option[0]]);
    else this.act([...this.plan, option[0]]);
  }

  setPlan(plan) {
    this.plan = plan;
    if (plan.length) this.attempt(plan);
    else { this.clear(); this.attempt([]); }
  }

  groups() {
    if (!this.choices) return [];
    if (!this.draft) return this.choices.groups;
    return this.isSameDecision() ? this.draft.choices.groups : [];
  }

  isSameDecision() {
    return !this.draft.complete && this.draft.choices.decision === this.choices.decision;
  }

  visibleOptions() {
    return this.groups().filter(group => !this.filter || group.kind === this.filter).flatMap(group => group.options);
  }

  render() {
    const box = find("actions");
    box.replaceChildren();
    if (this.choices) this._renderChoices(box);
    else if (this.undoable) box.append(this._bar([this._undoButton()]));
    box.querySelectorAll("button[data-number]").forEach((button, k) => {
      button.dataset.number = k + 1;
      if (k < 9) button.prepend(element("small", {}, String(k + 1)));
    });
    this.light(this.choices ? this.visibleOptions() : []);
  }

  _renderChoices(box) {
    const groups = this.groups();
    if (this.filter && !groups.some(group => group.kind === this.filter)) this.filter = null;
    const single = [], several = [], isComposed = this.plan.length > 0 || groups.some(group => group.part);
    for (const group of groups) {
      if (this._isOnBoard(group)) single.push(this._placesButton(group));
      else if (group.options.length === 1 && !group.part) single.push(this._only(group));
      else several.push(this._group(group));
    }
    if (this.undoable && !this.plan.length) single.push(this._undoButton());
    const bar = single.length ? [this._bar(single)] : [];
    if (this.plan.length) box.append(this._planBar());
    // The parts of a decision keep their numbers while it is composed, so they come before what ends it.
    box.append(...isComposed ? [...several, ...bar] : [...bar, ...several]);
  }

  _isOnBoard(group) {
    return group.options.length > 1 && group.options.every(option => option[3] && option[3][0] !== "seats");
  }

  _only(group) {
    return this._button(group.options[0][1], () => this.choose(group.options[0]), {class: group.main ? "main" : undefined});
  }

  _bar(buttons) { return element("div", {class: "bar"}, ...buttons); }

  _button(words, press, attributes = {}) {
    return element("button", {type: "button", "data-number": "", onclick: press, ...attributes}, ...this._worded(words));
  }

  // Words, with a symbol before each that has one.
  _worded(words) {
    return words.split(" ").flatMap((word, k) => {
      const symbol = this.icons.has(word) ? element("span") : null;
      if (symbol) symbol.innerHTML = this.icons.get(word);
      return [k ? " " : "", symbol, word];
    });
  }

  _nameOf([, words, label, place]) {
    return place && place[0] === "seats" && label ? `${label}: ${this.players[place[1]].name}` : label || words;
  }

  _placesButton(group) {
    const pressed = this.filter === group.kind;
    return this._button(`${group.title} (${group.options.length})`, () => {
      this.filter = pressed ? null : group.kind;
      this.render();
      const first = document.querySelector("#board .target");
      if (first && !pressed) { first.focus(); first.scrollIntoView({block: "nearest"}); }
    }, {"aria-pressed": String(pressed), "data-kind": group.kind});
  }

  _group(group) {
    const buttons = group.options.map(option =>
      this._button(this._nameOf(option), () => this.choose(option), {"aria-label": option[1], "data-kind": group.kind}));
    const bar = this._bar(buttons);
    if (group.options.length <= INLINE) return element("fieldset", {class: "group"}, element("legend", {}, group.title), bar);
    const details = element("details", {class: "group", open: this.opened.has(group.kind)},
      element("summary", {}, `${group.title} (${group.options.length})`), bar);
    details.addEventListener("toggle", () => this.opened[details.open ? "add" : "delete"](group.kind));
    return details;
  }

  _planBar() {
    const chips = this.words.map((words, k) => element("button", {
      type: "button", "aria-label": `remove: ${words}`, onclick: () => this.setPlan(this.plan.filter((_, j) => j !== k)),
    }, ...this._worded(words)));
    const isWhole = this.draft !== null && !this.isSameDecision();
    const send = isWhole ? this._keyed("Confirm", "c", () => this.act(this.plan), {class: "main", id: "send"}) : null;
    const clear = this._keyed("Clear", "x", () => this.setPlan([]), {id: "clear"});
    return element("div", {class: "bar plan-bar"}, element("div", {class: "bar plan"}, ...chips), send, clear);
  }

  _undoButton() { return this._keyed("take back", "u", () => this.undo(), {id: "undo"}); }

  _keyed(words, key, press, attributes) {
    return element("button", {type: "button", onclick: press, ...attributes}, element("small", {}, key), words);
  }
}
