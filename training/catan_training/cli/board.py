"""The `catan board` command."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

SUMMARY = "check a map or layout file and list all errors"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("what", choices=("check",), help="check: check that the file describes a playable board")
    parser.add_argument(
        "file", metavar="FILE", help="map, .toml (hex grid) or .json (graph), or layout of a map of the package"
    )
    parser.add_argument(
        "--scenario",
        metavar="NAME",
        help="scenario to play on the board: a name or the path of a scenario file (default: none, only check)",
    )


def run(options: argparse.Namespace) -> int:
    """Check a board. The exit status is 1 if there are errors."""
    from catan_env.board import check_file, is_layout_file, load_map

    is_layout = is_layout_file(options.file)
    problems = [] if is_layout and options.scenario else check_file(options.file)
    fitting_names: list[str] = []
    if not problems:
        scenarios = list(_scenarios_of(options.file, is_layout, options.scenario))
        refusals = {scenario.name: _refusal(scenario, options.file) for scenario in scenarios}
        fitting_names = [name for name, refusal in refusals.items() if not refusal]
        problems = [] if fitting_names else list(dict.fromkeys(refusals.values()))
    if problems:
        print("\n".join(problems))
        print(f"{options.file}: {len(problems)} {'error' if len(problems) == 1 else 'errors'}")
        return 1
    if is_layout:
        print(f"{options.file}: the layout is valid")
    else:
        board_map = load_map(options.file)
        sizes = ", ".join(f"{axis} {length}" for axis, length in board_map.sizes.items())
        print(f"{options.file}: map {board_map.name} is valid ({board_map.status}; {sizes})")
        if board_map.standing is None and not board_map.draws_harbors:
            print("The board is drawn without harbors: the map has neither [frame] nor [harbor_sites].")
    print(f"Scenarios on this board: {', '.join(fitting_names) or 'none of the package has its sizes'}.")
    return 0


def _scenarios_of(file: str, is_layout: bool, name: str | None) -> Iterator[Any]:
    """Yield the named scenario, or all scenarios that fit the board.

    A map fits scenarios whose boards have the same sizes. A layout fits scenarios that use one of its maps.
    """
    import catan_env
    from catan_env.board import load_map, maps_of_layout

    if name:
        yield catan_env.find_scenario(name)
        return
    sizes = {} if is_layout else load_map(file).sizes
    map_names = maps_of_layout(file) if is_layout else []
    for scenario in catan_env.scenarios().values():
        home_map = getattr(scenario.board, "map", None)
        if home_map and (home_map.name in map_names if is_layout else home_map.sizes == sizes):
            yield scenario


def _refusal(scenario: Any, file: str) -> str:
    """Return why a scenario rejects a board for some number of players, or "" if it accepts the board."""
    from catan_env.engine.program import program_of
    from catan_env.errors import CatanError

    try:
        for num_players in scenario.players:
            laid = scenario.laid(file, num_players)
            program = program_of(laid)
            program.params(laid.values(program.composition.numbers, num_players, {}), laid.board)
    except CatanError as error:
        return str(error)
    return ""
