"""Names for authors of variants, tested in toy modules: removed buildings, yields, terrains, dice, trades, prices."""

import importlib.resources
import pickle
import tomllib
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import catan_env
from catan_env import BatchEngine
from catan_env.board.terrain import RESOURCES, TERRAINS, add_terrain
from catan_env.engine import registry
from catan_env.engine.bitset import where_equal
from catan_env.engine.compiler.jit import DISABLE_JIT
from catan_env.engine.declare import (
    PLAYERS,
    PUBLIC_POINTS,
    Action,
    Count,
    Field,
    Kind,
    Number,
    OneHot,
    answers,
    apply,
    legal,
    set_up,
    when,
)
from catan_env.errors import BoardError, CompositionError, RuleValueError
from catan_env.games.base import both_dice, yields
from catan_env.games.base.bank_trade import forbid_giving, forbid_receiving
from catan_env.games.base.both_dice import BOTH_DICE_KNOWN
from catan_env.games.base.network import CITY, NO_BUILDING, remove_building
from catan_env.games.base.resources import can_pay, pay
from catan_env.games.base.yields import FURTHER_CARDS, HEX_CARD, HEX_ROLLED
from catan_env.games.vocabulary import (
    BANK_TRADING,
    BRICK,
    BUILDING,
    BUILDING_CHANGED,
    BUILDING_REMOVED,
    CITIES_BUILT_OVER,
    CITY_LOST,
    GRAIN,
    HAND_CARDS,
    INTERSECTIONS,
    NOTHING,
    ORE,
    OWN_TURN,
    WOOL,
)
from catan_env.render import draw, drawing, text_of
from catan_env.render.layout import Part
from catan_env.testing.positions import position
from tests.strategies import look

pytestmark = [
    pytest.mark.core,
    pytest.mark.skipif(not DISABLE_JIT, reason="every toy would compile for half a minute"),
]

RAZE = Action("raze", "pull down the building on {}", INTERSECTIONS, "an own building there")


@legal(OWN_TURN)
def own_buildings(game, params, seat, mask):
    for intersection in range(INTERSECTIONS):
        if game.building[intersection] != NO_BUILDING and game.building_owner[intersection] == seat:
            mask[RAZE + intersection] = True


@apply(RAZE)
def raze(game, params, seat, intersection):
    remove_building(game, params, intersection)


@when(*BUILDING_CHANGED)
def count_changes(game, params, player, intersection):
    game.changes = min(game.changes + 1, 100)


RAZING = SimpleNamespace(
    __name__="razing",
    FIELDS=(Field("changes", (), "i1", 0, 100, "changes of buildings", show=Count()),),
    ACTIONS=(RAZE,),
    own_buildings=own_buildings,
    raze=raze,
    count_changes=count_changes,
)


@pytest.fixture
def scenario(request):
    """Register a toy variant: `scenario(base, *modules, **keys)` returns its name."""
    names = []

    def registered(base, *modules, **keys):
        name = f"toy_{request.node.name.split('[')[0]}_{len(names)}"
        names.append(name)
        catan_env.scenario_from({"name": name, "extends": base, "add": list(modules), **keys})
        return name

    yield registered
    for name in names:
        registry._scenarios.pop(name, None)


def test_a_building_goes_with_its_harbor_its_points_and_its_place(scenario):
    name = scenario("base", RAZING)
    start = position(name, 3).beginner_board()
    game = start.settlement(0, "N", 1, -2).city(0, "N", 0, 0).road(0, (0, 0, "NE")).hand(0, grain=4).on_turn(0).game()
    assert game.can("trade_with_bank", "grain for 1 ore") and game.points(0) == 3
    assert game.state["changes"] == 3  # a city is a settlement first
    grain_before = game.hand(0)["grain"]
    game.do("trade_with_bank", "grain for 1 ore")
    assert grain_before - game.hand(0)["grain"] == 2
    game.do("raze", game.corner("N", 1, -2))
    assert game.points(0) == 2 and game.state["changes"] == 4
    assert not game.can("trade_with_bank", "grain for 1 ore")  # two cards, at 4:1 again
    game.do("raze", game.corner("N", 0, 0))
    assert game.points(0) == 0
    assert game.state["cities_left"][0] == 4 and game.state["settlements_left"][0] == 5


