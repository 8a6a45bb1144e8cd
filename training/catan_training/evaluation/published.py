"""What a tournament leaves for people: tables on the terminal, a tidy file of all games, JSON, a picture."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from catan_training.evaluation.progress import TableProgress
from catan_training.evaluation.ratings import ratings
from catan_training.evaluation.standings import TableResults, standings
from catan_training.tables import percent, print_table

SEATS, RESULTS, PICTURE = "seats.parquet", "results.json", "results.png"


def results(tables: Sequence[TableProgress]) -> list[dict[str, Any]]:
    """The standings of every table, with ratings, as JSON can hold them."""
    labels = [entrant.label for entrant in tables[0].fixtures.agents]
    found = []
    for progress in tables:
        said = standings(progress, labels)
        rated = ratings(TableResults(progress.table, progress.counted), labels) if said["games"] else {}
        for row in said["agents"]:
            row |= {"rating": rated[row["agent"]]["rating"], "rating_interval": rated[row["agent"]]["interval"]}
        found.append(said)
    return found


def write(folder: Path, tables: Sequence[TableProgress], found: Sequence[dict[str, Any]]) -> list[Path]:
    """Writes the files; returns their paths."""
    paths = [folder / name for name in (SEATS, RESULTS, PICTURE)]
    seats(tables).write_parquet(paths[0])
    given = {"settings": tables[0].fixtures.to_dict(), "tables": list(found)}
    paths[1].write_text(json.dumps(given, indent=2) + "\n", encoding="utf-8")
    draw(found, paths[2])
    return paths


def seats(tables: Sequence[TableProgress]) -> pl.DataFrame:
    """One row for every seat of every game that counts; points of a source that a scenario has not are null."""
    labels = np.array([entrant.label for entrant in tables[0].fixtures.agents])
    return pl.concat([_seats(progress, labels) for progress in tables], how="diagonal")


def _seats(progress: TableProgress, labels: np.ndarray) -> pl.DataFrame:
    games, n = TableResults(progress.table, progress.counted), progress.table.num_players
    count, size = len(games.length), len(progress.table.seating)
    names = [" + ".join(labels[list(lineup)]) for lineup in progress.table.lineups]

    def each(values: np.ndarray) -> np.ndarray:
        return np.repeat(values, n)

    return pl.DataFrame(
        {
            "scenario": pl.Series([progress.table.scenario] * (count * n), dtype=pl.String),
            "players": pl.Series([n] * (count * n), dtype=pl.Int64),
            "paired_seed": each(np.arange(count) // size),
            "game": each(np.arange(count)),
            "lineup": pl.Series([names[k] for k in each(games.lineup)], dtype=pl.String),
            "seat": np.tile(np.arange(n), count),
            "agent": pl.Series(labels[games.seating.ravel()].tolist(), dtype=pl.String),
            "won": games.won.ravel(),
            "winners": each(games.won.sum(1)),
            "place": games.places.ravel(),
            "points": games.points.ravel(),
            "length": each(games.length),
            "truncated": each(games.truncated),
            **{f"points_{name}": points.ravel() for name, points in games.sources.items()},
        }
    )


def show(found: Sequence[dict[str, Any]]) -> None:
    """Prints the tables."""
    for said in found:
        title = (
            f"{said['scenario']}, {said['players']} players: {said['games']:,} games, {said['paired_seeds']:,} deals, "
            f"{said['length']:.0f} actions a game" + ("" if said["over"] else " so far")
        )
        notes = [
            f"{said[name]:,} {text}"
            for name, text in (
                ("shared_wins", "won together"),
                ("nobody_won", "won by nobody"),
                ("truncated", "cut off"),
            )
            if said[name]
        ]
        print_table(_standing_rows(said), "; ".join([title, *notes]))
        print_table(_cross_rows(said), "How often the row finishes ahead of the column")
        if len(said["lineups"]) > len(said["agents"]):
            print_table(_lineup_rows(said), "Win rates by lineup", text_columns=2)


def _standing_rows(said: dict[str, Any]) -> list[tuple[str, ...]]:
    sources = list(said["agents"][0]["sources"]) if said["agents"] else []
    words = [name.replace("_", " ") for name in sources]
    lines = [("agent", "seats", "win rate", "95% interval", "even share", "rating", "points", "place", *words)]
    for row in said["agents"]:
        lines.append(
            (
                row["agent"],
                f"{row['seats']:,}",
                percent(row["win_rate"]),
                interval_text(row["interval"]),
                percent(said["even_share"]),
                rating_text(row),
                f"{row['points']:.2f}",
                f"{row['place']:.2f}",
                *(f"{row['sources'][name]:.2f}" for name in sources),
            )
        )
    return lines


def rating_text(row: Mapping[str, Any]) -> str:
    """A rating, and half its interval where it is known."""
    span = row["rating_interval"]
    return f"{row['rating']:.1f}" + (f" ± {(span[1] - span[0]) / 2:.1f}" if span else "")


def _cross_rows(said: dict[str, Any]) -> list[tuple[str, ...]]:
    labels = [row["agent"] for row in said["agents"]]
    cells = {
        (c["agent"], c["against"]): f"{percent(c['ahead'])} ({interval_text(c['interval'])})" for c in said["cross"]
    }
    return [("agent", *labels), *((one, *(cells.get((one, other), "") for other in labels)) for one in labels)]


def _lineup_rows(said: dict[str, Any]) -> list[tuple[str, ...]]:
    lines: list[tuple[str, ...]] = [("agent", "with", "games", "win rate", "95% interval")]
    for row in said["lineups"]:
        rate, span = percent(row["win_rate"]), interval_text(row["interval"])
        lines.append((row["agent"], ", ".join(row["others"]), f"{row['games']:,}", rate, span))
    return lines


def interval_text(interval: Sequence[float]) -> str:
    """An interval of shares."""
    return f"{percent(interval[0])} to {percent(interval[1])}"


def draw(found: Sequence[dict[str, Any]], path: Path) -> None:
    """Win rates with their intervals, a panel a table, as PNG."""
    from matplotlib.figure import Figure  # drawn without pyplot: no window system, no global state

    heights = [max(1, len(said["agents"])) for said in found]
    figure = Figure(figsize=(7.5, sum(heights) * 0.4 + 1.0 * len(found) + 0.4), layout="constrained")
    panels = figure.subplots(len(found), squeeze=False, height_ratios=[height + 1 for height in heights])[:, 0]
    for axes, said in zip(panels, found, strict=True):
        for place, row in enumerate(said["agents"]):
            low, high = row["interval"]
            axes.plot([low, high], [place, place], color="#0072B2", lw=2)
            axes.plot(row["win_rate"], place, "o", color="#0072B2", ms=6)
        axes.axvline(said["even_share"], color="0.35", ls="--", lw=1)
        axes.set_yticks(range(len(said["agents"])), [row["agent"] for row in said["agents"]])
        axes.set(xlim=(0, 1), ylim=(len(said["agents"]) - 0.5, -0.5))
        title = f"{said['scenario']}, {said['players']} players, {said['games']:,} games"
        axes.set_title(title, loc="left", fontsize=10)
        axes.xaxis.set_major_formatter(lambda value, _: f"{100 * value:.0f}%")
        axes.grid(axis="x", alpha=0.25)
    panels[-1].set_xlabel("win rate with 95% interval; dashed: even share")
    figure.savefig(path, dpi=150)
