"""Games on the play pages: action sequences, undo, hidden information, agents' advice, and stored games."""

import numpy as np
import pytest

import catan_env
from catan_env.engine.trial import Trial
from catan_env.errors import CatanError
from catan_env.render.legend import card_symbols
from catan_env.render.view import SPECTATOR, Reading
from catan_env.testing import position
from catan_env.text.choices import groups_of, title_of
from catan_training.play import pictures
from catan_training.play.game import GameSettings, PlayedGame
from catan_training.play.thinking import Thinker

pytestmark = pytest.mark.xdist_group("base")

NAMES = ["ann", "ben", "cleo", "dora"]
SETTINGS = GameSettings("base", 4, 7)


def begun(players=4):
    """Return a new game in which nobody has built yet, and the seat to act."""
    game = PlayedGame(GameSettings("base", players, 7))
    return game, game.seat_to_act


def first(game, kind=None):
    groups = game.choices(game.seat_to_act)["groups"]
    return next(group["options"][0][0] for group in groups if kind in (None, group["kind"]))


def shown(game):
    return game.engine.save(), game.regions(0, NAMES), game.moves(0), game.choices(game.seat_to_act)


def test_a_settlement_is_taken_back_as_if_it_had_never_been_built():
    game, seat = begun()
    before = shown(game)
    game.act(seat, [first(game)])
    assert game.undoable(seat) == 1 and shown(game) != before
    game.undo(seat)
    assert shown(game) == before and game.taken == []
    with pytest.raises(CatanError, match="undone"):
        game.undo(seat)


def test_nobody_takes_back_what_another_seat_has_answered():
    game, seat = begun()
    for _ in range(2):  # a settlement and its road; then the next seat is to act
        game.act(seat, [first(game)])
    assert game.seat_to_act != seat
    assert game.undoable(seat) == 0
    with pytest.raises(CatanError):
        game.undo(seat)


def test_a_sequence_is_carried_out_whole_or_not_at_all():
    game, seat = begun()
    settlement = first(game)
    before = shown(game)
    for wrong in ([settlement, settlement], [settlement, 10**6], [settlement, first(game), 0], []):
        with pytest.raises(CatanError):
            game.act(seat, wrong)
        assert shown(game) == before and game.version == 0
    with pytest.raises(CatanError, match="to act"):
        game.act((seat + 1) % 4, [settlement])
    attempt = game.attempt(seat, [settlement], NAMES)
    assert not attempt["complete"] and shown(game) == before
    road = attempt["choices"]["groups"][0]["options"][0][0]
    assert game.attempt(seat, [settlement, road], NAMES) == {
        "complete": True,
        "words": game.attempt(seat, [settlement, road], NAMES)["words"],
    }
    game.act(seat, [settlement, road])
    assert len(game.taken) == 2


def test_a_stored_game_continues_with_the_same_dice():
    rng = np.random.default_rng(1)
    game = PlayedGame(SETTINGS)
    for _ in range(40):
        game.act_as_agent(int(rng.choice(np.flatnonzero(game.engine.action_mask[0]))))
    again = PlayedGame(SETTINGS, game.taken)
    for one in (game, again):
        one.act_as_agent(int(np.flatnonzero(one.engine.action_mask[0])[-1]))
    assert game.engine.save() == again.engine.save()


def trial_of(engine):
    made = []

    def make(num_games):
        made.append(
            catan_env.BatchEngine(
                engine.scenario, num_games, engine.num_players, record=True, board=engine.board, rules=engine.overrides
            )
        )
        return made[-1]

    trial = Trial(make)
    trial.place(engine.state[0])
    return trial


def on_turn(**opponents_hand):
    return (
        position("base", num_players=3)
        .settlement(0, "N", 0, -1)
        .road(0, (0, -1, "NE"))
        .hand(0, lumber=2, brick=1)
        .hand(1, **opponents_hand)
        .hand(2, grain=2, wool=2)
        .cards(0, monopoly=1)
        .on_turn(0, "play")
        .build()
    )


def test_a_monopoly_shows_what_others_hold_and_a_road_does_not():
    engine = on_turn(ore=2, wool=1)
    actions = engine.actions
    assert trial_of(engine).reveals(actions.id("play_monopoly", "ore"), 0)
    road = next(action for action in actions.ids("build_road") if engine.action_mask[0, action])
    assert not trial_of(engine).reveals(road, 0)


def test_the_end_of_a_turn_is_not_for_taking_back():
    engine = on_turn(ore=2)
    assert trial_of(engine).reveals(engine.actions.id("end_turn"), 0)


def test_pages_show_what_their_seat_sees():
    engine = on_turn(ore=3, wool=1)
    own, other, spectator = (pictures.regions(engine, viewer, NAMES, None) for viewer in (1, 0, SPECTATOR))
    assert own["panel 1"] != other["panel 1"] == spectator["panel 1"]
    assert own["board"] == other["board"] == spectator["board"]
    game = Reading(engine, [0]).game()
    hands = [item for item in game.of_player(1, SPECTATOR) if item.name == "hands"]
    assert [(item.value, item.total) for item in hands] == [(4, True)]


def test_a_discard_is_a_decision_of_several_parts_and_a_turn_is_not():
    game = position("base", num_players=3).hand(1, ore=5, wool=4).on_turn(0, "pre_roll").game()
    game.roll(7)
    engine = game.engine
    played = PlayedGame(GameSettings("base", 3, 0))
    played.engine.state[0] = engine.state[0]
    played.engine.refresh()
    seat = played.seat_to_act
    groups = played.choices(seat)["groups"]
    assert [group["kind"] for group in groups if group["part"]] == ["discard_card"]
    ore = next(option[0] for group in groups for option in group["options"] if "ore" in option[2])
    three, four = (played.attempt(seat, [ore] * count, NAMES[:3]) for count in (3, 4))
    assert not three["complete"] and four["complete"]
    with pytest.raises(CatanError):
        played.attempt(seat, [ore] * 5, NAMES[:3])


