"""Ratings of people and agents, and datasets, both computed from a server's finished games."""

from __future__ import annotations

import io
import json
import zipfile
from collections import defaultdict
from collections.abc import Iterable, Sequence
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from catan_training.datasets.recorded import RecordedGame, write_recorded
from catan_training.evaluation.fixtures import Entrant
from catan_training.evaluation.ratings import ratings
from catan_training.play.seats import HUMAN
from catan_training.play.store import Store, StoredGame
from catan_training.tables import percent


class FinishedGames:
    """Finished games of one scenario and number of players, in the form used by `catan_training.evaluation.ratings`.

    Each game has its own random seed, so it counts as a paired seed with a single game.

    Attributes:
        labels: names of the people and agents.
        entrants: the index in `labels` of each person or agent.
        paired_seeds: number of games, N.
        seating: index of the entrant in each seat, shape (N, players), int64.
        won: whether each seat won, shape (N, players), bool; several seats may share a win.
        places: rank of each seat, shape (N, players), int64, 1 for the best: winners first, then by victory points;
            tied seats share a rank.
    """

    def __init__(self, games: Sequence[StoredGame]):
        self.labels = sorted({sitter.name for game in games for sitter in game.sitters})
        self.entrants = range(len(self.labels))
        self.paired_seeds = len(games)
        self.seating = np.array([[self.labels.index(sitter.name) for sitter in game.sitters] for game in games])
        results: list[dict[str, Any]] = [game.result for game in games if game.result is not None]
        points = np.array([result["points"] for result in results])
        self.won = np.zeros_like(points, bool)
        for number, result in enumerate(results):
            self.won[number, result["winners"]] = True
        ahead = points + self.won * (points.max() + 1)
        self.places = 1 + (ahead[:, None, :] > ahead[:, :, None]).sum(2)

    def rows(self) -> list[tuple[str, ...]]:
        """Return a heading and one row of text per entrant, in descending order of rating."""
        rated = ratings(self, self.labels)
        rows = []
        for number, name in enumerate(self.labels):
            seats = self.seating == number
            interval = rated[name]["interval"]
            shown = f"{interval[0]:.1f} to {interval[1]:.1f}" if interval else "ten games or more"
            wins = int((self.won & seats).sum())
            rating = f"{rated[name]['rating']:.1f}"
            rows.append((name, str(int(seats.sum())), percent(wins / seats.sum()), rating, shown))
        return [
            ("player", "seats", "won", "rating", "95% interval"),
            *sorted(rows, key=lambda row: -float(row[3])),
        ]


def recorded(store: Store, only: str | None = None) -> list[RecordedGame]:
    """Return all finished games in a database, or just one, for use with `catan_training.datasets.recorded`."""
    games = [game for game in store.games() if game.result is not None and only in (None, game.id)]
    found = []
    for game in sorted(games, key=lambda game: game.created):
        log = store.log(game.id)
        if log is not None:
            entrants = [Entrant(one.name, one.agent or HUMAN, one.options) for one in game.sitters]
            found.append(RecordedGame(log, entrants))
    return found


def zipped_logs(store: Store) -> bytes:
    """Return a ZIP archive of the replay logs of all finished games: JSON files, each named after its game."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for game in store.games():
            log = store.log(game.id)
            if log is not None:
                archive.writestr(f"{game.id}.json", json.dumps(log))
    return packed.getvalue()


def zipped_datasets(games: Sequence[RecordedGame]) -> bytes:
    """Return a ZIP archive of datasets made from games.

    Raises:
        CatanError: see `write_recorded`.
    """
    packed = io.BytesIO()
    with TemporaryDirectory() as folder, zipfile.ZipFile(packed, "w") as archive:
        for dataset in write_recorded(folder, games):
            for file in sorted(dataset.folder.iterdir()):
                archive.write(file, f"{dataset.folder.name}/{file.name}")
    return packed.getvalue()


def by_scenario(games: Iterable[StoredGame]) -> dict[tuple[str, int], FinishedGames]:
    """Return the finished games grouped by scenario and number of players, in order of creation."""
    groups: dict[tuple[str, int], list[StoredGame]] = defaultdict(list)
    for game in sorted(games, key=lambda game: game.created):
        if game.result is not None:
            groups[game.settings.scenario, game.settings.players].append(game)
    return {key: FinishedGames(found) for key, found in groups.items()}
