"""The summary at the start of a report: four sentences about fairness, length and what decides games."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from catan_training.balance.boards import site_values
from catan_training.balance.comparing import COMPARED, along, differences_of, paired, signed, varied_rules
from catan_training.balance.measures import BUILDINGS, MEASURES, ConditionGames, Measure, even
from catan_training.balance.plan import Plan
from catan_training.evaluation.statistics import ERROR, Estimates, always_valid, chance_of_even, probability, written
from catan_training.tables import listed, percent

Found = Mapping[int, ConditionGames]
BY_KEY = {measure.key: measure for measure in MEASURES}
TOPICS = {
    "seats": "share of wins by place",
    "length": "number of turns",
    "lead": "share of wins of the single leader at half time",
}
"""Measures used in comparisons, and the phrase for each."""
ONLY = {"length": "turns", "lead": "ahead at half"}
"""The estimate shown in the summary for certain measures; for the others, the most notable one is shown."""


def summary(plan: Plan, found: Found, over: bool = True) -> str:
    """Return a study's summary. `over` is whether all of the plan's games have been played."""
    if plan.kind != "board" and len(plan.conditions) > 1 and len(paired(found)) < 2:
        return "Too few games have been played to compare the conditions."
    if plan.kind == "board":
        sentences = _of_board(plan, found, over)
    elif plan.kind == "sweep":
        sentences = _of_sweep(plan, found)
    elif len(plan.conditions) > 1:
        sentences = _of_comparison(plan, found)
    else:
        sentences = _of_condition(plan, found[0], over)
    return " ".join(sentences)


def _of_condition(plan: Plan, games: ConditionGames, over: bool) -> Iterator[str]:
    yield f"{_played(plan, 0, games)} {_fairness(games, over)}"
    yield _length(games)
    features = BY_KEY["winners"].estimate(games)
    if features is not None and set(features.names) != {BUILDINGS}:
        features = features.take([name for name in features.names if name != BUILDINGS])
        bounds, best = features.intervals(), int(features.values.argmax())
        yield (
            f"The largest difference between winners and others: {features.names[best]}, "
            f"{_value(features, best, bounds)} standard deviations."
        )
    skill = BY_KEY["skill"].estimate(games)
    if skill is not None and games.players > 1:
        bounds, best = skill.intervals(), int(skill.values.argmax())
        yield (
            f"The best agent is `{skill.names[best]}`: a seat of it wins {_value(skill, best, bounds)} of the games, "
            f"where {percent(even(games))} is an even share."
        )
    else:
        yield from _leader(games)


def _of_board(plan: Plan, found: Found, over: bool) -> Iterator[str]:
    if 0 in found:
        yield f"{_played(plan, 0, found[0])} {_fairness(found[0], over)}"
    if 1 in found:
        sites, _ = site_values(plan.conditions[1], found[1])
        bounds, share = sites.intervals(), even(found[1])
        yield (
            f"The best site for the first settlement is {sites.names[0]}, with {_value(sites, 0, bounds)} wins of the "
            f"first player; the worst is {sites.names[-1]}, with {_value(sites, -1, bounds)}."
        )
        better, worse = int((bounds[:, 0] > share).sum()), int((bounds[:, 1] < share).sum())
        yield (
            f"Of {len(sites.values)} sites, {better} are clearly better than an even share of {percent(share)}, and "
            f"{worse} clearly worse."
        )
    if 0 in found:
        yield _length(found[0])


def _of_comparison(plan: Plan, found: Found) -> Iterator[str]:
    conditions = paired(found)
    first, *others = conditions
    count = sum(len(games.won) for games in conditions.values())
    yield (
        f"{listed([f'*{plan.conditions[k].label}*' for k in others])} compared with *{plan.conditions[first].label}*, "
        f"in {count:,} games on {conditions[first].paired_seeds:,} paired seeds."
    )
    error = ERROR / max(1, len(others) * len(COMPARED))
    for key, topic in TOPICS.items():
        changes = [
            _Change(f" under *{plan.conditions[k].label}*" if len(others) > 1 else "", *row)
            for k in others
            for row in _differences(BY_KEY[key], conditions[k], conditions[first], error)
        ]
        if changes:
            yield _largest(topic, changes)


class _Change(NamedTuple):
    """A difference between two conditions, with its interval."""

    where: str
    name: str
    kind: str
    value: float
    low: float
    high: float

    @property
    def is_clear(self) -> bool:
        return self.low > 0 or self.high < 0

    def __str__(self) -> str:
        low, high = (signed(number, self.kind).removesuffix(" points") for number in (self.low, self.high))
        return f"{signed(self.value, self.kind)} ({low} to {high})"


def _differences(measure: Measure, games: ConditionGames, first: ConditionGames, error: float) -> Iterator[tuple]:
    """Yield the name, kind, value, low end and high end of each difference in a measure."""
    difference = differences_of(measure, games, first)
    if difference is not None:
        bounds = difference.intervals(error).tolist()
        for name, value, ends in zip(difference.names, difference.values.tolist(), bounds, strict=True):
            if name == ONLY.get(measure.key, name):
                yield name, difference.kind, value, *ends


def _largest(topic: str, changes: Sequence[_Change]) -> str:
    """Return a sentence about the largest clear difference in a measure, or the largest if none is clear."""
    clear = [change for change in changes if change.is_clear]
    largest = max(clear or changes, key=lambda change: abs(change.value))
    name = "" if largest.name in ONLY.values() else f", for the {largest.name}"
    if clear:
        return f"The {topic} differs by {largest}{name}{largest.where}."
    return f"The {topic} does not clearly differ; the largest difference is {largest}{name}{largest.where}."


def _of_sweep(plan: Plan, found: Found) -> Iterator[str]:
    conditions = paired(found)
    games = next(iter(conditions.values()))
    players = " or ".join(map(str, sorted({condition.players for condition in plan.conditions})))
    yield (
        f"{len(conditions)} conditions of `{plan.conditions[0].scenario}` with {players} players vary "
        f"{listed([f'`{rule}`' for rule in varied_rules(plan)])}, with {len(games.won):,} games each on the same "
        f"{games.paired_seeds:,} paired seeds."
    )
    for key in ("length", "seats", "lead"):
        numbers = list(along([BY_KEY[key].estimate(games) for games in conditions.values()]))
        chosen = [joined for joined in numbers if joined.names[0] == ONLY.get(key, joined.names[0])]
        if chosen:
            widest = max(chosen, key=lambda joined: float(np.ptp(joined.values)))
            topic = TOPICS[key].replace("by place", f"of the {widest.names[0]}")
            yield _range(f"The {topic}", widest, [plan.conditions[k].label for k in conditions])


def _range(topic: str, joined: Estimates, names: Sequence[str]) -> str:
    """Return a sentence about the lowest and highest values of a quantity across the conditions."""
    bounds = joined.intervals()
    low, high = (
        f"{_value(joined, k, bounds)} with *{names[k]}*"
        for k in (int(joined.values.argmin()), int(joined.values.argmax()))
    )
    return f"{topic} ranges from {low} to {high}."


def _played(plan: Plan, condition: int, games: ConditionGames) -> str:
    one = plan.conditions[condition]
    agents = listed([f"`{name}`" for name in plan.agent_names])
    return f"In {len(games.won):,} games of *{one.label}* played by {agents} with {one.players} players,"


def _fairness(games: ConditionGames, over: bool) -> str:
    """Return the end of a sentence about the places; `over` has the same meaning as in `summary`."""
    places = BY_KEY["seats"].estimate(games)
    if places is None or not len(places.names):
        return "nobody has won."
    if len(places.names) == 1:
        return "one player plays alone."
    bounds = places.intervals() if over else always_valid(places)
    best, worst = int(places.values.argmax()), int(places.values.argmin())
    chance = chance_of_even(places, even(games))
    verdict = "the places are uneven" if over and chance < ERROR else "there is no clear seat advantage"
    test = f" (p {probability(chance)})" if over else ""
    return (
        f"{verdict}{test}: the {places.names[best]} wins {_value(places, best, bounds)} and the {places.names[worst]} "
        f"{_value(places, worst, bounds)}, where {percent(even(games))} is an even share."
    )


def _length(games: ConditionGames) -> str:
    length = BY_KEY["length"].estimate(games)
    assert length is not None  # every condition has it
    turns = games.game("turns")
    short, long = np.quantile(turns, (0.1, 0.9))
    minutes = length.values[length.names.index("minutes")]
    truncated = games.game("truncated").mean()
    return (
        f"A game takes {_value(length, length.names.index('turns'), length.intervals())} turns or about {minutes:.0f} "
        f"minutes; one in ten ends by turn {short:.0f}, and one in ten takes {long:.0f} or more"
        + (f"; {percent(truncated)} are truncated." if truncated else ".")
    )


def _leader(games: ConditionGames) -> Iterator[str]:
    leads = BY_KEY["lead"].estimate(games)
    if leads is not None and "ahead at half" in leads.names:
        k = leads.names.index("ahead at half")
        yield f"The single leader at half time wins {_value(leads, k, leads.intervals())} of the games."


def _value(estimates: Estimates, index: int, bounds: np.ndarray) -> str:
    value, low, high = (written(number, estimates.kind) for number in (estimates.values[index], *bounds[index]))
    return f"{value} ({low} to {high})"
