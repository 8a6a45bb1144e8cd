"""Journals of finished jobs, with one line per job.

Each line is synced to disk as soon as its job finishes, so no finished job is lost if the process is killed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from catan_env.engine.registry import find_scenario, requirements_of
from catan_env.errors import CatanError, OptionError
from catan_env.text_files import check_keys, json_of, read_json, text_of
from catan_env.whole_files import naming
from catan_training.evaluation.fixtures import Fixtures
from catan_training.evaluation.paired_seeds import PairedSeeds
from catan_training.json_files import write_json

SETTINGS, LINES = "settings.json", "journal.jsonl"
MAY_CHANGE = ("games", "precision")
"""Settings that may change when a tournament resumes, because they affect only when it stops, not its games."""


class Lines:
    """A file whose lines are synced to disk one at a time. Only one process can write to it at a time.

    Args:
        path: the file, which need not exist yet.
        what: what the file contains, for messages.
    """

    def __init__(self, path: Path, what: str):
        self.path, self.what = path, what
        self._whole = 0
        self._file: BinaryIO

    def read(self) -> list[bytes]:
        """Return all complete lines. The last line may be truncated if its writer was killed."""
        text = self.path.read_bytes() if self.path.exists() else b""
        self._whole = text.rfind(b"\n") + 1
        return text[: self._whole].splitlines()

    def read_json(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield a name for each line, for use in messages, and the contents of the line.

        Raises:
            CatanError: a line is not a JSON object.
        """
        for number, line in enumerate(self.read(), 1):
            text = text_of(line, str(self.path), CatanError, number)
            yield (
                f"{self.path}, line {number}",
                json_of(text, str(self.path), f"line of a {self.what}", CatanError, first_line=number),
            )

    def open(self) -> None:
        """Open the file for writing, removing any incomplete last line. Call `read` first.

        Raises:
            OptionError: another process is writing to it.
        """
        self._file = self.path.open("ab")
        try:
            _claim(
                self._file,
                f"Another process is running the {self.what} in {self.path.parent}. Wait for it, or choose another "
                "folder.",
            )
        except OptionError:
            self._file.close()
            raise
        self._file.truncate(self._whole)

    def close(self) -> None:
        """Close the file so that other processes can write to it."""
        with naming(self.path):
            self._file.close()

    def add(self, line: str) -> None:
        """Write a line and return once it is on disk."""
        with naming(self.path):
            self._file.write(line.encode() + b"\n")
            self._file.flush()
            os.fsync(self._file.fileno())


class Journal:
    """The settings in a tournament folder, and all jobs finished so far.

    Raises:
        CatanError: the folder contains no tournament or a corrupt one.
    """

    def __init__(self, folder: str | Path):
        self.folder = Path(folder)
        self._lines, self.jobs = Lines(self.folder / LINES, "tournament"), {}
        path = self.folder / SETTINGS
        if not path.exists():
            raise OptionError(
                f"{self.folder} holds no tournament. Start one with `catan tournament run {self.folder} --agents ...`."
            )
        stored_settings = read_json(path, "tournament", CatanError)
        check_keys(stored_settings, str(path), CatanError, fixtures=dict, versions=dict)
        self.versions = stored_settings["versions"]
        try:
            self.fixtures = Fixtures.read(stored_settings["fixtures"])
        except CatanError as error:
            raise CatanError(f"The settings of the tournament in {path} are invalid: {error}") from error
        for name, line in self._lines.read_json():
            job = PairedSeeds.read(line, name, self.fixtures)
            self.jobs[job.table, job.first] = job

    @classmethod
    def begin(cls, folder: str | Path, fixtures: Fixtures) -> Journal:
        """Create a journal, or open the folder's existing journal if it is for the same games.

        Raises:
            OptionError: the folder contains a different tournament.
            OSError: the journal cannot be written.
        """
        path = Path(folder) / SETTINGS
        versions = {name: find_scenario(name).version for name in fixtures.scenarios}
        if path.exists():
            former_journal = cls(folder)
            if former_journal.versions != versions:
                raise OptionError(f"{folder} holds games of other scenario versions. Choose another folder.")
            stored_settings, wanted_settings = former_journal.fixtures.to_dict(), fixtures.to_dict()
            if different := [
                name
                for name in wanted_settings
                if name not in MAY_CHANGE and stored_settings[name] != wanted_settings[name]
            ]:
                raise OptionError(
                    f"{folder} holds a tournament with different {', '.join(different)}. Choose another folder, or "
                    f"resume it with `catan tournament run {folder}`."
                )
        write_json(path, {"fixtures": fixtures.to_dict(), "versions": versions, "requires": requirements_of(versions)})
        return cls(folder)

    def __enter__(self) -> Journal:
        """Open the journal for writing, removing any incomplete last line."""
        self._lines.open()
        return self

    def __exit__(self, *error: object) -> None:
        self._lines.close()

    def add(self, done: PairedSeeds) -> None:
        """Write a job and return once it is on disk."""
        self._lines.add(done.to_json())
        self.jobs[done.table, done.first] = done


def _claim(file: BinaryIO, refusal: str) -> None:
    """Lock the file against other processes on systems that have `fcntl`."""
    try:
        import fcntl
    except ImportError:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise OptionError(refusal) from None
