"""Replay pages: self-contained HTML files with every position of a game, and charts.

A page works offline. It stores each distinct fragment of SVG once and, for each frame, only the parts that change. It
contains no rules, so every scenario looks the same as in a notebook.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from catan_env.engine import replay
from catan_env.engine.batch import BatchEngine
from catan_env.engine.decision_stack import CHANCE
from catan_env.engine.field_names import field_names
from catan_env.errors import OptionError, ReplayError
from catan_env.render import board, markup, overlay, panel, picture
from catan_env.render.chart import changes, production_of
from catan_env.render.layout import BOARD_WIDTH, HEADER, MARGIN, WIDTH, Part, Parts, PictureLayout
from catan_env.render.legend import legend
from catan_env.render.moves import Move, Narrator
from catan_env.render.palette import paint_of
from catan_env.render.view import Reading, ShownGame
from catan_env.render.words import sentence_for

EVERYBODY = -1


class Frame(NamedTuple):
    """A position in which a seat decides, or the final position."""

    record: np.void
    moves: tuple[Move, ...]
    """The action that led to this position, with any chance outcomes that followed it."""
    policy: overlay.Likely
    """The most probable actions at this decision, if the log contains probabilities."""


class Marked(NamedTuple):
    """A sentence about a move, listed on the page as a link to the position before the move.

    If a move has a sign, such as "??", the sign is shown in the list of moves and, in the additional charts, on the
    line of the seat that moved.
    """

    frame: int
    text: str
    seat: int = -1
    sign: str = ""
    actions: tuple[int, ...] = ()
    """Better actions, best first. When the page shows this position, their places are ranked on the board."""


def replay_page(
    log: Mapping[str, Any] | str | Path,
    names: Sequence[str] | None = None,
    charts: Mapping[str, np.ndarray] | None = None,
    marked: Mapping[str, Sequence[Marked]] | None = None,
) -> str:
    """Return a replay log as an HTML page.

    Args:
        log: replay log from `BatchEngine.replay_log`, or the path to a JSON file that contains one.
        names: player names by seat; defaults to `players` in the log.
        charts: additional charts, keyed by title, each of shape (frames, players): a number for each decision and for
            the final position.
        marked: additional lists of sentences about moves, keyed by title.

    Raises:
        ReplayError: the log is corrupt or does not match its scenario version.
        OptionError: `names` does not match the number of players, or a chart does not match the number of decisions.
    """
    log = replay.log_of(log)
    frames, engine = frames_of(log)
    names = picture.seat_names(engine, names if names is not None else log.get("players"))
    for title, values in (charts or {}).items():
        if np.shape(values) != (len(frames), engine.num_players):
            raise OptionError(
                f"Chart {title!r} has shape {np.shape(values)}; the game needs ({len(frames)}, {engine.num_players})."
            )
    reading = Reading(engine_of_frames(engine, frames), range(len(frames)))
    painter = _Painter(names)
    drawn_parts = [painter.parts(reading.game(k), frame) for k, frame in enumerate(frames)]
    title = f"{engine.scenario.title}, {engine.num_players} players"
    substitutions = {
        "TITLE": html.escape(title),
        "VIEWS": _views(engine.num_players),
        "PICTURE": _skeleton(reading.game().layout, names, drawn_parts[0]),
        "LEGEND": "".join(f"<li>{symbol}{html.escape(words)}</li>" for symbol, words in legend(reading.game().layout)),
        "DATA": in_script(
            _data(frames, reading, drawn_parts, names) | _further(reading, charts or {}, marked or {}),
        ),
    }
    template = (resources.files(__package__) / "replay.html").read_text("utf-8")
    return re.sub("@([A-Z]+)@", lambda match: substitutions[match[1]], template)


def in_script(data: Any) -> str:
    """Convert data to JSON that is safe inside a script element, without closing tags or comment openings."""
    return json.dumps(data, separators=(",", ":")).replace("</", "<\\/").replace("<!", "\\u003c!")


# -- frames ------------------------------------------------------------------------------------------------


def frames_of(log: Mapping[str, Any]) -> tuple[list[Frame], BatchEngine]:
    """Return the frames of a log, and the engine that replayed it.

    Raises:
        ReplayError: the log or its probabilities are corrupt.
    """
    steps = replay.replay_steps(log, BatchEngine)
    engine = next(steps)
    policies = log.get("probabilities") or [None] * len(log["moves"])
    if not isinstance(policies, list) or len(policies) != len(log["moves"]):
        raise ReplayError("'probabilities' in the log must be a list with one entry per move.")
    narrator = Narrator(engine)
    frames: list[Frame] = []
    moves: list[Move] = []
    for move, policy in zip(log["moves"], policies, strict=True):
        if engine.seat_to_act[0] != CHANCE:
            frames.append(Frame(engine.state[0].copy(), tuple(moves), _checked(policy, engine)))
            moves = []
        chance = len(move) == 3
        state_before = narrator.before(_entry(engine, move), chance)
        next(steps)
        moves.append(narrator.after(state_before))
    frames.append(Frame(engine.state[0].copy(), tuple(moves), []))
    return frames, engine


def _entry(engine: BatchEngine, move: Sequence[Any]) -> int:
    return (engine.outcomes if len(move) == 3 else engine.actions).id(move[0], move[1])


def _checked(policy: Any, engine: BatchEngine) -> overlay.Likely:
    """Validate the logged probabilities of a decision and sort them in descending order."""
    try:
        likely = [(int(action), float(probability)) for action, probability in policy or []]
    except (TypeError, ValueError):
        likely = [(-1, 0.0)]
    if any(not 0 <= action < engine.actions.n or not 0 <= probability <= 1.001 for action, probability in likely):
        raise ReplayError(
            f"An entry of 'probabilities' in the log is {policy!r}; it must list pairs (action id, probability)."
        )
    return sorted(likely, key=lambda pair: -pair[1])


def engine_of_frames(engine: BatchEngine, frames: list[Frame]) -> BatchEngine:
    """Return an engine that has one game for each frame."""
    frame_engine = BatchEngine(
        engine.scenario,
        len(frames),
        engine.num_players,
        rules=engine.overrides,
        board=engine.board,
        chance="explicit",
        compiled=engine.is_compiled,  # no need to wait for the compiler here
    )
    frame_engine.state[:] = np.array([frame.record for frame in frames], frame_engine.state.dtype)
    frame_engine.refresh()
    return frame_engine


# -- pictures ----------------------------------------------------------------------------------------------


class _Painter:
    """Draws frames, drawing identical boards and panels only once."""

    def __init__(self, names: Sequence[str]):
        self.names = names
        self._boards: dict[bytes, Parts] = {}
        self._panels: dict[tuple, Parts] = {}

    def parts(self, game: ShownGame, frame: Frame) -> Parts:
        """Return all parts of a frame. Each panel part has an open and a closed version."""
        parts = panel.header(game, self.names, "")
        del parts["last"]
        board_key = game.board_key()
        if board_key not in self._boards:
            self._boards[board_key] = board.board(game)
        parts |= self._boards[board_key]
        for seat in range(game.layout.num_players):
            panel_key = game.panel_key(seat)
            if panel_key not in self._panels:
                self._panels[panel_key] = _both_versions(game, seat)
            parts |= self._panels[panel_key]
            parts[f"to act {seat}"] = panel.to_act(game, seat)
        first_move = frame.moves[0] if frame.moves else None
        spot = (
            board.spotlight(game, first_move.axis, first_move.argument) if first_move and first_move.seat >= 0 else ""
        )
        return parts | panel.strip(game, None) | {"spot": Part(0, 0, spot)}


def _both_versions(game: ShownGame, seat: int) -> Parts:
    """Return the parts of a panel as seen by the panel's own seat (open) and by other seats (closed)."""
    return {
        f"{label} {seat} {name}": part
        for label, viewer in (("open", None), ("closed", (seat + 1) % game.layout.num_players))
        for name, part in panel.panel(game, seat, viewer).items()
    }


