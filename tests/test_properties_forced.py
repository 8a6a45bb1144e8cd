"""Forced moves played by the engine, automatic resets, and reward shaping with both."""

import numpy as np
import pytest

from catan_env import BatchEngine
from catan_env.engine.decision_stack import NO_SEAT_TO_ACT, finish, push
from catan_env.engine.declare import PUBLIC_POINTS, Action, Decision, Field, answers, apply, legal, set_up
from catan_env.envs import CatanVectorEnv, aec_env
from tests.coin_toy import module
from tests.coin_toy import scenario as toy_scenario
from tests.env_helpers import choose, quick_rules
from tests.strategies import PLAIN_PYTHON, Chooser, assert_same, every_scenario, look, quick

GAMES = 4
STEPS = 120 if PLAIN_PYTHON else 3500


def forced(engine):
    """Return the only legal action of each game, or -1 where there are several or none."""
    mask = engine.action_mask
    return np.where(mask.sum(axis=1) == 1, mask.argmax(axis=1), -1)


def play_forced(engine):
    """Step through forced moves until no game has one, and return the sum of rewards (N, players)."""
    rewards = np.zeros_like(engine.rewards)
    while (forced(engine) >= 0).any():
        engine.step(forced(engine))
        rewards += engine.rewards
    return rewards


# -- forced moves ------------------------------------------------------------------------------------------------


@pytest.mark.core
@every_scenario
def test_playing_forced_moves_changes_no_game(scenario, players):
    """The same choices give the same states, outcomes, rewards and logs."""
    options = {"seed": 1, "rules": quick(scenario), "record": True}
    asked = BatchEngine(scenario, GAMES, players, **options)
    played = BatchEngine(scenario, GAMES, players, forced_moves="play", **options)
    choose, choices = Chooser(1), np.zeros(GAMES, int)
    play_forced(asked)
    for _ in range(STEPS):
        assert_same(look(asked), look(played), except_for=("rewards",))
        assert (forced(played) == -1).all()
        actions = choose(played)
        if (actions < 0).all():
            break
        played.step(actions), asked.step(actions)
        rewards = asked.rewards.copy()
        rewards += play_forced(asked)
        assert np.array_equal(played.rewards, rewards)
        choices += actions >= 0
    assert PLAIN_PYTHON or (played.seat_to_act == NO_SEAT_TO_ACT).all()
    for game in range(GAMES):
        log = played.replay_log(game)
        assert log == asked.replay_log(game)
        assert len(log["moves"]) > choices[game]


@every_scenario
def test_forced_moves_are_played_where_chance_is_explicit(scenario, players):
    options = {"chance": "explicit", "forced_moves": "play", "rules": quick(scenario)}
    engine = BatchEngine(scenario, GAMES, players, seed=2, **options)
    choose, chances = Chooser(2), 0
    for _ in range(300):
        assert (forced(engine) == -1).all()
        chances += (engine.seat_to_act == -1).sum()
        engine.step(choose(engine))
    assert chances


@every_scenario
def test_rollouts_count_choices(scenario, players):
    engine = BatchEngine(scenario, GAMES, players, seed=3, rules=quick(scenario), forced_moves="play")
    twin = engine.clone()
    assert twin.forced_moves == "play"
    assert engine.random_rollout(50)["actions"] == 50 * GAMES
    assert (forced(engine) == -1).all()
    for _ in range(50):
        assert twin.random_rollout(1)["actions"] == GAMES
    assert_same(look(engine), look(twin))


# -- a game that plays itself ----------------------------------------------------------------------------------------

LENGTH = 3000
MADE = Field("made", (), "i2", 0, LENGTH, "moves made")
MOVE = Action("move", "move {}", ("on", "along"), "a turn")
NEXT = Decision("next", "move on")


@set_up
def begin(game, params):
    push(game, NEXT, 0)


@legal(NEXT)
def on(game, params, seat, mask):
    mask[MOVE] = True
    mask[MOVE + 1] = game.made == 0


@apply(MOVE)
def move(game, params, seat, which):
    game.made += 1
    game.decision_seats[0] = game.made % params.num_players
    if game.made == LENGTH:
        finish(game, 1 << 1)


@answers(PUBLIC_POINTS)
def no_points(game, params, player, where):
    return 0


ITSELF = toy_scenario(
    module("itself", begin=begin, on=on, move=move, no_points=no_points, FIELDS=(MADE,), ACTIONS=(MOVE,)), name="itself"
)


def test_a_game_of_forced_moves_ends_within_one_step():
    """The game is longer than the initial capacity of a log."""
    engine = BatchEngine(ITSELF, 3, forced_moves="play", record=True, reward="zero_sum")
    engine.step([1, -1, 0])
    assert engine.terminated.tolist() == [True, False, True] and engine.seat_to_act.tolist() == [-2, 0, -2]
    assert engine.rewards.tolist() == [[-1, 1], [0, 0], [-1, 1]] and not engine.action_mask[0].any()
    assert engine.replay_log(0)["moves"] == [["move", 1]] + [["move", 0]] * (LENGTH - 1)
    assert engine.state["made"].tolist() == [LENGTH, 0, LENGTH]
    assert engine.random_rollout(5) == {"actions": 15, "won": 15, "truncated": 0}


# -- automatic resets --------------------------------------------------------------------------------------------------


