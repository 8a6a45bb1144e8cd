"""Parts that bridges share: results of games at another table, and decisions."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, field
from typing import Any

from catan_env import BatchEngine

REFUSALS = ("decline", "withdraw", "cancel_offer", "end_turn")
"""Answers to decisions that other engines do not have, such as counter-offers."""


@dataclass
class Result:
    """A game at the table of another engine."""

    seed: int
    winner: int
    """Seat that has won; -1 without a winner."""
    points: list[int]
    turns: int
    seconds: float
    seconds_by_seat: list[float]
    decisions_by_seat: list[int]
    """Decisions with an alternative."""
    differences: dict[str, int]
    """How often the engines differed, by what differed."""
    actions: list[Any] = field(repr=False)
    """The game in the form of the other engine, in JSON types."""
    log: dict[str, Any] = field(repr=False)
    """The game as a replay log of this project. It ends at the first difference, see `is_exact` in it."""


def initial_decisions(num_players: int, num_settlements: int, road: tuple[int, int] | None) -> list[tuple[Any, ...]]:
    """Return the pending decisions of the initial placement, the current one last.

    Args:
        num_players: number of players; seat 0 begins.
        num_settlements: settlements on the board.
        road: seat that places a road now, and the intersection of its new settlement; None before a settlement.
    """
    order = [*range(num_players), *reversed(range(num_players))]
    decisions: list[tuple[Any, ...]] = []
    for seat in reversed(order[num_settlements:]):
        decisions += [("place_initial_road", seat), ("place_initial_settlement", seat)]
    return [*decisions, ("place_initial_road", *road)] if road else decisions


def refusal(engine: BatchEngine, legal: Container[int]) -> int | None:
    """Return the legal action that refuses what another engine does not know; None if there is none."""
    return next((engine.actions.id(name) for name in REFUSALS if engine.actions.id(name) in legal), None)
