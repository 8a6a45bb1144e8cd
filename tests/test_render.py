"""Pictures: all scenarios at several points of a game, hidden information, the overlay and the palette."""

import itertools
from types import SimpleNamespace
from xml.etree import ElementTree

import numpy as np
import pytest
from env_helpers import TABLES
from render_helpers import new_game, play_on, stages, table_ids, tables_with_hands
from strategies import SCENARIOS

import catan_env
from catan_env import BatchEngine
from catan_env.board.terrain import RESOURCES
from catan_env.engine.declare import OWNER, PLAYERS, Count, Field, OneHot, SeatFlag, Size
from catan_env.engine.program import program_of
from catan_env.errors import OptionError
from catan_env.render import Picture, badges, board, draw, markup, moves, overlay, palette, panel, text_of
from catan_env.render.layout import WIDTH
from catan_env.render.view import Item, Reading
from catan_env.testing.drawings import pictured_differences
from catan_env.testing.hidden import leaks

every_table = pytest.mark.parametrize(("scenario", "players"), TABLES, ids=table_ids())


def written(picture):
    """Return all text in a picture."""
    return "|".join(text.text for text in ElementTree.fromstring(picture.svg).iter("{http://www.w3.org/2000/svg}text"))


# -- every scenario ----------------------------------------------------------------------------------------


@every_table
def test_every_phase_of_a_game_is_drawn_for_everybody(scenario, players):
    sizes = set()
    for engine in stages(scenario, players):
        for viewer in (None, *range(players)):
            picture = engine.render(0, viewer=viewer)
            sizes.add((picture.width, picture.height))
            said = written(picture)
            assert all(f"Seat {seat}" in said for seat in range(players))
            assert Reading(engine, [0]).game().decision in said
    assert len(sizes) == 1 and next(iter(sizes))[0] == WIDTH, "videos need pictures of one size"


@pytest.mark.core
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_new_game_is_drawn_and_written(scenario):
    engine = BatchEngine(scenario)
    first = program_of(engine.scenario).composition.decisions[engine.decision(0)].text
    assert f"to act: {first}" in written(draw(engine)).lower()
    text = text_of(engine)
    assert engine.scenario.title in text
    fields = engine.state.dtype.names
    assert "robber" not in fields or engine.state["robber"][0] < 0 or "ROBBER" in text
    assert "harbor" not in fields or not (engine.state["harbor"][0] >= 0).any() or "3:1" in text


@every_table
def test_pieces_hands_and_points_are_those_of_the_game(scenario, players):
    engine = stages(scenario, players)[2]
    parts = panel.header(Reading(engine, [0]).game(), [""] * players, "") | board.board(Reading(engine, [0]).game())
    record = engine.state[0]
    for name, field in (("road", "edge_owner"), ("building", "building_owner")):
        owner = record[field] if field in record.dtype.names else np.zeros(0)
        drawn = [bool(parts[f"{name} {place}"].content) for place in range(len(owner))]
        assert drawn == (owner >= 0).tolist()
    for seat in range(players):
        shown = panel.panel(Reading(engine, [0]).game(), seat, None)
        for resource, count in enumerate(record["hands"][seat] if "hands" in record.dtype.names else ()):
            assert f">{count}</text>" in shown[f"card {seat} {resource}"].content
        assert f">{markup.plural(int(engine.victory_points[0, seat]), 'point')}" in shown[f"points {seat}"].content


@every_table
def test_what_a_seat_holds_appears_from_the_declarations_alone(scenario, players):
    """A player's panel shows every public count that a rule module declares per player."""
    engine = BatchEngine(scenario, 1, players)
    composition = engine.program.composition
    for field in composition.fields.values():
        if field.shape == (PLAYERS,) and isinstance(field.show, Count) and field.high >= 9:
            twin = engine.clone()
            twin.state[field.name][0, 1] = 9
            said = "|".join(part.content for part in panel.panel(Reading(twin, [0]).game(), 1, 0).values())
            before = "|".join(part.content for part in panel.panel(Reading(engine, [0]).game(), 1, 0).values())
            if field.name not in ("hand_limit",):
                assert ">9</text>" in said and said != before, field.name


@every_table
def test_nothing_is_left_out_of_a_panel(scenario, players):
    for engine in stages(scenario, players):
        game = Reading(engine, [0]).game()
        for seat in range(players):
            said = "".join(part.content for part in panel.panel(game, seat, None).values())
            assert ">...</text>" not in said


