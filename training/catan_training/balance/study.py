"""A study stored in a folder: its plan, a journal of finished jobs, and tables."""

from __future__ import annotations

import base64
import binascii
import json
import math
import shlex
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from catan_agents.protocol import Agent
from catan_env.engine.batch import BatchEngine
from catan_env.engine.random import game_seeds
from catan_env.engine.registry import find_scenario, requirements_of
from catan_env.errors import CatanError, OptionError
from catan_env.outside import importing
from catan_env.text_files import check_keys, read_bytes, read_json
from catan_training.balance.measures import BESIDE
from catan_training.balance.plan import Plan, further_plans
from catan_training.balance.watching import play
from catan_training.evaluation.journal import Lines
from catan_training.evaluation.paired_seeds import make_player
from catan_training.evaluation.workers import Job, Workers, play_jobs
from catan_training.json_files import write_json
from catan_training.machine import machine, versions
from catan_training.parquet_files import DAMAGED, MOST_BYTES, bytes_of, fingerprint, table_of, write_table

PLAN, LINES, GAMES, SEATS = "study.json", "journal.jsonl", "games.parquet", "seats.parquet"
PACKAGES = ("catan-env", "numpy", "numba", "scipy", "polars", "matplotlib")
Tables = tuple[pl.DataFrame, pl.DataFrame]


def play_job(plan: Plan, condition: int, first: int) -> tuple[Job, Tables, float]:
    """Run a job and return it with its tables and the CPU time used, in seconds.

    The seeds for boards, chance and agents are the same in all conditions.
    """
    start = time.process_time()
    games, seats = play(*set_up_job(plan, condition, first))
    agent_names = pl.Series("agent_name", plan.agent_names).gather(seats["agent"])
    seats = seats.insert_column(seats.columns.index("agent") + 1, agent_names)
    tables = _with_keys(games, plan, condition, first), _with_keys(seats, plan, condition, first)
    return (condition, first), tables, time.process_time() - start


def set_up_job(
    plan: Plan, condition: int, first: int, record: bool = False
) -> tuple[BatchEngine, list[Agent], np.ndarray, np.ndarray]:
    """Set up the games of a job and return the arguments for `play`: engine, agents, seating and openings."""
    seating = plan.seating(condition)
    paired_seed_count = plan.games_in((condition, first)) // len(seating)
    seeds = np.repeat(game_seeds(plan.seed, first + paired_seed_count)[first:], len(seating))
    agents = [make_player(entrant) for entrant in plan.agents]
    for k, player in enumerate(agents):
        seed_words = np.random.SeedSequence([plan.seed, first, k]).generate_state(2)
        player.reset(int(seed_words[0]) << 31 | int(seed_words[1]) >> 1)
    openings = np.tile(plan.openings(condition), paired_seed_count)
    engine = plan.conditions[condition].engine(seeds, record)
    return engine, agents, np.tile(seating, (paired_seed_count, 1)), openings


