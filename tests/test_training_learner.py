"""What a learner learns from: returns between each seat's decisions, games, teachers, and the opponent pool."""

import numpy as np
import pytest

from catan_agents.seats import from_seats, to_seats
from catan_env import BatchEngine
from catan_env.rollouts import returns_of
from catan_training.learning.config import TrainConfig, resolve
from catan_training.learning.pool import Pool

pytest.importorskip("torch")

from catan_training.benchmarks.bench_train import measure_training
from catan_training.learning.ppo import Learner


def learner(**options):
    return Learner(
        resolve(
            TrainConfig().updated(
                {
                    "num_games": 16,
                    "rollout_steps": 32,
                    "batch_size": 64,
                    "hidden": [16],
                    "torch_threads": 1,
                    "num_players": 4,
                    "teacher": "",
                    "pool_share": 0.0,
                    "precision": "float32",
                    **options,
                }
            )
        )
    )


def by_hand(seats, chose, rewards, over, values, last_values, discount, gae_lambda):
    """Compute the advantages of `returns_of` seat by seat and game by game, forward in time."""
    length, games, players = rewards.shape
    advantages = np.zeros((length, games))
    for game in range(games):
        for seat in range(players):
            own = [t for t in range(length) if seats[t, game] == seat and chose[t, game]]
            errors, ends = [], []
            for k, t in enumerate(own):
                stop = own[k + 1] if k + 1 < len(own) else length
                end = next((u for u in range(t, stop) if over[u, game]), None)
                reward = rewards[t : stop if end is None else end + 1, game, seat].sum()
                ahead = values[stop, game, seat] if stop < length else last_values[game, seat]
                errors.append(reward + discount * ahead * (end is None) - values[t, game, seat])
                ends.append(end is not None)
            for k, t in enumerate(own):
                factor = 1.0
                for error, end in zip(errors[k:], ends[k:], strict=True):
                    advantages[t, game] += factor * error
                    factor *= 0.0 if end else discount * gae_lambda
    return advantages


def test_returns_are_those_of_each_seat_alone():
    rng = np.random.default_rng(0)
    length, games, players = 60, 5, 3
    seats = rng.integers(0, players, (length, games))
    over = rng.random((length, games)) < 0.05
    chose = rng.random((length, games)) < 0.8
    rewards, values = rng.normal(size=(2, length, games, players)).astype(np.float32)
    last = rng.normal(size=(games, players)).astype(np.float32) * ~over[-1][:, None]
    arguments = seats, chose, rewards, over, values, last, 0.9, 0.7
    found = returns_of(*arguments)
    np.testing.assert_allclose(found.advantages, by_hand(*arguments), atol=1e-4)
    own = values[np.arange(length)[:, None], np.arange(games), seats] + found.advantages
    np.testing.assert_allclose(found.targets[chose], own[chose], atol=1e-5)
    relative = from_seats(found.seat_targets, seats)
    np.testing.assert_allclose(relative[..., 0][chose], own[chose], atol=1e-5)


def test_a_lost_game_reaches_the_losers_last_choice():
    seats = np.array([[0], [1], [0], [0]])  # seat 1 chooses once; seat 0 wins two choices later
    rewards = np.zeros((4, 1, 2), np.float32)
    rewards[3, 0] = 1, -1
    over = np.array([[False], [False], [False], [True]])
    nothing = np.zeros((4, 1, 2), np.float32)
    found = returns_of(seats, np.ones((4, 1), bool), rewards, over, nothing, nothing[0], 1.0, 1.0)
    assert found.advantages[:, 0].tolist() == [1, -1, 1, 1]
    assert found.seat_targets[:, 0].tolist() == [[1, -1]] * 4 and found.targets[:, 0].tolist() == [1, -1, 1, 1]
    assert found.rewards[:, 0].tolist() == [0, -1, 0, 1]


def test_values_change_between_seats_and_actors():
    values = np.arange(12.0).reshape(3, 4)
    seats = np.array([0, 1, 3])
    absolute = to_seats(values, seats)
    assert absolute[np.arange(3), seats].tolist() == values[:, 0].tolist()
    np.testing.assert_array_equal(from_seats(absolute, seats), values)


def test_every_choice_of_every_seat_is_learned_from():
    found = learner()
    rollout = found.collect(1, False)
    asked = rollout.masks.any(axis=2)
    assert (rollout.masks.sum(axis=2)[asked] > 1).all()  # forced moves are not choices
    np.testing.assert_array_equal(rollout.learn, asked)
    assert np.take_along_axis(rollout.masks, rollout.actions[..., None], 2)[..., 0][asked].all()


def test_the_learner_sees_what_the_seat_to_act_sees():
    found = learner()
    rollout = found.collect(1, False)
    twin = BatchEngine("base", 16, 4, 0, rules={"offers_per_turn": 0}, forced_moves="play", autoreset=True)
    for t in range(32):
        np.testing.assert_array_equal(rollout.observations["row"][t], twin.observe(dtype="uint8"))
        twin.step(rollout.actions[t])


