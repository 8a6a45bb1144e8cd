"""Record golden games: `python -m tests.golden.record [scenario ...]`, every registered scenario by default.

One compressed file per scenario version holds, for each number of players, the replay log of one random game with its
chance outcomes, and a digest for every 50 moves. A digest covers the positions after each of its moves, so that
a difference in a single position shows. Of 64 games, the script records the one with the most kinds of actions, or the
shortest of these. `layouts.json` holds the fingerprints of a scenario's actions, outcomes, records and observations.

`bzcat tests/golden/base_v2.json.bz2` prints a file.
"""

from __future__ import annotations

import bz2
import hashlib
import json
import sys
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np

import catan_env
from catan_env import BatchEngine
from tests.strategies import Chooser, fingerprint

FOLDER = Path(__file__).parent
LAYOUTS = FOLDER / "layouts.json"
SEED, CANDIDATES, MOST_STEPS = 0, 64, 20_000
MOVES_PER_DIGEST = 50
SUFFIX = ".json.bz2"


class Seldom(Chooser):
    """Draws random actions and prefers kinds of actions that have been rare in the game."""

    def __init__(self, engine: BatchEngine, seed: int):
        super().__init__(seed)
        self.kind = np.unique(engine.actions.kind_of, return_inverse=True)[1]
        self.uses = np.zeros((engine.num_games, self.kind.max() + 1), np.int64)

    def __call__(self, engine: BatchEngine) -> np.ndarray:
        weights = engine.action_mask / self._crowd(engine) / np.sqrt(1 + self.uses[:, self.kind])
        actions = self._draw(weights)
        acting = np.flatnonzero(actions >= 0)
        self.uses[acting, self.kind[actions[acting]]] += 1
        return actions


def path_of(scenario: str) -> Path:
    """Return the path of the golden games of the registered version."""
    return FOLDER / f"{scenario}_v{catan_env.find_scenario(scenario).version}{SUFFIX}"


def fingerprints_of(log: dict) -> tuple[list[str], BatchEngine]:
    """Return fingerprints of the game at the start of a log and after each move, and the engine at the end."""
    fingerprints = []
    for engine in catan_env.replay_steps(log):
        fingerprints.append(fingerprint(engine))
    return fingerprints, engine


def digests_of(fingerprints: Sequence[str]) -> list[str]:
    """Return a digest of the start, then one for every 50 moves, over the fingerprints after each of them."""
    start, after = fingerprints[:1], fingerprints[1:]
    blocks = [start, *(after[k : k + MOVES_PER_DIGEST] for k in range(0, len(after), MOVES_PER_DIGEST))]
    return [hashlib.sha256("".join(block).encode()).hexdigest()[:16] for block in blocks]


def playthrough(scenario: str, players: int) -> dict:
    """Return one recorded game in the format of the file."""
    engine = BatchEngine(scenario, CANDIDATES, players, seed=SEED, record=True)
    choose = Seldom(engine, SEED)
    for _ in range(MOST_STEPS):
        if (engine.terminated | engine.truncated).all():
            break
        engine.step(choose(engine))
    kinds = np.where(engine.terminated, (choose.uses > 0).sum(axis=1), 0)
    game = min(range(CANDIDATES), key=lambda i: (-kinds[i], choose.uses[i].sum()))
    log = engine.replay_log(game)
    fingerprints, last = fingerprints_of(log)
    return {
        "log": log,
        "digests": digests_of(fingerprints),
        "final": fingerprints[-1],
        "winner": int(last.winner[0]),
        "victory_points": last.victory_points[0].tolist(),
    }


def write(path: Path, games: dict[int, dict]) -> None:
    """Write the games of one scenario, by number of players; the same games give the same bytes."""
    text = json.dumps({str(players): games[players] for players in sorted(games)}, separators=(",", ":"))
    path.write_bytes(bz2.compress(text.encode()))  # a fifth smaller here than with xz


@lru_cache
def _text_of(path: Path) -> bytes:
    return bz2.decompress(path.read_bytes())


def read(path: Path) -> dict[int, dict]:
    """Return the games of one scenario, by number of players."""
    return {int(players): game for players, game in json.loads(_text_of(path)).items()}


def layout_of(scenario: str) -> dict:
    """Return fingerprints of a scenario's layouts. Those of observations are by number of players."""
    engines = {players: BatchEngine(scenario, 1, players) for players in catan_env.find_scenario(scenario).players}
    first = next(iter(engines.values()))
    return {
        "version": first.scenario.version,
        "actions": first.actions.hash,
        "outcomes": first.outcomes.hash,
        "everything": first.layout_hash,
        "observations": {str(players): engine.encoder("flat").layout.hash for players, engine in engines.items()},
    }


def layouts() -> dict:
    """Return the recorded layouts, by scenario."""
    return json.loads(LAYOUTS.read_text(encoding="utf-8")) if LAYOUTS.exists() else {}


def main(names: list[str]) -> None:
    """Record these scenarios, or all if none are named, and delete files of scenarios that are not registered."""
    registered = catan_env.scenarios()
    kept = {name: layout for name, layout in layouts().items() if name in registered}
    for scenario in names or list(registered):
        kept[scenario] = layout_of(scenario)
        games = {players: playthrough(scenario, players) for players in registered[scenario].players}
        write(path_of(scenario), games)
        moves = ", ".join(f"{len(game['log']['moves'])} with {players} players" for players, game in games.items())
        print(f"{path_of(scenario).name}: moves {moves}")
    LAYOUTS.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    wanted = {path_of(name) for name in registered}
    for path in FOLDER.glob(f"*{SUFFIX}"):
        if path not in wanted:
            path.unlink()
            print(f"{path.name}: dropped")


if __name__ == "__main__":
    main(sys.argv[1:])
