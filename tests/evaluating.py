"""What the terms of an evaluation measure of hand-made positions."""

import numpy as np

from agents.evaluation import terms_of
from training.learning.chances import terms_in


def terms_of_position(place, seat):
    """The terms of a position under construction, by name, as a seat sees it."""
    engine = place.build()
    names = [term.name for term in terms_of(engine._program.composition)]
    found = terms_in(engine, engine.state.copy(), np.array([seat]))[0]
    return dict(zip(names, found.tolist(), strict=True))
