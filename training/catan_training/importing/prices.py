"""Prices of the base game: the resources paid for each piece and for a development card."""

from __future__ import annotations

from catan_env.games.base import building, development_cards

COSTS = {number.name: number.default for number in (*building.NUMBERS, *development_cards.NUMBERS)}
ROAD_PRICE, SETTLEMENT_PRICE, CITY_PRICE = COSTS["road_cost"], COSTS["settlement_cost"], COSTS["city_cost"]
CARD_PRICE = COSTS["development_card_cost"]
