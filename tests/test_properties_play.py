"""Properties of every state of random play: conservation, field bounds, points, Longest Road. Random play ends."""

import numpy as np
import pytest

from catan_env import BatchEngine
from catan_env.engine.decision_stack import NO_SEAT_TO_ACT
from catan_env.engine.declare import HIDDEN_POINTS, PUBLIC_POINTS
from catan_env.testing.endings import endless
from tests.strategies import (
    PLAIN_PYTHON,
    Chooser,
    assert_sound,
    every_game,
    every_game_and_optional_rule,
    every_scenario,
    play,
    play_on,
    quick,
)

STEPS = 60 if PLAIN_PYTHON else 500


# -- every state ---------------------------------------------------------------------------------------------------


@pytest.mark.core
@every_game_and_optional_rule
def test_every_state_of_random_play_is_sound(scenario, players):
    engine = BatchEngine(scenario, 8, players, seed=1)
    assert_sound(engine)
    for _ in play(engine, STEPS, seed=1):
        assert_sound(engine)


@pytest.mark.core
@every_game_and_optional_rule
def test_every_state_of_wild_chance_is_sound(scenario, players):
    """Chance outcomes are equally likely: sevens in a row, the last card of a pile, and an empty bank occur often."""
    engine = BatchEngine(scenario, 4, players, seed=1, chance="explicit")
    for _ in play(engine, STEPS, seed=1, wild=True):
        assert_sound(engine)


@every_game_and_optional_rule
def test_whole_games_are_sound(scenario, players):
    """Check samples of long compiled play, including the final states of games."""
    engine = BatchEngine(scenario, 256, players, seed=3)
    ended = 0
    for _ in range(5 if PLAIN_PYTHON else 60):
        engine.random_rollout(67, restart=False)
        assert_sound(engine)
        over = engine.terminated | engine.truncated
        ended += over.sum()
        engine.reset(games=over)
    assert ended or PLAIN_PYTHON


def test_a_broken_state_is_noticed():
    """Each invariant of the base game detects damage to the state that it checks."""
    engine = play_on(BatchEngine("base", 3, seed=1), 60)
    code = engine.program.composition.code

    def is_asked(decision):
        return lambda game: game["decision_stack"].__setitem__(0, code(decision))

    damages = {
        "cards_conserved": lambda game: game["hands"].__setitem__((0, 2), game["hands"][0, 2] + 1),
        "deck_conserved": lambda game: game["deck"].__setitem__(0, 1),
        "pieces_conserved": lambda game: game["edge_pieces_left"].__setitem__(1, 3),
        "sites_current": lambda game: game["settlement_sites"].__setitem__(7, 255),
        "road_lengths_current": lambda game: game["road_length"].__setitem__(0, 9),
        "largest_army_current": lambda game: game.__setitem__("largest_army", 2),
        "hands_agree": lambda game: game["gives"].__setitem__((0, 2), game["hands"][0, 2] + 1),
        "initial_pieces_paired": is_asked("place_initial_settlement"),
        "board_open": is_asked("terrain_of_hex"),
        "one_offer": is_asked("answer_offer"),
        "victim_exists": is_asked("choose_victim"),
        "one_turn": lambda game: game.__setitem__("on_turn", (game["on_turn"] + 1) % 3),
        "discards_due": lambda game: game["to_discard"].__setitem__(0, 1),
    }
    assert set(engine.program.composition.invariants) == set(damages)
    for name, damage in damages.items():
        twin = engine.clone()
        damage(twin.state[1])
        assert (1, name) in twin.broken_invariants()
        assert {game for game, _ in twin.broken_invariants()} == {1}


# -- points --------------------------------------------------------------------------------------------------------


