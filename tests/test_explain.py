"""`explain` reads from rule code which functions run, what they announce and ask, and which functions respond."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest

import catan_env
from catan_env import BatchEngine
from catan_env.engine.explain import ROOT, explain, name_of
from catan_env.engine.program import program_of
from catan_env.engine.registry import find_scenario
from catan_env.errors import ActionFormatError
from catan_training.cli import main
from tests.strategies import PLAIN_PYTHON

pytestmark = pytest.mark.core
SCENARIOS = sorted(catan_env.scenarios())


def explained(scenario, name=""):
    return explain(program_of(find_scenario(scenario)).composition, name)


def names(nodes):
    return [node.name for node in nodes]


def with_decisions(nodes):
    return {node.name: node.text for node in nodes}


def test_building_a_road_in_the_base_game():
    road = explained("base", "build_road")
    assert with_decisions(road.find("legal")) == {
        "base.building.what_to_build": "at play, build",
        "base.building.free_road_places": "at free_road",
        "base.initial_placement.paths_of_initial_settlement": "at place_initial_road",
    }
    assert with_decisions(road.find("apply")) == {
        "base.building.build_road": "at play, build",
        "base.building.build_free_road": "at free_road",
        "base.initial_placement.place_initial_road": "at place_initial_road",
    }
    (build, *_) = road.find("apply", "base.building.build_road")
    (place,) = build.children
    assert (place.label, place.name) == ("calls", "base.network.place_edge_piece")
    assert [(node.label, node.name) for node in place.children] == [
        ("calls", "base.network.set_edge_piece"),
        ("announces", "edge_piece_built"),
    ]
    assert names(place.children[1].children) == ["base.longest_road.lengthen"]
    assert names(road.find("asks", "may_pass")[0].children) == ["base.network.no_building_of_others"]
    assert "no module answers" in road.find("asks", "may_settle")[0].text
    then = road.children[-1].children[0]
    assert then.label == "announces" and "base.victory.win_on_own_turn" in names(then.children)
    assert [node.name for node in road.find("asks for decision")] == [
        "place_initial_settlement",
        "place_initial_road",
        "pre_roll",
    ]


def test_building_a_ship_in_seafarers():
    """Other modules respond to questions and events of base rules, in the order of the scenario's list."""
    ship = explained("seafarers_new_shores", "build_ship")
    assert names(ship.find("asks", "may_lay")[0].children) == [
        "seafarers.waters.roads_along_land",
        "seafarers.ships.ships_on_the_sea",
        "seafarers.pirate.no_ships_at_the_pirate",
    ]
    assert names(ship.find("announces", "edge_piece_built")[0].children) == [
        "base.longest_road.lengthen",
        "seafarers.moving_ships.ends_at_a_ship",
        "seafarers.fog.discover",
    ]
    (terrain,) = [node for node in ship.find("draws", "found_terrain") if node.children]
    assert [(node.label, node.name) for node in terrain.children] == [
        ("weights", "seafarers.fog.hexes_in_the_stack"),
        ("outcome", "seafarers.fog.lay_discovery"),
    ]
    assert {"choose_fog", "choose_card"} <= set(names(ship.find("asks for decision")))
    assert "at move_ship" in with_decisions(ship.find("apply"))["seafarers.moving_ships.move_ship"]


def test_decisions_draws_events_and_questions():
    discard = explained("base", "discard")
    assert names(discard.find("asked for by")) == ["base.discarding.let_discard"]
    assert with_decisions(discard.find("apply")) == {"base.discarding.discard_card": "discard_card"}
    dice = explained("base", "dice")
    assert names(dice.find("drawn by")) == ["base.turns.roll"]
    assert names(dice.find("outcome")) == ["base.turns.dice_fall"]
    assert "base.network.place_edge_piece" in names(explained("base", "edge_piece_built").find("announced by"))
    assert names(explained("base", "hand_limit").find("answers")) == ["base.discarding.limit_of_all"]
    assert explained("base", "HAND_LIMIT") == explained("base", "hand_limit")