def _identifier(name: str) -> str:
    return name.replace(" ", "-")


def _skeleton(layout: PictureLayout, names: Sequence[str], parts: Parts) -> str:
    """Return the picture with an empty group in place of each part."""
    body = [picture.ground(layout, names)]
    for name, (x, y, _, scale) in parts.items():
        label, seat, *_ = (*name.split(), "", "")
        class_text = f' class="{label} {label}-{seat}"' if label in ("open", "closed") else ""
        transform_text = f' transform="translate({markup.number(x)} {markup.number(y)}) scale({scale:.4g})"'
        body.append(
            f'<g id="slot-{_identifier(name)}"{class_text}{transform_text if (x, y, scale) != (0, 0, 1) else ""}></g>'
        )
    last_line = f'<text id="last-move" x="{MARGIN}" y="38" font-size="12" fill="#5a5f66"></text>'
    svg = picture.document(f'<g id="content">{"".join(body)}<g id="heat"></g>{last_line}</g>', layout.height)
    sheet = svg.replace("<svg ", '<svg id="sheet" data-viewer="all" ', 1)
    return sheet.replace(f' width="{WIDTH}" height="{layout.height}"', "", 1) + _panels_again(layout)


def _panels_again(layout: PictureLayout) -> str:
    """Return a picture of the panels for narrow screens, where `sheet` shows only the board.

    There is no such picture without a board, because the panels are then as wide as the full picture.
    """
    if layout.topology is None:
        return ""
    left, top = BOARD_WIDTH + 2 * MARGIN, HEADER - 2
    box = f"{left} {top} {WIDTH - left} {layout.panels_bottom - top + 4}"
    font = f'font-family="{markup.FONTS}"'
    return f'<svg id="panels" viewBox="{box}" {font}><use href="#content"/></svg>'


