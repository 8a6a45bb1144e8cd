"""Games in an embedded database, with their settings, secret seat links and actions so far."""

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
"""The result and replay log of a finished game."""


@dataclass(frozen=True)
class StoredGame:
    """A game in the database. `result` is None until the game ends."""

    id: str
    created: float
    settings: GameSettings
    sitters: list[Sitter]
    layout: str
    result: dict[str, Any] | None


class Store:
    """The game database. Only one process may use it at a time, but any of its threads may do so.

    Args:
        path: path of the file, which is created if it does not exist; ":memory:" keeps games in memory.

    Raises:
        CatanError: the file is not a game database, or its format is newer than this version supports.
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
        """The secret of the person running the server, which persists across server restarts."""
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
        """Store a new game, with a secret link for each person's seat and one for spectators, and return its id."""
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
        """Run a block as one transaction. One thread writes at a time, since a connection has a single transaction."""
        with self._writing, self._base:  # the connection commits, or rolls back after an error
            self._base.execute("BEGIN IMMEDIATE")
            yield

    def game_of(self, secret: str) -> tuple[str, int] | None:
        """Return the game and seat for a secret link; the seat is `SPECTATOR` for spectators."""
        return self._one("SELECT game, seat FROM links WHERE secret = ?", secret)

    def links(self, game: str) -> dict[int, str]:
        """Return the secrets of a game, keyed by seat."""
        return dict(self._base.execute("SELECT seat, secret FROM links WHERE game = ? ORDER BY seat", (game,)))

    def games(self) -> Iterator[StoredGame]:
        """Yield all games, newest first."""
        query = "SELECT id, created, settings, seats, layout, result FROM games ORDER BY created DESC"
        for row in self._base.execute(query).fetchall():
            yield _stored(row)

    def game(self, game: str) -> StoredGame | None:
        """Return the game with this id, or None if there is none."""
        row = self._one("SELECT id, created, settings, seats, layout, result FROM games WHERE id = ?", game)
        return _stored(row) if row else None

    def next_game(self, game: str) -> str | None:
        """Return the id of the next game with the players of a finished game, or None."""
        row = self._one("SELECT next FROM sequels WHERE game = ?", game)
        return row[0] if row else None

    def set_next_game(self, game: str, following: str) -> None:
        """Store the next game with the players of a finished game."""
        with self._whole():
            self._base.execute("INSERT INTO sequels VALUES (?, ?)", (game, following))

    # -- actions --------------------------------------------------------------------------------------------

    def add(self, game: str, number: int, taken: Sequence[Taken], ending: Ending | None = None) -> None:
        """Store actions and, if they ended the game, its ending, in one transaction.

        Args:
            game: the game's id.
            number: number of actions before these.
            taken: the actions.
            ending: result and replay log, if the game is finished.
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
