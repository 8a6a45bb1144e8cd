"""The rules of a scenario on one page, taken from the rules reference."""

from __future__ import annotations

from catan_env.engine.batch import BatchEngine
from catan_env.engine.registry import find_scenario
from catan_env.engine.scenario import Scenario
from catan_env.games import reference
from catan_env.render.palette import paint_of

MOST_CHARACTERS = 10_300
"""Maximum page length: under 3,000 tokens at 3.5 characters per token; English averages more in common tokenizers."""
LESS_URGENT = ("addition", "reconstruction", "reading")
"""Statuses of the statements that are dropped first if a page is too long."""
SET_UP = "board_layout"
"""A topic that players do not need, because the board is set up before the first decision."""


def rules_text(scenario: str, num_players: int | None = None) -> str:
    """Return a scenario's rules within 3,000 tokens: goal, prices, and the statements that its modules implement.

    If the statements do not all fit, those about setting up the board are dropped first, then optional details and
    interpretations, then the longest ones. The last line states how many are missing.

    Args:
        scenario: registered name, or path of a scenario file.
        num_players: number of players; defaults to the maximum.

    Raises:
        CatanError: the scenario or number of players is invalid.
    """
    chosen = find_scenario(scenario)
    engine = BatchEngine(chosen, 1, num_players)
    head = [f"# {chosen.title}, {engine.num_players} players", "", *_facts(engine), "", "Rules:"]
    statements = _statements(chosen)
    kept = list(statements)
    for leave in (lambda s: f".{SET_UP}." in s.id, *(lambda s, k=k: s.status == k for k in LESS_URGENT)):
        if _length(head, kept) > MOST_CHARACTERS:
            kept = [statement for statement in kept if not leave(statement)]
    longest = sorted(kept, key=lambda statement: len(statement.text))
    while _length(head, kept) > MOST_CHARACTERS:
        dropped = longest.pop()
        kept = [statement for statement in kept if statement is not dropped]
    lines = [*head, *(f"- {statement.text}" for statement in kept)]
    missing = len(statements) - len(kept)
    return "\n".join(lines + [f"({missing} further details are left out.)"] * bool(missing)) + "\n"


def _length(head: list[str], statements: list[reference.Statement]) -> int:
    return sum(len(line) + 1 for line in head) + sum(len(statement.text) + 3 for statement in statements)


def _statements(scenario: Scenario) -> list[reference.Statement]:
    """Return the statements that the scenario's modules implement, in the order of the rules reference."""
    names = {getattr(module, "__name__", "") for module in scenario.modules}
    played = {name.removeprefix(f"{reference.PACKAGE}.") for name in names}
    systems, carriers = {name.split(".")[0] for name in played}, reference.carriers_by_id()
    return [
        statement
        for key, statement in reference.statements().items()
        if statement.status != "left_out"
        and key.split(".")[0] in systems
        and any(name.rsplit(".", 1)[0] in played for name in carriers.get(key, ()))
    ]


def _facts(engine: BatchEngine) -> list[str]:
    """Return the goal, the colors and the prices."""
    seats = ", ".join(f"{seat} {paint_of(seat, engine.num_players).name}" for seat in range(engine.num_players))
    lines = [f"Seats: {seats}."]
    if "victory_points" in engine.rules:
        lines.append(f"Victory points to win: {engine.rules['victory_points']}.")
    numbers = engine.program.composition.numbers
    for name, value in engine.rules.items():
        over = getattr(numbers.get(name), "over", None)
        if name.endswith("_cost") and over is not None:
            kinds = engine.program.composition.names_along(over)
            price = ", ".join(f"{count} {kind}" for kind, count in zip(kinds, value, strict=False) if count)
            lines.append(f"Price of a {name.removesuffix('_cost').replace('_', ' ')}: {price or 'nothing'}.")
    return lines
