"""Writing files so that they are there whole or not at all, and errors that name the file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from errno import EISDIR
from os import fsync, replace, strerror
from pathlib import Path


@contextmanager
def naming(path: str | Path) -> Iterator[None]:
    """Give an `OSError` of what is done inside the name of this file: that of a full disk has none."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            error.filename = str(path)
        raise


def write_whole(path: str | Path, data: str | bytes | memoryview, sync: bool = False) -> None:
    """Write a file, text in UTF-8, in place of what was there at once; the folder is made if need be.

    Who is killed while writing leaves the file that was there before. With `sync`, the new one is on the disk first.

    Raises:
        OSError: it cannot be written; nothing has changed.
    """
    path = Path(path)
    if path.is_dir():
        raise IsADirectoryError(EISDIR, strerror(EISDIR), str(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(path.name + ".new")
    try:
        with naming(path), draft.open("wb") as file:
            file.write(data.encode() if isinstance(data, str) else data)
            if sync:
                file.flush()
                fsync(file.fileno())
    except OSError:
        draft.unlink(missing_ok=True)
        raise
    replace(draft, path)
