"""catanatron's players as agents in our games.

The player is given a catanatron game in which hidden cards are sampled, so it cannot see the real ones even if it reads
all hands in that game.
"""

from __future__ import annotations

import random
from collections import Counter
from functools import lru_cache
from typing import Any

import numpy as np

from catan_agents.bridges.catanatron import library
from catan_agents.bridges.catanatron.players import make_player
from catan_agents.bridges.catanatron.translation import CARDS, RESOURCES, CatanatronPlaces, playable, sequences
from catan_agents.bridges.games import refusal
from catan_agents.bridges.mirror import Move
from catan_env import BatchEngine
from catan_env.board import Topology
from catan_env.board.terrain import DESERT, GENERIC_HARBOR
from catan_env.errors import OptionError
from catan_env.games.base.network import CITY

COLORS = ("RED", "BLUE", "ORANGE", "WHITE")
MOST_PLAYERS = len(COLORS)


class CatanatronAgent:
    """A catanatron player as an agent. It makes no offers and declines those of others.

    Args:
        kind: name of the catanatron player, such as "value"; see `players.KINDS`.
        seed: seed for the player's random stream and for sampling cards.
        options: the player's options, such as `depth` for "alpha-beta".

    Attributes:
        differences: number of differences between the engines, keyed by kind.
    """

    def __init__(self, kind: str, seed: int = 0, **options: Any):
        self.name = f"catanatron:{kind}"
        library.load()
        colors = library.part("catanatron.models.player").Color
        self._colors = [colors[name] for name in COLORS]
        self._players = [make_player(kind, color, **options) for color in self._colors]
        self.differences: Counter[str] = Counter()
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Seed the random stream of the player."""
        self._rng = np.random.default_rng(seed)
        self._stream = random.Random(seed).getstate()

    def act(self, engine: BatchEngine, games: np.ndarray) -> np.ndarray:
        """Return the action id that the player chooses in each game, shape (n,).

        Raises:
            OptionError: the engine does not play the base game with at most four players.
        """
        if engine.scenario.name != "base" or engine.num_players > MOST_PLAYERS:
            raise OptionError(
                f"{self.name} plays 'base' with 2 to {MOST_PLAYERS} players, not {engine.scenario.name!r} with "
                f"{engine.num_players}."
            )
        actions = np.zeros(len(games), np.int64)
        table_stream = random.getstate()
        random.setstate(self._stream)
        try:
            for k, game in enumerate(games.tolist()):
                legal = np.flatnonzero(engine.action_mask[game])
                actions[k] = legal[0] if len(legal) == 1 else self._choose(engine, game, set(legal.tolist()))
        finally:
            self._stream = random.getstate()
            random.setstate(table_stream)
        return actions

    def _choose(self, engine: BatchEngine, game: int, legal: set[int]) -> int:
        """Return the action that the player chooses in one game."""
        seat, decision = int(engine.seat_to_act[game]), engine.decision(game)
        seed = int(self._rng.integers(2**62))
        (world,) = engine.determinise(games=[game], seats=seat, seed=seed)
        theirs, places = self._game_of(engine, world, decision, seat)
        step = int(decision in ("choose_victim", "choose_card"))
        options: dict[Any, int] = {}
        for action in playable(theirs):
            for moves in sequences(action, seat, places, theirs.state):
                action_id = _id_of(engine, moves, step)
                if action_id in legal:
                    options.setdefault(action, action_id)
        if decision == "discard" and not options:  # release 3.2.1 discards randomly
            return int(random.choice(sorted(legal)))
        if not options:
            self.differences[f"catanatron has no {decision!r}"] += 1
            refused = refusal(engine, legal)
            return min(legal) if refused is None else refused
        _set_playable(theirs, list(options))
        chosen = next(iter(options)) if len(options) == 1 else self._players[seat].decide(theirs, list(options))
        return options[chosen]

    # -- catanatron games ---------------------------------------------------------------------------------

    def _game_of(self, engine: BatchEngine, world: np.void, decision: str, seat: int) -> tuple[Any, CatanatronPlaces]:
        """Return a catanatron game in the same position as a record, and the mapping of its places."""
        topology, players = engine.topology, engine.num_players
        coast = tuple(zip(topology.coast_paths.tolist(), world["harbor"].tolist()))
        harbors = tuple((path, kind) for path, kind in coast if kind >= 0)
        catan_map, places = _map_of(topology, world["terrain"].tobytes(), world["number"].tobytes(), harbors)
        make_game = library.part("catanatron.game").Game
        limits = {"vps_to_win": engine.rules["victory_points"], "discard_limit": engine.rules["hand_limit"]}
        game = make_game(self._players[:players], seed=1, catan_map=catan_map, **limits)
        random.setstate(self._stream)  # creating a game reseeds the global stream
        self._stream = random.Random(random.random()).getstate()
        state, colors = game.state, self._colors[:players]
        state.players, state.colors = self._players[:players], tuple(colors)
        state.color_to_index = {color: k for k, color in enumerate(colors)}
        _lay_board(state, world, places)
        _deal(state, world)
        _set_decision(state, world, decision, seat, places)
        actions = library.part("catanatron.models.actions").generate_playable_actions(state)
        if decision in ("choose_victim", "choose_card"):
            actions = list(_continued(state, world, decision, seat, places))
        _set_playable(game, actions)
        return game, places


def _id_of(engine: BatchEngine, moves: list[Move], step: int) -> int:
    """Return the action id of the next move, or -1 if no move is left."""
    if len(moves) <= step:
        return -1
    return engine.actions.id(moves[step][1], moves[step][2])


def _set_playable(game: Any, actions: list[Any]) -> None:
    """Set the legal actions of a game."""
    owner = game if hasattr(game, "playable_actions") else game.state
    owner.playable_actions = actions


@lru_cache(maxsize=16)
def _map_of(topology: Topology, terrain: bytes, number: bytes, harbors: tuple[tuple[int, int], ...]) -> Any:
    """Return a catanatron map with the given hexes and harbors, and the mapping of its places."""
    maps = library.part("catanatron.models.map")
    catan_map = maps.CatanMap.from_template(maps.BASE_MAP_TEMPLATE)
    places = CatanatronPlaces(catan_map, topology)
    terrains, numbers = np.frombuffer(terrain, np.int8), np.frombuffer(number, np.int8)
    for coordinate, tile in catan_map.land_tiles.items():
        hex = places.hexes[coordinate]
        tile.resource = None if terrains[hex] == DESERT else RESOURCES[terrains[hex]]
        tile.number = int(numbers[hex]) or None
    catan_map.node_production = maps.init_node_production(catan_map.adjacent_tiles)
    port_nodes: dict[Any, set[int]] = {}
    for path, kind in harbors:
        port_nodes.setdefault(None if kind == GENERIC_HARBOR else RESOURCES[kind], set()).update(places.edges[path])
    catan_map.port_nodes = port_nodes
    return catan_map, places


def _lay_board(state: Any, world: np.void, places: CatanatronPlaces) -> None:
    """Place the pieces and the robber, and update the caches that catanatron keeps for them."""
    boards = library.part("catanatron.models.board")
    board, colors = state.board, state.colors
    board.robber_coordinate = places.coordinates[int(world["robber"])]
    for place in np.flatnonzero(world["building"]).tolist():
        node, color = places.nodes[place], colors[world["building_owner"][place]]
        kind = "CITY" if world["building"][place] == CITY else "SETTLEMENT"
        board.buildings[node] = (color, kind)
        state.buildings_by_color[color][kind].append(node)
        board.board_buildable_ids -= {node, *boards.STATIC_GRAPH.neighbors(node)}
    for path in np.flatnonzero(world["edge_owner"] >= 0).tolist():
        (a, b), color = places.edges[path], colors[world["edge_owner"][path]]
        board.roads[a, b] = board.roads[b, a] = color
        state.buildings_by_color[color]["ROAD"].append((a, b))
    walk = board.dfs_walk if hasattr(board, "dfs_walk") else board.bfs_walk
    for k, color in enumerate(colors):
        own = [node for node, (owner, _) in board.buildings.items() if owner == color]
        own += [node for edge, owner in board.roads.items() if owner == color for node in edge]
        components: list[set[int]] = []
        for node in own:
            if not board.is_enemy_node(node, color) and not any(node in component for component in components):
                components.append(walk(node, color))
        board.connected_components[color] = components
        board.road_lengths[color] = int(world["road_length"][k])
    holder = int(world["longest_road"])
    board.road_color = colors[holder] if holder >= 0 else None
    board.road_length = int(world["road_length"][holder]) if holder >= 0 else 0


def _deal(state: Any, world: np.void) -> None:
    """Set hands, development cards and points."""
    facts, players = state.player_state, len(state.colors)
    on_turn = int(world["on_turn"])
    for k in range(players):
        buildings = state.buildings_by_color[state.colors[k]]
        holds_road, holds_army = world["longest_road"] == k, world["largest_army"] == k
        held, new = world["development_cards"][k].tolist(), world["new_development_cards"][k].tolist()
        points = len(buildings["SETTLEMENT"]) + 2 * len(buildings["CITY"]) + 2 * (int(holds_road) + int(holds_army))
        row: dict[str, Any] = {
            "VICTORY_POINTS": points,
            "ACTUAL_VICTORY_POINTS": points + held[CARDS.index("VICTORY_POINT")],
            "ROADS_AVAILABLE": int(world["edge_pieces_left"][k].sum()),
            "SETTLEMENTS_AVAILABLE": int(world["settlements_left"][k]),
            "CITIES_AVAILABLE": int(world["cities_left"][k]),
            "HAS_ROAD": bool(holds_road),
            "HAS_ARMY": bool(holds_army),
            "HAS_ROLLED": k == on_turn and bool(world["rolls_made"]),
            "HAS_PLAYED_DEVELOPMENT_CARD_IN_TURN": k == on_turn and bool(world["card_played"]),
            "LONGEST_ROAD_LENGTH": int(world["road_length"][k]),
            "PLAYED_KNIGHT": int(world["knights_played"][k]),
        }
        for kind, count in zip(RESOURCES, world["hands"][k].tolist()):
            row[f"{kind}_IN_HAND"] = count
        for kind, count, fresh in zip(CARDS, held, new):
            row[f"{kind}_IN_HAND"] = count
            if f"P{k}_{kind}_OWNED_AT_START" in facts:
                row[f"{kind}_OWNED_AT_START"] = count > (fresh if k == on_turn else 0)
        facts.update({f"P{k}_{name}": value for name, value in row.items()})
    aside = world["discards"].sum(axis=0)
    state.resource_freqdeck = (world["bank"] + aside).tolist()
    stack = [kind for kind, count in zip(CARDS, world["deck"].tolist()) for _ in range(count)]
    random.shuffle(stack)
    state.development_listdeck = stack


def _set_decision(state: Any, world: np.void, decision: str, seat: int, places: CatanatronPlaces) -> None:
    """Set the player to act and the pending decision."""
    prompts = library.part("catanatron.models.enums").ActionPrompt
    players, on_turn = len(state.colors), int(world["on_turn"])
    state.current_player_index = seat
    state.is_initial_build_phase = on_turn < 0
    state.current_turn_index = seat if on_turn < 0 else on_turn
    state.num_turns = max(0, int(world["turn"]) - 1) + 2 * players - 2 if on_turn >= 0 else 0
    state.current_prompt = prompts.PLAY_TURN
    argument = int(world["decision_arguments"][world["depth"] - 1])
    if decision == "place_initial_settlement":
        state.current_prompt = prompts.BUILD_INITIAL_SETTLEMENT
    elif decision == "place_initial_road":
        state.current_prompt = prompts.BUILD_INITIAL_ROAD
        last = places.nodes[argument]
        settlements = state.buildings_by_color[state.colors[seat]]["SETTLEMENT"]
        settlements.sort(key=lambda node: node == last)
    elif decision == "discard":
        state.current_prompt, state.is_discarding = prompts.DISCARD, True
        if hasattr(state, "discard_counts"):
            state.discard_counts = world["to_discard"][:players].tolist()
    elif decision in ("place_robber", "choose_victim"):
        state.current_prompt, state.is_moving_knight = prompts.MOVE_ROBBER, True
    elif decision == "free_road":
        state.is_road_building, state.free_roads_available = True, argument


def _continued(state: Any, world: np.void, decision: str, seat: int, places: CatanatronPlaces) -> Any:
    """Yield the catanatron actions that complete an action that is split in two by our rules.

    In catanatron, moving the robber includes choosing a victim, and playing a Year of Plenty card includes choosing the
    resource cards.
    """
    enums = library.part("catanatron.models.enums")
    color, kinds = state.colors[seat], enums.ActionType
    if decision == "choose_victim":
        rest = (None,) if not hasattr(state, "action_records") else ()
        owners = places.owners_at(state.board, int(world["robber"]), color)
        rich = [owner for owner in owners if world["hands"][state.color_to_index[owner]].any()]
        for owner in rich or [None]:  # catanatron does not rob players with empty hands
            yield enums.Action(color, kinds.MOVE_ROBBER, (state.board.robber_coordinate, owner, *rest))
        return
    facts, player = state.player_state, f"P{seat}"
    facts[f"{player}_YEAR_OF_PLENTY_IN_HAND"] += 1
    facts[f"{player}_HAS_PLAYED_DEVELOPMENT_CARD_IN_TURN"] = False
    if f"{player}_YEAR_OF_PLENTY_OWNED_AT_START" in facts:
        facts[f"{player}_YEAR_OF_PLENTY_OWNED_AT_START"] = True
    count = int(world["decision_arguments"][world["depth"] - 1])
    open_kinds = [kind for kind, left in zip(RESOURCES, world["bank"].tolist()) if left]
    pairs = [(a, b) for k, a in enumerate(open_kinds) for b in open_kinds[k:]]
    bank = dict(zip(RESOURCES, world["bank"].tolist()))
    for cards in [(kind,) for kind in open_kinds] if count == 1 else [p for p in pairs if p.count(p[0]) <= bank[p[0]]]:
        yield enums.Action(color, kinds.PLAY_YEAR_OF_PLENTY, cards)
