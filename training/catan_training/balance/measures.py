"""Measures of a condition, estimated over paired seeds from a study's tables.

Each measure defines a title and an explanation with its source, which appear in reports and documentation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from catan_training.balance.watching import SPLITS
from catan_training.evaluation.statistics import EFFECT, MEAN, SHARE, Estimates, ratios

SECONDS_A_TURN, SECONDS_A_CHOICE = 20.0, 5.0
"""Estimated seconds a person needs per turn (dice, cards, passing), and additionally per choice."""
ORDINALS = ("1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th")
LENGTHS = ("turns", "rounds", "choices", "minutes")
COMPOSING = ("offer_card", "ask_card", "submit_offer")
"""Actions that compose an offer, after the choice to make one."""
CLEAR_LEAD = 2
BUILDINGS = "points of buildings"
"""In most scenarios, winners get most of their points from this source, so text on what sets them apart omits it."""


class ConditionGames:
    """The rows of one condition as arrays, covering N games with P seats from C paired seeds.

    Args:
        games, seats: one condition's rows from the two tables. All games have the same number of players.

    Attributes:
        table, rows: both tables, sorted by paired seed, game and seat.
        players: number of seats, P.
        paired_seed: (N,) int64, each game's paired-seed index.
        paired_seeds: number of paired seeds, C.
        won: (N, P) bool, whether each seat won.
        order: (N, P) int64, each seat's place in the turn order.
        agent: (N, P) int64, the index of the agent in each seat.
        decided: (N,) bool, whether the game has a winner.
    """

    def __init__(self, games: pl.DataFrame, seats: pl.DataFrame):
        self.table = games.sort("paired_seed", "game")
        self.rows = seats.sort("paired_seed", "game", "seat")
        self.players = int(self.table["players"][0])
        self.paired_seed = np.unique(self.table["paired_seed"].to_numpy(), return_inverse=True)[1]
        self.paired_seeds = int(self.paired_seed.max()) + 1
        self.won, self.order = self.seats("won") > 0, self.seats("order").astype(int)
        self.agent = self.seats("agent").astype(int)
        self.decided: np.ndarray = np.any(self.won, axis=1)

    def game(self, name: str) -> np.ndarray:
        """Return a column of the games table, shape (N,), float64."""
        return self.table[name].cast(pl.Float64).to_numpy()

    def seats(self, name: str) -> np.ndarray:
        """Return a column of the seats table, shape (N, P), float64."""
        return self.rows[name].cast(pl.Float64).to_numpy().reshape(-1, self.players)

    def has(self, name: str) -> bool:
        """Return whether the scenario has this column. The tables of other conditions may have more columns."""
        return any(name in table.columns and table[name].null_count() == 0 for table in (self.rows, self.table))

    def names_of(self, agents: np.ndarray) -> list[str]:
        """Return agent names, given their indices. Tables from other sources may have no names."""
        if not self.has("agent_name"):
            return [f"agent {agent + 1}" for agent in agents]
        name_of = dict(self.rows.select("agent", "agent_name").unique().iter_rows())
        return [name_of[agent] for agent in agents]

    @cached_property
    def sources(self) -> list[str]:
        """Names of the victory-point sources."""
        names = [name.removeprefix("points_") for name in self.rows.columns if name.startswith("points_")]
        return [name for name in names if not name.startswith("at_") and self.has(f"points_{name}")]

    @cached_property
    def share(self) -> np.ndarray:
        """Each seat's share of the win in its game, shape (N, P), float64."""
        return self.won / np.maximum(self.won.sum(1, keepdims=True), 1)

    def over(
        self, names: list[str], values: np.ndarray, counts: np.ndarray | float = 1.0, kind: str = MEAN
    ) -> Estimates:
        """Estimate means of values, shape (N, K), over paired seeds, weighted by `counts`, shape (N, K) or (N, 1)."""
        counts = np.broadcast_to(np.asarray(counts, np.float64), values.shape)
        sums = np.zeros((2, self.paired_seeds, values.shape[1]))
        np.add.at(sums[0], self.paired_seed, values * counts)
        np.add.at(sums[1], self.paired_seed, counts)
        return ratios(names, sums[0], sums[1], kind)


