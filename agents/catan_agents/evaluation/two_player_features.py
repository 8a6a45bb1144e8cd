"""Value-network features for CATAN for Two: trade tokens, the routes of neutral colors, and the second roll."""

from catan_agents.evaluation.features import ValueFeature, feature
from catan_env.engine.declare import NEUTRALS, PLAYERS
from catan_env.games.base import longest_road as longest_road_rules
from catan_env.games.two_player import neutral_players as neutral_rules
from catan_env.games.two_player import second_roll as second_roll_rules
from catan_env.games.two_player import trade_tokens as token_rules
from catan_env.games.two_player.trade_tokens import price_of_action
from catan_env.games.vocabulary import NOBODY


@feature(
    ValueFeature("tokens", "trade tokens of the player"),
    ValueFeature("token_price", "trade tokens that the player now pays for an action"),
    of=token_rules,
    each=True,
)
def tokens_of_player(game, params, player, seen):
    seen[0] = game.tokens[player]
    seen[1] = price_of_action(game, params, player)


@feature(
    ValueFeature("token_bank", "trade tokens in the bank"),
    ValueFeature("token_actions_left", "token actions that are left this turn"),
    ValueFeature("knight_given_up", "whether a knight was given up this turn"),
    of=token_rules,
)
def tokens_left(game, params, seat, seen):
    seen[0] = game.token_bank
    seen[1] = game.token_actions_left
    seen[2] = game.knight_given_up


@feature(
    ValueFeature("neutral_road_length", "roads in the longest road of a neutral color"),
    ValueFeature("neutral_longest_road", "whether a neutral color holds Longest Road"),
    of=(longest_road_rules, neutral_rules),
)
def neutral_roads(game, params, seat, seen):
    for color in range(PLAYERS - NEUTRALS, PLAYERS):
        seen[0] = max(seen[0], game.road_length[color])
        if game.longest_road == color:
            seen[1] = 1.0


@feature(ValueFeature("rolls_again", "whether the dice will be rolled again this turn"), of=second_roll_rules)
def second_roll_ahead(game, params, seat, seen):
    seen[0] = game.on_turn != NOBODY and 0 < game.rolls_made < params.rolls_per_turn
