"""Checks for pictures: every state can be drawn, every field has a place, and hidden state is not visible."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree import ElementTree

import numpy as np

from catan_env.engine.batch import BatchEngine
from catan_env.engine.decision_stack import NO_SEAT_TO_ACT
from catan_env.render import draw, panel, text_of
from catan_env.render.badges import ELLIPSIS
from catan_env.render.picture import svg_of
from catan_env.render.view import SPECTATOR, Reading, ShownGame
from catan_env.testing.extents import extents
from catan_env.testing.faults import Fault
from catan_env.testing.hidden import Leak

TOLERANCE = 1.0
"""Number of pixels by which drawings may extend beyond an edge, because text widths are estimates."""


def undrawn(engine: BatchEngine) -> Iterator[Fault]:
    """Yield the visible fields that pictures do not show anywhere."""
    for field in Reading(engine, [0]).declared.unshown:
        yield Fault(
            f"undrawn {field.name}",
            f"field {field.name!r} fits no place of a picture: register a drawing with `drawing.draws`, or leave it "
            "out with `drawing.leaves_out`",
        )


def misdrawn(engine: BatchEngine, rng: np.random.Generator) -> Iterator[Fault]:
    """Yield pictures that cannot be drawn, change size or are not valid XML, and panels whose values do not all fit."""
    for game in range(engine.num_games):
        sizes = set()
        for viewer in (None, *range(engine.num_players)):
            picture = draw(engine, game, viewer=viewer)
            ElementTree.fromstring(picture.svg)
            text_of(engine, game, viewer=viewer)
            sizes.add((picture.width, picture.height))
        if len(sizes) > 1:
            yield Fault("size of pictures", f"pictures of one game have several sizes: {sorted(sizes)}", game)
        yield from overflows(engine, game)


def overflows(engine: BatchEngine, game: int) -> Iterator[Fault]:
    """Yield panels and tables whose values do not all fit, and panels with drawings outside their edges."""
    shown = Reading(engine, [game]).game()
    for seat in range(engine.num_players):
        for viewer in (None, SPECTATOR):
            yield from _panel_faults(shown, seat, viewer, game)
    if any(ELLIPSIS in part.content for part in panel.strip(shown, None).values()):
        yield Fault("table overflows", "the strip below the board has no room for all its values", game)


def _panel_faults(shown: ShownGame, seat: int, viewer: int | None, game: int) -> Iterator[Fault]:
    left, parts = shown.layout.panel_x(seat), panel.panel(shown, seat, viewer)
    right = left + shown.layout.panel_width
    if any(ELLIPSIS in part.content for part in parts.values()):
        yield Fault("panel overflows", f"the panel of seat {seat} has no room for all its values", game)
    for name, part in parts.items():
        for element, start, end in extents(svg_of(part)):
            if start < left - TOLERANCE or end > right + TOLERANCE:
                message = f"{element!r} of part {name!r} reaches over the edge of the panel of seat {seat}"
                yield Fault(f"panel overflows at {name.split()[0]}", message, game)


def pictured_differences(engine: BatchEngine, twins: BatchEngine, sources: np.ndarray, seat: int) -> Iterator[Leak]:
    """Yield games in which the picture or text for a seat reveals hidden state. Finished games may show everything."""
    for game in np.unique(sources).tolist():
        if engine.seat_to_act[game] == NO_SEAT_TO_ACT:
            continue
        pictures = draw(engine, game, viewer=seat).svg, text_of(engine, game, viewer=seat)
        for twin in np.flatnonzero(sources == game).tolist():
            if draw(twins, twin, viewer=seat).svg != pictures[0]:
                yield Leak(game, "drawing", "the picture")
            if text_of(twins, twin, viewer=seat) != pictures[1]:
                yield Leak(game, "drawing", "the text")
