"""Scores for Cities & Knights with Seafarers: knights chase the pirate away from the seat's ships."""

from __future__ import annotations

from catan_agents.heuristic.cities_and_knights import DANGER, alarm, is_beside, must_choose_knight
from catan_agents.heuristic.scoring import score_bonus
from catan_agents.heuristic.sea import SHIP_IS_FREE
from catan_env.engine.decision_stack import head
from catan_env.games.cities_and_knights import sea_progress as sea_progress_rules
from catan_env.games.cities_and_knights.knight_actions import TAKE_KNIGHT
from catan_env.games.cities_and_knights.sea_progress import RELOCATE_SHIP
from catan_env.games.seafarers import pirate as pirate_rules
from catan_env.games.vocabulary import CORNERS, NOTHING


@SHIP_IS_FREE.contribution(of=sea_progress_rules)
def is_relocated_ship(game, params, seat, memo, where):
    return head(game) == RELOCATE_SHIP


def has_ship_at_hex(game, params, seat, hex):
    """Return whether the seat has a ship at a hex."""
    for k in range(CORNERS):
        path = params.hex_paths[hex, k]
        if path != NOTHING and game.edge_owner[path] == seat and game.ships[path] > 0:
            return True
    return False


@score_bonus(TAKE_KNIGHT, of=pirate_rules)
def chase_the_pirate(game, params, seat, memo, intersection):
    """While the barbarians are far off, choose a knight next to a pirate that is pinning the seat's ships."""
    if game.pirate == NOTHING or must_choose_knight(game) or alarm(game, params, seat, memo) >= DANGER:
        return 0.0
    is_troubled = has_ship_at_hex(game, params, seat, game.pirate)
    return 550.0 if is_troubled and is_beside(params, intersection, game.pirate) else 0.0
