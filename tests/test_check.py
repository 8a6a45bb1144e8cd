"""`catan check` passes sound scenarios, and the right check finds each planted fault with a short game."""

import json
from random import random as luck

import numpy as np
import pytest
from coin_toy import COINS, LEFT, module, toy

import catan_env
from catan_agents.heuristic import scoring
from catan_env import BatchEngine
from catan_env.engine import registry
from catan_env.engine.decision_stack import pop, push, replace
from catan_env.engine.declare import (
    OWNER,
    PLAYERS,
    PUBLIC_POINTS,
    Action,
    Count,
    Decision,
    Feature,
    Field,
    answers,
    apply,
    legal,
    outcome,
    redeals,
    set_up,
    shows,
    weights,
)
from catan_env.engine.random import below
from catan_env.errors import OptionError
from catan_env.render import drawing
from catan_env.render.layout import Part
from catan_env.testing import CHECKS, check_scenario
from catan_env.testing.effects import chance_of
from catan_training import cli
from catan_training.benchmarks.soak import Soak
from tests.coin_toy import BET, CHOOSE, FLIP, WON_COIN, when
from tests.strategies import PLAIN_PYTHON

pytestmark = [
    pytest.mark.core,
    pytest.mark.skipif(not PLAIN_PYTHON, reason="rules compile for seconds, and the faults are the same"),
]

HANDS = Field("hands", (PLAYERS, 2), "i1", 0, 9, "cards in hand", visible=OWNER, show=Count(), total=True)
SHOWN = Feature("shown_cards", None, 20, "what somebody holds")


@set_up
def deal(game, params):
    for player in range(PLAYERS):
        game.hands[player, 0] = player + 1
        game.hands[player, 1] = 4


@redeals("hands")
def redeal(game, params, seat, pool):
    """Draw each hand uniformly from the hands of the same size."""
    for player in range(params.num_players):
        if player != seat:
            total = int(game.hands[player, 0]) + int(game.hands[player, 1])
            game.hands[player, 0] = below(game, total + 1)
            game.hands[player, 1] = total - game.hands[player, 0]


def with_hands(name, *functions, **declarations):
    """Return the toy game with cards for every player and a planted fault."""
    rules = {function.__name__: function for function in (deal, redeal)}
    rules |= {function.__name__: function for function in functions}
    declared = {"FIELDS": (HANDS,)} | declarations
    shown = (COINS, LEFT)
    return toy(module("faulty", **declared, **rules), name=name, FIELDS=shown)


def found(scenario, *checks, games=4):
    """Return the check and message of every finding."""
    report = check_scenario(scenario, checks=checks or None, games=games, steps=30)
    return [(finding.check, finding.message) for finding in report.findings]


def test_a_sound_scenario_passes():
    scenario = catan_env.register(with_hands("sound"))  # so that it can be pickled
    try:
        assert found(scenario, *(set(CHECKS) - {"scores"})) == []
    finally:
        del registry._scenarios["sound"]


@pytest.mark.slow
def test_the_base_game_passes():
    report = check_scenario("base", games=1, steps=25)
    assert report.ok, report.findings
    assert report.states > 5 and report.speed > 0


def test_unknown_checks_are_refused():
    with pytest.raises(OptionError, match="'leak'. Available: rules, soundness, hidden"):
        check_scenario("base", checks=["leak"])


# -- planted faults -----------------------------------------------------------------------------------------------


@legal(CHOOSE)
def heads_if_the_other_is_rich(game, params, seat, mask):
    mask[BET] = game.hands[1 - seat, 0] < 2


def test_a_leak_in_a_mask_is_found_with_a_short_game(tmp_path):
    report = check_scenario(
        with_hands("leaky_mask", heads_if_the_other_is_rich), checks=["hidden"], games=4, steps=30, folder=tmp_path
    )
    (finding,) = report.findings
    assert finding.message.startswith("action 'bet' depends on 'hands', which seat ")
    log = json.loads((tmp_path / "check-leaky_mask-1-hidden.json").read_text())
    assert finding.decisions == len([move for move in log["moves"] if len(move) == 2]) <= 1
    assert finding.command == f"catan replay {finding.log}"


@shows(SHOWN)
def shown_to_all(game, params, seat, index):
    return game.hands[0, 0]


