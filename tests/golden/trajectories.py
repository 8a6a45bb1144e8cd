"""Fingerprints of random play (masks, seats, rewards, points and ends of games) for every registered scenario.

`python tests/golden/trajectories.py` writes them, and `test_trajectories.py` checks them. They depend only on the rules
and the action table, not on the record layout, the observations or a scenario's version.
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
    """Return a digest of the masks and results of some random games."""
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
    """Yield (scenario, players, rules): all scenarios and player counts, and two games with non-default rules."""
    for name, scenario in catan_env.scenarios().items():
        for players in scenario.players:
            yield name, players, {}
    yield "base", 4, {"phases": "strict"}
    yield "base_5_6", 6, {"extra_phase": "paired_players"}


if __name__ == "__main__":
    found = [[name, players, rules, fingerprint(name, players, rules)] for name, players, rules in games()]
    FILE.write_text("[\n" + ",\n".join(json.dumps(line) for line in found) + "\n]\n", encoding="utf-8")
