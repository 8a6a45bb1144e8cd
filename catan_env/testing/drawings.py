"""Checks of pictures: every state can be drawn, every field has a place, and hidden state leaves no trace."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree import ElementTree

import numpy as np

from catan_env.engine.batch import BatchEngine
from catan_env.engine.decision_stack import NO_SEAT_TO_ACT
from catan_env.render import draw, panel, text_of
from catan_env.render.view import Reading
from catan_env.testing.faults import Fault
from catan_env.testing.hidden import Leak

ELLIPSIS = ">...</text>"
"""End of a line of a panel that has no room for all its values."""


def undrawn(engine: BatchEngine) -> Iterator[Fault]:
    """Yield the shown fields without a place in pictures."""
    for field in Reading(engine, [0]).declared.unshown:
        yield Fault(
            f"undrawn {field.name}",
            f"field {field.name!r} fits no place of a picture: register a drawing with `drawing.draws`, or leave it "
            "out with `drawing.leaves_out`",
        )


def misdrawn(engine: BatchEngine, rng: np.random.Generator) -> Iterator[Fault]:
    """Yield pictures that fail, have another size or are no XML, and panels that have no room for all their values."""
    for game in range(engine.num_games):
        sizes = set()
        for viewer in (None, *range(engine.num_players)):
            picture = draw(engine, game, viewer=viewer)
            ElementTree.fromstring(picture.svg)
            text_of(engine, game, viewer=viewer)
            sizes.add((picture.width, picture.height))
        if len(sizes) > 1:
            yield Fault("size of pictures", f"pictures of one game have several sizes: {sorted(sizes)}", game)
        shown = Reading(engine, [game]).game()
        for seat in range(engine.num_players):
            if any(ELLIPSIS in part.content for part in panel.panel(shown, seat, None).values()):
                yield Fault("panel overflows", f"the panel of seat {seat} has no room for all its values", game)
        if any(ELLIPSIS in part.content for part in panel.strip(shown, None).values()):
            yield Fault("table overflows", "the strip below the board has no room for all its values", game)


def pictured_differences(engine: BatchEngine, twins: BatchEngine, sources: np.ndarray, seat: int) -> Iterator[Leak]:
    """Yield the games whose picture or text for a seat shows hidden state. Finished games show everything."""
    for game in np.unique(sources).tolist():
        if engine.seat_to_act[game] == NO_SEAT_TO_ACT:
            continue
        pictures = draw(engine, game, viewer=seat).svg, text_of(engine, game, viewer=seat)
        for twin in np.flatnonzero(sources == game).tolist():
            if draw(twins, twin, viewer=seat).svg != pictures[0]:
                yield Leak(game, "drawing", "the picture")
            if text_of(twins, twin, viewer=seat) != pictures[1]:
                yield Leak(game, "drawing", "the text")
