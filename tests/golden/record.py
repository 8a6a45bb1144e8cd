"""Records golden playthroughs: `python -m tests.golden.record [scenario ...]`, every registered one by default.

For each number of players, the replay log of one random game with all its chance outcomes, and digests of the game
after each move. Of 64 games that of most kinds of actions is taken, the shortest of these. `layouts.json` holds the
fingerprints of what the scenario's actions, outcomes, records and observations mean.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np

import catan_env
from catan_env import BatchEngine
from tests.strategies import Chooser, fingerprint

FOLDER = Path(__file__).parent
LAYOUTS = FOLDER / "layouts.json"
SEED, CANDIDATES, MOST_STEPS = 0, 64, 20_000
A_LINE = 10


class Seldom(Chooser):
    """Draws kinds of actions the less, the more often the game has seen them."""

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


def path_of(scenario: str, players: int) -> Path:
    """Where the playthrough of the registered version is kept."""
    return FOLDER / f"{scenario}_v{catan_env.find_scenario(scenario).version}_{players}p.json"


def steps_of(log: dict) -> tuple[list[str], BatchEngine]:
    """Digests of the game at the start of a log and after each move, four letters each, and the engine at the end."""
    digests = []
    for engine in catan_env.replay_steps(log):
        digests.append(fingerprint(engine)[:4])
    return digests, engine


def playthrough(scenario: str, players: int) -> dict:
    """A recorded game, as the file holds it."""
    engine = BatchEngine(scenario, CANDIDATES, players, seed=SEED, record=True)
    choose = Seldom(engine, SEED)
    for _ in range(MOST_STEPS):
        if (engine.terminated | engine.truncated).all():
            break
        engine.step(choose(engine))
    kinds = np.where(engine.terminated, (choose.uses > 0).sum(axis=1), 0)
    game = min(range(CANDIDATES), key=lambda i: (-kinds[i], choose.uses[i].sum()))
    log = engine.replay_log(game)
    digests, last = steps_of(log)
    return {
        "log": log,
        "digests": digests,
        "final": fingerprint(last),
        "winner": int(last.winner[0]),
        "victory_points": last.victory_points[0].tolist(),
    }


def write(path: Path, game: dict) -> None:
    """Writes a playthrough, ten moves a line, so that changes show where they begin."""
    moves, digests = game["log"]["moves"], game["digests"]
    rows = [json.dumps(moves[k : k + A_LINE], separators=(",", ":"))[1:-1] for k in range(0, len(moves), A_LINE)]
    joined = ["".join(digests[k : k + A_LINE]) for k in range(0, len(digests), A_LINE)]
    text = json.dumps({**game, "log": {**game["log"], "moves": "@"}, "digests": joined}, indent=1)
    path.write_text(text.replace('"@"', "[\n" + ",\n".join(rows) + "\n]") + "\n", encoding="utf-8")


def read(path: Path) -> dict:
    """A playthrough from its file."""
    game = json.loads(path.read_text(encoding="utf-8"))
    letters = "".join(game["digests"])
    return {**game, "digests": [letters[k : k + 4] for k in range(0, len(letters), 4)]}


def layout_of(scenario: str) -> dict:
    """Fingerprints of a scenario's layouts, those of observations for every number of players."""
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
    """The recorded layouts, by scenario."""
    return json.loads(LAYOUTS.read_text(encoding="utf-8")) if LAYOUTS.exists() else {}


def main(names: list[str]) -> None:
    """Records these scenarios, or all, and drops what no longer belongs to a registered one."""
    registered = catan_env.scenarios()
    kept = {name: layout for name, layout in layouts().items() if name in registered}
    for scenario in names or list(registered):
        kept[scenario] = layout_of(scenario)
        for players in registered[scenario].players:
            game = playthrough(scenario, players)
            write(path_of(scenario, players), game)
            print(f"{path_of(scenario, players).name}: {len(game['log']['moves'])} moves")
    LAYOUTS.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    wanted = {path_of(name, players) for name, scenario in registered.items() for players in scenario.players}
    for path in FOLDER.glob("*_v*p.json"):
        if path not in wanted:
            path.unlink()
            print(f"{path.name}: dropped")


if __name__ == "__main__":
    main(sys.argv[1:])
