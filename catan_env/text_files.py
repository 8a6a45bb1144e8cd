"""Read JSON and TOML files written by people or other programs. All readers in this project use this module.

A file may start with a byte order mark, and its extension may be in upper case. Files that are not UTF-8, too large or
nested too deeply are rejected, as are integers of more than 64 bits. Errors are of a class chosen by the caller; they
give the file, the line if known, and how to fix the problem.
"""

from __future__ import annotations

import json
import re
import stat
import tomllib
from pathlib import Path
from typing import Any

from catan_env.errors import CatanError

MOST_JSON = 2**28
MOST_TOML = 2**22
"""Maximum file sizes, in bytes. The limit for TOML is lower because it is slow to read."""
MOST_DEPTH = 32
"""Maximum depth of nested lists and tables."""
MOST_PARTS = 32
"""Maximum number of parts in a dotted TOML key."""
LOWEST, HIGHEST = -(2**63), 2**64 - 1
"""Range of integers allowed in files: signed and unsigned 64-bit numbers."""

Error = type[CatanError]

LONG_KEY = re.compile(
    rf"""(?:^|[\[{{,])[ \t]*(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*\.[ \t]*){{{MOST_PARTS}}}""",
    re.ASCII | re.MULTILINE,
)
POSITION = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")
LONG_DIGITS = re.compile(r"\d{19,}")


def has_ending(source: Any, *endings: str) -> bool:
    """Return whether a string or path ends in one of these suffixes, such as ".json", ignoring case."""
    return isinstance(source, (str, Path)) and str(source).lower().endswith(endings)


def other_file(source: Any, *endings: str) -> str:
    """Return a hint for error messages if a name is the path of a file with a different extension, otherwise ""."""
    try:
        exists = isinstance(source, (str, Path)) and Path(source).is_file()
    except (OSError, ValueError):
        exists = False
    if not exists or has_ending(source, *endings):
        return ""
    return f" There is a file {str(source)!r}, but only files that end in {' or '.join(endings)} are read here."


def read_text(path: str | Path, what: str, error: Error, most: int = MOST_JSON) -> str:
    """Return the text of a file.

    Args:
        path: path of the file.
        what: the expected kind of file, for error messages, such as "replay log".
        error: class of error to raise.
        most: maximum size in bytes.

    Raises:
        CatanError: an `error`; the file does not exist, cannot be read or is not UTF-8.
    """
    return text_of(read_bytes(path, what, error, most), str(path), error)


def read_bytes(path: str | Path, what: str, error: Error, most: int) -> bytes:
    """Return the bytes of a file; arguments and errors are as for `read_text`."""
    try:
        status = Path(path).stat()
        if stat.S_ISDIR(status.st_mode):
            raise error(f"{path} is a folder; give the file of the {what} in it.")
        if not stat.S_ISREG(status.st_mode):
            raise error(f"{path} is a device or pipe; give an ordinary file with the {what}.")
        if status.st_size > most:
            raise error(f"{path} is too large for a {what}: it has {status.st_size:,} bytes; the limit is {most:,}.")
        return Path(path).read_bytes()
    except CatanError:  # many of these are ValueErrors
        raise
    except FileNotFoundError:
        raise error(f"There is no {what} at {path}. Check the path.") from None
    except OSError as failure:
        raise error(f"The {what} {path} cannot be read: {failure.strerror or failure}.") from None
    except ValueError:
        raise error(f"{str(path)!r} is not a valid path of a file.") from None


def text_of(data: bytes, name: str, error: Error, first_line: int = 1) -> str:
    """Decode the bytes of a file, dropping any byte order mark and carriage returns.

    In error messages, `name` is the source of the bytes and `first_line` the number of their first line.
    """
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise error(f"{name}: this is UTF-16. Save the file again with the encoding UTF-8.")
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as failure:
        line = data.count(b"\n", 0, failure.start) + first_line
        raise error(
            f"{name}, line {line}: byte {data[failure.start]:#04x} is not UTF-8. Save the file again with the encoding "
            "UTF-8, or restore an earlier copy."
        ) from None


def read_json(path: str | Path, what: str, error: Error, kind: type = dict) -> Any:
    """Return the contents of a JSON file as a value of type `kind`; arguments and errors are as for `read_text`."""
    return json_of(read_text(path, what, error), str(path), what, error, kind)


