"""Export a dataset to Minari, with one episode per seat and game that contains what that seat saw and did.

A Minari episode has one more observation than it has actions. A seat gets no observation after its last decision, so
the episode repeats the last observation.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from catan_env.errors import MissingExtraError, OptionError
from catan_training.datasets.dataset import Dataset


def to_minari(dataset: Dataset, name: str, description: str = "") -> Any:
    """Write the finished shards as a Minari dataset into Minari's folder (`MINARI_DATASETS_PATH`), and return it.

    Observations are dicts with "observation" and "action_mask", rewards are those of the seat, and the infos of each
    step contain the game and seat numbers.

    Args:
        dataset: the dataset.
        name: Minari name, such as "catan/base-greedy-v0".
        description: text for the metadata.

    Raises:
        OptionError: a dataset with this name already exists, or no shard is finished.
        MissingExtraError: the extra `minari` is not installed.
    """
    try:
        import minari
        from gymnasium import spaces
        from minari.data_collector import EpisodeBuffer
    except ImportError as error:
        raise MissingExtraError(
            f"Export to Minari needs {error.name!r}, which is not installed: pip install 'catan-env[minari]'."
        ) from None
    if name in minari.list_local_datasets():
        raise OptionError(f"Minari has a dataset {name!r} already; give another name.")
    if not dataset.shards:
        raise OptionError(f"{dataset.folder} has no finished shard yet.")
    actions, shape = dataset.about["actions"], tuple(dataset.about["observation"])
    dtype = np.dtype(dataset.plan.dtype)
    high = np.iinfo(dtype).max if dtype.kind == "u" else 1.0
    observed: dict[str, spaces.Space[Any]] = {
        "observation": spaces.Box(0, high, shape, dtype.type),
        "action_mask": spaces.Box(0, 1, (actions,), np.int8),
    }
    return minari.create_dataset_from_buffers(
        name,
        [EpisodeBuffer(**episode) for shard in dataset.shards for episode in _episodes(dataset, shard)],
        observation_space=spaces.Dict(observed),
        action_space=spaces.Discrete(actions),
        algorithm_name=", ".join(entrant.label for entrant in dataset.plan.agents),
        description=description or f"Decisions in {dataset.plan.scenario} with {dataset.plan.players} players.",
        data_format="arrow",
        jpeg_encoding=False,
    )


def _episodes(dataset: Dataset, shard: int) -> list[dict[str, Any]]:
    """Return the episodes of all seats in a shard's games, as arguments to `EpisodeBuffer`."""
    rows = dataset.table("decisions", shard).height
    batch = next(dataset.batches(max(rows, 1), shards=[shard]))
    seats = batch["game"] * (dataset.plan.players or 0) + batch["seat"]
    order = np.argsort(seats, kind="stable")
    found = []
    for own in np.split(order, np.flatnonzero(np.diff(seats[order])) + 1):
        again = np.append(own, own[-1])
        found.append(
            {
                "observations": {
                    "observation": batch["observation"][again],
                    "action_mask": batch["mask"][again].astype(np.int8),
                },
                "actions": batch["action"][own],
                "rewards": batch["reward"][own],
                "terminations": batch["terminal"][own] & ~batch["truncated"][own],
                "truncations": batch["terminal"][own] & batch["truncated"][own],
                "infos": {name: batch[name][again].tolist() for name in ("game", "seat")},
            }
        )
    return found
