"""What value networks see of the sheets."""

from evaluating import features_of_game
from sheets import settle, spending


def entries(found, name, player):
    """The numbers of a feature of a player, one for each place of the sheet."""
    numbers = {
        key: number for key, number in found.items() if key.startswith(f"{name}/") and key.endswith(f"@{player}")
    }
    return [numbers[f"{name}/{k}@{player}"] for k in range(len(numbers))]


def test_each_seat_sees_what_is_built_on_all_sheets_its_own_first():
    built = {"roads": [0, 1, 2], "settlements": [0, 1], "cities": [0], "knights": [0, 1, 2]}
    game = spending("gold", sheets={1: built}, jokers={1: [1]})
    for seat, player in ((0, 1), (1, 0)):
        found = features_of_game(game.engine, seat)
        for name, places in built.items():
            kind = {"cities": "city"}.get(name, name.removesuffix("s"))
            assert [k for k, number in enumerate(entries(found, f"{kind}_built", player)) if number] == places
        assert entries(found, "joker_share", player)[:4] == [1, 0, 1, 0]
        assert entries(found, "settlement_built", 1 - player) == [0] * 6
        assert sum(entries(found, "road_built", 1 - player)) == 1


def test_plus_shows_routes_and_half_finished_jokers():
    game = settle(
        spending("gold", scenario="dice_game_plus", sheets={0: {"roads": [0, 1, 3, 4, 6], "knights": [5]}}), route=0
    )
    found = features_of_game(game.engine)
    assert [found[f"longest_road@{player}"] for player in range(2)] == [1, 0]
    assert [found[f"route_length@{player}"] for player in range(2)] == [5, 1]
    assert entries(found, "joker_share", 0)[5] == 0.5