@pytest.mark.parametrize(
    "text, title",
    [
        ("build a road on {}", "build a road"),
        ("trade {} with the bank", "trade with the bank"),
        ("discard 1 {}", "discard"),
        ("redeem a favor of the {}", "redeem a favor"),
        ("give 1 {} to the opponent", "give to the opponent"),
        ("build {}", "build"),
        ("end the turn", "end the turn"),
    ],
)
def test_titles_do_not_end_with_small_words(text, title):
    assert title_of(text) == title


def test_a_spectator_reads_all_moves_since_the_first_action():
    game, seat = begun()
    for _ in range(3):
        game.act_as_agent(first(game))
    seats = [who for who, *_ in game.moves_since_own(SPECTATOR)]
    assert seats[0] == seat and len([who for who in seats if who >= 0]) == 3
    assert [who for who, *_ in game.moves_since_own(seat)].count(seat) == 1


def test_panels_have_no_empty_lines_and_shared_items_fit_their_box():
    game, _ = begun()
    regions = game.regions(0, NAMES)
    height = float(regions["panel 1"].split('height="', 1)[1].split('"', 1)[0])
    assert height < pictures.geometry(game.engine)["boxes"]["panel 1"][3] and "..." not in regions["table"]


def test_every_resource_card_has_a_symbol():
    symbols = card_symbols(PlayedGame(SETTINGS).engine.program.composition)
    assert list(symbols) == ["lumber", "brick", "wool", "grain", "ore"]
    assert len(set(symbols.values())) == 5 and all(svg.startswith("<svg") for svg in symbols.values())


def test_choices_follow_a_persons_order():
    engine = on_turn(ore=2)
    kinds = [group.kind for group in groups_of(engine)]
    assert kinds.index("build_road") < kinds.index("play_monopoly") < kinds.index("end_turn") == len(kinds) - 1


@pytest.mark.parametrize("name", sorted(catan_env.scenarios()))
@pytest.mark.slow
def test_every_scenario_offers_what_is_legal_with_places_on_its_board(name):
    settings = GameSettings(name, catan_env.find_scenario(name).players[-1], 3)
    game, rng = PlayedGame(settings), np.random.default_rng(3)
    geometry = pictures.geometry(game.engine)
    for step in range(60):
        if game.is_over:
            break
        seat = game.seat_to_act
        options = [option for group in game.choices(seat)["groups"] for option in group["options"]]
        assert sorted(option[0] for option in options) == np.flatnonzero(game.engine.action_mask[0]).tolist()
        for _, words, _, place in options:
            assert words
            if place and place[0] != "seats":
                assert place[1] < len(geometry["places"][place[0]])
        action = int(rng.choice([option[0] for option in options]))
        assert (
            game.attempt(seat, [action], [""] * settings.players)["complete"] != game.act(seat, [action])[0].revocable
        )
        if step % 15 == 0:  # drawing is slow
            assert set(game.regions(SPECTATOR, [""] * settings.players)) == set(geometry["boxes"])


@pytest.mark.slow
def test_an_agent_says_what_it_would_do_and_how_the_seats_stand():
    game, rng = PlayedGame(SETTINGS), np.random.default_rng(2)
    while game.engine.decision(0) != "play":
        game.act_as_agent(int(rng.choice(np.flatnonzero(game.engine.action_mask[0]))))
    thinker, seat = Thinker(game), game.seat_to_act
    assert thinker.advisers()[0] == "base-value"
    before = game.engine.save()
    for name in ("base-value", "greedy"):
        thoughts = thinker.think(seat, name)
        assert sum(thoughts["chances"]) == pytest.approx(1)
        actions = [action for action, *_ in thoughts["actions"]]
        assert game.engine.action_mask[0, actions].all()
        assert sum(chosen for *_, chosen in thoughts["actions"]) == 1
    assert game.engine.save() == before
    with pytest.raises(CatanError, match="your own decisions"):
        thinker.think((seat + 1) % 4, "greedy")
    with pytest.raises(CatanError, match="evaluate actions"):
        thinker.think(seat, "/etc/passwd")


@pytest.mark.parametrize("name", sorted(catan_env.scenarios()))
@pytest.mark.slow
def test_no_page_depends_on_what_its_seat_cannot_see(name):
    engine, rng = catan_env.BatchEngine(name, seed=4, compiled="auto"), np.random.default_rng(4)
    names = [""] * engine.num_players
    for number in range(120):
        if engine.seat_to_act[0] < 0:
            break
        engine.step(np.array([rng.choice(np.flatnonzero(engine.action_mask[0]))]))
        if number % 10 == 0 and engine.seat_to_act[0] >= 0:
            truth = engine.state.copy()
            viewers = [*range(engine.num_players), SPECTATOR]
            shown = {viewer: pictures.regions(engine, viewer, names, None) for viewer in viewers}
            for seat in range(engine.num_players):
                engine.state[:] = engine.determinise([0], seats=seat, seed=number)
                engine.refresh()
                assert pictures.regions(engine, seat, names, None) == shown[seat]
                assert pictures.regions(engine, SPECTATOR, names, None) == shown[SPECTATOR]
                engine.state[:] = truth
                engine.refresh()
