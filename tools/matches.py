"""Recorded matches against players of other engines, for the results page."""

from __future__ import annotations

import shlex
from dataclasses import asdict
from pathlib import Path
from typing import Any

from catan_training.evaluation.outside import Match, read_games, read_match, summary
from tools import measurements
from tools.pages.matches import opponent_of, results_page

PAGE = measurements.FOLDER.parent / "reference" / "results.md"
"""The page that lists recorded matches, which is tracked in git."""


def record(folder: str | Path) -> Path:
    """Record the match in a folder for the documentation, write the results page, and return the path of the page.

    Raises:
        CatanError: the folder holds no match, or a damaged one.
    """
    keep(measurements.MATCHES, folder)
    PAGE.write_text(results_page(measurements.read(measurements.MATCHES)), "utf-8")
    return PAGE


def keep(file: Path, folder: str | Path) -> dict[str, Any]:
    """Record the finished games of the match in a folder under the name of the folder, and return the entry.

    Raises:
        CatanError: the folder holds no match, or a damaged one.
    """
    match, notes = read_match(folder)
    figures = summary(match, read_games(folder))
    entry = {"figures": figures, "command": command_of(match, figures["games"]), **notes}
    content = measurements.read(file)
    content[Path(folder).name] = entry
    measurements.write(file, content)
    return entry


def command_of(match: Match, games: int) -> str:
    """Return a command that plays the same games."""
    words = ["catan", "match", "runs/match", "--agent", match.label, "--opponents", opponent_of(asdict(match))]
    words += ["--players", str(match.players), "--games", str(games), "--seed", str(match.seed)]
    words += ["--points", str(match.points), "--hand-limit", str(match.hand_limit)]
    words += ["--friendly-robber"] if match.friendly_robber else []
    words += ["--checkout", "FOLDER"] if match.table == "catanatron" else []
    return shlex.join(words)