class Table:
    """An independent count of road lengths, Longest Road, Largest Army and points, from the board and the moves."""

    def __init__(self, engine):
        self.rules, self.players = engine.rules, engine.state["edge_pieces_left"].shape[1]  # includes neutral colors
        scoring = engine.num_players, "scores" in engine.scenario.neutrals.traits
        self.scoring = [seat < scoring[0] or scoring[1] for seat in range(self.players)]
        self.fields = engine.state.dtype.names
        topology = engine.topology
        self.ends = topology.path_intersections.tolist()
        self.paths_at = [
            [p for p, ends in enumerate(self.ends) if i in ends] for i in range(topology.num_intersections)
        ]
        self.hexes_at = topology.intersection_hexes
        self.homes, self.settled = ([set() for _ in range(self.players)] for _ in range(2))
        self.knights = [0] * self.players
        self.road_holder = self.army_holder = -1
        self.lengths = [0] * self.players
        self.drawn = None

    def longest(self, state, seat):
        """Return the length of the longest trail, by exhaustive search. Knights do not connect ships to roads."""
        owned = {p for p, owner in enumerate(state["edge_owner"].tolist()) if owner == seat}
        built = state["building_owner"].tolist()
        standing = state["building_owner"]
        if "knight_owner" in state.dtype.names:
            standing = np.where(state["knight_owner"] >= 0, state["knight_owner"], standing)
        standing = standing.tolist()
        at_sea = state["ships"].tolist() if "ships" in state.dtype.names else [0] * len(self.ends)
        best = 0
        stack = [(place, frozenset(), None) for p in owned for place in self.ends[p]]
        while stack:
            place, used, last = stack.pop()
            best = max(best, len(used))
            if used and standing[place] not in (-1, seat):
                continue  # an opponent's building or knight ends the trail
            for p in self.paths_at[place]:
                joined = last is None or bool(at_sea[p]) == bool(at_sea[last]) or built[place] == seat
                if p in owned and p not in used and joined:
                    a, b = self.ends[p]
                    stack.append((b if place == a else a, used | {p}, p))
        return best

    def watch(self, engine, action, seat):
        """Update the counts after a move."""
        state, (kind, argument) = engine.state[0], engine.actions.pair(action)
        if kind == "send_knight" and argument == 0:  # played: the holder's army goes to a sole leader or to nobody
            self.knights[seat] -= 1
            most = max(self.knights)
            ahead = [k for k in range(self.players) if self.knights[k] == most >= self.rules["largest_army_minimum"]]
            if self.army_holder == seat:
                self.army_holder = ahead[0] if len(ahead) == 1 else -1
        if kind == "play_knight" and "largest_army" in self.fields:
            self.knights[seat] += 1
            most = max(self.knights)
            if most >= self.rules["largest_army_minimum"] and (
                self.army_holder < 0 or self.knights[self.army_holder] < most
            ):
                self.army_holder = seat
        if "island" in self.fields:
            for player in range(self.players):
                reached = self.islands_of(state, player)
                if state["turn"] == 0:
                    self.homes[player] |= reached
                self.settled[player] |= reached - self.homes[player]
        roads = tuple(
            state[name].tobytes()
            for name in ("edge_owner", "ships", "building_owner", "knight_owner")
            if name in self.fields
        )
        if roads != self.drawn and "longest_road" in self.fields:
            self.drawn = roads
            self.lengths = [self.longest(state, seat) if self.scoring[seat] else 0 for seat in range(self.players)]
            most = max(self.lengths)
            leaders = [seat for seat in range(self.players) if self.lengths[seat] == most]
            if most < self.rules["longest_road_minimum"]:
                self.road_holder = -1
            elif self.road_holder not in leaders:
                self.road_holder = leaders[0] if len(leaders) == 1 else -1

    def islands_of(self, state, seat):
        """Return the islands of a seat's settlements and cities."""
        touched = self.hexes_at[state["building_owner"] == seat]
        return set(state["island"][touched[touched >= 0]].tolist()) - {-1}

    def compare(self, state):
        """Assert that lengths and holders equal those of the record."""
        if "longest_road" in self.fields:
            assert state["road_length"].tolist() == self.lengths
            assert state["longest_road"] == self.road_holder
        assert "largest_army" not in self.fields or state["largest_army"] == self.army_holder

    def points(self, state, seat):
        """Return the visible and the hidden points."""
        mine = state["building_owner"] == seat
        visible = int(state["building"][mine].sum())
        if "longest_road" in self.fields:
            visible += self.rules["longest_road_points"] * (self.road_holder == seat)
        if "largest_army" in self.fields:
            visible += self.rules["largest_army_points"] * (self.army_holder == seat)
        visible += self.rules.get("island_points", 0) * len(self.settled[seat])
        return visible, int(state["development_cards"][seat, 4]) if "development_cards" in self.fields else 0


