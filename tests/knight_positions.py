"""Positions of Cities & Knights, all on the beginner board; three and four players share one composition.

The hills (0, -1) have number 6. Their neighbors include the desert (0, 0) in the south, the fields (-1, -1) and the
pasture (1, -1). The mountains (0, -2) have number 10.
"""

import numpy as np

from catan_env.games.cities_and_knights.knights import READY, WOKEN, set_knight
from catan_env.testing.positions import Game, PositionBuilder

HAND_CARDS = ("lumber", "brick", "wool", "grain", "ore", "paper", "cloth", "coin")
TRACKS = ("science", "trade", "politics")
DECKS = (
    ("alchemy", "crane", "engineering", "invention", "irrigation", "medicine", "mining", "printing", "road_building",
     "smithing"),
    ("commercial_harbor", "guild_dues", "merchant", "merchant_fleet", "resource_monopoly", "trade_monopoly"),
    ("diplomacy", "encouragement", "espionage", "intrigue", "sabotage", "taxation", "treason", "constitution",
     "wedding"),
)  # fmt: skip
PROGRESS = sum(DECKS, ())
FACES = ("ship", *TRACKS)


def garrison(states, all_params, seat, place, knight):
    """Place a knight, given as `strength + 4 * state`; runs as a kernel."""
    game, params = states[0], all_params[0]
    set_knight(game, params, seat, place, knight % 4, knight // 4)


class KnightPosition(PositionBuilder):
    """A position with knights, improvements and progress cards."""

    def knight(self, seat, corner, q, r, strength=1, active=False, woken=False):
        """Place a knight: inactive, `active` since before this turn, or `woken` during it."""
        place = self._topology.intersection_at(corner, q, r)
        self._steps.append((garrison, seat, place, strength + 4 * (READY if active else 0)))
        if woken:
            self._edit(lambda record: record["knight_state"].__setitem__(place, WOKEN))
        return self

    def hand(self, seat, **cards):
        """Add resources and commodities to a seat's hand."""

        def edit(record):
            for name, number in cards.items():
                record["hands"][seat, HAND_CARDS.index(name)] += number
                record["bank"][HAND_CARDS.index(name)] -= number

        return self._edit(edit)

    def levels(self, seat, **levels):
        """Set a seat's improvement levels."""

        def edit(record):
            for name, level in levels.items():
                record["improvement"][seat, TRACKS.index(name)] = level

        return self._edit(edit)

    def progress(self, seat, *cards):
        """Add progress cards to a seat's hand."""

        def edit(record):
            for name in cards:
                card = PROGRESS.index(name)
                record["progress"][seat, card] += 1
                record["progress_stack"][card] -= 1
                record["progress_backs"][seat, deck_of(name)] += 1

        return self._edit(edit)

    def under(self, track, *cards):
        """Put these cards under a deck, in this order, and give the deck's other cards to the last seat."""

        def edit(record):
            deck = TRACKS.index(track)
            for name in DECKS[deck]:
                card = PROGRESS.index(name)
                left = record["progress_stack"][card] - cards.count(name)
                record["progress_stack"][card] = 0
                if name in ("printing", "constitution"):
                    record["open_cards"][-1, int(name == "constitution")] += left
                else:
                    record["progress"][-1, card] += left
                    record["progress_backs"][-1, deck] += left
            for place, name in enumerate(cards):
                record["progress_under"][deck, place] = PROGRESS.index(name)

        self._last_edits.append(edit)
        return self

    def metropolis(self, seat, track, corner, q, r):
        """Turn a city into the metropolis of a track."""

        def edit(record):
            record["metropolis"][self._topology.intersection_at(corner, q, r)] = TRACKS.index(track) + 1
            record["metropolis_owner"][TRACKS.index(track)] = seat

        return self._edit(edit)

    def wall(self, seat, corner, q, r):
        """Build a wall under a city."""

        def edit(record):
            record["wall"][self._topology.intersection_at(corner, q, r)] = 1
            record["walls_left"][seat] -= 1

        return self._edit(edit)

    def sailed(self, steps=6, attacks=0):
        """Set how far the barbarians have sailed and how often they have attacked."""
        return self.field("barbarian_steps", steps).field("attacks", attacks)

    def game(self):
        """Return the position as a `KnightGame`."""
        return KnightGame(self.build())


class KnightGame(Game):
    """A game with three dice and progress cards."""

    def roll(self, red, yellow, event="politics"):
        """Roll three dice for the seat to act, and leave decisions that the event die triggers open."""
        self.do("roll").draw("red_die", str(red)).draw("yellow_die", str(yellow)).draw("event_die", event)
        return self.produce()

    def produce(self):
        """Draw the sum of the dice, unless another decision comes first."""
        if self.decision == "dice":
            total = self.state["red_die"] + self.state["yellow_die"]
            assert self.chances() == {str(total): 1.0}
            self.draw("dice", str(total))
        return self

    def held(self, seat):
        """Return the number of each progress card in a seat's hand, by name."""
        return {name: int(n) for name, n in zip(PROGRESS, self.state["progress"][seat], strict=True) if n}

    def lies_under(self, track):
        """Return the names of the cards under a deck."""
        row = self.state["progress_under"][TRACKS.index(track)]
        return [PROGRESS[card] for card in row if card >= 0]

    def knight_on(self, corner, q, r):
        """Return (owner, strength, state) of a knight, or None if there is no knight."""
        place = self.corner(corner, q, r)
        names = ("knight_owner", "knight", "knight_state")
        return tuple(int(self.state[name][place]) for name in names) if self.state["knight"][place] else None

    def level(self, seat):
        return dict(zip(TRACKS, self.state["improvement"][seat].tolist(), strict=True))


def deck_of(name):
    """Return the index of a card's deck."""
    return next(k for k, deck in enumerate(DECKS) if name in deck)


def table(num_players=3, **rules):
    """Return a position on an empty board."""
    return KnightPosition("cities_and_knights", num_players, rules)


def march(num_players=3, **rules):
    """Seat 0 has a settlement and four roads around the hills, seat 1 a city far away in the south."""
    return (
        table(num_players, **rules)
        .settlement(0, "N", 0, -1)
        .road(0, (0, -1, "NE E SE SW"))
        .city(1, "S", 0, 2)
        .road(1, (0, 2, "SE"))
    )


def cut_line(**rules):
    """Seat 0 has a settlement and six roads in line below a row of hexes. Seat 1's knight cuts it after two, at the
    south-west corner of (0, 0), and could retreat round that hex to the south-east corner."""
    return (
        table(**rules)
        .settlement(0, "SW", -1, 0)
        .road(1, (0, 0, "W NW NE E"))
        .knight(1, "SW", 0, 0)
        .road(0, (-1, 0, "SW SE"), (0, 0, "SW SE"), (1, 0, "SW SE"))
    )


def totals(game, seat):
    """Return the number of cards in a seat's hand."""
    return int(np.sum(game.state["hands"][seat]))
