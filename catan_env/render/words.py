"""Actions, outcomes and moves in words."""

from __future__ import annotations

from collections.abc import Mapping

from catan_env.engine.actions import ActionTable
from catan_env.engine.batch import BatchEngine
from catan_env.engine.compose import Composition
from catan_env.engine.declare import Action, Draw

HIDDEN = "[hidden]"


def sentence_for(engine: BatchEngine, game: int, action: int) -> str:
    """What a person would say of an action that the seat to act in a game may take."""
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


def sentence(  # noqa: PLR0913 (all that a sentence may mention)
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
    """What a person would say of an action of seat `actor`, or of a chance outcome.

    `table` is the engine's table of actions or outcomes. Opponents, who are counted to the left, become seats.
    With `hidden` the argument stays untold. `names` are what people call places, by axis (`engine.place_names`),
    `custom_text` what rules say of an action in place of its text (`engine.custom_text`).
    """
    name, argument = table.pair(entry)
    kind: Action | Draw = (composition.draws if chance else composition.actions)[name]
    if hidden and "{}" in kind.text:
        return kind.text.format(HIDDEN)
    if table.axis(name) == "opponents" and actor >= 0:
        return kind.text.format(f"seat {(actor + 1 + argument) % num_players}")
    return table.describe(entry, names, custom_text).replace("_", " ")
