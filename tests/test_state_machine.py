"""A Hypothesis state machine: games stay valid in any order of steps, errors, snapshots, clones and resets."""

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from catan_env import BatchEngine
from catan_env.errors import IllegalActionError
from tests.strategies import LARGEST, Chooser, assert_same, look

GAMES_AT_ONCE = 3


class TableMachine(RuleBasedStateMachine):
    """Three games of one scenario, and the calls that a user can make."""

    scenario, players = "base", 4

    @initialize(seed=st.integers(0, 2**32), explicit=st.booleans())
    def begin(self, seed, explicit):
        chance = "explicit" if explicit else "sampled"
        self.engine = BatchEngine(
            self.scenario, GAMES_AT_ONCE, self.players, seed, chance, rules={"turn_limit": 40}, record=True
        )
        self.saved = None

    @rule(seed=st.integers(0, 2**32), steps=st.integers(1, 60))
    def step(self, seed, steps):
        choose = Chooser(seed)
        for _ in range(steps):
            self.engine.step(choose(self.engine))

    @rule(data=st.data())
    def step_illegally(self, data):
        game = data.draw(st.integers(0, GAMES_AT_ONCE - 1))
        engine = self.engine
        possible = engine.chance_mask[game] if engine.seat_to_act[game] == -1 else engine.action_mask[game]
        illegal = np.flatnonzero(~possible)
        actions = Chooser(0)(self.engine)
        actions[game] = data.draw(st.sampled_from([*illegal[:40].tolist(), len(possible), 10**6, -2]))
        before = look(self.engine)
        with pytest.raises(IllegalActionError, match=f"(?i)game {game}"):
            self.engine.step(actions)
        assert_same(before, look(self.engine))

    @rule()
    def save(self):
        self.saved = self.engine.save(), look(self.engine)

    @precondition(lambda self: getattr(self, "saved", None))
    @rule()
    def load(self):
        data, before = self.saved
        self.engine.load(data)
        assert_same(before, look(self.engine), ("rewards",))

    @rule(order=st.permutations(range(GAMES_AT_ONCE)))
    def clone(self, order):
        twin = self.engine.clone(order)
        assert_same(look(self.engine, order), look(twin))
        self.engine, self.saved = twin, None

    @rule(games=st.tuples(*[st.booleans()] * GAMES_AT_ONCE), seed=st.none() | st.integers(0, 2**64 - 1))
    def reset(self, games, seed):
        kept = np.flatnonzero(~np.array(games))
        before = look(self.engine, kept)
        self.engine.reset(seed, np.array(games))
        assert_same(before, look(self.engine, kept))

    @invariant()
    def all_is_in_order(self):
        engine = getattr(self, "engine", None)
        if engine is None:
            return
        assert engine.broken_invariants() == []
        seats, mask = engine.seat_to_act, engine.action_mask
        assert (mask.any(axis=1) == (seats >= 0)).all()
        assert ((seats == -2) == (engine.terminated | engine.truncated)).all()
        assert (engine.chance_mask.any(axis=1) == (seats == -1)).all()


@pytest.mark.parametrize(("scenario", "players"), LARGEST, ids=lambda value: str(value))
def test_any_order_of_calls(scenario, players):
    class Machine(TableMachine):
        pass

    Machine.scenario, Machine.players = scenario, players
    Machine.TestCase.settings = settings(max_examples=8, stateful_step_count=12)
    case = Machine.TestCase()
    case.runTest()
