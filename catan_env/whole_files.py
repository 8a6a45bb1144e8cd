"""Write files atomically, with errors that name the file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from errno import EISDIR
from os import fsync, replace, strerror
from pathlib import Path
from uuid import uuid4


@contextmanager
def naming(path: str | Path) -> Iterator[None]:
    """Add a file name to any `OSError` raised in the `with` block without one, such as the error for a full disk."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            error.filename = str(path)
        raise


def write_whole(path: str | Path, data: str | bytes | memoryview, sync: bool = False) -> None:
    """Write a file atomically, encoding text as UTF-8. Its folder is created if needed.

    If the process is killed, the previous file is kept. If several processes or threads write the same file, the last
    one to finish wins. With `sync`, the new file is flushed to disk before it replaces the previous one.

    Raises:
        OSError: the file cannot be written; the previous file is unchanged.
    """
    path = Path(path)
    if path.is_dir():
        raise IsADirectoryError(EISDIR, strerror(EISDIR), str(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{uuid4().hex[:12]}.new")
    try:
        with draft.open("wb") as file:
            file.write(data.encode() if isinstance(data, str) else data)
            if sync:
                file.flush()
                fsync(file.fileno())
        replace(draft, path)
    except OSError as error:
        error.filename, error.filename2 = str(path), None
        raise
    finally:
        draft.unlink(missing_ok=True)