@pytest.mark.core
@pytest.mark.parametrize("forced_moves", ["ask", "play"])
@every_scenario
def test_autoreset_is_a_reset_after_the_end_was_seen(scenario, players, forced_moves):
    """Batches, single games and a loop that resets by hand play the same games."""
    options = {"rules": quick(scenario), "forced_moves": forced_moves, "shaping": 0.5, "discount": 0.9, "record": True}
    batch = BatchEngine(scenario, GAMES, players, seed=4, autoreset=True, **options)
    by_hand = BatchEngine(scenario, GAMES, players, seed=4, **options)
    singles = [BatchEngine(scenario, 1, players, seed=[s], autoreset=True, **options) for s in batch.seeds.tolist()]
    choose, ends = Chooser(4), 0
    for _ in range(STEPS // 2):
        ended = batch.seat_to_act == NO_SEAT_TO_ACT
        ends += ended.sum()
        actions = choose(batch)
        actions[ended] = np.arange(GAMES)[ended]  # any id
        batch.step(actions)
        by_hand.step(np.where(ended, -1, actions))
        if ended.any():
            by_hand.reset(games=ended)
        assert_same(look(by_hand), look(batch))
        for game, single in enumerate(singles):
            single.step(actions[game : game + 1])
            assert_same(look(single), look(batch, [game]))
    assert PLAIN_PYTHON or ends > GAMES
    for game, single in enumerate(singles):
        assert batch.replay_log(game) == {**single.replay_log(), "seed": int(batch.seeds[game])}


def test_a_game_that_is_over_can_be_left():
    engine = BatchEngine("base", 2, autoreset=True, rules={"turn_limit": 1})
    assert engine.autoreset and engine.clone().autoreset
    while not engine.truncated.all():
        engine.step(np.where(engine.seat_to_act >= 0, engine.action_mask.argmax(axis=1), -1))
    engine.step([-1, 5])
    assert engine.truncated.tolist() == [True, False] and engine.seat_to_act[1] >= 0


# -- shaping ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("discount", [1.0, 0.9])
@pytest.mark.parametrize("forced_moves", ["ask", "play"])
@every_scenario
def test_shaping_telescopes_on_the_clock_of_each_seat(scenario, players, forced_moves, discount):
    options = {"seed": 1, "rules": {**quick(scenario), "turn_limit": 400}, "forced_moves": forced_moves}
    engine = BatchEngine(scenario, GAMES, players, shaping=2.0, discount=discount, **options)
    plain, choose = BatchEngine(scenario, GAMES, players, **options), Chooser(1)
    rows = np.arange(GAMES)
    total, weight = np.zeros((GAMES, players)), np.ones((GAMES, players))
    first = np.full((GAMES, players), np.nan)

    def potential():
        return 2.0 * engine.visible_points / engine.rules["victory_points"]

    def ask():
        """Record the potential at each seat's first decision. Each later decision is one discount step further."""
        running = engine.seat_to_act >= 0
        games, seats = rows[running], engine.seat_to_act[running]
        new = np.isnan(first[games, seats])
        first[games[new], seats[new]] = potential()[games[new], seats[new]]

    ask()
    for _ in range(STEPS):
        actions = choose(engine)
        acting = rows[actions >= 0], engine.seat_to_act[actions >= 0]
        weight[acting] *= discount
        engine.step(actions), plain.step(actions)
        gained = engine.rewards.astype(float) - plain.rewards
        total += weight / discount * gained
        ask()
        if (engine.seat_to_act == NO_SEAT_TO_ACT).all():
            break
    assert PLAIN_PYTHON or engine.terminated.any()
    ended = engine.seat_to_act == NO_SEAT_TO_ACT
    last = potential() * ~engine.terminated[:, None]
    expected = weight * last - first
    asked = ~np.isnan(first)
    assert np.allclose(total[ended[:, None] & asked], expected[ended[:, None] & asked], atol=1e-5)
    assert not total[~asked].any()


@pytest.mark.parametrize("forced_moves", ["ask", "play"])
def test_shaping_telescopes_for_learners(forced_moves):
    options = {"num_players": 4, "rules": quick_rules("base", 4), "shaping": 2.0, "discount": 0.9}
    env = CatanVectorEnv(3, "base", opponents="by_mask", forced_moves=forced_moves, **options)
    env.reset(seed=1)
    rng, total, weight, episodes = np.random.default_rng(1), np.zeros(3), np.ones(3), 0
    for _ in range(600):
        masks = env.action_masks()
        over_before = env.games.over.copy()
        assert forced_moves == "ask" or (masks[~over_before].sum(axis=1) > 1).all()
        _, rewards, terminated, _, _ = env.step(choose(masks, rng))
        outcome = np.where(env.engine.winner == env.games.seats, 1.0, -1.0) * terminated
        total += np.where(over_before, 0.0, weight * (rewards - outcome))
        weight *= 0.9
        total[over_before], weight[over_before] = 0.0, 1.0
        done = terminated
        episodes += done.sum()
        assert np.allclose(total[done], 0.0, atol=1e-5)  # nobody has points before the first choice
    assert episodes > 2


@pytest.mark.parametrize("scenario", ["base"])
def test_agents_of_pettingzoo_are_asked_for_choices_only(scenario):
    env, rng = aec_env(scenario, forced_moves="play", rules=quick_rules(scenario, 4)), np.random.default_rng(1)
    env.reset(seed=3)
    for _ in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        legal_ids = np.flatnonzero(observation["action_mask"])
        assert terminated or truncated or len(legal_ids) > 1
        env.step(None if terminated or truncated else int(rng.choice(legal_ids)))
    assert env.engine.terminated[0]