# -- hidden information --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("scenario", "players"), tables_with_hands())
def test_hidden_hands_leave_no_trace_in_the_picture(scenario, players):
    rng = np.random.default_rng(0)
    for engine in stages(scenario, players):
        assert [fault.message for fault in leaks(engine, rng, pictured_differences, twins=3)] == []


@every_table
def test_texts_of_moves_show_what_the_seat_may_know(scenario, players):
    engine = new_game(scenario, players, seed=3)
    composition, secret = engine.program.composition, 0
    for step in range(2000):
        play_on(engine, 1, seed=int(engine.state["rng"][0, 0]))
        if secret and (engine.seat_to_act[0] < 0 or step >= 400):
            break
        if engine.seat_to_act[0] < 0:
            engine.reset()
        past = moves.last_moves(moves.moves_of(engine, 0))
        for move in past:
            table, kinds = (
                (engine.outcomes, composition.draws) if move.seat < 0 else (engine.actions, composition.actions)
            )
            hidden = kinds[table.pair(move.entry)[0]].visible == OWNER
            assert hidden or move.privy is None
            assert not hidden or move.privy is not None or move.seat < 0  # a drawn outcome may be public
            if move.privy is not None:
                secret += 1
                assert move.privy and (move.seat < 0 or move.privy == {move.seat})
                outsiders = set(range(players)) - move.privy
                assert all("[hidden]" in move.words(seat) for seat in outsiders)
                assert all(move.words(seat) == move.full_text for seat in move.privy)
                for seat in outsiders:
                    assert markup.fit(moves.describe_moves(past, seat), WIDTH - 12, 12) in written(
                        draw(engine, viewer=seat)
                    )
    assert secret or all(kind.visible != OWNER for kind in {**composition.actions, **composition.draws}.values())


@pytest.mark.slow
@pytest.mark.parametrize("scenario", list(catan_env.scenarios()))
def test_moves_that_others_cannot_tell_apart_are_declared_so(scenario):
    """If another seat cannot tell the arguments of a kind of move apart, its declaration must say `visible=OWNER`."""
    engine = BatchEngine(scenario, 1, seed=1, chance="explicit")
    rng, kinds_of = np.random.default_rng(1), engine.program.composition
    alike: dict[str, list[bool]] = {}

    def seen_after(move, seat):
        twin = engine.clone()
        twin.step(np.array([move]))
        return twin.observe("flat", seat=seat, dtype="uint8")[0].tobytes()

    for _ in range(1500):
        seat = int(engine.seat_to_act[0])
        if seat == -2:
            engine.reset()
            continue
        table = engine.outcomes if seat == -1 else engine.actions
        kinds: dict[str, list[int]] = {}
        for move in np.flatnonzero(engine.chance_mask[0] if seat == -1 else engine.action_mask[0]).tolist():
            kinds.setdefault(table.kind_of[move], []).append(move)
        for kind, possible in kinds.items():
            declared = (kinds_of.draws if seat == -1 else kinds_of.actions)[kind]
            if len(possible) > 1 and isinstance(declared.over, tuple) and len(alike.setdefault(kind, [])) < 8:
                others = [other for other in range(engine.num_players) if other != seat][:3]
                some = [*possible[:2], possible[-1]]
                alike[kind].append(any(len({seen_after(move, seat) for move in some}) == 1 for seat in others))
        kind = rng.choice(list(kinds))
        engine.step(np.array([rng.choice(kinds[kind])]))
    shown = {**kinds_of.actions, **kinds_of.draws}
    undeclared = [k for k, found in alike.items() if np.mean(found or [0]) > 0.5 and shown[k].visible != OWNER]
    assert not undeclared, f"only the seats concerned know the argument of {undeclared}: declare visible=OWNER"


# -- the last move -------------------------------------------------------------------------------------------


def test_the_text_of_the_last_action_names_its_outcomes():
    engine = new_game("base", 3, seed=2)
    while engine.state["turn"][0] < 1 or engine.state["dice"][0] == 0:
        play_on(engine, 1, seed=1)
    roller = int(engine.state["on_turn"][0])
    assert f"Seat {roller}: roll the dice; the dice show {engine.state['dice'][0]}" in written(draw(engine))
    unrecorded = BatchEngine("base", 1, 3, seed=2)
    play_on(unrecorded, 5)
    assert "Seat 0: build" not in written(draw(unrecorded))


