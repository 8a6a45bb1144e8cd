"""Weights of evaluation terms: reading and writing weight files, and selecting the weights for a scenario.

Files are in TOML format: `made` says how the weights were made, `scenario`, `version` and `players` in which game, and
the `[weights]` table has one number per term name. `tuned/` holds the tuned weights for each scenario, `foresight/`
weights tuned for looking two decisions ahead, and `chances/` weights for estimating chances of winning.

Each term's weight comes from the first of these scenarios that has a file with the term:

1. the scenario itself: `corsica_5_6`;
2. those whose names begin its name, the longest first: `corsica`, which `corsica_5_6` plays on a larger board;
3. Cities & Knights, if its name is part of the scenario's name;
4. the base game.

A file for the number of players, such as `base-2.toml`, precedes the scenario's general file. Terms that are in no file
use their declared weights.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from catan_agents.bundled import TUNED
from catan_agents.evaluation.terms import Term, terms_of
from catan_env.errors import CatanError
from catan_env.numeric import is_number
from catan_env.text_files import read_toml
from catan_env.whole_files import write_whole

if TYPE_CHECKING:
    from catan_env.engine.batch import BatchEngine

CHANCES = Path(__file__).parent / "chances"
FORESIGHT = Path(__file__).parent / "foresight"
POINT = 0.75
"""Log chance of winning per victory point, fitted to the base game and used for terms without fitted weights."""
FALLBACKS = "cities_and_knights", "base"
"""Scenarios whose weights serve all others: `base` always, `cities_and_knights` where names contain it."""


class WeightsError(CatanError):
    """Raised when weights or a value network cannot be read or do not fit the game."""


def load_weights(path: str | Path) -> dict[str, float]:
    """Load weights from a file, keyed by term name.

    Raises:
        WeightsError: the file is missing or invalid.
    """
    content = read_toml(path, "file of weights", WeightsError)
    weights = content.get("weights")
    if not isinstance(weights, dict) or not all(
        type(weight) in (int, float) and np.isfinite(weight) for weight in weights.values()
    ):
        raise WeightsError(f"{path}: a file of weights must have a table [weights] with a finite number for each term.")
    return {name: float(weight) for name, weight in weights.items()}


def check_weights(name: str, given: Any) -> None:
    """Raise WeightsError unless `given` has a valid form.

    Valid forms are a name, a file, a mapping to finite numbers, a value network, and None.
    """
    fits = given is None or isinstance(given, (str, Path)) or hasattr(given, "row_for")
    if isinstance(given, Mapping):
        fits = all(
            isinstance(term, str) and is_number(weight) and np.isfinite(weight) for term, weight in given.items()
        )
    if not fits:
        raise WeightsError(
            f"{name} is {given!r}; it must be a file of weights, 'untuned', a mapping of terms to finite numbers, a "
            "value network by name or file, or None."
        )


def save_weights(path: str | Path, terms: Sequence[Term], weights: np.ndarray, made: Mapping[str, Any]) -> None:
    """Write term weights with four significant digits to a file.

    Args:
        path: the file.
        terms: the terms.
        weights: their weights, shape (terms,).
        made: strings and numbers that say how the weights were made, and in which game.
    """
    lines = [f"{key} = {_toml(value)}" for key, value in made.items()]
    lines += ["", "[weights]", *(f"{term.name} = {weight:.4g}" for term, weight in zip(terms, weights, strict=True))]
    write_whole(path, "\n".join([*lines, ""]))


def _toml(value: Any) -> str:
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return str(value).lower() if isinstance(value, bool) else str(value)


@cache
def _kept(folder: Path, name: str) -> Mapping[str, float]:
    file = folder / f"{name}.toml"
    return load_weights(file) if file.exists() else {}


def _sources(scenario: str) -> list[str]:
    """Return the names of the scenarios whose weights a scenario uses, the most specific first."""
    words = scenario.split("_")
    names = ["_".join(words[:count]) for count in range(len(words), 0, -1)]
    return list(dict.fromkeys(names + [name for name in FALLBACKS if name in scenario or name == FALLBACKS[-1]]))


def _found(
    folders: Sequence[Path], worth: float, terms: Sequence[Term], scenario: str, num_players: int, given: Any
) -> np.ndarray:
    """Return the weights for a scenario, shape (terms,).

    For each term, the first source that contains it is used: `given`, then the scenario's files, from the most specific
    to the most general and in the order of `folders`. A term found in no source uses its declared weight, multiplied by
    the weight of a victory point in these sources or, if they have none, by `worth`.
    """
    sources: list[Mapping[str, float]] = []
    if given is not None and given != "untuned":
        sources.append(given if isinstance(given, Mapping) else load_weights(given))
        if unknown_terms := sorted(set(sources[0]) - {term.name for term in terms}):
            known = ", ".join(sorted(term.name for term in terms))
            raise WeightsError(f"Scenario {scenario!r} has no terms {', '.join(unknown_terms)}; it has: {known}.")
    if given != "untuned":
        names = _sources(scenario.split("+")[0])
        files = [file for name in names for file in (f"{name}-{num_players}", name)]
        sources += [_kept(folder, file) for file in files for folder in folders]
    worth = next((source["points"] for source in sources if "points" in source), worth)
    return np.array(
        [next((source[term.name] for source in sources if term.name in source), worth * term.weight) for term in terms],
        np.float64,
    )


def weights_for(
    terms: Sequence[Term], scenario: str, num_players: int, given: Any = None, depth: int = 1
) -> np.ndarray:
    """Return the weights for a scenario, shape (terms,), float64.

    Each weight comes from the first source that contains its term.

    Args:
        terms: terms of the scenario's rules, from `terms_of`.
        scenario: name of the scenario; optional modules after "+" are ignored.
        num_players: number of players. Files specific to that number, such as `base-2.toml`, take precedence.
        given: weights keyed by name, or a weight file, overriding all others; "untuned" selects the declared weights.
        depth: number of own decisions to look ahead. At two or more, the files in `foresight/` take precedence.

    Raises:
        WeightsError: `given` is invalid, or names a term that the rules do not have.
    """
    return _found([FORESIGHT, TUNED] if depth > 1 else [TUNED], 1.0, terms, scenario, num_players, given)


def weights_in(engine: BatchEngine, given: Any = None, depth: int = 1) -> np.ndarray:
    """Return the weights for an engine's game, shape (terms,), float64. The arguments are those of `weights_for`."""
    terms = terms_of(engine.program.composition)
    return weights_for(terms, engine.scenario.name, engine.num_players, given, depth)


def chances_for(terms: Sequence[Term], scenario: str, num_players: int, given: Any = None) -> np.ndarray:
    """Return the weights for estimating chances of winning, shape (terms,), float64.

    Chances are proportional to exp(weighted sum). Weights are selected as in `weights_for`, but from the files in
    `chances/`. Terms without fitted weights use their declared weights, converted from victory points to log chances.

    Raises:
        WeightsError: as in `weights_for`.
    """
    return _found([CHANCES], POINT, terms, scenario, num_players, given)
