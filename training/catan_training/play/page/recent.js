// What happened since the own last move, and stepping through it.
import {element, find} from "./elements.js";

export class Recent {
  // `look(move)` shows the position after a move; null shows the present.
  constructor(players, title, look) {
    this.players = players;
    this.title = title;
    this.look = look;
    this.at = null;
    this.moves = [];
  }

  show(moves) {
    this.moves = moves;
    if (this.at !== null && !moves.some(move => move[2] === this.at)) this.at = null;
    this.render();
  }

  step(by) {
    const numbers = [...new Set(this.moves.map(move => move[2]))];
    if (!numbers.length) return;
    const place = this.at === null ? numbers.length : numbers.indexOf(this.at);
    const next = place + by;
    this.goTo(next >= numbers.length ? null : numbers[Math.max(next, 0)]);
  }

  goTo(move) {
    this.at = move;
    this.look(move);
    this.render();
  }

  render() {
    const box = find("recent"), list = element("ol");
    for (const [seat, words, number] of this.moves) {
      const who = seat >= 0 ? `${this.players[seat].name}: ` : "";
      const button = element("button", {type: "button", tabindex: "-1", onclick: () => this.goTo(this.at === number ? null : number)}, who + words);
      if (seat >= 0) button.style.borderLeftColor = this.players[seat].fill === "#ffffff" ? "#d8d8d8" : this.players[seat].fill;
      list.append(element("li", {class: number === this.at ? "now" : undefined}, button));
    }
    const back = element("button", {type: "button", onclick: () => this.step(-1), "aria-label": "one move back"}, "<");
    const on = element("button", {type: "button", onclick: () => this.step(1), disabled: this.at === null, "aria-label": "one move on"}, ">");
    const now = element("button", {type: "button", onclick: () => this.goTo(null), disabled: this.at === null}, "now");
    box.replaceChildren(element("h2", {}, this.title), element("div", {class: "bar"}, back, on, now), list);
    const mark = list.querySelector(".now");
    list.scrollTop = mark ? mark.offsetTop - list.offsetTop - 60 : list.scrollHeight;
  }
}
