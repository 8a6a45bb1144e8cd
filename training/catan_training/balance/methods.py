"""The methods section of a report: a paragraph and references for a paper, generated from the plan."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from catan_training.balance.boards import PART
from catan_training.balance.plan import Condition, Plan
from catan_training.citation import bibtex
from catan_training.evaluation.statistics import ERROR
from catan_training.tables import listed

REFERENCES = {
    "Clopper and Pearson 1934": "C. J. Clopper and E. S. Pearson. The use of confidence or fiducial limits illustrated "
    "in the case of the binomial. Biometrika 26 (1934), 404-413.",
    "Cochran 1977": "W. G. Cochran. Sampling techniques. 3rd edition. Wiley, 1977.",
    "Hothorn, Bretz and Westfall 2008": "T. Hothorn, F. Bretz and P. Westfall. Simultaneous inference in general "
    "parametric models. Biometrical Journal 50 (2008), 346-363.",
    "Waudby-Smith and Ramdas 2024": "I. Waudby-Smith and A. Ramdas. Estimating means of bounded random variables by "
    "betting. Journal of the Royal Statistical Society B 86 (2024), 1-27.",
}
MOST_NAMED = 6
"""Maximum number of conditions named in the paragraph; the plan in `study.json` lists all."""


def methods(plan: Plan, about: Mapping[str, Any], played: int, extra: Mapping[str, int]) -> Iterator[str]:
    """Yield the methods section in Markdown.

    Args:
        plan: the study's plan.
        about: the contents of `study.json`.
        played: number of games played.
        extra: number of games in each extra study, keyed by name.
    """
    paragraph = " ".join(_sentences(plan, about, played, extra))
    yield "## Methods"
    yield paragraph
    cited = [text for name, text in REFERENCES.items() if re.search(rf"\b{name}\b", paragraph)]
    yield "\n".join(f"- {text}" for text in cited)
    yield "To cite the software:"
    yield f"```bibtex\n{bibtex(about['versions'])}\n```"


def _sentences(plan: Plan, about: Mapping[str, Any], played: int, extra: Mapping[str, int]) -> Iterator[str]:
    versions = about["versions"]
    commit = f", commit {versions['commit']}" if "commit" in versions else ""
    yield (
        f"We played {played:,} games in catan-env {versions.get('catan-env', '')}{commit}, with Python "
        f"{versions.get('python', '')} and Numba {versions.get('numba', '')}."
    )
    named = [_described(one, about["scenarios"]) for one in plan.conditions[:MOST_NAMED] if not one.openings]
    more = len(plan.conditions) - MOST_NAMED
    yield (
        f"The {'conditions were' if len(named) > 1 else 'condition was'} {listed(named)}"
        + (f", and {more} more" if more > 0 else "")
        + "."
    )
    yield from _design(plan)
    if played < plan.games:
        yield (
            f"The plan has {plan.games:,} games; the intervals of win shares hold at any time (Waudby-Smith and Ramdas "
            "2024), the others only when all games have been played."
        )
    else:
        yield "The plan, with the number of games, was fixed before the first game."
    yield (
        f"Intervals have a confidence of {100 * (1 - ERROR):.0f}% and hold simultaneously for all rows of a table. "
        "They are computed over paired seeds: by the maximum of correlated t values (Hothorn, Bretz and Westfall "
        "2008), for ratios by Cochran 1977, and exactly for rare shares (Clopper and Pearson 1934)."
    )
    if plan.kind != "board" and len(plan.conditions) > 1:
        yield "Differences between conditions are taken within paired seeds, with Bonferroni's correction."
    words = {
        "skill": "against a copy of the agent that takes one action in ten at random",
        "initial_placement": "with a random initial placement",
    }
    if extra:
        yield f"In addition, we played {listed([f'{count:,} games {words[name]}' for name, count in extra.items()])}."


def _design(plan: Plan) -> Iterator[str]:
    agents = listed([f"`{name}`" for name in plan.agent_names])
    if len(plan.agents) == 1:
        yield f"The agent {agents} played all seats."
    else:
        yield f"The agents {agents} each sat in every seat equally often on each paired seed."
    seeds = plan.paired_seeds
    yield (
        f"A paired seed fixes the board and the random numbers of chance and agents; each condition was played on "
        f"{'the same ' if len(plan.conditions) > 1 else ''}{seeds:,} paired seeds, drawn from seed {plan.seed}."
    )
    if any(condition.openings for condition in plan.conditions):
        yield (
            f"On one in {PART} of them, the first player's first settlement was assigned to every starting site in "
            "turn, so that differences between sites are causal."
        )


def _described(condition: Condition, scenario_versions: Mapping[str, int]) -> str:
    """Describe a condition in words, including the version of its scenario."""
    rules = [f"{name} = {value}" for name, value in condition.rules.items()]
    with_rules = f" and {listed(rules)}" if rules else ""
    board = f" on the board of {condition.board}" if isinstance(condition.board, str) else ""
    version = scenario_versions.get(condition.scenario, "")
    return f"`{condition.scenario}` (version {version}) with {condition.players} players{with_rules}{board}"
