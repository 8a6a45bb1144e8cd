"""Scenarios as OpenSpiel games, checked with OpenSpiel's own tests. Skipped without OpenSpiel."""

import random
import re
from pathlib import Path

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel")

from catan_env.openspiel import GAMES  # noqa: E402

QUICK = {
    "catan_base": "catan_base(players=2,victory_points=3,offers_per_turn=0)",
    "catan_two_player": "catan_two_player(victory_points=3,offers_per_turn=0)",
    "catan_dice_game": "catan_dice_game(players=2,turns_each=3)",
}


def at_random(state, rng):
    if state.is_chance_node():
        outcomes, probabilities = zip(*state.chance_outcomes(), strict=True)
        return rng.choices(outcomes, probabilities)[0]
    return rng.choice(state.legal_actions())


@pytest.mark.parametrize("name", GAMES)
def test_the_random_simulation_test_of_openspiel_passes(name, plain_python):
    pyspiel.random_sim_test(pyspiel.load_game(QUICK[name]), num_sims=1, serialize=True, verbose=False)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_the_playthrough_generator_of_openspiel_passes(name, plain_python):
    from open_spiel.python.algorithms import generate_playthrough

    np.random.seed(1)  # noqa: NPY002 (the generator draws its seed from there)
    text = generate_playthrough.playthrough(QUICK[name], action_sequence=[])
    assert f'GameType.short_name = "{name}"' in text and "IsTerminal() = True" in text
    actions = [int(line.split()[1]) for line in text.splitlines() if line.startswith("action: ")]
    assert generate_playthrough.playthrough(QUICK[name], actions).splitlines()[-20:] == text.splitlines()[-20:]


@pytest.mark.parametrize("name", GAMES)
def test_resampled_states_have_the_same_information_state(name, plain_python):
    game, rng = pyspiel.load_game(QUICK[name]), random.Random(3)
    state, hidden, steps = game.new_initial_state(), 0, 0
    while not state.is_terminal() and steps < 150:
        if not state.is_chance_node() and steps % 5 == 0:
            for player in range(game.num_players()):
                world = state.resample_from_infostate(player, rng.random)
                assert world.information_state_string(player) == state.information_state_string(player)
                np.testing.assert_array_equal(world.observation_tensor(player), state.observation_tensor(player))
                assert world.current_player() == state.current_player()
                assert world.legal_actions(player) == state.legal_actions(player)
                hidden += world._record != state._record
        state.apply_action(at_random(state, rng))
        steps += 1
    assert hidden or name == "catan_dice_game"


def test_information_states_remember(plain_python):
    """Each choice changes its player's information state, and serialization preserves the information state."""
    game, rng = pyspiel.load_game(QUICK["catan_base"]), random.Random(0)
    state = game.new_initial_state()
    seen = set()
    for _ in range(120):
        if state.is_terminal():
            break
        before = [state.information_state_string(player) for player in range(2)]
        actor = state.current_player()
        state.apply_action(at_random(state, rng))
        if actor >= 0:
            assert state.information_state_string(actor) != before[actor]
        seen.add(state.information_state_string(0))
    assert len(seen) > 20
    twin = game.deserialize_state(state.serialize())
    assert twin.information_state_string(0) == state.information_state_string(0) and str(twin) == str(state)
    assert sum(state.returns()) == 0.0


def test_the_example_of_the_page_runs(plain_python, capsys):
    page = Path(__file__).parents[1] / "docs" / "how-to" / "openspiel.md"
    exec(re.search(r"^```py\n(.*?)^```", page.read_text("utf-8"), re.MULTILINE | re.DOTALL).group(1), {})
    assert sorted(eval(capsys.readouterr().out)) == [-1.0, 1.0]
