"""Checks for the effects of moves: actions with identical effects, and outcome frequencies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from catan_env.engine.batch import BatchEngine
from catan_env.engine.compiler.jit import DISABLE_JIT
from catan_env.engine.decision_stack import CHANCE
from catan_env.testing.faults import Fault

ACTIONS_OF_A_KIND = 3
"""Number of actions of each kind to compare with others."""
ENOUGH = 2
"""Number of states with several arguments of a kind after which an argument without any effect is reported."""
SAMPLES = 150 if DISABLE_JIT else 2000
"""Number of games in which to play the same action."""
FALSE_ALARMS = 1e-6
"""Upper bound on the probability of reporting the frequencies of a correct draw."""
DEALS_OF_A_DRAW = 2
"""Number of states in which to sample each draw."""


def look(engine: BatchEngine, game: int = 0) -> bytes:
    """Return the record of a game as bytes, without the random stream."""
    record = engine.state[[game]].copy()
    record["rng"] = 0
    return record.tobytes()


class Twins:
    """A state check for legal actions with identical effects. It examines each combination of action kinds once."""

    def __init__(self) -> None:
        self.visited: set[tuple[str, frozenset[str]]] = set()
        self.choices: Counter[str] = Counter()
        """Number of visited states with several arguments of a kind."""
        self.differ: set[str] = set()
        """Kinds whose arguments have had different effects."""

    def __call__(self, engine: BatchEngine, rng: np.random.Generator) -> Iterator[Fault]:
        """Yield pairs of actions of different kinds that lead to the same game state.

        Arguments of one kind may occasionally have the same effect, for example guesses that all miss.
        """
        legal = np.flatnonzero(engine.action_mask[0]).tolist()
        kinds: dict[str, list[int]] = {}
        for action in legal:
            kinds.setdefault(engine.actions.pair(action)[0], []).append(action)
        key = engine.decision(0), frozenset(kinds)
        if engine.seat_to_act[0] < 0 or key in self.visited:
            return
        self.visited.add(key)
        effects: dict[bytes, int] = {}
        for kind, actions in kinds.items():
            effects_of_kind = set()
            for action in rng.permutation(actions)[:ACTIONS_OF_A_KIND].tolist():
                trial = engine.clone()
                trial.step(np.array([action]))
                effect = look(trial)
                effects_of_kind.add(effect)
                first = effects.setdefault(effect, action)
                if engine.actions.pair(first)[0] != kind:
                    names = [engine.actions.describe(number) for number in (first, action)]
                    subject = "twins " + " ".join(sorted(engine.actions.pair(number)[0] for number in (first, action)))
                    message = f"actions {names[0]!r} and {names[1]!r} have the same effect (at {key[0]!r}): keep one"
                    yield Fault(subject, message)
            self.choices[kind] += len(actions) > 1
            if len(effects_of_kind) > 1:
                self.differ.add(kind)

    def idle_arguments(self) -> Iterator[Fault]:
        """Yield the kinds of actions whose argument never had any effect."""
        for kind, count in self.choices.items():
            if count >= ENOUGH and kind not in self.differ:
                message = f"in {count} states, the argument of action {kind!r} made no difference: declare it without"
                yield Fault(f"argument of {kind}", f"{message}, or allow one argument in the mask")


class Deals:
    """A state check that compares outcome frequencies with the declared probabilities of the draw.

    If an action is followed by several draws in sequence, only the last one is checked.
    """

    def __init__(self) -> None:
        self.deals: Counter[str] = Counter()
        self._engine: BatchEngine | None = None
        self._streams = np.zeros(0)

    def __call__(self, engine: BatchEngine, rng: np.random.Generator) -> Iterator[Fault]:
        """Yield draws whose outcomes occur more or less often than declared, or never."""
        if engine.seat_to_act[0] < 0:
            return
        tried: set[str] = set()
        for action in rng.permutation(np.flatnonzero(engine.action_mask[0])).tolist():
            kind = engine.actions.pair(action)[0]
            if kind in tried:
                continue
            tried.add(kind)
            trial = engine.clone()
            trial.step(np.array([action]))
            draw = trial.decision(0) if trial.seat_to_act[0] == CHANCE else ""
            if draw and self.deals[draw] < DEALS_OF_A_DRAW:
                self.deals[draw] += 1
                yield from self._compare(engine, trial, action, draw)

    def _compare(self, engine: BatchEngine, trial: BatchEngine, action: int, draw: str) -> Iterator[Fault]:
        """Yield differences between the probabilities of a draw and the frequencies in many samples."""
        declared: Counter[bytes] = Counter()
        names: dict[bytes, str] = {}
        probabilities = trial.chance_probabilities[0]
        for outcome in np.flatnonzero(probabilities).tolist():
            after = trial.clone()
            after.step(np.array([outcome]))
            if after.seat_to_act[0] == CHANCE:
                return
            declared[look(after)] += probabilities[outcome]
            names.setdefault(look(after), trial.outcomes.describe(outcome))
        dealt = self._dealt(engine, action)
        after_action = f"after {engine.actions.describe(action)!r}"
        if unknown := sum(count for effect, count in dealt.items() if effect not in declared):
            message = f"draw {draw!r} leads to states that no outcome explains, in {unknown} of {SAMPLES} deals"
            yield Fault(f"deals of {draw}", f"{message} ({after_action}): rules draw only by Draws")
            return
        for effect, probability in declared.items():
            share = dealt[effect] / SAMPLES
            if len(declared) * chance_of(share, probability, SAMPLES) < FALSE_ALARMS:
                message = f"draw {draw!r}: {names[effect]!r} is dealt in {share:.1%} of {SAMPLES} games, and its "
                message += f"probability is {probability:.1%} ({after_action}): `@weights` may not change the game"
                yield Fault(f"deals of {draw}", message)
                return

    def _dealt(self, engine: BatchEngine, action: int) -> Counter[bytes]:
        """Return how often each state results from an action when the engine samples chance."""
        if self._engine is None:
            rules = engine.overrides
            self._engine = BatchEngine(engine.scenario, SAMPLES, engine.num_players, seed=1, rules=rules)
            self._streams = self._engine.state["rng"].copy()
        dealer = self._engine
        dealer.state[:] = engine.state[0]
        dealer.state["rng"] = self._streams
        dealer.refresh()
        dealer.step(np.full(SAMPLES, action))
        self._streams = dealer.state["rng"].copy()
        return Counter(look(dealer, game) for game in range(SAMPLES))


def chance_of(share: float, probability: float, samples: int) -> float:
    """Return the Chernoff upper bound on the probability of a share at least this far from its expectation.

    The bound holds for any number of samples.
    """
    if share == probability:
        return 1.0
    divergence = 0.0
    for seen, expected in ((share, probability), (1 - share, 1 - probability)):
        if seen > 0:
            if expected <= 0:
                return 0.0
            divergence += seen * np.log(seen / expected)
    return float(min(1.0, 2 * np.exp(-samples * divergence)))