def _views(num_players: int) -> str:
    """Return CSS rules that choose open or closed panels for each viewer."""
    rules = ["svg[data-viewer=all] .closed { display: none; }"]
    for seat in range(num_players):
        selector = f'svg[data-viewer="{seat}"]'
        rules.append(f"{selector} .open:not(.open-{seat}), {selector} .closed-{seat} {{ display: none; }}")
    return "\n  ".join(rules)


# -- data --------------------------------------------------------------------------------------------------


class Book(dict[str, int]):
    """Assigns numbers to strings. Each distinct string is stored once."""

    def __missing__(self, text: str) -> int:
        self[text] = len(self)
        return self[text]


def _data(frames: list[Frame], reading: Reading, drawn: list[Parts], names: Sequence[str]) -> dict[str, Any]:
    """Return the data read by the script on the page."""
    engine, book = reading.engine, Book()
    return {
        "about": result_of(engine, names),
        "players": [_player(seat, name, engine.num_players) for seat, name in enumerate(names)],
        "slots": [_identifier(name) for name in drawn[0]],
        "frames": _changes(drawn, book),
        "moves": [[_described(move, book) for move in frame.moves] for frame in frames],
        "policy": [
            _policy(frame, next_frame, reading.game(k), book)
            for k, (frame, next_frame) in enumerate(zip(frames, [*frames[1:], None], strict=True))
        ],
        "toAct": engine.seat_to_act.tolist(),
        "turns": engine.state["turn"].tolist() if "turn" in field_names(engine.state) else list(range(len(frames))),
        "ended": bool(engine.terminated[-1] or engine.truncated[-1]),
        "points": [
            [
                changes([points[seat] for points in points_by_frame])
                for points_by_frame in (reading.visible_points, reading.victory_points)
            ]
            for seat in range(engine.num_players)
        ],
        "production": [changes(seat_production) for seat_production in production_of(engine)],
        "strings": list(book),
    }  # "strings" must come last, because the other entries add strings to the book


