"""Main effects and interactions of the rules varied in a sweep, on paired seeds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, product
from math import prod
from typing import Any

import numpy as np

from catan_training.balance.comparing import COMPARED, along, paired, varied_rules
from catan_training.balance.measures import MEASURES, ConditionGames
from catan_training.balance.plan import Plan
from catan_training.evaluation.statistics import written
from catan_training.tables import markdown_table

Effects = dict[str, np.ndarray]
"""Maps the name of an effect to the weights of the conditions, shape (conditions,)."""


def effects_of(settings: Sequence[Mapping[str, Any]], varied: Sequence[str]) -> Effects:
    """Return the effects of the varied rules as weights of the conditions.

    The main effect of a rule value is the mean of a measure over all conditions with that value, minus its mean over
    the conditions with the rule's first value. An interaction is one rule's effect at a given value of another rule,
    minus its effect at the other rule's first value. Effects are defined only for a full grid; other designs have none.
    """
    texts = [tuple(str(setting[rule]) for rule in varied) for setting in settings]
    levels = [list(dict.fromkeys(text[i] for text in texts)) for i in range(len(varied))]
    if len(set(texts)) < len(texts) or len(texts) != prod(map(len, levels)):
        return {}

    def mean_of(chosen: Mapping[int, str]) -> np.ndarray:
        members = np.array([all(text[rule] == level for rule, level in chosen.items()) for text in texts], float)
        return members / members.sum()

    effects: Effects = {}
    for i, rule in enumerate(varied):
        first, *others = levels[i]
        for level in others:
            effects[f"{rule}={level}"] = mean_of({i: level}) - mean_of({i: first})
    for (i, one), (j, other) in combinations(enumerate(varied), 2):
        for a, b in product(levels[i][1:], levels[j][1:]):
            raised = mean_of({i: a, j: b}) - mean_of({i: levels[i][0], j: b})
            effects[f"{one}={a} with {other}={b}"] = (
                raised - mean_of({i: a, j: levels[j][0]}) + mean_of({i: levels[i][0], j: levels[j][0]})
            )
    return effects


def main_effects(plan: Plan, found: Mapping[int, ConditionGames]) -> Iterable[str]:
    """Yield the report section on effects for a sweep of several rules over a full grid."""
    conditions, varied = paired(found), varied_rules(plan)
    effects = effects_of([plan.conditions[k].settings for k in conditions], varied) if len(varied) > 1 else {}
    if not effects:
        return
    first = ", ".join(f"{rule}={plan.conditions[0].settings[rule]}" for rule in varied)
    yield "## Main effects and interactions"
    yield (
        f"A main effect compares a value of a rule with its first value ({first}), averaged over the values of the "
        "other rules. An interaction is the change of one rule's effect between the first value of another rule and "
        "the named one. All conditions have the same paired seeds. The intervals of a column hold at once."
    )
    for measure in MEASURES:
        if measure.key not in COMPARED:
            continue
        estimates = list(along([measure.estimate(games) for games in conditions.values()]))
        columns = [joined.combined(tuple(effects), np.stack([*effects.values()])) for joined in estimates]
        if columns:
            bounds = [column.intervals() for column in columns]
            yield f"### {measure.title}"
            yield markdown_table(
                [
                    ("", *(joined.names[0] for joined in estimates)),
                    *(
                        (
                            effect,
                            *(
                                f"{written(column.values[k], column.kind)} ({written(bound[k, 0], column.kind)} "
                                f"to {written(bound[k, 1], column.kind)})"
                                for column, bound in zip(columns, bounds, strict=True)
                            ),
                        )
                        for k, effect in enumerate(effects)
                    ),
                ]
            )
