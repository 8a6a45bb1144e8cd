"""The page of results against players of other engines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from catan_training.evaluation.published import interval_text
from catan_training.tables import markdown_table, percent
from tools.pages.markdown import page

NUMBERS = {1: "one", 2: "two", 3: "three"}


def results_page(kept: Mapping[str, Any]) -> str:
    """Return the page for recorded matches."""
    return page("Results against other engines", " from what `catan match` has recorded", *_parts(kept))


def rows(kept: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """Return the heading and a row per match: agent, opponents, game, games, wins."""
    lines: list[tuple[str, ...]] = [("Agent", "Against", "Game", "Games", "Wins (95% interval)")]
    for figures in (entry["figures"] for entry in _sorted(kept)):
        settings = figures["settings"]
        count = NUMBERS[figures["players"] - 1]
        lines.append(
            (
                f"`{figures['agent']}`",
                f"{count} `{figures['opponent']}`",
                _game(settings),
                f"{figures['games']:,}",
                f"{percent(figures['win_rate'])} ({interval_text(figures['interval'])})",
            )
        )
    return lines


def _parts(kept: Mapping[str, Any]) -> Iterable[str]:
    if not kept:
        yield "No match has been recorded yet."
        return
    yield (
        "Agents of this package at the tables of [catanatron](https://github.com/bcollazo/catanatron) and "
        "[fastcatan](https://github.com/s1nbo/fastcatan), which rule. "
        "Every seed is played once from each seat of the agent, with the same board and chance from the same stream. "
        "Nobody makes offers. Intervals are Wilson's. The agents see what their seat may see. "
        "[Bridges](../how-to/bridges.md) explains how."
    )
    yield markdown_table(rows(kept), text_columns=3)
    yield "## Details"
    yield (
        "*By seeds* is the 95% interval over paired seeds, whose games share board and chance. *Time* is the mean time "
        "of the agent for a decision with alternatives, on a shared machine."
    )
    yield _details(kept)
    yield "## What the opponents see"
    seen = {_player(e["figures"]["settings"]): e["figures"]["opponent_sees"] for e in kept.values()}
    yield markdown_table([("Player", "It sees"), *((f"`{k}`", v) for k, v in sorted(seen.items()))], text_columns=2)
    yield "## Where the rules differ"
    yield (
        "The bridge compares both engines after every action, follows the other engine where they differ, and counts "
        "the case. `asked:` counts what the agent met while it chose; the other cases are those of the whole game."
    )
    yield _differences(kept)
    yield "## Commands"
    for entry in _sorted(kept):
        yield f"```sh\n{entry['command']}\n```"
    machines = sorted({f"{e['machine']['cpu']}, {e['machine']['cores']} cores" for e in kept.values()})
    versions = sorted({", ".join(f"{n} {v}" for n, v in e["versions"].items()) for e in kept.values()})
    dates = sorted({entry["written"][:10] for entry in kept.values()})
    yield f"Played on {' and '.join(dates)} with {'; '.join(versions)}, on {'; '.join(machines)}."


def _sorted(kept: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    def order(entry: Mapping[str, Any]) -> tuple[Any, ...]:
        figures = entry["figures"]
        return figures["players"], figures["settings"]["points"], figures["agent"], figures["opponent"]

    return sorted(kept.values(), key=order)


def _player(settings: Mapping[str, Any]) -> str:
    return f"{settings['table']} {settings['opponent']}"


def _game(settings: Mapping[str, Any]) -> str:
    text = f"{settings['players']} players, {settings['points']} points"
    text += f", hand limit {settings['hand_limit']}" if settings["hand_limit"] != 7 else ""
    return text + (", friendly robber" if settings["friendly_robber"] else "")


def _details(kept: Mapping[str, Any]) -> str:
    lines: list[tuple[str, ...]] = [
        ("Agent", "Against", "Game", "By seeds", "Points", "Theirs", "Turns", "Wins by seat", "Unfinished", "Time")
    ]
    for figures in (entry["figures"] for entry in _sorted(kept)):
        lines.append(
            (
                f"`{figures['agent']}`",
                f"`{figures['opponent']}`",
                _game(figures["settings"]),
                interval_text(figures["paired_interval"]),
                f"{figures['mean_points']:.1f}",
                f"{figures['mean_opponent_points']:.1f}",
                f"{figures['mean_turns']:.0f}",
                ", ".join(map(str, figures["wins_by_seat"])),
                str(figures["unfinished"]),
                f"{figures['agent_ms']:.0f} ms",
            )
        )
    return markdown_table(lines, text_columns=3)


def _differences(kept: Mapping[str, Any]) -> str:
    counts: Counter[str] = Counter()
    for entry in kept.values():
        counts.update(entry["figures"]["differences"])
    games = sum(entry["figures"]["games"] for entry in kept.values())
    inexact = sum(entry["figures"]["inexact"] for entry in kept.values())
    lines = [("Case", "Count"), *((name, f"{count:,}") for name, count in counts.most_common())]
    return f"In {inexact:,} of {games:,} games the engines differed.\n\n" + markdown_table(lines)
