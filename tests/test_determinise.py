"""Sampled worlds: valid, indistinguishable to the viewing seat, and distributed as the rules imply."""

from collections import Counter
from itertools import product
from math import comb, prod

import numpy as np
import pytest
from scipy.stats import chisquare

import catan_env
from catan_env import BatchEngine
from catan_env.board.terrain import RESOURCES
from catan_env.encoders import FlatEncoder
from catan_env.engine.arrays import as_records
from catan_env.engine.declare import HIDDEN, OWNER, Field, redeals
from catan_env.engine.determinise import looks_alike
from catan_env.errors import OptionError
from catan_env.games.base import resources
from catan_env.testing.positions import position
from catan_env.testing.worlds import Worlds
from tests.coin_toy import module, refused, toy
from tests.strategies import GAMES, PLAIN_PYTHON, SCENARIOS, WITH_OPTIONAL_RULES, over, play

COUNTED = [
    (f"{name}+card_counting", catan_env.find_scenario(name).players[0])
    for name in SCENARIOS
    if resources in catan_env.find_scenario(name).modules
]
"""Card counting on top of every scenario with cards: compiled for the first of them only."""
GAMES_COUNT_STEPS = (2, 2, 60) if PLAIN_PYTHON else (12, 4, 500)
DRAWS = 400 if PLAIN_PYTHON else 4000


def imagined(engine, seats=None, count=1, seed=0, games=None):
    """Return an engine that plays sampled worlds."""
    where = np.arange(engine.num_games) if games is None else games
    twin = engine.clone(np.repeat(where, count))
    engine.determinise(where, seats, count, seed, out=twin.state)
    twin.refresh()
    return twin


@pytest.mark.core
@over(GAMES if PLAIN_PYTHON else WITH_OPTIONAL_RULES)
def test_worlds_are_possible_and_look_alike(scenario, players):
    check_worlds(scenario, players)


@pytest.mark.skipif(not PLAIN_PYTHON, reason="card counting is compiled for one scenario only")
@pytest.mark.core
@over(COUNTED)
def test_worlds_of_card_counters_are_possible_and_look_alike(scenario, players):
    check_worlds(scenario, players)


