// What an agent thinks of the own decision: its best actions with their values.
import {element, find} from "./elements.js";

export class Thoughts {
  constructor(advisers, players, ask) {
    this.advisers = advisers;
    this.players = players;
    this.select = element("select", {"aria-label": "agent"}, ...advisers.map(name => element("option", {value: name}, name)));
    this.button = element("button", {type: "button", id: "think", onclick: () => this._ask(ask)}, "What would it do?");
    this.box = element("div");
    find("thoughts").replaceChildren(element("h2", {}, "Ask an agent"), element("div", {class: "bar"}, this.select, this.button), this.box);
  }

  _ask(ask) {
    this.box.replaceChildren(element("p", {class: "waiting"}, "Thinking..."));
    ask(this.select.value);
  }

  ready(isOwnTurn) {
    find("thoughts").classList.toggle("usable", isOwnTurn && this.advisers.length > 0);
    this.box.replaceChildren();
  }

  show(thoughts) {
    const table = element("table");
    thoughts.actions.forEach(([, words, value, chosen], k) => {
      const shown = value === null ? "" : Math.abs(value) >= 1000 ? value.toExponential(2) : value.toFixed(3);
      table.append(element("tr", {class: chosen ? "chosen" : undefined},
        element("td", {}, String(k + 1)), element("td", {}, words), element("td", {}, shown)));
    });
    this.box.replaceChildren(table);
    if (thoughts.chances) this.box.append(element("h2", {}, "Chances to win"), this._chances(thoughts.chances));
  }

  _chances(chances) {
    return element("table", {class: "chances"}, ...chances.map((chance, seat) => {
      const {name, fill} = this.players[seat], percent = `${(100 * chance).toFixed(0)}%`;
      const bar = element("i");
      bar.style.width = `${100 * chance}%`;
      bar.style.background = fill;
      return element("tr", {}, element("td", {}, `Seat ${seat} ${name}`), element("td", {}, bar), element("td", {}, percent));
    }));
  }
}
