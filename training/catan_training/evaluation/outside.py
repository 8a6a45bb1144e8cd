"""Matches at another engine's table or ours, played one game at a time, with each seed played from every seat.

A match is stored in a folder: its settings, a journal with a line per game, and every game's log in both formats. A
stopped match can be resumed from its folder.
"""

from __future__ import annotations

import dataclasses
import datetime
import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from catan_agents import make_agent
from catan_env.engine.random import game_seeds
from catan_env.errors import CatanError, OptionError
from catan_env.text_files import check_keys, read_json
from catan_training.evaluation.fixtures import Entrant
from catan_training.evaluation.intervals import wilson_interval
from catan_training.evaluation.journal import LINES, SETTINGS, Lines
from catan_training.evaluation.outside_tables import HERE, TABLES
from catan_training.evaluation.statistics import SHARE, ratios
from catan_training.json_files import write_json
from catan_training.machine import machine, versions

PACKAGES = ("catan-env", "numpy", "numba", "torch", "networkx")
GAMES = "games"


@dataclass(frozen=True)
class Match:
    """A match's settings.

    Attributes:
        agent: our agent, in the format of `Entrant.to_dict`.
        opponent: the player in all other seats, either one of the other engine's, such as "value", or one of our
            agents.
        opponent_options: the opponent's options.
        table: where the match is played, as a key of `TABLES`.
        players: number of players.
        games: number of games. Each seed is played once from every seat.
        seed: seed for the match.
        points: victory points needed to win.
        hand_limit: number of cards a player may hold when a 7 is rolled.
        friendly_robber: whether the robber spares players with at most two points.
    """

    agent: Mapping[str, Any]
    opponent: str
    opponent_options: Mapping[str, Any] = field(default_factory=dict)
    table: str = "catanatron"
    players: int = 2
    games: int = 100
    seed: int = 0
    points: int = 10
    hand_limit: int = 7
    friendly_robber: bool = False

    def __post_init__(self) -> None:
        if self.table not in TABLES:
            raise OptionError(f"table is {self.table!r}; allowed are {', '.join(TABLES)}.")
        TABLES[self.table].check(self)
        for name, value, allowed in (
            ("players", self.players, TABLES[self.table].players),
            ("games", self.games, range(1, 10**7)),
            ("points", self.points, range(3, 30)),
            ("hand_limit", self.hand_limit, range(2, 96)),
        ):
            if value not in allowed:
                raise OptionError(f"{name} is {value!r}; allowed are {allowed[0]} to {allowed[-1]}.")

    @property
    def label(self) -> str:
        """Name of our agent in result tables."""
        return str(self.agent.get("label", self.agent["agent"]))

    @property
    def opponent_label(self) -> str:
        """Name of the opponent in result tables."""
        options = ", ".join(f"{key} {value}" for key, value in self.opponent_options.items())
        name = self.opponent if self.table == HERE else f"{self.table} {self.opponent}"
        return name + (f" ({options})" if options else "")


@dataclass(frozen=True)
class GameResult:
    """The result of one game in a match."""

    game: int
    seat: int
    """Our agent's seat."""
    seed: int
    winner: int
    points: list[int]
    turns: int
    seconds: float
    agent_seconds: float
    agent_decisions: int
    differences: dict[str, int]
    is_exact: bool
    """Whether our log covers the whole game."""


def play_match(
    match: Match, folder: str | Path, tell: Callable[[list[GameResult]], None] = lambda games: None
) -> list[GameResult]:
    """Play or resume a match and return its games.

    Args:
        match: the settings. A match already in the folder must have the same settings, except for the number of games.
        folder: where the settings, journal and logs are stored.
        tell: called after each game with all games so far.

    Raises:
        OptionError: the folder contains a different match, or another process is playing this one.
        CatanError: an agent or player is unknown, or the folder is corrupt.
    """
    folder = Path(folder)
    lines = Lines(folder / LINES, "match")
    _claim(match, folder)
    games = read_games(folder, lines)
    lines.open()
    try:
        tell(games)
        for number in range(len(games), match.games):
            game = play_one(match, number, folder)
            lines.add(_to_line(game))
            games.append(game)
            tell(games)
    finally:
        lines.close()
    return games


def play_one(match: Match, number: int, folder: Path | None = None) -> GameResult:
    """Play game `number` of a match and write its logs to the folder."""
    paired_seed, seat = divmod(number, match.players)
    seed = int(game_seeds(match.seed, paired_seed + 1)[paired_seed])
    entrant = Entrant.read(dict(match.agent))
    agent = make_agent(entrant.agent, **entrant.options)
    played = TABLES[match.table].play(match, agent, seat, seed)
    if folder is not None:
        name = f"{number:06d}"
        write_json(folder / GAMES / f"{name}.catan_env.json", played.log)
        if match.table != HERE:
            write_json(folder / GAMES / f"{name}.{match.table}.json", {"seed": seed, "actions": played.actions})
    return GameResult(
        number,
        seat,
        seed,
        played.winner,
        played.points,
        played.turns,
        round(played.seconds, 3),
        round(played.seconds_by_seat[seat], 3),
        played.decisions_by_seat[seat],
        played.differences,
        bool(played.log["is_exact"]),
    )


