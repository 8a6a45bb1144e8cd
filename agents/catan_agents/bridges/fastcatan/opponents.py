"""The alpha-beta player from fastcatan as an agent in our games.

The player is given a fastcatan state in which hidden cards are sampled. It therefore knows only what its seat may know,
even though it reads all hands in that state.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from catan_agents.bridges.fastcatan import library, states
from catan_agents.bridges.fastcatan.player import AlphaBeta
from catan_agents.bridges.fastcatan.states import PLAYERS
from catan_agents.bridges.fastcatan.translation import CARDS, RESOURCES, TRADE, FastcatanPlaces, places_of, sequences
from catan_agents.bridges.games import refusal
from catan_env import BatchEngine
from catan_env.board.terrain import DESERT, GENERIC_HARBOR
from catan_env.errors import OptionError
from catan_env.games.base.development_cards import VICTORY_POINT
from catan_env.games.base.network import CITY

NEEDED_RULES = {"victory_points": 10, "hand_limit": 7}
"""Rule values that are fixed in fastcatan."""


class FastcatanAgent:
    """The alpha-beta player from fastcatan as an agent. It makes no offers and refuses those of other players.

    Args:
        depth: search depth in plies, 1 to 4.
        prune: whether the search skips unlikely actions, using fastcatan's own pruning.
        seed: seed for sampling cards.

    Attributes:
        differences: number of differences between the engines, keyed by what differed.

    Raises:
        MissingExtraError: fastcatan is not installed.
        OptionError: an option is out of range.
    """

    def __init__(self, depth: int = 2, prune: bool = False, seed: int = 0):
        self._player = AlphaBeta(depth, prune)
        self._env = library.load().Env()
        self.name = f"fastcatan:depth={depth}"
        self.differences: Counter[str] = Counter()
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Seed the random stream for sampling cards."""
        self._rng = np.random.default_rng(seed)

    def act(self, engine: BatchEngine, games: np.ndarray) -> np.ndarray:
        """Return the action id that the player chooses in each game, shape (n,).

        Raises:
            OptionError: the engine does not play the base game with four players, to 10 points, with a hand limit of 7.
        """
        needed = engine.scenario.name == "base" and engine.num_players == PLAYERS
        if not needed or any(engine.rules[name] != value for name, value in NEEDED_RULES.items()):
            raise OptionError(
                f"{self.name} plays 'base' with {PLAYERS} players to 10 points with hand limit 7, as fastcatan does; "
                f"this is {engine.scenario.name!r} with {engine.num_players} players to "
                f"{engine.rules.get('victory_points')} points."
            )
        actions = np.zeros(len(games), np.int64)
        for k, game in enumerate(games.tolist()):
            legal = np.flatnonzero(engine.action_mask[game]).tolist()
            actions[k] = legal[0] if len(legal) == 1 else self._choose(engine, game, legal)
        return actions

    def _choose(self, engine: BatchEngine, game: int, legal: list[int]) -> int:
        """Return the action that the player chooses in one game."""
        seat, decision = int(engine.seat_to_act[game]), engine.decision(game)
        (world,) = engine.determinise(games=[game], seats=seat, seed=int(self._rng.integers(2**62)))
        places = places_of(engine.topology)
        state, board = self._state_of(engine, world, decision, seat, places)
        if decision == "choose_card":
            return self._choose_card(engine, state, board, seat, legal)
        states.write(self._env, state, board)
        state, _ = states.read(self._env)
        options = {a: self._id_of(engine, state, a, places) for a in states.legal_ids(state) if a < TRADE}
        if not options:
            self.differences[f"fastcatan has no {decision!r}"] += 1
            refused = refusal(engine, legal)
            return min(legal) if refused is None else refused
        chosen = options[self._player.choose(self._env, state)]
        if chosen in legal:
            return chosen
        self.differences[f"legal only there: {engine.actions.pair(chosen)[0]}"] += 1
        return next((action for action in options.values() if action in legal), min(legal))

    @staticmethod
    def _id_of(engine: BatchEngine, state: np.void, action: int, places: FastcatanPlaces) -> int:
        """Return the first of our actions that a fastcatan action is equivalent to."""
        _, kind, argument = next(sequences(state, action, places))[0]
        return engine.actions.id(kind, argument)

    def _choose_card(self, engine: BatchEngine, state: np.void, board: np.void, seat: int, legal: list[int]) -> int:
        """Return the Year of Plenty resource that the player's evaluation prefers.

        In fastcatan, both cards are chosen in one action; here, each card is a separate decision.
        """
        values = []
        for action in legal:
            kind = RESOURCES[engine.actions.pair(action)[1]]
            tried = state.copy()
            tried["resources"][seat, kind] += 1
            tried["handsize"][seat] += 1
            tried["bank"][kind] -= 1
            states.write(self._env, tried, board)
            values.append(self._env.ab_value(seat))
        return legal[int(np.argmax(values))]

    # -- fastcatan states ---------------------------------------------------------------------------------

    def _state_of(
        self, engine: BatchEngine, world: np.void, decision: str, seat: int, places: FastcatanPlaces
    ) -> tuple[np.void, np.void]:
        """Return a fastcatan game and board in the same position as a record. Seat 0 is player 0 in fastcatan."""
        state, board = states.blank()
        self._lay_board(engine, world, places, board)
        _lay_pieces(world, places, state)
        _set_harbors(engine, world, state)
        _deal(world, state)
        _set_decision(world, decision, seat, state)
        return state, board

    def _lay_board(self, engine: BatchEngine, world: np.void, places: FastcatanPlaces, board: np.void) -> None:
        """Set hexes and ports. A harbor that fastcatan lacks works only for players who have already built there."""
        board["hex_resource"] = [5 if kind == DESERT else RESOURCES[kind] for kind in world["terrain"].tolist()]
        board["hex_number"] = world["number"]
        kinds = dict(zip(engine.topology.coast_paths.tolist(), world["harbor"].tolist()))
        ports = [kinds.get(path, -1) for path in places.port_paths.tolist()]
        board["port_type"] = [states.NO_PORT if kind < 0 else _port(kind) for kind in ports]
        if sum(kind >= 0 for kind in ports) < sum(kind >= 0 for kind in kinds.values()):
            self.differences["a harbor lies where fastcatan has none"] += 1


