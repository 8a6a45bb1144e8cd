// The buttons below the board: single actions, groups, places to light up, and decisions of several parts.
import {element, find} from "./elements.js";

const INLINE = 8;  // groups with more options are closed at first

export class Actions {
  // `act(ids)` sends actions, `attempt(ids)` asks for the position after them, `light(options)` lights up places.
  constructor({act, attempt, light, undo}) {
    Object.assign(this, {act, attempt, light, undo});
    this.opened = new Set();
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
    else { this.clear(); this.draft = null; this.attempt([]); }
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
    if (this.plan.length) box.append(this._planBar());
    const single = [], several = [];
    for (const group of groups) {
      if (this._isOnBoard(group)) single.push(this._placesButton(group));
      else if (group.options.length === 1 && !group.part) single.push(this._button(group.options[0][1], () => this.choose(group.options[0])));
      else several.push(this._group(group));
    }
    if (this.undoable && !this.plan.length) single.push(this._undoButton());
    if (single.length) box.append(this._bar(single));
    box.append(...several);
  }

  _isOnBoard(group) {
    return group.options.length > 1 && group.options.every(option => option[3] && option[3][0] !== "seats");
  }

  _bar(buttons) { return element("div", {class: "bar"}, ...buttons); }

  _button(words, press, attributes = {}) {
    return element("button", {type: "button", "data-number": "", onclick: press, ...attributes}, words);
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
      this._button(option[2] || option[1], () => this.choose(option), {"aria-label": option[1], "data-kind": group.kind}));
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
    }, words));
    const send = this._button("Confirm", () => this.act(this.plan), {class: "main", id: "send"});
    const drop = this._button("Clear", () => this.setPlan([]));
    return element("div", {class: "bar plan-bar"}, element("div", {class: "bar plan"}, ...chips), send, drop);
  }

  _undoButton() { return this._button("take back", () => this.undo(), {id: "undo"}); }
}
