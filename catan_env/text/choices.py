"""The legal actions of a decision, presented for people: grouped by kind, in words, with their places on the board.

Everything is derived from declarations: the sentence of an action, the axis of its argument, and the map that numbers
places on that axis.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from catan_env.engine.declare import Size
from catan_env.render.view import Reading
from catan_env.render.words import sentence_for

if TYPE_CHECKING:
    from catan_env.engine.batch import BatchEngine

OPPONENTS = "opponents"
SEATS = "seats"
"""The kind of place for actions that name an opponent, whose panel is the place."""

ORDER = (
    ("roll",),
    ("accept", "confirm", "decline", "counter", "submit"),
    ("offer", "ask", "trade", "make", "exchange", "swap", "give"),
    ("build", "found", "recruit", "set", "promote", "activate", "improve", "move", "take"),
    ("buy",),
    ("play", "redeem", "use"),
)
"""First words of sentences, in the order in which people consider actions. Sentences with other first words follow."""
CLOSING = ("end", "pass", "withdraw", "drop", "forgo", "leave", "let", "do", "keep", "spare")
"""First words of sentences that end something; these come last."""
MAIN = ("roll", "submit", "end")
"""First words of sentences that advance the turn; pages show these before all others."""
SMALL_WORDS = ("1", "a", "the", "on", "to", "at", "in", "of")
"""Words that may not end a title."""


class ActionChoice(NamedTuple):
    """A legal action: its id, its sentence, the name of its argument, and its place as (kind, index) or None."""

    action: int
    words: str
    label: str
    place: tuple[str, int] | None


class Group(NamedTuple):
    """All legal actions of one kind."""

    kind: str
    title: str
    options: list[ActionChoice]


def groups_of(engine: BatchEngine) -> list[Group]:
    """Return the legal actions of game 0, grouped by kind, in an order that people find natural."""
    composition, actions = engine.program.composition, engine.actions
    layout, seat = Reading(engine, [0]).game().layout, int(engine.seat_to_act[0])
    groups: dict[str, Group] = {}
    for action in np.flatnonzero(engine.action_mask[0]).tolist():
        kind, argument = actions.pair(action)
        axis, words = actions.axis(kind), sentence_for(engine, 0, action)
        place: tuple[str, int] | None
        if axis == OPPONENTS:
            opponent = (seat + 1 + argument) % engine.num_players
            place, label = (SEATS, opponent), f"seat {opponent}"
        else:
            place, label = layout.place(axis, argument), _label(engine, kind, argument)
        if kind not in groups:
            groups[kind] = Group(kind, title_of(composition.actions[kind].text), [])
        groups[kind].options.append(ActionChoice(action, words, label, place))
    return sorted(groups.values(), key=lambda group: _rank(group.title))


def title_of(text: str) -> str:
    """Return the title of a kind of action: its sentence without the argument, such as "build a road"."""
    before, _, after = text.partition("{}")
    words = before.split()
    while not after and len(words) > 1 and words[-1] in SMALL_WORDS:
        words.pop()
    if after and words[-1:] == ["1"]:
        words.pop()
    return " ".join([*words, *after.split()]).replace("_", " ")


def _label(engine: BatchEngine, kind: str, argument: int) -> str:
    if engine.program.composition.actions[kind].over is None:
        return ""
    names = engine.actions.argument_names(kind)
    return names[argument].replace("_", " ") if names else str(argument)


def _rank(title: str) -> int:
    first_word = title.split(" ", 1)[0]
    if first_word in CLOSING:
        return len(ORDER) + 1
    return next((rank for rank, words in enumerate(ORDER) if first_word in words), len(ORDER))


def place_of_decision(engine: BatchEngine) -> tuple[str, int] | None:
    """Return the place that the current decision is about, such as that of a ship that was picked up, or None."""
    decision = engine.program.composition.decisions.get(engine.decision(0))
    if decision is None or not isinstance(decision.argument, Size):
        return None
    record = engine.state[0]
    argument = int(record["decision_arguments"][record["depth"] - 1])
    if not 0 <= argument < engine.program.composition.extent(decision.argument):
        return None
    return Reading(engine, [0]).game().layout.place(decision.argument.name, argument)


def may_repeat(engine: BatchEngine) -> bool:
    """Return whether the current decision may be one in a series of similar ones, as in a discard or a trade offer.

    Decisions that present a menu, such as a turn, do not qualify: each action there is a decision of its own.
    """
    decision = engine.program.composition.decisions.get(engine.decision(0))
    return decision is not None and not decision.menus


def as_json(groups: list[Group], parts: list[str]) -> list[dict[str, Any]]:
    """Return the groups shown on a page. `parts` names the kinds whose actions are steps of a longer decision."""
    return [
        {
            "kind": group.kind,
            "title": group.title,
            "part": group.kind in parts,
            "main": group.title.split(" ", 1)[0] in MAIN,
            "options": [list(option) for option in group.options],
        }
        for group in groups
    ]
