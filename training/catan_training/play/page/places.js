// Regions of the picture, and the places on them that can be chosen.
import {element, find, shape} from "./elements.js";

const IN_STRIP = ["head", "stacks", "table"], STRIP_SCALE = 1.25;
const REACH = 15;  // pixels around the middle of a place in which it is hit, also if it is drawn smaller
const UNSURE = 8;  // a finger is unsure between two places if their distances differ by fewer pixels; then the board is enlarged
const ENLARGED = 2.5;
const key = place => place.join(" ");

export class Places {
  // `seat` is the own seat, negative for a spectator.
  constructor(geometry, players, seat, choose) {
    this.geometry = geometry;
    this.choose = choose;
    this.drawn = {};
    this.boxes = {};
    this.lit = [];  // the lit places of the board
    this.marks = shape("g");
    this.targets = shape("g");
    this.beside = null;
    const isBoardless = !geometry.boxes.board;
    document.body.classList.toggle("boardless", isBoardless);
    for (const id of ["board", "strip", "panels", "own"]) find(id).replaceChildren();
    if (isBoardless) {  // the panels are the board: dice above the buttons, panels below
      find("actions").before(find("strip"));
      find("actions").after(find("panels"));
    }
    for (const [name, box] of Object.entries(geometry.boxes)) {
      const content = shape("g"), svg = shape("svg", {viewBox: box.join(" "), role: "img", "aria-label": name}, content);
      this.drawn[name] = content;
      if (name.startsWith("panel ")) this._addPanel(+name.slice(6), svg, players);
      else if (IN_STRIP.includes(name)) find("strip").append(svg);
      else {
        this._addBoard(svg);
      }
    }
    this.own = isBoardless ? -1 : seat;
    this.order = players.map((_, k) => (Math.max(seat, 0) + k) % players.length);  // in playing order, the own seat first
    this._arrange();
  }

  // Put the panel of another seat next to the own one; null for none.
  setBeside(seat) {
    if (this.beside === seat) return;
    this.beside = seat;
    this._arrange();
  }

  _arrange() {
    for (const seat of this.order) {
      const isNear = this.own >= 0 && (seat === this.own || seat === this.beside);
      find(isNear ? "own" : "panels").append(this.boxes[seat]);
    }
  }

  _addBoard(svg) {
    this.svg = svg;
    this.whole = element("button", {type: "button", id: "whole", onclick: () => this.enlarge(null)}, "Whole board");
    this.enlarge(null);
    find("board").append(svg, this.whole);
    svg.append(this.marks, this.targets);
    // Browsers move the click of a finger to something that they think was meant, so where the finger came down counts.
    svg.addEventListener("touchstart", event => { this.finger = event.touches[0]; }, {passive: true});
    svg.addEventListener("pointerdown", event => { if (event.pointerType !== "touch") this.finger = null; });
    svg.addEventListener("pointermove", event => this._hover(this._near(event)[0]));
    svg.addEventListener("pointerleave", () => this._hover());
    svg.addEventListener("click", event => this._clicked(event));
  }

  // Show the surroundings of a point of the board, or the whole board for null.
  enlarge(point) {
    const [x, y, width, height] = this.geometry.boxes.board, w = width / ENLARGED, h = height / ENLARGED;
    const within = (middle, start, whole, part) => Math.min(Math.max(middle - part / 2, start), start + whole - part);
    const box = point ? [within(point.x, x, width, w), within(point.y, y, height, h), w, h] : [x, y, width, height];
    this.svg.setAttribute("viewBox", box.join(" "));
    this.whole.hidden = !point;
  }

  _clicked(event) {
    const at = this.finger || event, [first, second] = this._near(at);
    if (!event.detail) {  // pressed by a program, such as a screen reader
      const pressed = this.lit.find(one => one.node.contains(event.target));
      if (pressed) this.choose(pressed.options);
    } else if (first && second && this.finger && this.whole.hidden && second.away - first.away < UNSURE) {
      this.enlarge(this._pointOf(at));
    } else if (first) {
      this.enlarge(null);
      this.choose(first.options);
    }
  }

  _pointOf({clientX, clientY}) {
    return new DOMPoint(clientX, clientY).matrixTransform(this.svg.getScreenCTM().inverse());
  }

  // The lit places of the board that a pointer hits, the nearest first, with the distance `away` in pixels.
  _near(event) {
    const scale = this.svg.getScreenCTM().a, point = this._pointOf(event), {unit} = this.geometry;
    const reach = kind => kind === "hexes" ? unit * scale * .15 : Math.max(REACH, unit * scale * .35);
    return this.lit.map(one => ({...one, away: scale * this._distance(one, point)}))
      .filter(one => one.away < reach(one.kind)).sort((one, other) => one.away - other.away);
  }

