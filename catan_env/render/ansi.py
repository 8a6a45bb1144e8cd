"""A game as text: the board in characters, the players' holdings, the decision; with colors where asked for."""

from __future__ import annotations

import numpy as np

from catan_env.engine.batch import BatchEngine
from catan_env.engine.declare import NEUTRAL_LETTERS
from catan_env.render import moves
from catan_env.render.drawing import TEXT, in_layers
from catan_env.render.markup import plural
from catan_env.render.palette import paint_of
from catan_env.render.view import Game, Item, Reading, words

COLUMNS, ROWS = 4, 2
"""Characters of half a hex width, and of half a hex size."""
MARGIN_X, MARGIN_Y = 9, 2
RESET = "\x1b[0m"


class Canvas:
    """Characters on a grid, each with a color or none."""

    def __init__(self, width: int, height: int):
        self.characters = [[" "] * width for _ in range(height)]
        self.colors: list[list[str]] = [[""] * width for _ in range(height)]

    def write(self, x: int, y: int, label: str, color: str = "", centered: bool = False) -> None:
        """Writes a label from (x, y) on, or around it; what falls off the grid is lost."""
        x -= len(label) // 2 if centered else 0
        for k, character in enumerate(label):
            if 0 <= y < len(self.characters) and 0 <= x + k < len(self.characters[y]):
                self.characters[y][x + k], self.colors[y][x + k] = character, color

    def lines(self, colored: bool) -> list[str]:
        """The rows, without blanks at their ends and empty ones around."""
        found = []
        for characters, colors in zip(self.characters, self.colors, strict=True):
            used = len("".join(characters).rstrip())
            cells = zip(characters[:used], colors[:used], strict=True)
            found.append("".join(f"{color}{c}{RESET}" if colored and color else c for c, color in cells))
        while found and not found[-1]:
            found.pop()
        return found[next((k for k, line in enumerate(found) if line), 0) :]


def text_of(engine: BatchEngine, game: int = 0, viewer: int | None = None, colored: bool = False) -> str:
    """The game as text: what is to be decided, the board, a line for each player and one for the table.

    Args:
        engine, game: which game.
        viewer: seat whose knowledge is shown; None shows everything.
        colored: with ANSI escape codes for the seats' colors.
    """
    shown = Reading(engine, [game]).game()
    lines = [f"{engine.scenario.title}: {shown.decision}"]
    last = moves.describe_moves(moves.last_moves(moves.moves_of(engine, game)), viewer)
    lines += [last] if last else []
    lines += ["", *_board(shown, colored), ""]
    for seat in range(engine.num_players):
        visible, hidden = shown.points(seat, viewer)
        points = plural(visible + hidden, "point") + (f" ({hidden} hidden)" if hidden else "")
        cards = [words(name).title() for name, holder in shown.holders() if holder == seat]
        held = [_item(item, engine.rules) for item in shown.of_player(seat, viewer)]
        mark = ">" if int(engine.seat_to_act[game]) == seat else " "
        label = f"{mark} Seat {seat}"
        label = f"{_color(seat, engine.num_players)}{label}{RESET}" if colored else label
        lines.append(f"{label}: {points}; " + "; ".join([*cards, *filter(None, held)]))
    table = [_item(item, engine.rules) for item in shown.of_table(viewer)]
    turn, dice = shown.values("turn", 0), shown.values("dice", 0)
    head = [f"turn {turn}"] * bool(turn) + [f"dice {dice}"] * bool(dice)
    lines.append("  Table: " + "; ".join([*head, *filter(None, table)]))
    return "\n".join(lines)


def _item(item: Item, rules: dict) -> str:
    if isinstance(item.value, tuple):
        kinds = [f"{n} {words(label)}" for label, n in zip(item.labels, item.value, strict=True) if n]
        usual = item.name == "trade_rate" and set(item.value) == {rules.get("bank_rate")}
        return f"{item.label} {', '.join(kinds)}" if kinds and not usual else ""
    if item.category:
        return f"{item.label} {item.category}"
    return f"{item.label} {item.value}" if item.value and item.value != rules.get(item.name) else ""


def _color(seat: int, num_players: int) -> str:
    fill = paint_of(seat, num_players).fill
    red, green, blue = (int(fill[k : k + 2], 16) for k in (1, 3, 5))
    ground = "\x1b[107m" if max(red, green, blue) < 60 else ""
    return f"\x1b[1;38;2;{red};{green};{blue}m{ground}"


class Sketch:
    """The board in characters, while it is being written.

    Attributes:
        game, canvas: what is written, and where.
        hexes, corners, paths: the cell (x, y) of each place.
    """

    def __init__(self, game: Game):
        self.game, topology = game, game.layout.map
        low = topology.intersection_xy.min(axis=0)

        def cells(xy: np.ndarray) -> list[tuple[int, int]]:
            scaled = (np.asarray(xy) - low) * (COLUMNS / (np.sqrt(3) / 2), ROWS / 0.5) + (MARGIN_X, MARGIN_Y)
            return [(int(round(x)), int(round(y))) for x, y in scaled.tolist()]

        places = (topology.hex_xy, topology.intersection_xy, topology.path_xy)
        self.hexes, self.corners, self.paths = (cells(xy) for xy in places)
        width = max(x for x, _ in self.corners) + MARGIN_X + 1
        self.canvas = Canvas(width, max(y for _, y in self.corners) + MARGIN_Y + 1)

    def color(self, seat: int) -> str:
        """The escape code of a seat's color."""
        return _color(seat, self.game.layout.num_players)

    def line(self, path: int) -> str:
        """The character that is drawn along a path."""
        (x, y), (u, v) = (self.corners[end] for end in self.game.layout.map.path_intersections[path].tolist())
        return "|" if x == u else "\\" if (u - x) * (v - y) > 0 else "/"

    def draw_edge_piece(self, path: int, seat: int) -> None:
        """A way of a seat, with the seat's name in the middle."""
        (x, y), line = self.paths[path], self.line(path)
        for step in (-1, 0, 1):
            across = (0, step) if line == "|" else (step, 0)
            label = line if step else letter_of(seat, self.game.layout.num_players)
            self.canvas.write(x + across[0], y + across[1], label, self.color(seat))


def _board(game: Game, colored: bool) -> list[str]:
    if game.layout.topology is None:
        return []
    sketch = Sketch(game)
    for path, (x, y) in enumerate(sketch.paths):
        line = sketch.line(path)
        sketch.canvas.write(x, y, "." if line == "|" else line)
    for x, y in sketch.corners:
        sketch.canvas.write(x, y, "+")
    for drawing in in_layers(TEXT, game.layout.composition):
        drawing.function(sketch)
    return sketch.canvas.lines(colored)


def letter_of(seat: int, num_players: int) -> str:
    """The number of a seat, or the letter of a neutral color."""
    return str(seat) if seat < num_players else NEUTRAL_LETTERS[seat - num_players]
