"""Explains a scenario: the functions that an action calls, their events and questions, and the rules that respond.

All of this is derived from declarations and the bytecode of rule functions, so nothing is compiled or played. Helper
functions that do not announce an event, ask a question or push a decision are omitted.
"""

from __future__ import annotations

import dis
import linecache
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from catan_env.engine import decision_stack
from catan_env.engine.binding import did_you_mean, module_name
from catan_env.engine.compose import Composition
from catan_env.engine.declare import (
    ACTION_RESOLVED,
    ANY,
    EVERY,
    HIDDEN_POINTS,
    LEAST,
    MOST,
    PUBLIC_POINTS,
    SUM,
    Action,
    Decision,
    Draw,
    Event,
    Question,
    Size,
    Symbol,
)
from catan_env.engine.helpers import helpers_of, purpose_of, signature_of
from catan_env.errors import ActionFormatError

ROOT = Path(__file__).resolve().parents[2]
FOLDS = {
    SUM: "the answers are added up",
    ANY: "one yes is enough",
    EVERY: "all must say yes",
    LEAST: "the least answer counts",
    MOST: "the highest answer counts",
}
PUSHING = (decision_stack.push, decision_stack.push_bottom, decision_stack.replace)
OF_THE_ENGINE = (ACTION_RESOLVED, PUBLIC_POINTS, HIDDEN_POINTS)
"""Events and questions that the engine itself announces and asks."""
INDENT = "  "


@dataclass(frozen=True)
class Explanation:
    """A node in the tree that explains an action, a decision or a whole scenario. Printing a node shows its subtree.

    Attributes:
        label: relation to the parent: "legal", "apply", "announces", "reacts", "asks", "answers", ...
        name: name of a declaration, or of a function as `module.function`.
        text: meaning of a declaration, or when a function runs.
        file: a function's file, relative to the project's folder or absolute if outside it; "" for declarations.
        line: line number of the function's `def`, from 1; 0 for declarations.
        rules: ids of the rule statements that a function implements.
        children: nodes below this one, in order.
    """

    label: str
    name: str
    text: str = ""
    file: str = ""
    line: int = 0
    rules: tuple[str, ...] = ()
    children: tuple[Explanation, ...] = ()

    def __str__(self) -> str:
        return "\n".join(self.lines())

    __repr__ = __str__

    def lines(self, depth: int = 0) -> Iterator[str]:
        """Yield the tree as lines of text, indented by `depth` steps."""
        location = f"  {self.file}:{self.line}" if self.file else ""
        text = f"  ({self.text})" if self.text else ""
        yield f"{INDENT * depth}{self.label} {self.name}{location}{text}".rstrip()
        for child in self.children:
            yield from child.lines(depth + 1)

    def walk(self) -> Iterator[Explanation]:
        """Yield this node and all nodes below it."""
        yield self
        for child in self.children:
            yield from child.walk()

    def find(self, label: str, name: str = "") -> list[Explanation]:
        """Return all nodes with the given label and, optionally, the given name."""
        return [node for node in self.walk() if node.label == label and name in ("", node.name)]

    def as_dict(self) -> dict[str, Any]:
        """Return the tree as JSON-compatible dicts and lists."""
        children = [child.as_dict() for child in self.children]
        return {name: getattr(self, name) for name in ("label", "name", "text", "file", "line")} | {
            "rules": list(self.rules),
            "children": children,
        }


def explain(composition: Composition, name: str = "") -> Explanation:
    """Explain the named action, decision, draw, event or question. Without a name, return an overview of the scenario.

    The overview ends with the fields, the numbers, and the helpers that rule modules share. Names may also be in
    capitals, as in rule modules.

    Raises:
        ActionFormatError: the scenario has no such name.
    """
    explainer = _Explainer(composition)
    if not name:
        return explainer.overview()
    explanation_makers: dict[str, Callable[[], Explanation]] = {}
    for symbol in [*explainer.symbols((Event, Question)), *composition.draws.values()]:
        explanation_makers[symbol.name] = partial(explainer.symbol, symbol)
    explanation_makers |= {decision: partial(explainer.decision, decision) for decision in composition.decisions}
    explanation_makers |= {action: partial(explainer.action, action) for action in composition.actions}
    if name not in explanation_makers:
        name = name.lower()  # HAND_LIMIT in rule modules is the question "hand_limit"
    if name not in explanation_makers:
        allowed = f"actions: {', '.join(composition.actions)}; decisions: {', '.join(composition.decisions)}"
        raise ActionFormatError(
            f"{composition.display_name} has no {name!r}.{did_you_mean(name, explanation_makers)} "
            f"It has {allowed}. The overview also lists its draws, events and questions."
        )
    return explanation_makers[name]()


