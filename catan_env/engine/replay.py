"""Replay logs, which store a game as `(kind, argument)` moves, including chance outcomes, independently of seeds."""

from __future__ import annotations

import copy
import json
import operator
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from catan_env.engine.binding import digest
from catan_env.engine.decision_stack import CHANCE
from catan_env.engine.declare import NUM_PLAYERS
from catan_env.engine.registry import requirement_of, scenario_in_file
from catan_env.errors import CatanError, ReplayError, UnknownScenarioError
from catan_env.text_files import read_json

FORMAT = "catan-replay/1"
KEYS = {"format", "scenario", "version", "layout", "num_players", "rules", "board", "moves", "checksum"}


def write_log(engine: Any, game: int, entries: list[int]) -> dict[str, Any]:
    """Build the log of one game from its entries: action ids, and outcome ids offset by the number of actions."""
    n = engine.actions.n
    moves = [
        [*engine.actions.pair(entry)] if entry < n else [*engine.outcomes.pair(entry - n), "chance"]
        for entry in entries
    ]
    requirement = requirement_of(engine.scenario)
    log = {
        "format": FORMAT,
        "scenario": engine.scenario.reference,
        **({"requires": requirement} if requirement else {}),
        "version": engine.scenario.version,
        "layout": engine.layout_hash,
        "num_players": engine.num_players,
        "seed": int(engine.seeds[game]),
        "rules": _rules_of(engine),
        "board": engine.scenario.board.save(),
        "moves": moves,
    }
    return {**log, "checksum": _checksum(log)}


def _rules_of(engine: Any) -> dict[str, Any]:
    """Return the overridden rule numbers, or all numbers if the scenario comes from a file, since files may change."""
    if not engine.scenario.file:
        return copy.deepcopy(engine.overrides)
    return {name: value for name, value in engine.rules.items() if name != NUM_PLAYERS.name}


def annotated(log: Mapping[str, Any], **notes: Any) -> dict[str, Any]:
    """Return a JSON-compatible log with notes added. Replaying ignores notes.

    Replay pages use two notes: `players`, the name of each seat, and `probabilities`, a list of [action id,
    probability] pairs, or None, for each move.

    Raises:
        ReplayError: a note has the same name as a required key.
    """
    taken_names = KEYS & set(notes)
    if taken_names:
        raise ReplayError(
            f"A note in a replay log cannot have the name {min(taken_names)!r}, which is a key of the log. Rename it."
        )
    annotated_log = {**log, **notes}
    return {**annotated_log, "checksum": _checksum(annotated_log)}


def _checksum(log: Mapping[str, Any]) -> str:
    return digest([json.dumps({key: value for key, value in log.items() if key != "checksum"}, sort_keys=True)])


def log_of(log: Mapping[str, Any] | str | Path) -> Mapping[str, Any]:
    """Return a log, reading it from a JSON file if `log` is a path.

    Raises:
        ReplayError: the file cannot be read or does not hold a JSON object.
    """
    return read_json(log, "replay log", ReplayError) if isinstance(log, (str, Path)) else log


def replay_steps(log: Mapping[str, Any] | str | Path, engine_class: type[Any], scenario: Any = None) -> Iterator[Any]:
    """Play a log in an engine with explicit chance, yielding the engine at the start and after each move.

    `log` is a log or the path of a log file. `scenario` overrides the log's scenario, for example after a scenario file
    has moved. Loading a log never imports code: import the module that registers the scenario beforehand, unless an
    installed package has an entry point for it.

    Raises:
        ReplayError: the log is corrupt or does not match its scenario version.
    """
    log = log_of(log)
    if not isinstance(log, Mapping) or not set(log) >= KEYS or log["format"] != FORMAT:
        raise ReplayError(
            f"Not a replay log: it needs the format {FORMAT!r} and the keys {', '.join(sorted(KEYS))}. Give the "
            "result of `engine.replay_log`, or the path of a JSON file with it."
        )
    try:
        checksum = _checksum(log)
    except (TypeError, ValueError, RecursionError) as error:
        raise ReplayError(f"The replay log is damaged: {error}.") from None
    if log["checksum"] != checksum:
        raise ReplayError(
            "The replay log is damaged: its checksum does not match its contents. Restore an earlier copy."
        )
    try:
        options = {"rules": log["rules"], "board": log["board"], "chance": "explicit", "record": True}
        options["compiled"] = "auto"
        options["seed"] = [log.get("seed", 0)]  # recorded in logs of this engine; moves do not depend on it
        chosen = scenario_in_file(log["scenario"]) if scenario is None else scenario
        engine = engine_class(chosen, 1, log["num_players"], **options)
    except UnknownScenarioError as error:
        hint = " If it is a scenario file that has moved: catan_env.replay(log, scenario=PATH)."
        needed = log.get("requires")
        if isinstance(needed, Mapping):
            hint = f" The log was recorded with {needed.get('module')} {needed.get('version') or '(no version)'}."
        raise ReplayError(f"The replay log cannot be played: {error}{hint}") from error
    except CatanError as error:
        raise ReplayError(f"The replay log cannot be played: {error}") from error
    if not isinstance(log["moves"], list):
        raise ReplayError(f"The replay log is damaged: its moves are {log['moves']!r}, not a list.")
    if engine.layout_hash != log["layout"] or engine.scenario.version != log["version"]:
        raise ReplayError(
            f"The log was recorded with version {log['version']} (layout {log['layout']}) of {log['scenario']!r}; "
            f"this is version {engine.scenario.version} (layout {engine.layout_hash})."
        )
    yield engine
    for move_number, move in enumerate(log["moves"]):
        try:
            engine.step(np.array([_id_of(move, engine)]))
        except (CatanError, TypeError, ValueError, OverflowError) as error:
            raise ReplayError(f"Move {move_number} of the log, {move!r}, cannot be played: {error}") from error
        yield engine


def _id_of(move: Any, engine: Any) -> int:
    """Return the id of a move, which is `[kind, argument]`, or `[kind, argument, "chance"]` for an outcome."""
    if not isinstance(move, (list, tuple)) or len(move) not in (2, 3) or list(move[2:]) not in ([], ["chance"]):
        raise ValueError('a move is [kind, argument], followed by "chance" if chance made it')
    if (len(move) == 3) != (engine.seat_to_act[0] == CHANCE):
        raise ValueError(
            f"the current decision is {engine.decision(0)!r}; 'chance' marks the moves of chance, and no others"
        )
    kind, argument = move[:2]
    if not isinstance(kind, str):
        raise ValueError(f"its kind {kind!r} must be a string")
    return (engine.outcomes if len(move) == 3 else engine.actions).id(kind, operator.index(argument))


def replay(log: Mapping[str, Any] | str | Path, engine_class: type[Any], scenario: Any = None) -> Any:
    """Play all moves of a log in a new engine with one game and explicit chance, and return the engine.

    Raises:
        ReplayError: see `replay_steps`.
    """
    *_, engine = replay_steps(log, engine_class, scenario)
    return engine
