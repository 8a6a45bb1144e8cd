"""Code shared by all bridges: results of games played on another engine, and decisions."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, field
from typing import Any

from catan_env import BatchEngine

REFUSALS = ("decline", "withdraw", "cancel_offer", "end_turn")
"""Answers to decisions that do not exist in other engines, such as counteroffers."""


@dataclass
class Result:
    """The result of a game played on another engine."""

    seed: int
    winner: int
    """The winning seat, or -1 if there is no winner."""
    points: list[int]
    turns: int
    seconds: float
    seconds_by_seat: list[float]
    decisions_by_seat: list[int]
    """Number of decisions with more than one legal action."""
    differences: dict[str, int]
    """Number of differences between the engines, keyed by what differed."""
    actions: list[Any] = field(repr=False)
    """The game in the format of the other engine, as JSON types."""
    log: dict[str, Any] = field(repr=False)
    """The game as a replay log in our format, ending at the first difference; see the `is_exact` note in the log."""


def initial_decisions(num_players: int, num_settlements: int, road: tuple[int, int] | None) -> list[tuple[Any, ...]]:
    """Return the pending decisions during initial placement; the last one is current.

    Args:
        num_players: number of players; seat 0 starts.
        num_settlements: number of settlements already on the board.
        road: the seat about to place a road and the intersection of its new settlement, or None if a settlement is
            next.
    """
    order = [*range(num_players), *reversed(range(num_players))]
    decisions: list[tuple[Any, ...]] = []
    for seat in reversed(order[num_settlements:]):
        decisions += [("place_initial_road", seat), ("place_initial_settlement", seat)]
    return [*decisions, ("place_initial_road", *road)] if road else decisions


def refusal(engine: BatchEngine, legal: Container[int]) -> int | None:
    """Return the legal action that refuses a decision unknown to another engine, or None if there is none."""
    return next((engine.actions.id(name) for name in REFUSALS if engine.actions.id(name) in legal), None)
