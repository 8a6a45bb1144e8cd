"""N games in which a learner plays one seat and opponents play the others, used by all learner environments."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete

from catan_env.encoders import make_encoder
from catan_env.engine.arguments import check_actions, check_limit, check_number, check_option
from catan_env.engine.batch import BatchEngine
from catan_env.engine.decision_stack import NO_SEAT_TO_ACT
from catan_env.engine.fixed import Changeable, Fixed
from catan_env.engine.random import check_seed, game_seeds
from catan_env.engine.scenario import Scenario
from catan_env.envs.draws import fresh_seed, seat_of_episode, substitutes
from catan_env.envs.game import MAX_TRIES
from catan_env.envs.opponents import make_opponents
from catan_env.envs.serialization import PicklableEngine
from catan_env.envs.state import WholeState
from catan_env.envs.turns import find_turns
from catan_env.errors import ActionFormatError, CatanError, GameOverError, IllegalActionError, OptionError
from catan_env.numeric import is_integer

ILLEGAL = ("substitute", "penalise", "raise")
SEATS = ("random", "rotate")
OBSERVATIONS = ("array", "dict")


class LearnerGames(PicklableEngine):
    """N games with one learner each. Between calls, every game is either waiting for its learner or over.

    Args:
        scenario: registered name, path of a scenario file, or `Scenario`.
        num_games: number of games, N.
        num_players: number of seats; default: the scenario's maximum.
        opponents: agents on the other seats: a name (see `opponents.opponent_names`), an object with `act(engine,
            games)`, or a list of these, which are assigned in turn to the seats to the learner's left.
        seat: the learner's seat: an index, "random" for a random seat each episode, or "rotate" for 0, 1, ... in turn.
        encoder, dtype: observation encoder and its dtype; see `catan_env.encoders`.
        observation: "array" for the encoder's output; "dict" for {"observation", "action_mask"}.
        illegal: what to do about an illegal action. "substitute": replace it with a legal one, chosen uniformly and
            reproducibly. "penalise": leave the game unchanged and return the reward `-illegal_penalty`; set
            `max_episode_steps` as well. "raise": raise `IllegalActionError` and change no game. Ids outside the action
            space always raise.
        illegal_penalty: penalty for illegal actions; see `illegal`.
        rules: overrides for rule numbers, keyed by name.
        board: board layout to play on; None draws a new one for each game.
        reward: "win_loss" (+1 for the winner, -1 for all others), "zero_sum" (the losers share the -1), or a function,
            as for `BatchEngine`.
        shaping, discount: weight and discount of potential-based shaping; see `catan_env.engine.shaping`.
        max_episode_steps: number of learner actions after which an episode is truncated; None relies on the turn limit
            in the rules.
        record: whether to keep a replay log of every game.
        threads: number of threads that share the batch.
        forced_moves: "ask" queries the learner and the opponents at every decision; "play" only at decisions with
            several legal actions.
        compiled: whether to wait for the compiler; see `BatchEngine`.

    Attributes:
        engine: the `BatchEngine` that runs all games.
        seats: (N,) int64, each learner's seat.
        opponents, seat, illegal, illegal_penalty, max_episode_steps: the current settings, which may be changed at any
            time. A new `seat` takes effect from the next episode. `opponents` is the list of agents.
        over: (N,) bool, games whose episode is over and which must be reset.
        steps: (N,) int64, number of learner actions so far in the current episode.
        observation_space, action_space: the spaces of one game.

    Raises:
        CatanError: an argument is invalid; the message lists valid values (see `catan_env.errors`).
    """

    bound = ("_encoder", "_whole")
    encoder, dtype, observation, num_games = Fixed[Any](), Fixed[str](), Fixed[str](), Fixed[int]()
    illegal = Changeable[str](partial(check_option, allowed=ILLEGAL))
    max_episode_steps = Changeable[int | None](check_limit)

    def __init__(  # noqa: PLR0913 (options, given by name)
        self,
        scenario: str | Path | Scenario = "base",
        num_games: int = 1,
        num_players: int | None = None,
        opponents: Any = "random",
        seat: int | str = 0,
        encoder: str | Callable[[Any], Any] = "flat",
        dtype: str = "float32",
        observation: str = "array",
        illegal: str = "substitute",
        illegal_penalty: float = 0.01,
        rules: Mapping[str, Any] | None = None,
        board: Any = None,
        reward: str | Callable[[BatchEngine], Any] = "win_loss",
        shaping: float = 0.0,
        discount: float = 1.0,
        max_episode_steps: int | None = None,
        record: bool = False,
        threads: int = 1,
        forced_moves: str = "ask",
        compiled: bool | str = True,
    ):
        check_option("observation", observation, OBSERVATIONS)
        self.illegal, self.illegal_penalty, self.max_episode_steps = illegal, illegal_penalty, max_episode_steps
        self.engine = BatchEngine(
            scenario,
            num_games,
            num_players,
            fresh_seed(),
            rules=rules,
            board=board,
            reward=reward,
            shaping=shaping,
            discount=discount,
            record=record,
            threads=threads,
            forced_moves=forced_moves,
            compiled=compiled,
            autoreset=True,
        )
        self.seat = seat
        self.encoder, self.dtype, self.observation = encoder, dtype, observation
        n, player_count = self.engine.num_games, self.engine.num_players
        self.num_games = n
        self.seats, self.steps = np.zeros((2, n), np.int64)
        self.episodes = np.full(n, -1)
        self.over = np.ones(n, np.bool_)
        self._rows = np.arange(n)
        self._agent_of = np.full((n, player_count + 2), -1)  # last two columns: seats -2 and -1, nobody's turn
        self._bind()
        self.action_space = Discrete(self.engine.actions.n)
        self.observation_space = self._encoder.space
        if observation == "dict":
            mask_space = Box(0, 1, (self.engine.actions.n,), np.int8)
            self.observation_space = Dict({"observation": self._encoder.space, "action_mask": mask_space})
        self.set_opponents(opponents)

    def _bind(self) -> None:
        self._encoder = make_encoder(self.engine, self.encoder, self.dtype)
        self._whole: WholeState | None = None  # created on first use
        self.engine.idle_watch = None  # finished games wait for their learner to start a new episode

    # -- changeable options ---------------------------------------------------------------------------------

    @property
    def seat(self) -> int | str:
        return self._seat

    @seat.setter
    def seat(self, seat: int | str) -> None:
        player_count = self.engine.num_players
        if not (is_integer(seat) and 0 <= seat < player_count) and not (isinstance(seat, str) and seat in SEATS):
            raise OptionError(f"seat is {seat!r}; allowed: 0 to {player_count - 1}, {' or '.join(map(repr, SEATS))}.")
        self._seat = seat if isinstance(seat, str) else int(seat)

    @property
    def illegal_penalty(self) -> float:
        return self._illegal_penalty

    @illegal_penalty.setter
    def illegal_penalty(self, illegal_penalty: float) -> None:
        check_number("illegal_penalty", illegal_penalty)
        self._illegal_penalty = float(illegal_penalty)

    @property
    def opponents(self) -> list[Any]:
        return self.agents

    @opponents.setter
    def opponents(self, opponents: Any) -> None:
        self.set_opponents(opponents)

    # -- opponents ----------------------------------------------------------------------------------------

    def set_opponents(self, opponents: Any) -> None:
        """Replace the opponents. Arguments and errors are as for `opponents` in the constructor."""
        agents, new_flags = make_opponents(opponents, max(self.engine.num_players - 1, 1))
        self.agents = agents
        self._reseed([agent for agent, is_new in zip(agents, new_flags, strict=True) if is_new], fresh_seed())
        self._assign(self._rows)

    def _reseed(self, agents: Sequence[Any], seed: int) -> None:
        for agent, agent_seed in zip(agents, game_seeds(seed, len(agents)).tolist(), strict=True):
            if hasattr(agent, "reset"):
                agent.reset(agent_seed >> 33)  # 31 bits, which every library accepts as a seed

    def _assign(self, games: np.ndarray) -> None:
        """Assign an agent to each seat: the k-th seat to the learner's left gets agent k-1, wrapping around."""
        player_count = self.engine.num_players
        seats_to_left = (np.arange(player_count) - self.seats[games, None]) % player_count
        self._agent_of[games, :player_count] = np.where(seats_to_left == 0, -1, (seats_to_left - 1) % len(self.agents))

    def _play_opponents(self, rewards: np.ndarray) -> None:
        """Let opponents act until every game is over or waiting for its learner; add to `rewards`, shape (N,)."""
        engine, num_games, agent_count = self.engine, self.num_games, len(self.agents)
        moves, counts = np.empty(num_games, np.int64), np.empty(agent_count, np.int64)
        games_of_agents = np.empty((agent_count, num_games), np.int64)
        turns = moves, games_of_agents, counts
        known_rewards = np.zeros(num_games)  # the caller has already added those of the last step
        is_waiting = engine.run_kernel(find_turns, self.seats, self._agent_of, known_rewards, *turns)
        while is_waiting:
            for agent, games, count in zip(self.agents, games_of_agents, counts.tolist(), strict=True):
                if count:
                    own_games = games[:count].copy()
                    moves[own_games] = _choices(agent, engine, own_games)
            try:
                engine.step(moves)
            except IllegalActionError as error:
                error.add_note(f"The action was chosen by an opponent, one of {self.agents}.")
                raise
            is_waiting = engine.run_kernel(find_turns, self.seats, self._agent_of, rewards, *turns)

    # -- playing ------------------------------------------------------------------------------------------

    def reset(self, seeds: Sequence[int | None] | None = None, games: np.ndarray | None = None) -> None:
        """Start episodes in all games, or those selected by an (N,) mask, and play to the learner's first decision.

        Args:
            seeds: one seed per game, or None to continue a game's stream. A game depends only on its seed, not on the
                batch. If all games are seeded, the first seed also seeds the opponents.
            games: mask of the games to reset; default: all games.
        """
        starting_mask = np.ones(self.num_games, np.bool_) if games is None else games
        seeded_mask = np.zeros(self.num_games, np.bool_)
        if seeds is not None:
            seeded_mask = starting_mask & np.array([seed is not None for seed in seeds])
            seed_of_game = {
                game: check_seed(seed) for game, seed in enumerate(seeds) if seed is not None and seeded_mask[game]
            }
            self.engine.reset(list(seed_of_game.values()), np.flatnonzero(seeded_mask))
            if seeded_mask.all():
                self._reseed(self.agents, seed_of_game[0])
        if (starting_mask & ~seeded_mask).any():
            self.engine.reset(games=starting_mask & ~seeded_mask)
        self.episodes[seeded_mask] = -1
        self._begin(np.flatnonzero(starting_mask))
        self._play_on(np.flatnonzero(starting_mask), np.zeros(self.num_games))

    def _begin(self, games: np.ndarray) -> None:
        """Mark episodes as started."""
        self.episodes[games] += 1
        self.steps[games] = 0
        self.over[games] = False
        if self.seat == "random":
            self.seats[games] = seat_of_episode(self.engine.seeds[games], self.episodes[games], self.engine.num_players)
        elif self.seat == "rotate":
            self.seats[games] = self.episodes[games] % self.engine.num_players
        else:
            self.seats[games] = self.seat
        self._assign(games)

    def _play_on(self, games: np.ndarray, rewards: np.ndarray) -> None:
        """Let opponents act until it is every learner's turn, restarting any of `games` that end before that.

        Rewards of the other games are added to `rewards`, shape (N,).
        """
        for _ in range(MAX_TRIES):
            self._play_opponents(rewards)
            rewards[games] = 0.0
            ended_early = games[self.engine.seat_to_act[games] == NO_SEAT_TO_ACT]
            if not ended_early.size:
                return
            self.engine.reset(games=ended_early)
        raise CatanError(
            f"Game {ended_early[0]} ended {MAX_TRIES} times before seat {self.seats[ended_early[0]]} could act."
        )

    def step(
        self, actions: np.ndarray, games: np.ndarray | None = None, begin: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Carry out one learner action per game, then let opponents act until it is every learner's turn again.

        Args:
            actions: (N,) integers.
            games: (N,) bool mask of the games to step; other games stay unchanged and return zeros. Default: all games.
            begin: (N,) bool mask of finished games that start their next episode instead. Default: none.

        Returns:
            rewards, (N,) float64, summed over everything that happened during the step; terminated, truncated and
            illegal, each (N,) bool. `illegal` marks games in which the action was illegal.

        Raises:
            ActionFormatError: actions have the wrong type or shape, or an id is outside the action space.
            IllegalActionError: an action is illegal and `illegal="raise"`; no game has changed.
            GameOverError: an episode is over and was not reset.
        """
        if self.episodes.min() < 0:
            raise GameOverError("No episode has begun; call reset() first.")
        playing = np.ones(self.num_games, np.bool_) if games is None else games
        moves = np.where(playing, self._checked_actions(actions, playing), -1)
        if (playing & self.over).any():
            finished_games = np.flatnonzero(playing & self.over).tolist()
            raise GameOverError(f"The episodes of games {finished_games} are over; reset them first.")
        illegal = playing & ~self.engine.action_mask[self._rows, moves]
        rewards = np.zeros(self.num_games)
        if illegal.any() and self.illegal != "raise":
            illegal_games = np.flatnonzero(illegal)
            if self.illegal == "penalise":
                moves[illegal_games] = -1
                rewards[illegal_games] = -self.illegal_penalty + self.engine.shape(
                    illegal_games, self.seats[illegal_games]
                )
            else:
                moves[illegal_games] = substitutes(self.engine, illegal_games, moves[illegal_games])
        restarted_games = truncated_games = self._rows[:0]
        if begin is not None and begin.any():
            restarted_games = np.flatnonzero(begin)
            truncated_games = restarted_games[
                self.engine.seat_to_act[restarted_games] != NO_SEAT_TO_ACT
            ]  # truncated by `max_episode_steps`, which the engine does not know about
            moves[restarted_games] = 0
            moves[truncated_games] = -1
        self.engine.step(moves)
        rewards += self.engine.rewards[self._rows, self.seats]
        if truncated_games.size:
            self.engine.reset(games=truncated_games)
        if restarted_games.size:
            self._begin(restarted_games)
        self._play_on(restarted_games, rewards)
        self.steps += playing
        terminated, truncated = playing & self.engine.terminated, playing & self.engine.truncated
        if self.max_episode_steps is not None:
            truncated |= playing & ~terminated & (self.steps >= self.max_episode_steps)
        self.over |= terminated | truncated
        return rewards, terminated, truncated, illegal

    def _checked_actions(self, actions: Any, play: np.ndarray) -> np.ndarray:
        array = check_actions(actions, self.num_games, "")
        out_of_range = play & ((array < 0) | (array >= self.engine.actions.n))
        if out_of_range.any():
            game = int(np.flatnonzero(out_of_range)[0])
            raise ActionFormatError(
                f"Action {array[game]} in game {game} is outside the action space: ids run from 0 to "
                f"{self.engine.actions.n - 1}."
            )
        return array

    # -- what the learner sees ------------------------------------------------------------------------------

    def action_masks(self) -> np.ndarray:
        """Return the learners' action masks as a fresh (N, actions) bool array, all False for games that are over."""
        masks = self.engine.action_mask.copy()
        masks[self.over] = False
        return masks

    @property
    def whole_state(self) -> WholeState:
        """Reads the complete states of all games; see `WholeState`."""
        if self._whole is None:
            self._whole = WholeState(self.engine)
        return self._whole

    def encode(self, out: np.ndarray | None = None) -> Any:
        """Return the encoder's output for the learners, shape (N, ...), without masks; fresh unless `out` is given.

        Raises:
            OptionError: `out` does not fit.
        """
        return self._encoder.show(self.seats, self._rows, out)

    def observe(self, games: np.ndarray | None = None) -> Any:
        """Return fresh observations for the learners: (N, ...) arrays, or a dict with an int8 `action_mask`.

        If an (N,) bool mask of games is given, only the rows of these games are returned.
        """
        game_indices = self._rows if games is None else np.flatnonzero(games)
        observation = self._encoder.show(self.seats[game_indices], game_indices)
        if self.observation == "array":
            return observation
        masks = self.action_masks() if games is None else self.action_masks()[game_indices]
        return {"observation": observation, "action_mask": masks.view(np.int8)}

    def infos(self, illegal: np.ndarray | None = None) -> dict[str, np.ndarray]:
        """Return fresh infos for all games.

        The arrays are `action_mask` (int8), the learner's `seat`, and `illegal_action` for the last step.
        """
        return {
            "action_mask": self.action_masks().view(np.int8),
            "seat": self.seats.copy(),
            "illegal_action": np.zeros(self.num_games, np.bool_) if illegal is None else illegal,
        }

    def final_infos(self) -> dict[str, np.ndarray]:
        """Return infos added for finished episodes: `winner` (N,), -1 for none, and `victory_points` (N, players)."""
        return {"winner": self.engine.winner.astype(np.int64), "victory_points": self.engine.victory_points}


def _choices(agent: Any, engine: BatchEngine, games: np.ndarray) -> np.ndarray:
    chosen_actions = np.asarray(agent.act(engine, games))
    fits = chosen_actions.shape == games.shape and chosen_actions.dtype.kind in "iu"
    if not fits or chosen_actions[chosen_actions.argmin()] < 0:  # faster than `min` if there are few
        raise ActionFormatError(
            f"Opponent {agent!r} must return one action id for each of {len(games)} games; it returned shape "
            f"{chosen_actions.shape}, dtype {chosen_actions.dtype}: {chosen_actions!r}."
        )
    return chosen_actions


def row(tree: Any, index: int) -> Any:
    """Return one game's row of an array or of a dict of arrays."""
    if type(tree) is dict:
        return {key: row(value, index) for key, value in tree.items()}
    return tree[index]