class Sheets:
    """The same for games without a board, where players mark knights on paper. It omits the points in `FURTHER`."""

    def __init__(self, engine):
        self.army, self.army_holder = "largest_army" in engine.state.dtype.names, -1
        self.minimum = engine.rules.get("largest_army_minimum")

    def watch(self, engine, action, seat):
        """Update the counts after a move."""
        if self.army:
            knights = engine.state["knights_built"][0].sum(axis=1)
            holder = self.army_holder
            if knights[seat] >= self.minimum and (holder < 0 or knights[seat] > knights[holder]):
                self.army_holder = seat

    def compare(self, state):
        """Assert that the holder equals that of the record."""
        assert not self.army or state["largest_army"] == self.army_holder

    def points(self, state, seat):
        """Return the visible and the hidden points."""
        return 2 * (self.army and self.army_holder == seat), 0


ACCOUNTED = {
    "points_of_buildings",
    "points_of_longest_road",
    "points_of_largest_army",
    "points_of_cards",
    "points_of_islands",
}
"""The scoring functions whose points `Table` works out for itself."""
FURTHER = {
    "points_of_chips": lambda state, seat: int(state["chips"][seat]),
    "points_of_crossings": lambda state, seat: int(state["crossing_chips"][seat]),
    "points_of_row": lambda state, seat: int(state["points_row"][seat].sum()),
    "points_of_sheet": lambda state, seat: int(
        state["settlements_built"][seat].sum() + 2 * state["cities_built"][seat].sum()
    ),
    "points_of_route": lambda state, seat: 2 * int(state["longest_road"] == seat),
    "points_of_open_cards": lambda state, seat: int(state["open_cards"][seat].sum()),
    "points_of_merchant": lambda state, seat: int(state["merchant_owner"] == seat),
    "points_of_laid_cities": lambda state, seat: (
        -int(((state["city_laid"] != 0) & (state["building_owner"] == seat)).sum())
    ),
    "points_of_defenders": lambda state, seat: int(state["defender"][seat]),
    "points_of_metropolises": lambda state, seat: 2 * int((state["metropolis_owner"] == seat).sum()),
    "points_of_cloth": lambda state, seat: int(state["cloth"][seat]) // 2,
    "points_of_gifts": lambda state, seat: int(state["gift_points"][seat]),
    "points_of_sunk_ships": lambda state, seat: int(state["sunk"][seat]),
    "points_of_ships": lambda state, seat: 2 * max((6 - int(state["ships_left"][seat])) // 2, 0),
}
"""Visible points of other scenarios' scoring functions, by the plainest means."""
SECRET = {"war_points": lambda state, seat: (0, 1, 2, 3, 4, 6)[int(state["battles_won"][state["side"][seat]])]}
"""Hidden ones."""


@every_game
def test_points_are_those_on_the_table(scenario, players):
    engine = BatchEngine(scenario, 1, players, seed=6)
    composition = engine.program.composition
    scoring = [f for total in (PUBLIC_POINTS, HIDDEN_POINTS) for f in composition.roles("answers", total.name)]
    more = {function.__name__ for function in scoring} - ACCOUNTED
    assert more <= set(FURTHER | SECRET), f"say in FURTHER what these give, by other means: {more - set(FURTHER)}"
    table, choose = (Table if engine.topology else Sheets)(engine), Chooser(2)
    for _ in range(1500 if not PLAIN_PYTHON else 200):
        if engine.seat_to_act[0] == NO_SEAT_TO_ACT:
            break
        seat, actions = int(engine.seat_to_act[0]), choose(engine)
        engine.step(actions)
        table.watch(engine, int(actions[0]), seat)
        state = engine.state[0]
        table.compare(state)
        for seat in range(players):
            visible, hidden = table.points(state, seat)
            visible += sum(FURTHER[name](state, seat) for name in more & set(FURTHER))
            hidden += sum(SECRET[name](state, seat) for name in more & set(SECRET))
            assert (engine.visible_points[0, seat], engine.victory_points[0, seat]) == (visible, visible + hidden)


def test_the_second_opinion_itself():
    """A loop with a tail, with and without interruptions. A trail may reuse an intersection, but not a path."""
    engine = BatchEngine("base")
    table = Table(engine)
    state = engine.state[0].copy()
    around = engine.topology.hex_paths[9].tolist()
    state["edge_owner"][:] = -1
    state["building_owner"][:] = -1
    state["edge_owner"][around] = 2
    assert table.longest(state, 2) == 6 and table.longest(state, 1) == 0
    corner = engine.topology.hex_intersections[9, 0]
    tail = next(p for p in table.paths_at[corner] if p not in around)
    state["edge_owner"][tail] = 2
    assert table.longest(state, 2) == 7
    state["building_owner"][corner] = 2
    assert table.longest(state, 2) == 7
    state["building_owner"][corner] = 0
    assert table.longest(state, 2) == 6
    state["building_owner"][engine.topology.hex_intersections[9, 3]] = 0
    assert table.longest(state, 2) == 3


# -- the end ---------------------------------------------------------------------------------------------------------


@every_game
def test_random_play_ends(scenario, players, record_property):
    """Games end within the scenario's turn limit. The test reports how many games reach the limit."""
    number = 4 if PLAIN_PYTHON else 200
    engine = BatchEngine(scenario, number, players, seed=5)
    counts = engine.random_rollout(100_000, restart=False)
    assert (engine.terminated | engine.truncated).all()
    assert (engine.seat_to_act == NO_SEAT_TO_ACT).all() and not engine.action_mask.any()
    assert (counts["won"], counts["truncated"]) == (engine.terminated.sum(), engine.truncated.sum())
    assert counts["won"] + counts["truncated"] == number
    assert (engine.state["turn"][engine.truncated] == engine.rules["turn_limit"]).all()
    points, enough = engine.victory_points, engine.rules["victory_points"]
    if "turns_each" in engine.rules:  # the most points win; a single player needs enough points
        best = points >= (enough if players == 1 else points.max(axis=1, keepdims=True))
        assert (engine.winners == best)[engine.terminated].all()
    else:
        won = np.where(engine.winners, points, 0).max(axis=1) >= enough
        if "battles_to_end" in engine.rules:  # or a side has won enough battles
            won |= (engine.state["battles_won"] >= engine.rules["battles_to_end"]).any(axis=1)
        if "empty_villages" in engine.rules:  # or enough villages have run out of cloth
            won |= (engine.state["village_cloth"] == 0).sum(axis=1) >= engine.rules["empty_villages"]
        if "wonder_levels" in engine.state.dtype.names:  # or a player has completed a wonder
            won |= (engine.state["wonder_levels"] == 4).any(axis=(1, 2))
        assert won[engine.terminated].all()
    assert (engine.winner[engine.truncated] == -1).all()
    record_property("games", number)
    record_property("needed the turn limit", counts["truncated"])


@pytest.mark.core
@every_game
@pytest.mark.parametrize("limit", [1, 7])
def test_the_turn_limit_cuts_off(scenario, players, limit):
    engine = BatchEngine(scenario, 6, players, seed=5, rules={"turn_limit": limit, "victory_points": 100})
    for _ in play(engine, 5000, seed=1):
        assert not engine.terminated.any() and not engine.rewards.any()
        assert ((engine.seat_to_act == NO_SEAT_TO_ACT) == engine.truncated).all()
        if engine.truncated.all():
            break
    assert engine.truncated.all() and (engine.winner == -1).all()
    assert (engine.state["turn"] == limit).all()


@every_scenario
def test_no_game_is_stuck_between_turns(scenario, players):
    """Players always take the first legal action, always the last one, or follow a fixed order of preference."""
    engine = BatchEngine(scenario, 1, players, seed=5, chance="explicit")
    assert [fault.message for fault, _ in endless(engine, seed=1, orders=6)] == []


@every_game
def test_rollouts_count_what_they_play(scenario, players):
    engine = BatchEngine(scenario, 3, players, seed=5, rules=quick(scenario))
    counts = engine.random_rollout(50)
    assert counts["actions"] == 150
    engine.random_rollout(100_000, restart=False)
    assert engine.random_rollout(50, restart=False) == {"actions": 0, "won": 0, "truncated": 0}
    assert engine.random_rollout(50)["actions"] == 150


@every_scenario
def test_a_rollout_rewards_nothing(scenario, players):
    options = {"rules": quick(scenario), "shaping": 0.5}
    engine = play_on(BatchEngine(scenario, 4, players, seed=5, **options), 1)
    engine.random_rollout(300)
    assert not engine.rewards.any()
    engine.step(Chooser(1)(engine))
    still = np.flatnonzero(engine.seat_to_act >= 0)
    asked_first = np.arange(players) != engine.seat_to_act[still, None]
    assert not engine.rewards[still][asked_first].any()
