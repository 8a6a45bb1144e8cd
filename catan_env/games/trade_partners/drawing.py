"""Drawings for trade partners: owners, public hands and harbor rates, shown in the owners' panels."""

from __future__ import annotations

from collections.abc import Iterator

from catan_env.engine.declare import NEUTRAL_LETTERS
from catan_env.render.badges import Badge, kinds, phrase
from catan_env.render.drawing import calls_neutral, sets
from catan_env.render.view import Item


@calls_neutral("partner_hands")
def partner_of(number: int) -> str:
    return f"{NEUTRAL_LETTERS[number]}, partner of {number}"


@sets("partner_hands")
def hand_of_partner(item: Item, rules: dict, fresh: tuple[int, ...] | None = None) -> Iterator[Badge]:
    """Show the partner's hand even if it is empty, because a 7 may just have emptied it."""
    label = "partner holds"
    if any(item.value):
        yield from kinds(item._replace(label=label))
    else:
        yield phrase(label, "nothing")


@sets("partner_rates")
def rates_of_partner(item: Item, rules: dict, fresh: tuple[int, ...] | None = None) -> Iterator[Badge]:
    """Show the partner's trade rates that beat the bank rate."""
    usual_rate = max(item.value)
    if usual_rate < rules["bank_rate"]:
        yield phrase("partner trades", f"{usual_rate}:1")
    for kind, rate in zip(item.labels, item.value, strict=True):
        if rate < usual_rate:
            yield phrase(f"partner {kind}", f"{rate}:1")