def check_worlds(scenario, players):
    games, count, steps = GAMES_COUNT_STEPS
    engine, rng = BatchEngine(scenario, games, players, seed=8), np.random.default_rng(8)
    worlds, seen = Worlds(count), Counter()
    for start in range(3):
        for k, _ in enumerate(play(engine, steps // 3, seed=start)):
            if k % (10 if PLAIN_PYTHON else 11) == 0:
                assert [fault.message for fault in worlds(engine, rng)] == []
                seen.update(engine.decision(g) for g in range(games))
        engine.random_rollout(150, restart=False)
    assert len(seen) > 1
    assert [fault.message for fault in worlds.never_sampled()] == []


@over(GAMES if PLAIN_PYTHON else GAMES[:1])
def test_worlds_look_alike_to_a_seat_that_makes_the_same_observation(scenario, players):
    games, pairs, steps = (3, 10, 120) if PLAIN_PYTHON else (12, 40, 250)
    engine, answers = BatchEngine(scenario, games, players, seed=9), Counter()
    engine.random_rollout(steps, restart=False)
    where = np.flatnonzero(engine.seat_to_act >= 0)
    one, other = (imagined(engine, count=pairs, seed=seed, games=where) for seed in (1, 2))
    for seat in range(players):
        found = np.zeros(one.num_games, bool)
        engine.run_kernel(compare, as_records(one.state), as_records(other.state), seat, found)
        seen, also_seen = (FlatEncoder(worlds).encode(seat) for worlds in (one, other))
        assert (found == (seen == also_seen).all(axis=1)).all()
        answers.update(found.tolist())
    assert answers[True]


def compare(batch, worlds, others, seat, found):
    for i in range(found.shape[0]):
        found[i] = looks_alike(worlds[i], others[i], seat)


@pytest.mark.core
def test_worlds_play_on():
    engine = BatchEngine("base", 4, seed=8)
    engine.random_rollout(200)
    twin = imagined(engine, count=3)
    twin.random_rollout(50 if PLAIN_PYTHON else 500)
    assert not twin.broken_invariants()


def test_worlds_follow_from_the_seed():
    engine = BatchEngine("base", 4, seed=8)
    engine.random_rollout(300)
    before = engine.state.tobytes()
    one, other, third = (engine.determinise([2, 1], 0, 3, seed) for seed in (5, 5, 6))
    assert one.tobytes() == other.tobytes() != third.tobytes()
    assert one.shape == (6,) and one.dtype == engine.state.dtype
    assert engine.state.tobytes() == before
    assert len({row.tobytes() for row in one["rng"]}) == 6
    assert (one["turn"] == np.repeat(engine.state["turn"][[2, 1]], 3)).all()
    assert one[:3].tobytes() == engine.determinise([2], 0, 3, 5).tobytes()


def test_seats_may_differ_from_game_to_game():
    engine = BatchEngine("base", 3, seed=8)
    engine.random_rollout(300)
    worlds = engine.determinise(None, [2, 0, 1], 5)
    for game, seat in enumerate([2, 0, 1]):
        own = worlds["hands"][5 * game : 5 * game + 5, seat]
        assert (own == engine.state["hands"][game, seat]).all()
    assert engine.determinise(None, None, 2).shape == (6,)


@pytest.mark.parametrize(
    "wrong",
    [{"games": [7]}, {"seats": 4}, {"seats": [0]}, {"seats": 0.5}, {"count": 0}, {"out": np.zeros(2)}, {"out": "x"}],
    ids=repr,
)
def test_what_cannot_be_imagined_is_said(wrong):
    with pytest.raises(OptionError, match=next(iter(wrong))):
        BatchEngine("base", 2).determinise(**{"seats": 0, **wrong})


def test_a_game_in_which_nobody_is_to_act_is_named():
    engine = BatchEngine("base", 3, rules={"turn_limit": 4}, seed=1)
    while engine.seat_to_act[1] >= 0:
        engine.step(np.array([-1, np.flatnonzero(engine.action_mask[1])[0], -1]))
    with pytest.raises(OptionError, match="No seat is to act in game 1; "):
        engine.determinise()
    assert engine.determinise(seats=0).shape == (3,)


def test_a_long_array_is_shortened_in_a_message():
    with pytest.raises(OptionError) as failure:
        BatchEngine("base", 500).determinise(seats=np.full(500, 9))
    assert len(str(failure.value)) < 250 and "\n" not in str(failure.value)


# -- distribution of the worlds --------------------------------------------------------------------------------------


def assert_distributed(found, weights):
    """Assert that outcome counts fit exact weights (chi-square test), and that no other outcome occurs."""
    assert set(found) <= set(weights), set(found) - set(weights)
    total, number = sum(weights.values()), sum(found.values())
    expected = {key: number * weight / total for key, weight in weights.items() if weight}
    assert len(expected) == 1 or chisquare([found[key] for key in expected], list(expected.values())).pvalue > 1e-3


def hands_in(worlds, seats):
    """Count how often each combination of these seats' hands was sampled."""
    return Counter(tuple(tuple(hand) for hand in world) for world in worlds["hands"][:, seats].tolist())


def deals(hands, agrees=lambda hands: True):
    """Return the weight of every deal of these hands' cards to hands of the same sizes, each card equally likely."""
    out, sizes = np.sum(hands, axis=0), [sum(hand) for hand in hands]
    weights = {}
    kinds = range(len(out))
    options = [[h for h in product(*(range(out[k] + 1) for k in kinds)) if sum(h) == size] for size in sizes]
    for deal in product(*options):
        if (np.sum(deal, axis=0) == out).all() and agrees(deal):
            ways, left = 1, out.copy()
            for hand in deal:
                ways *= prod(comb(int(left[k]), hand[k]) for k in kinds)
                left = left - hand
            weights[deal] = ways
    return weights


@pytest.mark.rule("base.discarding.5")
def test_unseen_hands_by_their_sizes():
    builder = position("base", 3).on_turn(0).hand(0, lumber=2).hand(1, wool=2, ore=1).hand(2, wool=1, grain=2)
    engine = builder.build()
    hands = engine.state["hands"][0, 1:3].tolist()
    assert_distributed(hands_in(engine.determinise(None, 0, DRAWS, seed=1), [1, 2]), deals(hands))
    assert (engine.determinise(None, 0, 9)["hands"][:, 0] == engine.state["hands"][0, 0]).all()


@pytest.mark.rule("base.resources.5", "frenemies.favor_gifts.7")
def test_hands_hold_what_is_on_offer():
    """A player who accepted an offer of lumber for ore has ore; a player yet to answer may have any cards."""
    builder = position("base", 3).on_turn(0).hand(0, lumber=1).hand(1, wool=2, ore=1).hand(2, wool=1, ore=2)
    game = builder.game().do("make_offer").do("offer_card", "lumber").do("ask_card", "ore").do("submit_offer")
    game.do("accept")
    hands = game.state["hands"][1:3].tolist()
    assert game.seat == 2
    worlds = game.engine.determinise(None, 0, DRAWS, seed=1)
    assert_distributed(hands_in(worlds, [1, 2]), deals(hands, lambda deal: deal[0][4] >= 1))


@pytest.mark.rule("options.card_counting.2")
@pytest.mark.parametrize("viewer", [1, 2])
def test_a_stolen_card_as_the_table_knows_it(viewer):
    """The victim knows the stolen card. With card counting, other players know its exact probabilities."""
    game = position("base+card_counting", 3).on_turn(0, "pre_roll").settlement(1, "S", 2, 0)
    game = game.hand(1, wool=2, ore=1, grain=1).hand(2, brick=2).game().roll(7)
    game.do("move_robber", game.hex(2, 0))
    chances = game.chances()
    game.theft("wool")
    found = Counter(
        RESOURCES[int(hand.argmax())] for hand in game.engine.determinise(None, viewer, DRAWS, 3)["hands"][:, 0]
    )
    assert_distributed(found, {"wool": 1} if viewer == 1 else chances)


@pytest.mark.rule("base.discarding.5")
def test_without_counting_a_stolen_card_is_one_of_all_unseen():
    game = position("base", 3).on_turn(0, "pre_roll").settlement(1, "S", 2, 0).hand(1, wool=2, ore=1).hand(2, brick=2)
    game = game.game().roll(7)
    game.do("move_robber", game.hex(2, 0)).theft("wool")
    worlds = game.engine.determinise(None, 2, DRAWS, 3)
    assert_distributed(hands_in(worlds, [0, 1]), deals(game.state["hands"][:2].tolist()))


@pytest.mark.rule("options.card_counting.2")
def test_hands_within_the_bounds_of_counted_cards():
    """With bounds so tight that few deals satisfy them, the sampler exchanges cards until they are satisfied."""
    hands = [[2, 1, 1, 0, 0], [0, 1, 1, 2, 0], [1, 0, 0, 1, 2]]
    builder = position("base+card_counting", 4).on_turn(0)
    for seat, hand in enumerate(hands, 1):
        builder.hand(seat, **dict(zip(RESOURCES, hand, strict=True)))
    engine = builder.build()
    least, most = engine.state["least"][0], engine.state["most"][0]
    for seat, hand in enumerate(hands, 1):
        least[seat], most[seat] = np.maximum(np.array(hand) - 1, 0), np.array(hand) + 1
        most[seat, 4] = least[seat, 4] = hand[4]
    engine.refresh()

    def agrees(deal):
        return all((least[s] <= hand).all() and (hand <= most[s]).all() for s, hand in enumerate(deal, 1))

    draws = 150 if PLAIN_PYTHON else DRAWS
    assert_distributed(hands_in(engine.determinise(None, 0, draws, seed=2), [1, 2, 3]), deals(hands, agrees))


@pytest.mark.rule("base.discarding.5")
def test_cards_laid_aside_are_as_unseen_as_those_in_hand():
    game = position("base", 3).on_turn(0, "pre_roll").hand(1, wool=4, ore=4).hand(2, brick=1).game().roll(7)
    game.do("discard_card", "wool").do("discard_card", "ore")
    worlds = game.engine.determinise(None, 0, DRAWS, seed=1)
    heaps = [game.state["hands"][1].tolist(), game.state["discards"][1].tolist(), game.state["hands"][2].tolist()]
    found = Counter(
        tuple(map(tuple, (hands[1], aside[1], hands[2])))
        for hands, aside in zip(worlds["hands"].tolist(), worlds["discards"].tolist(), strict=True)
    )
    weights = deals(heaps)
    common = {deal: weight for deal, weight in weights.items() if weight > sum(weights.values()) / 100}
    rare = sum(weights.values()) - sum(common.values())
    grouped = Counter({deal: found[deal] for deal in common})
    grouped["rare"] = sum(found.values()) - sum(grouped.values())
    assert set(found) <= set(weights)
    assert_distributed(grouped, {**common, "rare": rare})


@pytest.mark.rule("base.development_cards.13")
def test_development_cards_and_the_next_of_the_stack():
    builder = (
        position("base", 2).on_turn(0).cards(0, knight=1).cards(1, monopoly=1).new_development_cards(1, victory_point=1)
    )
    engine = builder.deck(knight=2, monopoly=1, victory_point=1).build()
    worlds = engine.determinise(None, 0, DRAWS, seed=1)
    unseen = Counter(knight=2, monopoly=2, victory_point=2)
    kinds = {"knight": 0, "monopoly": 3, "victory_point": 4}
    old, new = (
        worlds["development_cards"][:, 1] - worlds["new_development_cards"][:, 1],
        worlds["new_development_cards"][:, 1],
    )
    assert (old.sum(1) == 1).all() and (new.sum(1) == 1).all() and (worlds["deck"].sum(1) == 4).all()
    found = Counter(zip(old.argmax(1).tolist(), new.argmax(1).tolist(), strict=True))
    weights = {(kinds[a], kinds[b]): unseen[a] * (unseen[b] - (a == b)) for a in unseen for b in unseen}
    assert_distributed(found, weights)
    rng = np.random.default_rng(1)
    drawn = Counter(int(rng.choice(np.repeat(np.arange(5), deck))) for deck in worlds["deck"])
    assert_distributed(drawn, {kinds[kind]: number for kind, number in unseen.items()})


@pytest.mark.rule("base.victory.5")
@pytest.mark.parametrize(("knights", "deck"), [(1, {"knight": 1, "victory_point": 4}), (6, {"victory_point": 5})])
def test_who_is_on_turn_and_has_not_won_holds_no_winning_card(knights, deck):
    """In the second case, only one of 462 deals qualifies."""
    builder = position("base", 2, rules={"victory_points": 4}).settlement(1, "N", 0, 0).city(1, "S", 2, 0).on_turn(1)
    engine = builder.cards(1, knight=knights).deck(**deck).build()
    assert engine.visible_points[0, 1] == 3
    worlds = engine.determinise(None, 0, 60, seed=1)
    cards = worlds["development_cards"][:, 1]
    assert (cards[:, 4] == 0).all() and (cards.sum(1) == knights).all()


@pytest.mark.rule("frenemies.favor_tokens.9")
def test_favor_tokens_come_from_the_stock():
    engine = BatchEngine("frenemies", 1, 3, seed=5)
    state = engine.state[0]
    for seat, guild in ((1, 0), (1, 3), (2, 1)):
        state["favors"][seat, guild] += 1
        state["favor_stock"][guild] -= 1
    state["favors_redeemed"] += state["favor_stock"]
    state["favor_stock"] = 0
    worlds = engine.determinise(None, 0, DRAWS, seed=1)
    found = Counter(tuple(map(tuple, world)) for world in worlds["favors"][:, 1:3].tolist())
    assert_distributed(found, deals(state["favors"][1:3].tolist()))


# -- composing -------------------------------------------------------------------------------------------------------


@redeals("secret", "stack")
def deal_both(game, params, seat, pool):
    pass


@redeals("secret")
def deal_one(game, params, seat, pool):
    pass


@redeals("secrets")
def deal_what_nobody_has(game, params, seat, pool):
    pass


SECRETS = (
    Field("secret", (2, 3), "i1", 0, 9, "unseen", visible=OWNER),
    Field("stack", (3,), "i1", 0, 9, "unseen", visible=HIDDEN),
)


@pytest.mark.core
def test_hidden_fields_that_nothing_deals_are_refused():
    refused(toy(module("secrets", FIELDS=SECRETS)), "'secret' of coins is hidden", "@redeals('secret')", "dealing")
    refused(toy(module("secrets", FIELDS=SECRETS, f=deal_one)), "'stack'", "is hidden")
    refused(toy(module("secrets", f=deal_what_nobody_has)), "redeals 'secrets'", "declares such a field")
    both = module("secrets", FIELDS=SECRETS, f=deal_both)
    refused(toy(both, module("later", f=deal_one)), "Both deal_both and deal_one", "must deal all")
    BatchEngine(toy(both, name="secret_toy"), 1)
    later = module("later", f=deal_both, g=deal_one)
    refused(toy(both, later), "Both deal_both and deal_one")