def name_of(function: Callable) -> str:
    """Return a rule function's name as `module.function`, without the packages that contain all modules."""
    return f"{function.__module__.removeprefix('catan_env.').removeprefix('games.')}.{function.__name__}"


@cache
def place_of(function: Callable) -> tuple[str, int]:
    """Return a function's file and the line number of its `def`, from 1."""
    code = function.__code__
    file, line_number = Path(code.co_filename), code.co_firstlineno
    for offset, source_line in enumerate(linecache.getlines(code.co_filename)[line_number - 1 :]):
        if source_line.lstrip().startswith(f"def {function.__name__}("):
            line_number += offset
            break
    return (file.relative_to(ROOT).as_posix() if file.is_relative_to(ROOT) else str(file)), line_number


@cache
def uses_of(function: Callable) -> tuple[tuple[Any, Any], ...]:
    """Return pairs in bytecode order: a declaration or function, and the function it is passed to, or None."""
    uses: list[tuple[Any, Any]] = []
    open_calls: list[Any] = []
    for instruction in dis.get_instructions(function.__code__):
        if instruction.opname == "LOAD_GLOBAL" and instruction.argval in function.__globals__:
            global_value = function.__globals__[instruction.argval]
            if isinstance(global_value, (Symbol, FunctionType)):
                uses.append((global_value, open_calls[-1] if open_calls else None))
            if isinstance(global_value, (Event, Question, ModuleType)) or callable(global_value):
                open_calls.append(global_value)
        elif instruction.opname == "LOAD_GLOBAL":
            open_calls.append(None)  # a built-in function
        elif instruction.opname.startswith("CALL") and open_calls:
            open_calls.pop()
    return tuple(uses)


@cache
def reached_by(function: FunctionType) -> tuple[FunctionType, ...]:
    """Return a function and all functions that it calls, directly or indirectly."""
    reached: dict[FunctionType, None] = {}
    pending = [function]
    while pending:
        current = pending.pop()
        if current not in reached:
            reached[current] = None
            pending += [used for used, _ in uses_of(current) if isinstance(used, FunctionType)]
    return tuple(reached)


@cache
def pushes(function: Any) -> bool:
    """Return whether a function pushes decisions, directly or indirectly."""
    return isinstance(function, FunctionType) and any(reached in PUSHING for reached in reached_by(function))


@cache
def matters(function: FunctionType) -> bool:
    """Return whether a function announces an event, asks a question or pushes a decision, directly or indirectly."""
    return any(
        isinstance(used, (Event, Question)) or (isinstance(used, (Decision, Draw)) and pushes(call))
        for reached in reached_by(function)
        for used, call in uses_of(reached)
    )


@cache
def actions_named(function: FunctionType) -> frozenset[str]:
    """Return the names of the actions that a function uses, directly or indirectly."""
    used = (used for reached in reached_by(function) for used, _ in uses_of(reached))
    return frozenset(symbol.name for symbol in used if isinstance(symbol, Action))


