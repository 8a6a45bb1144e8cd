"""Render games as text: the board drawn in characters, the players' holdings and the decision, optionally in color."""

from __future__ import annotations

import numpy as np

from catan_env.engine.batch import BatchEngine
from catan_env.engine.declare import NEUTRAL_LETTERS
from catan_env.render import moves
from catan_env.render.drawing import TEXT, TURN_MARKS, in_layers
from catan_env.render.markup import plural
from catan_env.render.palette import paint_of
from catan_env.render.view import Item, Reading, ShownGame, words

COLUMNS, ROWS = 5, 2
"""Number of characters per half hex width, and of lines per half hex size."""
MARGIN_X, MARGIN_Y = 9, 2
RESET = "\x1b[0m"


class Canvas:
    """A grid of characters, each with an optional color."""

    def __init__(self, width: int, height: int):
        self.characters = [[" "] * width for _ in range(height)]
        self.colors: list[list[str]] = [[""] * width for _ in range(height)]

    def write(self, x: int, y: int, label: str, color: str = "", centered: bool = False) -> None:
        """Write a label that starts at (x, y) or is centered there. Characters outside the grid are dropped."""
        x -= len(label) // 2 if centered else 0
        for k, character in enumerate(label):
            if 0 <= y < len(self.characters) and 0 <= x + k < len(self.characters[y]):
                self.characters[y][x + k], self.colors[y][x + k] = character, color

    def lines(self, colored: bool) -> list[str]:
        """Return the rows without trailing spaces, omitting empty rows at the top and bottom."""
        text_lines = []
        for characters, colors in zip(self.characters, self.colors, strict=True):
            used_length = len("".join(characters).rstrip())
            cells = zip(characters[:used_length], colors[:used_length], strict=True)
            text_lines.append(
                "".join(f"{color}{character}{RESET}" if colored and color else character for character, color in cells)
            )
        while text_lines and not text_lines[-1]:
            text_lines.pop()
        return text_lines[next((k for k, line in enumerate(text_lines) if line), 0) :]


def text_of(engine: BatchEngine, game: int = 0, viewer: int | None = None, colored: bool = False) -> str:
    """Render a game as text: the decision, the last move, the board, one line per player and one for the table.

    Args:
        engine, game: the engine, and the index of the game.
        viewer: seat whose knowledge is shown; None shows everything.
        colored: whether to use ANSI escape codes for seat colors.
    """
    shown_game = Reading(engine, [game]).game()
    lines = [f"{engine.scenario.title}: {shown_game.decision}"]
    last_text = moves.describe_moves(moves.last_moves(moves.moves_of(engine, game)), viewer)
    lines += [last_text] if last_text else []
    lines += ["", *_board(shown_game, colored), ""]
    for seat in range(engine.num_players):
        visible, hidden = shown_game.points(seat, viewer)
        points = plural(visible + hidden, "point") + (f" ({hidden} hidden)" if hidden else "")
        holder_titles = [
            TURN_MARKS.get(name) or words(name).title() for name, holder in shown_game.holders() if holder == seat
        ]
        held_texts = [_item(item, engine.rules) for item in shown_game.of_player(seat, viewer)]
        turn_mark = ">" if int(engine.seat_to_act[game]) == seat else " "
        label = f"{turn_mark} Seat {seat}"
        label = f"{_color(seat, engine.num_players)}{label}{RESET}" if colored else label
        lines.append(f"{label}: {points}; " + "; ".join([*holder_titles, *filter(None, held_texts)]))
    table_texts = [_item(item, engine.rules) for item in shown_game.of_table(viewer)]
    turn, dice = shown_game.values("turn", 0), shown_game.values("dice", 0)
    table_head = [f"turn {turn}"] * bool(turn) + [f"dice {dice}"] * bool(dice)
    lines.append("  Table: " + "; ".join([*table_head, *filter(None, table_texts)]))
    return "\n".join(lines)


def _item(item: Item, rules: dict) -> str:
    if isinstance(item.value, tuple):
        kind_texts = [f"{count} {words(label)}" for label, count in zip(item.labels, item.value, strict=True) if count]
        is_usual = item.name == "trade_rate" and set(item.value) == {rules.get("bank_rate")}
        return f"{item.label} {', '.join(kind_texts)}" if kind_texts and not is_usual else ""
    if item.category:
        return f"{item.label} {item.category}"
    return f"{item.label} {item.value}" if item.value and item.value != rules.get(item.name) else ""


def _color(seat: int, num_players: int) -> str:
    fill = paint_of(seat, num_players).fill
    red, green, blue = (int(fill[k : k + 2], 16) for k in (1, 3, 5))
    background = "\x1b[107m" if max(red, green, blue) < 60 else ""
    return f"\x1b[1;38;2;{red};{green};{blue}m{background}"


class Sketch:
    """The text board to which drawings are written.

    Attributes:
        game: the game to show.
        canvas: the characters written so far.
        hexes, corners, paths: (x, y) cell of each place.
    """

    def __init__(self, game: ShownGame):
        self.game, topology = game, game.layout.map
        lowest_xy = topology.intersection_xy.min(axis=0)

        def cells(xy: np.ndarray) -> list[tuple[int, int]]:
            scaled = (np.asarray(xy) - lowest_xy) * (COLUMNS / (np.sqrt(3) / 2), ROWS / 0.5) + (MARGIN_X, MARGIN_Y)
            return [(int(round(x)), int(round(y))) for x, y in scaled.tolist()]

        place_xy = (topology.hex_xy, topology.intersection_xy, topology.path_xy)
        self.hexes, self.corners, self.paths = (cells(xy) for xy in place_xy)
        width = max(x for x, _ in self.corners) + MARGIN_X + 1
        self.canvas = Canvas(width, max(y for _, y in self.corners) + MARGIN_Y + 1)

    def color(self, seat: int) -> str:
        """Return the ANSI escape code for the color of a seat."""
        return _color(seat, self.game.layout.num_players)

    def line(self, path: int) -> str:
        """Return the character used to draw a path."""
        (x, y), (other_x, other_y) = (
            self.corners[end] for end in self.game.layout.map.path_intersections[path].tolist()
        )
        return "|" if x == other_x else "\\" if (other_x - x) * (other_y - y) > 0 else "/"

    def draw_edge_piece(self, path: int, seat: int) -> None:
        """Draw an edge piece with the number or letter of its owner in the middle."""
        (x, y), line = self.paths[path], self.line(path)
        for step in (-1, 0, 1):
            offset = (0, step) if line == "|" else (step, 0)
            label = line if step else letter_of(seat, self.game.layout.num_players)
            self.canvas.write(x + offset[0], y + offset[1], label, self.color(seat))


def _board(game: ShownGame, colored: bool) -> list[str]:
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
    """Return the number of a seat or the letter of a neutral color."""
    return str(seat) if seat < num_players else NEUTRAL_LETTERS[seat - num_players]
