"""The agents `greedy` and `expectimax`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from catan_agents.evaluation.terms import Term, cache_of, manners_of, terms_of, with_networks
from catan_agents.portable import Portable
from catan_agents.search.bargains import MEMORY, TradeDecisions, bargain, choose_trades, is_about_trade
from catan_agents.search.lookahead import LEVELS, Decisions, decide
from catan_agents.search.offers import MOST_RATED, NOTHING_TO_SAY, RATINGS, TRADE_WORLDS, TradeSpace, all_offers
from catan_agents.search.value_network import EvaluationRows, ValueNetwork, network_given
from catan_agents.search.weights import check_weights, weights_for
from catan_agents.search.worlds import MOST_WORLDS, Space, owner_divisor
from catan_agents.streams import GameStreams
from catan_env.engine.arguments import check_count, check_flag
from catan_env.engine.arrays import as_records, new_masks
from catan_env.engine.declare import ALL
from catan_env.engine.field_names import field_names
from catan_env.engine.kernels import refresh_views
from catan_env.engine.threads import pieces
from catan_env.games.vocabulary import HAND_CARDS

GAMES_AT_A_TIME = 256
"""Games per kernel call at depth 1, divided by 16 for each additional level. Interrupts take effect between calls."""


@dataclass(frozen=True)
class Workspace:
    """Scratch memory for searching the games of one engine."""

    terms: tuple[Term, ...]
    space: Space
    deals: np.ndarray


def workspace_of(engine, worlds: int, together: int = 1) -> Workspace:
    """Allocate scratch memory for an engine.

    Args:
        worlds: number of sampled-world records to allocate.
        together: number of worlds to search together.
    """
    composition = engine.program.composition
    longest = max(composition.shape(field)[-1] for field in composition.fields.values() if field.shape)
    masks, marks = new_masks(LEVELS, engine.actions.n)
    space = Space(
        stack=as_records(np.tile(engine.program.blank, (LEVELS, together))),
        taken=np.zeros(LEVELS, np.int64),
        reached=np.zeros(together, np.int64),
        masks=masks,
        marks=marks,
        odds=np.zeros((LEVELS, together, engine.program.max_outcomes), np.int64),
        totals=np.ones((LEVELS, together), np.int64),
        world_values=np.zeros((LEVELS, together)),
        met=np.zeros(1, np.int64),
        manners=np.array(manners_of(composition), np.int64),
        secret=np.array([draw.visible != ALL for draw in composition.draws.values()] or [False]),
        unordered=np.array([draw.unordered for draw in composition.draws.values()] or [False]),
        owners=np.array([owner_divisor(composition, draw) for draw in composition.draws.values()] or [0], np.int64),
        dealing=np.zeros(longest, np.int64),
        cache=cache_of(composition, engine.program.blank),
    )
    return Workspace(terms_of(composition), space, as_records(np.repeat(engine.program.blank, worlds)))


class Searcher(Portable):
    """Base class of search agents, which manages random streams, weights, scratch memory and trading.

    If only one action is legal, the agent takes it without searching.

    Args:
        worlds: number of sampled worlds to hold in memory.
        seed: seed for all of the agent's random numbers.
        weights: term weights, given as a mapping keyed by term name, a file, or "untuned"; None selects the weights
            shipped for the scenario. A value network, given by name or file, can be used instead, see
            `catan_agents.search.value_network`.
        trade: whether the agent makes and accepts trade offers.
    """

    of_engines: tuple[str, ...] = ("_workspaces", "_trade_memories", "_twins")
    depth = 1
    """Number of decisions to look ahead from a position before or after an exchange."""
    width = 1
    """Number of top-ranked actions at depth 1 to search more deeply."""

    def __init__(self, worlds: int, seed: int, weights: Any, trade: bool):
        check_flag("trade", trade)
        check_weights("weights", weights)
        self.worlds, self.weights, self.trade = int(worlds), network_given(weights) or weights, bool(trade)
        self._together = 1
        self._rows, self._networks = EvaluationRows(self.weights), isinstance(self.weights, ValueNetwork)
        self._streams = GameStreams(seed)
        self._forget_engines()

    def _forget_engines(self) -> None:
        self._workspaces: dict[tuple[str, int], Workspace] = {}
        self._trade_memories: WeakKeyDictionary[Any, np.ndarray] = WeakKeyDictionary()
        self._twins: WeakKeyDictionary[Any, Any] = WeakKeyDictionary()

    def reset(self, seed: int) -> None:
        self._streams.reset(seed)
        self._trade_memories.clear()

    def check_engine(self, engine) -> None:
        """Check that the agent can play an engine's games.

        Raises:
            WeightsError: the value network was not trained on them.
        """
        if isinstance(self.weights, ValueNetwork):
            self.weights.for_game(engine)

    def act(self, engine, games: np.ndarray) -> np.ndarray:
        legal = engine.action_mask[games]
        actions = legal.argmax(axis=1)
        # more than one action is legal if the first and last legal actions differ
        choice_indices = np.flatnonzero(actions + legal[:, ::-1].argmax(axis=1) < legal.shape[1] - 1)
        if len(choice_indices):
            actions[choice_indices] = self.evaluate_actions(engine, games[choice_indices])[0]
        return actions

    def evaluate_actions(self, engine, games: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the actions that `act` would choose and the values of all actions, for use in imitation learning.

        Returns:
            The action ids, shape (n,), and the values as in `_look`, shape (n, actions), float64. For decisions about
            trade offers, the chosen action has the value 0 and all others have minus infinity.
        """
        weights, which = self._weights_of(engine, games)
        if not (self.trade and engine.rules.get("offers_per_turn")):
            return self._look(engine, games, weights, which)
        actions, action_values = (
            self._bargain(engine, games, weights, which),
            np.full((len(games), engine.actions.n), -np.inf),
        )
        bargain_indices, look_indices = np.flatnonzero(actions >= 0), np.flatnonzero(actions < 0)
        action_values[bargain_indices, actions[bargain_indices]] = 0.0
        if len(look_indices):
            actions[look_indices], action_values[look_indices] = self._look(
                engine, games[look_indices], weights, which[look_indices]
            )
        return actions, action_values

    def _look(self, engine, games: np.ndarray, weights: np.ndarray, which: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the chosen action in each game and the values of all actions.

        `which`, shape (n,), gives the row of `weights` to use for each game.
        """
        raise NotImplementedError

    def _bargain(self, engine, games: np.ndarray, weights: np.ndarray, which: np.ndarray) -> np.ndarray:
        """Return the trade action to take in each game, or -1 to leave the choice to the search."""
        words, actions = self._streams.words(games), np.full(len(games), NOTHING_TO_SAY)
        trading = np.flatnonzero(is_about_trade(engine, games))
        if not len(trading):
            return actions
        games, which = games[trading], which[trading]
        workspace, offers = self._workspace(engine), all_offers(engine.program.composition.extent(HAND_CARDS))
        worlds = engine.determinise(games, seed=words[trading])
        if engine not in self._trade_memories:
            self._trade_memories[engine] = np.zeros((engine.num_games, MEMORY), np.int64)
        memory = self._trade_memories[engine][games]
        shape = len(games), MOST_RATED
        decisions = TradeDecisions(
            worlds=as_records(worlds),
            legal=engine.batch.masks[games],
            seats=engine.seat_to_act[games],
            which=which,
            memory=memory,
            actions=np.zeros(len(games), np.int64),
            candidates=np.full(shape, NOTHING_TO_SAY),
            values=np.full(shape, -np.inf),
            own_gains=np.zeros(shape),
            shares=np.zeros(shape),
            after=as_records(np.empty(shape, worlds.dtype)),
        )
        space = TradeSpace(
            cache=workspace.space.cache,
            deals=workspace.deals,
            dealing=workspace.space.dealing,
            offers=offers,
            own_gains=np.zeros(len(offers)),
            offer_values=np.zeros(len(offers)),
            ratings=np.zeros((len(offers), RATINGS)),
            best_values=np.zeros(MOST_RATED),
            values_before=np.zeros((len(workspace.deals), engine.num_players)),
            partner_gains=np.zeros((len(workspace.deals), engine.num_players)),
            alike=np.zeros((len(workspace.deals), engine.num_players), np.int64),
        )
        kernel = self._kernel(engine, bargain)
        for first_game, last_game in pieces(0, len(games), GAMES_AT_A_TIME):
            kernel(decisions, engine.batch.params, weights, space, first_game, last_game)
        self._search_trades(engine, decisions, weights)
        choose_trades(decisions, engine.actions.id("make_offer"))
        self._trade_memories[engine][games] = memory
        actions[trading] = decisions.actions
        return actions

    def _search_trades(self, engine, trades: TradeDecisions, weights: np.ndarray) -> None:
        """Replace the seat's own gains from exchanges by those that the search finds, and correct the values."""
        is_considered, is_closing = trades.candidates[:, 0] >= 0, trades.actions >= 0
        closing, offering = np.flatnonzero(is_considered & is_closing), np.flatnonzero(is_considered & ~is_closing)
        gains = trades.own_gains.copy()
        if len(closing):
            candidates, worlds = trades.candidates[closing], trades.worlds[closing]
            values = self._values(engine, worlds, trades.legal[closing], trades, closing, weights, max(self.depth, 2))
            confirmed = np.take_along_axis(values, np.maximum(candidates, 0), 1)
            gains[closing] = np.where(candidates >= 0, confirmed - values[:, [engine.actions.id("withdraw")]], 0.0)
        if len(offering):
            rows, ranks = np.nonzero(trades.candidates[offering] >= 0)
            worlds = np.concatenate([trades.worlds[offering], trades.after[offering[rows], ranks]])
            games = np.concatenate([offering, offering[rows]])
            legal = self._legal_actions(engine, worlds)
            values = self._values(engine, as_records(worlds), legal, trades, games, weights, self.depth).max(axis=1)
            gains[offering[rows], ranks] = values[len(offering) :] - values[rows]
        trades.values[:] += trades.shares * (gains - trades.own_gains)

    def _values(self, engine, worlds, legal, trades: TradeDecisions, games, weights, depth: int) -> np.ndarray:
        """Return the value of each action in worlds of the given games of `trades`, looking `depth` decisions ahead."""
        count = len(worlds)
        decisions = Decisions(
            worlds=worlds,
            legal=legal,
            seats=trades.seats[games],
            which=trades.which[games],
            luck=np.zeros(count),
            depths=np.full(count, depth),
            actions=np.zeros(count, np.int64),
            action_values=np.full((count, engine.actions.n), -np.inf),
        )
        self._decide(engine, decisions, weights, engine.actions.n if depth > self.depth else self.width)
        return decisions.action_values

    def _legal_actions(self, engine, worlds: np.ndarray) -> np.ndarray:
        """Return the masks of legal actions, as in `Batch`, of records of an engine's kind."""
        if engine not in self._twins:
            self._twins[engine] = engine.clone([0] * min(engine.num_games * (1 + MOST_RATED), GAMES_AT_A_TIME))
        twin = self._twins[engine]
        legal = np.zeros((len(worlds), *twin.batch.masks.shape[1:]), bool)
        for first, last in pieces(0, len(worlds), twin.num_games):
            twin.state[: last - first] = worlds[first:last]
            twin.run_kernel(refresh_views, 0, last - first)
            legal[first:last] = twin.batch.masks[: last - first]
        return legal

    def _decide(self, engine, decisions: Decisions, weights: np.ndarray, width: int) -> None:
        """Search decisions, looking ahead further for the best `width` actions."""
        kernel, space = self._kernel(engine, decide), self._workspace(engine).space
        for first_game, last_game in pieces(0, len(decisions.worlds), GAMES_AT_A_TIME >> 4 * (self.depth - 1)):
            kernel(decisions, engine.batch.params, weights, width, space, first_game, last_game)

    def _weights_of(self, engine, games: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the rows of weights, and the index of the row that each game uses, shape (n,)."""
        row = self._rows.of(engine, self._workspace(engine).terms, self._find_weights)
        return row[None], np.zeros(len(games), np.int64)

    _find_weights = staticmethod(weights_for)

    def _kernel(self, engine, template: Callable, waits: bool = False) -> Callable:
        """Return a kernel compiled with the engine's rules, and with value networks if the agent uses one.

        `waits` determines whether to wait for the compiler, see `BatchEngine.kernel`.
        """
        composition = engine.program.composition
        return engine.kernel(template, with_networks(composition) if self._networks else None, waits)

    def _workspace(self, engine) -> Workspace:
        key = engine.scenario.name, engine.actions.n
        if key not in self._workspaces:
            self._workspaces[key] = workspace_of(engine, max(self.worlds, TRADE_WORLDS), self._together)
        return self._workspaces[key]


class ExpectimaxAgent(Searcher):
    """An agent that takes the action with the highest expected value, looking `depth` decisions ahead.

    The agent samples hidden information and averages over chance outcomes, weighted by their exact probabilities in the
    sampled world. If the probabilities depend on hidden information, it averages over several worlds. The search stops
    and evaluates the position when another seat has to decide or the turn ends.

    Args:
        depth: number of the agent's own decisions to look ahead, at least 1. Before the first turn, a depth of 1 is
            always used.
        worlds: number of worlds to sample when hidden information matters.
        seed: seed for sampling worlds and breaking ties.
        weights: term weights, given as a mapping keyed by term name, a file, or "untuned"; None selects the weights
            shipped for the scenario. A value network, given by name or file, can be used instead, see
            `catan_agents.search.value_network`.
        trade: whether the agent makes and accepts trade offers, see `catan_agents.search.bargains`.
        width: number of top-ranked actions at depth 1 to search more deeply.

    Raises:
        OptionError: an option is out of range.
        WeightsError: the weights are invalid.
    """

    name = "expectimax"

    def __init__(
        self, depth: int = 2, worlds: int = 4, seed: int = 0, weights: Any = None, trade: bool = True, width: int = 5
    ):
        check_count("depth", depth)
        check_count("worlds", worlds, 1, MOST_WORLDS)
        check_count("width", width)
        super().__init__(worlds, seed, weights, trade)
        self._together = self.worlds
        self.depth, self.width = int(depth), int(width)
        self._find_weights = partial(weights_for, depth=self.depth)

    def _look(self, engine, games: np.ndarray, weights: np.ndarray, which: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the chosen action in each game, and the value of each action to the seat to act, in victory points.

        Winning actions have the value `lookahead.END`; illegal, avoided and pruned actions have the value minus
        infinity.
        """
        worlds = engine.determinise(games, seed=self._streams.words(games))
        decisions = Decisions(
            worlds=as_records(worlds),
            legal=engine.batch.masks[games],
            seats=engine.seat_to_act[games],
            which=which,
            luck=self._streams.uniform(games),
            depths=self._depths(worlds),
            actions=np.zeros(len(games), np.int64),
            action_values=np.full((len(games), engine.actions.n), -np.inf),
        )
        self._decide(engine, decisions, weights, self.width)
        return decisions.actions, decisions.action_values

    def _depths(self, worlds: np.ndarray) -> np.ndarray:
        """Return the number of decisions to look ahead in each world, shape (n,), int64.

        The number is 1 during initial placement, because deeper searches would choose settlements for the roads they
        allow rather than for their production.
        """
        turns = worlds["turn"] if "turn" in field_names(worlds) else np.ones(len(worlds))
        return np.where(turns == 0, 1, self.depth)


class GreedyAgent(ExpectimaxAgent):
    """An agent that takes the action leading to the best position; equivalent to `ExpectimaxAgent` at depth 1."""

    name = "greedy"

    def __init__(self, worlds: int = 4, seed: int = 0, weights: Any = None, trade: bool = True):
        super().__init__(1, worlds, seed, weights, trade)
