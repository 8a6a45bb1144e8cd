"""`BatchEngine`: many games of one scenario, stepped together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from catan_env.engine import arguments, imagine, kernels, replay, snapshot, soundness
from catan_env.engine.arrays import as_records
from catan_env.engine.binding import digest
from catan_env.engine.games import Games
from catan_env.engine.queue import TRUNCATED, WON
from catan_env.engine.random import streams
from catan_env.errors import CatanError, ReplayError


class BatchEngine(Games):
    """N games of one scenario as one array of records, and everything a caller does with them.

    Args:
        scenario: a registered name, or a `Scenario`.
        num_games: how many games, N.
        num_players: seats per game; the scenario's largest by default.
        seed: one seed for all games, or (N,) uint64 per-game seeds (see `seeds`).
        chance: "sampled" draws chance outcomes at once, "explicit" stops at each and takes outcomes as actions.
        rules: numbers of the rules to override, by name.
        board: a layout name, `Layout` or mapping of hexes, harbors and robber by coordinates; a file (.toml, .json)
            with a layout, or with another map of the same sizes; None for the scenario's own, drawn where it says how.
        reward: "win_loss" (+1 winner, -1 all others) or "zero_sum" (the losers share the -1).
        shaping: weight of potential-based shaping on visible victory points over the target (0: none).
        discount: discount factor of the shaping term; see `catan_env.engine.shaping`.
        record: keep a replay log of every game.
        threads: threads that share the batch in `step`, `observe` and `random_rollout`.
        forced_moves: "ask" waits for every decision; "play" plays those with one legal action only, in `step`,
            `reset` and rollouts, so that whoever is to act has a choice. Logs hold every action all the same.
        autoreset: begin a game that is over anew at the next step, whatever id it is given (-1 leaves it). The step
            that ends a game still shows its end: rewards, `terminated` or `truncated`, nobody to act.

    Arrays marked as views are rewritten by `step` and `reset`; copy what you keep.

    Raises:
        UnknownScenarioError, PlayerCountError, UnknownRuleError, RuleValueError, BoardError, OptionError: bad
            arguments, with what is allowed.
    """

    encoder_factory: Callable[[BatchEngine, str, str], Any]
    """Makes encoders by name; `catan_env.encoders` sets it."""
    renderer: Callable[..., Any]
    """Draws a game; `catan_env.render` sets it."""

    # -- what happened ------------------------------------------------------------------------------------

    @property
    def rewards(self) -> np.ndarray:
        """(N, players) float32 rewards of the last step: a view."""
        return self._rewards

    @property
    def terminated(self) -> np.ndarray:
        """(N,) bool: games that have ended by the rules, most often because somebody has won."""
        return self._ended == WON

    @property
    def truncated(self) -> np.ndarray:
        """(N,) bool: games cut off by a limit."""
        return self._ended == TRUNCATED

    @property
    def winner(self) -> np.ndarray:
        """(N,) int8: the one seat that has won; -1 where nobody has, or several together."""
        won = self.winners
        return np.where(won.sum(1) == 1, won.argmax(1), -1).astype(np.int8)

    @property
    def winners(self) -> np.ndarray:
        """(N, players) bool: seats that have won."""
        return (self._records["winners"][:, None] >> np.arange(self.num_players) & 1).astype(bool)

    @property
    def state(self) -> np.ndarray:
        """(N,) structured array of the game records: a view. After editing it, call `refresh`."""
        return self._records

    def refresh(self) -> None:
        """Brings masks and seats to act in line with records that were edited."""
        self.program.republish(self._states_in, self._tables_in, *self._shown, 0, self.num_games)

    def encoder(self, name: str = "flat", dtype: str = "float32") -> Any:
        """The encoder of this name and dtype for this engine; see `catan_env.encoders`.

        Raises:
            UnknownEncoderError, OptionError: no such encoder or dtype.
        """
        key = name if type(name) is str else repr(name), dtype if type(dtype) is str else repr(dtype)
        if key not in self._encoders:
            self._encoders[key] = self.encoder_factory(self, name, dtype)
        return self._encoders[key]

    def observe(
        self, encoder: str = "flat", seat: Any = None, out: Any = None, dtype: str = "float32", games: Any = None
    ) -> Any:
        """Observations of all games (or those in a mask or list) from a seat, or one seat per game.

        Without `seat`, from the seat to act: zero where there is none. "flat" gives (rows, size), fresh or written
        into `out`; see `catan_env.encoders` for the others.
        """
        return self.encoder(encoder, dtype).encode(seat, out, games)

    def observation_space(self, encoder: str = "flat", dtype: str = "float32") -> Any:
        """Gymnasium space of one game's observation."""
        return self.encoder(encoder, dtype).space

    def feature_names(self, encoder: str = "flat") -> Any:
        """Name of every feature, in order: a list for "flat", by part for encoders whose observation has parts."""
        return self.encoder(encoder).feature_names

    @property
    def topology(self):
        """The board's geometry: axial coordinates, intersections and paths with their adjacency, as arrays."""
        return self.scenario.topology

    def place_names(self, game: int = 0) -> Mapping[str, tuple[str, ...]]:
        """What people call the places of the board that is laid in a game, by axis: "6 hills, 3 forest, 11 fields"."""
        arguments.check_game(game, self.num_games)
        return self.scenario.place_names(self.topology)(self._records[game])

    def describe(self, game: int, action: int) -> str:
        """The sentence for an action in a game, with places as people say them; `actions.describe` has coordinates."""
        return self.actions.describe(action, self.place_names(game), self.telling(game, action))

    def telling(self, game: int, action: int) -> str:
        """What is said of an action, with {} for the argument, where rules tell it otherwise than usual as the answer
        to the decision at hand; "" where they do not."""
        teller = self.program.composition.tellers.get((self.actions.kind_of[action], self.decision(game)))
        return teller(self._records[game], self.rules, int(self.seat_to_act[game])) if teller else ""

    @property
    def chance_probabilities(self) -> np.ndarray:
        """(N, outcomes.n) float64: probability of each chance outcome, zero rows where a seat is to act."""
        probabilities = np.zeros((self.num_games, max(self.outcomes.n, 1)))
        self.program.weigh(
            self._states_in, self._tables_in, self._seats, self._weights[0], probabilities, 0, self.num_games
        )
        return probabilities

    @property
    def chance_mask(self) -> np.ndarray:
        """(N, outcomes.n) bool: the chance outcomes that are possible now (explicit mode)."""
        return self.chance_probabilities > 0

    def render(self, game: int = 0, **options: Any) -> Any:
        """A picture of one game that shows itself in a notebook; see `catan_env.render.draw` for the options."""
        return self.renderer(game, **options)

    def broken_invariants(self) -> list[tuple[int, str]]:
        """(game, name) of every invariant that does not hold; empty unless the rules have an error."""
        broken = np.zeros(self.num_games, np.int64)
        self.program.audit(self._states_in, self._tables_in, broken, 0, self.num_games)
        names = list(self.program.composition.invariants)
        return [(int(i), name) for i in np.flatnonzero(broken) for k, name in enumerate(names) if broken[i] >> k & 1]

    def decision(self, game: int) -> str:
        """Name of the decision or chance draw at hand in a game; "over" when it has ended."""
        arguments.check_game(game, self.num_games)
        if self._ended[game]:
            return "over"
        record = self._records[game]
        names = [*self.program.composition.decisions, *self.program.composition.draws]
        return names[record["queue"][record["depth"] - 1]]

    # -- keeping ------------------------------------------------------------------------------------------

    @property
    def layout_hash(self) -> str:
        """Fingerprint of the rules' layout: scenario version, record but for derived fields, actions and outcomes."""
        return digest(
            [
                self.scenario.name,
                str(self.scenario.version),
                self.program.record_hash,
                self.actions.hash,
                self.outcomes.hash,
            ]
        )

    def save(self) -> bytes:
        """A snapshot of all games, streams and logs: `load` brings them back exactly."""
        return snapshot.pack(self._identity(), [self._records, self.seeds, self._log_length, self._log])

    def load(self, data: bytes) -> None:
        """Brings back a snapshot taken from an engine of the same scenario, rules, board and number of games.

        Raises:
            SnapshotError: it is damaged, from another kind of engine, or holds what no game can be; it names the field
                and what is allowed. The engine is as it was.
        """
        templates = [self._records, self.seeds, self._log_length, self._log]
        records, seeds, lengths, log = snapshot.unpack(data, self._identity(), templates)
        snapshot.check_log(log, lengths, self.actions.n + self.outcomes.n, kernels.LOG_MARGIN)
        self._check_records(records)
        self._records[:], self.seeds[:], self._log_length[:] = records, seeds, lengths
        self._set_log(log)
        self._rewards[:] = 0.0
        self.refresh()
        if self.shaping:
            self._shaping.points[:] = self.visible_points

    def _check_records(self, records: np.ndarray) -> None:
        """Raises SnapshotError unless the records, (N,), could be games of this engine: tried out in a spare one."""
        composition, spare = self.program.composition, self._twin(self.num_games)
        soundness.check_values(records, composition, self.num_players, spare.state)
        spare.state[:] = records
        spare.refresh()
        names = [*composition.decisions, *composition.draws]
        heads = records["queue"][np.arange(self.num_games), records["depth"].astype(np.int64) - 1]
        with np.errstate(all="ignore"):  # nothing over nothing, where a draw has no outcome
            hopeless = ~np.isfinite(spare.chance_probabilities).all(axis=1)
        stuck = np.flatnonzero(hopeless | (spare._ended > TRUNCATED))
        soundness.check_playable(spare.broken_invariants(), [(int(i), names[heads[i]]) for i in stuck], composition)

    def _identity(self) -> dict[str, Any]:
        record = self.program.snapshot_hash  # None in snapshots from before there were derived fields
        return {
            "scenario": self.scenario.name,
            "version": self.scenario.version,
            "layout": self.layout_hash,
            "record": None if record == self.program.record_hash else record,
            "table": digest([self._table.tobytes().hex()]),
            "games": self.num_games,
            "recorded": self.record,
        }

    def _twin(self, num_games: int) -> BatchEngine:
        """A new engine made with what this one was made with, but other games."""
        return BatchEngine(
            self.scenario,
            num_games,
            self.num_players,
            0,
            self.chance,
            self.overrides,
            self.board,
            self.reward,
            self.shaping,
            self.discount,
            self.record,
            min(self.threads, num_games),
            self.forced_moves,
            self.autoreset,
        )

    def clone(self, games: Any = None) -> BatchEngine:
        """A new engine with copies of all games, or of those in a boolean mask or list of indices."""
        where = arguments.indices_of(games, self.num_games)
        twin = self._twin(len(where))
        twin._records[:], twin.seeds[:] = self._records[where], self.seeds[where]
        twin._set_log(self._log[where].copy())
        twin._log_length[:] = self._log_length[where]
        twin._rewards[:], twin._shaping.points[:] = self._rewards[where], self._shaping.points[where]
        twin.refresh()
        return twin

    def imagine(
        self, games: Any = None, seats: Any = None, count: int = 1, seed: Any = 0, out: np.ndarray | None = None
    ) -> np.ndarray:
        """Worlds that seats cannot tell from the true games: what they do not see is dealt anew, as chance would.

        A seat knows what its observation says now; among the deals that agree with it, and with every card that the
        table has seen in a hand, each is as likely as any other. Each world has a random stream of its own.

        Args:
            games: a boolean mask or list of indices, as many times as you like; None for all, G games.
            seats: whose view, one seat or (G,); None for the seats to act.
            count: worlds of each game.
            seed: of the deals and the streams of the worlds: one for all, or (G * count,) uint64, one for each.
            out: where to write them, such as the `state` of another engine of the same kind; call its `refresh` then.

        Returns:
            (G * count,) records, those of the first game first.

        Raises:
            OptionError: games, seats, count, seeds or `out` do not fit.
            CatanError: no world was found; a rule module contradicts itself.
        """
        where = arguments.indices_of(games, self.num_games)
        arguments.check_count("count", count)
        viewers = arguments.seats_of(self._seats[where] if seats is None else seats, len(where), self.num_players)
        sources = np.repeat(where, count)
        if out is None:
            out = np.empty(len(sources), self._records.dtype)
        arguments.check_records(out, len(sources), self._records.dtype)
        failed = self.program.kernel(imagine.imagine)(
            as_records(out),
            self._tables_in,
            self._states_in,
            sources,
            np.repeat(viewers, count),
            streams(arguments.world_seeds(seed, len(sources))),
            np.zeros(self.program.longest_row, np.int64),
            0,
            len(sources),
        )
        if failed >= 0:
            raise CatanError(
                f"No world was found for game {sources[failed]} as one of its seats knows it: a rule module knows "
                "something of hidden cards that its @redeals functions do not keep to."
            )
        return out

    def __copy__(self) -> BatchEngine:
        return self.clone()

    def __deepcopy__(self, memo: dict) -> BatchEngine:
        return self.clone()

    @property
    def record(self) -> bool:
        """Whether replay logs are kept."""
        return self.batch.log.shape[1] > 0

    def log_entries(self, game: int) -> list[int]:
        """Return the moves of a game so far: ids of actions, and of outcomes plus the number of actions."""
        return self.batch.log[game, : self.batch.log_length[game]].tolist()

    def replay_log(self, game: int = 0) -> dict[str, Any]:
        """The whole game as `(kind, argument)` moves with chance outcomes, ready for JSON; see `catan_env.replay`.

        Raises:
            ReplayError: the engine was made without `record=True`.
        """
        if not self.record:
            raise ReplayError("This engine keeps no replay logs; make it with record=True.")
        arguments.check_game(game, self.num_games)
        return replay.write_log(self, game, self.log_entries(game))
