"""Trade with the supply: 4:1, 3:1 at a generic harbor, 2:1 at a special one.

Sources: bigbox.md A5 ("Trade with supply"); base_rules.yaml `bank_trade`; bigbox_decisions.yaml
`bank_trade_for_same_resource`, `bank_action_shortage`.
"""

from catan_env.board.terrain import GENERIC_HARBOR, RESOURCES
from catan_env.engine.declare import PLAYERS, Action, Count, Field, Number, apply, legal, set_up, when
from catan_env.rules.base.resources import take
from catan_env.rules.base.turns import PLAY, TRADE
from catan_env.rules.vocabulary import NOBODY_SEAT, NOTHING, NUM_RESOURCES, SETTLEMENT_BUILT, TRADED

OTHERS = NUM_RESOURCES - 1
PAIRS = tuple(f"{give} for 1 {get}" for give in RESOURCES for get in RESOURCES if get != give)

FIELDS = (
    Field(
        "trade_rate",
        (PLAYERS, NUM_RESOURCES),
        "i1",
        0,
        30,
        "cards of a kind each player gives for one of another",
        show=Count(),
        labels=RESOURCES,
    ),
)
NUMBERS = (
    Number("supply_rate", 4, "cards of a kind for one from the supply without a harbor", 1, 30),
    Number("generic_harbor_rate", 3, "cards of a kind for one at a 3:1 harbor", 1, 30),
    Number("special_harbor_rate", 2, "cards of its kind for one at a 2:1 harbor", 1, 30),
)

TRADE_WITH_SUPPLY = Action(
    "trade_with_supply",
    "trade {} with the supply",
    PAIRS,
    "as many cards as one's rate and a card of the other kind in the supply",
)
ACTIONS = (TRADE_WITH_SUPPLY,)


@set_up
def set_rates(game, table):
    for player in range(PLAYERS):
        for resource in range(NUM_RESOURCES):
            game.trade_rate[player, resource] = table.supply_rate


@when(SETTLEMENT_BUILT)
def use_harbor(game, table, player, intersection):
    """A settlement gives its owner every harbor at its intersection."""
    for k in range(2):
        place = table.intersection_coast[intersection, k]
        if place != NOTHING and game.harbor[place] != NOTHING:
            kind = game.harbor[place]
            if kind == GENERIC_HARBOR:
                for resource in range(NUM_RESOURCES):
                    improve_rate(game, player, resource, table.generic_harbor_rate)
            else:
                improve_rate(game, player, kind, table.special_harbor_rate)


def improve_rate(game, player, resource, rate):
    """Lowers a player's rate, if it is not as low already."""
    game.trade_rate[player, resource] = min(game.trade_rate[player, resource], rate)


@legal(PLAY, TRADE)
def supply_trades(game, table, seat, mask):
    for give in range(NUM_RESOURCES):
        if game.hands[seat, give] >= game.trade_rate[seat, give]:
            for k in range(OTHERS):
                mask[TRADE_WITH_SUPPLY + give * OTHERS + k] = game.supply[k + (k >= give)] > 0


@apply(TRADE_WITH_SUPPLY)
def trade_with_supply(game, table, seat, pair):
    give = pair // OTHERS
    get = pair % OTHERS
    get += get >= give
    game.hands[seat, give] -= game.trade_rate[seat, give]
    game.supply[give] += game.trade_rate[seat, give]
    take(game, seat, get, 1)
    TRADED(game, table, seat, NOBODY_SEAT)
