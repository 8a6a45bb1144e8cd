"""The people and agents in the seats, as given on the command line or in a request."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from catan_env.errors import OptionError

LONGEST_NAME = 30
HUMAN, BEST = "human", "best"
"""The agent that prompts in the terminal, which a server cannot use, and the default agent."""


@dataclass(frozen=True)
class Sitter:
    """A person or agent in a seat.

    Attributes:
        name: the name shown on pages.
        agent: the agent's name; "" for a person.
        options: the agent's arguments.
    """

    name: str
    agent: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_person(self) -> bool:
        return not self.agent

    def to_json(self) -> dict[str, Any]:
        """Return this sitter as a JSON-serializable dictionary."""
        return asdict(self)

    def make(self) -> Any:
        """Create the agent.

        Raises:
            CatanError: the agent is unknown or rejects the options.
        """
        from catan_agents import make_agent

        return make_agent(self.agent, **self.options)


def person(name: str, seat: int) -> Sitter:
    """Return a person, named after the seat if no name is given."""
    printable = "".join(character for character in name.strip() if character.isprintable())
    return Sitter(printable[:LONGEST_NAME] or f"person {seat}")


def agent(name: str, options: Mapping[str, Any]) -> Sitter:
    """Return a sitter for the agent with the given name or folder.

    Raises:
        OptionError: the agent prompts in the terminal.
    """
    if name == HUMAN:
        raise OptionError("The agent 'human' asks at the terminal; let a person sit there.")
    settings = ",".join(f"{key}={value}" for key, value in options.items())
    return Sitter(name.rstrip("/").rpartition("/")[2] + (f":{settings}" if settings else ""), name, dict(options))


def sitter_of(request: Any, seat: int, known: Collection[str]) -> Sitter:
    """Return the requested sitter: `{"name": ...}` is a person, `{"agent": ..., "options": {...}}` an agent.

    Args:
        request: the request.
        seat: the seat.
        known: agents that may be requested. Only numbers are allowed as their options, so that no string in a request
            is treated as a path.

    Raises:
        OptionError: the request is malformed, the agent is unknown, or an option is not allowed.
    """
    if not isinstance(request, dict):
        raise OptionError("A seat is a table with a name, or with an agent and options.")
    name, agent_name, options = request.get("name", ""), request.get("agent", ""), request.get("options", {})
    if not isinstance(name, str) or not isinstance(agent_name, str) or not isinstance(options, dict):
        raise OptionError("Of a seat, name and agent are texts, and options a table.")
    if not agent_name:
        return person(name, seat)
    if agent_name not in known:
        raise OptionError(f"No agent {agent_name[:LONGEST_NAME]!r} can sit here; there are: {', '.join(known)}.")
    if not all(isinstance(value, (bool, int, float)) for value in options.values()):
        raise OptionError("Options of agents are numbers, true or false on this page; others go on the command line.")
    return agent(agent_name, options)


def agents_for(scenario: str, players: int, also: Sequence[str] = ()) -> list[str]:
    """Return the names of the agents that can play a scenario, strongest first.

    `also` lists additional agents from the command line.
    """
    from catan_agents.registry import agent_names, pretrained_for

    pretrained = sorted(pretrained_for(scenario, players), key=lambda name: not name.endswith("value"))
    names = [*also, BEST, *pretrained, *agent_names()]
    return [name for name in dict.fromkeys(names) if name != HUMAN]
