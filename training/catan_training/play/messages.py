"""Messages from pages: format and rate limit."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from catan_env.errors import CatanError
from catan_env.text_files import json_of

MOST_CHARACTERS = 4096
PER_SECOND, BURST = 30.0, 60.0
"""Number of messages that a page may send per second on average, and in a burst."""
MOST_REFUSED = 200
"""The server closes a connection after this many consecutive rejected messages."""
HIGHEST = 2**31


class MessageError(CatanError, ValueError):
    """A message from a page is malformed, outdated, too large or too early."""


@dataclass(frozen=True)
class Message:
    """A validated message.

    Attributes:
        type: one of `FORMS`.
        version: version of the game shown on the page.
        actions: action ids, in order.
        move: number of a past move to look back to.
        agent: an agent's name.
    """

    type: str
    version: int = -1
    actions: tuple[int, ...] = ()
    move: int = 0
    agent: str = ""


FORMS: dict[str, dict[str, type]] = {
    "act": {"version": int, "actions": list},
    "try": {"version": int, "actions": list},
    "undo": {"version": int},
    "look": {"move": int},
    "think": {"version": int, "agent": str},
}
"""Keys and value types of each type of message, in addition to `type` itself."""


def read_message(text: Any) -> Message:
    """Parse a message.

    Raises:
        MessageError: the text is not a valid message.
    """
    if not isinstance(text, str) or len(text) > MOST_CHARACTERS:
        raise MessageError(f"A message is a text of at most {MOST_CHARACTERS} characters.")
    found = json_of(text, "the message", "message", MessageError)
    form = FORMS.get(found["type"]) if isinstance(found.get("type"), str) else None
    if form is None:
        raise MessageError(f"The type of a message is one of: {', '.join(FORMS)}.")
    if set(found) != {"type", *form}:
        raise MessageError(f"A message of type {found['type']!r} has the keys: {', '.join(('type', *form))}.")
    for key, kind in form.items():
        if type(found[key]) is not kind:
            raise MessageError(f"{key!r} of a message must be of type {kind.__name__}.")
        numbers = found[key] if kind is list else [found[key]] if kind is int else []
        if not all(type(number) is int and 0 <= number < HIGHEST for number in numbers):
            raise MessageError(f"{key!r} of a message must hold whole numbers from 0 to {HIGHEST - 1}.")
    if "actions" in found:
        found["actions"] = tuple(found["actions"])
    return Message(**found)


class Allowance:
    """The number of messages that a connection may currently send, which refills over time."""

    def __init__(self, clock: Callable[[], float] = time.monotonic):
        self._clock, self._left, self._at = clock, BURST, clock()

    def spend(self) -> None:
        """Count one message.

        Raises:
            MessageError: too many messages have arrived in a short time.
        """
        now = self._clock()
        self._left = min(BURST, self._left + (now - self._at) * PER_SECOND)
        self._at = now
        if self._left < 1:
            raise MessageError(f"Too many messages: at most {PER_SECOND:.0f} a second.")
        self._left -= 1