def test_a_building_that_goes_joins_the_roads_it_parted(scenario):
    name = scenario("base", RAZING)
    start = position(name, 3).beginner_board().settlement(1, "N", 0, 0).road(0, (0, 0, "NW NE E SE SW"))
    game = start.on_turn(1).game()
    parted_length = int(game.state["road_length"][0])
    game.do("raze", game.corner("N", 0, 0))
    assert game.state["road_length"][0] == 5 > parted_length
    assert game.state["longest_road"] == 0


@pytest.mark.parametrize("base", ["base", "cities_and_knights", "seafarers_new_shores"])
def test_everything_holds_when_buildings_go(base, scenario):
    engine = BatchEngine(scenario(base, RAZING), 2, seed=3)
    rng, razed = np.random.default_rng(1), 0
    first, last = engine.actions.id("raze", 0), engine.actions.id("raze", 0) + engine.scenario.sizes["intersections"]
    for step in range(260):
        mask = engine.action_mask
        wished = mask.copy()
        razing = mask[:, first:last].any(axis=1) & (rng.random(2) < 0.05)
        wished[razing, :first] = False
        wished[~razing, first:last] = False
        razed += int(razing.sum())
        engine.step(np.argmax(wished * rng.random(wished.shape), axis=1))
        if step % 5 == 0 or razing.any():
            assert not engine.broken_invariants()
    assert razed > 2


# -- yields ------------------------------------------------------------------------------------------------


@answers(HEX_CARD)
def salt_flats_bring_ore(game, params, player, hex):
    return ORE if hex == params.salt_hex else NOTHING


@answers(HEX_ROLLED)
def salt_flats_work_at_twelve(game, params, player, hex):
    return hex == params.salt_hex and game.dice == 12


SALT = SimpleNamespace(
    __name__="salt",
    NUMBERS=(Number("salt_hex", 0, "the hex that is a salt flat", 0, 18),),
    salt_flats_bring_ore=salt_flats_bring_ore,
    salt_flats_work_at_twelve=salt_flats_work_at_twelve,
)


def by_hex(*modules):
    return {"without": ["base.production"], "add_before": {"base.robber": [yields]}, "add": [*modules]}


def test_a_hex_brings_what_a_module_says(scenario):
    plain = position("base", 3).beginner_board().settlement(0, "N", 0, 1).on_turn(0, "pre_roll")
    hex = plain.game().hex(0, 1)
    name = scenario("base", **by_hex(SALT), numbers={"salt_hex": hex})
    for total in range(2, 13):
        if total == 7:
            continue
        games = []
        for variant, rules in ((name, {"salt_hex": hex}), ("base", {})):
            start = position(variant, 3, rules).beginner_board().settlement(0, "N", 0, 1).city(1, "S", 0, 1)
            games.append(start.on_turn(0, "pre_roll").game())
        for game in games:
            game.do("roll").draw("dice", str(total))
        salt, base = games
        brought = total in (12, int(base.state["number"][hex]))
        for seat, count in ((0, 1), (1, 2)):
            expected = dict(base.hand(seat))
            if total == int(base.state["number"][hex]):
                card = ("lumber", "brick", "wool", "grain", "ore", "")[base.state["terrain"][hex]]
                expected[card] = expected.get(card, 0) - count
            if brought:
                expected["ore"] = expected.get("ore", 0) + count
            assert salt.hand(seat) == {card: number for card, number in expected.items() if number}


def test_without_answers_the_terrain_brings_its_cards(scenario):
    name = scenario("base", **by_hex())
    mine, base = (BatchEngine(chosen, 1, 3, seed=5) for chosen in (name, "base"))
    for _ in range(250):
        assert (mine.action_mask == base.action_mask).all()
        actions = mine.action_mask.argmax(axis=1)
        mine.step(actions)
        base.step(actions)
    assert (mine.state["income"] == base.state["income"]).all() and (mine.state["hands"] == base.state["hands"]).all()


