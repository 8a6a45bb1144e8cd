"""Scenario files: TOML descriptions of scenarios. *Writing a scenario* lists the keys.

`read_scenario` reads a file; `scenario_from` takes the same keys from a mapping. A scenario that `extends` another
inherits its facts, modules, board, numbers, neutral colors and optional rules, and can override them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any

from catan_env.board import load_map
from catan_env.board.files import ENDINGS
from catan_env.engine.binding import did_you_mean, rule_functions
from catan_env.engine.board import Board, NoBoard
from catan_env.engine.declare import TRAITS
from catan_env.engine.program import composition_of
from catan_env.engine.registry import find_scenario, is_registered, register
from catan_env.engine.scenario import (
    CHANCE,
    INFORMATION,
    STATUS,
    TURN_LIMIT,
    UTILITY,
    Facts,
    Neutrals,
    OptionalRule,
    Scenario,
)
from catan_env.errors import BoardError, CatanError, CompositionError, RuleValueError, UnknownRuleError
from catan_env.games.dice_game.paper import read_sheet
from catan_env.games.map_board import MapBoard
from catan_env.games.rule_modules import find_module, name_in_files
from catan_env.games.source_text import SourceText, read_toml
from catan_env.text_files import has_ending

KEYS = (
    "name",
    "version",
    "title",
    "summary",
    "history",
    "extends",
    "modules",
    "without",
    "add_before",
    "add",
    "facts",
    "board",
    "neutrals",
    "numbers",
    "numbers_for",
    "optional",
)
"""Keys of a scenario description."""
CHOICES = {"information": INFORMATION, "chance": CHANCE, "utility": UTILITY, "status": STATUS}
BOARD_KEYS = ("map", "map_for", "neutral_settlements", "sheet")
SHEETS = Path(__file__).parent / "dice_game" / "sheets"

_read: dict[Path, tuple[dict[Path, tuple[int, int]], Scenario]] = {}
"""Scenarios keyed by file, each with the stamps of all files it was read from."""


def read_scenario(path: Path | str) -> Scenario:
    """Return the scenario defined in a file; it is cached until that file or any file it refers to changes.

    Raises:
        UnknownScenarioError: the file does not exist or cannot be read.
        ScenarioFileError: the file does not describe a scenario; the message gives the file, line and key.
    """
    path = Path(path).expanduser().resolve()
    if path in _read:
        stamps, scenario = _read[path]
        if all(_stamp(file) == stamp for file, stamp in stamps.items()):
            return scenario
    description, source = read_toml(path)
    builder = _Builder({"name": path.stem, **description}, source)
    scenario = replace(builder.scenario(), file=str(path))
    if is_registered(scenario.name):
        raise source.error(("name",), f"{scenario.name!r} is the name of a registered scenario; choose another.")
    builder.check(scenario)
    _read[path] = ({file: _stamp(file) for file in (path, *builder.files)}, scenario)
    return scenario


def register_file(path: Path | str) -> Scenario:
    """Register the scenario defined by a file in another package, and return it.

    The scenario can then be found by its name, or as "module:name" in places where only the calling module is known.

    Raises:
        UnknownScenarioError, ScenarioFileError: see `read_scenario`.
    """
    return register(replace(read_scenario(path), file=""))


def register_files(folder: Path) -> None:
    """Register the scenario files in a folder of the package. A scenario's default name is its file name."""
    for path in sorted(folder.glob("*.toml")):
        _registered(path.resolve())


def _registered(path: Path) -> Scenario:
    """Register the scenario defined in a package file, after those that it extends, and return it."""
    if path not in _read:
        description, source = read_toml(path)
        scenario = _Builder({"name": path.stem, **description}, source).scenario()
        _read[path] = ({}, register(scenario))
    return _read[path][1]


def scenario_from(description: Mapping[str, Any], modules: tuple | None = None, board: Board | None = None) -> Scenario:
    """Register the scenario described by a mapping, and return it.

    Args:
        description: the keys of a scenario file. `modules` may contain module objects, and `board.map` may be a mapping
            with the contents of a map file.
        modules: the rule modules, replacing the key `modules`.
        board: the board, replacing the key `board`.

    Raises:
        ScenarioFileError: a key is missing, unknown or invalid.
    """
    source = SourceText(f"The description of scenario {description.get('name', '?')!r}")
    if "name" not in description:
        raise source.error((), "it lacks the key 'name'.")
    if modules is not None:
        description = {**description, "modules": list(modules)}
    builder = _Builder(description, source)
    scenario = builder.scenario()
    return register(replace(scenario, board=board) if board is not None else scenario)