def _with_keys(table: pl.DataFrame, plan: Plan, condition: int, first: int) -> pl.DataFrame:
    """Replace the sequence number of each game with its condition, paired seed and index within the paired seed."""
    game, paired_seed, size = pl.col("game"), pl.lit(first, pl.Int32), len(plan.seating(condition))
    key_columns = (
        pl.lit(condition, pl.Int16).alias("condition"),
        pl.lit(plan.conditions[condition].label).alias("condition_name"),
        (paired_seed + game // size).alias("paired_seed"),
        game % size,
    )
    return table.select(*key_columns, pl.exclude("game"))


class Study:
    """A study stored in a folder, with its plan and the jobs finished so far.

    Attributes:
        folder: the folder's path.
        about: the contents of the plan file, including the scenarios and the command.
        plan: the `Plan`.

    Raises:
        CatanError: the folder contains no study or a corrupt one.
    """

    def __init__(self, folder: str | Path):
        self.folder = Path(folder)
        self._lines = Lines(self.folder / LINES, "study")
        path = self.folder / PLAN
        if not path.exists():
            raise OptionError(
                f"{self.folder} holds no balance study. Start one with `catan balance SCENARIO --out {self.folder}`."
            )
        self.about = read_json(path, "study", CatanError)
        check_keys(self.about, str(path), CatanError, plan=dict, scenarios=dict, command=str)
        usual = {"games_a_second": 1.0, "tables": {}} | self.about
        check_keys(usual, str(path), CatanError, games_a_second=(int, float), tables=dict)
        with importing(allowed=False):
            self.plan = Plan.read(self.about["plan"], f"{path}: plan")

    @classmethod
    def begin(cls, folder: str | Path, plan: Plan, command: str | None = None) -> Study:
        """Create a study and write its plan, or open the folder's existing study if it has the same plan.

        Raises:
            OptionError: the folder contains a different study.
        """
        path, plan_data = Path(folder) / PLAN, json.loads(json.dumps(plan.to_dict()))
        rules = {condition.scenario: find_scenario(condition.scenario).version for condition in plan.conditions}
        if path.exists():
            former_study = cls(folder)
            if different := [name for name in plan_data if former_study.about["plan"].get(name) != plan_data[name]]:
                raise OptionError(
                    f"{folder} holds a study with different {', '.join(different)}. Choose another folder."
                )
            if former_study.about["scenarios"] != rules:
                raise OptionError(f"{folder} holds games of other scenario versions. Choose another folder.")
            return former_study
        write_json(
            path,
            {
                "command": command or shlex.join(["catan", *sys.argv[1:]]),
                "plan": plan_data,
                "scenarios": rules,
                "requires": requirements_of(rules),
                "versions": versions(*PACKAGES),
                "machine": machine(),
            },
        )
        return cls(folder)

    def beside(self) -> dict[str, Study]:
        """Return the extra studies in subfolders, keyed by name."""
        return {name: Study(self.folder / name) for name in BESIDE if (self.folder / name / PLAN).exists()}

    def begin_beside(self) -> list[Study]:
        """Create or open this study's extra studies."""
        plans = further_plans(self.plan)
        return [Study.begin(self.folder / name, plan, self.about["command"]) for name, plan in plans.items()]

    def run(self, workers: Workers = None, tell: Callable[[int, int], None] = lambda done, total: None) -> Tables:
        """Run the remaining jobs and write the tables.

        The result does not depend on the workers or on interruptions.
        """
        jobs_done = {job for job, _ in self._jobs()}
        self._lines.open()
        try:
            games_done = sum(map(self.plan.games_in, jobs_done))
            tell(games_done, self.plan.games)
            jobs_left = iter([job for job in self.plan.jobs() if job not in jobs_done])
            with closing(play_jobs(self.plan, jobs_left, workers, play_job)) as played_jobs:
                for job, tables, seconds in played_jobs:
                    packed = dict(zip(("games", "seats"), map(_packed, tables), strict=True))
                    job_entry = {"condition": job[0], "first": job[1], "seconds": round(seconds, 3)}
                    self._lines.add(json.dumps(job_entry | packed))
                    games_done += self.plan.games_in(job)
                    tell(games_done, self.plan.games)
        finally:
            self._lines.close()
        return self.collect()

    def collect(self) -> Tables:
        """Write the tables of all finished jobs, ordered by condition, paired seed, game and seat."""
        jobs = sorted(self._jobs(), key=lambda job: job[0])
        if not jobs:
            raise OptionError(f"The study in {self.folder} has no finished games yet. Run it first.")
        tables_of_jobs = [[entry[name] for _, entry in jobs] for name in ("games", "seats")]
        try:
            games, seats = (pl.concat(job_tables, how="diagonal") for job_tables in tables_of_jobs)
        except DAMAGED as error:
            raise CatanError(
                f"{self.folder / LINES}: the tables of its lines have different columns: {error}"
            ) from None
        self.about["tables"] = {
            name: write_table(self.folder / name, table) for name, table in ((GAMES, games), (SEATS, seats))
        }
        if rates := [self.plan.games_in(job) / entry["seconds"] for job, entry in jobs if entry.get("seconds")]:
            self.about["games_a_second"] = round(max(rates), 2)
        write_json(self.folder / PLAN, self.about)
        return games, seats

    def tables(self) -> Tables:
        """Return the tables on disk or, if there are none, collect them from the journal.

        Raises:
            CatanError: a table is corrupt.
        """
        if (self.folder / GAMES).exists() and (self.folder / SEATS).exists():
            return self._table(GAMES), self._table(SEATS)
        return self.collect()

    def _table(self, name: str) -> pl.DataFrame:
        """Read a table from disk, checking that it has not been changed since it was written."""
        data = read_bytes(self.folder / name, "table", CatanError, MOST_BYTES)
        if self.about.get("tables", {}).get(name, fingerprint(data)) != fingerprint(data):
            raise CatanError(
                f"{self.folder / name} has changed since it was written. Remove it; the journal restores it."
            )
        return table_of(data, str(self.folder / name))

    @property
    def games_a_second(self) -> float | None:
        """Games per second of CPU time, including statistics; None before the first job.

        This is the rate of the fastest job, because the first jobs include compilation time.
        """
        return self.about.get("games_a_second")

    def _jobs(self) -> Iterator[tuple[Job, dict[str, Any]]]:
        """Yield the finished jobs with their journal entries and tables."""
        jobs = set(self.plan.jobs())
        for name, line in self._lines.read_json():
            check_keys(line, name, CatanError, condition=int, first=int, games=str, seats=str)
            check_keys({"seconds": 0.0} | line, name, CatanError, seconds=(int, float))
            job = line["condition"], line["first"]
            if job not in jobs or not 0 <= line.get("seconds", 0) < math.inf:
                raise CatanError(
                    f"{name}: the study has no job with condition {job[0]} and first paired seed {job[1]}. Remove the "
                    "line."
                )
            tables = {table: _unpacked(line[table], f"{name}: {table}") for table in ("games", "seats")}
            if tables["games"].height != self.plan.games_in(job):
                raise CatanError(f"{name}: games must have {self.plan.games_in(job)} rows. Remove the line.")
            yield job, line | tables


def _packed(table: pl.DataFrame) -> str:
    return base64.b64encode(bytes_of(table)).decode()


def _unpacked(text: str, name: str) -> pl.DataFrame:
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise CatanError(f"{name}: not a Parquet table in base64: {error}. Remove the line.") from None
    return table_of(data, name)