def test_texts_follow_resets_and_edits():
    engine = new_game("base", 3, seed=2)
    play_on(engine, 30)
    first = engine.replay_log()["moves"]
    described = [move.entry for move in moves.moves_of(engine, 0)]
    assert described == [(engine.outcomes if len(move) == 3 else engine.actions).id(*move[:2]) for move in first]
    engine.reset(5)
    assert len(moves.moves_of(engine, 0)) == len(engine.replay_log()["moves"]) < len(first)
    engine.state["hands"][0] = 5
    engine.refresh()
    play_on(engine, 60)
    assert isinstance(draw(engine), Picture)


def test_neighbors_are_named_as_seats():
    engine = new_game("base", 4, seed=4)
    play_on(engine, 4000)
    described = [
        move for move in moves.moves_of(engine, 0) if engine.actions.n > move.entry and move.axis == "opponents"
    ]
    for move in described:
        assert f"seat {(move.seat + 1 + move.argument) % 4}" in move.full_text
    assert described


# -- the overlay ---------------------------------------------------------------------------------------------


def uniform(engine):
    legal = engine.action_mask[0]
    return legal / legal.sum()


@every_table
def test_the_overlay_lists_and_marks_the_likeliest(scenario, players):
    for engine in stages(scenario, players)[:-1]:
        probabilities = uniform(engine)
        likely = overlay.likely_actions(engine, 0, probabilities)
        assert len(likely) == engine.action_mask[0].sum()
        picture, plain = draw(engine, probabilities=probabilities), draw(engine)
        assert picture.height > plain.height
        share = overlay.percent(1 / len(likely))
        assert written(picture).count(share) == min(len(likely), overlay.TOP)
    engine = stages(scenario, players)[0]
    if engine.topology is None:
        return
    heat = overlay.heat(Reading(engine, [0]).layout, engine, overlay.likely_actions(engine, 0, uniform(engine)))
    assert "".join(heat).count("<circle") == engine.action_mask[0].sum(), "every intersection where one may found"


def test_the_overlay_is_refused_where_it_does_not_fit():
    engine = BatchEngine("base", 2)
    with pytest.raises(OptionError, match=f"{engine.actions.n} probabilities"):
        draw(engine, probabilities=[0.5, 0.5])
    with pytest.raises(OptionError, match="not legal: 'roll the dice'"):
        draw(engine, probabilities=np.eye(engine.actions.n)[engine.actions.id("roll")])
    with pytest.raises(OptionError):
        draw(engine, probabilities=np.full(engine.actions.n, np.nan))


# -- pictures and their options --------------------------------------------------------------------------------


def test_a_picture_shows_and_saves_itself(tmp_path):
    engine = stages("base", 4)[2]
    picture = engine.render(0, names=["a & b", "<i>", "", "x" * 60], places=True)
    assert picture._repr_svg_() == picture.svg and repr(picture) == f"<Picture 800 x {picture.height}>"
    said = written(picture)
    assert "a & b" in said and "<i>" in said and "x" * 10 in said and "x" * 60 not in said
    assert all(f"|{place}|" in said for place in range(engine.topology.num_intersections))
    assert picture.save(tmp_path / "game.svg").read_text() == picture.svg
    with pytest.raises(OptionError, match="jpg"):
        picture.save(tmp_path / "game.jpg")


def test_arguments_are_checked():
    engine = BatchEngine("base", 3)
    for options in ({"game": 3}, {"game": -1}, {"viewer": 4}, {"viewer": True}, {"names": ["one"]}, {"names": "abcd"}):
        with pytest.raises(OptionError):
            engine.render(**options)


def test_one_game_of_many():
    engine = BatchEngine("base", 5, seed=1)
    pictures = [engine.render(game).svg for game in range(5)]
    assert len(set(pictures)) == 5


def test_texts_name_the_end_of_a_game():
    won, cut = stages("base", 4)[-1], BatchEngine("base", 1, 3, rules={"turn_limit": 1})
    assert f"Seat {won.winner[0]} has won with {won.victory_points[0].max()} points" in written(draw(won))
    play_on(cut, 500)
    assert "truncated without a winner" in written(draw(cut)) and "truncated" in text_of(cut)


def test_explicit_chance_and_unlaid_boards_are_drawn():
    engine = BatchEngine("base", chance="explicit")
    while engine.seat_to_act[0] == -1:
        assert "Chance to act" in written(draw(engine)) and text_of(engine)
        engine.step(np.array([engine.chance_mask[0].argmax()]))


