"""The heuristic agent: hand-written scores for every action, without search or memory.

The agent scores each legal action using public information and the seat's hand, and takes the best one. Each module of
this package holds the scores for one system; all of them are imported automatically. Other packages register their own
scores with `score`.
"""

from importlib import import_module
from pkgutil import iter_modules

from catan_agents.heuristic.agent import HeuristicAgent
from catan_agents.heuristic.decision_context import DecisionContext
from catan_agents.heuristic.scoring import always, score, score_bonus, site_bonus, unscored

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")

__all__ = ["DecisionContext", "HeuristicAgent", "always", "score", "score_bonus", "site_bonus", "unscored"]
