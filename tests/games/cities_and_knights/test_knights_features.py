"""What value networks see of improvements, knights, barbarians and progress cards."""

import pytest
from evaluating import features_of_position
from knight_positions import march, table

TRACKS = ("science", "trade", "politics")
LEVELS = tuple(f"level/{track}" for track in TRACKS)


def seen(place):
    """The features of a position as seat 0 sees it."""
    return features_of_position(place.on_turn(0, turn=20))


def of_player(found, player, *names):
    """Features of a player, by names that may end in `/` for one number of each track."""
    kinds = [[name + track for track in TRACKS] if name.endswith("/") else [name] for name in names]
    return [found[f"{name}@{player}"] for name in sum(kinds, [])]


def near(place, *purchases):
    """Nearness of seat 0's hand to purchases."""
    found = seen(place)
    return [found[f"near_{purchase}"] for purchase in purchases]


def test_levels_abilities_and_metropolises_are_seen_of_every_player():
    found = seen(march().levels(1, science=4, politics=2).metropolis(1, "science", "S", 0, 2))
    assert of_player(found, 1, "level/", "ability/", "metropolis/") == [4, 0, 2, 1, 0, 0, 1, 0, 0]
    assert not any(of_player(found, 0, "level/", "ability/", "metropolis/"))


def test_barbarians_pillage_the_weakest_but_no_metropolis():
    place = march().city(2, "S", 2, 0).road(2, (2, 0, "SE")).knight(2, "SE", 2, 0, active=True)
    found = seen(place)
    assert [found[f"weakest@{player}"] for player in range(3)] == [0, 1, 0]
    found = seen(place.metropolis(1, "science", "S", 0, 2))
    assert [found[f"weakest@{player}"] for player in range(3)] == [0, 0, 1]
    assert [found[f"plain_cities@{player}"] for player in range(3)] == [0, 0, 1]


def test_knights_are_counted_by_strength_and_state():
    place = march().knight(0, "SE", 0, -1, strength=2).knight(0, "S", 0, -1, active=True)
    found = seen(place.knight(0, "NE", 0, -1, woken=True))
    names = "knights_basic", "active_basic", "knights_strong", "active_strong", "knights_mighty"
    assert of_player(found, 0, *names) == [2, 2, 1, 0, 0] and not any(of_player(found, 1, *names))
    assert of_player(found, 0, "defence", "defence_ahead", "strongest") == [2, 2, 1]
    assert of_player(found, 1, "defence", "defence_ahead", "strongest") == [0, -2, 0]


def test_a_knight_takes_a_place_from_others():
    assert of_player(seen(march()), 0, "knight_places") == [4]
    assert of_player(seen(march().knight(0, "SE", 0, -1)), 0, "knight_places") == [3]
    assert of_player(seen(march()), 1, "knight_places") == [1]


@pytest.mark.parametrize(("active", "beaten"), [(True, 1), (False, 0)])
def test_the_next_attack_meets_active_knights(active, beaten):
    found = seen(march().knight(0, "SE", 0, -1, active=active).sailed(6))
    assert [found["attack_beaten"], found["attack_margin"], found["attack_next"]] == [beaten, beaten - 1, 1]
    assert of_player(found, 0, "city_at_risk", "defender_at_hand", "strongest") == [0, beaten, active]
    assert of_player(found, 1, "city_at_risk", "defender_at_hand") == [not beaten, 0]


def test_a_distant_attack_counts_less():
    found = seen(march().sailed(1, attacks=1))
    assert found["barbarian_progress"] == pytest.approx(2 / 7) and found["city_at_risk@1"] == pytest.approx(4 / 49)
    assert [found["attack_next"], found["robber_waits"]] == [0, 0] and seen(march())["robber_waits"] == 1


def test_equally_strong_players_share_the_defence():
    place = march().knight(0, "SE", 0, -1, active=True).knight(1, "SE", 0, 2, active=True)
    assert of_player(seen(place), 0, "strongest", "shares_defence") == [0, 1]
    assert of_player(seen(march()), 0, "strongest", "shares_defence") == [0, 0]


def test_walls_tokens_and_the_merchant_are_seen_of_every_player():
    place = march().wall(1, "S", 0, 2).field("defender", [0, 2, 0, 0]).field("merchant_owner", 1)
    assert of_player(seen(place), 1, "walls", "defender", "merchant") == [1, 2, 1]


def test_other_players_progress_cards_show_their_backs_only():
    found = seen(march().progress(0, "crane", "crane", "wedding").progress(1, "merchant"))
    assert of_player(found, 0, "progress/") == [2, 0, 1] and of_player(found, 1, "progress/") == [0, 1, 0]
    own = {name: number for name, number in found.items() if name.startswith("own_progress/") and number}
    assert own == {"own_progress/crane": 2, "own_progress/wedding": 1}


def test_the_next_level_needs_a_city_and_commodities():
    place = table().levels(0, trade=1).hand(0, paper=1, cloth=1)
    assert near(place, *LEVELS) == [0, 0, 0]
    assert near(place.city(0, "N", 0, -1), *LEVELS) == [1, 1 / 4, 0]
    assert near(place.levels(0, science=5), *LEVELS) == [0, 1 / 4, 0]


def test_knights_and_walls_come_nearer_with_their_price():
    names = "knight", "promotion", "activation", "wall"
    place = march().hand(0, wool=1, ore=1, grain=1, brick=2)
    assert near(place, *names) == [1, 0, 0, 0]
    assert near(place.knight(0, "SE", 0, -1).city(0, "S", 2, 0), *names) == [1, 1, 1, 1]
    assert near(march().knight(0, "SE", 0, -1, active=True).hand(0, grain=1), "activation") == [0]


def test_commodities_are_part_of_the_base_features():
    found = seen(table().city(0, "N", 0, -2).hand(0, coin=2))
    assert [found["hand/coin"], found["hand_size@0"]] == [2, 2]
    assert found["production/coin@0"] == found["production/ore@0"] > 0
