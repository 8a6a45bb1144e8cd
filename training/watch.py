"""Looking at games: `catan watch` plays agents against one another, `catan replay` opens a recorded game, `catan
picture` draws pictures of one."""

from __future__ import annotations

import argparse
import json
import sys
import webbrowser
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from catan_env.errors import OptionError, ReplayError
from training.config import key_value

if TYPE_CHECKING:
    from catan_env import BatchEngine

TOP = 10
LEAST = 0.0005
ASKED = 200


def add_commands(command: Callable[[str, Callable, str], argparse.ArgumentParser]) -> None:
    """Adds the commands to the parser of `catan`."""
    replay = command("replay", run_replay, "make a page of a recorded game and open it in the browser")
    replay.add_argument("file", metavar="FILE", help="JSON file of a replay log (engine.replay_log)")
    replay.add_argument(
        "--names", nargs="+", metavar="NAME", help="of the players, by seat (default: those in the file)"
    )
    add_page_options(replay, "FILE with the ending .html")

    watch = command("watch", run_watch, "play agents against one another and open a page of the game")
    add_players(watch)
    watch.add_argument("--seed", type=int, default=0)
    add_page_options(watch, "SCENARIO-seedN.html; the log goes beside it, as .json")

    picture = command("picture", run_picture, "draw pictures of games between agents")
    add_players(picture)
    picture.add_argument("folder", metavar="FOLDER", help="where the pictures go, such as docs/images")
    picture.add_argument("--seed", type=int, default=0)


def add_players(parser: argparse.ArgumentParser) -> None:
    """What is played, and by whom."""
    parser.add_argument(
        "--agents",
        nargs="+",
        default=["random"],
        metavar="AGENT",
        help="one for all seats, or one for each: names, or folders of checkpoints (default: random)",
    )
    parser.add_argument("--scenario", default="base", help="default: base")
    parser.add_argument("--players", type=int, help="default: the largest number the scenario allows")
    parser.add_argument("--rules", nargs="*", type=key_value, default=[], metavar="KEY=VALUE")


def add_page_options(parser: argparse.ArgumentParser, default: str) -> None:
    """Where the page goes."""
    parser.add_argument("--out", metavar="PAGE", help=f"default: {default}")
    parser.add_argument("--no-open", action="store_true", help="do not open the page")


# -- commands ----------------------------------------------------------------------------------------------


def run_replay(options: argparse.Namespace) -> int:
    """catan replay"""
    from catan_env.render import replay_page

    file = Path(options.file)
    page = replay_page(read_log(file), options.names)
    publish(page, Path(options.out) if options.out else file.with_suffix(".html"), not options.no_open)
    return 0


def run_watch(options: argparse.Namespace) -> int:
    """catan watch"""
    from catan_env.render import replay_page

    log = play(options.agents, options.scenario, options.players, options.seed, dict(options.rules))
    path = Path(options.out or f"{options.scenario}-seed{options.seed}.html")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.with_suffix(".json").write_text(json.dumps(log) + "\n", encoding="utf-8")
    publish(replay_page(log), path, not options.no_open)
    return 0


def run_picture(options: argparse.Namespace) -> int:
    """catan picture"""
    import catan_env
    from catan_env.render import draw

    folder = Path(options.folder)
    folder.mkdir(parents=True, exist_ok=True)

    def save(engine, name: str, **drawn: Any) -> None:
        for ending in (".svg", ".png"):
            path = draw(engine, names=names, **drawn).save(folder / f"{options.scenario}_{name}{ending}")
            print(path)

    log = play(options.agents, options.scenario, options.players, options.seed, dict(options.rules))
    names = log["players"]
    middle = middle_of(log)
    save(middle, "game")
    save(middle, "seat", viewer=max(int(middle.seat_to_act[0]), 0))
    save(catan_env.replay(log), "end")
    founding = next(engine for engine in catan_env.replay_steps(log) if engine.seat_to_act[0] >= 0)
    save(founding, "policy", probabilities=policy_of(options.agents[0], founding))
    return 0


# -- parts -------------------------------------------------------------------------------------------------


def read_log(file: Path) -> dict[str, Any]:
    """A replay log from a JSON file.

    Raises:
        ReplayError: it cannot be read, or is no JSON.
    """
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ReplayError(f"Cannot read {str(file)!r}: {error.strerror}.") from None
    except ValueError as error:
        raise ReplayError(f"{str(file)!r} is no replay log: {error}.") from None


def play(
    agents: Sequence[str], scenario: str, players: int | None, seed: int, rules: Mapping[str, Any]
) -> dict[str, Any]:
    """The log of one game between agents, with their names and, of those that tell them, their probabilities.

    An agent tells them by a method `probabilities(engine, games)` that returns (n, actions).

    Raises:
        CatanError: no such scenario, player count, rule or agent.
    """
    from agents import make_agent
    from catan_env import BatchEngine
    from catan_env.engine.replay import annotated

    engine = BatchEngine(scenario, 1, players, seed=seed, rules=rules, record=True)
    if len(agents) not in (1, engine.num_players):
        raise OptionError(f"{len(agents)} agents for {engine.num_players} seats; give one, or one for each seat.")
    names = list(agents) * (engine.num_players if len(agents) == 1 else 1)
    players_ = [make_agent(name) for name in names]
    for k, agent in enumerate(players_):
        agent.reset(seed + k)
    policies, game = [], np.zeros(1, np.int64)
    while engine.seat_to_act[0] >= 0:
        agent = players_[engine.seat_to_act[0]]
        policies.append(_top(agent.probabilities(engine, game)[0]) if hasattr(agent, "probabilities") else None)
        engine.step(agent.act(engine, game))
    log = engine.replay_log()
    told = iter(policies)
    by_move = [next(told) if len(move) == 2 else None for move in log["moves"]]
    notes = {"players": [Path(name).name for name in names]}
    return annotated(log, **notes, **({"probabilities": by_move} if any(policies) else {}))


def _top(probabilities: np.ndarray) -> list[list]:
    order = np.argsort(-probabilities, kind="stable")[:TOP]
    return [[int(k), round(float(probabilities[k]), 4)] for k in order if probabilities[k] >= LEAST]


def publish(page: str, path: Path, opened: bool) -> None:
    """Writes a page and opens it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(page, encoding="utf-8")
    print(path)
    if opened and not webbrowser.open(path.resolve().as_uri()):
        print("No browser was found; open the page by hand.", file=sys.stderr)


def policy_of(name: str, engine: BatchEngine) -> np.ndarray:
    """(actions,) probabilities of an agent in the first game: as it tells them, else how often it chooses what."""
    from agents import make_agent

    agent, game = make_agent(name), np.zeros(1, np.int64)
    if hasattr(agent, "probabilities"):
        return agent.probabilities(engine, game)[0]
    chosen = np.zeros(engine.actions.n)
    for seed in range(ASKED):
        agent.reset(seed)
        chosen[agent.act(engine, game)] += 1
    return chosen / ASKED


def middle_of(log: Mapping[str, Any]) -> BatchEngine:
    """An engine at two thirds of a recorded game, where somebody may do several things; else at its end."""
    import catan_env

    for number, engine in enumerate(catan_env.replay_steps(log)):
        if number > 2 * len(log["moves"]) // 3 and engine.action_mask[0].sum() >= 3:
            return engine
    return catan_env.replay(log)
