"""Example scripts that train on the environments: other libraries' learners, and PPO in a single loop."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from catan_env.errors import MissingExtraError


@contextmanager
def needs(extra: str, module: str) -> Iterator[None]:
    """Raise an error that names the extra to install, if a library that the block imports is missing.

    Args:
        extra: extra of this package with these libraries.
        module: `__name__` of the script; a script that is run prints the message and exits.

    Raises:
        MissingExtraError: a library is missing, and the script is imported.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        message = f"This example needs {error.name!r}, which is not installed: pip install 'catan-env[{extra}]'."
        if module == "__main__":
            raise SystemExit(message) from None
        raise MissingExtraError(message) from error
