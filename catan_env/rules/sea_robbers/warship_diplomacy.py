"""With Cities & Knights: a ship built elsewhere by diplomacy pays tribute like any other.

Sources: sea_robbers.md 4 (tribute: without a card to pay, the move is illegal; Cities & Knights add-on).
"""

from catan_env.engine.declare import legal
from catan_env.rules.cities_and_knights.sea_progress import RELOCATE_SHIP
from catan_env.rules.sea.ships import BUILD_SHIP
from catan_env.rules.sea_robbers.warships import resources_of, tribute_for
from catan_env.rules.vocabulary import NOTHING, PATHS


@legal(RELOCATE_SHIP)
def relocated_ships_need_tribute(game, table, seat, mask):
    for path in range(PATHS):
        if mask[BUILD_SHIP + path] and tribute_for(game, table, seat, path, NOTHING) > resources_of(game, seat):
            mask[BUILD_SHIP + path] = False
