"""Shortcuts of searches do not change their results: worlds evaluated together, and cached terms."""

import numpy as np
import pytest

import catan_env
from catan_agents.evaluation.base import cards_to_expect, prospects, sites_in_reach
from catan_agents.evaluation.memo import NOBODY, clear_cache
from catan_agents.evaluation.network_evaluation import POOL
from catan_agents.evaluation.terms import VALUE, cache_of, measures_of, terms_of
from catan_agents.search import ExpectimaxAgent, GreedyAgent
from catan_agents.search.lookahead import FIRST, Search, evaluated, mark_wanted, outlook
from catan_agents.search.worlds import begin, take
from catan_agents.streams import GameStreams
from catan_env import BatchEngine
from catan_env.engine.arrays import as_records
from catan_env.engine.compiler.jit import DISABLE_JIT
from catan_env.engine.compose import Composed
from catan_env.engine.record_views import add_record_view
from catan_env.errors import CompositionError, OptionError
from catan_env.games.base.development_cards import KNIGHT
from catan_env.testing.positions import check, position
from catan_training.learning.chances import terms_in

equal_tried, hash_of_tried, copy_tried = (Composed(f"{name}_tried") for name in ("equal", "hash_of", "copy"))
SCENARIOS = sorted(catan_env.scenarios())
WORLDS, DEPTH = 3, 2


def look_apart(states, all_params, legal, seats, weights, depth, space, action_values, met, start, stop):  # noqa: PLR0913 (kernel)
    """Kernel: compute the value of each action in each world, one by one, and whether all worlds count."""
    for i in range(start, stop):
        begin(space, states[i])
        search = Search(space, all_params[0], weights, seats[i], int(states[i].depth))
        for action in range(legal.shape[1]):
            if legal[i, action]:
                take(space, 0, action)
                space.met[0] = 0
                for world in range(action_values.shape[2]):
                    if not evaluated(search, FIRST, world, depth - 1):
                        outlook(search, FIRST, world, 1 << world, depth - 1)
                    action_values[i, action, world] = space.world_values[FIRST, world]
                met[i, action] = space.met[0]


def looked_apart(engine, rules, worlds, where, legal, agent):
    """Return the (values, met) that `look_apart` writes. `worlds` has one record for each game in `where`."""
    action_values, met = np.zeros((*legal.shape, WORLDS)), np.zeros(legal.shape, np.bool_)
    engine.kernel(look_apart, rules)(
        as_records(worlds),
        engine.batch.params,
        legal,
        engine.seat_to_act[where],
        agent._weights_of(engine, where)[0][0],
        DEPTH,
        agent._workspace(engine).space,
        action_values,
        met,
        0,
        len(where),
    )
    return action_values, met


def evaluate_all(states, all_params, seats, weights, cache, action_values, start, stop):
    """Kernel: evaluate positions one by one."""
    for i in range(start, stop):
        action_values[i] = VALUE(states[i], all_params[0], seats[i], weights, cache)


def with_cards(players, count):
    """Return games in progress in which every seat holds cards of all kinds, but no knight.

    A knight leads to a theft beyond the depth, and the search follows such a draw in one world only.
    """
    engine = BatchEngine("base", count, players, seed=8, rules={"offers_per_turn": 0}, forced_moves="play")
    engine.random_rollout(60)
    engine.reset(games=engine.seat_to_act < 0)
    for game in engine.state:
        game["hands"] += 1
        game["bank"] -= players
        game["deck"][KNIGHT] += game["development_cards"][:, KNIGHT].sum()
        game["development_cards"][:, KNIGHT] = game["new_development_cards"][:, KNIGHT] = 0
        drawn = np.minimum([0, 1, 1, 1, 0], game["deck"])
        game["development_cards"][0] += drawn
        game["deck"] -= drawn
    engine.refresh()
    check(engine)
    return engine