@dataclass(frozen=True)
class Measure:
    """A measure, which is shown as one table in the report.

    Attributes:
        about: two sentences giving its definition and method, with the source.
        estimate: computes the estimates, or returns None for conditions that lack the data.
        units: the unit of all estimates, or a unit for each estimate by name; used for axis labels.
        par: the value that corresponds to no advantage, drawn as a line in pictures.
    """

    key: str
    title: str
    about: str
    estimate: Callable[[ConditionGames], Estimates | None]
    units: str | Mapping[str, str]
    par: Callable[[ConditionGames], float] | None = None

    def unit(self, name: str) -> str:
        """Return the unit of an estimate."""
        return self.units if isinstance(self.units, str) else self.units[name]


def seats(found: ConditionGames) -> Estimates:
    """Estimate the share of decided games won from each place in the initial placement. Shared wins are split."""
    by_order = np.zeros_like(found.share)
    np.put_along_axis(by_order, found.order - 1, found.share, axis=1)
    names = [f"{ORDINALS[k]} to place" for k in range(found.players)]
    return found.over(names, by_order, found.decided[:, None], SHARE)


def length(found: ConditionGames) -> Estimates:
    """Estimate the mean number of turns, rounds and choices per game, and of minutes that people would need."""
    composing = [found.seats(f"did_{kind}").sum(1) for kind in COMPOSING if found.has(f"did_{kind}")]
    turns, choices = found.game("turns"), found.game("choices") - sum(composing)
    minutes = (SECONDS_A_TURN * turns + SECONDS_A_CHOICE * choices) / 60
    values = turns, turns / found.players, choices, minutes
    return found.over(list(LENGTHS), np.stack(values, 1))


def endings(found: ConditionGames) -> Estimates:
    """Estimate the shares of games that have one winner, several winners or none, or that are truncated."""
    winners, truncated = found.game("winners"), found.game("truncated")
    values = np.stack([winners == 1, winners > 1, (winners == 0) & (truncated == 0), truncated > 0], 1)
    return found.over(["one winner", "several winners", "no winner", "truncated"], values * 1.0, kind=SHARE)


def points(found: ConditionGames) -> Estimates:
    """Estimate mean victory points by source, for all seats and for winners."""
    names, values, counts = [], [], []
    for source in ["", *found.sources]:
        column = found.seats(f"points_{source}" if source else "points")
        for group, weight in (("all", np.ones_like(found.won)), ("winners", found.won)):
            names.append(f"{_words(source) or 'total'}, {group}")
            values.append((column * weight).sum(1))
            counts.append(weight.sum(1))
    sums = np.stack(values, 1)
    weights = np.stack(counts, 1).astype(float)
    return found.over(names, np.divide(sums, weights, out=np.zeros_like(sums), where=weights > 0), weights)


def barbarians(found: ConditionGames) -> Estimates | None:
    """Estimate the number of attacks per game and the share of attacks that are repelled."""
    if not found.has("attacks"):
        return None
    attacks, beaten = found.game("attacks"), found.game("attacks_beaten")
    share = np.divide(beaten, attacks, out=np.zeros_like(beaten), where=attacks > 0)
    values, counts = np.stack([attacks, share], 1), np.stack([np.ones_like(attacks), attacks], 1)
    return found.over(["attacks per game", "share repelled"], values, counts)


def trading(found: ConditionGames) -> Estimates | None:
    """Estimate the number of offers and trades per turn, and how often answers accept or counter an offer."""
    kinds = "make_offer", "accept", "decline", "counter", "confirm"
    if not all(found.has(f"did_{kind}") for kind in kinds):
        return None
    offered, accepted, declined, countered, closed = (found.seats(f"did_{kind}").sum(1) for kind in kinds)
    if not offered.any():
        return None
    answers, turns = accepted + declined + countered, found.game("turns")
    names = ["offers per turn", "trades per turn", "share of answers that accept", "share of answers that counter"]
    numerators, denominators = (
        np.stack([offered, closed, accepted, countered], 1),
        np.stack([turns, turns, answers, answers], 1),
    )
    return found.over(
        names, np.divide(numerators, denominators, out=np.zeros_like(numerators), where=denominators > 0), denominators
    )


