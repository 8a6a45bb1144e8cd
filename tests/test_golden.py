"""Golden playthroughs: recorded games and layouts of every registered scenario, version and number of players.

These tests fail if a scenario plays differently, or if its actions or observations change meaning. If the change is
intended, raise the scenario's version, add a line to its history, and record it:
`python -m tests.golden.record <scenario>`.
"""

import copy

import pytest

import catan_env
from catan_env.engine.declare import Draw
from catan_env.games.base import board_layout
from tests.golden import record
from tests.strategies import GAMES, SCENARIOS, every_number_of_players

AGAIN = "python -m tests.golden.record"
BUMP = "If that is meant, raise its version, add a line to its history and run `{} {}`."


BUNDLED = dict(catan_env.scenarios())
"""Scenarios before any test registers its own."""


@pytest.mark.core
@every_number_of_players
def test_a_recorded_game_plays_as_it_did(scenario, players, request):
    if (scenario, players) not in GAMES:
        request.getfixturevalue("plain_python")  # no other test compiles this number of players
    path = record.path_of(scenario)
    if not path.exists():
        pytest.fail(f"{path.name} is missing; run `{AGAIN} {scenario}`")
    golden = record.read(path)[players]
    moves = golden["log"]["moves"]
    assert golden["log"]["version"] == catan_env.find_scenario(scenario).version
    fingerprints, engine = record.fingerprints_of(golden["log"])
    digests = record.digests_of(fingerprints)
    assert len(digests) == len(golden["digests"])
    bump = BUMP.format(AGAIN, scenario)
    for block, (now, then) in enumerate(zip(digests, golden["digests"], strict=True)):
        first = max(0, (block - 1) * record.MOVES_PER_DIGEST)
        where = f"within 50 moves from move {first}, {moves[first]}" if block else "at the start"
        assert now == then, f"{scenario} with {players} players differs from {path.name} {where}. {bump}"
    assert fingerprints[-1] == golden["final"]
    assert engine.winner[0] == golden["winner"]
    assert engine.victory_points[0].tolist() == golden["victory_points"]
    assert engine.terminated[0] and not engine.broken_invariants()


@pytest.mark.core
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_layouts_are_those_recorded(scenario):
    recorded = record.layouts().get(scenario)
    assert recorded is not None, f"{scenario} has no entry in layouts.json; run `{AGAIN} {scenario}`"
    layout = record.layout_of(scenario)
    different = [part for part in layout if layout[part] != recorded[part]]
    bump = BUMP.format(AGAIN, scenario)
    assert not different, f"the layout of {scenario} has changed in {different}: checkpoints and replays break. {bump}"


def test_each_scenario_has_its_games_and_nothing_stale_is_kept():
    wanted = {record.path_of(name): made.players for name, made in BUNDLED.items()}
    assert set(record.FOLDER.glob(f"*{record.SUFFIX}")) == set(wanted), f"run `{AGAIN}`"
    for path, players in wanted.items():
        assert tuple(record.read(path)) == tuple(sorted(players)), f"{path.name}: run `{AGAIN}`"
    assert set(record.layouts()) == set(BUNDLED)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_most_kinds_of_moves_are_in_some_recording(scenario):
    """Kinds that need other rules or occur rarely may be missing. A printed board needs no draws for its layout."""
    games = record.read(record.path_of(scenario)).values()
    seen = {move[0] for game in games for move in game["log"]["moves"]}
    engine = catan_env.BatchEngine(scenario)
    kinds = {*engine.actions.kinds, *engine.outcomes.kinds}
    game_map = getattr(catan_env.find_scenario(scenario).board, "map", None)
    if game_map is not None and game_map.standing:
        kinds -= {draw.name for draw in vars(board_layout).values() if isinstance(draw, Draw)}
    assert len(seen) >= 0.8 * len(kinds), f"no recording of {scenario} has moves of these kinds: {sorted(kinds - seen)}"


def test_a_change_of_the_rules_is_noticed():
    """Changing one roll in the middle gives a different game."""
    scenario, players = GAMES[0]
    golden = record.read(record.path_of(scenario))[players]
    log = copy.deepcopy(golden["log"])
    rolls = [k for k, move in enumerate(log["moves"]) if move[0] == "dice"]
    move = log["moves"][rolls[len(rolls) // 2]]
    move[1] = (move[1] + 1) % 11
    log["checksum"] = catan_env.engine.replay._checksum(log)
    try:
        fingerprints, _ = record.fingerprints_of(log)
    except catan_env.errors.ReplayError:
        return
    assert record.digests_of(fingerprints) != golden["digests"]


def test_one_position_that_differs_changes_the_digest_of_its_50_moves():
    fingerprints = [f"{k:020x}" for k in range(171)]
    recorded = record.digests_of(fingerprints)
    assert len(recorded) == 5
    for position, block in ((0, 0), (1, 1), (50, 1), (51, 2), (149, 3), (170, 4)):
        changed = [*fingerprints[:position], f"{999:020x}", *fingerprints[position + 1 :]]
        different = [k for k, (now, then) in enumerate(zip(record.digests_of(changed), recorded)) if now != then]
        assert different == [block]
