"""The journal of a tournament: a line a job, written as soon as it is played, so that a kill loses no finished job."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

from catan_env.engine.registry import find_scenario
from catan_env.errors import CatanError, OptionError
from training.comparing.deals import Deals
from training.comparing.fixtures import Fixtures

SETTINGS, LINES = "settings.json", "journal.jsonl"
MAY_CHANGE = ("games", "precision")
"""Settings with which a tournament may go on: they say when to stop, not what is played."""


class Journal:
    """What is known of a tournament in a folder: its settings, and every job that was played.

    Raises:
        CatanError: the folder holds no tournament, or a damaged one.
    """

    def __init__(self, folder: str | Path):
        self.folder = Path(folder)
        self._whole, self.jobs = 0, {}
        try:
            found = json.loads((self.folder / SETTINGS).read_text("utf-8"))
            self.fixtures, self.versions = Fixtures.read(found["fixtures"]), found["versions"]
            for line in self._lines():
                done = Deals(**json.loads(line))
                self.jobs[done.table, done.first] = done
        except FileNotFoundError:
            raise OptionError(f"{self.folder} holds no tournament.") from None
        except (json.JSONDecodeError, KeyError, TypeError) as error:
            raise CatanError(f"The tournament in {self.folder} is damaged: {error!r}.") from None

    def _lines(self) -> Iterator[bytes]:
        """The lines that were written to their end; the last may have been cut by a kill."""
        path = self.folder / LINES
        text = path.read_bytes() if path.exists() else b""
        self._whole = text.rfind(b"\n") + 1
        yield from text[: self._whole].splitlines()

    @classmethod
    def begin(cls, folder: str | Path, fixtures: Fixtures) -> Journal:
        """A new journal, or the one in the folder if it is of the same games.

        Raises:
            OptionError: the folder holds another tournament.
            OSError: it cannot be written.
        """
        path = Path(folder) / SETTINGS
        versions = {name: find_scenario(name).version for name in fixtures.scenarios}
        if path.exists():
            former = cls(folder)
            if former.versions != versions:
                raise OptionError(f"{folder} holds games of other versions of its scenarios; give another folder.")
            found, wanted = former.fixtures.to_dict(), fixtures.to_dict()
            if other := [name for name in wanted if name not in MAY_CHANGE and found[name] != wanted[name]]:
                raise OptionError(
                    f"{folder} holds a tournament with other {', '.join(other)}; give another folder, or go on with "
                    f"it by `catan tournament run {folder}`."
                )
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_suffix(".new")
        kept = {"fixtures": fixtures.to_dict(), "versions": versions}
        draft.write_text(json.dumps(kept, indent=2) + "\n", encoding="utf-8")
        draft.replace(path)
        return cls(folder)

    def __enter__(self) -> Journal:
        """Opens it for writing; what a kill has cut is cut off."""
        self._file = (self.folder / LINES).open("ab")
        try:
            _claim(self._file, self.folder)
        except OptionError:
            self._file.close()
            raise
        self._file.truncate(self._whole)
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()

    def add(self, done: Deals) -> None:
        """Writes a job down; once this returns it is on the disk."""
        self._file.write(done.to_json().encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())
        self.jobs[done.table, done.first] = done


def _claim(file, folder: Path) -> None:
    """Keeps a second run out of the folder, where the system can."""
    try:
        import fcntl
    except ImportError:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise OptionError(f"Another run is playing the tournament in {folder}.") from None