def _stamp(file: Path) -> tuple[int, int]:
    """Return a file's modification time and size; zeros if it does not exist."""
    try:
        file_status = file.stat()
    except OSError:
        return (0, 0)
    return file_status.st_mtime_ns, file_status.st_size


class _Builder:
    """Builds a scenario from a description."""

    def __init__(self, description: Mapping[str, Any], source: SourceText):
        self.description, self.source = description, source
        self.files: list[Path] = []
        source.check_keys(description, (), KEYS)
        for key in ("name", "title", "summary", "extends"):
            self._expect(description.get(key, ""), (key,), str, "text")
        self._expect(description.get("version", 0), ("version",), int, "an integer")
        self.base = self._extended() if "extends" in description else None
        if self.base is None:
            for path in (("title",), ("modules",), ("facts", "players")):
                self._require(path)

    def scenario(self) -> Scenario:
        """Return the scenario without checking that numbers are within bounds; `check` does that."""
        get, base = self.description.get, self.base
        modules = self._modules()
        facts = self._facts()
        neutrals = self._neutrals()
        declared_names = {number.name for module in modules for number in getattr(module, "NUMBERS", ())}
        numbers = {**self._kept(base.numbers if base else {}, declared_names), **self._table("numbers")}
        if TURN_LIMIT in self._table("numbers"):
            raise self.source.error(("numbers", TURN_LIMIT), "set facts.longest_game instead.")
        if facts.longest_game is not None and TURN_LIMIT not in declared_names:
            raise self.source.error(("facts", "longest_game"), f"no module declares a number {TURN_LIMIT!r}.")
        name = str(get("name"))
        if not name or "+" in name:
            raise self.source.error(("name",), f"this is {name!r}; a name must have one or more characters and no '+'.")
        return Scenario(
            name=name,
            version=get("version", 0),
            title=get("title", name),
            summary=get("summary", ""),
            facts=facts,
            modules=modules,
            board=self._board(neutrals),
            numbers=numbers,
            numbers_for=self._numbers_for(facts, declared_names),
            neutrals=neutrals,
            optional=self._optional(facts),
            history=tuple(self._list(get("history", ()), ("history",))),
        )

    def check(self, scenario: Scenario) -> None:
        """Raise `ScenarioFileError` unless modules and board fit together and all numbers are valid."""
        variants: list[tuple[tuple[str, ...], Scenario, Mapping[str, Any]]] = [((), scenario, self.description)]
        for name, rule in scenario.optional.items():
            variant_table = self._table("optional").get(name, {})
            variants.append((("optional", name), scenario.with_rule(name, rule), variant_table))
        for path, variant, variant_table in variants:
            try:
                declared_numbers = composition_of(variant).numbers
            except CompositionError as error:
                raise self.source.error(path or ("modules",), f"the modules do not fit together: {error}") from error
            self._check_numbers(
                variant, declared_numbers, (*path, "numbers"), variant_table.get("numbers", {}), variant.players[-1]
            )
            for count, values in variant_table.get("numbers_for", {}).items():
                self._check_numbers(variant, declared_numbers, (*path, "numbers_for", count), values, int(count))
            for count in variant.players:
                try:
                    variant.board.laid(None, count).tables(variant.values(declared_numbers, count, {}), variant.colors)
                except BoardError as error:
                    raise self.source.error(("board",), str(error)) from error

    def _check_numbers(self, scenario: Scenario, declared: Mapping, path: tuple, stated: Mapping, count: int) -> None:
        plain_scenario = replace(scenario, numbers={}, numbers_for={})
        for name, value in stated.items():
            try:
                plain_scenario.values(declared, count, {name: value})
            except (UnknownRuleError, RuleValueError) as error:
                raise self.source.error((*path, name), str(error)) from error

    # -- parts ----------------------------------------------------------------------------------------------

    def _extended(self) -> Scenario:
        """Return the scenario that this one extends."""
        name = self.description["extends"]
        try:
            if has_ending(name, ".toml"):
                path = self._path(name)
                self.files.append(path)
                return read_scenario(path)
            file = next(Path(__file__).parent.glob(f"*/scenarios/{name}.toml"), None) if name.isidentifier() else None
            return find_scenario(name) if file is None else _registered(file.resolve())
        except CatanError as error:
            raise self.source.error(("extends",), str(error)) from error

    def _modules(self) -> tuple:
        get = self.description.get
        stated_entries = self._list(get("modules", ()), ("modules",))
        modules = [self._module(entry, ("modules",)) for entry in stated_entries] or list(
            self.base.modules if self.base else ()
        )
        for entry in self._list(get("without", ()), ("without",)):
            self._position(entry, modules, ("without",))
            modules.remove(self._module(entry, ("without",)))
        added_before = get("add_before", {})
        self.source.check_keys(added_before, ("add_before",), [*map(name_in_files, modules)])
        for anchor_name, anchor_entries in added_before.items():
            path = ("add_before", anchor_name)
            position = self._position(anchor_name, modules, path)
            modules[position:position] = [self._module(entry, path) for entry in self._list(anchor_entries, path)]
        modules += [self._module(entry, ("add",)) for entry in self._list(get("add", ()), ("add",))]
        for position, module in enumerate(modules):
            if any(module is earlier_module for earlier_module in modules[:position]):
                name = name_in_files(module)
                key = next((key for key in ("add", "modules") if name in get(key, ())), "modules")
                raise self.source.error((key,), f"rule module {name!r} is listed twice.", name)
        return tuple(modules)

    def _module(self, name: Any, path: tuple) -> Any:
        """Return the rule module with this name. Mappings may contain module objects instead of names."""
        if not isinstance(name, str):
            return name
        try:
            module = find_module(name, self.source.folder)
        except CompositionError as error:
            raise self.source.error(path, str(error), name) from error
        if not (rule_functions(module) or any(hasattr(module, words) for words in ("FIELDS", "NUMBERS", "KINDS"))):
            raise self.source.error(path, f"{name!r} is not a rule module: it declares nothing and has no rules.", name)
        if name.endswith(".py"):
            self.files.append(self._path(name))
        return module

    def _position(self, name: str, modules: list, path: tuple) -> int:
        names = [name_in_files(module) for module in modules]
        if name not in names:
            hint = did_you_mean(name, names)
            raise self.source.error(path, f"no module {name!r} here.{hint} Available: {', '.join(names)}.", name)
        return names.index(name)

    def _facts(self) -> Facts:
        stated_facts, path = self._table("facts"), ("facts",)
        self.source.check_keys(stated_facts, path, [fact_field.name for fact_field in fields(Facts)])
        facts = {**(asdict(self.base.facts) | {"status": "own"} if self.base else {}), **stated_facts}
        for key, allowed_values in CHOICES.items():
            if facts.get(key, allowed_values[0]) not in allowed_values:
                raise self.source.error((*path, key), f"this is {facts[key]!r}; allowed: {', '.join(allowed_values)}.")
        players = facts["players"]
        are_counts = isinstance(players, (list, tuple)) and all(type(n) is int and n > 0 for n in players)
        if not are_counts or not players or list(players) != sorted(set(players)):
            raise self.source.error(
                (*path, "players"), f"this is {players!r}; list the numbers of players in ascending order, as [3, 4]."
            )
        longest_game = facts.get("longest_game")
        if longest_game is not None and (type(longest_game) is not int or longest_game < 1):
            raise self.source.error((*path, "longest_game"), f"this is {longest_game!r}; it must be a number of turns.")
        return Facts(**{**facts, "players": tuple(players)})

    def _neutrals(self) -> Neutrals:
        if "neutrals" not in self.description:
            return self.base.neutrals if self.base else Neutrals()
        neutral_table, path = self._table("neutrals"), ("neutrals",)
        self.source.check_keys(neutral_table, path, [neutral_field.name for neutral_field in fields(Neutrals)])
        self._expect(neutral_table.get("count", 0), (*path, "count"), int, "an integer")
        for trait in neutral_table.get("traits", ()):
            if trait not in TRAITS:
                hint = did_you_mean(trait, TRAITS)
                message = f"unknown trait {trait!r}.{hint} Colors can have {', '.join(TRAITS)}."
                raise self.source.error((*path, "traits"), message, trait)
        return Neutrals(neutral_table.get("count", 0), tuple(neutral_table.get("traits", ())))

    def _board(self, neutrals: Neutrals) -> Board:
        if "board" not in self.description:
            return self.base.board if self.base else NoBoard()
        board_table, path = self._table("board"), ("board",)
        self.source.check_keys(board_table, path, BOARD_KEYS)
        if ("map" in board_table) == ("sheet" in board_table):
            raise self.source.error(path, "give exactly one of 'map' and 'sheet'.")
        if "sheet" in board_table:
            return self._read((*path, "sheet"), board_table["sheet"], self._sheet)
        neutral_settlements = board_table.get("neutral_settlements", ())
        if len(neutral_settlements) not in (0, neutrals.count):
            message = f"this has {len(neutral_settlements)} entries; {neutrals.count} neutral colors need one each."
            raise self.source.error((*path, "neutral_settlements"), message)
        main_map = self._read((*path, "map"), board_table["map"], load_map)
        stated_maps = board_table.get("map_for", {})
        other_maps = {
            int(n): self._read((*path, "map_for", n), other_map, load_map) for n, other_map in stated_maps.items()
        }
        for count, other_map in other_maps.items():
            if other_map.sizes != main_map.sizes:
                differing_axes = [axis for axis in main_map.sizes if main_map.sizes[axis] != other_map.sizes.get(axis)]
                message = (
                    f"the map must have the sizes of {main_map.name!r}, but differs in: {', '.join(differing_axes)}."
                )
                raise self.source.error((*path, "map_for", count), message)
        board = MapBoard(main_map, other_maps, neutral_settlements)
        return self._read((*path, "neutral_settlements"), board, _with_places)

    def _sheet(self, name: str | Path) -> Board:
        file = Path(name)
        return read_sheet(file if file.suffix else SHEETS / f"{name}.toml")

    def _read(self, path: tuple, value: Any, read: Any) -> Any:
        """Read part of a board. File paths are relative to the scenario file's folder."""
        if isinstance(value, str) and has_ending(value, *ENDINGS):
            value = self._path(value)
            self.files.append(value)
        try:
            return read(value)
        except (CatanError, OSError) as error:
            raise self.source.error(path, str(error)) from error

    def _numbers_for(self, facts: Facts, declared: set[str]) -> dict[int, dict[str, Any]]:
        stated_numbers = self._counted(("numbers_for",), self._table("numbers_for"), facts)
        if self.base is None or "players" in self._table("facts"):
            return stated_numbers
        inherited = declared - self._table("numbers").keys()  # the file's numbers apply to all counts
        kept_numbers = {count: self._kept(values, inherited) for count, values in self.base.numbers_for.items()}
        return {
            count: {**kept_numbers.get(count, {}), **stated_numbers.get(count, {})}
            for count in sorted({*kept_numbers, *stated_numbers})
        }

    def _counted(self, path: tuple, stated: Any, facts: Facts) -> dict[int, dict[str, Any]]:
        self.source.check_keys(stated, path, [*map(str, facts.players)])
        for count, values in stated.items():
            self._expect(values, (*path, count), Mapping, "a table")
        return {int(count): dict(values) for count, values in stated.items()}

    def _optional(self, facts: Facts) -> dict[str, OptionalRule]:
        if "optional" not in self.description:
            return dict(self.base.optional) if self.base else {}
        rules = {}
        for name, rule_table in self._table("optional").items():
            path = ("optional", name)
            self.source.check_keys(rule_table, path, ("module", "numbers", "numbers_for"))
            if "module" not in rule_table:
                raise self.source.error(path, "the key 'module' is missing.")
            rules[name] = OptionalRule(
                self._module(rule_table["module"], (*path, "module")),
                dict(rule_table.get("numbers", {})),
                self._counted((*path, "numbers_for"), rule_table.get("numbers_for", {}), facts),
            )
        return rules

    # -- reading ----------------------------------------------------------------------------------------------

    def _table(self, key: str) -> Mapping[str, Any]:
        table = self.description.get(key, {})
        self._expect(table, (key,), Mapping, "a table")
        return table

    def _list(self, value: Any, path: tuple) -> list:
        self._expect(value, path, (list, tuple), "a list")
        return list(value)

    def _expect(self, value: Any, path: tuple, kind: Any, words: str) -> None:
        if not isinstance(value, kind) or isinstance(value, bool):
            raise self.source.error(path, f"this is {value!r}, and must be {words}.")

    def _require(self, path: tuple) -> None:
        table: Any = self.description
        for key in path:
            if not isinstance(table, Mapping) or key not in table:
                needed_keys = "title, modules and facts.players, unless it extends another scenario"
                raise self.source.error((), f"it lacks {'.'.join(path)}; it needs {needed_keys}.")
            table = table[key]

    def _path(self, name: str | Path) -> Path:
        return ((self.source.folder or Path()) / Path(name).expanduser()).resolve()

    @staticmethod
    def _kept(numbers: Mapping[str, Any], declared: set[str]) -> dict[str, Any]:
        """Return the numbers that the scenario inherits, except those of removed modules."""
        return {name: value for name, value in numbers.items() if name in declared}


def _with_places(board: MapBoard) -> MapBoard:
    """Return the board after checking that its neutral settlements exist on every map."""
    for board_map in (board.map, *board.map_for.values()):
        for key in board.neutral_settlements:
            board_map.topology.at("intersections", key)
    return board