def test_a_teacher_labels_all_choices_and_plays_its_games():
    found = learner(teacher="heuristic", teacher_games=0.5)
    rollout = found.collect(1, True)
    assert np.take_along_axis(rollout.masks, rollout.labels[..., None], 2)[..., 0][rollout.learn].all()
    same = rollout.actions == rollout.labels
    assert same[:, :8][rollout.learn[:, :8]].all() and not same[:, 8:][rollout.learn[:, 8:]].all()


def test_a_teacher_that_values_actions_says_what_each_is_worth():
    found = learner(teacher="greedy", teacher_rate=3e-3, hidden=[64], num_games=64)
    rollout = found.collect(1, True)
    action_values, learn = rollout.action_values, rollout.learn
    np.testing.assert_array_equal(np.isfinite(action_values[learn]), rollout.masks[learn])
    of_labels = np.take_along_axis(action_values, np.maximum(rollout.labels, 0)[..., None], 2)[..., 0]
    np.testing.assert_allclose(of_labels[learn], action_values.max(axis=2)[learn], atol=1e-5)
    choices = learner(teacher="greedy", teacher_inverse_temperature=0.0, num_games=64).collect(1, True)
    assert choices.action_values.size == 0
    np.testing.assert_array_equal(choices.labels[0], rollout.labels[0])  # the same teacher, without action values
    losses = [found.update(0.0)["policy_loss"] for _ in range(8)]
    assert losses[-1] < 0.95 * losses[0]


def test_imitation_is_learned():
    found = learner(teacher="weighted", teacher_rate=3e-3, hidden=[64], num_games=64)
    losses = [found.update(0.0)["policy_loss"] for _ in range(12)]
    assert np.mean(losses[-3:]) < 0.8 * losses[0]


def test_play_gets_better_where_every_choice_pays():
    """With a low victory target, the learner soon beats random play, from which it starts."""
    found = learner(
        num_games=128,
        hidden=[64],
        learning_rate=2e-3,
        shaping=1.0,
        rules={
            "offers_per_turn": 0,
            "victory_points": 4,
        },
        batch_size=512,
    )
    for _ in range(30):
        found.update(0.0)
    from catan_training.evaluation.matches import evaluate

    assert evaluate(found.player, "random", "base", 4, 200, 1, {"victory_points": 4}).interval[0] > 0.35


def test_opponents_have_seats_in_their_share_of_the_games():
    found = learner(
        pool_share=0.5,
        opponents=["random", "weighted"],
        num_games=32,
        rules={
            "offers_per_turn": 0,
            "victory_points": 3,
        },
    )
    for number in range(12):
        rollout = found.collect(number, False)
    owner = found.pool.owner
    assert (owner[:16] == -1).all()
    mixed = (owner >= 0).any(axis=1)
    assert mixed[16:].any() and set(owner[mixed].max(axis=1)) == {0, 1}
    assert ((owner[mixed] == -1).sum(axis=1) == 2).all()
    assert rollout.learn[:, 16:].sum() < 0.8 * rollout.learn[:, :16].sum()
    assert any(member.rating for member in found.pool.members)


def test_the_pool_rates_by_results_and_draws_the_strong():
    pool = Pool(("random", "weighted"), 0)
    for _ in range(200):
        pool.note(np.array([0, 1, 1]), np.full(3, 2), 4, np.array([True, False, False]))
    weak, strong = pool.members
    assert weak.rating < -1 < 1 < strong.rating < 6
    drawn = pool.draw(np.random.default_rng(0), 1000)
    assert (drawn == 1).sum() > 3 * (drawn == 0).sum()


def test_ratings_settle_where_they_explain_the_results():
    """A player in one of four seats that wins three of four games is nine times as strong as each of the others."""
    pool = Pool(("random",), 0)
    rng = np.random.default_rng(0)
    found = []
    for _ in range(3000):
        pool.note(np.zeros(1, np.int64), np.full(1, 3), 4, rng.random(1) < 0.25)
        found.append(np.exp(pool.members[0].rating))
    assert np.mean(np.log(found[500:])) == pytest.approx(np.log(9), abs=0.3)


def test_the_pool_keeps_the_newest_selves():
    found = learner()
    pool = Pool(("random",), 2)
    for updates in range(4):
        pool.add(found.player, updates)
    assert sorted(member.updates for member in pool.members[1:]) == [2, 3]
    again = Pool(("random",), 2)
    again.load(pool.state(), found.player)
    assert [member.updates for member in again.members] == [member.updates for member in pool.members]


def test_the_benchmark_says_where_the_time_goes():
    reports = []
    options = {"num_games": 16, "rollout_steps": 16, "batch_size": 64, "teacher": "weighted", "num_players": 4}
    settings = TrainConfig().updated({**options, "torch_threads": 1, "pool_share": 0.0})
    found = {f.name: f for f in measure_training(settings, 2, reports.append)}
    assert reports == ["self-play", "imitation"]
    for kind in reports:
        assert found[kind].median > 0 and found[f"{kind}-core"].median > 0
        assert 90 < sum(f.median for name, f in found.items() if name.startswith(f"{kind}-") and f.unit == "%") < 110
