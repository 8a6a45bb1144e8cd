"""The view of a seat as JSON and as text, and its actions as sentences and ids.

Both forms are derived from the seat's `flat` observation, so they contain nothing that the seat may not know.
"""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np

from catan_env.engine.arguments import check_count, check_index
from catan_env.engine.batch import BatchEngine
from catan_env.errors import IllegalActionError
from catan_env.render.words import sentence_for

LAST_NUMBER = re.compile(r"\d+")
"""Matches ids in a reply. The last one is used, so that a model can think aloud before answering."""


def observation_json(engine: BatchEngine, game: int = 0, seat: int | None = None) -> dict[str, Any]:
    """Return a seat's view as a JSON-serializable dict.

    Keys are the parts of feature names: `{"hands": {"me": {"brick": 1}, "left_1": {"total": 2}}}`. Zeros and unset
    flags are omitted. Things on the board are listed by place name. Players are called "me" and "left_1", "left_2", ...
    in playing order.

    Args:
        engine, game: the engine, and the index of the game.
        seat: the observing seat; None for the seat to act.

    Raises:
        OptionError: the game or seat does not exist.
    """
    check_index("game", game, engine.num_games)
    seat = int(engine.seat_to_act[game]) if seat is None else seat
    check_count("seat", seat, 0, engine.num_players - 1)
    encoder = engine.encoder("flat", "uint8")
    row = encoder.encode(seat, games=[game])[0]
    names = engine.place_names(game)
    found: dict[str, Any] = {"seat": seat}
    for k in np.flatnonzero(row):
        column, value = encoder.layout.columns[k], int(row[k])
        if column.place_kind is None:
            *parents, last = column.name.split("/")
            _nested(found, parents)[last] = value if column.high > 1 else True
            continue
        places = names.get(column.place_kind)
        place = places[column.place_index] if places else column.name.rsplit("/", 1)[-1]
        *parents, last = column.channel.split("/")
        listed = _nested(found, parents).setdefault(last, [])
        listed.append(place if column.high == 1 else f"{place}: {value}")
    return found


def _nested(table: dict[str, Any], keys: list[str]) -> dict[str, Any]:
    """Return the nested table found by following the keys. Any number along the way is moved to an entry "count"."""
    for key in keys:
        below = table.setdefault(key, {})
        if not isinstance(below, dict):
            below = table[key] = {"count": below}
        table = below
    return table


def observation_text(engine: BatchEngine, game: int = 0, seat: int | None = None) -> str:
    """Return a seat's view as lines of text; arguments and errors are as for `observation_json`."""
    lines: list[str] = []
    _write(observation_json(engine, game, seat), [], lines)
    return "\n".join(lines)


def _write(value: Any, path: list[str], lines: list[str]) -> None:
    """Write a table as lines of the form "name of things: content"."""
    head = " ".join(path).replace("_", " ")
    if not isinstance(value, dict):
        lines.append(f"{head}: {'; '.join(value) if isinstance(value, list) else 'yes' if value is True else value}")
    elif value and all(type(entry) is int for entry in value.values()):
        lines.append(f"{head}: " + ", ".join(f"{entry} {key.replace('_', ' ')}" for key, entry in value.items()))
    elif path and value and all(entry is True for entry in value.values()):
        lines.append(f"{head}: " + ", ".join(key.replace("_", " ") for key in value))
    else:
        for key, entry in value.items():
            _write(entry, [*path, key], lines)


def legal_actions(engine: BatchEngine, game: int = 0) -> list[dict[str, Any]]:
    """Return the legal actions, sorted by id: `[{"id": 17, "text": "build a road on ..."}, ...]`."""
    check_index("game", game, engine.num_games)
    legal = np.flatnonzero(engine.action_mask[game])
    return [{"id": int(action), "text": sentence_for(engine, game, int(action))} for action in legal]


def parse_action(engine: BatchEngine, game: int, reply: str) -> int:
    """Return the legal action named in a reply, either by id (the last number in the reply) or by sentence.

    Raises:
        IllegalActionError: the reply names no legal action.
    """
    text = reply.strip()
    actions = legal_actions(engine, game)
    for action in actions:
        if text.lower().rstrip(".") == action["text"].lower():
            return action["id"]
    numbers = LAST_NUMBER.findall(text)
    if numbers and len(numbers[-1]) < 10 and int(numbers[-1]) in {action["id"] for action in actions}:
        return int(numbers[-1])
    shown = text if len(text) <= 80 else f"{text[:77]}..."
    raise IllegalActionError(
        f"{shown!r} names no legal action. End with the id of one of the {len(actions)} legal actions, such as "
        f"{actions[0]['id']}."
    )


def prompt(engine: BatchEngine, game: int = 0, form: str = "text") -> str:
    """Return the position and the legal actions of the seat to act, followed by a request for one id.

    Args:
        engine, game: the engine, and the index of the game.
        form: format of the observation, "text" or "json".
    """
    seen = observation_text(engine, game) if form == "text" else json.dumps(observation_json(engine, game))
    actions = "\n".join(f"{action['id']}: {action['text']}" for action in legal_actions(engine, game))
    return f"What you see:\n{seen}\n\nLegal actions:\n{actions}\n\nAnswer with the id of one action."
