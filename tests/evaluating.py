"""Helpers that read evaluation terms and features of hand-made positions."""

import numpy as np

from catan_agents.evaluation import terms_of
from catan_agents.evaluation.extraction import features_in
from catan_agents.evaluation.features import feature_names
from catan_training.learning.chances import terms_in


def terms_of_game(engine, seat=0):
    """Return the terms of an engine's only game by name, as seen by a seat."""
    names = [term.name for term in terms_of(engine.program.composition)]
    return dict(zip(names, terms_in(engine, engine.state.copy(), np.array([seat]))[0].tolist(), strict=True))


def terms_of_position(place, seat=0):
    """Return the terms of a position under construction by name, as seen by a seat."""
    return terms_of_game(place.build(), seat)


def features_of_position(place, seat=0):
    """Return the features of a position under construction by name, as seen by a seat."""
    return features_of_game(place.build(), seat)


def features_of_game(engine, seat=0):
    """Return the features of an engine's first game by name, as seen by a seat."""
    names = feature_names(engine.program.composition, engine.num_players)
    return dict(zip(names, features_in(engine, engine.state)[0, seat].tolist(), strict=True))
