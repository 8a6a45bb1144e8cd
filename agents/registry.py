"""Agents by name: the installed entry points `catan_env.agents`, or a checkpoint folder."""

from __future__ import annotations

import difflib
from importlib.metadata import entry_points
from pathlib import Path

from agents.protocol import Agent
from catan_env.errors import UnknownAgentError

GROUP = "catan_env.agents"


def agent_names() -> list[str]:
    """Names that `make_agent` takes, in order."""
    return sorted({entry.name for entry in entry_points(group=GROUP)})


def make_agent(name: str | Path, **options) -> Agent:
    """An agent by its registered name, or the trained agent of a checkpoint or run folder.

    Other distributions add agents through entry points of the group `catan_env.agents`.

    Raises:
        UnknownAgentError: no agent of this name is installed, and there is no such folder.
        CheckpointError: the folder holds no checkpoint that can be used here.
    """
    for entry in entry_points(group=GROUP, name=str(name)):
        return entry.load()(**options)
    if Path(name).is_dir():
        from agents.learned import LearnedAgent  # needs torch, which playing without checkpoints does not

        return LearnedAgent.load(name, **options)
    names = agent_names()
    close = difflib.get_close_matches(str(name), names, n=1)
    hint = f" Did you mean {close[0]!r}?" if close else ""
    raise UnknownAgentError(
        f"Unknown agent {str(name)!r}.{hint} Installed: {', '.join(names)}; or give the folder of a checkpoint."
    )
