"""The source text of a TOML file, used for line numbers in error messages."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from catan_env.engine.binding import did_you_mean
from catan_env.errors import ScenarioFileError, UnknownScenarioError
from catan_env.text_files import MOST_TOML, read_text, toml_of

KEY = re.compile(r"""\s*([A-Za-z0-9_.\-"']+(?:\s*\.\s*[A-Za-z0-9_\-"']+)*)\s*=""")
TABLE = re.compile(r"\s*\[\s*([^\[\]]+?)\s*\]\s*(#.*)?$")


@dataclass(frozen=True)
class SourceText:
    """The source of a scenario description.

    Attributes:
        label: name used in messages: the file's path, or "The description of scenario 'tides'".
        text: contents of the file; empty if there is no file.
        folder: the file's folder, the base for relative paths; None if there is no file.
    """

    label: str
    text: str = ""
    folder: Path | None = None

    def error(self, path: Sequence[Any], message: str, entry: Any = None) -> ScenarioFileError:
        """Return an error about a key, such as ("numbers", "victory_points"), or about an entry in that key's list."""
        location = self.label
        if line := self.line_of(path, entry):
            location += f", line {line}"
        key = ".".join(map(str, path))
        return ScenarioFileError(f"{location}: {key}: {message}" if key else f"{location}: {message}")

    def line_of(self, path: Sequence[Any], entry: Any = None) -> int:
        """Return the 1-based line number of a key, or of `entry` in its value; 0 without source text.

        For a key in an inline table, this is the line of the table.
        """
        wanted_key, best_line, best_depth = tuple(map(str, path)), 0, 0
        table: tuple[str, ...] = ()
        lines = self.text.splitlines()
        for line_number, line in enumerate(lines, 1):
            if table_match := TABLE.match(line):
                table = _parts(table_match[1])
                key = table
            elif key_match := KEY.match(line):
                key = table + _parts(key_match[1])
            else:
                continue
            if len(key) > best_depth and key == wanted_key[: len(key)]:
                best_line, best_depth = line_number, len(key)
        if best_line and entry is not None:
            quoted_entry = re.compile(rf"""["']{re.escape(str(entry))}["']""")
            return next(
                (
                    line_number
                    for line_number in range(best_line, len(lines) + 1)
                    if quoted_entry.search(lines[line_number - 1])
                ),
                best_line,
            )
        return best_line

    def check_keys(self, params: Any, path: tuple, allowed: Sequence[str]) -> None:
        """Raise `ScenarioFileError` if a value is not a table or has an unknown key."""
        if not isinstance(params, Mapping):
            raise self.error(path, f"this is {params!r}, and must be a table with keys from: {', '.join(allowed)}.")
        for key in params:
            if key not in allowed:
                hint = did_you_mean(key, allowed)
                raise self.error((*path, key), f"unknown key {key!r}.{hint} Allowed: {', '.join(allowed)}.")


def read_toml(path: Path) -> tuple[dict[str, Any], SourceText]:
    """Return the contents of a scenario file and its source text.

    Raises:
        UnknownScenarioError: the file does not exist or cannot be read.
        ScenarioFileError: the file is not valid TOML; the message gives the line.
    """
    text = read_text(path, "scenario file", UnknownScenarioError, MOST_TOML)
    return toml_of(text, str(path), ScenarioFileError), SourceText(str(path), text, path.parent)


def _parts(key: str) -> tuple[str, ...]:
    return tuple(key_part.strip().strip("\"'") for key_part in key.split("."))
