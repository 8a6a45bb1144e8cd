"""Reports on analysed games: a page for a single game, tables for many games, and the accuracy of the forecast."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from catan_env.errors import CatanError, OptionError
from catan_env.render.page import Marked, replay_page
from catan_training.analysis.games import Analysis, Costly, analyse
from catan_training.datasets.dataset import ABOUT, Dataset
from catan_training.evaluation.single_games import read_log
from catan_training.evaluation.workers import Workers, play_jobs
from catan_training.tables import percent

LISTED = 20
"""Number of costly moves to show on a page."""
SIGNS = ((0.15, "??"), (0.10, "?"), (0.05, "?!"))
"""The annotation symbols for blunders, mistakes and inaccuracies, with the minimum cost of each."""
STAGES = 4
"""Number of equal parts into which the turns of a game are divided to evaluate the forecast."""
LEAST = 1e-6
"""Lower bound on probabilities in a log loss."""


def page(log: Mapping[str, Any], analysis: Analysis, names: Sequence[str] | None = None) -> str:
    """Return the replay page of an analysed game, including win probabilities, costly moves and luck."""
    marked = {
        "Moves that cost most": [
            Marked(move.frame, _sentence(move), move.seat, sign_of(move.cost), tuple(one.action for one in move.better))
            for move in analysis.costly[:LISTED]
        ],
        "Luck and costs": [Marked(0, line) for line in summary(analysis)],
    }
    return replay_page(log, names, {f"Chance to win ({analysis.forecast})": analysis.chances}, marked)


def sign_of(cost: float) -> str:
    """Return the annotation symbol for a move with this cost: "??", "?", "?!", or "" if the cost is small."""
    return next((sign for least, sign in SIGNS if cost >= least), "")


def _sentence(move: Costly) -> str:
    better = "; ".join(f"{one.text} (+{percent(one.gain)})" for one in move.better)
    return f"Turn {move.turn}, seat {move.seat}: {move.taken}, -{percent(move.cost)}. Better: {better}"


def summary(analysis: Analysis) -> list[str]:
    """Return one sentence per seat that describes its luck and the cost of its decisions."""
    lines = []
    for seat, luck in enumerate(analysis.luck_of_all):
        kinds = ", ".join(f"{name.replace('_', ' ')} {100 * by[seat]:+.1f}%" for name, by in analysis.luck.items())
        line = f"Seat {seat}: luck {100 * luck:+.1f}% ({kinds}); "
        if analysis.produced is not None and analysis.expected is not None:
            line += f"{analysis.produced[seat]} cards from rolls, {analysis.expected[seat]:.1f} expected; "
        line += f"{analysis.decisions[seat]} decisions cost {100 * analysis.cost[seat]:.1f}%"
        lines.append(line + (", won" if seat in analysis.winners else ""))
    return lines


def seat_rows(number: int, name: str, analysis: Analysis) -> list[dict[str, Any]]:
    """Return the rows for a game, one per seat, in the table of many games."""
    produced, expected = analysis.produced, analysis.expected
    return [
        {
            "game": number,
            "log": name,
            "scenario": analysis.scenario,
            "forecast": analysis.forecast,
            "seat": seat,
            "player": analysis.names[seat],
            "won": seat in analysis.winners,
            "turns": int(analysis.turns[-1]),
            "decisions": int(analysis.decisions[seat]),
            "cost": float(analysis.cost[seat]),
            "luck": float(analysis.luck_of_all[seat]),
            "cards": None if produced is None else int(produced[seat]),
            "expected_cards": None if expected is None else float(expected[seat]),
        }
        for seat in range(analysis.chances.shape[1])
    ]


def stage_losses(analysis: Analysis) -> np.ndarray:
    """Return the sum and count of -log(winner's probability) at the starts of turns, by stage, shape (STAGES, 2).

    A stage is a quarter of the turns. Games without a winner are ignored; if a win is shared, the winner with the
    highest probability is used.
    """
    sums = np.zeros((STAGES, 2))
    if not analysis.winners:
        return sums
    _, starts = np.unique(analysis.turns[:-1], return_index=True)
    best = np.maximum(analysis.chances[starts][:, analysis.winners].max(axis=1), LEAST)
    stages = np.minimum(analysis.turns[starts] * STAGES // max(int(analysis.turns[-1]), 1), STAGES - 1)
    np.add.at(sums, (stages, 0), -np.log(best))
    np.add.at(sums, (stages, 1), 1)
    return sums


def logs_in(paths: Sequence[str | Path]) -> list[tuple[str, int]]:
    """List the games in files and folders, as pairs of a path and the game's number in the dataset (-1 for a file).

    A folder holds a dataset, or replay logs.

    Raises:
        CatanError: a folder holds neither.
    """
    games = []
    for path in map(Path, paths):
        if path.is_dir() and not (path / ABOUT).exists():
            files = sorted(path.glob("*.json"))
            if not files:
                raise OptionError(
                    f"The folder {path} holds neither a dataset of `catan generate` nor replay logs. Give a folder "
                    "with one of them."
                )
            games += [(str(file), -1) for file in files]
        elif path.is_dir():
            dataset = Dataset(path)
            numbers = [game for shard in dataset.shards for game in dataset.plan.games_of(shard)]
            games += [(str(path), number) for number in numbers]
        else:
            games.append((str(path), -1))
    return games


def analyse_job(settings: tuple[list[tuple[str, int]], str | None], first: int, stop: int) -> Any:
    """Analyse the games `first` to `stop` - 1 of a list; see `analyse_many`.

    Returns:
        Rows by seat; the sums and counts of losses, shape (STAGES, 2); and a sentence about each game's costliest move.
    """
    games, network = settings
    rows, losses, worst = [], np.zeros((STAGES, 2)), []
    datasets: dict[str, Dataset] = {}
    for number in range(first, stop):
        path, game = games[number]
        if game < 0:
            name, log = path, read_log(Path(path))
        else:
            name = f"{path}, game {game}"
            log = datasets.setdefault(path, Dataset(path)).replay_log(game)
        try:
            analysis = analyse(log, network)
        except CatanError as error:
            raise CatanError(f"{name}: {error}") from error
        rows += seat_rows(number, name, analysis)
        losses += stage_losses(analysis)
        worst += [f"{name}: {_sentence(move)}" for move in analysis.costly[:1]]
    return rows, losses, worst


def analyse_many(
    games: list[tuple[str, int]], network: str | None = None, workers: Workers = 1
) -> tuple[pl.DataFrame, np.ndarray, list[str]]:
    """Analyse many games.

    Args:
        games: the games, as returned by `logs_in`.
        network: name or file of a value network; None for the default forecast.
        workers: number of processes, None for one per core.

    Returns:
        The table, with one row per seat and game; the sums and counts of the forecast's losses, shape (STAGES, 2); and
        a sentence about each game's costliest move.
    """
    size = 16
    jobs: Iterator[tuple[int, int]] = iter([(k, min(k + size, len(games))) for k in range(0, len(games), size)])
    rows, losses, worst = [], np.zeros((STAGES, 2)), []
    for job_rows, job_losses, job_worst in play_jobs((games, network), jobs, workers, analyse_job):
        rows += job_rows
        losses += job_losses
        worst += job_worst
    return pl.DataFrame(rows, infer_schema_length=None).sort("game", "seat"), losses, worst


def loss_lines(losses: np.ndarray, players: int) -> list[list[str]]:
    """Return a heading and rows of text with the forecast's log loss by stage."""
    lines = [["stage of the game", "positions", "log loss", "even chances"]]
    names = [f"quarter {k + 1}" for k in range(STAGES)]
    for name, (total, count) in zip([*names, "all"], [*losses, losses.sum(axis=0)], strict=True):
        mean = f"{total / count:.3f}" if count else "-"
        lines.append([name, f"{int(count):,}", mean, f"{np.log(players):.3f}"])
    return lines
