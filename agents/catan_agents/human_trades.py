"""Convert trades typed on one line, such as "2 wool for 1 ore", to sequences of actions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from catan_env.engine.batch import BatchEngine
from catan_env.games.base import bank_trade, player_trade
from catan_env.games.vocabulary import HAND_CARDS, RATE
from catan_env.render.words import sentence_for

if TYPE_CHECKING:
    from catan_agents.human_draft import Draft

CARDS = r"\d+ [a-z_ ]+?(?:(?:,| and|,? ?\+) ?\d+ [a-z_ ]+?)*"
LINE = re.compile(rf"(?:(offer|counter|bank|trade) )?({CARDS}) for ({CARDS})(?: with the bank)?")
OPENING = (player_trade.MAKE_OFFER.name, player_trade.COUNTER.name)


def words_for(engine: BatchEngine, action: int) -> str:
    """Describe an action in game 0; bank trades include the rate, as in "4 wool for 1 ore"."""
    kind, argument = engine.actions.pair(action)
    words = sentence_for(engine, 0, action)
    if kind != bank_trade.TRADE_WITH_BANK.name:
        return words
    given_card = argument // (engine.program.composition.extent(HAND_CARDS) - 1)
    rate_in_python = engine.program.composition.plain.bind(bank_rate)
    rate = rate_in_python(engine.batch.records[0], engine.batch.params[0], engine.seat_to_act[0], given_card)
    return words.replace("trade ", f"trade {rate} ", 1)


def bank_rate(game: Any, params: Any, seat: int, card: int) -> int:
    """Rule: return the number of cards of a kind that the bank charges for one other card."""
    return RATE(game, params, seat, card)


def is_trade(text: str) -> bool:
    """Return whether a line looks like a trade."""
    return LINE.fullmatch(text) is not None


def actions_for(draft: Draft, text: str) -> list[int]:
    """Return the actions that carry out a trade, preferring the bank if it accepts the trade.

    "offer 2 wool for 1 ore" always asks the other players.

    Raises:
        ValueError: the trade cannot be made now; the message explains why.
    """
    match = LINE.fullmatch(text)
    if match is None:
        raise ValueError("Write a trade as: 2 wool for 1 ore.")
    given, wanted = _cards(match[2]), _cards(match[3])
    if match[1] != "offer":
        bank = f"trade {match[2]} for {match[3]} with the bank"
        for action in draft.legal.tolist():
            if words_for(draft.engine, action) == bank:
                return [action]
        if match[1] == "bank" or text.endswith("with the bank"):
            raise ValueError("The bank does not take this trade now; the list shows its trades.")
    return _offer(draft, given, wanted)


def _cards(text: str) -> list[tuple[int, str]]:
    """Return the counts and kinds in a string such as "2 wool, 1 ore"."""
    return [(int(number), name.strip()) for number, name in re.findall(r"(\d+) ([a-z_ ]+?)(?:,| and|,? ?\+|$)", text)]


def _offer(draft: Draft, given: list[tuple[int, str]], wanted: list[tuple[int, str]]) -> list[int]:
    """Return the actions that complete an offer or counter-offer, starting from the draft's current position."""
    engine, mask = draft.engine, draft.engine.action_mask[0]
    kinds = {engine.actions.pair(action)[0] for action in np.flatnonzero(mask).tolist()}
    opening = [engine.actions.id(kind, 0) for kind in OPENING if kind in kinds]
    is_drafting = player_trade.CANCEL_OFFER.name in kinds
    if not opening and not is_drafting:
        raise ValueError("No trade offer can be made now.")
    actions = opening[:1] if not is_drafting else []
    for kind, cards in ((player_trade.OFFER_CARD, given), (player_trade.ASK_CARD, wanted)):
        names = [name.replace("_", " ") for name in engine.actions.argument_names(kind.name) or ()]
        for number, name in cards:
            if name not in names:
                raise ValueError(f"There is no {name!r}; there are: {', '.join(names)}.")
            actions += [engine.actions.id(kind.name, names.index(name))] * number
    return [*actions, engine.actions.id(player_trade.SUBMIT_OFFER.name, 0)]


def add_trade(draft: Draft, text: str) -> None:
    """Add a trade to a draft, or add nothing if any part of it is illegal.

    Raises:
        ValueError: the trade cannot be made now; the message explains why.
    """
    actions, before = actions_for(draft, text), len(draft.actions)
    for action in actions:
        if draft.is_final or not draft.engine.action_mask[0, action]:
            problem = _describe(draft.engine, action)
            while len(draft.actions) > before:
                draft.undo()
            raise ValueError(f"This trade cannot be made now: {problem!r} is not possible.")
        draft.add([action])


def _describe(engine: BatchEngine, action: int) -> str:
    return engine.actions.describe(action).replace("_", " ")
