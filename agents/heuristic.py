"""A simple player that knows what good players know: numbers are worth their pips, and one builds what one can.

It gives every legal action a score, from public information and its own hand, and takes the best one. There is no
search and no memory. Kinds of actions it does not know, those of scenarios, are taken at random before ending a turn.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from agents.sight import Sight
from agents.streams import GameStreams
from catan_env.errors import OptionError

PIPS = np.array([0, 0, 1, 2, 3, 4, 5, 0, 5, 4, 3, 2, 1], np.float64)
"""Ways in 36 to roll each sum."""
WORTH = np.array([1.0, 1.0, 0.8, 1.1, 1.1])
"""Of a card: lumber, brick, wool, grain, ore."""
NEW_RESOURCE = 1.5
"""A pip of a resource not produced so far is worth that many."""
HARBOR = 1.0

NEVER, UNKNOWN = -1e6, 300.0
SETTLEMENT = 1
MOST_SEATS = 8


class HeuristicAgent:
    """Plays sensibly. See the module."""

    name = "heuristic"

    def __init__(self, seed: int = 0):
        self._streams = GameStreams(seed)

    def reset(self, seed: int) -> None:
        self._streams.reset(seed)

    def act(self, engine, games: np.ndarray) -> np.ndarray:
        legal = engine.action_mask[games]
        actions = legal.argmax(axis=1)
        choice = np.flatnonzero(np.count_nonzero(legal, axis=1) > 1)
        if len(choice):
            actions[choice] = self._choose(Thought(engine, games[choice]), self._streams.uniform(games[choice]))
        return actions

    def _choose(self, thought: Thought, luck: np.ndarray) -> np.ndarray:
        table, legal = thought.engine.actions, thought.legal
        scores = np.full(legal.shape, UNKNOWN)
        for kind in table.kinds:
            ids = slice(table.ids(kind).start, table.ids(kind).stop)
            if kind in SCORES and legal[:, ids].any():
                try:
                    scores[:, ids] = SCORES[kind](thought)
                except OptionError:  # the scenario lacks what this score looks at
                    continue
        # Ties and unknown kinds: a fraction that differs from action to action and game to game.
        noise = np.modf(luck[:, None] * (1.0 + np.arange(table.n)) * 997.0)[0]
        return np.where(legal, scores + 1e-3 * noise, -np.inf).argmax(axis=1)


class Thought(Sight):
    """What the seats to act make of what they see. Everything is computed at most once a decision."""

    def __init__(self, engine, games: np.ndarray):
        super().__init__(engine, games)
        self._known: dict[str, np.ndarray] = {}
        self.topology = engine.topology
        self.rows = np.arange(len(games))

    def of(self, compute: Callable[[Thought], np.ndarray]) -> np.ndarray:
        """The value of a function of this thought."""
        if compute.__name__ not in self._known:
            self._known[compute.__name__] = compute(self)
        return self._known[compute.__name__]

    def cost(self, what: str) -> np.ndarray:
        """(5,) the price of something.

        Raises:
            OptionError: the scenario has no such price.
        """
        if f"{what}_cost" not in self.engine.rules:
            raise OptionError(f"Nothing has the price {what!r} here.")
        return np.array(self.engine.rules[f"{what}_cost"])

    def affords(self, what: str) -> np.ndarray:
        """(n,) bool: the seat to act holds the price of something."""
        return (self.own("hands") >= self.cost(what)).all(axis=1)

    def left(self, pieces: str) -> np.ndarray:
        """(n,) bool: the seat to act has such pieces left."""
        return self.public(f"{pieces}_left")[self.rows, self.seats] > 0


def _at(values: np.ndarray, places: np.ndarray) -> np.ndarray:
    """(n, ..., places) values at places, 0 where a place is -1: `values` is (n, places, ...)."""
    nothing = np.zeros((values.shape[0], 1, *values.shape[2:]), values.dtype)
    return np.concatenate([values, nothing], axis=1)[:, places]


# -- the board -------------------------------------------------------------------------------------------------


def production(t: Thought) -> np.ndarray:
    """(n, intersections, 5) pips of each resource around each intersection."""
    return _at(_hex_pips(t), t.topology.intersection_hexes).sum(axis=2)


def _hex_pips(t: Thought) -> np.ndarray:
    return PIPS[t.public("number")][:, :, None] * (t.public("terrain")[:, :, None] == np.arange(5))


def my_buildings(t: Thought) -> np.ndarray:
    """(n, intersections) cards each own building brings: 1 settlement, 2 city, 0 none."""
    return t.public("building") * (t.public("building_owner") == t.seats[:, None])


def site_values(t: Thought) -> np.ndarray:
    """(n, intersections) what a settlement would be worth to the seat to act, in pips."""
    pips = t.of(production)
    mine = (pips * t.of(my_buildings)[:, :, None]).sum(axis=1)
    worth = WORTH * np.where(mine == 0, NEW_RESOURCE, 1.0)
    values = (pips * worth[:, None, :]).sum(axis=2)
    harbors = np.zeros_like(values)
    coast = t.topology.path_intersections[t.topology.coast_paths]
    game, place = np.nonzero(t.public("harbor") >= 0)
    harbors[game[:, None], coast[place]] = HARBOR
    return values + harbors


def open_sites(t: Thought) -> np.ndarray:
    """(n, intersections) bool: no building there nor one path away."""
    taken = t.public("building") > 0
    return ~taken & ~_at(taken, t.topology.intersection_neighbors).any(axis=2)


def my_sites(t: Thought) -> np.ndarray:
    """(n, intersections) bool: where the seat to act could settle at once, if it had the cards."""
    return t.of(open_sites) & _at(_my_roads(t), t.topology.intersection_paths).any(axis=2)


def _my_roads(t: Thought) -> np.ndarray:
    return t.public("road") == t.seats[:, None]


# -- plans -----------------------------------------------------------------------------------------------------


def plan(t: Thought) -> np.ndarray:
    """(n, 5) the price of what the seat to act is saving for: of all it could place, what it lacks fewest cards for.
    Roads and development cards count as further away than they are."""
    hand = t.own("hands")
    sites = t.of(my_sites).any(axis=1) & t.left("settlements")
    options = [
        ("city", (t.of(my_buildings) == SETTLEMENT).any(axis=1) & t.left("cities"), 0.0),
        ("settlement", sites, 0.0),
        ("road", ~sites & t.left("roads"), 1.5),
    ]
    if "development_card_cost" in t.engine.rules:
        options.append(("development_card", np.ones_like(sites), 2.0))
    missing = np.stack([
        np.where(possible, np.maximum(t.cost(what) - hand, 0).sum(axis=1) + further, 99.0)
        for what, possible, further in options
    ], axis=1)
    return np.array([t.cost(what) for what, _, _ in options])[missing.argmin(axis=1)]


def deficit(t: Thought) -> np.ndarray:
    """(n, 5) cards that the plan still lacks."""
    return np.maximum(t.of(plan) - t.own("hands"), 0)


def surplus(t: Thought) -> np.ndarray:
    """(n, 5) cards that the plan does not need."""
    return np.maximum(t.own("hands") - t.of(plan), 0)


# -- scores: one function a kind of action, (n,) or (n, arguments); ending the turn is worth 0 ---------------------


def build_city(t: Thought) -> np.ndarray:
    return 1000.0 + t.of(production).sum(axis=2)


def build_settlement(t: Thought) -> np.ndarray:
    return 900.0 + t.of(site_values)


def build_road(t: Thought) -> np.ndarray:
    """Towards the best site; for the sake of length only when there is none."""
    values = np.where(t.of(open_sites), t.of(site_values), 0.0)
    beyond = 0.5 * _at(values, t.topology.intersection_neighbors).max(axis=2)
    reach = np.maximum(values, beyond)
    ends = reach[:, t.topology.path_intersections]
    reached = _at(_my_roads(t), t.topology.intersection_paths).any(axis=2) | (t.of(my_buildings) > 0)
    new = ~reached[:, t.topology.path_intersections]
    gain = np.where(new, ends, 0.0).max(axis=2)
    free = ~t.affords("road") | (t.public("free_roads") > 0) | (t.public("on_turn") < 0)
    settled = t.of(my_sites).any(axis=1) & ~free
    plenty = (t.own("hands")[:, :2] >= 3).all(axis=1)
    worthwhile = ~settled | plenty
    return np.where(worthwhile[:, None], np.where(gain > 0, 200.0, 10.0) + gain, -10.0)


def buy_development_card(t: Thought) -> np.ndarray:
    """Unless it would take cards that a city or settlement needs soon."""
    after = t.own("hands") - t.cost("development_card")
    spoils = (np.maximum(t.of(plan) - after, 0) > t.of(deficit)).sum(axis=1)
    many = t.own("hands").sum(axis=1) > 7
    return np.where((spoils == 0) | many, 150.0, -10.0)[:, None]


def trade_with_supply(t: Thought) -> np.ndarray:
    """A card the plan lacks for cards it does not need."""
    rate = t.public("trade_rate")[t.rows, t.seats]
    give = np.repeat(np.arange(5), 4)
    get = np.array([r for g in range(5) for r in range(5) if r != g])
    useful = (t.of(surplus) >= rate)[:, give] & (t.of(deficit) > 0)[:, get]
    return np.where(useful, 500.0 - rate[:, give], NEVER)


def discard_card(t: Thought) -> np.ndarray:
    return 10.0 * t.of(surplus) + t.own("hands") - WORTH


def take_card(t: Thought) -> np.ndarray:
    return 10.0 * t.of(deficit) + WORTH


def play_monopoly(t: Thought) -> np.ndarray:
    return 600.0 + 10.0 * t.of(deficit) - t.public("supply")


def move_robber(t: Thought) -> np.ndarray:
    """Where it costs others most, the leaders above all, and oneself nothing."""
    owner = t.public("building_owner")
    weight = np.zeros((len(t.games), MOST_SEATS + 1))  # the last for nobody, who is index -1; none for neutral pieces
    weight[:, : t.engine.num_players] = 1.0 + 0.2 * t.points
    weight[t.rows, t.seats] *= -5.0
    cards = t.public("building") * weight[t.rows[:, None], owner]
    return _hex_pips(t).sum(axis=2) * _at(cards, t.topology.hex_intersections).sum(axis=2)


def steal(t: Thought) -> np.ndarray:
    """From whoever is ahead, if there is something to take."""
    players = t.engine.num_players
    opponents = len(t.engine.actions.ids("steal"))
    left = (t.seats[:, None] + 1 + np.arange(opponents)) % players
    rows = t.rows[:, None]
    return np.where(t.totals("hands")[rows, left] > 0, 10.0, 0.0) + t.points[rows, left]


def play_knight(t: Thought) -> np.ndarray:
    """At once if the robber stands on an own hex, else once the dice have been rolled."""
    robber = t.public("robber").astype(np.int64)
    around = t.topology.hex_intersections[robber]
    blocked = (np.take_along_axis(t.of(my_buildings), around, axis=1) > 0).any(axis=1)
    return np.where(blocked, 800.0, 40.0)[:, None]


def accept(t: Thought) -> np.ndarray:
    """If one gets what the plan lacks for what it does not need, and the other is not about to win."""
    offerer = np.maximum(t.public("on_turn"), 0)
    get, give = t.public("gives")[t.rows, offerer], t.public("wants")[t.rows, offerer]
    fair = (np.minimum(get, t.of(deficit)).sum(axis=1) > 0) & (give <= t.of(surplus)).all(axis=1)
    ahead = t.points[t.rows, offerer] >= t.engine.rules["victory_points"] - 2
    return np.where(fair & ~ahead, 10.0, -10.0)[:, None]


def always(score: float) -> Callable[[Thought], np.ndarray]:
    """The same score whatever the state."""
    return lambda t: np.full((len(t.games), 1), score)


SCORES: dict[str, Callable[[Thought], np.ndarray]] = {
    "roll": always(50.0),
    "end_turn": always(0.0),
    "end_trade": always(0.0),
    "pass": always(0.0),
    "build_city": build_city,
    "build_settlement": build_settlement,
    "build_road": build_road,
    "buy_development_card": buy_development_card,
    "trade_with_supply": trade_with_supply,
    "discard_card": discard_card,
    "take_card": take_card,
    "move_robber": move_robber,
    "steal": steal,
    "play_knight": play_knight,
    "play_road_building": always(700.0),
    "play_year_of_plenty": always(650.0),
    "play_monopoly": play_monopoly,
    "make_offer": always(-100.0),
    "accept": accept,
    "decline": always(0.0),
    "counter": always(-100.0),
    "withdraw": always(0.0),
    "confirm": always(10.0),
}
"""How good an action of each kind is. Where it builds on the board of the base game, so must the scenario."""