# -- terrains ----------------------------------------------------------------------------------------------

SALT_LAKE = add_terrain("salt_lake", "#7fd0d8", '<ellipse rx="30" ry="18" fill="#2b7f92"/>')


@answers(HEX_CARD)
def salt_lakes_bring_wool(game, params, player, hex):
    return WOOL if game.terrain[hex] == SALT_LAKE else NOTHING


LAKES = SimpleNamespace(__name__="lakes", salt_lakes_bring_wool=salt_lakes_bring_wool)


@pytest.fixture
def lake_map(tmp_path):
    """The map of the base game with a lake in place of a pasture."""
    source = importlib.resources.files("catan_env.games.base") / "maps" / "base.toml"
    drawn, printed = source.read_text("utf-8").split("[layouts.beginner]")
    file = tmp_path / "lakes.toml"
    drawn = drawn.replace("pasture = 4", "pasture = 3, salt_lake = 1")
    file.write_text(drawn + "[layouts.beginner]" + printed.replace('"pasture"', '"salt_lake"', 1))
    return str(file)


def test_an_own_terrain_is_laid_seen_drawn_and_brings_cards(scenario, lake_map):
    name = scenario("base", **by_hex(LAKES), board={"map": lake_map})
    engine = BatchEngine(name, 20, 3, seed=1)
    lakes = engine.state["terrain"] == SALT_LAKE
    assert (lakes.sum(axis=1) == 1).all() and (engine.state["number"][lakes] > 0).all()
    assert len({int(place) for place in lakes.argmax(axis=1)}) > 5  # the map shuffles it
    assert not engine.broken_invariants()
    lake = int(lakes[0].argmax())
    assert "salt_lake" in engine.place_names(0)["hexes"][lake]
    columns = [column.name for column in engine.encoder("flat").layout.columns]
    assert sum("salt_lake" in column for column in columns) == 19
    assert engine.observe("flat", seat=0)[0, [k for k, c in enumerate(columns) if "salt_lake" in c]].sum() == 1
    svg = draw(engine).svg
    assert svg.count('fill="#7fd0d8"') == 1 and svg.count('<ellipse rx="30" ry="18" fill="#2b7f92"/>') == 1
    assert "salt_lake" in text_of(engine)

    start = position(name, 3).beginner_board().on_turn(0, "pre_roll").game()
    lake = int((start.state["terrain"] == SALT_LAKE).argmax())
    place = start.engine.topology.hex_keys[lake]
    game = position(name, 3).beginner_board().city(1, "N", *place).on_turn(0, "pre_roll").game()
    game.roll(int(game.state["number"][lake]))
    assert game.state["income"][1][RESOURCES.index("wool")] >= 2


def test_the_first_cards_come_from_own_terrains_too(scenario, lake_map):
    engine = BatchEngine(scenario("base", **by_hex(LAKES), board={"map": lake_map}), 1, 3, seed=4)
    lake = int((engine.state["terrain"][0] == SALT_LAKE).argmax())
    first = engine.actions.id("build_settlement", 0)
    corners = engine.topology.hex_intersections[lake]
    for _ in range(12):
        seat, mask = int(engine.seat_to_act[0]), engine.action_mask[0]
        last = engine.state["settlements_left"][0, seat] == engine.rules["settlements_per_player"] - 1
        at_lake = [first + int(corner) for corner in corners if mask[first + int(corner)]]
        engine.step(np.array([at_lake[0] if last and at_lake else mask.argmax()]))
    near = [player for player in range(3) if (engine.state["building_owner"][0, corners] == player).any()]
    assert near and all(engine.state["hands"][0, player, RESOURCES.index("wool")] > 0 for player in near)


