"""A simple player that knows what good players know: numbers are worth their pips, and one builds what one can.

It gives every legal action a score, from public information and its own hand, and takes the best one. There is no
search and no memory. How good a kind of action is, each system of rules says in a file of its own here, which is found
by being here; systems outside the package decorate their functions with `score` wherever they stand.
"""

from importlib import import_module
from pkgutil import iter_modules

from catan_agents.heuristic.agent import HeuristicAgent
from catan_agents.heuristic.decision_context import DecisionContext
from catan_agents.heuristic.scoring import always, score, score_bonus, unscored

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")

__all__ = ["DecisionContext", "HeuristicAgent", "always", "score", "score_bonus", "unscored"]
