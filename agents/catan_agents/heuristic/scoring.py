"""Who says how good a kind of action is: `@score(ACTION)` beside each system's actions.

A score is a function of a `DecisionContext` that returns (n,) or (n, arguments) numbers, one per game and argument.
Ending the turn is worth 0, and so is every action that nobody scores, so that it never stands before one known to be
good.
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
"""What doing nothing is worth."""
NEVER = -1e6
LIKELY = 300.0
"""What is rather done than left, without any thought of which: better than development cards and ending the turn,
worse than a trade that helps and than building."""

_scores: dict[ModuleType | None, dict[Action, Score]] = {None: {}}
"""By the rule module that a scenario must have; under None what holds wherever no module says otherwise."""
_site_bonuses: list[tuple[str, Score]] = []
_goals: list[tuple[Action, str, Callable[[DecisionContext], tuple[np.ndarray, float]]]] = []
_further: dict[Action, list[Score]] = {}


def score(*actions: Action, of: ModuleType | None = None) -> Callable[[Score], Score]:
    """Registers a function as the score of these actions; in scenarios with the rule module `of` only, in place of the
    one they have elsewhere, if it is given.

    Raises:
        ValueError: an action is scored already.
    """

    def register(score: Score) -> Score:
        module_scores = _scores.setdefault(of, {})
        for action in actions:
            if action in module_scores:
                raise ValueError(f"Action {action.name!r} is scored already, by {module_scores[action].__name__}.")
            module_scores[action] = score
        return score

    return register


def score_bonus(*actions: Action) -> Callable[[Score], Score]:
    """Registers a function as a further reason for (or against) these actions: it is added to what they score."""

    def register(score: Score) -> Score:
        for action in actions:
            _further.setdefault(action, []).append(score)
        return score

    return register


def always(worth: float, *actions: Action) -> None:
    """Registers the same score for these actions whatever the state."""
    score(*actions)(lambda context: np.full((len(context.games), 1), worth))


def site_bonus(field: str) -> Callable[[Score], Score]:
    """Registers what settling brings besides cards, (n, intersections) in pips, in games that have this field."""

    def register(bonus: Score) -> Score:
        _site_bonuses.append((field, bonus))
        return bonus

    return register


def goal(action: Action, what: str) -> Callable[[Callable], Callable]:
    """Registers something to save for in games with this action, by the name of its price: a function of a
    `DecisionContext` that returns whether one could place it, (n,) bool, and how many cards further away than it is it
    counts as, (n,) or one number."""

    def register(function: Callable) -> Callable:
        _goals.append((action, what, function))
        return function

    return register


def site_bonuses(context: DecisionContext) -> list[np.ndarray]:
    """What settling brings besides cards, by each system that the scenario has."""
    return [context.of(bonus) for field, bonus in _site_bonuses if context.has(field)]


def goals(context: DecisionContext) -> list[tuple[str, np.ndarray, float]]:
    """Further things to save for, with whether they can be placed and how much further away they count as."""
    actions = declared_actions(context.engine.scenario.modules)
    return [(price_name, *function(context)) for action, price_name, function in _goals if action in actions]


def scores_of(scenario: Scenario) -> dict[str, Score]:
    """The scores of a scenario's actions, by the name of the action; those that nobody scores are left out."""
    known_scores = _known(scenario.modules)
    return {
        action.name: known_scores[action] for action in declared_actions(scenario.modules) if action in known_scores
    }


def action_scores(modules: tuple) -> list[tuple[str, Score]]:
    """What is added up for the actions that rule modules declare, by the name of the action: their scores, then
    further reasons."""
    actions, known_scores = declared_actions(modules), _known(modules)
    named_scores = [(action.name, known_scores[action]) for action in actions if action in known_scores]
    return named_scores + [(action.name, score) for action in actions for score in _further.get(action, ())]


def unscored(scenario: Scenario) -> list[str]:
    """Names of a scenario's actions that nobody scores."""
    known_scores = _known(scenario.modules)
    return [action.name for action in declared_actions(scenario.modules) if action not in known_scores]


def _known(modules: tuple) -> dict[Action, Score]:
    """What scores each action among rule modules: what one of them says stands before what holds elsewhere."""
    known_scores = dict(_scores[None])
    for module, module_scores in _scores.items():
        if module in modules:
            known_scores |= module_scores
    return known_scores


def declared_actions(modules: tuple) -> list[Action]:
    """The kinds of actions that rule modules declare, in their order."""
    return [action for module in modules for action in getattr(module, "ACTIONS", ())]
