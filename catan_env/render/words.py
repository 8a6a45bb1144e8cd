"""Sentences that describe actions and chance outcomes."""

from __future__ import annotations

from collections.abc import Mapping

from catan_env.engine.actions import ActionTable
from catan_env.engine.batch import BatchEngine
from catan_env.engine.compose import Composition
from catan_env.engine.declare import Action, Draw

HIDDEN = "[hidden]"


def sentence_for(engine: BatchEngine, game: int, action: int) -> str:
    """Describe an action that is available to the seat to act in a game."""
    return sentence(
        engine.program.composition,
        engine.actions,
        action,
        False,
        int(engine.seat_to_act[game]),
        engine.num_players,
        names=engine.place_names(game),
        custom_text=engine.custom_text(game, action),
    )


def sentence(  # noqa: PLR0913 (the parts of a sentence)
    composition: Composition,
    table: ActionTable,
    entry: int,
    chance: bool,
    actor: int,
    num_players: int,
    hidden: bool = False,
    names: Mapping[str, tuple[str, ...]] | None = None,
    custom_text: str = "",
) -> str:
    """Describe an action by seat `actor`, or a chance outcome.

    Arguments that count opponents to the left are shown as seats.

    Args:
        table: the engine's table of actions, or of outcomes if `chance` is set.
        hidden: replace the argument with "[hidden]".
        names: names of places by axis, from `engine.place_names`.
        custom_text: text from `engine.custom_text`, which replaces the declaration's text.
    """
    name, argument = table.pair(entry)
    kind: Action | Draw = (composition.draws if chance else composition.actions)[name]
    if hidden and "{}" in kind.text:
        return kind.text.format(HIDDEN)
    if table.axis(name) == "opponents" and actor >= 0:
        return kind.text.format(f"seat {(actor + 1 + argument) % num_players}")
    return table.describe(entry, names, custom_text).replace("_", " ")
