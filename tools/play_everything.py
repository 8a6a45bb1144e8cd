"""Play scenarios in one process and write digests of their games, to compare kernels that were compiled in other ways.

    python -m tools.play_everything FILE [--threads 2] [--quick] SCENARIO ...

Each scenario is played with steps, random rollouts and `greedy`; a line of JSON in FILE holds the digests. Two files
must agree on each scenario. For saved parts of rules, three stages are compared, each in an empty `NUMBA_CACHE_DIR`
except that the second leaves its parts (`compiler_*`) to the third:

1. a version without parts, or `CATAN_ENV_NUMBA_PATCHES=0`, plays all scenarios;
2. several processes, one with `--threads 2`, each play some of the scenarios;
3. processes play all scenarios in different orders.

With `--quick`, programs are linked but not optimized, so that every call between rules remains: a scenario then takes
17 s from scratch and 6 s from parts.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import time

import numpy as np

from catan_agents.search import GreedyAgent
from catan_env import BatchEngine
from tools.compare_numba import trajectory

STEPS, ROLLOUT, DECISIONS = 3200, 1500, 60


def digest(*arrays: np.ndarray) -> str:
    """Return a short digest of arrays."""
    return hashlib.sha256(b"".join(np.ascontiguousarray(array).tobytes() for array in arrays)).hexdigest()[:16]


def step(scenario: str, threads: int) -> list[str]:
    """Play random actions and return a digest after each tenth of them."""
    return trajectory(scenario, STEPS, threads)


def roll_out(scenario: str, threads: int) -> list[str]:
    """Play a random rollout and return its counts and a digest."""
    engine = BatchEngine(scenario, 16, seed=3, autoreset=True, threads=threads)
    engine.reset()
    counts = engine.random_rollout(ROLLOUT)
    return [str(sorted(counts.items())), digest(engine.state, engine.action_mask)]


def decide(scenario: str, threads: int) -> list[str]:
    """Let `greedy` play all seats and return a digest after every sixth of its decisions."""
    engine, agent, digests = BatchEngine(scenario, 6, seed=5, autoreset=True, threads=threads), GreedyAgent(), []
    agent.reset(7)
    engine.reset()
    engine.random_rollout(60)
    for k in range(1, DECISIONS + 1):
        games = np.flatnonzero(engine.action_mask.any(1))
        actions = np.zeros(6, np.int64)
        actions[games] = agent.act(engine, games)
        engine.step(actions)
        if k % (DECISIONS // 6) == 0:
            digests.append(digest(engine.state))
    return digests


def main() -> None:
    """Play the scenarios of the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("file")
    parser.add_argument("scenarios", nargs="+")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="link programs without optimizing them")
    arguments = parser.parse_args()
    if arguments.quick:
        from catan_env.engine.compiler.linker import LIBRARY

        LIBRARY._optimize_final_module = lambda library: None  # noqa: SLF001
    for scenario in arguments.scenarios:
        start = time.process_time()
        played = {how.__name__: how(scenario, arguments.threads) for how in (step, roll_out, decide)}
        seconds = round(time.process_time() - start, 1)
        with open(arguments.file, "a", encoding="utf-8") as file:
            file.write(json.dumps({"scenario": scenario, "seconds": seconds, **played}) + "\n")


if __name__ == "__main__":
    main()
