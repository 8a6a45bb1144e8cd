"""A toy scenario that uses every way to show a field, and a simple reference implementation of the field columns."""

from functools import cache
from itertools import product

import numpy as np

from catan_env import BatchEngine, Scenario
from catan_env.board.hexgrid import HexGrid
from catan_env.engine.board import NoBoard
from catan_env.engine.decision_stack import finish, push, replace
from catan_env.engine.declare import (
    HIDDEN,
    OWNER,
    PLAYERS,
    Action,
    Count,
    Decision,
    Feature,
    Field,
    OneHot,
    SeatFlag,
    Size,
    apply,
    legal,
    redeals,
    set_up,
    shows,
)
from catan_env.engine.scenario import Facts

HEXES, INTERSECTIONS, PATHS, COAST = Size("hexes"), Size("intersections"), Size("paths"), Size("coast")
PLAY, GO = Decision("play", "play"), Action("go", "go on", ("on", "out"))
ROUNDS = Feature("rounds", None, 200, "turns left")
RICHER = Feature("richer", PLAYERS, 1, "whether a seat has more in its purse than the viewer")
OWN_LAND = Feature("own_land", HEXES, 9, "a number of each hex")
NUMBERED = Feature("numbered", ("low", "high"), 2, "0 and 2")


@set_up
def begin(game, params):
    push(game, PLAY, 0)


@legal(PLAY)
def may_go(game, params, seat, mask):
    mask[GO] = True
    mask[GO + 1] = True


@apply(GO)
def go(game, params, seat, argument):
    replace(game, PLAY, (seat + 1) % params.num_players)
    if argument == 1:
        finish(game, 1 << seat)


@shows(ROUNDS)
def rounds(game, params, seat, argument):
    return 200 - game.turns


@shows(RICHER)
def richer(game, params, seat, who):
    return 1 if game.purse[who] > game.purse[seat] else 0


@shows(OWN_LAND)
def own_land(game, params, seat, place):
    return place + 3 * seat


@shows(NUMBERED)
def numbered(game, params, seat, argument):
    return 2 * argument


@redeals("hand", "debts", "plan", "deck")
def leave_as_it_is(game, params, seat, pool):
    """Leave these fields as they are; tests only observe them."""


class Toy:
    """A rule module built from functions instead of a file."""

    leave_as_it_is = leave_as_it_is
    begin, may_go, go, rounds, richer, own_land, numbered = begin, may_go, go, rounds, richer, own_land, numbered
    ACTIONS = (GO,)
    FIELDS = (
        Field("ground", (HEXES,), "i1", 0, 3, "few places", show=OneHot(("land", "sea", "gold"), 1)),
        Field("piece", (PATHS,), "i1", 0, 2, "many places, few categories", show=OneHot(("ship",), 2)),
        Field("port", (COAST,), "i1", -1, 1, "part of the paths", show=OneHot(("wool", "any"))),
        Field("road", (PATHS,), "i1", -1, 2, "a seat each", default=-1, show=SeatFlag()),
        Field("stock", (HEXES, 2), "u1", 0, 5, "two for each hex", show=Count(), labels=("fish", "gold")),
        Field("claims", (PLAYERS, INTERSECTIONS), "u1", 0, 1, "seats by places", show=Count()),
        Field("tide", (), "i1", -3, 4, "counts from its lower bound", show=Count()),
        Field("phase", (), "u1", 0, 2, "one of three", show=OneHot(("dawn", "noon", "dusk"))),
        Field("leader", (), "i1", -1, 2, "a seat", default=-1, show=SeatFlag()),
        Field("turns", (), "i4", 0, 200, "wide", show=Count()),
        Field("era", (), "i2", 0, 600, "wide categories", show=OneHot(("early", "late"), 299)),
        Field("purse", (PLAYERS,), "u1", 0, 200, "one of each seat", show=Count()),
        Field("mood", (PLAYERS,), "i1", -1, 0, "categories of each seat", show=OneHot(("calm", "angry"), -1)),
        Field("target", (PLAYERS,), "i1", -1, 2, "a seat of each seat", show=SeatFlag()),
        Field("hand", (PLAYERS, 2), "i1", 0, 9, "own row and totals", visible=OWNER, show=Count(), total=True,
              labels=("wool", "ore")),
        Field("debts", (PLAYERS, 3), "i1", -2, 120, "a total above 255", visible=OWNER, show=Count(), total=True),
        Field("plan", (PLAYERS, 3), "i1", 0, 4, "own row alone", visible=OWNER, show=Count()),
        Field("deck", (3,), "i1", 0, 9, "nobody's", visible=HIDDEN, show=Count()),
        Field("tally", (3,), "i1", 0, 9, "not shown"),
    )  # fmt: skip


