"""Single games played by agents or read from a file, and the pages that show them."""

from __future__ import annotations

import sys
import webbrowser
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from catan_agents.human import HumanAgent
from catan_env.errors import ReplayError
from catan_env.text_files import read_json
from catan_env.whole_files import write_whole

if TYPE_CHECKING:
    from catan_env import BatchEngine

TOP = 10
LEAST = 0.0005
ASKED = 200


def read_log(file: Path) -> dict[str, Any]:
    """Read a replay log from a JSON file.

    Raises:
        ReplayError: the file cannot be read or is not valid JSON.
    """
    if file.suffix.lower() in (".catan", ".soclog"):
        raise ReplayError(
            f"{file} is a game of another program, not a replay log. Run `catan import {file}`, and give the log that "
            "it writes."
        )
    return read_json(file, "replay log", ReplayError)


class SingleGame:
    """A game played by agents, with a log of the moves so far.

    Agents can report action probabilities through a method `probabilities(engine, games)`, which returns an array of
    shape (n, actions).

    Args:
        agents: agents, in any form that `Entrant.read` accepts; the last agent takes all remaining seats.
        scenario, players, rules: the game to play; if `players` is None, the maximum number is used.
        seed: seed for the board, dice and agents.

    Raises:
        CatanError: a scenario, number of players, rule or agent is unknown or invalid.
    """

    def __init__(
        self, agents: Sequence[Any], scenario: str, players: int | None, seed: int, rules: Mapping[str, Any]
    ) -> None:
        from catan_env import BatchEngine
        from catan_training.evaluation.fixtures import Entrant, seated
        from catan_training.evaluation.paired_seeds import make_player

        self.engine = BatchEngine(scenario, 1, players, seed=seed, rules=rules, record=True, compiled="auto")
        entrants = seated([Entrant.read(agent) for agent in agents], self.engine.num_players)
        self._names = [Path(entrant.label).name for entrant in entrants]
        self._agents = [make_player(entrant) for entrant in entrants]
        for k, agent in enumerate(self._agents):
            agent.reset(seed + k)
        self._policies: list[list | None] = []

    @property
    def asks(self) -> bool:
        """Whether a person at the terminal plays in this game."""
        return any(isinstance(agent, HumanAgent) for agent in self._agents)

    def run(self) -> None:
        """Play the game to completion.

        Raises:
            CatanError: an agent fails or leaves.
        """
        for _ in self.steps():
            pass

    def steps(self) -> Iterator[None]:
        """Play the game to completion, pausing after each action.

        Raises:
            CatanError: an agent fails or leaves.
        """
        engine, game = self.engine, np.zeros(1, np.int64)
        while engine.seat_to_act[0] >= 0:
            agent = self._agents[engine.seat_to_act[0]]
            policy = _top(agent.probabilities(engine, game)[0]) if hasattr(agent, "probabilities") else None
            engine.step(agent.act(engine, game))
            self._policies.append(policy)
            yield

    def result(self) -> str:
        """Return a one-line description of how the game ended, or a note that it did not end."""
        from catan_env.render.page import result_of

        return f"The game was {result_of(self.engine, self._names)}."

    def log(self) -> dict[str, Any]:
        """Return the replay log so far, including agent names and any action probabilities that agents reported."""
        from catan_env.engine.replay import annotated

        log = self.engine.replay_log()
        policies = iter(self._policies)
        by_move = [next(policies) if len(move) == 2 else None for move in log["moves"]]
        notes = {"players": self._names}
        return annotated(log, **notes, **({"probabilities": by_move} if any(self._policies) else {}))


def play(
    agents: Sequence[Any], scenario: str, players: int | None, seed: int, rules: Mapping[str, Any]
) -> dict[str, Any]:
    """Play a single game and return its log; see `SingleGame`.

    Raises:
        CatanError: a scenario, number of players, rule or agent is unknown or invalid.
    """
    game = SingleGame(agents, scenario, players, seed, rules)
    game.run()
    return game.log()


def _top(probabilities: np.ndarray) -> list[list]:
    order = np.argsort(-probabilities, kind="stable")[:TOP]
    return [[int(k), round(float(probabilities[k]), 4)] for k in order if probabilities[k] >= LEAST]


def publish(page: str, path: Path, opened: bool) -> None:
    """Write a page, print its path and, if `opened`, open it in the browser."""
    write_whole(path, page)
    print(path)
    if opened and not webbrowser.open(path.resolve().as_uri()):
        print("No browser was found. Open the file yourself.", file=sys.stderr)


def policy_of(given: Any, engine: BatchEngine) -> np.ndarray:
    """Return an agent's action probabilities in the first game, shape (actions,).

    If the agent has no `probabilities` method, they are estimated from its choices under different seeds.
    """
    from catan_training.evaluation.fixtures import Entrant
    from catan_training.evaluation.paired_seeds import make_player

    agent, game = make_player(Entrant.read(given)), np.zeros(1, np.int64)
    if hasattr(agent, "probabilities"):
        return agent.probabilities(engine, game)[0]
    choice_counts = np.zeros(engine.actions.n)
    for seed in range(ASKED):
        agent.reset(seed)
        choice_counts[agent.act(engine, game)] += 1
    return choice_counts / ASKED


def middle_of(log: Mapping[str, Any]) -> BatchEngine:
    """Replay two thirds of a recorded game and stop at the next decision with at least three legal actions.

    If there is no such decision, the returned engine is at the end of the game.
    """
    import catan_env

    for step, engine in enumerate(catan_env.replay_steps(log)):
        if step > 2 * len(log["moves"]) // 3 and engine.action_mask[0].sum() >= 3:
            return engine
    return catan_env.replay(log)