def json_of(text: str, name: str, what: str, error: Error, kind: type = dict, first_line: int = 1) -> Any:
    """Parse JSON text and return its value, as `read_json` does.

    In error messages, `name` is the source of the text and `first_line` the number of its first line.
    """
    try:
        value = json.loads(text)
    except json.JSONDecodeError as failure:
        raise error(
            f"{name}, line {first_line + failure.lineno - 1}, column {failure.colno}: this is not JSON: {failure.msg}. "
            "Correct it, or restore an earlier copy."
        ) from None
    except RecursionError:
        raise error(_too_deep(name)) from None
    except ValueError:  # more digits than Python will convert
        raise error(_too_large(name, text, first_line)) from None
    _check(value, name, text, error, first_line)
    if not isinstance(value, kind):
        shape = "a list" if kind is list else "a table of keys and values"
        raise error(f"{name}: a {what} must be {shape}; this is {_short(value)}.")
    return value


def read_toml(path: str | Path, what: str, error: Error) -> dict[str, Any]:
    """Return the contents of a TOML file; arguments and errors are as for `read_text`."""
    return toml_of(read_text(path, what, error, MOST_TOML), str(path), error)


def toml_of(text: str, name: str, error: Error) -> dict[str, Any]:
    """Parse TOML text from the source `name` and return its contents; errors are as for `read_toml`."""
    if found := LONG_KEY.search(text):
        line = text.count("\n", 0, found.start()) + 1
        raise error(f"{name}, line {line}: a key has {MOST_PARTS} dots or more. Use fewer levels of tables.")
    try:
        value = tomllib.loads(text)
    except tomllib.TOMLDecodeError as failure:
        message, position = str(failure), POSITION.search(str(failure))
        message = message[: position.start()] if position else message
        place = f", line {position[1]}" if position and position[1] else ", at its end" if position else ""
        raise error(f"{name}{place}: this is not TOML: {message}. Correct it, or restore an earlier copy.") from None
    except RecursionError:
        raise error(_too_deep(name)) from None
    except ValueError:
        raise error(_too_large(name, text)) from None
    _check(value, name, text, error)
    return value


def check_keys(table: Any, name: str, error: Error, /, **kinds: type | tuple[type, ...]) -> None:
    """Raise `error` unless a table read from `name` has the given keys, with values of the given types."""
    if not isinstance(table, dict):
        raise error(f"{name}: this must be a table of keys and values, not {_short(table)}.")
    for key, kind in kinds.items():
        allowed = kind if isinstance(kind, tuple) else (kind,)
        if key not in table:
            raise error(f"{name}: key {key!r} is missing. Restore an earlier copy of the file, or create it again.")
        if type(table[key]) not in allowed:
            names = " or ".join(KINDS.get(one, one.__name__) for one in allowed)
            raise error(f"{name}: {key} is {_short(table[key])}; it must be {names}.")


KINDS = {
    dict: "a table",
    list: "a list",
    str: "a string",
    int: "an integer",
    float: "a number",
    bool: "true or false",
    type(None): "null",
}
"""Type names for error messages."""


def _check(value: Any, name: str, text: str, error: Error, first_line: int = 1) -> None:
    """Raise `error` for values that are nested too deeply and for integers that are too large."""
    nests = [(value, 1)]
    while nests:
        nest, depth = nests.pop()
        if depth > MOST_DEPTH:
            raise error(_too_deep(name))
        for entry in nest.values() if isinstance(nest, dict) else nest if isinstance(nest, list) else (nest,):
            if isinstance(entry, (dict, list)):
                nests.append((entry, depth + 1))
            elif type(entry) is int and not LOWEST <= entry <= HIGHEST:
                raise error(_too_large(name, text, first_line))


def _too_deep(name: str) -> str:
    return f"{name}: lists and tables are nested more than {MOST_DEPTH} levels deep. Use fewer levels."


def _too_large(name: str, text: str, first_line: int = 1) -> str:
    """Return the error message for an integer of more than 64 bits, giving the line with the longest number."""
    found = max(LONG_DIGITS.finditer(text), key=lambda match: len(match[0]), default=None)
    line = f", line {text.count(chr(10), 0, found.start()) + first_line}" if found else ""
    digits = f"of {len(found[0])} digits " if found else ""
    return f"{name}{line}: an integer {digits}is too large; allowed are {LOWEST} to {HIGHEST}."


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
