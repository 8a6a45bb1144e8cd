"""Observations of a batch of games: `flat` rows, `graph` features by place, `planes` for convolutions.

Every feature comes from a declaration of the scenario's rule modules; no encoder knows a rule.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable
from typing import Any

from catan_env.encoders.flat import Encoder, FlatEncoder
from catan_env.encoders.graph import GraphEncoder
from catan_env.encoders.layout import Column, Layout, layout_of
from catan_env.encoders.planes import PlanesEncoder
from catan_env.engine.batch import BatchEngine
from catan_env.errors import OptionError, UnknownEncoderError

__all__ = [
    "ENCODERS",
    "Column",
    "Encoder",
    "FlatEncoder",
    "GraphEncoder",
    "Layout",
    "PlanesEncoder",
    "encoders_of",
    "layout_of",
    "make_encoder",
    "register_encoder",
]

ENCODERS: dict[str, Callable[..., Any]] = {}
"""By name: classes or functions called with an engine and a dtype."""


def register_encoder(name: str, make: Callable[..., Any]) -> None:
    """Makes an encoder known: `make(engine, dtype)` returns an object with `encode`, `space`, `feature_names`."""
    ENCODERS[name] = make


def make_encoder(engine: BatchEngine, name: str, dtype: str = "float32") -> Any:
    """The encoder of this name for an engine's games.

    Raises:
        UnknownEncoderError: there is none; the message lists those there are.
        OptionError: the dtype, or the scenario, does not suit it.
    """
    if not isinstance(name, str) or name not in ENCODERS:
        closest_names = difflib.get_close_matches(str(name), ENCODERS, n=1)
        hint = f" Did you mean {closest_names[0]!r}?" if closest_names else ""
        raise UnknownEncoderError(f"Unknown encoder {name!r}.{hint} There are: {', '.join(sorted(ENCODERS))}.")
    return ENCODERS[name](engine, dtype)


def encoders_of(engine: BatchEngine) -> list[str]:
    """Names of the encoders that suit an engine's scenario: some draw maps, and not every game has one."""
    suited_names = []
    for name in ENCODERS:
        try:
            make_encoder(engine, name)
        except OptionError:
            continue
        suited_names.append(name)
    return suited_names


for _encoder in (FlatEncoder, GraphEncoder, PlanesEncoder):
    register_encoder(_encoder.name, _encoder)

BatchEngine.encoder_factory = staticmethod(make_encoder)
