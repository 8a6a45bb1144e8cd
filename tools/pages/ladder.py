"""The ladder page: results of the bundled agents in every scenario."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from catan_env.engine.registry import scenarios
from catan_training.evaluation.published import interval_text, rating_text
from catan_training.tables import markdown_table, percent
from tools.ladder import PART, current, further_rules
from tools.pages.markdown import page

LEFT_OUT = {
    "mcts": "is too slow for so many games",
    "human": "needs a person",
    "careless": "is another agent with random mistakes",
    "base-2-value": "plays with two players only",
    "best": "plays as one of the others",
}
"""Agents that are not on the ladder, with the reason for each."""


def ladder_page(measured: Mapping[str, Any]) -> str:
    """Return the ladder page for recorded measurements."""
    return page("Ladder", " from the results of `catan ladder`", *ladder_parts(measured))


def ladder_parts(measured: Mapping[str, Any]) -> Iterable[str]:
    """Yield the parts of the page in Markdown. Scenarios without results are listed at the end."""
    kept_parts = {name: measured.get(name, {}).get(PART) for name in sorted(scenarios())}
    standings = {name: part["figures"] for name, part in kept_parts.items() if part and current(part["figures"])}
    yield (
        "A tournament of the bundled agents on every scenario, with its maximum number of players and without trade "
        "offers between players. It plays all lineups of different agents; with fewer agents than seats, all mixtures. "
        "On each paired seed every agent plays every seat equally often. `catan ladder` repeats it, and "
        "[Statistics](../explanation/statistics.md#tournaments) defines the terms."
    )
    if standings:
        names = _names(standings.values())
        yield "## Win rates"
        yield "With 95% intervals. An even share is one divided by the number of players."
        yield _table(standings, names, ("Players", "Paired seeds", "Games"), _counts, _win_rate_text)
        yield "## Ratings"
        yield (
            "Plackett-Luce ratings of places, comparable within a scenario only. A new agent has 25; ± is half of the "
            "95% interval, if there are enough paired seeds."
        )
        yield _table(standings, names, (), lambda standings: (), rating_text)
        dates = sorted({part["written"][:10] for name, part in kept_parts.items() if part and name in standings})
        yield f"Recorded from {dates[0]} to {dates[-1]}." if len(dates) > 1 else f"Recorded on {dates[0]}."
    further_games = {
        _further_name(scenario, part["figures"]): part["figures"]
        for scenario, parts in measured.items()
        for key, part in sorted(parts.items())
        if key != PART and scenario in scenarios() and current(part["figures"])
    }
    if further_games:
        yield "## Other numbers of players and rules"
        yield _further_table(further_games)
    yield "## Not included"
    unplayed_scenarios = [
        f"[{scenarios()[name].title}](scenarios/{name}.md)" for name in kept_parts if name not in standings
    ]
    if unplayed_scenarios:
        yield f"These scenarios have no results for the current versions: {', '.join(unplayed_scenarios)}."
    yield "; ".join(f"`{name}` {reason}" for name, reason in LEFT_OUT.items()) + (
        ". [Agents](agents.md#strength) has results of `mcts` in the base game."
    )


def _names(found: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the agents sorted by mean rank over all scenarios, best first."""
    places_of_agent: dict[str, list[float]] = {}
    for standings in found:
        for rank, row in enumerate(sorted(standings["agents"], key=lambda row: -row["rating"])):
            places_of_agent.setdefault(row["agent"], []).append(rank / len(standings["agents"]))
    return sorted(places_of_agent, key=lambda name: sum(places_of_agent[name]) / len(places_of_agent[name]))


def _table(found: Mapping[str, Any], names: Sequence[str], heads: tuple[str, ...], about: Any, cell: Any) -> str:
    """Return a table with one row per scenario and one column per agent."""
    lines = [("Scenario", *heads, *(f"`{name}`" for name in names))]
    for scenario, standings in found.items():
        row_of_agent = {row["agent"]: row for row in standings["agents"]}
        cells = (cell(row_of_agent[name]) if name in row_of_agent else "" for name in names)
        lines.append((f"[{scenarios()[scenario].title}](scenarios/{scenario}.md)", *about(standings), *cells))
    return markdown_table(lines)


def _further_name(scenario: str, standings: Mapping[str, Any]) -> str:
    rules = "".join(f", `{key}={value}`" for key, value in further_rules(standings["settings"]).items())
    return f"[{scenarios()[scenario].title}](scenarios/{scenario}.md), {standings['players']} players{rules}"


def _further_table(found: Mapping[str, Any]) -> str:
    """Return a table with one row per game and agent, best agent first."""
    lines = [("Game", "Games", "Agent", "Win rate", "Rating")]
    for game, standings in found.items():
        for row in sorted(standings["agents"], key=lambda row: -row["rating"]):
            cells = f"`{row['agent']}`", _win_rate_text(row), rating_text(row)
            lines.append((game, f"{standings['games']:,}", *cells))
    return markdown_table(lines)


def _counts(standings: Mapping[str, Any]) -> tuple[str, ...]:
    return str(standings["players"]), f"{standings['paired_seeds']:,}", f"{standings['games']:,}"


def _win_rate_text(row: Mapping[str, Any]) -> str:
    return f"{percent(row['win_rate'])} ({interval_text(row['interval'])})"