def test_worlds_are_worth_the_same_together_as_one_by_one():
    engine = with_cards(4, 4 if DISABLE_JIT else 40)
    where = np.arange(engine.num_games)
    agent = ExpectimaxAgent(DEPTH, WORLDS, seed=3)
    _, action_values = agent.evaluate_actions(engine, where)
    worlds = engine.determinise(seed=GameStreams(3).words(where))
    apart, met = looked_apart(engine, engine.program.composition, worlds, where, engine.action_mask[where], agent)
    found = np.isfinite(action_values)
    assert met[found].any() and not met[found].all() and (np.ptp(apart[met], axis=1) > 0).any()
    np.testing.assert_allclose(
        action_values[found], np.where(met, apart.mean(axis=2), apart[:, :, 0])[found], rtol=1e-12
    )


def test_offers_are_not_tried_inside_a_search():
    """An offer changes nothing before another seat answers.

    This test evaluates positions by the length of the decision stack, which every offer would increase.
    """
    engine = BatchEngine("base", 8, seed=8)
    engine.random_rollout(120)
    composition, can_offer = engine.program.composition, engine.action_mask[:, engine.actions.ids("make_offer")[0]]
    terms_of(composition)
    composition.add_function("stack_length", "game, params, seat, weights, cache", ["return float(game.depth)"], {})
    worlds = engine.determinise(where := np.flatnonzero(can_offer), seed=np.arange(len(where), dtype=np.uint64))
    legal = engine.action_mask[where]
    legal[:, engine.actions.ids("make_offer")] = False
    rules = composition.instead(**{VALUE.name: "stack_length"})
    action_values, _ = looked_apart(engine, rules, worlds, where, legal, ExpectimaxAgent(DEPTH, WORLDS))
    assert legal.sum() > len(where) > 0
    assert (action_values.max(axis=(1, 2)) == worlds["depth"]).all()


def test_what_is_drawn_beyond_the_depth_is_followed_in_its_likeliest_outcome():
    """Seat 1's hand is known, because nobody else holds cards.

    An agent that chooses where to move the robber weighs the cards that it may steal. An agent that only considers
    playing a knight does not, so the wool makes no difference.
    """
    action_values = {}
    for wool in (0, 1):
        beside = position("base", 4, {"offers_per_turn": 0}).settlement(0, "N", 0, 0).settlement(1, "S", 0, 0)
        game = beside.robber(0, -2).cards(0, knight=1).hand(1, ore=4 - wool, wool=wool).on_turn(0).game()
        first, actions = np.array([0]), game.engine.actions
        play_knight_values = GreedyAgent(seed=1).evaluate_actions(game.engine, first)[1][0, actions.ids("play_knight")]
        game.do("play_knight")
        done = GreedyAgent(seed=1).evaluate_actions(game.engine, first)[1][0, actions.ids("move_robber")]
        action_values[wool] = play_knight_values[0], done[game.hex(0, 0)]
    assert action_values[0][0] == pytest.approx(action_values[1][0], abs=1e-9)
    assert action_values[0][1] > action_values[1][1] + 1e-3


def test_only_the_best_actions_are_looked_at_further():
    engine = with_cards(4, 4 if DISABLE_JIT else 40)
    where = np.arange(engine.num_games)
    near = GreedyAgent(seed=3, weights="untuned").evaluate_actions(engine, where)[1]
    wide = ExpectimaxAgent(seed=3, weights="untuned", width=engine.actions.n).evaluate_actions(engine, where)[1]
    actions, few = ExpectimaxAgent(seed=3, weights="untuned", width=3).evaluate_actions(engine, where)
    looked_at = np.isfinite(few)
    assert (looked_at.sum(axis=1) == np.minimum(np.isfinite(wide).sum(axis=1), 3)).all()
    assert (np.isfinite(wide).sum(axis=1) > 3).any()
    np.testing.assert_allclose(few[looked_at], wide[looked_at], rtol=1e-9)
    best_left_out = np.where(looked_at, -np.inf, near).max(axis=1)
    assert (np.where(looked_at, near, np.inf).min(axis=1) >= best_left_out - 1e-9).all()
    assert looked_at[where, actions].all()


