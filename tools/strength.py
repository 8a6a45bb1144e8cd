"""Agent rankings by game, used by the `best` agent. `python -m tools.strength` derives them from the ladder."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from catan_agents.bundled import STRENGTH
from catan_env.whole_files import write_whole
from tools.ladder import further_rules
from tools.measurements import LADDER, read


def strength_text(ladder: Mapping[str, Any]) -> str:
    """Return the contents of `strength.json` for recorded ladder results, with one line per game.

    What no agent reads is left out; the ladder has it.
    """
    parts = [part for _, parts in sorted(ladder.items()) for _, part in sorted(parts.items())]
    lines = (json.dumps(_ranking(part["figures"]), separators=(",", ":")) for part in parts)
    return '{"games": [\n' + ",\n".join(lines) + "\n]}\n"


def _ranking(standings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the agents in a tournament with their ratings, highest rating first."""
    agents = sorted(standings["agents"], key=lambda row: -row["rating"])
    return {
        "scenario": standings["scenario"],
        "players": standings["players"],
        "rules": further_rules(standings["settings"]),
        "agents": [{"agent": row["agent"], "rating": round(row["rating"], 2)} for row in agents],
    }


if __name__ == "__main__":
    write_whole(STRENGTH, strength_text(read(LADDER)))