def test_a_leak_in_an_observation_is_found():
    leaks = found(with_hands("leaky_feature", shown_to_all), "hidden")
    assert [message.split(", which")[0] for _, message in leaks] == ["feature 'shown_cards' depends on 'hands'"]


@pytest.fixture
def own_scores(monkeypatch):
    """Discard the scores that a test registers."""
    scores = {key: dict(value) for key, value in scoring._scores.items()}
    monkeypatch.setattr(scoring, "_scores", scores)


def card_of_the_other(game, params, seat, memo, argument):
    return game.hands[1 - seat, 0]


def test_a_leak_in_a_score_is_found(own_scores):
    scoring.score(BET)(card_of_the_other)
    ((check, message),) = found(with_hands("leaky_score"), "scores")
    assert check == "scores" and message.startswith("the score of 'bet' depends on 'hands'")


def cards_in_a_field_that_is_missing(game, params, seat, memo, argument):
    return game.hand[seat, 0]


def test_a_score_that_reads_what_the_scenario_lacks_is_found(own_scores):
    scoring.score(BET)(cards_in_a_field_that_is_missing)
    assert found(with_hands("misspelled_score"), "scores") == [
        ("scores", "the score of action 'bet' reads game.hand, which the scenario lacks")
    ]


def test_an_action_without_a_score_is_found():
    assert found(toy(name="unscored"), "scores") == [
        ("scores", "the heuristic agent has no score for action 'bet': register one with @score")
    ]


@answers(PUBLIC_POINTS)
def points_of_cards(game, params, player, where):
    return game.hands[player, 0]


def test_hidden_points_that_count_as_public_are_found():
    leaks = found(with_hands("leaky_points", points_of_cards), "hidden")
    assert any(message.startswith("the public points depends on 'hands'") for _, message in leaks)


@when(WON_COIN)
def count_too_far(game, params, player, where):
    game.steps += 1


STEPS = Field("steps", (), "i1", 0, 2, "coins that were won", show=Count())


def test_a_field_out_of_bounds_is_found_with_the_shortest_game():
    scenario = with_hands("too_far", count_too_far, FIELDS=(HANDS, STEPS))
    report = check_scenario(scenario, checks=["soundness"], games=6, steps=30)
    (finding,) = report.findings
    assert finding.message == "field 'steps' holds 3 .. 3; its bounds are 0 .. 2"
    assert finding.decisions == 3


PASS = Action("pass", "pass")
WAIT = Decision("wait", "pass")


@when(WON_COIN)
def ask_to_pass(game, params, player, where):
    push(game, WAIT, player)


@legal(WAIT)
def may_pass(game, params, seat, mask):
    mask[PASS] = True


@apply(PASS)
def pass_without_a_pop(game, params, seat, argument):
    pass


def test_a_forgotten_pop_is_found():
    scenario = with_hands("endless", ask_to_pass, may_pass, pass_without_a_pop, ACTIONS=(PASS,))
    ((check, message),) = found(scenario, "endings")
    assert check == "endings" and message.startswith("at 'wait', the actions 'pass' lead back to the same state")


@legal(WAIT)
def may_do_nothing(game, params, seat, mask):
    pass


def test_a_decision_without_a_legal_action_is_found():
    scenario = with_hands("stuck", ask_to_pass, may_do_nothing, pass_without_a_pop, ACTIONS=(PASS,))
    ((check, message),) = found(scenario, "rules")
    assert check == "rules" and "without a legal action" in message


@redeals("hands")
def redeal_nothing(game, params, seat, pool):
    pass


def test_a_hidden_field_that_is_not_redealt_is_found():
    rules = {"deal": deal, "redeal_nothing": redeal_nothing, "FIELDS": (HANDS,)}
    ((check, message),) = found(toy(module("faulty", **rules), name="not_redealt"), "worlds", games=10)
    assert check == "worlds" and message.startswith("hidden field 'hands' was the same as in the true game")


def test_a_missing_redeal_is_found():
    ((check, message),) = found(toy(module("faulty", deal=deal, FIELDS=(HANDS,)), name="no_redeal"))
    assert check == "rules" and "'hands' of no_redeal is hidden" in message and "@redeals('hands')" in message


@redeals("hands")
def redeal_out_of_bounds(game, params, seat, pool):
    for player in range(params.num_players):
        if player != seat:
            game.hands[player, 0] = 9 + below(game, 3)


