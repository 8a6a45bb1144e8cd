"""Observation encoders: `flat` rows, `graph` features for each place, `planes` for convolutions, and custom encoders.

Features come from the declarations in rule modules; encoders themselves contain no rules. A custom encoder is a
function that takes a `SeatView`: register it under a name, or pass `encoder="module:function"` or the function itself.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable
from functools import partial
from typing import Any

from catan_env.encoders.flat import Encoder, FlatEncoder
from catan_env.encoders.graph import GraphEncoder
from catan_env.encoders.layout import Column, Layout, layout_of
from catan_env.encoders.planes import PlanesEncoder
from catan_env.encoders.seat_view import SeatView, ViewEncoder
from catan_env.engine.batch import BatchEngine
from catan_env.errors import OptionError, UnknownEncoderError
from catan_env.outside import load_object

__all__ = [
    "ENCODERS",
    "Column",
    "Encoder",
    "FlatEncoder",
    "GraphEncoder",
    "Layout",
    "PlanesEncoder",
    "SeatView",
    "ViewEncoder",
    "compact_dtype",
    "encoders_of",
    "layout_of",
    "make_encoder",
    "register_encoder",
]

ENCODERS: dict[str, Callable[..., Any]] = {}
"""Encoder classes or factory functions, keyed by name; each is called with an engine and a dtype."""


OWN = {encoder.name: encoder for encoder in (FlatEncoder, GraphEncoder, PlanesEncoder)}
"""The encoders in this package, keyed by name."""
ENCODERS.update(OWN)


def register_encoder(name: str, encode: Callable[[SeatView], Any]) -> None:
    """Register an encoder for use in environments, training and agents.

    Args:
        name: name of the encoder.
        encode: `encode(view)` returns the observations of n games, an (n, ...) array or a dict of such arrays. It is
            passed a `SeatView`, which contains no hidden cards.

    Raises:
        OptionError: the name is already used by an encoder in this package, or `encode` is not callable.
    """
    if not isinstance(name, str) or not name or name in OWN:
        raise OptionError(f"An encoder cannot have the name {name!r}; choose a string other than {', '.join(OWN)}.")
    if not callable(encode):
        raise OptionError(f"Encoder {name!r} must be a function of a SeatView; given: {encode!r}.")
    ENCODERS[name] = partial(ViewEncoder, name=name, encode=encode)


def compact_dtype(name: Any) -> str:
    """Return the smallest dtype that an encoder supports: "float32" for custom encoders, otherwise "uint8"."""
    return "uint8" if isinstance(name, str) and name in OWN else "float32"


def make_encoder(engine: BatchEngine, name: str | Callable[[SeatView], Any], dtype: str = "float32") -> Any:
    """Return an encoder for an engine.

    Args:
        engine: the engine to observe.
        name: name of an encoder, or a function that takes a `SeatView`, given directly or as "module:function" or
            "file.py:function".
        dtype: "float32"; the encoders in this package also support "uint8".

    Raises:
        UnknownEncoderError: no encoder has this name; the message lists all names.
        OptionError: the encoder does not support the dtype or the scenario.
    """
    if isinstance(name, str) and ":" in name and name not in ENCODERS:
        return ViewEncoder(engine, dtype, name, load_object(name, UnknownEncoderError))
    if callable(name):
        return ViewEncoder(engine, dtype, f"{name.__module__}:{getattr(name, '__qualname__', repr(name))}", name)
    if not isinstance(name, str) or name not in ENCODERS:
        closest_names = difflib.get_close_matches(str(name), ENCODERS, n=1)
        hint = f" Did you mean {closest_names[0]!r}?" if closest_names else ""
        raise UnknownEncoderError(
            f"Unknown encoder {name!r}.{hint} Available: {', '.join(sorted(ENCODERS))}; "
            "or give module:function, or a function of a SeatView."
        )
    return ENCODERS[name](engine, dtype)


def encoders_of(engine: BatchEngine) -> list[str]:
    """Return the names of the encoders that support the scenario of an engine. Some encoders need a map."""
    suited_names = []
    for name in ENCODERS:
        try:
            make_encoder(engine, name)
        except OptionError:
            continue
        suited_names.append(name)
    return suited_names


BatchEngine.encoder_factory = staticmethod(make_encoder)
