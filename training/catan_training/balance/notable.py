"""Finding the games in a study that are worth watching, and replaying any game."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from catan_env.engine.replay import annotated
from catan_env.errors import OptionError
from catan_env.outside import importing
from catan_env.render.markup import plural
from catan_training.balance.plan import Plan
from catan_training.balance.study import Study, Tables, set_up_job
from catan_training.balance.watching import play
from catan_training.tables import markdown_table

KEYS = ("paired_seed", "game")


@dataclass(frozen=True)
class GameKey:
    """Identifies a game within a study, written as "condition.paired_seed.game", such as "0.12.3"."""

    condition: int
    paired_seed: int
    game: int

    def __str__(self) -> str:
        return f"{self.condition}.{self.paired_seed}.{self.game}"

    @classmethod
    def read(cls, text: str, plan: Plan) -> GameKey:
        """Parse a key.

        Raises:
            OptionError: the key is malformed, or the plan has no such game.
        """
        found = re.fullmatch(r"(\d{1,9})\.(\d{1,9})\.(\d{1,9})", text)
        if found is None:
            raise OptionError(f"game is {text!r}; write condition.paired_seed.game, such as 0.12.3.")
        key = cls(*map(int, found.groups()))
        counts = {"condition": len(plan.conditions)}
        if key.condition < counts["condition"]:
            counts["paired_seed"] = plan.paired_seeds_of(key.condition)
            counts["game"] = len(plan.seating(key.condition))
        for name, count in counts.items():
            if getattr(key, name) >= count:
                raise OptionError(f"game is {text!r}; {name} is at most {count - 1} in this study.")
        return key


def notable_games(condition: int, games: pl.DataFrame, seats: pl.DataFrame) -> Iterable[tuple[str, GameKey, str]]:
    """Yield a condition's longest, closest and most one-sided games, and its greatest comeback.

    Yields:
        A title, the key and a description that includes the figure that makes the game notable.
    """
    rivals = seats.filter(~pl.col("won")).group_by(KEYS)
    winners = seats.filter(pl.col("won"))
    decided = winners.join(rivals.agg(second=pl.col("points").max()), on=KEYS)
    decided = decided.join(games.select(*KEYS, "turns"), on=KEYS).with_columns(gap=pl.col("points") - pl.col("second"))
    at_half = rivals.agg(leader=pl.col("points_at_half").max())
    behind = decided.join(at_half, on=KEYS).with_columns(behind=pl.col("leader") - pl.col("points_at_half"))
    choices = (
        ("longest", games, ["turns"], [True], "{turns} turns"),
        ("closest", decided, ["gap", "turns"], [False, True], "won with {points} points to {second}"),
        ("most one-sided", decided, ["gap", "turns"], [True, False], "won with {points} points to {second}"),
        (
            "greatest comeback",
            behind.filter(pl.col("behind") > 0),
            ["behind", "turns"],
            [True, False],
            "the winner was {behind} behind after half of the turns",
        ),
    )
    for title, table, columns, descending, text in choices:
        if table.height:
            row = table.sort([*columns, *KEYS], descending=[*descending, False, False]).row(0, named=True)
            yield (
                title,
                GameKey(condition, row["paired_seed"], row["game"]),
                text.format(**row | {"behind": plural(row.get("behind", 0), "point")}),
            )


def replay_log(study: Study, key: GameKey) -> dict[str, Any]:
    """Replay the job that contains a game, and return the game's replay log.

    The games in a job share the random numbers of their agents, so the whole job must be replayed, which takes as long
    as it did in the study.
    """
    plan, per_job = study.plan, study.plan.paired_seeds_in_a_job(key.condition)
    first = key.paired_seed // per_job * per_job
    with importing(allowed=False):
        engine, agents, seating, openings = set_up_job(plan, key.condition, first, record=True)
    play(engine, agents, seating, openings)
    index = (key.paired_seed - first) * len(plan.seating(key.condition)) + key.game
    return annotated(engine.replay_log(index), players=[plan.agent_names[k] for k in seating[index]])


def games_to_watch(study: Study, found: Mapping[int, Tables]) -> Iterable[str]:
    """Yield the report section listing each condition's notable games and the command that shows them."""
    lines: list[tuple[str, ...]] = [("condition", "game", "", "key", "replay")]
    for condition, (games, seats) in found.items():
        for title, key, text in notable_games(condition, games, seats):
            page = page_of(key)
            link = f"[page]({page})" if (study.folder / page).exists() else ""
            lines.append((study.plan.conditions[condition].label, title, text, str(key), link))
    if not any(link for *_, link in lines[1:]):
        lines = [line[:-1] for line in lines]
    yield "## Games to watch"
    yield "`catan replay DIR --game KEY`, with the folder of this study as DIR, shows a game move by move."
    yield markdown_table(lines, text_columns=len(lines[0]))


def page_of(key: GameKey) -> str:
    """Return the path of a game's replay page, relative to the study's folder."""
    return f"replays/{key}.html"