def test_text_in_colors():
    engine = stages("base", 4)[2]
    plain, colored = text_of(engine), text_of(engine, colored=True)
    assert "\x1b[" in colored and "\x1b[" not in plain
    assert colored.count("\n") == plain.count("\n")


# -- parts ------------------------------------------------------------------------------------------------------


def test_scenarios_may_lay_anything_on_places():
    engine = BatchEngine("base")
    fields = [
        Field("fish", (Size("hexes"),), "i1", 0, 9, "", show=Count()),
        Field("guard", (Size("paths"),), "i1", -1, 3, "", -1, show=SeatFlag()),
        Field("kind", (Size("intersections"),), "i1", 0, 2, "", show=OneHot(("well", "big_tower"), 1)),
        Field("ship", (Size("coast"),), "i1", 0, 3, "", show=Count()),
    ]
    game = Reading(engine, [0]).game()
    lengths = [len(game.layout.places(field.shape[0].name)) for field in fields]
    values = [[field.default] * (length - 1) + [2] for field, length in zip(fields, lengths, strict=True)]
    laid = [(field, field.shape[0].name, row) for field, row in zip(fields, values, strict=True)]
    parts = {}
    board._lay_marks(SimpleNamespace(marks=lambda: laid, layout=game.layout), parts, 0.5)
    for field, length in zip(fields, lengths, strict=True):
        assert [bool(parts[f"{field.name} {k}"].content) for k in range(length)] == [False] * (length - 1) + [True]
    assert "big tower" in "".join(part.content for part in parts.values())


def test_lines_break_and_end_in_an_ellipsis():
    found = [badges.Badge(50, f"<g>{k}</g>") for k in range(9)]
    lines = badges.flow(found, 200, 2)
    assert [line.count("<g>") for line in lines] == [3, 3] and lines[1].count("...") == 1
    assert [line.count("<g>") for line in badges.flow(found, 200, 4, start=120)] == [1, 3, 3, 2]
    assert badges.flow([], 200, 2) == ["", ""]
    assert markup.fit("a long sentence", 40, 11).endswith("...") and markup.fit("short", 90, 11) == "short"


def test_items_that_say_nothing_are_not_drawn():
    rules = {"hand_limit": 7, "bank_rate": 4}
    said = [Item("chips", "chips", 2), Item("answer", "answer", 1, category="declined")]
    rates = Item("trade_rate", "", (4,) * 5, RESOURCES)
    silent = [Item("hand_limit", "hand limit", 7), Item("chips", "chips", 0), rates]
    drawn = "".join(badge.drawing for badge in panel.item_badges(said, rules))
    assert "chips" in drawn and "declined" in drawn
    assert not list(panel.item_badges(silent, rules))


def linear(color):
    """Return the linear RGB values of a hex color."""
    values = np.array([int(color[k : k + 2], 16) for k in (1, 3, 5)]) / 255
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def lab(rgb):
    """Return the CIE L*a*b* values of a linear RGB color."""
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    xyz = to_xyz @ np.clip(rgb, 0, 1) / [0.9505, 1.0, 1.089]
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


# Machado, Oliveira and Fernandes (2009), severity 1; the identity is normal vision.
SIGHTS = {
    "normal": np.eye(3),
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
}


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize(("seats", "least"), [(4, 45), (6, 20)])
def test_seats_differ_for_every_kind_of_sight(sight, seats, least):
    colors = [lab(np.array(SIGHTS[sight]) @ linear(paint.fill)) for paint in palette.SEATS[:seats]]
    assert min(np.linalg.norm(a - b) for a, b in itertools.combinations(colors, 2)) > least


def test_text_stands_out_from_what_it_is_written_on():
    pairs = [(paint.fill, paint.ink) for paint in palette.SEATS + palette.NEUTRALS]
    pairs += list(zip(palette.RESOURCES, palette.RESOURCE_INKS, strict=True))
    for ground, ink in pairs:
        light, dark = sorted((float(linear(color) @ [0.2126, 0.7152, 0.0722]) for color in (ground, ink)), reverse=True)
        assert (light + 0.05) / (dark + 0.05) > 3.8, (ground, ink)
    shades = [lab(linear(palette.heat(p)))[0] for p in np.linspace(0, 1, 30)]
    assert all(a > b for a, b in itertools.pairwise(shades))
