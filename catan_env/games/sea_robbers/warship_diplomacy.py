"""With Cities & Knights: a ship rebuilt by diplomacy pays tribute like any other."""

from catan_env.engine.declare import legal, rule
from catan_env.games.base.resources import resources_in
from catan_env.games.cities_and_knights.sea_progress import RELOCATE_SHIP
from catan_env.games.sea_robbers.warships import bar_unpaid_places
from catan_env.games.vocabulary import NOTHING


@rule("sea_robbers.battles.12")
@legal(RELOCATE_SHIP)
def relocated_ships_need_tribute(game, params, seat, mask):
    bar_unpaid_places(game, params, seat, mask, NOTHING, resources_in(game.hands[seat]))
