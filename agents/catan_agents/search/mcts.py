"""The agent `mcts`."""

from __future__ import annotations

import time
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np

from catan_agents.registry import make_agent
from catan_agents.search.agent import Searcher
from catan_agents.search.tree import Roots, Settings, Trees, grow, learn, trees_for
from catan_agents.search.value_network import ValueNetwork, evaluation_row, network_given
from catan_agents.search.weights import chances_for, check_weights
from catan_env.engine.arguments import check_count, check_number
from catan_env.engine.arrays import as_records
from catan_env.errors import OptionError

NODES_OF_SIMULATION = 64
"""Nodes that memory is kept for; a tree that has no more room keeps its size, and goes on to be played through."""
MOST_NODES = 2**19
AT_A_TIME = 200
"""Simulations after which an interrupt is noticed."""
BETWEEN_LOOKS = 20
"""Simulations after which the clock is looked at."""
WORLDS = 4
"""Deals of what is not seen that offers are judged by."""


@runtime_checkable
class Evaluator(Protocol):
    """What a search may ask about positions; trained agents can (`catan_agents.learned.LearnedAgent`)."""

    def evaluate(self, engine, games: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(n, actions) probabilities of what the seats to act should do, 0 where not legal, and (n, players) chances of
        all seats to win, 0 to 1, in the given games of an engine."""


class MCTSAgent(Searcher):
    """Takes the action that is best by the simulations of a tree search, see `catan_agents.search.tree`.

    With a network, its policy gives the priors, and where a simulation leaves the tree its values say who will win. It
    sees every imagined world as the seat to act there would; one call answers for a leaf of each game of the batch.

    Args:
        simulations: for each decision.
        seconds: for each decision instead, on one core; the games then depend on the machine.
        turns: to play greedily after a leaf, before the position is judged; 0 for none. Positions where turns begin
            are what the chances were fitted to.
        explore: how much priors count beside what simulations found, after the first action.
        confidence: how much the chances to win that simulations found count beside priors, for the first.
        inverse_temperature: how much higher the prior of a better action is: exp(value * inverse_temperature).
        seed: of worlds, and of chance in them.
        weights: as those of `ExpectimaxAgent`; priors and the play after a leaf go by them.
        chances: weights by which positions become chances to win, likewise, or a value network.
        network: a trained agent to ask, by its name or folder, or any `Evaluator`; None for none.
        trust: how much a network's values count, 0 to 1; the rest of a judgement goes by `turns` and `chances`.
        trade: whether offers to other players are made, and theirs accepted, see `catan_agents.search.bargains`.

    Raises:
        OptionError: one of them is out of range, or the agent named has no network.
        CatanError: there is no such agent.
    """

    name = "mcts"
    of_engines = (*Searcher.of_engines, "_evaluations", "_memory", "_asking", "_leaves")

    def __init__(  # noqa: PLR0913 (options, given by name)
        self,
        simulations: int = 100,
        seconds: float | None = None,
        turns: int = 4,
        explore: float = 1.0,
        confidence: float = 2.0,
        inverse_temperature: float = 2.0,
        seed: int = 0,
        weights: Any = None,
        chances: Any = None,
        network: str | Path | Evaluator | None = None,
        trust: float = 1.0,
        trade: bool = True,
    ):
        check_count("simulations", simulations)
        check_count("turns", turns, 0)
        for option, value in (
            ("explore", explore),
            ("confidence", confidence),
            ("inverse_temperature", inverse_temperature),
            ("seconds", 1.0 if seconds is None else seconds),
        ):
            check_number(option, value, above=0.0)
        check_number("trust", trust, 1.0)
        check_weights("chances", chances)
        super().__init__(WORLDS, seed, weights, trade)
        self.simulations, self.seconds, self.turns = int(simulations), seconds, int(turns)
        self.explore, self.confidence, self.inverse_temperature = (
            float(explore),
            float(confidence),
            float(inverse_temperature),
        )
        self.chances = network_given(chances) or chances
        self._networks |= isinstance(self.chances, ValueNetwork)
        evaluator = make_agent(network) if isinstance(network, (str, Path)) else network
        if evaluator is not None and not isinstance(evaluator, Evaluator):
            raise OptionError(f"network is {network!r}, which is no trained agent: it cannot judge positions.")
        self.network: Evaluator | None = evaluator
        self.trust = float(trust)
        self._nodes = MOST_NODES if seconds else min(MOST_NODES, self.simulations * NODES_OF_SIMULATION + 1024)
        self._at_once = 1 if self.network is None else MOST_NODES // self._nodes

    def _forget_engines(self) -> None:
        super()._forget_engines()
        self._evaluations: dict[tuple[str, int], np.ndarray] = {}
        self._memory: dict[tuple[str, int], Trees] = {}
        self._asking: Callable[[], Any] | None = None  # weak reference to the engine that `_leaves` is a twin of
        self._leaves: Any = None

    def _look(self, engine, games: np.ndarray, weights: np.ndarray, which: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The choice in each game, and of every action the logarithm of how likely it is to be the best, as simulations
        have it, minus infinity of one that was not considered."""
        worlds = engine.determinise(games, seed=self._streams.words(games))
        legal, seats = engine.action_mask[games], engine.seat_to_act[games]
        actions, shares = np.zeros(len(games), np.int64), np.zeros(legal.shape, np.float64)
        for first_game in range(0, len(games), self._at_once):
            batch = slice(first_game, first_game + self._at_once)
            self._search(engine, worlds[batch], legal[batch], seats[batch], weights[0], actions[batch], shares[batch])
        with np.errstate(divide="ignore"):
            return actions, np.log(shares / shares.sum(1, keepdims=True))

    def _search(
        self,
        engine,
        worlds: np.ndarray,
        legal: np.ndarray,
        seats: np.ndarray,
        weights: np.ndarray,
        actions: np.ndarray,
        shares: np.ndarray,
    ) -> None:
        """Writes the choices in so many games as there are trees, or fewer."""
        workspace, trees = self._workspace(engine), self._trees(engine)
        batch_size, asks = len(worlds), self.network is not None
        leaves = self._twin_of(engine) if asks else None
        leaf_records = as_records(leaves.state) if leaves is not None else workspace.space.stack[0]
        key = engine.scenario.name, engine.num_players
        if key not in self._evaluations:
            self._evaluations[key] = evaluation_row(engine, workspace.terms, self.chances, chances_for)
        turns = self.turns if self.trust < 1 or not asks else 0
        settings = Settings(
            weights, self._evaluations[key], self.inverse_temperature, self.explore, self.confidence, turns, asks
        )
        roots = Roots(as_records(worlds), legal, seats, leaf_records, actions, shares)
        trees.used[:batch_size] = 0  # empty trees

        def simulate(simulations: int) -> None:
            kernel = self._kernel(engine, grow)
            kernel(roots, engine.batch.params, settings, simulations, workspace.space, trees, 0, batch_size)
            if asks:
                self._ask(leaves, trees, np.flatnonzero(trees.asked[:batch_size]))
                engine.program.kernel(learn)(roots, self.confidence, trees, 0, batch_size)

        if asks:
            simulate(1)  # the root itself is asked about first
        at_a_time = 1 if asks else AT_A_TIME if self.seconds is None else BETWEEN_LOOKS
        simulated, end_time = 0, time.perf_counter() + (self.seconds or 0.0) * batch_size
        while (
            simulated < self.simulations if self.seconds is None else simulated == 0 or time.perf_counter() < end_time
        ):
            number = min(at_a_time, self.simulations - simulated) if self.seconds is None else at_a_time
            simulate(number)
            simulated += number

    def _ask(self, leaves: Any, trees: Trees, asked: np.ndarray) -> None:
        """Fills in what the network makes of the leaves that were asked about, each seen by the seat to act there."""
        if self.network is not None and len(asked):
            leaves.refresh()
            trees.priors[asked], chances = self.network.evaluate(leaves, asked)
            trees.chances[asked] += self.trust * (chances - trees.chances[asked])

    def _trees(self, engine) -> Trees:
        key = engine.scenario.name, engine.num_players
        if key not in self._memory:
            simulations = self._nodes if self.seconds else self.simulations + 1  # one more to ask about the root
            self._memory[key] = trees_for(engine, self._at_once, self._nodes, simulations)
        return self._memory[key]

    def _twin_of(self, engine):
        """An engine of the same kind with a game for each leaf."""
        if self._asking is None or self._asking() is not engine:
            self._leaves = engine.clone([0] * min(self._at_once, engine.num_games))
            self._asking = weakref.ref(engine)
        return self._leaves
