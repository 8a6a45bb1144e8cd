"""Formats of other programs' game files, and conversion of such files to replay logs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from catan_env.errors import GameImportError
from catan_env.text_files import json_of, read_text
from catan_training.importing.catanatron import CatanatronGame, is_catanatron
from catan_training.importing.catanlog import CatanlogGame, is_catanlog
from catan_training.importing.colonist import ColonistGame, is_colonist
from catan_training.importing.jsettlers import JSettlersGame, is_jsettlers

ENDINGS = (".json", ".catan", ".soclog")
"""Suffixes of the files that are read from a folder."""
IMPORTED = ".replay.json"
"""Suffix of the logs that are written."""


class FileGame(Protocol):
    """A game that replays a file."""

    def log(self, **notes: Any) -> dict[str, Any]:
        """Return the replay log, with `notes` added."""


class Reader(Protocol):
    """A game read from a file."""

    played: int
    """Number of records played so far."""

    def play(self) -> Iterator[FileGame]:
        """Play the game in this engine, yielding it at the start and after each record."""

    def notes(self) -> dict[str, Any]:
        """Return facts to store in the log's metadata, including at least `format` and `filled`."""


@dataclass(frozen=True)
class Imported:
    """A game from another program, converted to a replay log.

    Attributes:
        log: the replay log, with the notes `players` and `source`.
        records: number of records in the file that were played.
        problem: why the log ends before the file does; "" if the log is complete.
    """

    log: dict[str, Any]
    records: int
    problem: str

    @property
    def source(self) -> dict[str, Any]:
        """Facts about the import, as stored in the log."""
        return self.log["source"]

    @property
    def kind(self) -> str:
        """ "exact", "filled" if missing facts were sampled, or "partial"."""
        return "partial" if self.problem else "filled" if self.source["filled"] else "exact"


def import_game(
    path: str | Path, rules: Mapping[str, Any] | None = None, partial: bool = False, seed: int = 0
) -> Imported:
    """Return the game in a file as a replay log.

    Args:
        path: the file.
        rules: rule numbers that the file does not contain.
        partial: if a record cannot be imported, return the moves before it instead of raising an error.
        seed: seed for sampling whatever the file leaves out.

    Raises:
        GameImportError: the format is unknown, or the game cannot be imported; the message names the offending record.
        CatanError: a rule number is unknown or out of bounds.
    """
    path = Path(path)
    reader = reader_of(path, rules or {}, seed)
    game: FileGame | None = None
    problem = ""
    try:
        for followed in reader.play():
            game = followed
    except GameImportError as error:
        if not partial or game is None:
            raise
        problem = str(error)
    assert game is not None
    notes = {"file": path.name, **reader.notes(), **({"problem": problem} if problem else {})}
    return Imported(game.log(source=notes), reader.played, problem)


def reader_of(path: Path, rules: Mapping[str, Any], seed: int = 0) -> Reader:
    """Return the reader for a file, chosen based on the file's contents.

    Raises:
        GameImportError: the file cannot be read, or its format is not recognized.
    """
    text = read_text(path, "game of another program", GameImportError)
    if text.lstrip()[:1] in ("{", "["):
        file = json_of(text, str(path), "game of another program", GameImportError)
        if isinstance(file, dict) and "savedByVersion" in file:
            raise GameImportError(
                f"{path}: a saved game of JSettlers holds a position without its moves, so it gives no replay log. "
                "Import the game log (.soclog) of the server."
            )
        for fits, reader in JSON_FORMATS:
            if fits(file):
                return reader(file, path.name, rules)
    if is_catanlog(text):
        return CatanlogGame(text, path.name, rules, seed)
    if is_jsettlers(text):
        return JSettlersGame(text, path.name, rules, seed)
    raise GameImportError(
        f"{path}: not a game in a known format. Allowed are JSON files of catanatron and colonist.io, .catan text of "
        "catanlog and .soclog logs of JSettlers."
    )


JSON_FORMATS: tuple[tuple[Callable[[Any], bool], Callable[[Any, str, Mapping[str, Any]], Reader]], ...] = (
    (is_catanatron, CatanatronGame),
    (is_colonist, ColonistGame),
)
"""JSON formats, each with a test that recognizes it and a reader."""


def files_in(paths: Sequence[str | Path]) -> list[Path]:
    """Return, in order, the given files and all files in the given folders that may hold games, except imported logs.

    Raises:
        GameImportError: a folder holds no such file.
    """
    files: list[Path] = []
    for path in map(Path, paths):
        if not path.is_dir():
            files.append(path)
            continue
        found = sorted(f for f in path.rglob("*") if f.suffix.lower() in ENDINGS and not f.name.endswith(IMPORTED))
        if not found:
            raise GameImportError(f"The folder {path} has no files that end in {', '.join(ENDINGS)}.")
        files += found
    return files


def output_of(file: Path, folder: Path | None) -> Path:
    """Return the path to write a file's log to, either next to the file or in a folder."""
    return (folder or file.parent) / f"{file.name.removesuffix(file.suffix)}{IMPORTED}"