def test_in_the_initial_placement_one_decision_is_looked_ahead():
    engine = BatchEngine("base", 2 if DISABLE_JIT else 8, 3, seed=5)
    where = np.arange(engine.num_games)
    further, near = (ExpectimaxAgent(depth, seed=3, weights="untuned") for depth in (2, 1))
    same = []
    for _ in range(30):
        for agent in (further, near):
            agent.reset(7)
        choices = [agent.evaluate_actions(engine, where) for agent in (further, near)]
        same.append(all(np.array_equal(one, other) for one, other in zip(*choices, strict=True)))
        assert same[-1] or (engine.state["turn"] > 0).any()
        engine.step(choices[1][0])
    assert len(same) > sum(same) >= 12  # initial placement takes twelve decisions


def positions_on_the_way(engine, steps):
    """Return records of the first game before every step of random play, once for each seat, and the seats."""
    records, seats = [], []
    for _ in range(steps):
        engine.reset(games=engine.seat_to_act < 0)
        for seat in range(engine.num_players):
            records.append(engine.state[:1].copy())
            seats.append(seat)
        engine.random_rollout(1)
    return np.concatenate(records), np.array(seats)


def assert_kept_terms_are_current(engine, steps):
    """Assert that the values of successive positions equal the weighted sums of freshly measured terms."""
    records, seats = positions_on_the_way(engine, steps)
    composition = engine.program.composition
    weights = np.random.default_rng(1).normal(size=len(terms_of(composition)))
    action_values, cache = np.zeros(len(records)), cache_of(composition, engine.program.blank)
    engine.program.kernel(evaluate_all)(
        as_records(records), engine.batch.params, seats, weights, cache, action_values, 0, len(records)
    )
    np.testing.assert_allclose(action_values, terms_in(engine, records, seats) @ weights, rtol=1e-9, atol=1e-9)
    assert (cache.seats != NOBODY).any() == any(measure.memo for measure in measures_of(composition))
    clear_cache(cache)
    assert (cache.seats == NOBODY).all()


def test_kept_terms_are_those_of_the_position():
    assert_kept_terms_are_current(BatchEngine("base", 1, 3, seed=2), 60 if DISABLE_JIT else 1500)


@pytest.mark.soak
@pytest.mark.skipif(not DISABLE_JIT, reason="compiles a program for each scenario: run with NUMBA_DISABLE_JIT=1")
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_kept_terms_are_those_of_the_position_in_every_scenario(scenario):
    assert_kept_terms_are_current(BatchEngine(scenario, 1, seed=2), 60)


def test_what_is_kept_does_not_outlast_other_rules():
    """An agent that alternates between two sets of rules evaluates actions as new agents do."""
    rules = [{"offers_per_turn": 0, "victory_points": points} for points in (10, 14)]
    engines = [BatchEngine("base", 20, 4, seed=6, rules=numbers) for numbers in rules]
    for engine in engines:
        engine.random_rollout(100)
    where = np.flatnonzero((engines[0].seat_to_act >= 0) & (engines[1].seat_to_act >= 0))
    one = GreedyAgent(seed=1)
    for engine in (*engines, *engines):
        one.reset(1)
        np.testing.assert_array_equal(
            one.evaluate_actions(engine, where)[1], GreedyAgent(seed=1).evaluate_actions(engine, where)[1]
        )


def test_what_a_measure_reads_is_found_in_all_that_it_asks():
    composition = BatchEngine("base", 1, 2).program.composition
    board = {"building", "building_owner", "terrain", "number"}
    assert composition.reads(cards_to_expect) >= board | {"robber", "trade_rate", "longest_road", "cities_left"}
    assert composition.reads(sites_in_reach) >= {
        "settlement_sites",
        "edge_piece_sites",
        "building",
        "terrain",
        "edge_pieces_left",
    }
    for measure in (cards_to_expect, sites_in_reach):
        assert not composition.reads(measure) & {"hands", "development_cards", "deck", "decision_stack", "rng"}
    assert "hands" in composition.reads(prospects)
    with pytest.raises(CompositionError, match="which fields 'mark_legal' reads, which mark_wanted uses"):
        composition.reads(mark_wanted)