def test_barren_own_terrains_get_no_number(scenario, lake_map):
    pond = add_terrain("pond", "#88aacc", barren=True)
    table = tomllib.loads(Path(lake_map).read_text("utf-8"))
    del table["terrain_counts"]["desert"], table["layouts"]
    table["terrain_counts"]["pond"] = 1
    state = BatchEngine(scenario("base", board={"map": table}), 20, 3, seed=1).state
    assert ((state["terrain"] == pond).sum(axis=1) == 1).all() and (state["robber"] == NOTHING).all()
    assert ((state["number"] == 0) == (state["terrain"] == pond)).all()


def test_own_terrains_have_names_of_their_own():
    assert add_terrain("salt_lake", "#7fd0d8", '<ellipse rx="30" ry="18" fill="#2b7f92"/>') == SALT_LAKE
    for name, color, message in (
        ("salt_lake", "#000000", "added with another color"),
        ("forest", "#000000", "identifier other than the published"),
        ("salt lake", "#000000", "identifier other than the published"),
    ):
        with pytest.raises(BoardError, match=message):
            add_terrain(name, color)
    assert pickle.loads(pickle.dumps(TERRAINS)) is TERRAINS


def test_maps_of_published_terrains_are_as_they_were(scenario):
    """Custom terrains change neither layouts nor observations of other maps."""
    engine = BatchEngine("base", 1)
    assert engine.scenario.sizes["terrains"] == 6
    assert not any("salt" in column.name for column in engine.encoder("flat").layout.columns)
    add_terrain("another_lake", "#112233", barren=True)
    assert BatchEngine("base", 1).layout_hash == engine.layout_hash


# -- a third level of building -----------------------------------------------------------------------------

BUILD_CASTLE = Action("build_castle", "build a castle on {}", INTERSECTIONS, "an own city there, and the price")


@set_up
def deal_castles(game, params):
    for player in range(PLAYERS):
        game.castles_left[player] = params.castles_per_player


@legal(BUILDING)
def cities_to_raise(game, params, seat, mask):
    if game.castles_left[seat] > 0 and can_pay(game, seat, params.castle_cost):
        for intersection in where_equal(game.building_owner, seat):
            if game.building[intersection] == CITY and not game.castle[intersection]:
                mask[BUILD_CASTLE + intersection] = True


@apply(BUILD_CASTLE)
def build_castle(game, params, seat, intersection):
    """A castle replaces a city, whose piece returns to its owner."""
    pay(game, seat, params.castle_cost)
    game.castle[intersection] = 1
    game.castles_left[seat] -= 1
    game.cities_left[seat] += 1


@when(CITY_LOST, BUILDING_REMOVED)
def lose_castle(game, params, player, intersection):
    """Return the castle piece, and take back the city piece that the rule which removed the building returned."""
    if game.castle[intersection]:
        game.castle[intersection] = 0
        game.castles_left[player] += 1
        game.cities_left[player] -= 1


def castles_of(game, params, player):
    return params.castles_per_player - game.castles_left[player]


@answers(PUBLIC_POINTS)
def points_of_castles(game, params, player, where):
    return 3 * castles_of(game, params, player)


@answers(CITIES_BUILT_OVER)
def cities_under_castles(game, params, player, where):
    return castles_of(game, params, player)


@answers(FURTHER_CARDS)
def a_castle_brings_three(game, params, player, intersection):
    return int(game.castle[intersection])


CASTLES = SimpleNamespace(
    __name__="castles",
    NUMBERS=(
        Number("castles_per_player", 2, "castle pieces of each player", 0, 30),
        Number("castle_cost", {BRICK: 2, ORE: 3}, "price of a castle", 0, 30, over=HAND_CARDS),
    ),
    FIELDS=(
        Field("castle", (INTERSECTIONS,), "i1", 0, 1, "castle on each intersection", show=OneHot(("castle",), 1)),
        Field("castles_left", (PLAYERS,), "i1", 0, 30, "castle pieces left", show=Count()),
    ),
    ACTIONS=(BUILD_CASTLE,),
    deal_castles=deal_castles,
    cities_to_raise=cities_to_raise,
    build_castle=build_castle,
    lose_castle=lose_castle,
    points_of_castles=points_of_castles,
    cities_under_castles=cities_under_castles,
    a_castle_brings_three=a_castle_brings_three,
)


