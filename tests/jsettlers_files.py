"""Write games played here as JSettlers game event logs."""

import re

import numpy as np

import catan_env
from catan_env.board.hexgrid import SIDES
from catan_env.board.terrain import DESERT, GENERIC_HARBOR
from catan_env.games.base.development_cards import DECK_CARDS
from catan_training.importing.jsettlers import (
    DICE,
    FACINGS,
    HEX_IDS,
    NODE_STEPS,
    cell_of,
    edge_id,
    hex_id,
)
from catan_training.importing.jsettlers_messages import KINDS, WORDS
from catan_training.importing.places import HexPlaces

NUMBERS = {"road_building": 1, "year_of_plenty": 2, "monopoly": 3, "victory_point": 6, "knight": 9}
THEIRS = {ours: theirs for theirs, ours in KINDS.items()}
OPPOSITE = {"NE": "SW", "E": "W", "SE": "NW", "SW": "NE", "W": "E", "NW": "SE"}
PLAYERS = (0, 2, 3, 1)
"""Numbers of the players in the file, by seat: sorted by the reader."""


def cards(name, counts):
    order = ("clay", "ore", "sheep", "wheat", "wood")
    words = "|".join(f"{word}={int(counts[WORDS.index(word)])}" for word in order)
    return f"{name}={words}|unknown=0"


