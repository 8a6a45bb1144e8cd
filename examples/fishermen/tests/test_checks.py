"""What must hold for any scenario: the checks of `catan check`, one test each."""


def test_scenario(catan_check):
    catan_check(games=1, steps=40)
