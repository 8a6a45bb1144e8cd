"""The page that shows results against players from other engines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from catan_agents.registry import FASTCATAN
from catan_training.evaluation.outside_tables import HERE
from catan_training.evaluation.published import interval_text
from catan_training.machine import NOT_INSTALLED
from catan_training.tables import markdown_table, percent
from tools.pages.markdown import page

ASKED = "asked: "
"""Prefix for the names of differences in the agent's decisions."""
NETWORKS_CHANGED, LOOK_AHEAD = "2026-11-28", "2026-11-30"
"""Days on which `base-value` and `base-2-value` got their present networks, and began to look two decisions ahead."""
NUMBERS = {1: "one", 2: "two", 3: "three"}


def results_page(kept: Mapping[str, Any]) -> str:
    """Return the results page for recorded matches."""
    return page("Results against other engines", " from what `catan match` has recorded", *_parts(kept))


def rows(kept: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """Return the heading and one row per match: agent, opponents, rules, games, wins, and more."""
    heading = (
        *("Agent", "Against", "Players, points to win", "Games", "Wins (95% interval)"),
        *("By seeds", "By seat", "Points", "Date"),
    )
    lines: list[tuple[str, ...]] = [heading]
    for entry in _sorted(kept):
        figures = entry["figures"]
        count = NUMBERS[figures["players"] - 1]
        lines.append(
            (
                f"`{figures['agent']}`",
                f"{count} `{opponent_of(figures['settings'])}`",
                _game(figures["settings"]),
                f"{figures['games']:,}",
                f"{percent(figures['win_rate'])} ({interval_text(figures['interval'])})",
                interval_text(figures["paired_interval"]),
                ", ".join(map(str, figures["wins_by_seat"])),
                f"{figures['mean_points']:.1f} to {figures['mean_opponent_points']:.1f}",
                entry["written"][:10],
            )
        )
    return lines


def opponent_of(settings: Mapping[str, Any]) -> str:
    """Return the opponent in the settings of a match, in the form that `--opponents` accepts."""
    table, player = settings["table"], settings["opponent"]
    options = ",".join(f"{key}={value}" for key, value in settings["opponent_options"].items())
    name = {FASTCATAN: FASTCATAN, HERE: player}.get(table, f"{table}:{player}")
    return f"{name}:{options}" if options else name


def _parts(kept: Mapping[str, Any]) -> Iterable[str]:
    if not kept:
        yield "No match has been recorded yet."
        return
    yield (
        "Agents of this package at the tables of [catanatron](https://github.com/bcollazo/catanatron) and "
        "[fastcatan](https://github.com/s1nbo/fastcatan), which rule. "
        "Every seed is played once from each seat of the agent, with the same board and chance from the same stream. "
        "Players trade with the bank, not with each other; [Bridges](../how-to/bridges.md#where-the-rules-differ) says "
        "why. The agents see what their seat may see."
    )
    yield markdown_table(rows(kept), text_columns=3)
    yield (
        "Intervals of *Wins* are Wilson's, those of *By seeds* are over paired seeds, whose games share board and "
        "chance. *By seat* are the wins from each seat. *Points* are the mean points of the agent and its opponents. "
        "An even share is 50% for two players and 25% for four. In rows dated before "
        f"{LOOK_AHEAD}, `base-value` and `base-2-value` play as `greedy`, in rows dated before {NETWORKS_CHANGED} with "
        "their former networks."
    )
    yield (
        "This command plays the match in the first row; those of the other rows have their agent, player and numbers. "
        "[Bridges](../how-to/bridges.md#play-a-match) says how to repeat one game by game."
    )
    yield f"```sh\n{_sorted(kept)[0]['command']}\n```"
    yield "## What the opponents see"
    seen = {e["figures"]["opponent"].partition(" (")[0]: e["figures"]["opponent_sees"] for e in kept.values()}
    yield markdown_table([("Player", "It sees"), *((f"`{k}`", v) for k, v in sorted(seen.items()))], text_columns=2)
    yield "## Where the rules differ"
    yield (
        "The bridge compares both engines after every action. Where they differ, it follows the other engine and "
        "counts the case: in whole games, and in the agent's decisions."
    )
    yield _differences(kept)
    yield "## Machine and versions"
    machines = sorted({f"{e['machine']['cpu']}, {e['machine']['cores']} cores" for e in kept.values()})
    versions: dict[str, set[str]] = {}
    for entry in kept.values():
        for name, version in entry["versions"].items():
            if name != "commit" and version != NOT_INSTALLED:
                versions.setdefault(name, set()).add(version)
    listed = "; ".join(f"{name} {', '.join(sorted(found))}" for name, found in sorted(versions.items()))
    yield f"{'; '.join(machines)}; {listed}. `xzcat docs/measurements/matches.json.xz` prints them for each match."


def _sorted(kept: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    def order(entry: Mapping[str, Any]) -> tuple[Any, ...]:
        figures = entry["figures"]
        return figures["players"], figures["settings"]["points"], figures["agent"], figures["opponent"]

    return sorted(kept.values(), key=order)


def _game(settings: Mapping[str, Any]) -> str:
    text = f"{settings['players']}, {settings['points']}"
    text += f", hand limit {settings['hand_limit']}" if settings["hand_limit"] != 7 else ""
    return text + (", friendly robber" if settings["friendly_robber"] else "")


def _differences(kept: Mapping[str, Any]) -> str:
    counts: Counter[str] = Counter()
    for entry in kept.values():
        counts.update(entry["figures"]["differences"])
    games = sum(entry["figures"]["games"] for entry in kept.values())
    inexact = sum(entry["figures"]["inexact"] for entry in kept.values())
    cases = sorted({name.removeprefix(ASKED) for name in counts}, key=lambda name: (-counts[name], name))
    lines = [("Case", "Games", "Decisions")]
    for case in cases:
        first_parts = ": ".join(case.split(": ")[:2])  # a broken invariant is named, and described after its name
        lines.append((first_parts, f"{counts[case]:,}", f"{counts[ASKED + case]:,}"))
    return f"In {inexact:,} of {games:,} games the engines differed.\n\n" + markdown_table(lines)