def test_the_overview_lists_the_helpers_that_modules_share():
    helpers = {node.name: node.text for node in explained("base").find("helper")}
    assert (
        helpers["base.resources.pay"] == "pay(game, player, cost): Move the cards of a price from a player to the bank."
    )
    assert helpers["vocabulary.rightful_holder"].startswith("rightful_holder(counts, holder, minimum): ")
    assert not any(name.startswith("engine.") for name in helpers)
    assert "robber" in names(explained("base").find("field"))
    assert "friendly_robber" in names(explained("base").find("number"))


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_everything_is_explained_with_files_and_lines(scenario):
    composition = program_of(find_scenario(scenario)).composition
    overview = explain(composition)
    assert names(overview.find("action")) == list(composition.actions)
    assert names(overview.find("decision")) == list(composition.decisions)
    things = {
        node.name for label in ("action", "decision", "draw", "event", "question") for node in overview.find(label)
    }
    trees = [overview, *(explain(composition, name) for name in things)]
    functions = {(n.file, n.line, n.name.rpartition(".")[2]) for tree in trees for n in tree.walk() if n.file}
    assert len(functions) > 20
    for file, line, name in functions:
        assert not Path(file).is_absolute()
        text = (ROOT / file).read_text(encoding="utf-8").splitlines()[line - 1]
        assert text.startswith(f"def {name}("), f"{file}:{line} is {text!r}, not {name}"
    for action in composition.actions:
        tree = explain(composition, action)
        assert tree.find("legal") and tree.find("apply"), action


@pytest.mark.skipif(not PLAIN_PYTHON, reason="watches plain Python: run with NUMBA_DISABLE_JIT=1")
@pytest.mark.parametrize("scenario", ["base", "seafarers_new_shores", "cities_and_knights"])
def test_what_runs_is_in_the_explanation(scenario):
    """The explanation of an action names every function that applies it or reacts to an event while it is played.

    Draws wait on the decision stack, so outcomes of other draws may come in between. Therefore chance is explicit here.
    """
    engine = BatchEngine(scenario, 1, seed=3, chance="explicit", autoreset=True)
    composition, rng, ran = engine.program.composition, np.random.default_rng(4), set()
    watched = {
        function.__code__: name_of(function)
        for function in composition.functions_with_roles()
        if {role.kind for role in function.roles} & {"apply", "when"}
    }

    def watch(frame, event, argument):
        if event == "call" and frame.f_code in watched:
            ran.add(watched[frame.f_code])

    played = {}
    for _ in range(600):
        legal = np.flatnonzero(engine.chance_mask[0] if engine.seat_to_act[0] < 0 else engine.action_mask[0])
        choice, chance = (int(rng.choice(legal)), engine.seat_to_act[0] < 0) if len(legal) else (-1, True)
        ran.clear()
        sys.setprofile(watch)
        engine.step(np.array([choice]))
        sys.setprofile(None)
        if not chance:
            played.setdefault(engine.actions.pair(choice)[0], set()).update(ran)
    assert len(played) > 8
    for action, functions in played.items():
        explanation = names(explain(composition, action).walk())
        assert functions and functions <= set(explanation), f"{action}: {functions - set(explanation)}"


def test_the_tree_as_text_and_as_data():
    road = explained("base", "build_road")
    text = str(road)
    assert text == repr(road) and text.startswith("action build_road  (build a road on {paths})\n  needs an empty path")
    line = next(line for line in text.splitlines() if "apply base.building.build_road" in line)
    assert "catan_env/games/base/building.py:" in line and line.endswith("(at play, build)")
    data = json.loads(json.dumps(road.as_dict()))
    assert data["name"] == "build_road" and len(data["children"]) == len(road.children)
    assert data["children"][1]["file"] == "catan_env/games/base/building.py"


def test_an_engine_explains_ids_and_names():
    engine = BatchEngine("base", 1)
    assert engine.explain(engine.actions.id("build_city", 7)).name == "build_city"
    assert engine.explain("discard").label == "decision" and engine.explain().label == "scenario"
    with pytest.raises(ActionFormatError, match=r"base has no 'build_raod'\. Did you mean 'build_road'\? It has act"):
        engine.explain("build_raod")
    with pytest.raises(ActionFormatError, match="An id must be an integer from 0 to .*given: 9999"):
        engine.explain(9999)


def test_the_command(capsys):
    assert main(["explain", "base", "build_road"]) == 0
    assert capsys.readouterr().out == f"{explained('base', 'build_road')}\n"
    assert main(["explain", "base", "0", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["label"] == "action"
    assert main(["explain", "dice_game"]) == 0
    assert capsys.readouterr().out.startswith("scenario dice_game\n  module ")
    assert main(["explain", "base", "build_raod"]) == 2
    assert "Did you mean 'build_road'?" in capsys.readouterr().err
