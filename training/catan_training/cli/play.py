"""The `catan play` command."""

from __future__ import annotations

import argparse
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Any

from catan_training.cli.options import SCENARIO, add_rules, scenario
from catan_training.cli.options import agent as agent_option

if TYPE_CHECKING:
    from catan_training.play.game import GameSettings
    from catan_training.play.seats import Sitter
    from catan_training.play.store import Store

SUMMARY = "play with people and agents in the browser"
PORT = 8642


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument(
        "scenario",
        nargs="?",
        type=scenario,
        metavar="SCENARIO",
        help=f"{SCENARIO} (default: choose on the page)",
    )
    parser.add_argument(
        "--agents",
        nargs="+",
        type=named_agent,
        default=[],
        metavar="AGENT",
        help="agents NAME or NAME:KEY=VALUE,...: one for all seats without a person, or one for each of these "
        "(default: best)",
    )
    parser.add_argument(
        "--people", nargs="+", metavar="NAME", help="people, who take the first seats (default: one person)"
    )
    parser.add_argument("--watch", action="store_true", help="let agents take all seats")
    parser.add_argument("--players", type=int, help="number of players (default: the maximum of the scenario)")
    add_rules(parser)
    parser.add_argument("--board", metavar="NAME", help="name or file of a board (default: that of the scenario)")
    parser.add_argument("--seed", type=int, help="seed of board, dice and agents (default: a random one)")
    parser.add_argument(
        "--pace", type=float, default=0.7, metavar="SECONDS", help="seconds between moves of agents (default: 0.7)"
    )
    parser.add_argument(
        "--games",
        type=Path,
        default=Path.home() / ".catan-env" / "games.sqlite",
        metavar="FILE",
        help="database of games (default: ~/.catan-env/games.sqlite)",
    )
    parser.add_argument(
        "--host", default="127.0.0.1", help="address to listen on; 0.0.0.0 for the local network (default: 127.0.0.1)"
    )
    parser.add_argument("--port", type=int, default=PORT, help=f"port to listen on; 0 for a free one (default: {PORT})")
    parser.add_argument("--results", action="store_true", help="print ratings of people and agents, and stop")
    parser.add_argument(
        "--export",
        type=Path,
        metavar="DIR",
        help="write the replay logs of all finished games to a folder, and stop (default: serve games)",
    )
    parser.add_argument(
        "--dataset",
        type=Path,
        metavar="DIR",
        help="write all finished games as datasets to a folder, and stop (default: serve games)",
    )
    parser.add_argument("--no-open", action="store_true", help="do not open the page in the browser")


def run(options: argparse.Namespace) -> int:
    """Start the server and open the host's page or the new game's page."""
    from catan_training.play.lobby import Lobby
    from catan_training.play.running import serve
    from catan_training.play.store import Store

    if options.results or options.export or options.dataset:
        return report(Store(options.games), options.results, options.export, options.dataset)
    named_scenarios = [options.scenario] if options.scenario else []
    lobby = Lobby(Store(options.games), options.pace, named_scenarios, [name for name, _ in options.agents])
    page = f"/host/{lobby.store.host_key}"
    if options.scenario:
        settings, sitters = new_game(options)
        links = lobby.store.links(lobby.create(settings, sitters))
        page = f"/seat/{links[min(links, key=lambda seat: (seat < 0, seat))]}"
    return serve(lobby, options.host, options.port, page, not options.no_open)


def report(store: Store, results: bool, folder: Path | None, datasets: Path | None) -> int:
    """Print ratings and write replay logs and datasets."""
    from catan_training.datasets.recorded import write_recorded
    from catan_training.json_files import write_json
    from catan_training.play.results import by_scenario, recorded
    from catan_training.tables import print_table

    if results:
        groups = by_scenario(store.games())
        for (name, players), games in groups.items():
            print_table(games.rows(), f"{name}, {players} players, {games.paired_seeds} games")
        if not groups:
            print("No game is finished yet.")
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        for game in store.games():
            log = store.log(game.id)
            if log is not None:
                write_json(folder / f"{game.id}.json", log)
                print(folder / f"{game.id}.json")
    if datasets is not None:
        for dataset in write_recorded(datasets, recorded(store)):
            print(f"{dataset.folder}: {dataset.games_done:,} games, {dataset.rows:,} decisions")
    return 0


def new_game(options: argparse.Namespace) -> tuple[GameSettings, list[Sitter]]:
    """Return the game described by the command line.

    Raises:
        CatanError: the scenario, number of players or agents are invalid or incompatible.
    """
    import catan_env
    from catan_env.errors import OptionError
    from catan_training.play.game import GameSettings
    from catan_training.play.seats import BEST, agent, person

    found = catan_env.find_scenario(options.scenario)
    players = found.check_players(options.players)
    people = [] if options.watch else options.people or ["you"]
    free_seats = players - len(people)
    if free_seats < 0:
        raise OptionError(f"{len(people)} people for {players} seats; name at most {players}.")
    agents = options.agents or [(BEST, {})]
    if len(agents) not in (1, free_seats):
        raise OptionError(f"{len(agents)} agents for {free_seats} seats without a person; give one, or one for each.")
    sitters = [person(name, seat) for seat, name in enumerate(people)]
    sitters += [agent(*given) for given in (agents * free_seats if len(agents) == 1 else agents)]
    seed = options.seed if options.seed is not None else secrets.randbits(63)
    settings = GameSettings(options.scenario, players, seed, dict(options.rules), options.board)
    return settings, sitters


def named_agent(text: str) -> tuple[str, dict[str, Any]]:
    """Parse `NAME` or `NAME:KEY=VALUE,...` into a name and options."""
    found = agent_option(text)
    if isinstance(found, str):
        return found, {}
    return found.pop("agent"), {key: value for key, value in found.items() if key != "label"}
