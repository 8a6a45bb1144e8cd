"""The measurements section of a scenario page: games, learning, soak tests and speed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from catan_env.render.markup import plural
from catan_training.balance.measures import MEASURES
from catan_training.evaluation.statistics import written
from catan_training.tables import markdown_table, number, percent


def measured(found: Mapping[str, Any]) -> Iterable[str]:
    """Yield the parts of the section in Markdown, for the measurements in `found`."""
    if not found:
        return
    yield "## Measured"
    if "play" in found:
        yield from _play(found["play"]["figures"])
    if "strength" in found:
        yield from _strength(found["strength"]["figures"])
    if "learning" in found:
        yield from _learning(found["learning"]["figures"])
    if "values" in found:
        yield from _values(found["values"]["figures"])
    if "soak" in found:
        yield from _soak(found["soak"]["figures"])
    if "speed" in found:
        yield from _speed(found["speed"]["figures"])
    dates = ", ".join(f"{part} {record['written'][:10]}" for part, record in found.items())
    yield f"Measured by `catan measure`: {dates}. [Statistics](../../explanation/statistics.md) defines the measures."


def _play(tables: Iterable[Mapping[str, Any]]) -> Iterable[str]:
    tables = list(tables)
    yield (
        "Games between heuristic agents; the 95% intervals of a table hold simultaneously: "
        + "; ".join(f"{table['games']:,} with {plural(table['players'], 'player')}" for table in tables)
        + "."
    )
    for measure in MEASURES:
        texts_by_table = [_estimate_texts(table["measures"].get(measure.key)) for table in tables]
        names = list(dict.fromkeys(name for column in texts_by_table for name in column))
        if names:
            lines = [[name, *(column.get(name, "") for column in texts_by_table)] for name in names]
            yield markdown_table([[measure.title, *(plural(table["players"], "player") for table in tables)], *lines])


def _estimate_texts(estimates: Mapping[str, Any] | None) -> dict[str, str]:
    """Return the estimates of a measure, formatted as text and keyed by name."""
    if estimates is None:
        return {}
    texts = {name: [written(value, estimates["kind"]) for value in interval] for name, *interval in estimates["rows"]}
    return {name: f"{value} ({low} to {high})" for name, (value, low, high) in texts.items()}


def _strength(found: Sequence[Mapping[str, Any]]) -> Iterable[str]:
    games, truncated = (
        sum(evaluation["games"] for evaluation in found),
        sum(evaluation["truncated"] for evaluation in found),
    )
    if not games:
        return
    yield (
        f"Win rates of the heuristic agent against copies of another agent on all other seats, at least "
        f"{found[0]['games']:,} games each. The turn limit truncated {truncated:,} of {games:,} games."
    )
    rivals = list(dict.fromkeys(evaluation["opponents"][0] for evaluation in found))
    lines = [["Players", *rivals]]
    for players in dict.fromkeys(evaluation["num_players"] for evaluation in found):
        evaluations = [evaluation for evaluation in found if evaluation["num_players"] == players]
        lines.append([str(players), *map(_win_rate_text, evaluations)])
    yield markdown_table(lines, text_columns=0)


def _win_rate_text(evaluation: Mapping[str, Any]) -> str:
    """Format a win rate and its interval as text."""
    return f"{percent(evaluation['win_rate'])} ({' to '.join(map(percent, evaluation['interval']))})"


def _speed(figures: Iterable[Mapping[str, Any]]) -> Iterable[str]:
    lines = [["Speed and size", "Median", "Lowest", "Highest", "Unit"]]
    lines += [
        [figure["what"], *(number(figure[key]) for key in ("median", "low", "high")), figure["unit"]]
        for figure in figures
    ]
    yield markdown_table(lines)


def _learning(run: Mapping[str, Any]) -> Iterable[str]:
    yield (
        f"Learning with {plural(run['players'], 'player')}: {run['minutes']:.0f} minutes, "
        f"{run['steps']:,} decisions (`{run['command']}`). Win rates against copies of another agent on all other "
        "seats:"
    )
    rivals = list(dict.fromkeys(point["opponent"] for point in run["learning_curve"]))
    lines = [["Decisions", *rivals]]
    for steps in dict.fromkeys(point["steps"] for point in run["learning_curve"]):
        rates = {
            point["opponent"]: point["wins"] / point["games"]
            for point in run["learning_curve"]
            if point["steps"] == steps
        }
        lines.append([f"{steps:,}", *(percent(rates[rival]) for rival in rivals)])
    final = {result["opponents"][0] if result["opponents"] else "": result for result in run["results"]}
    if all(rival in final for rival in rivals):
        final_results = (final[rival] for rival in rivals)
        lines.append(["final", *map(_win_rate_text, final_results)])
    yield markdown_table(lines, text_columns=0)


def _values(run: Mapping[str, Any]) -> Iterable[str]:
    results_text = ", ".join(
        f"{_win_rate_text(result)} against `{result['opponents'][0]}`" for result in run["results"]
    )
    games = (1 + run["rounds"]) * run["games"]
    yield (
        f"A [value network](../../explanation/agents.md#value-networks) learned from {games:,} games with "
        f"{plural(run['players'], 'player')} in {run['minutes']:.1f} minutes on one core wins {results_text} on all "
        f"other seats, without trade offers, in at least {run['results'][0]['games']:,} games each."
    )


def _soak(runs: Iterable[Mapping[str, Any]]) -> Iterable[str]:
    runs_text = "; ".join(f"{run['actions']:,} with {plural(run['num_players'], 'player')}" for run in runs)
    yield (
        f"Soak test: random actions, with all checks after each one: {runs_text}. None failed. The checks cover "
        "invariants, legal actions, clones, snapshots and replays."
    )
