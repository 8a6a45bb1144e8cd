"""The score registry: each system registers scores for its actions with `@score(ACTION)`.

A score is a function of a `DecisionContext` that returns one number per game and argument, (n, arguments), or one per
game, (n, 1). Ending the turn scores 0, as does any action without a registered score, so unscored actions never rank
above ones known to be good.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import numpy as np

from catan_agents.heuristic.decision_context import DecisionContext
from catan_env.engine.declare import Action
from catan_env.engine.scenario import Scenario

Score = Callable[[DecisionContext], np.ndarray]

NO_GAIN = 0.0
"""Score of doing nothing."""
NEVER = -1e6
LIKELY = 300.0
"""Score of actions that usually help, whatever their argument.

It ranks above buying development cards and ending the turn, and below useful trades and building settlements or cities.
"""

_scores: dict[ModuleType | None, dict[Action, Score]] = {None: {}}
"""Scores, keyed by the rule module that a scenario must use; the defaults are under None."""
_site_bonuses: list[tuple[str, Score]] = []
_goals: list[tuple[Action, str, Callable[[DecisionContext], tuple[np.ndarray, float]]]] = []
_further: dict[Action, list[tuple[ModuleType | None, Score]]] = {}
"""Bonuses, keyed by action, each with the rule module that a scenario must use, or None for any scenario."""


def score(*actions: Action, of: ModuleType | None = None) -> Callable[[Score], Score]:
    """Register a function as the score of these actions.

    If `of` is given, the score replaces the default in scenarios that use this rule module.

    Raises:
        ValueError: an action already has a score.
    """

    def register(score: Score) -> Score:
        module_scores = _scores.setdefault(of, {})
        for action in actions:
            if action in module_scores:
                raise ValueError(
                    f"Action {action.name!r} already has a score, {module_scores[action].__name__}. Remove one of them."
                )
            module_scores[action] = score
        return score

    return register


def score_bonus(*actions: Action, of: ModuleType | None = None) -> Callable[[Score], Score]:
    """Register a function whose result is added to the score of these actions.

    If `of` is given, the bonus applies only to scenarios that use this rule module.
    """

    def register(score: Score) -> Score:
        for action in actions:
            _further.setdefault(action, []).append((of, score))
        return score

    return register


def always(worth: float, *actions: Action) -> None:
    """Register a constant score for these actions."""
    score(*actions)(lambda context: np.full((len(context.games), 1), worth))


def site_bonus(field: str) -> Callable[[Score], Score]:
    """Register a bonus for settling, in pips, shape (n, intersections), for games that have this field."""

    def register(bonus: Score) -> Score:
        _site_bonuses.append((field, bonus))
        return bonus

    return register


def goal(action: Action, what: str) -> Callable[[Callable], Callable]:
    """Register a purchase to save for, at the price named `what`, in games that have this action.

    The registered function takes a `DecisionContext` and returns whether the seat could place the purchase, an (n,)
    bool array, and a penalty in cards, either an (n,) array or a single number.
    """

    def register(function: Callable) -> Callable:
        _goals.append((action, what, function))
        return function

    return register


def site_bonuses(context: DecisionContext) -> list[np.ndarray]:
    """Return the settling bonuses of all systems in the scenario."""
    return [context.of(bonus) for field, bonus in _site_bonuses if context.has(field)]


def goals(context: DecisionContext) -> list[tuple[str, np.ndarray, float]]:
    """Return the scenario's registered goals: price name, whether it can be placed, and extra distance in cards."""
    actions = declared_actions(context.engine.scenario.modules)
    return [(price_name, *function(context)) for action, price_name, function in _goals if action in actions]


def scores_of(scenario: Scenario) -> dict[str, Score]:
    """Return the scores of a scenario's actions, keyed by action name; actions without a score are omitted."""
    known_scores = _known(scenario.modules)
    return {
        action.name: known_scores[action] for action in declared_actions(scenario.modules) if action in known_scores
    }


def action_scores(modules: tuple) -> list[tuple[str, Score]]:
    """For each action of these rule modules, return the functions whose results are summed, scores before bonuses."""
    actions, known_scores = declared_actions(modules), _known(modules)
    named_scores = [(action.name, known_scores[action]) for action in actions if action in known_scores]
    bonuses = [(action.name, bonus) for action in actions for bonus in _further.get(action, ())]
    return named_scores + [(name, bonus) for name, (module, bonus) in bonuses if module is None or module in modules]


def unscored(scenario: Scenario) -> list[str]:
    """Return the names of a scenario's actions that have no score."""
    known_scores = _known(scenario.modules)
    return [action.name for action in declared_actions(scenario.modules) if action not in known_scores]


def _known(modules: tuple) -> dict[Action, Score]:
    """Return the score of each action: the one registered for the given rule modules or, failing that, the default."""
    known_scores = dict(_scores[None])
    for module, module_scores in _scores.items():
        if module in modules:
            known_scores |= module_scores
    return known_scores


def declared_actions(modules: tuple) -> list[Action]:
    """Return the action kinds declared by rule modules, in order."""
    return [action for module in modules for action in getattr(module, "ACTIONS", ())]
