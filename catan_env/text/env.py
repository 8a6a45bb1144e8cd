"""`TextEnv`: a game for players that read and write sentences, with interfaces for Gymnasium and TextArena."""

from __future__ import annotations

from typing import Any

import numpy as np

from catan_env.engine.arguments import check_count, check_option
from catan_env.engine.batch import BatchEngine
from catan_env.engine.decision_stack import NO_SEAT_TO_ACT
from catan_env.engine.random import check_seed
from catan_env.errors import GameOverError, IllegalActionError, NotStartedError, OptionError
from catan_env.text.observation import legal_actions, parse_action, prompt
from catan_env.text.rules_page import rules_text

FORMS = ("text", "json")


class TextEnv:
    """One game as text, for all seats. Forced actions are played automatically, so every request offers a real choice.

    The interface follows TextArena: `reset(num_players, seed)`, `get_observation()`, `step(text)`, `close()`. After an
    illegal reply, the game is unchanged and the player is asked again; after `tries` consecutive illegal replies, a
    random legal action is played instead.

    Args:
        scenario: registered name, or path of a scenario file.
        rules: overrides for rule numbers, keyed by name.
        form: observation format, "text" or "json".
        with_rules: whether each seat's first observation begins with the scenario's rules.
        tries: number of consecutive illegal replies before a random action is played.

    Attributes:
        engine: the `BatchEngine` that runs the game and keeps a replay log.
        illegal: number of illegal replies by each seat.

    Raises:
        CatanError: an argument is invalid.
    """

    def __init__(
        self,
        scenario: str = "base",
        rules: dict[str, Any] | None = None,
        form: str = "text",
        with_rules: bool = True,
        tries: int = 3,
    ):
        check_option("form", form, FORMS)
        check_count("tries", tries)
        self.scenario, self.rules, self.form = scenario, rules, form
        self.with_rules, self.tries = with_rules, tries
        self.engine: BatchEngine
        self.illegal: list[int] = []

    def reset(self, num_players: int | None = None, seed: int | None = None) -> tuple[str, dict[str, Any]]:
        """Start a game; return the observation of the seat to act, and the info described in `step`.

        Raises:
            CatanError: the number of players or the seed is invalid.
        """
        seed = int(np.random.default_rng().integers(2**63)) if seed is None else check_seed(seed)
        self.engine = BatchEngine(
            self.scenario, 1, num_players, seed=seed, rules=self.rules, record=True, forced_moves="play"
        )
        players = self.engine.num_players
        self._rng, self._failed = np.random.default_rng(seed), 0
        self.illegal, self._introduced = [0] * players, [not self.with_rules] * players
        return self.get_observation()[1], self._info()

    def get_observation(self) -> tuple[int, str]:
        """Return the seat to act, or -1 at the end, and its text: first the rules, then the position and legal actions.

        Raises:
            NotStartedError: the environment has not been reset.
        """
        seat = self._seat()
        if seat == NO_SEAT_TO_ACT:
            return -1, "The game is over."
        text = f"You are seat {seat}.\n{prompt(self.engine, 0, self.form)}"
        if not self._introduced[seat]:
            text = f"{rules_text(self.scenario, self.engine.num_players)}\n{text}"
            self._introduced[seat] = True
        return seat, text

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        """Play the action named in a reply; return whether the game is over, and the info.

        Info: `seat`, the seat to act, or -1 at the end; `legal`, ids and sentences of legal actions; `illegal`, whether
        the reply was illegal; `error`, the reason or ""; `action`, the id of the action played, or None.

        Raises:
            NotStartedError: the environment has not been reset.
            GameOverError: the game is over.
            OptionError: the reply is not a string.
        """
        seat = self._seat()
        if seat == NO_SEAT_TO_ACT:
            raise GameOverError("The game is over; call reset.")
        if not isinstance(action, str):
            raise OptionError(f"action is {action!r}; it must be a text: the id or the sentence of a legal action.")
        error, played = "", None
        try:
            played = parse_action(self.engine, 0, action)
        except IllegalActionError as refusal:
            error = str(refusal)
            self.illegal[seat] += 1
            self._failed += 1
            if self._failed >= self.tries:
                played = int(self._rng.choice(np.flatnonzero(self.engine.action_mask[0])))
        if played is not None:
            self._failed = 0
            self.engine.step(np.array([played]))
        info = {**self._info(), "illegal": bool(error), "error": error, "action": played}
        return self._seat() == NO_SEAT_TO_ACT, info

    def close(self) -> tuple[dict[int, float], dict[int, dict[str, Any]]]:
        """Return each seat's reward (+1 for a winner, -1 otherwise, 0 before the end), and facts about each seat.

        Raises:
            NotStartedError: the environment has not been reset.
        """
        over, points = self._seat() == NO_SEAT_TO_ACT, self.engine.victory_points[0]
        won = self.engine.winners[0]
        rewards = {seat: float(won[seat] * 2 - 1) if over else 0.0 for seat in range(self.engine.num_players)}
        facts = {
            seat: {"victory_points": int(points[seat]), "won": bool(won[seat]), "illegal": self.illegal[seat]}
            for seat in rewards
        }
        return rewards, facts

    def _seat(self) -> int:
        if not hasattr(self, "engine"):
            raise NotStartedError("The environment has no game yet; call reset.")
        return int(self.engine.seat_to_act[0])

    def _info(self) -> dict[str, Any]:
        seat = self._seat()
        over = seat == NO_SEAT_TO_ACT
        return {"seat": -1 if over else seat, "legal": [] if over else legal_actions(self.engine), "action": None}
