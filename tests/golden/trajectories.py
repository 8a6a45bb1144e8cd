"""Trajectories of random play as fingerprints: masks, seats, ends and points, for every registered scenario.

`python tests/golden/trajectories.py` writes them; `test_trajectories.py` plays them again. They depend on nothing but
the rules and the action table: not on the record, the observations or the version of a scenario.
"""

import hashlib
import json
from pathlib import Path

import numpy as np

import catan_env
from catan_env import BatchEngine

FILE = Path(__file__).with_suffix(".json")
GAMES, STEPS = 32, 1500


def fingerprint(scenario: str, players: int, rules: dict | None = None) -> str:
    """A digest of what callers see of some random games."""
    engine = BatchEngine(scenario, GAMES, players, seed=7, rules=rules)
    rng = np.random.default_rng(11)
    digest = hashlib.sha256()
    for _ in range(STEPS):
        mask = engine.action_mask
        digest.update(np.packbits(mask).tobytes() + engine.seat_to_act.astype(np.int8).tobytes())
        pick = (rng.random(mask.shape, np.float32) * mask).argmax(1)
        engine.step(np.where(mask.any(1), pick, -1))
        over = engine.terminated | engine.truncated
        digest.update(engine.rewards.tobytes() + engine.victory_points.astype(np.int8).tobytes() + over.tobytes())
        if over.any():
            engine.reset(games=over)
    return digest.hexdigest()[:20]


def games():
    """Every registered scenario with every number of players, and the choices of its rules worth a line."""
    for name, scenario in catan_env.scenarios().items():
        for players in scenario.players:
            yield name, players, {}
    yield "base", 4, {"phases": "strict"}
    yield "base_5_6", 6, {"extra_phase": "paired_players"}


if __name__ == "__main__":
    found = [[name, players, rules, fingerprint(name, players, rules)] for name, players, rules in games()]
    FILE.write_text("[\n" + ",\n".join(json.dumps(line) for line in found) + "\n]\n", encoding="utf-8")