def _further(
    reading: Reading, charts: Mapping[str, np.ndarray], marked: Mapping[str, Sequence[Marked]]
) -> dict[str, Any]:
    """Return the data of additional charts and lists, which the script on the page reads."""
    return {
        "charts": [
            [title, [changes(np.round(line, 3).tolist()) for line in np.asarray(values, np.float64).T]]
            for title, values in charts.items()
        ],
        "marked": [
            [title, [[entry.frame, entry.text, entry.seat, entry.sign, _ranked(reading, entry)] for entry in entries]]
            for title, entries in marked.items()
        ],
    }


def _ranked(reading: Reading, entry: Marked) -> str:
    """Return the drawing that shows the ranks of better actions at their places."""
    if not entry.actions:
        return ""
    likely = [(action, 0.9) for action in entry.actions]
    return "".join(overlay.heat(reading.game(entry.frame).layout, reading.engine, likely))


def _changes(drawn: list[Parts], book: Book) -> list[list[int]]:
    """Return, for each frame, a flat list of (part number, content number) pairs, one for each part that changes."""
    changed: list[list[int]] = []
    before_numbers: dict[str, int] = {}
    for parts in drawn:
        current_numbers = {name: book[part.content] for name, part in parts.items()}
        changed.append(
            [
                n
                for k, name in enumerate(drawn[0])
                if current_numbers[name] != before_numbers.get(name)
                for n in (k, current_numbers[name])
            ]
        )
        before_numbers = current_numbers
    return changed


def _described(move: Move, book: Book) -> list[int]:
    """Return [seat, full text, text without the secret, bit set of the seats that know the secret, or -1 for all]."""
    privy = EVERYBODY if move.privy is None else sum(1 << seat for seat in move.privy)
    return [move.seat, book[move.full_text], book[move.hushed], privy]


def _policy(frame: Frame, following: Frame | None, game: ShownGame, book: Book) -> list[list] | None:
    """Return the top actions of a frame as [text, probability, whether taken], and drawings of their heat."""
    if not frame.policy:
        return None
    engine, game_index = game.reading.engine, int(game.reading.games[game.place])
    taken_action = following.moves[0].entry if following else None
    legal_shares = [(action, share) for action, share in frame.policy if engine.action_mask[game.place, action]]
    top_actions = [
        [book[sentence_for(engine, game_index, action)], round(share, 4), int(action == taken_action)]
        for action, share in legal_shares[: overlay.TOP]
    ]
    return [top_actions, [book[drawing] for drawing in overlay.heat(game.layout, engine, legal_shares)]]


def _player(seat: int, name: str, num_players: int) -> dict[str, str]:
    paint = paint_of(seat, num_players)
    line_color = paint.fill if paint.name != "white" else "#d8d8d8"
    return {
        "name": f"Seat {seat}" + (f" ({name})" if name else ""),
        "fill": paint.fill,
        "ink": paint.ink,
        "line": line_color,
    }


def result_of(engine: BatchEngine, names: Sequence[str]) -> str:
    """Describe the result of the last game in one line, such as "won by seat 2 (greedy) after 60 turns"."""
    turns = f" after {engine.state['turn'][-1]} turns" if "turn" in field_names(engine.state) else ""
    if engine.terminated[-1]:
        winners = np.flatnonzero(engine.winners[-1]).tolist()
        winner_names = [
            _player(winner, names[winner], engine.num_players)["name"].replace("Seat", "seat", 1) for winner in winners
        ]
        return f"won by {' and '.join(winner_names) or 'nobody'}{turns}"
    return f"truncated{turns}" if engine.truncated[-1] else f"not finished{turns}"
