"""How to cite catan-env. `CITATION.cff` and the README hold the same facts."""

from __future__ import annotations

from collections.abc import Mapping

from catan_training.machine import OWN

TITLE = "catan-env: a fast vectorised reinforcement-learning environment for Catan and its scenarios"
AUTHORS = "The catan-env contributors"
YEAR = 2026
DOI = ""
"""Digital object identifier of the archived release; "" before the first one. Fill it in here and in `CITATION.cff`."""


def bibtex(versions: Mapping[str, str]) -> str:
    """Return a BibTeX entry with the version and, if known, the commit of `catan_training.machine.versions`."""
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
