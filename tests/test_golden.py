"""Golden playthroughs: a recorded game of every registered scenario, version and number of players, and its layouts.

Whatever changes how a scenario plays, or what its actions and observations mean, fails here. If that is meant,
raise the scenario's version, add a line to its history, and record: `python -m tests.golden.record <scenario>`.
"""

import copy

import pytest

import catan_env
from catan_env.engine.declare import Draw
from catan_env.games.base import board_layout
from tests.golden import record, trajectories
from tests.strategies import GAMES, SCENARIOS, every_number_of_players

AGAIN = "python -m tests.golden.record"
BUMP = "If that is meant, raise its version, add a line to its history and run `{} {}`."


@pytest.mark.core
@every_number_of_players
def test_a_recorded_game_plays_as_it_did(scenario, players):
    path = record.path_of(scenario, players)
    if not path.exists():
        pytest.fail(f"{path.name} is missing; run `{AGAIN} {scenario}`")
    golden = record.read(path)
    assert golden["log"]["version"] == catan_env.find_scenario(scenario).version
    digests, engine = record.steps_of(golden["log"])
    bump = BUMP.format(AGAIN, scenario)
    assert len(digests) == len(golden["digests"])
    for number, (now, then) in enumerate(zip(digests, golden["digests"], strict=True)):
        move = golden["log"]["moves"][number - 1] if number else "the start"
        assert now == then, f"{scenario} differs from {path.name} after move {number - 1}, {move}. {bump}"
    assert record.fingerprint(engine) == golden["final"]
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


def test_nothing_stale_is_kept():
    wanted = {record.path_of(name, n).name for name, made in catan_env.scenarios().items() for n in made.players}
    kept = {path.name for path in record.FOLDER.glob("*.json")} - {record.LAYOUTS.name, trajectories.FILE.name}
    assert kept <= wanted, f"no registered scenario has these: {sorted(kept - wanted)}; run `{AGAIN}`"
    assert set(record.layouts()) <= set(catan_env.scenarios())


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_most_kinds_of_moves_are_in_some_recording(scenario):
    """But for kinds that need other rules than the scenario's, or that chance seldom brings; where a printed board is
    played, nothing is drawn for it."""
    paths = [record.path_of(scenario, players) for players in catan_env.find_scenario(scenario).players]
    seen = {move[0] for path in paths if path.exists() for move in record.read(path)["log"]["moves"]}
    engine = catan_env.BatchEngine(scenario)
    kinds = {*engine.actions.kinds, *engine.outcomes.kinds}
    game_map = getattr(catan_env.find_scenario(scenario).tables, "map", None)
    if game_map is not None and game_map.standing:
        kinds -= {draw.name for draw in vars(board_layout).values() if isinstance(draw, Draw)}
    assert len(seen) >= 0.8 * len(kinds), f"no recording of {scenario} has moves of these kinds: {sorted(kinds - seen)}"


def test_a_change_of_the_rules_is_noticed():
    """The recordings do tell: another outcome of one late roll is another game."""
    golden = record.read(record.path_of(*GAMES[0]))
    log = copy.deepcopy(golden["log"])
    rolls = [k for k, move in enumerate(log["moves"]) if move[0] == "dice"]
    move = log["moves"][rolls[len(rolls) // 2]]
    move[1] = (move[1] + 1) % 11
    log["checksum"] = catan_env.engine.replay._checksum(log)
    try:
        digests, _ = record.steps_of(log)
    except catan_env.errors.ReplayError:
        return
    assert digests != golden["digests"]
