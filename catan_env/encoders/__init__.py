"""Observation encoders: `flat` rows, `graph` features by place, `planes` for convolutions.

Features come from the declarations of rule modules. Encoders contain no rules.
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
    """Register an encoder: `make(engine, dtype)` returns an object with `encode`, `space` and `feature_names`."""
    ENCODERS[name] = make


def make_encoder(engine: BatchEngine, name: str, dtype: str = "float32") -> Any:
    """Return the encoder with this name for an engine.

    Raises:
        UnknownEncoderError: no encoder has this name; the message lists all names.
        OptionError: the encoder does not support the dtype or the scenario.
    """
    if not isinstance(name, str) or name not in ENCODERS:
        closest_names = difflib.get_close_matches(str(name), ENCODERS, n=1)
        hint = f" Did you mean {closest_names[0]!r}?" if closest_names else ""
        raise UnknownEncoderError(f"Unknown encoder {name!r}.{hint} Available: {', '.join(sorted(ENCODERS))}.")
    return ENCODERS[name](engine, dtype)


def encoders_of(engine: BatchEngine) -> list[str]:
    """Return the names of the encoders that support an engine's scenario. Some need a map."""
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
