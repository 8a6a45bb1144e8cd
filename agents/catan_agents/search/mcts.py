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
from catan_agents.search.tree import LONGEST, Roots, Settings, Trees, grow, learn, trees_for
from catan_agents.search.value_network import EvaluationRows, ValueNetwork, network_given
from catan_agents.search.weights import chances_for, check_weights
from catan_env.engine.arguments import check_count, check_number
from catan_env.engine.arrays import as_records
from catan_env.errors import OptionError

NODES_OF_SIMULATION = 64
"""Number of nodes to allocate per simulation. A full tree stops growing, but later simulations still descend it."""
MOST_NODES = 2**19
AT_A_TIME = 200
"""Number of simulations per kernel call. Interrupts take effect between calls."""
BETWEEN_CHECKS = 20
"""Number of simulations between checks of the clock."""
WORLDS = 4
"""Number of sampled worlds for evaluating trade offers."""


@runtime_checkable
class Evaluator(Protocol):
    """Protocol for networks that can guide a search; `catan_agents.learned.LearnedAgent` implements it."""

    def evaluate(self, engine, games: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return policies and winning chances for the given games of an engine.

        Returns:
            The action probabilities of the seat to act, shape (n, actions), with 0 for illegal actions, and the winning
            chances of all seats, shape (n, players), in [0, 1].
        """


class MCTSAgent(Searcher):
    """An agent that chooses actions by Monte-Carlo tree search, see `catan_agents.search.tree`.

    A network can be used: its policy supplies the priors, and its value output the winning chances at the leaves. It
    sees each world from the point of view of the seat to act. Each network call evaluates one leaf per game in the
    batch.

    Args:
        simulations: simulations per decision.
        seconds: time limit per decision on one core, used instead of `simulations`. Results then depend on the machine.
        depth: maximum number of decisions of all seats on a path through the tree; with 1, every simulation plays
            greedily after the agent's action. None sets no limit.
        turns: number of turns to play greedily from a leaf; 0 for none. None selects 4, or 1 if `weights` is a value
            network that replaces the terms. Chances of winning are averaged over the starts of the later half of these
            turns; the weights in `chances` were fitted to positions at the start of a turn.
        explore: weight of priors relative to simulation results at nodes below the root.
        confidence: weight of simulation results relative to priors at the root.
        inverse_temperature: priors are proportional to exp(value * inverse_temperature). None selects 2, or 20 for
            such a network, whose values are chances of winning instead of points.
        seed: seed for sampling worlds and the chance outcomes in them.
        weights: weights for priors and for greedy play from a leaf, as in `ExpectimaxAgent`.
        chances: weights for estimating winning chances, specified in the same ways, or a value network, which then also
            values exchanges. None selects such a network in `weights`, or else the weights shipped for the scenario.
        network: trained agent to guide the search, given by name or folder, or any `Evaluator`; None for no network.
        trust: weight of the network's values, in [0, 1]; the rest of the weight goes to the estimate from `turns` and
            `chances`.
        trade: whether the agent makes and accepts trade offers, see `catan_agents.search.bargains`.

    Raises:
        OptionError: an option is out of range, or the agent given as `network` has no network.
        CatanError: the agent given as `network` or the weights cannot be loaded.
    """

    name = "mcts"
    of_engines = (*Searcher.of_engines, "_memory", "_asking", "_leaves")

    def __init__(  # noqa: PLR0913 (options, passed by keyword)
        self,
        simulations: int = 100,
        seconds: float | None = None,
        depth: int | None = None,
        turns: int | None = None,
        explore: float = 1.0,
        confidence: float = 2.0,
        inverse_temperature: float | None = None,
        seed: int = 0,
        weights: Any = None,
        chances: Any = None,
        network: str | Path | Evaluator | None = None,
        trust: float = 1.0,
        trade: bool = True,
    ):
        check_count("simulations", simulations)
        check_number("trust", trust, 1.0)
        check_weights("chances", chances)
        super().__init__(WORLDS, seed, weights, trade)
        learned = self.weights if isinstance(self.weights, ValueNetwork) and not self.weights.terms else None
        if turns is None:
            turns = 1 if learned else 4
        if inverse_temperature is None:
            inverse_temperature = 20.0 if learned else 2.0
        check_count("turns", turns, 0)
        if depth is not None:
            check_count("depth", depth)
        for option, value in (
            ("explore", explore),
            ("confidence", confidence),
            ("inverse_temperature", inverse_temperature),
            ("seconds", 1.0 if seconds is None else seconds),
        ):
            check_number(option, value, above=0.0)
        self.simulations, self.seconds, self.turns = int(simulations), seconds, int(turns)
        self.depth = LONGEST if depth is None else int(depth)
        self.explore, self.confidence, self.inverse_temperature = (
            float(explore),
            float(confidence),
            float(inverse_temperature),
        )
        self.chances = network_given(chances) or chances or learned
        self._evaluations = EvaluationRows(self.chances)
        self._networks |= isinstance(self.chances, ValueNetwork)
        evaluator = make_agent(network) if isinstance(network, (str, Path)) else network
        if evaluator is not None and not isinstance(evaluator, Evaluator):
            raise OptionError(f"network is {network!r}; it must be a trained agent, which can evaluate positions.")
        self.network: Evaluator | None = evaluator
        self.trust = float(trust)
        self._nodes = MOST_NODES if seconds else min(MOST_NODES, self.simulations * NODES_OF_SIMULATION + 1024)
        self._at_once = 1 if self.network is None else MOST_NODES // self._nodes

    def _forget_engines(self) -> None:
        super()._forget_engines()
        self._memory: dict[tuple[str, int], Trees] = {}
        self._asking: Callable[[], Any] | None = None  # weak reference to the engine of `_leaves`
        self._leaves: Any = None

    def check_engine(self, engine) -> None:
        """Check that the agent can play an engine's games.

        Raises:
            WeightsError: one of its value networks was not trained on them.
        """
        super().check_engine(engine)
        if isinstance(self.chances, ValueNetwork):
            self.chances.for_game(engine)

    def _bargain(self, engine, games: np.ndarray, weights: np.ndarray, which: np.ndarray) -> np.ndarray:
        """Return trade actions as `Searcher` does, but by the value network in `chances` if there is one."""
        if isinstance(self.chances, ValueNetwork):
            weights = self._evaluation(engine)[None]
        return super()._bargain(engine, games, weights, which)

    def _look(self, engine, games: np.ndarray, weights: np.ndarray, which: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the chosen action in each game, and the log probability of each action being the best.

        Actions that the search did not consider have the value minus infinity.
        """
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
        """Search a batch of games, at most one per tree, and store the chosen actions."""
        workspace, trees = self._workspace(engine), self._trees(engine)
        batch_size, asks = len(worlds), self.network is not None
        leaves = self._twin_of(engine) if asks else None
        leaf_records = as_records(leaves.state) if leaves is not None else workspace.space.stack[0]
        turns = self.turns if self.trust < 1 or not asks else 0
        settings = Settings(
            weights,
            self._evaluation(engine),
            self.inverse_temperature,
            self.explore,
            self.confidence,
            self.depth,
            turns,
            asks,
        )
        roots = Roots(as_records(worlds), legal, seats, leaf_records, actions, shares)
        trees.used[:batch_size] = 0  # empty the trees

        def simulate(simulations: int) -> None:
            kernel = self._kernel(engine, grow, waits=True)
            kernel(roots, engine.batch.params, settings, simulations, workspace.space, trees, 0, batch_size)
            if asks:
                self._ask(leaves, trees, np.flatnonzero(trees.asked[:batch_size]))
                engine.kernel(learn, waits=True)(roots, self.confidence, trees, 0, batch_size)

        if asks:
            simulate(1)  # the first simulation queries the network at the root
        at_a_time = 1 if asks else AT_A_TIME if self.seconds is None else BETWEEN_CHECKS
        simulated, end_time = 0, time.perf_counter() + (self.seconds or 0.0) * batch_size
        while (
            simulated < self.simulations if self.seconds is None else simulated == 0 or time.perf_counter() < end_time
        ):
            number = min(at_a_time, self.simulations - simulated) if self.seconds is None else at_a_time
            simulate(number)
            simulated += number

    def _ask(self, leaves: Any, trees: Trees, asked: np.ndarray) -> None:
        """Store the network's priors and winning chances for the given leaves, each seen by the seat to act there."""
        if self.network is not None and len(asked):
            leaves.refresh()
            trees.priors[asked], chances = self.network.evaluate(leaves, asked)
            trees.chances[asked] += self.trust * (chances - trees.chances[asked])

    def _evaluation(self, engine) -> np.ndarray:
        """Return the row of numbers that `chances` stands for in an engine's games."""
        return self._evaluations.of(engine, self._workspace(engine).terms, chances_for)

    def _trees(self, engine) -> Trees:
        key = engine.scenario.name, engine.num_players
        if key not in self._memory:
            simulations = self._nodes if self.seconds else self.simulations + 1  # one more for the root
            self._memory[key] = trees_for(engine, self._at_once, self._nodes, simulations)
        return self._memory[key]

    def _twin_of(self, engine):
        """Return an engine of the same kind that holds one game per leaf."""
        if self._asking is None or self._asking() is not engine:
            self._leaves = engine.clone([0] * min(self._at_once, engine.num_games))
            self._asking = weakref.ref(engine)
        return self._leaves
