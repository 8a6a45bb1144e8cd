"""The score registry: each system registers scores for its actions with `@score(ACTION)`.

A score is a function `f(game, params, seat, memo, argument)` that returns the value of one action, a number. It is
written like a rule, and compiled with the rules of the scenario. It reads only information visible to the
seat: public fields, its own rows of private fields, and the number of hidden cards that other players hold. Ending the
turn scores 0, as does any action without a registered score, so unscored actions never rank above ones known to be
good.

Values that several scores read are computed at most once per decision (`shared`). Where several systems have a say,
such as in the value of a settlement, a `Hook` combines their contributions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from catan_agents.heuristic.decision_context import DecisionContext
from catan_agents.heuristic.generated import CALL, check_parameters, provide, uses, what_is_missing
from catan_env.engine.compose import Composition
from catan_env.engine.declare import Action, Composed
from catan_env.engine.scenario import Scenario

Score = Callable[..., Any] | float
"""A compiled function or, for actions that are always worth the same, a number."""
ArrayScore = Callable[[DecisionContext], np.ndarray]

SCORE = Composed("score_action")

NO_GAIN = 0.0
"""Score of doing nothing."""
NEVER = -1e6
LIKELY = 300.0
"""Score of actions that usually help, whatever their argument.

It ranks above buying development cards and ending the turn, and below useful trades and building settlements or cities.
"""

_scores: dict[Any, dict[Action, Score]] = {None: {}}
"""Scores, keyed by the rule module that a scenario must use; the defaults are under None."""
_bonuses: dict[Action, list[tuple[Any, Callable]]] = {}
"""Bonuses, keyed by action, each with the rule modules that a scenario must use."""
_array_scores: dict[Action, ArrayScore] = {}


# -- registering -----------------------------------------------------------------------------------------------


def score(*actions: Action, of: Any = None) -> Callable[[Callable], Callable]:
    """Register `f(game, params, seat, memo, argument)` as the score of these actions.

    If `of` is given, the score replaces the default in scenarios that use this rule module.

    Raises:
        ValueError: an action already has a score.
        CompositionError: the function has other parameters.
    """

    def register(function: Callable) -> Callable:
        check_parameters(function, "scores an action", 1)
        _register(function, actions, of)
        return function

    return register


def always(worth: float, *actions: Action) -> None:
    """Register a constant score for these actions.

    Raises:
        ValueError: an action already has a score.
    """
    _register(float(worth), actions, None)


def score_bonus(*actions: Action, of: Any = ()) -> Callable[[Callable], Callable]:
    """Register `f(game, params, seat, memo, argument)`, whose result is added to the score of these actions.

    If `of` is given, the bonus applies only to scenarios that use this rule module, or all of a tuple.

    Raises:
        CompositionError: the function has other parameters.
    """

    def register(function: Callable) -> Callable:
        check_parameters(function, "scores an action", 1)
        for action in actions:
            _bonuses.setdefault(action, []).append((of, function))
        return function

    return register


def array_score(*actions: Action) -> Callable[[ArrayScore], ArrayScore]:
    """Register a score that is computed with NumPy for all games of a batch, such as one that needs large tables.

    The function takes a `DecisionContext` of n games and returns one number per game and argument, (n, arguments), or
    one per game, (n, 1). Compiled scores are faster.

    Raises:
        ValueError: an action already has a score.
    """

    def register(function: ArrayScore) -> ArrayScore:
        _refuse_second(actions, None)
        _array_scores.update(dict.fromkeys(actions, function))
        return function

    return register


def _register(worth: Score, actions: tuple[Action, ...], of: Any) -> None:
    _refuse_second(actions, of)
    _scores.setdefault(of, {}).update(dict.fromkeys(actions, worth))


def _refuse_second(actions: tuple[Action, ...], of: Any) -> None:
    """Raise ValueError if an action already has a score."""
    known_scores: dict[Action, Any] = {**_array_scores, **_scores.get(of, {})}
    for action in actions:
        if action in known_scores:
            known = known_scores[action]
            raise ValueError(
                f"Action {action.name!r} already has a score, {getattr(known, '__name__', known)}. Remove one of them."
            )


# -- a scenario's scores ---------------------------------------------------------------------------------------


def define_score(composition: Composition) -> None:
    """Define `SCORE(game, params, seat, memo, kind, argument)` for a composition, unless it exists."""
    if composition.defines(SCORE.name):
        return
    functions: dict[str, Any] = {}
    lines = []
    for kind, action in enumerate(composition.actions.values()):
        terms = []
        for part in _parts_of(composition, action):
            if callable(part):
                name = f"part_{len(functions)}"
                functions[name] = part
                terms.append(f"{name}({CALL}, argument)")
            else:
                terms.append(repr(part))
        if terms:
            lines += [f"if kind == {kind}:", f"    return {' + '.join([str(NO_GAIN), *terms])}"]
    for function in functions.values():
        provide(composition, function)
    composition.add_function(SCORE.name, f"{CALL}, kind, argument", [*lines, f"return {NO_GAIN}"], functions)


def _parts_of(composition: Composition, action: Action) -> list[Score]:
    """Return the functions and numbers whose sum is the score of an action."""
    worth = _known(composition.modules).get(action)
    parts: list[Score] = [] if worth is None else [worth]
    parts = [part for part in parts if not callable(part) or not what_is_missing(composition, part)]
    return parts + [bonus for of, bonus in _bonuses.get(action, ()) if uses(composition, of, bonus)]


def array_scores(composition: Composition) -> list[tuple[str, ArrayScore]]:
    """Return the array scores of a composition's actions, with the name of each action."""
    return [(name, _array_scores[action]) for name, action in composition.actions.items() if action in _array_scores]


def scores_of(scenario: Scenario) -> dict[str, Score | ArrayScore]:
    """Return the scores of a scenario's actions, keyed by action name; actions without a score are omitted."""
    known_scores = {**_array_scores, **_known(scenario.modules)}
    return {
        action.name: known_scores[action] for action in declared_actions(scenario.modules) if action in known_scores
    }


def unscored(scenario: Scenario) -> list[str]:
    """Return the names of a scenario's actions that have no score."""
    scores = scores_of(scenario)
    return [action.name for action in declared_actions(scenario.modules) if action.name not in scores]


def left_out(composition: Composition) -> list[tuple[str, Callable, str]]:
    """Return the scores that do not apply to a composition: action, function, and the field or name that is missing."""
    return [
        (action.name, worth, reason)
        for action, worth in _known(composition.modules).items()
        if action in composition.actions.values() and callable(worth)
        if (reason := what_is_missing(composition, worth))
    ]


def _known(modules: tuple) -> dict[Action, Score]:
    """Return the score of each action: the one registered for the given rule modules or, failing that, the default."""
    known_scores = dict(_scores[None])
    for module, module_scores in _scores.items():
        if any(module is played for played in modules):
            known_scores |= module_scores
    return known_scores


def declared_actions(modules: tuple) -> list[Action]:
    """Return the action kinds declared by rule modules, in order."""
    return [action for module in modules for action in getattr(module, "ACTIONS", ())]
