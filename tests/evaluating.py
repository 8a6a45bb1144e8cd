"""What terms and features measure in hand-made positions."""

import numpy as np

from catan_agents.evaluation import terms_of
from catan_agents.evaluation.features import feature_names
from catan_agents.evaluation.terms import with_networks
from catan_env.engine.arrays import as_records
from catan_training.learning.chances import terms_in


def terms_of_game(engine, seat=0):
    """The terms of the one game of an engine, by name, as a seat sees it."""
    names = [term.name for term in terms_of(engine.program.composition)]
    return dict(zip(names, terms_in(engine, engine.state.copy(), np.array([seat]))[0].tolist(), strict=True))


def terms_of_position(place, seat=0):
    """Those of a position under construction."""
    return terms_of_game(place.build(), seat)


def features_of_position(place, seat=0):
    """The features of a position under construction, by name, as a seat sees it."""
    from catan_training.learning.value_learning import extract  # needs PyTorch

    engine = place.build()
    composition, players = engine.program.composition, engine.num_players
    names = feature_names(composition, players)
    seen = np.zeros((1, players, len(names)))
    with_networks(composition).kernel(extract)(as_records(engine.state), engine.batch.params, seen, 0, 1)
    return dict(zip(names, seen[0, seat].tolist(), strict=True))