def features(found: ConditionGames) -> dict[str, np.ndarray]:
    """Return features that may help a seat win, each of shape (N, P), keyed by title. Constant ones are omitted."""
    columns = {f"points of {_words(source)}": found.seats(f"points_{source}") for source in found.sources}
    title_of_column = {
        "site_pips": "pips of the initial placement",
        "site_kinds": "kinds of terrain at the initial placement",
        "site_harbors": "harbors at the initial placement",
        "luck": "luck of the dice, in cards",
        "did_trade_with_bank": "trades with the bank",
        "did_confirm": "trades with players, own turn",
    }
    columns |= {title: found.seats(name) for name, title in title_of_column.items() if found.has(name)}
    if found.has("first_city"):
        turn = found.seats("first_city")
        turn = np.where(turn > 0, turn, np.inf)
        columns["first city of the game"] = (turn == turn.min(1, keepdims=True)) & np.isfinite(turn)
    columns = {name: np.asarray(values, np.float64) for name, values in columns.items()}
    return {name: values for name, values in columns.items() if np.ptp(values) > 0}


def winners(found: ConditionGames) -> Estimates | None:
    """Estimate how winners differ from the other seats in their game, in standard deviations over all seats."""
    columns = features(found)
    with_losers = found.decided & ~np.all(found.won, axis=1)
    if not columns or not with_losers.any():
        return None
    won, lost = found.won[with_losers], ~found.won[with_losers]
    values = np.zeros((len(found.won), len(columns)))
    for k, column in enumerate(columns.values()):
        counted_column = column[with_losers]
        surplus = (counted_column * won).sum(1) / won.sum(1) - (counted_column * lost).sum(1) / lost.sum(1)
        values[with_losers, k] = surplus / column.std()
    return found.over(list(columns), values, with_losers[:, None], EFFECT)


def lead(found: ConditionGames) -> Estimates | None:
    """Estimate how often the sole leader, a clear leader and last-placed seats at various stages go on to win."""
    names, values, counts = [], [], []
    for split in SPLITS:
        if not found.has(f"points_at_{split}"):
            return None
        points_then = found.seats(f"points_at_{split}")
        best, worst = points_then.max(1, keepdims=True), points_then.min(1, keepdims=True)
        ahead, behind = points_then == best, points_then == worst
        second = np.sort(points_then, axis=1)[:, -2] if found.players > 1 else points_then[:, 0]
        leads_alone, leads_clearly = ahead.sum(1) == 1, best[:, 0] - second >= CLEAR_LEAD
        split_title = split.replace("_", " ")
        shares = (
            (f"ahead at {split_title}", ahead, found.decided & leads_alone),
            (f"ahead by {CLEAR_LEAD} or more at {split_title}", ahead, found.decided & leads_clearly),
            (f"last at {split_title}", behind, found.decided & (best != worst)[:, 0]),
        )
        for name, seats_meant, games_meant in shares:
            names.append(name)
            values.append((found.won * seats_meant).sum(1) / seats_meant.sum(1))
            counts.append(games_meant)
    return found.over(names, np.stack(values, 1), np.stack(counts, 1), SHARE)


def skill(found: ConditionGames) -> Estimates | None:
    """Estimate each agent's win rate per seat."""
    agents = np.unique(found.agent)
    if len(agents) < 2:
        return None
    return found.over(found.names_of(agents), _wins_of_a_seat(found, agents), kind=SHARE)


def contest(found: ConditionGames) -> Estimates | None:
    """Estimate the first agent's share of wins, per seat, in games between two agents."""
    agents = np.unique(found.agent)
    if len(agents) != 2:
        return None
    first_wins, second_wins = _wins_of_a_seat(found, agents).T
    wins_of_both = first_wins + second_wins
    values = np.divide(first_wins, wins_of_both, out=np.zeros_like(wins_of_both), where=wins_of_both > 0)
    return found.over(["share of the wins of both agents"], values[:, None], wins_of_both[:, None], SHARE)


