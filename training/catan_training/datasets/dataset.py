"""A dataset in a folder, written shard by shard, resumable after interruptions and read in batches."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from catan_env.encoders import make_encoder
from catan_env.engine.arguments import check_count, check_option
from catan_env.engine.registry import find_scenario
from catan_env.engine.replay import write_log
from catan_env.errors import CatanError, OptionError
from catan_env.outside import importing
from catan_env.text_files import check_keys, read_bytes, read_json
from catan_env.whole_files import write_whole
from catan_training.datasets.plan import DatasetPlan
from catan_training.datasets.recording import record_shard
from catan_training.evaluation.journal import Lines
from catan_training.evaluation.paired_seeds import make_player
from catan_training.evaluation.workers import Workers, play_jobs
from catan_training.json_files import write_json
from catan_training.machine import versions
from catan_training.parquet_files import MOST_BYTES, fingerprint, table_of

FORMAT = "catan-dataset/1"
ABOUT, LINES = "dataset.json", "journal.jsonl"
PARTS = ("all", "train", "test")
TEST = 10
"""Games whose number is divisible by this belong to the "test" part."""
PACKAGES = ("catan-env", "numpy", "numba", "polars")


class Dataset:
    """A dataset in a folder.

    Attributes:
        folder: the dataset's folder.
        about: contents of `dataset.json`: format, plan, shapes, agents and versions.
        plan: the settings that determine the rows.
        shards: numbers of the finished shards, in ascending order.

    Raises:
        CatanError: the folder holds no dataset, or the dataset is corrupt.
    """

    def __init__(self, folder: str | Path):
        self.folder = Path(folder)
        path = self.folder / ABOUT
        if not path.exists():
            raise OptionError(f"{self.folder} holds no dataset: it has no {ABOUT}. Write one with `catan generate`.")
        self.about = read_json(path, "dataset", CatanError)
        texts = {"format": str, "action_layout": str, "observation_layout": str}
        check_keys(self.about, str(path), CatanError, **texts, plan=dict, version=int, actions=int, observation=list)
        if self.about["format"] != FORMAT:
            raise CatanError(f"{path}: format is {self.about['format']!r}; this version reads {FORMAT!r}.")
        with importing(allowed=False):
            self.plan = DatasetPlan.read(self.about["plan"], f"{path}: plan")
        self._lines = Lines(self.folder / LINES, "dataset")
        self._done: dict[int, dict[str, Any]] = {}
        for name, line in self._lines.read_json():
            check_keys(line, name, CatanError, shard=int, rows=int, decisions=str, games=str)
            if not 0 <= line["shard"] < self.plan.shards:
                raise CatanError(f"{name}: there is no shard {line['shard']}; the dataset has {self.plan.shards}.")
            self._done[line["shard"]] = line

    @classmethod
    def begin(cls, folder: str | Path, plan: DatasetPlan) -> Dataset:
        """Create an empty dataset in the folder, or open the existing one if its plan is the same.

        `games` may increase by whole shards; existing files are left unchanged.

        Raises:
            OptionError: the folder holds a different dataset.
        """
        path = Path(folder) / ABOUT
        for entrant in plan.agents:
            make_player(entrant)  # reject unknown agents before writing anything
        engine = plan.engine(range(1), record=False)
        encoder = make_encoder(engine, plan.encoder, plan.dtype)
        about = {
            "format": FORMAT,
            "plan": plan.to_dict(),
            "version": engine.scenario.version,
            "actions": engine.actions.n,
            "action_layout": engine.actions.hash,
            "observation": list(encoder.space.shape),
            "observation_layout": encoder.hash,
            "versions": versions(*PACKAGES),
        }
        if path.exists():
            former = cls(folder)
            former._check_same(about)
        write_json(path, about)
        return cls(folder)

    def _check_same(self, about: dict[str, Any]) -> None:
        """Raise OptionError unless the dataset can be extended to match a description with more games."""
        old, new = ({**each, **each["plan"]} for each in (self.about, about))
        ignored = {"plan", "versions"}
        different = [name for name in new if name not in ignored and old.get(name) != new[name]]
        grows = self.plan.games % self.plan.shard == 0 and new["games"] > self.plan.games
        if different and not (different == ["games"] and grows):
            raise OptionError(
                f"{self.folder} holds a dataset with different {', '.join(different)}. Choose another folder. The "
                "number of games can only grow, and only from a multiple of `shard`."
            )

    @property
    def shards(self) -> list[int]:
        return sorted(self._done)

    @property
    def rows(self) -> int:
        """Number of decisions in the finished shards."""
        return sum(line["rows"] for line in self._done.values())

    @property
    def games_done(self) -> int:
        """Number of games in the finished shards."""
        return sum(len(self.plan.games_of(shard)) for shard in self._done)

    def path(self, kind: str, shard: int) -> Path:
        """Return the path of a shard's file; `kind` is "decisions" or "games"."""
        return self.folder / f"{kind}-{shard:05d}.parquet"

    # -- writing ------------------------------------------------------------------------------------------

    def run(self, workers: Workers = None, tell: Callable[[int, int], None] = lambda done, total: None) -> None:
        """Play the missing shards, writing each one as soon as it is finished.

        Args:
            workers: number of processes, None for one per core, or the address of a Ray cluster.
            tell: callback that receives the number of finished games and the total.

        Raises:
            CatanError: an agent or rule fails, or another process is writing to the folder.
        """
        if self.plan.recorded:
            raise OptionError(f"{self.folder} holds games that were played elsewhere; give another folder.")
        with self.writing() as write:
            jobs = iter([(shard, 0) for shard in range(self.plan.shards) if not self._is_whole(shard)])
            tell(self.games_done, self.plan.games)
            with closing(play_jobs(self.plan, jobs, workers, record_shard)) as finished:
                for shard_files in finished:
                    write(*shard_files)
                    tell(self.games_done, self.plan.games)

    @contextmanager
    def writing(self) -> Iterator[Callable[[int, bytes, bytes, int], None]]:
        """Open the dataset for writing.

        Yields:
            A function that writes a shard, given the shard's number, the Parquet files of its decisions and games, and
            the number of decisions.

        Raises:
            CatanError: another process is writing to the folder.
        """
        self._lines.open()
        try:
            yield self._write
        finally:
            self._lines.close()

    def _write(self, shard: int, decisions: bytes, games: bytes, rows: int) -> None:
        for kind, data in (("decisions", decisions), ("games", games)):
            write_whole(self.path(kind, shard), data)
        line = {"decisions": fingerprint(decisions), "games": fingerprint(games)}
        self._done[shard] = {"shard": shard, "rows": rows, **line}
        self._lines.add(json.dumps(self._done[shard]))

    def _is_whole(self, shard: int) -> bool:
        """Return whether all of a shard's files exist. A shard with a missing file is rewritten."""
        if shard in self._done and not all(self.path(kind, shard).exists() for kind in ("decisions", "games")):
            del self._done[shard]
        return shard in self._done

    # -- reading ------------------------------------------------------------------------------------------

    def table(self, kind: str, shard: int, columns: Sequence[str] | None = None) -> pl.DataFrame:
        """Return a shard's table, or selected columns of it, after checking that the file is unmodified.

        Raises:
            CatanError: the file is missing, corrupt or modified.
        """
        if shard not in self._done:
            raise OptionError(f"{self.folder} has no finished shard {shard}; finished: {len(self._done)} shards.")
        path = self.path(kind, shard)
        data = read_bytes(path, "table of a dataset", CatanError, MOST_BYTES)
        if fingerprint(data) != self._done[shard][kind]:
            raise CatanError(f"{path} was changed since it was written. Remove it and run `catan generate` again.")
        table = table_of(data, str(path))
        return table if columns is None else table.select(columns)

    def scan(self, kind: str = "decisions") -> pl.LazyFrame:
        """Return a lazy table of all finished shards, for polars queries."""
        if not self._done:
            raise OptionError(f"{self.folder} has no finished shard yet.")
        return pl.scan_parquet([self.path(kind, shard) for shard in self.shards])

    def batches(
        self, size: int, part: str = "all", seed: int | None = None, shards: Sequence[int] | None = None
    ) -> Iterator[dict[str, np.ndarray]]:
        """Yield the decisions in batches of `size` rows; the last batch of a shard may be smaller.

        Args:
            size: rows per batch.
            part: "train" and "test" split the games nine to one; "all" includes every game.
            seed: seed for shuffling the shards and the rows within each shard; None keeps file order.
            shards: the shards to read; None for all.

        Yields:
            "observation" (size, ...) in the dtype of the plan, "mask" (size, actions) bool, "action" int64, "seat",
            "agent" and "game" int64, "reward", "return" and "log_probability" float32, "terminal" and "truncated" bool,
            each of shape (size,), and "values" (size, actions) float32. Log-probabilities and values are NaN where
            unknown.

        Raises:
            OptionError: an argument is invalid.
            CatanError: a file is corrupt.
        """
        check_count("size", size)
        check_option("part", part, PARTS)
        random = None if seed is None else np.random.default_rng(seed)
        order = list(self.shards if shards is None else shards)
        if random is not None:
            random.shuffle(order)
        for shard in order:
            table = self.table("decisions", shard)
            if part != "all":
                is_test = pl.col("game") % TEST == 0
                table = table.filter(is_test if part == "test" else ~is_test)
            rows = np.arange(table.height) if random is None else random.permutation(table.height)
            for start in range(0, table.height, size):
                yield self._arrays(table[rows[start : start + size]])

    def _arrays(self, table: pl.DataFrame) -> dict[str, np.ndarray]:
        """Return the rows of a decisions table as arrays."""
        shape, actions = (table.height, *self.about["observation"]), self.about["actions"]
        packed = np.frombuffer(b"".join(table["mask"].to_list()), np.uint8).reshape(table.height, -1)
        masks = np.unpackbits(packed, axis=1, count=actions, bitorder="little").view(np.bool_)
        observations = np.frombuffer(b"".join(table["observation"].to_list()), self.plan.dtype).reshape(shape)
        whole = {name: table[name].cast(pl.Int64).to_numpy() for name in ("action", "seat", "agent", "game")}
        numbers = {name: table[name].to_numpy() for name in ("reward", "return", "terminal", "truncated")}
        logs = table["log_probability"].fill_null(float("nan")).to_numpy()
        values = np.full(masks.shape, np.nan, np.float32)
        known = table["values"].is_not_null().to_numpy()
        joined = b"".join(row for row in table["values"].to_list() if row is not None)
        values[masks & known[:, None]] = np.frombuffer(joined, np.float32)
        arrays = {"observation": observations, "mask": masks, **whole, **numbers, "log_probability": logs}
        return {name: array.copy() for name, array in arrays.items()} | {"values": values}

    def replay_log(self, game: int) -> dict[str, Any]:
        """Return a game's replay log, for use with `catan_env.replay`, replay pages or other encoders.

        Raises:
            OptionError: the game is not in a finished shard, or the scenario's version has changed.
        """
        check_count("game", game, 0, self.plan.games - 1)
        shard = game // self.plan.shard
        table = self.table("games", shard)
        engine = self._engine
        engine.seeds[0] = table["seed"][game % self.plan.shard]
        log = write_log(engine, 0, table["moves"][game % self.plan.shard].to_list())
        return log

    @cached_property
    def _engine(self) -> Any:
        engine, version = self.plan.engine(range(1)), find_scenario(self.plan.scenario).version
        if version != self.about["version"] or engine.actions.hash != self.about["action_layout"]:
            raise OptionError(
                f"{self.folder} was written with version {self.about['version']} of {self.plan.scenario!r}; installed "
                f"is version {version}. Its observations and actions stay readable, its replay logs do not."
            )
        return engine
