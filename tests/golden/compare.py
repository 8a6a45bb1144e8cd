"""Show that the golden games of another commit play here as they did: `python -m tests.golden.compare COMMIT [NAMES]`.

NAMES is a JSON file `{"old": "new"}` of names that have changed since: fields, kinds of actions and outcomes, rules.
Every move of each of the commit's games is played here and its positions compared. The games in this folder must
have the same moves, winners and points, and digests that follow from the compared positions. The commit may keep its
games in the present form, or in the form before that: one file for each number of players, with four letters of the
fingerprint after every move.
"""

from __future__ import annotations

import argparse
import bz2
import json
import lzma
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import catan_env
from catan_env.engine.replay import _checksum
from tests.golden import record
from tests.strategies import fingerprint

FILE = re.compile(r"(?P<scenario>\w+)_v(?P<version>\d+)(_(?P<players>\d+)p\.json|\.json\.(xz|bz2))")
RECORDED_HERE = {"layout", "version", "checksum"}


def _git(*arguments: str) -> bytes:
    return subprocess.run(["git", *arguments], cwd=record.FOLDER, check=True, capture_output=True).stdout


def games_of(commit: str) -> Iterator[tuple[str, int, dict[str, Any]]]:
    """Yield scenario, number of players and game, as recorded in a commit."""
    for name in _git("ls-tree", "--name-only", commit, ".").decode().split():
        match = FILE.fullmatch(name)
        if match is None:
            continue
        content = _git("show", f"{commit}:./{name}")
        if match["players"]:
            yield match["scenario"], int(match["players"]), json.loads(content)
        else:
            decompress = lzma.decompress if name.endswith("xz") else bz2.decompress
            for players, game in json.loads(decompress(content)).items():
                yield match["scenario"], int(players), game


def renamed(value: Any, names: Mapping[str, str]) -> Any:
    """Return a JSON value with every string, including keys, replaced by its new name."""
    if isinstance(value, dict):
        return {renamed(key, names): renamed(item, names) for key, item in value.items()}
    if isinstance(value, list):
        return [renamed(item, names) for item in value]
    return names.get(value, value) if isinstance(value, str) else value


def differences(old: dict[str, Any], new: dict[str, Any], names: Mapping[str, str]) -> Iterator[str]:
    """Yield each difference between a game of another commit and the one recorded here."""
    old_log, log = renamed(old["log"], names), new["log"]
    for key in old_log.keys() | log.keys():
        if key not in RECORDED_HERE and old_log.get(key) != log.get(key):
            yield f"the logs differ in {key!r}"
    log = {**old_log, **{key: log[key] for key in RECORDED_HERE}}
    log["checksum"] = _checksum(log)
    old_names = {new_name: old_name for old_name, new_name in names.items()}
    then, now = [], []
    for engine in catan_env.replay_steps(log):
        then.append(fingerprint(engine, names=old_names))
        now.append(fingerprint(engine))
    if _as_recorded(then, old["digests"]) != old["digests"]:
        yield "positions differ"
    if record.digests_of(now) != new["digests"] or now[-1] != new["final"] or then[-1] != old["final"]:
        yield "the digests do not follow from the positions"
    if [old[key] for key in ("winner", "victory_points")] != [new[key] for key in ("winner", "victory_points")]:
        yield "the results differ"


def _as_recorded(fingerprints: list[str], digests: list[str]) -> list[str]:
    """Return digests of the fingerprints in the same form as the recorded digests."""
    if len(digests[0]) == 16:
        return record.digests_of(fingerprints)
    letters = "".join(one[:4] for one in fingerprints)
    return [letters[k : k + 40] for k in range(0, len(letters), 40)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("commit")
    parser.add_argument("names", nargs="?", type=Path, help="JSON file of changed names, old: new")
    arguments = parser.parse_args()
    names = json.loads(arguments.names.read_text("utf-8")) if arguments.names else {}
    compared, wrong = set(), 0
    for old_scenario, players, old in games_of(arguments.commit):
        scenario = names.get(old_scenario, old_scenario)
        found = list(differences(old, record.read(record.path_of(scenario))[players], names))
        compared.add((scenario, players))
        wrong += bool(found)
        print(
            f"{scenario}, {players} players: {len(old['log']['moves'])} moves, {'; '.join(found) or 'same'}", flush=True
        )
    missing = {(name, n) for name, made in catan_env.scenarios().items() for n in made.players} - compared
    print(f"{len(compared)} games compared, {wrong} differ, {len(missing)} missing in {arguments.commit}")
    sys.exit(bool(wrong or missing))


if __name__ == "__main__":
    main()
