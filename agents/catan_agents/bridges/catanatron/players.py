"""catanatron's players, keyed by name."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import Any

from catan_agents.bridges.catanatron import library
from catan_env.errors import OptionError, UnknownAgentError


@dataclass(frozen=True)
class PlayerKind:
    """A kind of catanatron player.

    Attributes:
        module, name: where the player's class is defined.
        sees: the parts of a catanatron game that the player reads.
        options: names of the options that the player accepts.
    """

    module: str
    name: str
    sees: str
    options: tuple[str, ...] = ()


ALL = "all hands and the order of the development cards"
KINDS = {
    "random": PlayerKind("catanatron.models.player", "RandomPlayer", "its legal actions"),
    "weighted": PlayerKind("catanatron.players.weighted_random", "WeightedRandomPlayer", "its legal actions"),
    "victory-points": PlayerKind(
        "catanatron.players.search", "VictoryPointPlayer", "its own cards and points, the board"
    ),
    "value": PlayerKind(
        "catanatron.players.value",
        "ValueFunctionPlayer",
        "the board, its hand, and the result of each possible action, chance included",
        ("params", "epsilon"),
    ),
    "alpha-beta": PlayerKind("catanatron.players.minimax", "AlphaBetaPlayer", ALL, ("depth", "prunning", "epsilon")),
    "same-turn-alpha-beta": PlayerKind(
        "catanatron.players.minimax", "SameTurnAlphaBetaPlayer", ALL, ("depth", "prunning", "epsilon")
    ),
}
"""Players, keyed by name. Those in `players.value` and `players.minimax` are available only in a checkout."""


def kind_of(name: str) -> PlayerKind:
    """Return a kind of player by name.

    Raises:
        UnknownAgentError: catanatron has no such player.
    """
    if name not in KINDS:
        close = difflib.get_close_matches(name, KINDS, n=1)
        hint = f" Did you mean {close[0]!r}?" if close else ""
        raise UnknownAgentError(f"catanatron has no player {name!r}.{hint} Available: {', '.join(KINDS)}.")
    return KINDS[name]


def make_player(name: str, color: Any, **options: Any) -> Any:
    """Create a catanatron player.

    Raises:
        UnknownAgentError: catanatron has no such player.
        OptionError: the player does not accept one of the options.
        MissingExtraError: the version of catanatron in use lacks this player.
    """
    kind = kind_of(name)
    if unknown := sorted(set(options) - set(kind.options)):
        raise OptionError(
            f"Player {name!r} has no option {unknown[0]!r}; it takes: {', '.join(kind.options) or 'no options'}."
        )
    library.load()
    return getattr(library.part(kind.module), kind.name)(color, **options)