def test_unsound_worlds_are_found():
    rules = {"deal": deal, "redeal": redeal_out_of_bounds, "FIELDS": (HANDS,)}
    messages = [message for _, message in found(toy(module("faulty", **rules), name="bad_worlds"), "worlds")]
    assert any("in a world as seat 0 imagines it, field 'hands' holds" in message for message in messages)
    assert any("shows this seat another value" in message for message in messages)


@when(WON_COIN)
def lose_by_luck(game, params, player, where):
    if np.random.random() < 0.5:  # noqa: NPY002 (the fault)
        game.coins[player] = 0


@when(WON_COIN)
def lose_by_chance(game, params, player, where):
    if luck() < 0.5:
        game.coins[player] = 0


@pytest.mark.parametrize(("function", "source"), [(lose_by_luck, "np.random"), (lose_by_chance, "random")])
def test_a_random_number_in_a_rule_is_found(function, source):
    """Composition rejects the rule, or the checks find it by playing and by reading its code."""
    messages = [message for _, message in found(with_hands("lucky", function), "rules", "randomness")]
    texts = f"{function.__name__} uses {source}", f"{function.__name__} draws random numbers"
    assert any(text in message for message in messages for text in texts), messages


@pytest.fixture
def drawings(monkeypatch):
    """Discard the drawings that a test registers."""
    monkeypatch.setattr(drawing, "HEADS", list(drawing.HEADS))
    monkeypatch.setattr("catan_env.render.panel.HEADS", drawing.HEADS)


def test_a_drawing_of_a_hidden_field_is_found(drawings):
    @drawing.heads("hands")
    def cards(game):
        return Part(0, 30, f"<text>{game.values('hands')}</text>")

    messages = [message for _, message in found(with_hands("leaky_drawing"), "drawing")]
    assert any(message.startswith("the picture depends on 'hands'") for message in messages), messages


def test_a_drawing_that_fails_is_found(drawings):
    @drawing.heads("left")
    def left(game):
        return Part(0, 0, game.values("left")["x"])

    messages = [message for _, message in found(with_hands("broken_drawing"), "drawing")]
    assert messages[0].startswith("fails with TypeError") and "test_check.py" in messages[0]


# -- the command ----------------------------------------------------------------------------------------------------


