"""Animated SVGs of recorded games, for web pages and README files, which cannot run scripts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from catan_env.engine.arguments import check_count, check_index, check_number
from catan_env.engine.replay import log_of
from catan_env.render.layout import WIDTH, Part, Parts
from catan_env.render.markup import number, short_name
from catan_env.render.moves import describe_moves
from catan_env.render.page import engine_of_frames, frames_of
from catan_env.render.picture import Picture, document, ground, seat_names, sheet, svg_of
from catan_env.render.view import Reading


def animate(
    log: Mapping[str, Any] | str | Path,
    frames: int = 40,
    seconds: float = 20.0,
    viewer: int | None = None,
    names: Sequence[str] | None = None,
) -> Picture:
    """Draw a recorded game as a looping animated SVG.

    Args:
        log: replay log from `BatchEngine.replay_log`, or the path to a JSON file that contains one.
        frames: number of positions to show, at least 2. Positions are spread evenly over the actions; the last is the
            final position.
        seconds: length of one loop.
        viewer: seat whose knowledge is shown; None shows all hands and points.
        names: player names by seat; defaults to the names in the log.

    Raises:
        OptionError: an argument is invalid.
        ReplayError: the log does not match its scenario.
    """
    check_count("frames", frames, 2)
    check_number("seconds", seconds, above=0.0)
    log = log_of(log)
    course, last_engine = frames_of(log)
    seats = seat_names(last_engine, names if names is not None else log.get("players"))
    if viewer is not None:
        check_index("viewer", viewer, last_engine.num_players)
    shown_frames = [course[k] for k in sorted({round(k * (len(course) - 1) / (frames - 1)) for k in range(frames)})]
    reading = Reading(engine_of_frames(last_engine, shown_frames), range(len(shown_frames)))
    drawn_frames = [
        sheet(reading.game(k), viewer, seats, describe_moves(list(frame.moves), viewer))
        for k, frame in enumerate(shown_frames)
    ]
    layout = reading.game().layout
    body = ground(layout, seats) + "".join(_moving(drawn_frames, seconds))
    return Picture(document(body, layout.height), WIDTH, layout.height)


def _moving(frames: Sequence[Parts], seconds: float) -> list[str]:
    """Return the CSS rules, and every distinct drawing of a part, each visible only in the frames that contain it."""
    frames_by_drawing: dict[tuple[str, Part], list[int]] = {}
    for name in dict.fromkeys(name for frame in frames for name in frame):
        for k, frame in enumerate(frames):
            if (part := frame.get(name)) is not None and part.content:
                frames_by_drawing.setdefault((name, part), []).append(k)
    elements: list[str] = []
    class_by_frames: dict[tuple[int, ...], str] = {}
    for (_, part), shown in frames_by_drawing.items():
        name = ""
        if len(shown) < len(frames):
            name = class_by_frames.setdefault(tuple(shown), short_name(len(class_by_frames)))
        elements.append(svg_of(part, name))
    style = _style(class_by_frames, len(frames), seconds) if class_by_frames else ""
    return [f"<style>{style}</style>", *elements]


def _style(class_by_frames: dict[tuple[int, ...], str], count: int, seconds: float) -> str:
    """Return CSS rules that show the elements of each class in the frames of that class."""
    rules = [f"[class]{{animation:{number(seconds)}s step-end infinite;opacity:0}}"]
    # Viewers that do not support animation show the last frame.
    if still_shown := [f".{name}" for shown, name in class_by_frames.items() if count - 1 in shown]:
        rules.append(f"{','.join(still_shown)}{{opacity:1}}")
    return "".join([*rules, *(_rule(name, set(shown), count) for shown, name in class_by_frames.items())])


def _rule(name: str, shown: set[int], count: int) -> str:
    """Return the key frames of a class: when it becomes visible, and when it becomes hidden."""
    changes = [k for k in range(count) if k == 0 or (k in shown) != (k - 1 in shown)]
    key_frames = [
        f"{','.join(f'{number(100 * k / count)}%' for k in changes if (k in shown) == visible)}{{opacity:{opacity}}}"
        for visible, opacity in ((True, 1), (False, 0))
    ]
    return f".{name}{{animation-name:{name}}}@keyframes {name}{{{''.join(key_frames)}}}"
