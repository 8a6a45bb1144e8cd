"""Games in an embedded database: settings, seats with their secrets, and the actions so far."""

from __future__ import annotations

import json
import secrets
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from catan_env.errors import CatanError
from catan_training.play.game import SPECTATOR, GameSettings, Taken
from catan_training.play.seats import Sitter

FORMAT = 1
SCHEMA = """
CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS games (
    id TEXT PRIMARY KEY, created REAL NOT NULL, settings TEXT NOT NULL, seats TEXT NOT NULL, layout TEXT NOT NULL,
    ended REAL, result TEXT, log TEXT
);
CREATE TABLE IF NOT EXISTS links (secret TEXT PRIMARY KEY, game TEXT NOT NULL, seat INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS actions (
    game TEXT NOT NULL, number INTEGER NOT NULL, seat INTEGER NOT NULL, action INTEGER NOT NULL,
    revocable INTEGER NOT NULL, PRIMARY KEY (game, number)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS sequels (game TEXT PRIMARY KEY, next TEXT NOT NULL);
"""


Ending = tuple[dict[str, Any], dict[str, Any]]
"""Result and replay log of a finished game."""


@dataclass(frozen=True)
class StoredGame:
    """A game in the database. `result` is None before the game ends."""

    id: str
    created: float
    settings: GameSettings
    sitters: list[Sitter]
    layout: str
    result: dict[str, Any] | None


class Store:
    """The database of games. One process uses it at a time, from any of its threads.

    Args:
        path: the file, which is created if it does not exist; ":memory:" keeps games in memory.

    Raises:
        CatanError: the file is not a database of games, or has a newer format.
    """

    def __init__(self, path: str | Path):
        self.path, self._writing = path, threading.Lock()
        try:
            if str(path) != ":memory:":
                Path(path).parent.mkdir(parents=True, exist_ok=True)
            self._base = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
            self._base.execute("PRAGMA journal_mode=WAL")
            self._base.execute("PRAGMA synchronous=NORMAL")
            self._base.executescript(SCHEMA)
            if int(self._fact("format", str(FORMAT))) != FORMAT:
                raise CatanError(f"{path}: another version of this package wrote these games. Name another file.")
        except (sqlite3.Error, ValueError) as error:
            raise CatanError(f"{path}: not a database of games ({error}). Name another file.") from None

    def close(self) -> None:
        """Close the database."""
        self._base.close()

    @property
    def host_key(self) -> str:
        """The secret of whoever runs the server; it remains the same when the server restarts."""
        return self._fact("host key", secrets.token_urlsafe(18))

    def _fact(self, name: str, default: str) -> str:
        with self._whole():
            self._base.execute("INSERT OR IGNORE INTO facts VALUES (?, ?)", (name, default))
        return self._one("SELECT value FROM facts WHERE name = ?", name)[0]

    def _one(self, query: str, *values: Any) -> Any:
        with closing(self._base.execute(query, values)) as rows:
            return rows.fetchone()

    # -- games ----------------------------------------------------------------------------------------------

    def create(self, settings: GameSettings, sitters: Sequence[Sitter], layout: str) -> str:
        """Store a new game with a secret link for every seat of a person and for spectators. Return its id."""
        game = secrets.token_hex(6)
        seats = json.dumps([sitter.to_json() for sitter in sitters])
        people = [seat for seat, sitter in enumerate(sitters) if sitter.is_person]
        with self._whole():
            self._base.execute(
                "INSERT INTO games (id, created, settings, seats, layout) VALUES (?, ?, ?, ?, ?)",
                (game, time.time(), json.dumps(settings.to_json()), seats, layout),
            )
            for seat in (*people, SPECTATOR):
                self._base.execute("INSERT INTO links VALUES (?, ?, ?)", (secrets.token_urlsafe(15), game, seat))
        return game

    @contextmanager
    def _whole(self) -> Iterator[None]:
        """Write all or nothing. Threads write one after another, since a connection has one transaction at a time."""
        with self._writing, self._base:  # the connection commits, or rolls back after an error
            self._base.execute("BEGIN IMMEDIATE")
            yield

    def game_of(self, secret: str) -> tuple[str, int] | None:
        """Return the game and the seat of a secret link; the seat is `SPECTATOR` for spectators."""
        return self._one("SELECT game, seat FROM links WHERE secret = ?", secret)

    def links(self, game: str) -> dict[int, str]:
        """Return the secrets of a game by seat."""
        return dict(self._base.execute("SELECT seat, secret FROM links WHERE game = ? ORDER BY seat", (game,)))

    def games(self) -> Iterator[StoredGame]:
        """Yield all games, the newest first."""
        query = "SELECT id, created, settings, seats, layout, result FROM games ORDER BY created DESC"
        for row in self._base.execute(query).fetchall():
            yield _stored(row)

    def game(self, game: str) -> StoredGame | None:
        """Return a game, or None if there is none with this id."""
        row = self._one("SELECT id, created, settings, seats, layout, result FROM games WHERE id = ?", game)
        return _stored(row) if row else None

    def next_game(self, game: str) -> str | None:
        """Return the game that the players of a finished game play next, or None."""
        row = self._one("SELECT next FROM sequels WHERE game = ?", game)
        return row[0] if row else None

    def set_next_game(self, game: str, following: str) -> None:
        """Store which game the players of a finished game play next."""
        with self._whole():
            self._base.execute("INSERT INTO sequels VALUES (?, ?)", (game, following))

    # -- actions --------------------------------------------------------------------------------------------

    def add(self, game: str, number: int, taken: Sequence[Taken], ending: Ending | None = None) -> None:
        """Store actions, and the end of the game if they ended it: all or nothing.

        Args:
            game: id of the game.
            number: number of actions before them.
            taken: the actions.
            ending: result and replay log of the finished game.
        """
        rows = [(game, number + k, one.seat, one.action, one.revocable) for k, one in enumerate(taken)]
        with self._whole():
            self._base.executemany("INSERT INTO actions VALUES (?, ?, ?, ?, ?)", rows)
            if ending is not None:
                result, log = map(json.dumps, ending)
                self._base.execute(
                    "UPDATE games SET ended = ?, result = ?, log = ? WHERE id = ?", (time.time(), result, log, game)
                )

    def drop(self, game: str, number: int) -> None:
        """Delete the actions of a game from `number` on."""
        with self._whole():
            self._base.execute("DELETE FROM actions WHERE game = ? AND number >= ?", (game, number))

    def taken(self, game: str) -> list[Taken]:
        """Return the actions of a game in order."""
        query = "SELECT seat, action, revocable FROM actions WHERE game = ? ORDER BY number"
        return [Taken(seat, action, bool(revocable)) for seat, action, revocable in self._base.execute(query, (game,))]

    # -- results --------------------------------------------------------------------------------------------

    def log(self, game: str) -> dict[str, Any] | None:
        """Return the replay log of a finished game, or None."""
        row = self._one("SELECT log FROM games WHERE id = ?", game)
        return json.loads(row[0]) if row and row[0] else None


def _stored(row: tuple) -> StoredGame:
    game, created, settings, seats, layout, result = row
    sitters = [Sitter(**sitter) for sitter in json.loads(seats)]
    return StoredGame(
        game, created, GameSettings(**json.loads(settings)), sitters, layout, json.loads(result) if result else None
    )
