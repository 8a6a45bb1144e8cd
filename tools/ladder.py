"""The ladder: for every scenario, a tournament between the bundled agents.

Each tournament has its own journal, so an interrupted run can be resumed. Results are recorded as measurements;
`tools.pages.ladder` generates the ladder page from them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any

from catan_agents.bundled import CHECKPOINT_FILE, PRETRAINED, VALUE_FILE, WEIGHTS_FILE
from catan_agents.evaluation import terms_of
from catan_agents.registry import make_agent, pretrained_for, pretrained_names
from catan_agents.search import ExpectimaxAgent, weights_for
from catan_agents.search.value_network import load_value_network
from catan_env.engine.batch import BatchEngine
from catan_env.engine.program import program_of
from catan_env.engine.registry import find_scenario
from catan_env.errors import OptionError
from catan_env.text_files import read_json
from catan_training.benchmarks.bench import NO_TRADE
from catan_training.evaluation import published
from catan_training.evaluation.fixtures import Fixtures
from catan_training.evaluation.tournaments import Tell, run_tournament
from catan_training.evaluation.workers import Workers
from catan_training.json_files import write_json
from tools.measurements import read

PART = "ladder"
"""Name of the results for the maximum number of players and default rules. The names of other results begin with it."""
ROSTER = ("random", "weighted", "heuristic", "greedy", "expectimax")
"""Agents that play every scenario."""
DIGESTS = "digests"
"""Key of the digests of what agents play with in recorded results, and stem of the file beside a journal."""


def entrants(scenario: str, players: int | None = None) -> list[str]:
    """Return the agents for a scenario: the roster, plus any agents trained on it for this number of players.

    `players` defaults to the maximum.
    """
    return [*ROSTER, *pretrained_for(scenario, players or find_scenario(scenario).players[-1])]


def fixtures_of(
    scenario: str, paired_seeds: int, players: int | None = None, rules: Mapping[str, Any] | None = None
) -> Fixtures:
    """Return the tournament for a scenario.

    It covers all lineups of different agents and plays each seed in every rotation of the seats. Trade offers are off.

    Args:
        scenario: the scenario's name.
        paired_seeds: number of seeds.
        players: number of players; None for the scenario's maximum.
        rules: rule numbers to override.

    Raises:
        CatanError: the scenario does not exist or does not support this number of players or these rules, or
            `paired_seeds` is less than 1.
    """
    no_trade = {key: value for key, value in NO_TRADE.items() if key in _numbers(scenario)}
    if players == find_scenario(scenario).players[-1]:
        players = None  # the same tournament, recorded under the same name
    draft = Fixtures.read(
        {
            "agents": entrants(scenario, players),
            "scenarios": [scenario],
            "players": [players] if players else [],
            "orders": "rotations",
            "rules": {**no_trade, **(rules or {})},
            "games": paired_seeds,
        }
    )
    games_of_a_seed = len(draft.tables[0].seating)
    return replace(draft, games=paired_seeds * games_of_a_seed, batch=max(games_of_a_seed, draft.batch))


def _numbers(scenario: str) -> Any:
    return program_of(find_scenario(scenario)).composition.numbers


def further_rules(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the rule numbers overridden by a tournament's settings, except those that turn off trade offers."""
    return {key: value for key, value in settings["rules"].items() if NO_TRADE.get(key) != value}


def part_of(fixtures: Fixtures) -> str:
    """Return the name under which a tournament's results are recorded: `PART` for the default game."""
    settings = fixtures.to_dict()
    changes = [*settings["players"], *(f"{key}={value}" for key, value in further_rules(settings).items())]
    return " ".join(map(str, [PART, *changes]))


def digests_of(fixtures: Fixtures) -> dict[str, str]:
    """Return digests of the networks and evaluation weights with which agents play a tournament, keyed by agent."""
    (table,) = fixtures.tables
    scenario = find_scenario(*fixtures.scenarios)
    terms = terms_of(program_of(scenario).composition)
    digests = {}
    for agent in (entrant.agent for entrant in fixtures.agents):
        if agent in pretrained_names():
            content = _networks_in(PRETRAINED / agent, fixtures)
        elif isinstance(searcher := make_agent(agent), ExpectimaxAgent):
            content = weights_for(terms, scenario.name, table.num_players, depth=searcher.depth).tobytes()
        else:
            continue
        digests[agent] = sha256(content).hexdigest()[:16]
    return digests


def _networks_in(folder: Path, fixtures: Fixtures) -> bytes:
    """Return the contents of an agent's files or, if they hold several networks, the one for the game."""
    if (folder / VALUE_FILE).is_file() and (network := load_value_network(folder / VALUE_FILE)).others:
        (scenario,), (table,) = fixtures.scenarios, fixtures.tables
        engine = BatchEngine(scenario, 1, table.num_players, rules=fixtures.rules)
        return network.agent.encode() + network.row_for(engine).tobytes()
    files = (folder / name for name in (CHECKPOINT_FILE, WEIGHTS_FILE, VALUE_FILE))
    return b"".join(file.read_bytes() for file in files if file.is_file())


def is_kept(file: Path, fixtures: Fixtures, again: bool = False) -> bool:
    """Return whether a measurements file has current results for the given fixtures from at least as many games.

    Results are current if the scenario has the same version and agents play with the same weights and networks. Results
    that do not say with which ones count as current, unless `again` is set.
    """
    (scenario,) = fixtures.scenarios
    kept = read(file).get(scenario, {}).get(part_of(fixtures), {}).get("figures")
    return (
        kept is not None
        and current(kept)
        and kept["games"] >= fixtures.games
        and kept["settings"] | {"games": 0} == fixtures.to_dict() | {"games": 0}
        and (kept[DIGESTS] == digests_of(fixtures) if DIGESTS in kept else not again)
    )


def current(said: dict[str, Any]) -> bool:
    """Return whether recorded results are from the current version of the scenario."""
    return said["version"] == find_scenario(said["scenario"]).version


def climb(
    fixtures: Fixtures,
    folder: Path,
    workers: Workers = None,
    tell: Tell = lambda tables: None,
    again: bool = False,
) -> Any:
    """Run or resume the tournament for a scenario, and return its settings, digests and standings.

    A folder with games of agents that played with other weights is renamed, and the tournament starts over.

    Args:
        fixtures: the tournament.
        folder: folder of the journal.
        workers: see `run_tournament`.
        tell: see `run_tournament`.
        again: start over, too, if the folder does not say with which weights agents played.

    Raises:
        CatanError: the folder holds a different tournament.
    """
    digests, note = digests_of(fixtures), folder / f"{DIGESTS}.json"
    known = read_json(note, "digests", OptionError) if note.exists() else None if again else digests
    if folder.exists() and known != digests:
        names = (folder.with_name(f"{folder.name}.{number}") for number in count(1))
        folder.rename(next(name for name in names if not name.exists()))
    write_json(note, digests)
    (standings,) = published.results(run_tournament(fixtures, folder, workers, tell))
    return {"settings": fixtures.to_dict(), DIGESTS: digests, **standings}