def test_the_command_reports_as_text_and_json(tmp_path, capsys):
    options = ["--games", "1", "--steps", "20", "--out", str(tmp_path)]
    assert cli.main(["check", "base", "--checks", "fields", "randomness", *options]) == 0
    text = capsys.readouterr().out
    assert text.startswith("base, 4 players: ok (") and "passed: randomness, fields" in text
    assert cli.main(["check", "base", "--checks", "fields", "--json", "--rules", "turn_limit=5", *options]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["ok"] and report["scenario"] == "base" and report["findings"] == []
    assert cli.main(["check", "bass", *options]) == 2
    assert "Did you mean 'base'" in capsys.readouterr().err


def test_a_finding_gives_exit_status_one(tmp_path, capsys):
    catan_env.register(with_hands("leaky_mask", heads_if_the_other_is_rich))
    try:
        options = ["--games", "4", "--steps", "20", "--out", str(tmp_path)]
        assert cli.main(["check", "leaky_mask", "--checks", "hidden", *options]) == 1
    finally:
        del registry._scenarios["leaky_mask"]
    assert "decisions; see it with: catan replay " in capsys.readouterr().out


@pytest.mark.parametrize("option", ["--games=0", "--games=-1", "--steps=0", "--seed=-1"])
def test_a_check_that_would_play_nothing_is_refused(option, tmp_path, capsys):
    assert cli.main(["check", "base", option, "--out", str(tmp_path)]) == 2
    name, _, value = option.removeprefix("--").partition("=")
    assert f"catan check: {name} is {value}; it must be an integer" in capsys.readouterr().err


# -- soak -----------------------------------------------------------------------------------------------------------


def test_soak_finds_a_forgotten_pop(tmp_path):
    scenario = with_hands("endless", ask_to_pass, may_pass, pass_without_a_pop, ACTIONS=(PASS,))
    report = Soak(scenario, 2, games=4).run(10_000, tmp_path)
    assert "100 decisions in a row have changed nothing; the last is 'wait'" in report.failure
    assert report.verdict == "FAILED" and report.actions < 1000


@apply(PASS)
def pass_and_count(game, params, seat, argument):
    game.steps = (game.steps + 1) % 3


def test_soak_finds_a_turn_without_an_end(tmp_path):
    rules = (ask_to_pass, may_pass, pass_and_count)
    scenario = with_hands("endless", *rules, ACTIONS=(PASS,), FIELDS=(HANDS, STEPS))
    report = Soak(scenario, 2, games=2).run(10_000, tmp_path)
    assert "2000 decisions in a row have not ended the turn" in report.failure


def test_a_soak_in_which_no_game_ends_is_incomplete(tmp_path):
    scenario = catan_env.register(with_hands("sound_but_long"))  # so that its logs can be replayed
    try:
        assert Soak(scenario, 2, games=8).run(8, tmp_path).verdict == "INCOMPLETE"
        assert Soak(scenario, 2, games=8).run(100, tmp_path).verdict == "ok"
    finally:
        del registry._scenarios["sound_but_long"]


# -- effects --------------------------------------------------------------------------------------------------------

PASS_AGAIN = Action("pass_again", "pass in other words")


@legal(WAIT)
def may_pass_twice(game, params, seat, mask):
    mask[PASS] = True
    mask[PASS_AGAIN] = True


@apply(PASS, PASS_AGAIN)
def pass_and_pop(game, params, seat, argument):
    pop(game)


def test_two_actions_with_one_effect_are_found_with_a_short_game():
    scenario = with_hands("two_passes", ask_to_pass, may_pass_twice, pass_and_pop, ACTIONS=(PASS, PASS_AGAIN))
    report = check_scenario(scenario, checks=["effects"], games=4, steps=30)
    (finding,) = report.findings
    assert "'pass' and 'pass in other words' have the same effect (at 'wait')" in finding.message.replace(
        "'pass in other words' and 'pass'", "'pass' and 'pass in other words'"
    )
    assert finding.decisions <= 2


GREET = Action("greet", "greet {}", ("the east", "the west"))


@legal(WAIT, CHOOSE)
def may_greet(game, params, seat, mask):
    mask[GREET] = mask[GREET + 1] = game.left < 6


@apply(GREET)
def greet(game, params, seat, argument):
    replace(game, CHOOSE, seat)


def test_an_argument_without_an_effect_is_found():
    rules = (ask_to_pass, may_pass, pass_and_pop, may_greet, greet)
    scenario = with_hands("greeting", *rules, ACTIONS=(PASS, PASS_AGAIN, GREET))
    messages = [text for _, text in found(scenario, "effects")]
    assert any("the argument of action 'greet' made no difference" in text for text in messages), messages


@weights(FLIP)
def heads_next_time(game, params, weights):
    """A faulty weights function: it changes the game, but runs more often than the coin is flipped."""
    weights[0] = 1 + 9 * (game.left % 2)
    weights[1] = 1 + 9 * ((game.left + 1) % 2)
    game.left += 1


@outcome(FLIP)
def fall_by_itself(game, params, side):
    replace(game, CHOOSE, game.left % params.num_players)
    game.coins[0] += below(game, 2)


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ({"fair": heads_next_time}, "leads to states that no outcome explains"),
        ({"fall": fall_by_itself}, "leads to states that no outcome explains"),
    ],
)
def test_deals_that_differ_from_the_declared_ones_are_found(fault, message):
    messages = [text for _, text in found(toy(name="uneven", **fault), "chance")]
    assert any(message in text for text in messages), messages


def test_frequencies_that_differ_from_the_probabilities_are_found(monkeypatch):
    def loaded(engine):
        return probabilities.fget(engine) @ np.array([[0.1, 0.9], [0.1, 0.9]])

    probabilities = BatchEngine.chance_probabilities
    monkeypatch.setattr(BatchEngine, "chance_probabilities", property(loaded))
    messages = [text for _, text in found(toy(name="loaded_coin"), "chance")]
    assert any("is dealt in" in text and "its probability is" in text for text in messages), messages


def test_the_bound_of_frequencies_is_honest():
    """The bound is conservative for fair coins and small for loaded ones."""
    heads = np.random.default_rng(0).binomial(150, 0.5, 20_000) / 150
    chances = np.array([chance_of(share, 0.5, 150) for share in heads])
    for level in (0.5, 0.1, 0.01):
        assert (chances <= level).mean() <= level
    assert chance_of(0.75, 0.5, 150) < 1e-7 and chance_of(0.1, 0.0, 150) == 0.0 and chance_of(0.5, 0.5, 150) == 1.0