class Writer:
    """Convert a replay log to the lines of a JSettlers log by replaying the game."""

    def __init__(self, log):
        self.lines = [
            "SOC game event log: type=F, version=2500, created_at=1, now=2, game_name=g",
            "# a comment",
            "all:SOCVersion:2500|str=2.5.00|verBuild=X|feats=;ch;|cliLocale=(null)",
            f"all:SOCNewGameWithOptions:game=g|param1=-1|param2=BC=t4,N7=f7,VP=t{log['rules']['victory_points']},PL=4",
            "all:SOCSitDown:game=g|nickname=somebody|playerNumber=0|robotFlag=false",
        ]
        self.taken, self.laid = [], False
        self.discarded = {}
        steps = catan_env.replay_steps(log)
        self.engine = next(steps)
        self.places = HexPlaces(self.engine.topology)
        self.players = sorted(PLAYERS[: log["num_players"]])
        nodes = {}
        for q, r in self.places.cells:
            for corner, step in NODE_STEPS.items():
                nodes[self.places.intersection(corner, q, r)] = hex_id(q, r) + step
        self.nodes = nodes
        self.edges = [edge_id(nodes[a], nodes[b]) for a, b in self.engine.topology.path_intersections.tolist()]
        self.hexes = [hex_id(q, r) for q, r in self.places.cells]
        for move in log["moves"]:
            before, seat = self.engine.state[0].copy(), int(self.engine.seat_to_act[0])
            next(steps)
            if not self.laid and self.engine.decision(0) == "place_initial_settlement":
                self.lay_board()
                self.say("SOCTurn", f"playerNumber={self.players[int(self.engine.seat_to_act[0])]}|gameState=5")
            elif self.laid:
                self.write(move, seat, before)
        if self.engine.winner[0] >= 0:
            self.say("SOCGameState", "state=1000")
        self.text = "\n".join(self.lines) + "\n"

    def say(self, kind, facts, to="all"):
        self.lines.append(f"0:01.000:{to}:{kind}:game=g|{facts}")

    def lay_board(self):
        state, topology = self.engine.state[0], self.engine.topology
        kinds, tokens = [], []
        harbors = {}
        for path, kind in zip(topology.coast_paths.tolist(), state["harbor"].tolist()):
            if kind >= 0:
                hex = int(topology.path_hexes[path][topology.path_hexes[path] >= 0][0])
                side = SIDES[int(np.flatnonzero(topology.hex_paths[hex] == path)[0])]
                q, r = self.places.cells[hex]
                sea = next(c for c in HEX_IDS if c not in self.hexes and self.touches(c, OPPOSITE[side], path))
                facing = FACINGS.index(OPPOSITE[side]) + 1
                harbors[sea] = facing + 6 if kind == GENERIC_HARBOR else facing << 4 | THEIRS[kind]
                assert (q, r) in self.places.hexes
        for coordinate in HEX_IDS:
            hex = self.places.hexes.get(cell_of(coordinate))
            if hex is None:
                kinds.append(harbors.get(coordinate, 6))
                tokens.append(-1)
            else:
                terrain = int(state["terrain"][hex])
                kinds.append(0 if terrain == DESERT else THEIRS[terrain])
                tokens.append(-1 if terrain == DESERT else DICE.index(int(state["number"][hex])))
        layout = [" ".join(map(str, row)) for row in (kinds, tokens)]
        robber = self.hexes[int(state["robber"])]
        facts = f"hexLayout={{ {layout[0]} }}|numberLayout={{ {layout[1]} }}|robberHex=0x{robber:x}"
        self.say("SOCBoardLayout", facts)
        self.laid = True

    def touches(self, coordinate, side, path):
        try:
            return self.places.path(side, *cell_of(coordinate)) == path
        except KeyError:
            return False

    def hands(self):
        for seat, number in enumerate(self.players):
            hand = self.engine.state[0]["hands"][seat]
            facts = ",".join(f"e{theirs}={hand[ours]}" for theirs, ours in KINDS.items())
            self.say("SOCPlayerElements", f"playerNum={number}|actionType=SET|{facts}", f"p{number}")

    def write(self, move, seat, before):  # noqa: C901 (a case per kind of move)
        kind, argument = move[:2]
        state, on_turn, decision = self.engine.state[0], int(before["on_turn"]), self.engine.decision(0)
        number = self.players[seat] if seat >= 0 else None
        change = state["hands"].astype(int) - before["hands"]
        if kind == "dice":
            self.say("SOCDiceResult", f"param={argument + 2}")
            if decision != "discard":
                self.hands()
        elif kind in ("build_settlement", "build_city", "build_road"):
            piece = ("build_road", "build_settlement", "build_city").index(kind)
            if kind == "build_road" and change[seat].any():
                self.say("SOCPlayerElements", f"playerNum={number}|actionType=LOSE|e1=1,e5=1")
            place = self.edges[argument] if piece == 0 else self.nodes[argument]
            self.lines.append(f"f{number}:SOCPutPiece:game=g|playerNumber={number}|pieceType={piece}|coord={place:x}")
            self.say("SOCPutPiece", f"playerNumber={number}|pieceType={piece}|coord={place:x}")
        elif kind == "move_robber":
            self.say("SOCMoveRobber", f"playerNumber={number}|coord={self.hexes[argument]:x}")
        elif kind == "theft":
            victim = int(np.argmin(change.sum(axis=1)))
            facts = f"perp={self.players[on_turn]}|victim={self.players[victim]}|resType={THEIRS[argument]}|amount=1"
            for who in (on_turn, victim):
                self.say("SOCRobberyResult", f"{facts}|isGainLose=true", f"p{self.players[who]}")
        elif kind == "discard_card":
            self.discarded.setdefault(seat, [0] * 5)[argument] += 1
            if state["to_discard"][seat] == 0:
                self.say(
                    "SOCDiscard", f"playerNum={number}|{cards('resources', self.discarded.pop(seat))}", f"p{number}"
                )
        elif kind == "draw_card":
            buyer = self.players[on_turn]
            facts = f"playerNum={buyer}|actionType=DRAW|cardType={NUMBERS[DECK_CARDS[argument]]}"
            self.say("SOCDevCardAction", facts, f"p{buyer}")
        elif kind.startswith("play_"):
            facts = f"playerNum={number}|actionType=PLAY|cardType={NUMBERS[kind.removeprefix('play_')]}"
            self.say("SOCDevCardAction", facts)
            if kind == "play_monopoly":
                self.say("SOCSimpleAction", f"pn={number}|actType=3|v1=0|v2={THEIRS[argument]}")
        elif kind == "take_card":
            self.taken.append(argument)
            if decision != "choose_card":
                counts = np.bincount(self.taken, minlength=5)
                self.say("SOCPickResources", f"{cards('resources', counts)}|pn={number}|reason=2")
                self.taken = []
        elif kind == "trade_with_bank":
            given, received = np.maximum(-change[seat], 0), np.maximum(change[seat], 0)
            self.say("SOCBankTrade", f"{cards('give', given)}|{cards('get', received)}|pn={number}")
        elif kind == "confirm":
            partner = (seat + 1 + argument) % len(self.players)
            given, received = np.maximum(-change[seat], 0), np.maximum(change[seat], 0)
            facts = f"accepting={number}|offering={self.players[partner]}"
            facts += f"|{cards('toAccepting', received)}|{cards('toOffering', given)}"
            self.say("SOCAcceptOffer", facts)
        elif kind == "end_turn":
            self.say("SOCTurn", f"playerNumber={self.players[int(state['on_turn'])]}|gameState=15")
            self.hands()


def as_seen_by(number, text):
    """Return a log as one player's client records it, where private messages to others are hidden or missing."""
    lines = []
    for line in text.replace("type=F", "type=C", 1).splitlines():
        found = re.match(r"(\S+):p(\d+):(SOC\w+):(.*)", line)
        if found is None or found[2] == str(number):
            lines.append(line)
            continue
        time, to, kind, facts = found.groups()
        if kind == "SOCRobberyResult" and f"perp={to}|" in facts and f"victim={number}|" not in facts:
            facts = re.sub(r"resType=\d", "resType=6", facts)
        elif kind == "SOCDiscard":
            total = sum(int(count) for count in re.findall(r"(?:clay|ore|sheep|wheat|wood)=(\d+)", facts))
            facts = re.sub(r"resources=.*", f"resources=clay=0|ore=0|sheep=0|wheat=0|wood=0|unknown={total}", facts)
        elif kind == "SOCDevCardAction":
            facts = re.sub(r"cardType=\d", "cardType=0", facts)
        else:
            continue
        lines.append(f"{time}:all:{kind}:{facts}")
    return "\n".join(lines) + "\n"