class Recorded(np.record):
    """A record that collects the names of the fields that code accesses."""

    names: set[str] = set()

    def __getattribute__(self, name):
        Recorded.names.add(name)
        return super().__getattribute__(name)

    def __getitem__(self, name):
        Recorded.names.add(name)
        return super().__getitem__(name)


@pytest.mark.core
@pytest.mark.skipif(not DISABLE_JIT, reason="watches plain Python: run with NUMBA_DISABLE_JIT=1")
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_measures_read_no_field_that_byte_code_does_not_show(scenario):
    engine = BatchEngine(scenario, 4, seed=4, autoreset=True)
    composition = engine.program.composition
    kept = [measure.function for measure in measures_of(composition) if measure.memo]
    params, pool = engine.batch.params[0], np.zeros(POOL)
    for _ in range(2):
        engine.random_rollout(80)
        games = engine.state.view(np.dtype((Recorded, engine.state.dtype)))
        for function in kept:
            found = composition.reads(function)
            Recorded.names = set()
            for game in games:
                for seat in range(engine.num_players):
                    composition.bind(function)(game, params, seat, pool)
            assert Recorded.names & set(composition.fields) <= found, function.__name__
            assert Recorded.names & found, f"{function.__name__} was not watched"


@pytest.mark.parametrize("scenario", ("dice_game", "dice_game_plus"))
def test_kept_values_of_dice_serve_only_the_same_question(scenario):
    rolls = BatchEngine(scenario, 3, seed=5, rules={"rolls_per_turn": 2})
    positions = []
    for _ in range(8):
        rolls.random_rollout(1)
        positions += [rolls.state.copy(), rolls.state.copy()]  # twice, to ask the same questions again
    records = np.concatenate(positions)
    seats = records["on_turn"].clip(0).astype(np.int64)
    together = terms_in(rolls, records, seats)
    apart = [terms_in(rolls, records[k : k + 1], seats[k : k + 1])[0] for k in range(len(records))]
    np.testing.assert_array_equal(together, apart)
    turn = [term.name for term in terms_of(rolls.program.composition)].index("turn")
    assert len(np.unique(together[:, turn])) > 4  # so there were several questions


def try_part(records, found, start, stop):
    """Kernel: compare a part of two records, copy that part from one to the other, and compare again."""
    found[0] = equal_tried(records[0], records[1])
    found[1] = hash_of_tried(records[0]) == hash_of_tried(records[1])
    copy_tried(records[0], records[1])
    found[2] = equal_tried(records[0], records[1])
    found[3] = hash_of_tried(records[0]) == hash_of_tried(records[1])


def test_a_part_of_a_record_is_all_its_bytes_and_no_others():
    program = BatchEngine("base", 1, 2).program
    fields = ["hands", "robber", "longest_road", "depth"]
    add_record_view(program.composition, "tried", fields)
    rng, kernel = np.random.default_rng(5), program.kernel(try_part)
    for name in program.record_dtype.names[1:-1]:
        records = np.repeat(program.blank, 2)
        records.view(np.uint8)[:] = rng.integers(256, size=records.nbytes)
        for field in fields:
            records[field][1] = records[field][0]
        changed = records[name][1:].view(np.uint8).reshape(-1)
        changed[rng.integers(len(changed))] ^= 1 << rng.integers(8)
        found, other = np.zeros(4, np.bool_), records[1:].copy()
        kernel(as_records(records), found, 0, 1)
        assert found.tolist()[:1] + found.tolist()[2:] == [name not in fields, True, True], name
        assert found[1] or name in fields
        assert records[1:].tobytes() == other.tobytes()


def test_as_many_worlds_as_fit_into_a_set():
    with pytest.raises(OptionError, match="worlds is 33; it must be an integer from 1 to 32"):
        ExpectimaxAgent(worlds=33)
