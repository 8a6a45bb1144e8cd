"""Observations distinguish all states that the players at the table can distinguish.

Starting from positions of random play, the test searches for near twins: similar-looking states reached by different
moves. If a seat's observations of two states are equal, everything that still matters and is public or the seat's own
(fields, pending decisions, legal actions) must be equal too. States with a pending chance event are left out, since no
player decides there.
"""

import numpy as np
import pytest

from catan_env import BatchEngine
from catan_env.engine import decision_stack
from catan_env.engine.decision_stack import CHANCE, RUNNING
from catan_env.engine.declare import ALL, OWNER
from catan_env.engine.registry import find_scenario
from tests.strategies import LARGEST, PLAIN_PYTHON, kinds_of

WIDTH, DEPTH = (3, 5) if PLAIN_PYTHON else (12, 18)
MACHINE = {field.name for field in decision_stack.FIELDS}
OURS = {"turn"}
"""It counts toward a cut-off that is no rule of the game; the round is shown."""
OTHER_EDGE_PIECES = {"phases": "strict", "extra_phase": "paired_players"}
"""Choices of rules that change what is decided when."""


def with_other_edge_pieces(games):
    """Yield (scenario, players, rules): each game with its default rules and with each alternative turn structure."""
    for name, players in games:
        known = {number.name for module in find_scenario(name).modules for number in getattr(module, "NUMBERS", ())}
        yield name, players, {}
        for number, choice in OTHER_EDGE_PIECES.items():
            if number in known:
                yield name, players, {number: choice}


# -- knowledge at the table ------------------------------------------------------------------------------------


def known_to(engine, seat):
    """Yield (name, values) of everything that a seat knows and that still matters, with one row of values per game."""
    state, composition = engine.state, engine.program.composition
    for field in composition.fields.values():
        values = state[field.name]
        if field.name in MACHINE | OURS:
            continue
        if field.visible == ALL:
            yield field.name, values.reshape(len(state), -1)
        elif field.visible == OWNER:
            yield f"own {field.name}", values[:, seat].reshape(len(state), -1)
            if field.total:
                yield f"totals of {field.name}", values.reshape(*values.shape[:2], -1).sum(axis=2)
    to_come = np.arange(decision_stack.CAPACITY) < state["depth"][:, None]
    yield "decisions to come", np.where(to_come, state["decision_stack"], 255)
    yield "who takes them", np.where(to_come, state["decision_seats"], -9)
    if "decision_arguments" in state.dtype.names:
        arguments = [composition.code(d.name) for d in composition.decisions.values() if d.argument is not None]
        arguments = to_come & np.isin(state["decision_stack"], arguments)
        yield "what they are about", np.where(arguments, state["decision_arguments"], 0)
    yield "what may be done", np.where((engine.seat_to_act == seat)[:, None], engine.action_mask, 0)


def mistaken(engine, blind=()):
    """Return the facts that a seat knows, but that differ between two games of an engine with equal observations.

    `blind` lists features to remove from the observations.
    """
    shown = ~np.isin([name.split("/")[0] for name in engine.feature_names("flat")], blind)
    found = set()
    for seat in range(engine.num_players):
        seen = engine.observe("flat", seat=seat, dtype="uint8")[:, shown]
        looks = np.array([hash(row.tobytes()) for row in seen])
        order = np.argsort(looks, kind="stable")
        alike = np.flatnonzero(looks[order][1:] == looks[order][:-1])
        one, other = order[alike], order[alike + 1]
        for what, values in known_to(engine, seat):
            for k in np.flatnonzero((values[one] != values[other]).any(axis=1))[:1]:
                found.add(f"{what} at {engine.decision(int(one[k]))} and {engine.decision(int(other[k]))}")
    return found


# -- near twins ------------------------------------------------------------------------------------------------


def of_states(engine, states):
    """Return an engine with the settings of another one and the given records."""
    made = BatchEngine(engine.scenario, len(states), engine.num_players, chance="explicit", rules=engine.overrides)
    made.state[:] = states
    made.refresh()
    return made