def _port(kind: int) -> int:
    """Return the fastcatan kind of a port."""
    return GENERIC_HARBOR if kind == GENERIC_HARBOR else RESOURCES[kind]


def _lay_pieces(world: np.void, places: FastcatanPlaces, state: np.void) -> None:
    """Place buildings, roads and the robber."""
    owners, buildings = world["building_owner"], world["building"]
    nodes = state["node"]
    for place in np.flatnonzero(buildings).tolist():
        level = states.CITY if buildings[place] == CITY else states.SETTLEMENT
        nodes[places.nodes[place]] = level | int(owners[place]) << 2
    for path in np.flatnonzero(world["edge_owner"] >= 0).tolist():
        state["edge"][places.edges[path]] = world["edge_owner"][path]
    for player in range(PLAYERS):  # nodes where the player's roads may continue
        own = world["edge_owner"] == player
        ends = places.topology.path_intersections[own].reshape(-1).tolist()
        ends += np.flatnonzero((buildings > 0) & (owners == player)).tolist()
        free = {end for end in ends if not buildings[end] or owners[end] == player}
        state["road_nodes"][player] = sum(1 << int(places.nodes[end]) for end in free)
    state["robber_hex"] = world["robber"]


def _set_harbors(engine: BatchEngine, world: np.void, state: np.void) -> None:
    """Set the trade rates of players who have a building at a harbor."""
    for path, kind in zip(engine.topology.coast_paths.tolist(), world["harbor"].tolist()):
        for place in engine.topology.path_intersections[path].tolist() if kind >= 0 else ():
            if world["building"][place]:
                state["ports"][world["building_owner"][place]] |= 1 << _port(kind)


def _deal(world: np.void, state: np.void) -> None:
    """Set the cards, and the numbers of pieces and points."""
    held, on_turn = world["development_cards"][:PLAYERS], int(world["on_turn"])
    new = np.zeros_like(held)
    if on_turn >= 0:
        new[on_turn] = world["new_development_cards"][on_turn]
        new[on_turn, VICTORY_POINT] = 0  # fastcatan counts these immediately
    order = np.argsort(CARDS)  # our cards, indexed by the fastcatan card
    state["dev"], state["dev_bought"] = (held - new)[:, order], new[:, order]
    state["resources"] = world["hands"][:PLAYERS][:, RESOURCES]
    aside = world["discards"].sum(axis=0)
    state["bank"], state["dev_deck"] = (world["bank"] + aside)[RESOURCES], world["deck"][order]
    state["handsize"], state["total_dev"] = state["resources"].sum(axis=1), held.sum(axis=1)
    state["to_discard"], state["knights_played"] = world["to_discard"][:PLAYERS], world["knights_played"][:PLAYERS]
    state["road_length"] = world["road_length"][:PLAYERS]
    state["settlements_left"] = world["settlements_left"][:PLAYERS]
    state["cities_left"] = world["cities_left"][:PLAYERS]
    state["roads_left"] = world["edge_pieces_left"][:PLAYERS].sum(axis=1)
    state["dev_card_played"] = world["card_played"]
    levels = states.level(state["node"])
    for player in range(PLAYERS):
        state["public_vp"][player] = levels[(levels > 0) & (states.owner(state["node"]) == player)].sum()
    for name in ("longest_road", "largest_army"):
        if world[name] >= 0:
            state[f"{name}_owner"] = world[name]
            state["public_vp"][world[name]] += 2
    state["vp"] = state["public_vp"] + held[:, VICTORY_POINT]


FLAGS = {
    "discard": states.DISCARD,
    "place_robber": states.MOVE_ROBBER,
    "choose_victim": states.STEAL,
    "free_road": states.PLACE_ROAD,
}
INITIAL = ("place_initial_settlement", "place_initial_road")
ON_TURN = ("pre_roll", "play", "choose_card", *FLAGS)


def _set_decision(world: np.void, decision: str, seat: int, state: np.void) -> None:
    """Set the player to act and the pending decision. A decision that fastcatan lacks leaves no legal actions."""
    on_turn, settled = int(world["on_turn"]), int((state["node"] > 0).sum())
    state["turn_count"] = max(0, int(world["turn"]) - 1)
    state["current_player"] = seat if on_turn < 0 else on_turn
    if decision in INITIAL:
        waiting = settled - int(decision == "place_initial_road")
        state["phase"] = states.INITIAL_1 if waiting < PLAYERS else states.INITIAL_2
        state["start_player"] = (seat - min(waiting, 2 * PLAYERS - 1 - waiting)) % PLAYERS
        return
    state["phase"] = states.MAIN if decision in ON_TURN else states.ENDED
    state["dice_roll"] = world["dice"] if world["rolls_made"] else 0
    state["flag"] = FLAGS.get(decision, states.NO_FLAG)
    if decision == "discard":
        state["discarding_player"] = seat
    elif decision == "free_road":
        state["free_roads"] = world["decision_arguments"][world["depth"] - 1]
