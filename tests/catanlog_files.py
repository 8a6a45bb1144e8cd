"""A writer that turns replay logs into `.catan` text, with the public information that catanlog writes."""

import numpy as np

import catan_env
from catan_env.board.hexgrid import CORNERS, SIDES
from catan_env.board.terrain import DESERT, GENERIC_HARBOR
from catan_training.importing.catanlog import SPIRAL
from catan_training.importing.places import HexPlaces

WORDS = ("wood", "brick", "sheep", "wheat", "ore", "desert")
COLORS = ("green", "blue", "orange", "red")


class UnwritableError(Exception):
    """The game contains a move that the format cannot express."""


def cards_of(counts):
    return ", ".join(f"{int(count)} {WORDS[card]}" for card, count in enumerate(counts) if count > 0)


class Writer:
    """Writes one replay log as text. With `rolls=False`, it omits every third roll unless that roll is a 7."""

    def __init__(self, log, rolls=True):
        self.lines, self.rolls, self.rolled = [], rolls, 0
        self.robber, self.roads, self.taken = None, None, []
        steps = catan_env.replay_steps(log)
        self.engine = next(steps)
        self.places = HexPlaces(self.engine.topology)
        self.hexes = [self.places.hexes[cell] for cell in SPIRAL]
        self.players = log["num_players"]
        for move in log["moves"]:
            before, seat = self.engine.state[0].copy(), int(self.engine.seat_to_act[0])
            next(steps)
            if self.engine.decision(0) == "place_initial_settlement" and not self.lines:
                self.header(seat)
            if self.lines and move[0] != "start_player":
                self.write(move, seat, before)
        winner = int(self.engine.winner[0])
        if winner >= 0:
            self.say(winner, "wins")
        self.text = "\n".join(self.lines) + "\n"

    def header(self, seat):
        state, topology = self.engine.state[0], self.engine.topology
        numbers = [str(state["number"][h]) if state["terrain"][h] != DESERT else "None" for h in self.hexes]
        ports = []
        for path, kind in zip(topology.coast_paths.tolist(), state["harbor"]):
            if kind >= 0:
                word = "3:1" if kind == GENERIC_HARBOR else WORDS[kind]
                ports.append(f"{word}({self.place(path, SIDES, topology.hex_paths)})")
        self.lines += ["catanlog v0.10.0", "timestamp: 2026-01-01 10:00:00", f"players: {self.players}"]
        self.lines += [f"name: player{k}, color: {COLORS[k]}, seat: {k + 1}" for k in range(self.players)]
        self.lines += [
            "terrain: " + " ".join(WORDS[state["terrain"][h]] for h in self.hexes),
            "numbers: " + " ".join(numbers),
            "ports: " + " ".join(ports),
            "...CATAN!",
        ]

    def place(self, index, names, table):
        for number, hex in enumerate(self.hexes, 1):
            found = np.flatnonzero(table[hex] == index)
            if len(found):
                return f"{number} {names[found[0]]}"
        raise AssertionError(index)

    def corner(self, place):
        return f"({self.place(place, CORNERS, self.engine.topology.hex_intersections)})"

    def side(self, path):
        return f"({self.place(path, SIDES, self.engine.topology.hex_paths)})"

    def say(self, seat, text):
        self.lines.append(f"{COLORS[seat]} {text}")

    def write(self, move, seat, before):  # noqa: C901 (a case per kind of move)
        kind, argument = move[:2]
        state, on_turn, decision = self.engine.state[0], int(before["on_turn"]), self.engine.decision(0)
        change = state["hands"].astype(int) - before["hands"]
        if kind == "dice":
            self.rolled += 1
            if self.rolls or self.rolled % 3 or argument == 5:
                self.say(on_turn, f"rolls {argument + 2}" + (" ...DEUCES!" if argument == 0 else ""))
        elif kind == "move_robber":
            self.robber = seat, self.hexes.index(argument) + 1, "nobody"
        elif kind == "steal":
            self.robber = (*self.robber[:2], COLORS[(seat + 1 + argument) % self.players])
        elif kind == "theft":
            self.robber = (*self.robber[:2], COLORS[int(np.argmin(change.sum(axis=1)))])
        elif kind in ("build_settlement", "build_city"):
            self.say(seat, f"buys {kind.removeprefix('build_')}, builds at {self.corner(argument)}")
        elif kind == "build_road" and self.roads is not None:
            self.roads.append(self.side(argument))
            if len(self.roads) == 2:
                self.say(seat, f"plays road builder, builds at {self.roads[0]} and {self.roads[1]}")
                self.roads = None
            elif decision != "free_road":
                raise UnwritableError
        elif kind == "build_road":
            self.say(seat, f"buys road, builds at {self.side(argument)}")
        elif kind == "buy_development_card":
            self.say(seat, "buys dev card")
        elif kind == "play_road_building":
            self.roads = []
        elif kind == "forgo_free_roads":
            raise UnwritableError
        elif kind == "play_knight":
            self.say(seat, "plays knight")
        elif kind == "play_monopoly":
            self.say(seat, f"plays monopoly on {WORDS[argument]}")
        elif kind == "take_card":
            self.taken.append(WORDS[argument])
            if decision != "choose_card":
                if len(self.taken) != 2:
                    raise UnwritableError
                self.say(seat, f"plays year of plenty, takes {self.taken[0]} and {self.taken[1]}")
                self.taken = []
        elif kind == "trade_with_bank":
            given, received = cards_of(-change[seat]), cards_of(change[seat])
            self.say(seat, f"trades [{given}] to port 4:1 for [{received}]")
        elif kind == "confirm":
            partner = (seat + 1 + argument) % self.players
            given, received = cards_of(-change[seat]), cards_of(change[seat])
            name = f"player{partner} ({COLORS[partner]})"
            self.lines.append(f"player{seat} ({COLORS[seat]}) trades [{given}] to player {name} for [{received}]")
        elif kind == "end_turn":
            self.say(seat, "ends turn after 12s")
        if self.robber and decision not in ("choose_victim", "theft"):
            self.say(self.robber[0], f"moves robber to {self.robber[1]}, steals from {self.robber[2]}")
            self.robber = None