def test_a_third_level_costs_brings_and_counts_and_goes(scenario, monkeypatch):
    name = scenario("base", **by_hex(CASTLES, RAZING))
    start = position(name, 3).beginner_board().city(0, "N", 0, 1).hand(0, brick=2, ore=3).on_turn(0)
    game = start.game()
    corner = game.corner("N", 0, 1)
    cities_left = int(game.state["cities_left"][0])
    assert game.points(0) == 2 and game.legal("build_castle") == [corner]
    game.do("build_castle", corner)
    assert game.points(0) == 3 and game.hand(0) == {} and not game.can("build_castle")
    assert (game.state["castles_left"][0], game.state["cities_left"][0]) == (1, cities_left + 1)
    assert not game.engine.broken_invariants()

    number = int(game.state["number"][game.hex(0, 1)])
    rolling = position(name, 3).beginner_board().city(0, "N", 0, 1).hand(0, brick=2, ore=3).on_turn(0).game()
    rolling.do("build_castle", corner).do("end_turn")
    before = sum(rolling.hand(0).values())
    rolling.roll(number)
    assert sum(rolling.hand(0).values()) - before == 3

    game.do("raze", corner)
    assert game.points(0) == 0 and (game.state["castles_left"][0], game.state["cities_left"][0]) == (2, cities_left + 1)
    assert not game.state["castle"].any() and not game.engine.broken_invariants()


def test_a_third_level_is_drawn(scenario, monkeypatch):
    monkeypatch.setattr(drawing, "BOARD", list(drawing.BOARD))
    monkeypatch.setattr("catan_env.render.board.BOARD", drawing.BOARD)

    @drawing.draws("castle", layer=drawing.BUILDINGS)
    def castles(game):
        places = zip(game.layout.intersections, game.values("castle"), strict=True)
        return {
            f"castle {k}": Part(x, y, '<path class="castle" d="M-20 9v-40h40v40z"/>' if raised else "")
            for k, ((x, y), raised) in enumerate(places)
        }

    name = scenario("base", **by_hex(CASTLES))
    game = position(name, 3).beginner_board().city(0, "N", 0, 1).hand(0, brick=2, ore=3).on_turn(0).game()
    assert 'class="castle"' not in draw(game.engine).svg
    game.do("build_castle", game.corner("N", 0, 1))
    assert draw(game.engine).svg.count('class="castle"') == 1


def test_everything_holds_with_castles(scenario):
    engine = BatchEngine(scenario("cities_and_knights", **by_hex(CASTLES, RAZING)), 2, seed=3)
    first = engine.actions.id("build_castle", 0)
    rng, built = np.random.default_rng(1), 0
    engine.state["hands"][:, :, :5] = 9
    engine.state["bank"][:, :5] = 1
    engine.refresh()
    invariants = ("pieces_conserved", "sites_current")
    for _ in range(150):
        mask = engine.action_mask.astype(float) * rng.random(engine.action_mask.shape)
        mask[:, first : first + engine.scenario.sizes["intersections"]] *= 3
        actions = np.argmax(mask, axis=1)
        built += int(sum(engine.actions.pair(int(action))[0] == "build_castle" for action in actions))
        engine.step(actions)
        assert not [broken for broken in engine.broken_invariants() if broken[1] in invariants]
    assert built


# -- dice --------------------------------------------------------------------------------------------------


@when(BOTH_DICE_KNOWN)
def count_doubles(game, params, player, number):
    game.doubles += game.first_die == game.second_die


DOUBLES = SimpleNamespace(
    __name__="doubles",
    FIELDS=(Field("doubles", (), "i2", 0, 1000, "doubles rolled", show=Count()),),
    count_doubles=count_doubles,
)


