"""Terms for The Pirate Islands: the line of ships, warships, attacks, and the effect of the fleet."""

from catan_agents.evaluation.base import WAYS_TO_ROLL, nearness
from catan_agents.evaluation.terms import Term, measures
from catan_env.games.base import bank_trade as bank_trade_rules
from catan_env.games.base import development_cards as development_cards_rules
from catan_env.games.base.development_cards import KNIGHT
from catan_env.games.seafarers import fortresses as fortress_rules
from catan_env.games.seafarers import pirate_fleet as fleet_rules
from catan_env.games.seafarers.fortresses import FORCED, is_complete, ships_in_line
from catan_env.games.seafarers.pirate_fleet import FLEET_LOOP, NUM_SIDES
from catan_env.games.vocabulary import CORNERS, NOTHING

ENOUGH = NUM_SIDES + 1
"""Number of warships needed to capture a lair regardless of the die roll."""


@measures(
    Term("line_ships", "ships in the line to the seat's fortress, while it has lairs", 0.4),
    Term("warships", "the seat's warships, at most seven, while its fortress has lairs", 0.35),
    Term("knights_to_arm", "knight cards in hand that could arm a ship of the line", 0.25),
    Term("near_warship", "nearness of the hand to a development card, while fewer than seven ships are armed", 0.15),
    Term("storm", "probability that an attack takes a lair, if the line is complete", 0.5),
    Term("ships_at_risk", "expected ships lost in the attack, if the line is complete and must attack", -0.4),
    Term("lairs", "lairs left at the seat's fortress", -1.2),
    of=(fortress_rules, development_cards_rules, bank_trade_rules),
)
def way_to_the_fortress(game, params, seat, pool):
    lairs = int(game.lairs[seat])
    if lairs == 0:
        return 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    ships = ships_in_line(game, params, seat)
    warships = min(int(game.warships[seat]), ENOUGH)
    line_complete = is_complete(game, params, seat)
    knights = max(min(int(game.development_cards[seat, KNIGHT]), ships - warships, ENOUGH - warships), 0)
    near_warship = 0.0
    if warships + knights < ENOUGH:
        near_warship = nearness(game, params, seat, params.development_card_cost)
    storm = max(warships - 1, 0) / NUM_SIDES if line_complete else 0.0
    ships_at_risk = 0.0
    if line_complete and params.fortress_attack == FORCED:
        ships_at_risk = ((0 < warships <= NUM_SIDES) + 2 * max(NUM_SIDES - warships, 0)) / NUM_SIDES
    return ships, warships, knights, near_warship, storm, ships_at_risk, lairs


@measures(
    Term("from_the_fleet", "expected cards per roll from the fleet, minus those that it takes", 1.5),
    of=fleet_rules,
)
def fleet_to_come(game, params, seat, pool):
    """Return the expected number of cards per roll if the fleet visits all hexes on its loop equally often."""
    if game.fleet_place == NOTHING:
        return 0.0
    hexes_settled = 0
    for loop_place in range(FLEET_LOOP):
        for corner in range(CORNERS):
            intersection = params.hex_intersections[params.fleet_hexes[loop_place], corner]
            if intersection != NOTHING and game.building_owner[intersection] == seat:
                hexes_settled += 1
                break
    cards_taken = 1 + params.cities_per_player - game.cities_left[seat]
    card_sum = 0.0
    for side in range(NUM_SIDES):
        ways_to_roll = 11 - 2 * side
        if side + 1 < game.warships[seat]:
            card_sum += ways_to_roll
        elif side + 1 > game.warships[seat]:
            card_sum -= ways_to_roll * cards_taken
    return card_sum / WAYS_TO_ROLL * hexes_settled / FLEET_LOOP