def _wins_of_a_seat(found: ConditionGames, agents: np.ndarray) -> np.ndarray:
    """Return each agent's wins in each game, averaged over the agent's seats, shape (N, agents)."""
    seats_by_agent = [found.agent == agent for agent in agents]
    return np.stack([(found.share * agent_seats).sum(1) / agent_seats.sum(1) for agent_seats in seats_by_agent], 1)


def even(found: ConditionGames) -> float:
    """Return a seat's win share if all players are equal."""
    return 1 / found.players


def _words(name: str) -> str:
    return name.replace("_", " ")


SKILL = Measure(
    "skill",
    "Skill and luck",
    "The win rate of each agent from one seat; every agent plays every seat equally often on the same paired seeds. "
    "The further the rates are from the dashed line, the more skill matters. If a study has one agent, it plays a "
    "quarter as many extra games against a careless copy of itself, which takes one action in ten at random. "
    "Plackett-Luce ratings (Weng and Lin 2011) are shown next to the rates.",
    skill,
    "share of wins",
    even,
)
RANDOM_PLACEMENT = Measure(
    "seats",
    "Random initial placement",
    "The same agents after an initial placement that is drawn at random from the legal sites. A seat advantage that "
    "vanishes here is due to the choice of sites. On fixed boards, agents of one kind place their first settlements "
    "identically in every game, so one good site can decide.",
    seats,
    "share of wins",
    even,
)
BESIDE = {"initial_placement": RANDOM_PLACEMENT, "skill": SKILL}
"""Measures that need extra games, keyed by the name of the extra study."""
MEASURES = (
    Measure(
        "seats",
        "Seat advantage",
        "The share of decided games won from each place in the initial placement. A shared win counts as a fraction. "
        "The intervals use the distribution of the maximum of correlated t values over paired seeds (Hothorn, Bretz "
        "and Westfall 2008).",
        seats,
        "share of wins",
        even,
    ),
    Measure(
        "length",
        "Length",
        "Turns of all players, rounds, decisions with more than one legal action, of which each offer or counter-offer "
        f"is one, and estimated minutes at {SECONDS_A_TURN:.0f} seconds per turn and {SECONDS_A_CHOICE:.0f} per "
        "decision. The seconds are an assumption of this project, and agents may decide differently from people.",
        length,
        {name: name for name in LENGTHS},
    ),
    Measure(
        "endings",
        "Endings",
        "The share of games with one winner, several winners, no winner, and games truncated by the turn limit. Rare "
        "shares have exact intervals (Clopper and Pearson 1934).",
        endings,
        "share of games",
    ),
    Measure(
        "points",
        "Sources of points",
        "Victory points at the end by the rule module that counts them, for all seats and for winners. Standard "
        "errors treat each value as a ratio over paired seeds (Cochran 1977).",
        points,
        "victory points",
    ),
    Measure(
        "barbarians",
        "Barbarians",
        "In Cities & Knights: barbarian attacks, and the share that the knights of all players repel.",
        barbarians,
        {"attacks per game": "attacks", "share repelled": "share of attacks"},
    ),
    Measure(
        "trading",
        "Trade",
        "Offers and trades per turn, and the share of answers that accept or counter.",
        trading,
        {
            "offers per turn": "per turn",
            "trades per turn": "per turn",
            "share of answers that accept": "share of answers",
            "share of answers that counter": "share of answers",
        },
    ),
    Measure(
        "winners",
        "What distinguishes winners",
        "Differences between winners and other players of the same game, in standard deviations over all seats (Cohen, "
        "Statistical power analysis, 1988). They show associations, not causes: points are part of winning, and good "
        "players choose good sites.",
        winners,
        "standard deviations",
        lambda found: 0.0,
    ),
    Measure(
        "lead",
        "Leads and comebacks",
        "The probability that a seat eventually wins if it is the single leader, leads by two points or more, or is "
        "last after part of the turns. Points include hidden ones. A dashed line marks even chances.",
        lead,
        "share of wins",
        even,
    ),
    SKILL,
)
