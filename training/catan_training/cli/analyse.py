"""The `catan analyse` command."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from catan_training.cli.options import add_page_options, add_workers, workers_of

SUMMARY = "show chances to win, costly moves and luck in recorded games"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument(
        "logs",
        nargs="+",
        metavar="LOG",
        help="JSON files of replay logs, folders with such files, or folders of catan generate; several: a table",
    )
    parser.add_argument(
        "--network",
        metavar="NETWORK",
        help="value network that estimates the chances: a bundled name or a file (default: the bundled one, "
        "otherwise greedy's evaluation)",
    )
    parser.add_argument(
        "--names",
        nargs="+",
        metavar="NAME",
        help="names of the players by seat, for one log (default: names in the log)",
    )
    parser.add_argument(
        "--table", metavar="FILE", help="file for a row per seat and game: .csv or .parquet (default: not written)"
    )
    add_page_options(parser, "LOG with the ending .analysis.html, for one log")
    add_workers(parser)


def run(options: argparse.Namespace) -> int:
    """Analyse the logs, print a summary, and write a page for one log or a table for several."""
    import catan_env  # noqa: F401  (registers the scenarios)
    from catan_training.analysis import report
    from catan_training.analysis.games import analyse
    from catan_training.evaluation.single_games import publish, read_log
    from catan_training.tables import print_table

    table_file = checked_table(options.table)
    games = report.logs_in(options.logs)
    if len(games) == 1 and games[0][1] < 0:
        file = Path(games[0][0])
        log = read_log(file)
        analysis = analyse(log, options.network)
        for line in report.summary(analysis):
            print(line)
        page = report.page(log, analysis, options.names)
        publish(page, Path(options.out) if options.out else file.with_suffix(".analysis.html"), not options.no_open)
        write_table(table_file, report.seat_rows(0, str(file), analysis))
        return 0
    table, losses, worst = report.analyse_many(games, options.network, workers_of(options))
    players = len(table["seat"].unique())
    print_table(by_player(table), f"{len(games)} games, by player")
    print_table(report.loss_lines(losses, players), "Log loss of the forecast, at the start of turns")
    for line in worst[:10]:
        print(line)
    write_table(table_file, table)
    return 0


def checked_table(name: str | None) -> Path | None:
    """Return the table's path, or None if no table is wanted.

    Raises:
        OptionError: the file name ends in neither .csv nor .parquet.
    """
    from catan_env.errors import OptionError
    from catan_env.text_files import has_ending

    if name is not None and not has_ending(name, ".csv", ".parquet"):
        raise OptionError(f"table is {name!r}; its name must end in .csv or .parquet.")
    return None if name is None else Path(name)


def write_table(path: Path | None, rows: Any) -> None:
    """Write rows to a table file, unless the path is None."""
    import polars as pl

    from catan_env.text_files import has_ending
    from catan_env.whole_files import write_whole
    from catan_training.parquet_files import bytes_of

    if path is not None:
        table = pl.DataFrame(rows)
        write_whole(path, bytes_of(table) if has_ending(path, ".parquet") else table.write_csv())
        print(path)


def by_player(table: Any) -> list[list[str]]:
    """Return the means per player in a table as rows of text, with a heading."""
    import polars as pl

    from catan_training.tables import number, percent

    lines = [["player", "games", "won", "cost per game", "luck per game", "cards", "expected"]]
    player = pl.when(pl.col("player") == "").then(pl.format("seat {}", "seat")).otherwise("player").alias("who")
    mean = [pl.col(name).mean() for name in ("won", "cost", "luck", "cards", "expected_cards")]
    for who, games, won, cost, luck, cards, expected in (
        table.group_by(player).agg(pl.len(), *mean).sort("who").iter_rows()
    ):
        counts = ["-" if value is None else number(value) for value in (cards, expected)]
        lines.append([who, str(games), percent(won), percent(cost), f"{100 * luck:+.1f}%", *counts])
    return lines
