"""Scores for The Pirate Islands: build the line of ships, arm it with knights, and attack when the odds are good."""

from __future__ import annotations

from catan_agents.heuristic.generated import shared
from catan_agents.heuristic.scoring import score, score_bonus
from catan_agents.heuristic.sea import PRIZE, SAILABLE, WORTH_SAILING_TO
from catan_env.games.base.development_cards import BUY_CARD, PLAY_KNIGHT
from catan_env.games.seafarers import fortresses as fortress_rules
from catan_env.games.seafarers.fortresses import (
    ATTACK_FORTRESS,
    FORCED,
    is_at_main_island,
    is_of_main_island,
    line_owner,
)
from catan_env.games.seafarers.ships import BUILD_SHIP
from catan_env.games.vocabulary import DEGREE, NOTHING, PATHS

NEXT_SHIP = 9.0
"""Value, in pips, of the next ship in the line. Nobody can win without recapturing their fortress."""
ENOUGH = 5
"""Number of warships to attack with, which gives a two-in-three chance of success."""
LEAST = 2
"""The fewest warships that can win an attack."""
PATIENCE, HASTE = 30, 5
"""Number of rounds after which the seat attacks with one warship fewer, and number of rounds before each further
reduction. Not every seat gets enough knights."""


HOLD_BACK = -1000.0
"""Penalty for a ship that completes the line too early."""


@shared()
def ships_missing(game, params, seat, memo):
    """Return the number of ships missing in the seat's line."""
    missing = 0
    for path in range(PATHS):
        missing += line_owner(params, path) == seat and game.edge_owner[path] != seat
    return missing


def completes_too_early(game, params, seat, memo, path):
    """Return whether a ship on a path would force an attack with too few warships."""
    if line_owner(params, path) != seat or ships_missing(game, params, seat, memo) != 1:
        return False
    return params.fortress_attack == FORCED and game.warships[seat] < warships_needed(game, params)


@PRIZE.contribution(of=fortress_rules)
def line(game, params, seat, memo, path):
    """Return the value of a path in the seat's line; 0 once the fortress has been recaptured."""
    if line_owner(params, path) != seat or game.lairs[seat] == 0:
        return 0.0
    return 0.0 if completes_too_early(game, params, seat, memo, path) else NEXT_SHIP


@WORTH_SAILING_TO.contribution(of=fortress_rules)
def on_main_island(game, params, seat, memo, intersection):
    """Return whether an intersection is on the main island, where the seat may settle."""
    for k in range(DEGREE):
        hex = params.intersection_hexes[intersection, k]
        if hex != NOTHING and is_of_main_island(params, hex):
            return True
    return False


@SAILABLE.contribution(of=fortress_rules)
def at_main_island_or_in_line(game, params, seat, memo, path):
    """Return whether a path may hold ships: at the main island, or in the seat's line."""
    return line_owner(params, path) == seat or is_at_main_island(params, path)


@score_bonus(PLAY_KNIGHT, of=fortress_rules)
def arm(game, params, seat, memo, argument):
    """Play every knight immediately, because knights arm ships."""
    return 400.0


@score_bonus(BUY_CARD, of=fortress_rules)
def buy_knights(game, params, seat, memo, argument):
    """Buy development cards while lairs are left at the fortress and the seat has too few warships."""
    return 150.0 if game.lairs[seat] > 0 and game.warships[seat] <= ENOUGH else 0.0


def warships_needed(game, params):
    """Return how many warships make the odds good enough. Seats that have waited long accept worse odds."""
    rounds_begun = game.turn // params.num_players
    return min(max(ENOUGH - (rounds_begun - PATIENCE + HASTE) // HASTE, LEAST), ENOUGH)


@score(ATTACK_FORTRESS)
def attack_fortress(game, params, seat, memo, argument):
    """Attack at the end of the turn; if attacking is optional, do so only when the odds are good."""
    is_worthwhile = params.fortress_attack == FORCED or game.warships[seat] >= warships_needed(game, params)
    return 1.0 if is_worthwhile else -10.0


@score_bonus(BUILD_SHIP, of=fortress_rules)
def hold_back(game, params, seat, memo, path):
    """Hold back the last ship of the line until the odds of the attack are good."""
    return HOLD_BACK if completes_too_early(game, params, seat, memo, path) else 0.0
