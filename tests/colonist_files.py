"""A writer that turns replay logs into colonist.io replays. Its files stand in for replays of human games."""

import numpy as np

import catan_env
from catan_env.board.hexgrid import SIDES
from catan_env.board.terrain import DESERT, GENERIC_HARBOR, RESOURCES
from catan_env.games.base.development_cards import DECK_CARDS

NUMBERS = {"knight": 11, "victory_point": 12, "year_of_plenty": 13, "road_building": 14, "monopoly": 15}
COLORS = (5, 1, 3, 2)
EDGES = {"NW": (0, 0, 0), "W": (0, 0, 1), "SW": (0, 0, 2), "NE": (1, -1, 2), "E": (1, 0, 1), "SE": (0, 1, 0)}
SILENT = (
    "start_player", "roll", "buy_development_card", "make_offer", "offer_card", "ask_card", "submit_offer", "accept",
    "decline", "counter", "withdraw", "cancel_offer", "steal", "forgo_free_roads", "terrain_of_hex", "first_corner",
    "frame_piece", "harbor_kind",
)  # fmt: skip
"""Moves after which nothing is to be seen."""


class Writer:
    """Writes one replay log as a colonist.io file and keeps the game record after every event."""

    def __init__(self, log):
        self.events, self.records = [], []
        self.taken, self.offer = [], None
        self.used = [[] for _ in range(log["num_players"])]
        self.steps = catan_env.replay_steps(log)
        self.engine = next(self.steps)
        self.colors = COLORS[: log["num_players"]]
        self.log_number = 0
        self.file = None
        for move in log["moves"]:
            before = self.engine.state[0].copy()
            seat = int(self.engine.seat_to_act[0])
            next(self.steps)
            if self.file is None and self.engine.decision(0) == "place_initial_settlement":
                self.begin(log)
            elif self.file is not None:
                self.write(move, seat, before)
        winner = int(self.engine.winner[0])
        players = {str(color): {"winningPlayer": k == winner} for k, color in enumerate(self.colors)}
        self.file["data"]["eventHistory"]["endGameState"] = {"players": players if winner >= 0 else {}}

    def begin(self, log):
        state, topology = self.engine.state[0], self.engine.topology
        corners = {
            str(i): {"x": int(q), "y": int(r), "z": int(z)} for i, (z, q, r) in enumerate(topology.intersection_corner)
        }
        edges = {str(p): self.edge(p) for p in range(topology.num_paths)}
        ports = {
            str(k): {**self.edge(int(path)), "type": 1 if kind == GENERIC_HARBOR else int(kind) + 2}
            for k, (path, kind) in enumerate(zip(topology.coast_paths, state["harbor"]))
            if kind >= 0
        }
        hexes = {
            str(h): {
                "x": int(q),
                "y": int(r),
                "type": 0 if state["terrain"][h] == DESERT else int(state["terrain"][h]) + 1,
                "diceNumber": int(state["number"][h]),
            }
            for h, (q, r) in enumerate(topology.hex_axial)
        }
        first = {
            "mapState": {
                "tileHexStates": hexes, "tileCornerStates": corners, "tileEdgeStates": edges, "portEdgeStates": ports
            },
            "mechanicRobberState": {"locationTileIndex": int(state["robber"])},
            "playerStates": {str(color): {"resourceCards": {"cards": []}} for color in self.colors},
            "bankState": {"resourceCards": {str(k + 1): 19 for k in range(5)}},
            "currentState": {"currentTurnPlayerColor": self.colors[0]},
            "mechanicDevelopmentCardsState": {"players": {}},
        }  # fmt: skip
        rules = self.engine.rules
        settings = {
            "victoryPointsToWin": rules["victory_points"], "cardDiscardLimit": rules["hand_limit"], "diceSetting": 1,
            "friendlyRobber": rules["friendly_robber"] > 0, "karmaActive": False,
        }  # fmt: skip
        self.file = {
            "data": {
                "playOrder": list(self.colors),
                "gameSettings": settings,
                "eventHistory": {"initialState": first, "events": self.events},
                "playerUserStates": [{"username": "somebody"}],
            }
        }

    def edge(self, path):
        q, r, side = (int(value) for value in self.engine.topology.path_side[path])
        dq, dr, z = EDGES[SIDES[side]]
        return {"x": q + dq, "y": r + dr, "z": z}

    def write(self, move, seat, before):  # noqa: C901 (a case per kind of move)
        kind, argument = move[:2]
        state, color = self.engine.state[0], self.colors[seat] if seat >= 0 else None
        on_turn = int(before["on_turn"])
        text, change = None, {}
        if kind == "submit_offer":
            self.offer = before["gives"].copy(), before["wants"].copy()
        if kind == "take_card":
            self.taken.append(argument + 1)
        if kind in SILENT or (kind == "take_card" and self.engine.decision(0) == "choose_card"):
            return
        if kind == "discard_card" and state["to_discard"][seat] > 0:
            return
        if kind == "dice":
            text = {"type": 10, "firstDice": min(6, argument + 1), "secondDice": argument + 2 - min(6, argument + 1)}
        elif kind in ("build_settlement", "build_city"):
            corner = {"owner": color, "buildingType": 2 if kind == "build_city" else 1}
            change["mapState"] = {"tileCornerStates": {str(argument): corner}}
        elif kind == "build_road":
            change["mapState"] = {"tileEdgeStates": {str(argument): {"owner": color, "type": 1}}}
        elif kind == "move_robber":
            change["mechanicRobberState"] = {"locationTileIndex": argument}
        elif kind == "take_card":
            text, self.taken = {"type": 21, "playerColor": color, "cardEnums": self.taken}, []
        elif kind == "play_monopoly":
            text = {"type": 86, "playerColor": color, "cardEnum": argument + 1}
        elif kind == "trade_with_bank":
            lost = np.repeat(np.arange(1, 6), np.maximum(before["hands"][seat] - state["hands"][seat], 0)).tolist()
            won = np.repeat(np.arange(1, 6), np.maximum(state["hands"][seat] - before["hands"][seat], 0)).tolist()
            text = {"type": 116, "playerColor": color, "givenCardEnums": lost, "receivedCardEnums": won}
        elif kind == "confirm":
            partner = (seat + 1 + argument) % len(self.colors)
            moved = state["hands"][seat] - before["hands"][seat]
            text = {
                "type": 115, "playerColor": self.colors[partner], "acceptingPlayerColor": color,
                "givenCardEnums": np.repeat(np.arange(1, 6), np.maximum(moved, 0)).tolist(),
                "receivedCardEnums": np.repeat(np.arange(1, 6), np.maximum(-moved, 0)).tolist(),
            }  # fmt: skip
        if kind.startswith("play_"):
            name = kind.removeprefix("play_")
            self.used[seat].append(NUMBERS[name])
        if kind.startswith("play_") or kind == "draw_card":
            held = state["development_cards"][on_turn]
            cards = [NUMBERS[name] for name, count in zip(DECK_CARDS, held) for _ in range(count)]
            facts = {"developmentCards": {"cards": cards}, "developmentCardsUsed": list(self.used[on_turn])}
            change["mechanicDevelopmentCardsState"] = {"players": {str(self.colors[on_turn]): facts}}
        if kind == "end_turn":
            change["currentState"] = {"currentTurnPlayerColor": self.colors[int(state["on_turn"])]}
        hands = state["hands"][: len(self.colors)].astype(int)
        moved = [k for k in range(len(self.colors)) if (hands[k] != before["hands"][k]).any()]
        if moved or kind in ("discard_card", "draw_card", "take_card"):
            change["playerStates"] = {
                str(name): {"resourceCards": {"cards": np.repeat(np.arange(1, 6), hands[k]).tolist()}}
                for k, name in enumerate(self.colors)
            }
            bank = 19 - hands.sum(axis=0)
            change["bankState"] = {"resourceCards": {str(k + 1): int(bank[k]) for k in range(len(RESOURCES))}}
        if text:
            change["gameLogState"] = {str(self.log_number): {"from": 0, "text": text}}
            self.log_number += 1
        self.events.append({"input": {"deltaS": 1.0}, "stateChange": change})
        self.records.append(state.copy())