  // The distance of a point from a place, which is a point, a path or a circle in a hex.
  _distance({kind, index}, {x, y}) {
    const {places, ends, unit} = this.geometry, [cx, cy] = places[kind][index];
    if (kind !== "paths") return Math.max(0, Math.hypot(x - cx, y - cy) - (kind === "hexes" ? unit * .7 : 0));
    const [[x1, y1], [x2, y2]] = shortened(ends[index]), dx = x2 - x1, dy = y2 - y1;
    const along = Math.min(1, Math.max(0, ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy)));
    return Math.hypot(x - x1 - along * dx, y - y1 - along * dy);
  }

  _hover(near) {
    this.svg.style.cursor = near ? "pointer" : "";
    for (const {node} of this.lit) node.classList.toggle("near", Boolean(near) && node === near.node);
  }

  _addPanel(seat, svg, players) {
    svg.setAttribute("aria-label", players[seat].name);
    this.boxes[seat] = element("div", {class: "panel"}, svg);
  }

  draw(regions) {
    for (const [name, svg] of Object.entries(regions)) {
      this.drawn[name].innerHTML = svg;
      if (name.startsWith("panel ") || IN_STRIP.includes(name)) this._crop(name);
    }
  }

  // Show only the part of a region that is drawn. Panels keep their width.
  _crop(name) {
    const svg = this.drawn[name].parentNode, used = this.drawn[name].getBBox();
    const [x, y, width] = this.geometry.boxes[name];
    if (IN_STRIP.includes(name)) {
      svg.setAttribute("viewBox", [used.x - 1, used.y - 1, used.width + 2, used.height + 2].join(" "));
      svg.style.width = used.width ? `${STRIP_SCALE * (used.width + 2)}px` : 0;
    } else svg.setAttribute("viewBox", [x - 1, y - 1, width + 2, used.height + 2].join(" "));
  }

  has(place) { return place[0] === "seats" || Boolean(this.geometry.places[place[0]]); }

  // Light up the places of options; `options` are [id, words, label, place].
  light(options) {
    const at = new Map();
    for (const option of options) {
      if (!option[3] || !this.has(option[3])) continue;
      const name = key(option[3]);
      at.set(name, [...at.get(name) || [], option]);
    }
    this.targets.replaceChildren();
    this.lit = [];
    for (const box of Object.values(this.boxes)) this._plain(box);
    for (const [name, here] of at) {
      const [kind, index] = here[0][3];
      if (kind === "seats") this._lightPanel(index, here);
      else this.lit.push({kind, index, options: here, node: this._target(kind, index, name, here)});
    }
    this.targets.append(...this.lit.map(one => one.node));
    if (this.svg && !this.lit.length) this.enlarge(null);
  }

  _plain(box) {
    box.className = "panel";
    for (const name of ["role", "tabindex", "aria-label", "data-place"]) box.removeAttribute(name);
    box.onclick = box.onkeydown = null;
    box.style.boxShadow = "";
  }

  _lightPanel(seat, options) {
    const box = this.boxes[seat];
    box.className = "panel target";
    box.style.boxShadow = "0 0 0 4px #ffd24a";
    box.setAttribute("role", "button");
    box.setAttribute("tabindex", "0");
    box.setAttribute("aria-label", options.map(option => option[1]).join(" or "));
    box.dataset.place = key(["seats", seat]);
    box.onclick = () => this.choose(options);
    box.onkeydown = event => this._pressed(event, options);
  }

  _target(kind, index, name, options) {
    const words = options.map(option => option[1]).join(" or ");
    return shape("g", {
      class: "target", role: "button", tabindex: "0", "aria-label": words, "data-place": name,
      onkeydown: event => this._pressed(event, options),
    }, shape("title", {}, words), ...this._drawing(kind, index));
  }

  _pressed(event, options) {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.choose(options);
    }
  }

  _drawing(kind, index) {
    const {unit, ends, outlines} = this.geometry;
    const [x, y] = this.geometry.places[kind][index];
    if (kind === "paths") {
      const [[x1, y1], [x2, y2]] = shortened(ends[index]), line = {x1, y1, x2, y2};
      return [
        shape("line", {...line, class: "line", "stroke-width": Math.max(unit * .2, 7)}),
        shape("line", {...line, class: "core", "stroke-width": Math.max(unit * .12, 4)}),
      ];
    }
    if (kind === "hexes") {
      const corners = outlines[index].map(([cx, cy]) => [x + (cx - x) * .86, y + (cy - y) * .86].join(","));
      return [shape("polygon", {points: corners.join(" "), class: "hexagon"})];
    }
    return [shape("circle", {cx: x, cy: y, r: Math.max(unit * .17, 6), class: "spot"})];
  }

  // Mark the place that the decision is about, and the ranks of actions; `ranked` are [place, rank].
  mark(about, ranked = []) {
    this.marks.replaceChildren();
    if (about && this.has(about) && about[0] !== "seats") {
      const [x, y] = this.geometry.places[about[0]][about[1]];
      this.marks.append(shape("circle", {cx: x, cy: y, r: this.geometry.unit * (about[0] === "hexes" ? .8 : .4), class: "about"}));
    }
    const taken = new Set();
    for (const [place, rank] of ranked) {
      if (!place || place[0] === "seats" || !this.has(place) || taken.has(key(place))) continue;
      taken.add(key(place));
      const [x, y] = this.geometry.places[place[0]][place[1]];
      this.targets.append(
        shape("circle", {cx: x, cy: y, r: 9, class: "rank-ground"}), shape("text", {x, y: y + 4, class: "rank"}, String(rank)),
      );
    }
  }

  // Move the focus from a lit place to the nearest one in a direction.
  step(from, [dx, dy]) {
    const middle = target => {
      const box = target.getBoundingClientRect();
      return [box.x + box.width / 2, box.y + box.height / 2];
    };
    const [x, y] = middle(from);
    let best = null, least = Infinity;
    for (const target of document.querySelectorAll(".target")) {
      const [tx, ty] = middle(target), ahead = (tx - x) * dx + (ty - y) * dy, aside = Math.abs((tx - x) * dy) + Math.abs((ty - y) * dx);
      if (target === from || ahead <= 1) continue;
      if (ahead + 2 * aside < least) { least = ahead + 2 * aside; best = target; }
    }
    if (best) best.focus();
  }
}

// A path without its ends, where intersections are.
function shortened([[x1, y1], [x2, y2]]) {
  const dx = (x2 - x1) * .24, dy = (y2 - y1) * .24;
  return [[x1 + dx, y1 + dy], [x2 - dx, y2 - dy]];
}
