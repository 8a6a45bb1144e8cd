"""Compiled scenarios: record and table layouts, action tables and kernels."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

import numpy as np

from catan_env.engine.actions import ActionTable
from catan_env.engine.binding import did_you_mean, digest, module_name, packed_dtype
from catan_env.engine.board import Board
from catan_env.engine.board_arrays import check_board_arrays, check_reads
from catan_env.engine.compose import Composition
from catan_env.engine.declare import NUM_PLAYERS, TRAITS
from catan_env.engine.determinise import compose_looks_alike, compose_redeal
from catan_env.engine.fixed_odds import tables_of
from catan_env.engine.scenario import Scenario
from catan_env.errors import BoardError, CompositionError

OWN_ARRAYS = ("traits", "num_decisions", "num_actions")
"""Arrays that the program adds to `params` in addition to its action tables."""


class Program:
    """The part of a scenario that does not depend on rule numbers, number of players, board or seed.

    `program_of` creates one program per scenario and process. Kernels are compiled, or loaded from the cache, on first
    use.
    """

    def __init__(self, scenario: Scenario):
        self.scenario = scenario
        self.composition = composition_of(scenario)
        self.actions, self.outcomes = self._action_tables(scenario.names)
        self.record_dtype = self.composition.record_dtype
        self.record_hash, self.snapshot_hash = (
            digest([repr(self.composition.layout_of_record(derived))]) for derived in (False, True)
        )

    def action_tables(self, names: Mapping[str, tuple[str, ...]]) -> tuple[ActionTable, ActionTable]:
        """Return the action and outcome tables with these place names, which depend on the board."""
        return (self.actions, self.outcomes) if names == self.scenario.names else self._action_tables(names)

    def _action_tables(self, names: Mapping[str, tuple[str, ...]]) -> tuple[ActionTable, ActionTable]:
        return (
            ActionTable(self.composition, self.composition.actions, names),
            ActionTable(self.composition, self.composition.draws, names),
        )

    @cached_property
    def blank(self) -> np.ndarray:
        """(1,) record with every field at its default."""
        record = np.zeros(1, self.record_dtype)
        for field in self.composition.fields.values():
            record[field.name] = field.default
        return record

    @cached_property
    def max_outcomes(self) -> int:
        """The largest number of outcomes of any draw."""
        return max((self.composition.extent(draw.over) for draw in self.composition.draws.values()), default=1)

    @cached_property
    def longest_row(self) -> int:
        """Length of the longest last axis of any field."""
        shapes = map(self.composition.shape, self.composition.fields.values())
        return max(shape[-1] for shape in shapes if shape)

    @cached_property
    def _layouts(self) -> dict[str, np.ndarray]:
        """The kind and argument of each action, and the outcomes of each draw."""
        draws = self.composition.draws
        return {
            "action_kind": np.array([self.actions.kinds.index(kind) for kind in self.actions.kind_of], np.uint8),
            "action_argument": np.array(self.actions.argument_of, np.int16),
            "draw_first": np.array([self.composition.first(name) for name in draws] or [0], np.int16),
            "draw_size": np.array([self.composition.extent(draw.over) for draw in draws.values()] or [0], np.int16),
            **tables_of(self.composition),
        }

    def kernel(self, template: Callable) -> Callable:
        """Return a compiled kernel: the template with its declarations resolved for this scenario."""
        return self.composition.kernel(template)

    def params(self, values: Mapping[str, Any], board: Board) -> np.ndarray:
        """Return the constants that rules read, as an array of one record: rule numbers, board arrays, action table."""
        arrays: dict[str, np.ndarray] = {}
        for name, number in self.composition.numbers.items():
            value = values[name]
            arrays[name] = np.asarray(number.choices.index(value) if number.choices else value, np.int32)
        board_arrays = {name: np.asarray(array) for name, array in board.tables(values, self.scenario.colors).items()}
        if taken_names := sorted(board_arrays.keys() & {*arrays, *self._layouts, *OWN_ARRAYS}):
            raise BoardError(f"{board.label}: params.{taken_names[0]} already exists; give the mark another name")
        check_board_arrays(board, board_arrays, self.composition)
        check_reads(board, self.composition.params_reads, self.composition)
        arrays |= board_arrays
        arrays |= self._layouts
        arrays["traits"] = self._traits(values[NUM_PLAYERS.name])
        arrays["num_decisions"] = np.asarray(len(self.composition.decisions), np.int32)
        arrays["num_actions"] = np.asarray(self.actions.n, np.int32)
        for name, reader in self.composition.params_reads.items():
            if name not in arrays:
                raise CompositionError(
                    f"{reader} uses params.{name}, but no module of {self.scenario.name!r} declares such a number, "
                    f"and its board has no such array.{did_you_mean(name, arrays)}"
                )
        entries_by_name = [(name, entries.dtype, entries.shape) for name, entries in arrays.items()]
        params = np.zeros(1, packed_dtype("params", self.composition.name, entries_by_name))
        for name, array in arrays.items():
            params[name] = array
        return params

    def _traits(self, num_players: int) -> np.ndarray:
        """Return the abilities of each color, uint8 of shape (PLAYERS,), with bits in the order of `TRAITS`."""
        colors, neutrals = self.scenario.colors, self.scenario.neutrals
        traits = np.zeros(colors, np.uint8)
        traits[:num_players] = 2 ** len(TRAITS) - 1
        traits[colors - neutrals.count :] = sum(1 << TRAITS.index(trait) for trait in neutrals.traits)
        return traits


_compositions: dict[tuple, Composition] = {}


def composition_of(scenario: Scenario) -> Composition:
    """Return a scenario's composed rules. Scenarios with the same modules and sizes share one composition."""
    sizes = tuple(sorted(scenario.sizes.items()))
    key = (tuple(map(id, scenario.modules)), sizes)  # namespaces may be unhashable; the composition keeps them alive
    if key not in _compositions:
        name = digest([*map(module_name, scenario.modules), repr(sizes)])[:12]
        composition = Composition(f"rules_{name}", scenario.modules, scenario.sizes, scenario.name)
        compose_redeal(composition)
        compose_looks_alike(composition)
        _compositions[key] = composition
    return _compositions[key]


_programs: dict[tuple, Program] = {}


def program_of(scenario: Scenario) -> Program:
    """Return a scenario's compiled program, created once per process."""
    modules = tuple(map(id, scenario.modules))  # namespaces may be unhashable; the program keeps them alive
    key = (scenario.name, scenario.version, modules, tuple(scenario.sizes.items()), scenario.neutrals.traits)
    if key not in _programs:
        _programs[key] = Program(scenario)
    return _programs[key]