def positions(scenario, players, rules):
    """Return an engine and, for each decision that occurs in random play, the record with the most kinds of actions."""
    engine = BatchEngine(scenario, 64 if PLAIN_PYTHON else 256, players, seed=4, chance="explicit", rules=rules)
    of_kind, best = kinds_of(engine.actions)[1], {}
    for _ in range(6):
        engine.random_rollout(15 if PLAIN_PYTHON else 90)
        choice = (engine.action_mask @ of_kind > 0).sum(axis=1)
        for game in np.flatnonzero(engine.seat_to_act >= 0):
            name = engine.decision(int(game))
            if choice[game] > best.get(name, (0,))[0]:
                best[name] = choice[game], engine.state[game].copy()
    return engine, [record for _, record in best.values()]


def moves(engine, rng):
    """Return (games, actions) to try: one action of each kind, up to two at random, and every chance outcome."""
    games, actions = [], []
    chances, kinds = engine.chance_mask, kinds_of(engine.actions)[0]
    for game in range(engine.num_games):
        if engine.seat_to_act[game] == CHANCE:
            chosen = np.flatnonzero(chances[game])
        else:
            legal = np.flatnonzero(engine.action_mask[game])
            first = np.unique(kinds[legal], return_index=True)[1]
            chosen = np.union1d(legal[first], rng.choice(legal, min(2, len(legal)), replace=False))
        games += [game] * len(chosen)
        actions += chosen.tolist()
    return np.array(games), np.array(actions)


def surroundings(engine, record, rng):
    """Return an engine with states around a record in which seats decide.

    For each decision, these are the states that look most like the record, and some random ones.
    """
    frontier, kept, known = of_states(engine, [record]), [record], set()
    start = frontier.observe("flat", seat=0, dtype="uint8")[0]
    for _ in range(DEPTH):
        games, actions = moves(frontier, rng)
        after = of_states(engine, frontier.state[games])
        after.step(actions)
        running = after.state["ended"] == RUNNING
        states = after.state[running]
        distance = (after.observe("flat", seat=0, dtype="uint8")[running] != start).sum(axis=1)
        chosen = []
        heads = states["decision_stack"][np.arange(len(states)), states["depth"] - 1]
        for order, room in ((np.argsort(distance, kind="stable"), WIDTH), (rng.permutation(len(distance)), WIDTH // 2)):
            for head in np.unique(heads):
                new = [game for game in order[heads[order] == head] if states[game].tobytes() not in known][:room]
                known.update(states[game].tobytes() for game in new)
                chosen += new
        if not chosen:
            break
        frontier = of_states(engine, states[chosen])
        kept += [frontier.state[game].copy() for game in np.flatnonzero(frontier.seat_to_act >= 0)]
    return of_states(engine, np.array(kept, engine.state.dtype))


CASES = list(with_other_edge_pieces(LARGEST))


@pytest.mark.parametrize(("scenario", "players", "rules"), CASES, ids=["-".join([c[0], *c[2].values()]) for c in CASES])
def test_what_players_can_tell_apart_they_observe_apart(scenario, players, rules):
    engine, records = positions(scenario, players, rules)
    rng, found = np.random.default_rng(5), set()
    for record in records:
        found |= mistaken(surroundings(engine, record, rng))
    assert not found, sorted(found)


@pytest.mark.xdist_group("base")
def test_what_is_left_out_of_observations_is_noticed():
    """The test above would fail for an encoder that left out one of these features."""
    engine, records = positions("base", 4, {})
    rng, left_out = np.random.default_rng(5), {"robber", "hands", "dice", "decision", "edge_owner", "wants"}
    found = [surroundings(engine, record, rng) for record in records]
    assert left_out <= {name.split("/")[0] for name in engine.feature_names("flat")}
    for feature in left_out:
        assert any(mistaken(states, blind=(feature,)) for states in found), feature