def read_match(folder: str | Path) -> tuple[Match, dict[str, Any]]:
    """Return the settings of the match in a folder, and notes on when and where it began.

    Raises:
        CatanError: the folder contains no match or a corrupt one.
    """
    path = Path(folder) / SETTINGS
    if not path.exists():
        raise OptionError(f"{folder} holds no match. Start one with --agent and --opponents.")
    stored = read_json(path, "match", CatanError)
    check_keys(stored, str(path), CatanError, match=dict, notes=dict)
    names = {item.name for item in dataclasses.fields(Match)}
    if set(stored["match"]) != names:
        raise CatanError(f"{path}: a match has the settings {', '.join(sorted(names))}. Start it in another folder.")
    return Match(**stored["match"]), stored["notes"]


def read_games(folder: str | Path, lines: Lines | None = None) -> list[GameResult]:
    """Return the finished games of the match in a folder.

    Raises:
        CatanError: a journal line is corrupt.
    """
    games: list[GameResult] = []
    for name, line in (lines or Lines(Path(folder) / LINES, "match")).read_json():
        if set(line) != {item.name for item in dataclasses.fields(GameResult)} or line["game"] != len(games):
            raise CatanError(f"{name}: this is not game {len(games)} of a match. Remove the line and what follows it.")
        games.append(GameResult(**line))
    return games


def summary(match: Match, games: list[GameResult]) -> dict[str, Any]:
    """Return the statistics of a match as a JSON-serializable mapping.

    `interval` is Wilson's 95% interval for the win rate, which treats games as independent. `paired_interval` is
    computed over paired seeds, as games from the same paired seed share the board and all chance.
    """
    whole = games[: len(games) // match.players * match.players]
    won = np.array([game.winner == game.seat for game in games], float)
    paired = won[: len(whole)].reshape(-1, match.players)
    estimate = ratios(["win_rate"], paired.sum(1, keepdims=True), np.full((len(paired), 1), match.players), SHARE)
    differences: Counter[str] = Counter()
    for game in games:
        differences.update(game.differences)
    decisions = sum(game.agent_decisions for game in games)
    return {
        "agent": match.label,
        "opponent": match.opponent_label,
        "opponent_sees": TABLES[match.table].sees(match.opponent),
        "players": match.players,
        "settings": asdict(match) | {"games": len(games)},
        "games": len(games),
        "wins": int(won.sum()),
        "unfinished": sum(game.winner < 0 for game in games),
        "win_rate": float(won.mean()) if games else 0.0,
        "interval": list(wilson_interval(int(won.sum()), len(games))),
        "paired_interval": estimate.intervals()[0].tolist() if len(paired) > 1 else [0.0, 1.0],
        "wins_by_seat": [int(sum(g.winner == g.seat == seat for g in games)) for seat in range(match.players)],
        "mean_points": _mean([game.points[game.seat] for game in games]),
        "mean_opponent_points": _mean(
            [(sum(game.points) - game.points[game.seat]) / (match.players - 1) for game in games]
        ),
        "mean_turns": _mean([game.turns for game in games]),
        "agent_ms": 1000 * sum(game.agent_seconds for game in games) / max(decisions, 1),
        "inexact": sum(not game.is_exact for game in games),
        "differences": dict(differences.most_common()),
    }


def _mean(values: list[Any]) -> float:
    return float(np.mean(values)) if values else 0.0


def notes(table: str) -> dict[str, Any]:
    """Return the date, machine and versions to record for a match that begins now at the given table."""
    return {
        "written": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "machine": machine(),
        "versions": versions(*PACKAGES) | {table: TABLES[table].release()},
    }


def _claim(match: Match, folder: Path) -> None:
    """Write a new match's settings, or check that the folder contains the same match."""
    path, wanted = folder / SETTINGS, asdict(match)
    if path.exists():
        stored, began = read_match(folder)
        different = [key for key, value in asdict(stored).items() if key != "games" and value != wanted[key]]
        if different:
            raise OptionError(f"{folder} holds a match with different {', '.join(different)}. Choose another folder.")
        release, before = TABLES[match.table].release(), began["versions"].get(match.table)
        if before != release:
            raise OptionError(
                f"{folder} holds a match with {match.table} {before}, and {release} is in use; give another folder."
            )
    else:
        began = notes(match.table)
    write_json(path, {"match": wanted, "notes": began})


def _to_line(game: GameResult) -> str:
    return json.dumps(asdict(game), separators=(",", ":"))