class _Explainer:
    """Builds one tree. Repeated nodes refer to their first occurrence."""

    def __init__(self, composition: Composition):
        self.composition = composition
        self.shown: set = set()

    def rule_functions(self) -> list[Callable]:
        """Return all module functions that have a role, and all functions that they call, in order."""
        reached_functions = (
            reached for function in self.composition.functions_with_roles() for reached in reached_by(function)
        )
        return list(dict.fromkeys(reached_functions))

    def symbols(self, kinds: type | tuple[type, ...]) -> list[Any]:
        """Return the declarations of the given types that rule functions use or respond to, in order."""
        symbols: dict[Any, None] = dict.fromkeys(symbol for symbol in OF_THE_ENGINE if isinstance(symbol, kinds))
        for function in self.rule_functions():
            role_symbols = [symbol for role in getattr(function, "roles", ()) for symbol in role.symbols]
            for symbol in [*role_symbols, *(used for used, _ in uses_of(function))]:
                if isinstance(symbol, kinds):
                    symbols[symbol] = None
        return list(symbols)

    def users(self, label: str, symbol: Symbol) -> list[Explanation]:
        """Return nodes for the functions that announce an event, ask a question, or push a decision or draw."""
        return [
            self.named(label, function)
            for function in self.rule_functions()
            if any(
                used == symbol and (isinstance(symbol, (Event, Question)) or pushes(call))
                for used, call in uses_of(function)
            )
        ]

    def named(self, label: str, function: Callable, text: str = "") -> Explanation:
        """Return a node for a function, without children."""
        return Explanation(label, name_of(function), text, *place_of(function), getattr(function, "rules", ()))

    # -- nodes ------------------------------------------------------------------------------------------------

    def function(self, label: str, function: Callable, text: str = "") -> Explanation:
        """Return a node for a function, including its announcements, questions and pushed decisions."""
        if function in self.shown:
            again = "as above" if matters(function) else ""
            return self.named(label, function, ", ".join(part for part in (text, again) if part))
        self.shown.add(function)
        return replace(self.named(label, function, text), children=tuple(self.steps(function)))

    def steps(self, function: Callable) -> Iterator[Explanation]:
        """Yield nodes for a function's announcements, questions, pushes and relevant calls, in code order."""
        steps_shown = set()
        for used, call in uses_of(function):
            if used in steps_shown:
                continue
            match used:
                case Event():
                    yield self.event(used)
                case Question():
                    yield self.question(used)
                case Decision() if pushes(call):
                    yield Explanation("asks for decision", used.name, used.text)
                case Draw() if pushes(call):
                    yield self.draw(used.name)
                case FunctionType() if used is not function and matters(used):
                    yield self.function("calls", used)
                case _:
                    continue
            steps_shown.add(used)

    def event(self, event: Event) -> Explanation:
        """Return a node for an event, including its reactions in order."""
        return self._responses("announces", event, event.meaning, "reacts", self.composition.roles("when", event.name))

    def question(self, question: Question) -> Explanation:
        """Return a node for a question, including its answers in order."""
        start = f", beginning with {question.start}" if question.fold in (SUM, LEAST, MOST) else ""
        text = f"{question.meaning}; {FOLDS[question.fold]}{start}"
        return self._responses("asks", question, text, "answers", self.composition.roles("answers", question.name))

    def _responses(self, label: str, symbol: Any, text: str, word: str, functions: list[Callable]) -> Explanation:
        if not functions:
            return Explanation(label, symbol.name, f"{text}; no module {word}")
        if symbol in self.shown:
            return Explanation(label, symbol.name, "as above")
        self.shown.add(symbol)
        return Explanation(
            label, symbol.name, text, children=tuple(self.function(word, function) for function in functions)
        )

    def draw(self, name: str) -> Explanation:
        """Return a node for a draw, including its functions for weights and outcomes."""
        draw = self.composition.draws.get(name)
        if draw is None or draw in self.shown:
            return Explanation("draws", name, "as above" if draw else "")
        self.shown.add(draw)
        weights = self.composition.roles("weights", name)
        text = _text_of(draw) if weights else f"{_text_of(draw)}; all outcomes are equally likely"
        child_nodes = [self.function("weights", function) for function in weights]
        child_nodes += [self.function("outcome", function) for function in self.composition.roles("outcome", name)]
        return Explanation("draws", name, text, children=tuple(child_nodes))

    # -- explanations ------------------------------------------------------------------------------------

    def legal_functions(self, action: str) -> dict[Callable, list[str]]:
        """Return the `@legal` functions that refer to an action, each with the decisions at which it runs."""
        decisions_by_function: dict[Callable, list[str]] = {}
        for decision in self.composition.decisions:
            for function in self.composition.roles("legal", decision):
                if action in actions_named(function):
                    decisions_by_function.setdefault(function, []).append(decision)
        return decisions_by_function

    def appliers(self, action: str) -> dict[Callable, list[str]]:
        """Return an action's `@apply` functions, each with the decisions at which it carries out the action."""
        appliers_by_decision = self.composition.appliers(action)
        general_applier = appliers_by_decision.pop("", None)
        legal_at = dict.fromkeys(name for names in self.legal_functions(action).values() for name in names)
        decisions_by_function: dict[Callable, list[str]] = {}
        if general_applier:
            decisions_by_function[general_applier] = [name for name in legal_at if name not in appliers_by_decision]
        for decision, function in appliers_by_decision.items():
            decisions_by_function.setdefault(function, []).append(decision)
        return decisions_by_function

    def action(self, name: str) -> Explanation:
        """Return a node for an action: its condition, the functions that mark and apply it, and the final event."""
        action = self.composition.actions[name]
        child_nodes = [Explanation("needs", action.needs)] if action.needs else []
        for function, decisions in self.legal_functions(name).items():
            child_nodes.append(self.function("legal", function, _at(decisions)))
        for function, decisions in self.appliers(name).items():
            child_nodes.append(self.function("apply", function, _at(decisions)))
        child_nodes.append(Explanation("then", "", children=(self.event(ACTION_RESOLVED),)))
        return Explanation("action", name, _text_of(action), children=tuple(child_nodes))

    def decision(self, name: str) -> Explanation:
        """Return a node for a decision: the functions that push it, mark its legal actions and carry them out."""
        decision = self.composition.decisions[name]
        child_nodes = self.users("asked for by", decision)
        child_nodes += [self.function("legal", function) for function in self.composition.roles("legal", name)]
        for action in self.composition.actions:
            for function, decisions in self.appliers(action).items():
                if name in decisions:
                    child_nodes.append(self.named("apply", function, action))
        return Explanation("decision", name, decision.text, children=tuple(child_nodes))

    def symbol(self, symbol: Event | Question | Draw) -> Explanation:
        """Return a node for an event, question or draw, including its users and responses."""
        node_makers: dict[type, tuple[str, str, Callable[[Any], Explanation]]] = {
            Event: ("event", "announced by", self.event),
            Question: ("question", "asked by", self.question),
            Draw: ("draw", "drawn by", lambda draw: self.draw(draw.name)),
        }
        label, users_label, make_node = node_makers[type(symbol)]
        explanation = make_node(symbol)
        return replace(explanation, label=label, children=(*self.users(users_label, symbol), *explanation.children))

    def overview(self) -> Explanation:
        """Return a node for the whole scenario: all declarations, each with its functions."""
        composition = self.composition

        def listed(label: str, functions: Any) -> tuple[Explanation, ...]:
            return tuple(self.named(label, function) for function in functions)

        nodes = [Explanation("module", module_name(module)) for module in composition.modules]
        nodes += listed("set up", composition.roles("set_up"))
        nodes += [
            Explanation("decision", name, decision.text, children=listed("legal", composition.roles("legal", name)))
            for name, decision in composition.decisions.items()
        ]
        for name, action in composition.actions.items():
            appliers = tuple(
                self.named("apply", function, _at(decisions)) for function, decisions in self.appliers(name).items()
            )
            nodes.append(Explanation("action", name, _text_of(action), children=appliers))
        for name, draw in composition.draws.items():
            child_nodes = listed("weights", composition.roles("weights", name))
            child_nodes += listed("outcome", composition.roles("outcome", name))
            nodes.append(Explanation("draw", name, _text_of(draw), children=child_nodes))
        for event in self.symbols(Event):
            child_nodes = listed("reacts", composition.roles("when", event.name))
            nodes.append(Explanation("event", event.name, event.meaning, children=child_nodes))
        for question in self.symbols(Question):
            child_nodes = listed("answers", composition.roles("answers", question.name))
            nodes.append(
                Explanation(
                    "question", question.name, f"{question.meaning}; {FOLDS[question.fold]}", children=child_nodes
                )
            )
        nodes += [Explanation("field", field.name, field.meaning) for field in composition.fields.values()]
        nodes += [Explanation("number", number.name, number.meaning) for number in composition.numbers.values()]
        nodes += [
            self.named("helper", helper, f"{signature_of(helper)}: {purpose_of(helper)}")
            for helper in helpers_of(composition.modules).values()
        ]
        return Explanation("scenario", composition.display_name, children=tuple(nodes))


def _text_of(symbol: Action | Draw) -> str:
    """Return the sentence for an action or draw, with its axis name in place of the argument."""
    names = symbol.over.name if isinstance(symbol.over, Size) else "/".join(symbol.over or ())
    return symbol.text.replace("{}", f"{{{names}}}")


def _at(decisions: list[str]) -> str:
    return f"at {', '.join(decisions)}" if decisions else ""
