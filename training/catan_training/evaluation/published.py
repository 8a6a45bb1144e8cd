"""Tournament output: tables in the terminal, a table of all games, JSON and a plot."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from catan_env.whole_files import write_whole
from catan_training.evaluation.progress import TableProgress
from catan_training.evaluation.ratings import ratings
from catan_training.evaluation.standings import TableResults, standings
from catan_training.machine import OWN, versions
from catan_training.parquet_files import write_table
from catan_training.tables import percent, print_table

PACKAGES = (OWN, "numpy", "numba")
SEATS, RESULTS, PICTURE = "seats.parquet", "results.json", "results.png"


def results(tables: Sequence[TableProgress]) -> list[dict[str, Any]]:
    """Return the standings and ratings of every table as JSON types."""
    labels = [entrant.label for entrant in tables[0].fixtures.agents]
    all_standings = []
    for progress in tables:
        table_standings = standings(progress, labels)
        table_ratings = (
            ratings(TableResults(progress.table, progress.counted), labels) if table_standings["games"] else {}
        )
        for agent_row in table_standings["agents"]:
            agent_row |= {
                "rating": table_ratings[agent_row["agent"]]["rating"],
                "rating_interval": table_ratings[agent_row["agent"]]["interval"],
            }
        all_standings.append(table_standings)
    return all_standings


def write(folder: Path, tables: Sequence[TableProgress], found: Sequence[dict[str, Any]]) -> list[Path]:
    """Write the output files and return their paths."""
    paths = [folder / name for name in (SEATS, RESULTS, PICTURE)]
    write_table(paths[0], seats(tables))
    contents = {"settings": tables[0].fixtures.to_dict(), "tables": list(found), "versions": versions(*PACKAGES)}
    write_whole(paths[1], json.dumps(contents, indent=2) + "\n")
    draw(found, paths[2])
    return paths


def seats(tables: Sequence[TableProgress]) -> pl.DataFrame:
    """Return one row per seat of every tallied game. Columns for point sources that a scenario lacks are null."""
    labels = np.array([entrant.label for entrant in tables[0].fixtures.agents])
    return pl.concat([_seats(progress, labels) for progress in tables], how="diagonal")


def _seats(progress: TableProgress, labels: np.ndarray) -> pl.DataFrame:
    games, player_count = TableResults(progress.table, progress.counted), progress.table.num_players
    game_count, games_per_seed = len(games.length), len(progress.table.seating)
    title_of_lineup = [" + ".join(labels[list(lineup)]) for lineup in progress.table.lineups]

    def each(values: np.ndarray) -> np.ndarray:
        return np.repeat(values, player_count)

    return pl.DataFrame(
        {
            "scenario": pl.Series([progress.table.scenario] * (game_count * player_count), dtype=pl.String),
            "players": pl.Series([player_count] * (game_count * player_count), dtype=pl.Int64),
            "paired_seed": each(np.arange(game_count) // games_per_seed),
            "game": each(np.arange(game_count)),
            "lineup": pl.Series([title_of_lineup[k] for k in each(games.lineup)], dtype=pl.String),
            "seat": np.tile(np.arange(player_count), game_count),
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
    """Print the tables to the terminal."""
    for table in found:
        title = (
            f"{table['scenario']}, {table['players']} players: {table['games']:,} games, "
            f"{table['paired_seeds']:,} paired seeds, {table['length']:.0f} actions per game"
            + ("" if table["over"] else " so far")
        )
        notes = [
            f"{table[name]:,} {text}"
            for name, text in (
                ("shared_wins", "with several winners"),
                ("nobody_won", "without a winner"),
                ("truncated", "truncated"),
            )
            if table[name]
        ]
        print_table(_standing_rows(table), "; ".join([title, *notes]))
        print_table(_cross_rows(table), "How often the row finishes ahead of the column")
        if len(table["lineups"]) > len(table["agents"]):
            print_table(_lineup_rows(table), "Win rates by lineup", text_columns=2)


def _standing_rows(said: dict[str, Any]) -> list[tuple[str, ...]]:
    sources = list(said["agents"][0]["sources"]) if said["agents"] else []
    source_titles = [name.replace("_", " ") for name in sources]
    lines = [("agent", "seats", "win rate", "95% interval", "even share", "rating", "points", "place", *source_titles)]
    for agent_row in said["agents"]:
        lines.append(
            (
                agent_row["agent"],
                f"{agent_row['seats']:,}",
                percent(agent_row["win_rate"]),
                interval_text(agent_row["interval"]),
                percent(said["even_share"]),
                rating_text(agent_row),
                f"{agent_row['points']:.2f}",
                f"{agent_row['place']:.2f}",
                *(f"{agent_row['sources'][name]:.2f}" for name in sources),
            )
        )
    return lines


def rating_text(row: Mapping[str, Any]) -> str:
    """Format a rating with the half-width of its interval, if known."""
    interval = row["rating_interval"]
    return f"{row['rating']:.1f}" + (f" ± {(interval[1] - interval[0]) / 2:.1f}" if interval else "")


def _cross_rows(said: dict[str, Any]) -> list[tuple[str, ...]]:
    labels = [row["agent"] for row in said["agents"]]
    cells = {
        (pair["agent"], pair["against"]): f"{percent(pair['ahead'])} ({interval_text(pair['interval'])})"
        for pair in said["cross"]
    }
    return [("agent", *labels), *((label, *(cells.get((label, rival), "") for rival in labels)) for label in labels)]


def _lineup_rows(said: dict[str, Any]) -> list[tuple[str, ...]]:
    lines: list[tuple[str, ...]] = [("agent", "with", "games", "win rate", "95% interval")]
    for lineup_row in said["lineups"]:
        rate, interval = percent(lineup_row["win_rate"]), interval_text(lineup_row["interval"])
        lines.append((lineup_row["agent"], ", ".join(lineup_row["others"]), f"{lineup_row['games']:,}", rate, interval))
    return lines


def interval_text(interval: Sequence[float]) -> str:
    """Format an interval for a share."""
    return f"{percent(interval[0])} to {percent(interval[1])}"


def draw(found: Sequence[dict[str, Any]], path: Path) -> None:
    """Plot win rates with their intervals as a PNG, with one panel per table."""
    from matplotlib.figure import Figure  # pyplot would need a window system and keep global state

    heights = [max(1, len(table["agents"])) for table in found]
    figure = Figure(figsize=(7.5, sum(heights) * 0.4 + 1.0 * len(found) + 0.4), layout="constrained")
    panels = figure.subplots(len(found), squeeze=False, height_ratios=[height + 1 for height in heights])[:, 0]
    for axes, table in zip(panels, found, strict=True):
        for position, agent_row in enumerate(table["agents"]):
            low, high = agent_row["interval"]
            axes.plot([low, high], [position, position], color="#0072B2", lw=2)
            axes.plot(agent_row["win_rate"], position, "o", color="#0072B2", ms=6)
        axes.axvline(table["even_share"], color="0.35", ls="--", lw=1)
        axes.set_yticks(range(len(table["agents"])), [agent_row["agent"] for agent_row in table["agents"]])
        axes.set(xlim=(0, 1), ylim=(len(table["agents"]) - 0.5, -0.5))
        title = f"{table['scenario']}, {table['players']} players, {table['games']:,} games"
        axes.set_title(title, loc="left", fontsize=10)
        axes.xaxis.set_major_formatter(lambda value, _: f"{100 * value:.0f}%")
        axes.grid(axis="x", alpha=0.25)
    panels[-1].set_xlabel("win rate with 95% interval; dashed: even share")
    figure.savefig(path, dpi=150)
