"""The heuristic agent: it ranks actions by hand-written scores and uses neither search nor memory.

The agent scores each legal action from public information and the seat's hand, and takes the highest-scoring one. Each
module in this package defines the scores for one system, and all modules are imported automatically. Other packages can
register scores of their own with `score`.
"""

from importlib import import_module
from pkgutil import iter_modules

from catan_agents.heuristic.agent import HeuristicAgent
from catan_agents.heuristic.decision_context import DecisionContext
from catan_agents.heuristic.generated import IMPOSSIBLE, Hook, Table, goal, shared, site_bonus
from catan_agents.heuristic.scoring import always, array_score, score, score_bonus, unscored

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")

__all__ = [
    "IMPOSSIBLE",
    "DecisionContext",
    "HeuristicAgent",
    "Hook",
    "Table",
    "always",
    "array_score",
    "goal",
    "score",
    "score_bonus",
    "shared",
    "site_bonus",
    "unscored",
]
