"""The mendicant: build a road, paying any resource instead of lumber or brick."""

from catan_env.engine.decision_stack import pop, push
from catan_env.engine.declare import Action, Decision, Kind, apply, legal, rule
from catan_env.games.base.building import BUILD_ROAD
from catan_env.games.base.network import ROAD, can_build_road_somewhere, mark_edge_pieces, place_edge_piece
from catan_env.games.base.turns import BUILD, PLAY
from catan_env.games.helpers.helper_cards import HELPERS
from catan_env.games.helpers.helper_use import is_ready, use
from catan_env.games.helpers.substitutes import mark_substitutes, pay_with
from catan_env.games.vocabulary import CARD_PAIRS

MENDICANT = Kind("mendicant", HELPERS)
KINDS = (MENDICANT,)

BEG_ROAD = Action(
    "beg_road",
    "let the mendicant pay a road with {}",
    CARD_PAIRS,
    "the mendicant ready, the rest of the price, a road piece and a place for it",
)
ACTIONS = (BEG_ROAD,)

BEGGED_ROAD = Decision("begged_road", "build the road with the mendicant's price")


@rule("helpers.captain.2", "helpers.mendicant.1", "helpers.mendicant.3")
@legal(PLAY, BUILD)
def may_beg_road(game, params, seat, mask):
    if is_ready(game, seat, MENDICANT) and can_build_road_somewhere(game, seat):
        mark_substitutes(game, seat, params.road_cost, BEG_ROAD, mask)


@rule("helpers.mendicant.2")
@apply(BEG_ROAD)
def beg_road(game, params, seat, pair):
    """The player pays first and then builds. Unlike a free road, this road is mandatory."""
    use(game, seat)
    pay_with(game, seat, params.road_cost, pair)
    push(game, BEGGED_ROAD, seat)


@rule("helpers.mendicant.2", "helpers.mendicant.3")
@legal(BEGGED_ROAD)
def places_for_begged_road(game, params, seat, mask):
    mark_edge_pieces(game, seat, ROAD, BUILD_ROAD, mask)


@rule("helpers.mendicant.2")
@apply(BUILD_ROAD, at=(BEGGED_ROAD,))
def build_begged_road(game, params, seat, path):
    pop(game)
    place_edge_piece(game, params, seat, ROAD, path)