def test_both_dice_are_drawn_when_a_module_asks(scenario):
    name = scenario("base", both_dice, DOUBLES)
    for total, faces in ((2, {"1"}), (7, set("123456")), (10, set("456"))):
        game = position(name, 3).settlement(0, "N", 0, 0).on_turn(0, "pre_roll").game()
        game.do("roll").draw("dice", str(total))
        chances = game.chances()
        assert {str(face).split()[-1] for face in chances} >= faces and len(chances) == len(faces)
        assert len(set(chances.values())) == 1
        game.draw("first_die", max(faces))
        assert game.state["second_die"] == total - int(max(faces))
        assert game.state["doubles"] == (total == 2)


# -- trade and prices --------------------------------------------------------------------------------------


@legal(BANK_TRADING)
def no_wool_for_the_bank_and_no_grain_from_it(game, params, seat, mask):
    forbid_giving(mask, WOOL)
    forbid_receiving(mask, GRAIN)


EMBARGO = SimpleNamespace(
    __name__="embargo", no_wool_for_the_bank_and_no_grain_from_it=no_wool_for_the_bank_and_no_grain_from_it
)


def test_a_trade_can_be_forbidden(scenario):
    game = position(scenario("base", EMBARGO), 3).hand(0, wool=4, ore=4).on_turn(0).game()
    assert game.legal("trade_with_bank") == [f"ore for 1 {kind}" for kind in ("lumber", "brick", "wool")]


def shop(card, price):
    """Return a module with a kind of card and a price that names this kind."""
    cost = Number(f"price_in_{card}", price, "price", 0, 30, over=HAND_CARDS)
    return SimpleNamespace(__name__=f"shop_{card}", KINDS=(Kind(card, HAND_CARDS),), NUMBERS=(cost,))


def test_prices_name_their_cards(scenario):
    salt, pearl = shop("salt", {"salt": 2, ORE: 1}), shop("pearl", {"pearl": 3})
    for modules in ((salt, pearl), (pearl, salt)):
        engine = BatchEngine(scenario("base", *modules), num_players=3)
        kinds = engine.program.composition.names_along(HAND_CARDS)
        assert dict(zip(kinds, engine.rules["price_in_salt"])) == {**dict.fromkeys(kinds, 0), "salt": 2, "ore": 1}
        assert engine.rules["price_in_pearl"][kinds.index("pearl")] == 3
    name = scenario("base", salt, numbers={"price_in_salt": {"wool": 1}})
    assert BatchEngine(name, num_players=3).rules["price_in_salt"] == (0, 0, 1, 0, 0, 0)
    assert BatchEngine(name, rules={"city_cost": {"ore": 1}}).rules["city_cost"] == (0, 0, 0, 0, 1, 0)
    with pytest.raises(RuleValueError, match="'price_in_salt' names 'slat'; allowed: .*ore, salt"):
        BatchEngine(name, rules={"price_in_salt": {"slat": 1}})
    with pytest.raises(RuleValueError, match="allowed are 0 to 30"):
        BatchEngine(name, rules={"price_in_salt": {"salt": 31}})
    with pytest.raises(
        CompositionError, match="names 'peal', but axis hand_cards of .* has no such kind. Did you mean"
    ):
        BatchEngine(scenario("base", shop("pearl", {"peal": 3})))


# -- optional rules ----------------------------------------------------------------------------------------


def test_optional_rules_set_numbers_for_a_scenario(monkeypatch):
    monkeypatch.setattr(registry, "_optional", dict(registry._optional))
    monkeypatch.setattr(registry, "_numbers_of_rule", {})
    catan_env.register_optional("long", EMBARGO, lambda numbers: {"victory_points": numbers["victory_points"] + 1})
    catan_env.register_optional("short", EMBARGO, {"victory_points": 5})
    for name in ("base", "cities_and_knights"):
        points = BatchEngine(name).rules["victory_points"]
        assert BatchEngine(f"{name}+long").rules["victory_points"] == points + 1
        assert BatchEngine(f"{name}+short").rules["victory_points"] == 5
    assert BatchEngine("base+long", num_players=2).rules["num_players"] == 2


def test_toys_are_seen(scenario):
    assert look(BatchEngine(scenario("base", both_dice, DOUBLES), num_players=3)) is not None
