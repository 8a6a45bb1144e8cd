"""`catan tune` and `catan train-value` reject meaningless settings before they play a game."""

import pytest

pytest.importorskip("torch")

from catan_env.errors import OptionError
from catan_training import cli
from catan_training.learning.tuning import Tuning, tune
from catan_training.learning.value_learning import learn_values
from catan_training.learning.value_settings import ValueTraining

NAN = float("nan")
COUNTS = (0, -1, 1.5, True, None, "x")
NUMBERS = (-1.0, NAN, float("inf"), None, "x")
FRACTIONS = (*NUMBERS, 1.5)
TUNING = {
    **dict.fromkeys(("depth", "pairs", "paired_seeds", "worlds", "check"), COUNTS),
    "sigma": (0.0, *NUMBERS),
    "step": NUMBERS,
    "seed": (-1, 0.5, None),
}
VALUES = {
    **dict.fromkeys(("games", "replay_rounds", "batch", "check_games"), COUNTS),
    **dict.fromkeys(("temperature", "rate", "rate_end"), NUMBERS),
    **dict.fromkeys(("epsilon", "opponent_fraction", "td_lambda"), FRACTIONS),
    "state_sample_rate": (0.0, *FRACTIONS),
    "check": (-1, 0.5, None),
    "seed": (-1, 0.5, None),
}
CASES = [
    (kind, name, value)
    for kind, table in ((Tuning, TUNING), (ValueTraining, VALUES))
    for name, values in table.items()
    for value in values
]


@pytest.mark.parametrize(("kind", "name", "value"), CASES, ids=lambda case: getattr(case, "__name__", repr(case)))
def test_a_setting_out_of_bounds_is_named(kind, name, value):
    with pytest.raises(OptionError, match=rf"^{name} is .*; it must be "):
        kind(**{name: value})


def test_a_negative_number_of_generations_or_rounds_is_refused(tmp_path):
    with pytest.raises(OptionError, match="generations is -1; it must be"):
        tune(Tuning(players=2), tmp_path, -1)
    with pytest.raises(OptionError, match="rounds is -1; it must be"):
        learn_values(ValueTraining(players=2), tmp_path, -1)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["balance", "compare", "base", "base:city_cost=1,2"],
            "catan balance: '2' does not have the form KEY=VALUE; a list needs brackets, as in city_cost=[0,0,0,2,3].",
        ),
        (
            ["balance", "sweep", "base", "--rule", "city_cost=0,1"],
            "catan balance: Rule 'city_cost' is 0; it must be integers of shape (5,), such as [0, 0, 0, 2, 3] "
            "(price of a city: lumber, brick, wool, grain, ore).",
        ),
        (
            ["balance", "sweep", "base", "--rule", "victory_points=8,8"],
            "catan balance: The conditions victory_points=8 are given more than once; name each only once.",
        ),
        (["tune", "--pairs", "0"], "catan tune: pairs is 0; it must be an integer of at least 1."),
        (["tune", "--chances", "0"], "catan tune: games is 0; it must be an integer of at least 1."),
        (["tune", "--seed", "-1"], "catan tune: seed is -1; it must be an integer of at least 0."),
        (["tune", "--sigma", "nan"], "catan tune: sigma is nan; it must be a number above 0."),
        (["train-value", "--epsilon", "5"], "catan train-value: epsilon is 5.0; it must be a number from 0 to 1."),
        (
            ["train-value", "--state-sample-rate", "2"],
            "catan train-value: state_sample_rate is 2.0; it must be a number above 0 and at most 1.",
        ),
        (["train-value", "--batch", "0"], "catan train-value: batch is 0; it must be an integer of at least 1."),
    ],
)
def test_the_commands_say_so_in_a_line(arguments, message, tmp_path, capsys):
    assert cli.main([*arguments, "--out", str(tmp_path / "run")]) == 2
    assert capsys.readouterr().err == f"{message}\n" and not (tmp_path / "run").exists()
