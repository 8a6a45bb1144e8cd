"""Weights of the terms of an evaluation: files, and which ones a scenario is played with.

A file is TOML: how the weights were made, then `[weights]`, a number for each term by name. Weights that were tuned for
a scenario lie in `tuned/` under its name, those tuned to look two decisions ahead in `foresight/`. Where nobody tuned,
those of Cities & Knights, if it is played, and of the base game serve for the terms that these have as well, and for
others what the term itself says. `chances/` has weights of another kind, laid out alike: by them positions become
chances to win.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from catan_agents.bundled import TUNED
from catan_agents.evaluation.terms import Term
from catan_env.errors import CatanError
from catan_env.text_files import read_toml
from catan_env.whole_files import write_whole

CHANCES = Path(__file__).parent / "chances"
FORESIGHT = Path(__file__).parent / "foresight"
POINT = 0.75
"""What a victory point adds to the logarithm of a chance to win, where nobody fitted: about what it does in the base
game."""
FALLBACKS = "cities_and_knights", "base"
"""Whose weights serve for what is built on them, as its name says; on the base game everything is."""


class WeightsError(CatanError):
    """A file of weights that cannot be read, or does not fit."""


def load_weights(path: str | Path) -> dict[str, float]:
    """The weights of a file, by the name of the term.

    Raises:
        WeightsError: there is no such file, or it holds something else.
    """
    content = read_toml(path, "file of weights", WeightsError)
    weights = content.get("weights")
    if not isinstance(weights, dict) or not all(
        type(weight) in (int, float) and np.isfinite(weight) for weight in weights.values()
    ):
        raise WeightsError(f"{path}: a file of weights has a table [weights] with a finite number for each term.")
    return {name: float(weight) for name, weight in weights.items()}


def check_weights(name: str, given: Any) -> None:
    """Raises WeightsError unless weights of these types may be given: a name or file, numbers by name, a value network,
    or None."""
    fits = given is None or isinstance(given, (str, Path)) or hasattr(given, "row_for")
    if isinstance(given, Mapping):
        fits = all(
            isinstance(term, str)
            and isinstance(weight, (int, float, np.number))
            and not isinstance(weight, bool)
            and np.isfinite(weight)
            for term, weight in given.items()
        )
    if not fits:
        raise WeightsError(
            f"{name} is {given!r}; it must be a file of weights, 'untuned', a mapping of terms to finite numbers, a "
            "value network by name or file, or None."
        )


def save_weights(path: str | Path, terms: Sequence[Term], weights: np.ndarray, made: Mapping[str, Any]) -> None:
    """Writes weights, (terms,), with how they were `made`: texts, numbers and lists by name."""
    lines = [f"{key} = {_toml(value)}" for key, value in made.items()]
    lines += ["", "[weights]", *(f"{term.name} = {weight:.4f}" for term, weight in zip(terms, weights, strict=True))]
    write_whole(path, "\n".join([*lines, ""]))


def _toml(value: Any) -> str:
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return str(value).lower() if isinstance(value, bool) else str(value)


@cache
def _kept(folder: Path, name: str) -> Mapping[str, float]:
    file = folder / f"{name}.toml"
    return load_weights(file) if file.exists() else {}


def _found(
    folders: Sequence[Path], worth: float, terms: Sequence[Term], scenario: str, num_players: int, given: Any
) -> np.ndarray:
    """(terms,) weights: what was given, by name or as a file, comes first, then the files that fit the scenario, the
    closest first, of such the folder named first; else what the term declares, a victory point being worth what they
    say, or so much."""
    sources: list[Mapping[str, float]] = []
    if given is not None and given != "untuned":
        sources.append(given if isinstance(given, Mapping) else load_weights(given))
        if unknown_terms := sorted(set(sources[0]) - {term.name for term in terms}):
            raise WeightsError(f"Scenario {scenario!r} has no terms {', '.join(unknown_terms)}.")
    if given != "untuned":
        base_scenario = scenario.split("+")[0]
        names = [base_scenario, *(name for name in FALLBACKS if name in base_scenario or name == FALLBACKS[-1])]
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
    """(terms,) float64: weights for a scenario, from the first source that has a term.

    Args:
        terms: of the scenario's rules, as `terms_of` gives them.
        scenario: its name; options after a "+" have no weights of their own.
        num_players: files for a scenario and a number of players, such as `base-2.toml`, come first.
        given: weights by name, or a file of them, that come before all others; "untuned" for what the terms say.
        depth: own decisions to look ahead by them; for two or more, those in `foresight/` come first.

    Raises:
        WeightsError: what is given names a term that these rules do not have, or is no file of weights.
    """
    return _found([FORESIGHT, TUNED] if depth > 1 else [TUNED], 1.0, terms, scenario, num_players, given)


def chances_for(terms: Sequence[Term], scenario: str, num_players: int, given: Any = None) -> np.ndarray:
    """(terms,) float64: weights by which positions become chances to win, in proportion to exp(weighted sum).

    Found as those of `weights_for` are, in `chances/`; a term that nobody fitted has the weight it declares, turned
    from victory points into logarithms of chances.

    Raises:
        WeightsError: as `weights_for`.
    """
    return _found([CHANCES], POINT, terms, scenario, num_players, given)
