"""What the own helper is worth to searching agents."""

import pytest
from evaluating import terms_of_position
from helper_positions import NAMES, held, helpers, holder


def worth(place, seat=0):
    """The term of a seat."""
    return terms_of_position(place, seat)["helper"]


def test_each_helper_is_worth_something_and_none_nothing():
    found = {name: worth(holder(name)) for name in NAMES}
    assert min(found.values()) > 0 and max(found, key=found.get) == "merchant"
    assert found["mayor"] > found["captain"] > found["mendicant"] > found["explorer"]
    assert worth(held(helpers()).on_turn(0)) == 0


def test_helpers_of_others_do_not_count():
    assert worth(holder("merchant"), seat=1) == 0


@pytest.mark.parametrize("knight", ["played", "in hand"])
def test_a_knight_makes_the_priest_worth_more(knight):
    place = holder("priest")
    place = place.knights(0, 1) if knight == "played" else place.cards(0, knight=1)
    assert worth(place) > worth(holder("priest"))


def test_somebody_to_visit_makes_the_noblewoman_worth_more():
    def behind(**hand):
        place = holder("noblewoman").settlement(1, "N", 1, 1).road(1, (1, 1, "NE"))
        return place.settlement(1, "S", -1, 1).hand(1, **hand)

    assert worth(behind(ore=1)) > worth(behind()) == worth(holder("noblewoman"))


def test_what_others_hold_does_not_matter():
    assert len({worth(holder("noblewoman").hand(1, **{card: 2})) for card in ("ore", "wool")}) == 1
