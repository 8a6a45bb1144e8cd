"""Example scripts that train in the environments, using learners from other libraries or a single-loop PPO."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from catan_env.errors import MissingExtraError


@contextmanager
def needs(extra: str, module: str) -> Iterator[None]:
    """If an import in the block fails because a library is missing, raise an error that names the extra to install.

    Args:
        extra: the extra of this package that includes the libraries.
        module: the script's `__name__`; when run directly, the script prints the message and exits.

    Raises:
        MissingExtraError: a library is missing, and the script is being imported.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        message = f"This example needs {error.name!r}, which is not installed: pip install 'catan-env[{extra}]'."
        if module == "__main__":
            raise SystemExit(message) from None
        raise MissingExtraError(message) from error