class ToyBoard(NoBoard):
    """A board of three hexes without any tables."""

    sizes = {"hexes": 3, "intersections": 13, "paths": 15, "coast": 12}

    def __init__(self, topology):
        self.topology = topology


@cache
def toy():
    topology = HexGrid.of_hexes([(0, 0), (1, 0), (0, 1)])
    return Scenario("toy_view", 1, "Toy", "", Facts((2, 3)), (Toy,), ToyBoard(topology))


def toy_engine(games=6, players=3, seed=5, **options):
    """Return games with random field values, in states that the rules never produce."""
    engine = BatchEngine(toy(), games, players, seed=seed, **options)
    rng = np.random.default_rng(seed)
    for field in Toy.FIELDS:
        low, high = field.low, field.high
        if isinstance(field.show, SeatFlag):
            high = players - 1
        engine.state[field.name] = rng.integers(low, high + 1, engine.state[field.name].shape)
    return engine


ONE_OF = {"hexes": "hex", "sheet_cities": "sheet_city", "fortress": "fortress"}


def arguments_as_seen(composition, record, left):
    """Yield (name, value) of the argument columns: for each kind of argument, the topmost decision that has one."""
    depth = record["depth"]
    decision_stack = list(
        zip(range(depth), record["decision_stack"][:depth].tolist(), record["decision_arguments"][:depth].tolist())
    )
    about = {}
    for decision in composition.decisions.values():
        if decision.argument is not None:
            key = "count" if isinstance(decision.argument, int) else decision.argument
            about.setdefault(key, []).extend(
                entry for entry in decision_stack if entry[1] == composition.code(decision.name)
            )
    for key, found in about.items():
        value = max(found)[2] if found else None
        if key == "count":
            yield "argument/count", value or 0
        elif key == PLAYERS:
            for seat, name in left.items():
                yield f"argument/seat/{name}", int(value == seat)
        else:
            place = ONE_OF.get(key.name, key.name.removesuffix("s"))
            names = composition.names_along(key) or [f"{place}_{k}" for k in range(composition.length(key))]
            for k, name in enumerate(names):
                yield f"argument/{name}", int(value == k)


def fields_as_seen(engine, game, seat):  # noqa: C901 (every declaration, one after the other, by the plainest means)
    """Yield (name, value) of all columns except computed features, derived simply from the declarations."""
    composition, n, record = engine.program.composition, engine.num_players, engine.state[game]
    left = {(seat + k) % n: f"left_{k}" if k else "me" for k in range(n)}
    for name in composition.decisions:
        yield f"decision/{name}", int(engine.decision(game) == name)
    heads = record["decision_stack"][: record["depth"]].tolist()
    for name in composition.decisions:
        yield f"waiting/{name}", heads[:-1].count(composition.code(name))
    for other, name in left.items():
        yield f"to_act/{name}", int(engine.seat_to_act[game] == other)
    rows, neutrals = composition.sizes["players"], composition.sizes.get("neutrals", 0)
    neutral = {rows - neutrals + k: f"neutral_{'abcdef'[k]}" for k in range(neutrals)}
    yield from arguments_as_seen(composition, record, left | neutral)
    for field in composition.fields.values():
        if field.show is None or field.visible == HIDDEN:
            continue
        shown = left | neutral if field.neutrals else left
        value, per_seat = np.asarray(record[field.name]), field.shape[:1] == (PLAYERS,)
        for at in product(*map(range, value.shape)):
            if per_seat and (at[0] not in shown or field.visible == OWNER and at[0] != seat):
                continue
            parts, places = [field.name], []
            for axis, (size, k) in enumerate(zip(field.shape, at)):
                if axis == 0 and per_seat:
                    parts.append(shown[k])
                elif axis == len(at) - 1 and field.labels:
                    parts.append(field.labels[k])
                elif isinstance(size, Size):
                    places.append(f"{ONE_OF.get(size.name, size.name.removesuffix('s'))}_{k}")
                else:
                    parts.append(str(k))
            match field.show:
                case Count():
                    yield "/".join(parts + places), int(value[at]) - min(field.low, 0)
                case OneHot(names, first, size):
                    for k, name in enumerate(names[: composition.length(size)] if size else names):
                        yield "/".join([*parts, name, *places]), int(value[at] == first + k)
                case SeatFlag():
                    for other, name in shown.items():
                        yield "/".join([*parts, name, *places]), int(value[at] == other)
        if field.total:
            for other in set(range(n)) - {seat}:
                total = int((value[other].astype(int) - min(field.low, 0)).sum())
                yield f"{field.name}/{left[other]}/total", min(total, 255)
