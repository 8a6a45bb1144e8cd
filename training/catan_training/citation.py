"""How to cite catan-env. `CITATION.cff` and the README contain the same information."""

from __future__ import annotations

from collections.abc import Mapping

from catan_training.machine import OWN

TITLE = "catan-env: a fast vectorised reinforcement-learning environment for Catan and its scenarios"
AUTHORS = "The catan-env contributors"
YEAR = 2026
DOI = ""
"""DOI of the archived release, or "" if there is none yet. Set it both here and in `CITATION.cff`."""


def bibtex(versions: Mapping[str, str]) -> str:
    """Return a BibTeX entry with the version and any commit given by `catan_training.machine.versions`."""
    fields = {
        "title": f"{{{TITLE}}}",
        "author": f"{{{AUTHORS}}}",
        "year": str(YEAR),
        "version": versions[OWN],
        "note": f"commit {versions['commit']}" if "commit" in versions else "",
        "doi": DOI,
    }
    lines = [f"  {name:8}= {{{value}}}," for name, value in fields.items() if value]
    return "\n".join(["@software{catan_env,", *lines, "}"])
