"""Fifty tables at once: the server loses no action and answers quickly."""

import asyncio
import json
import os
import random
import re
import statistics
import subprocess
import sys
import time
import urllib.request

import pytest
from websockets.asyncio.client import connect

from catan_training.play.store import Store

pytestmark = [pytest.mark.soak, pytest.mark.xdist_group("base")]

TABLES, ACTIONS = 50, 20
QUICK = float(os.environ.get("CATAN_ENV_QUICK_ANSWER", "0.1"))
"""Seconds that half of all answers may take on two idle cores; the variable allows for busy machines."""


@pytest.fixture
def server(tmp_path):
    """Start a server in another process. Yield the address of its host page and the path of its database."""
    path = tmp_path / "games.sqlite"
    command = [sys.executable, "-m", "catan_training.cli", "play", "--no-open", "--port", "0", "--pace", "0"]
    process = subprocess.Popen([*command, "--games", str(path)], stdout=subprocess.PIPE, text=True)
    address = process.stdout.readline().strip()
    yield address, path
    process.terminate()
    process.wait(30)
    process.stdout.close()


def new_table(address, seed):
    seats = [{"name": "scripted"}, *({"agent": "heuristic", "options": {}} for _ in range(3))]
    wanted = {"scenario": "base", "players": 4, "seats": seats, "rules": {}, "board": None, "seed": seed}
    body = json.dumps(wanted).encode()
    request = urllib.request.Request(f"{address}/games", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=120) as answer:
        return json.load(answer)


async def play(address, link, seed, waits):
    """Play `ACTIONS` random actions at a table, append response times to `waits`, and return the number of actions."""
    rng, host = random.Random(seed), re.match(r"http(://[^/]+)", address)[1]
    done, sent, acted_at = 0, 0.0, -1
    async with connect(f"ws{host}{link}/messages", max_size=2**22) as socket:
        while True:
            message = json.loads(await asyncio.wait_for(socket.recv(), 120))
            assert message["type"] in ("hello", "state"), message
            if message["type"] == "hello" or message["version"] == acted_at:
                continue
            if acted_at >= 0:
                waits.append(time.perf_counter() - sent)
                done, acted_at = done + 1, -1
            if message["result"] or done == ACTIONS:
                return done
            if message["choices"]:
                options = [option[0] for group in message["choices"]["groups"] for option in group["options"]]
                sent, acted_at = time.perf_counter(), message["version"]
                await socket.send(json.dumps({"type": "act", "version": acted_at, "actions": [rng.choice(options)]}))


def test_fifty_tables_lose_nothing_and_answer_quickly(server):
    address, path = server
    games = [new_table(address, seed) for seed in range(TABLES)]
    waits = []

    async def all_at_once():
        return await asyncio.gather(
            *(play(address, game["links"]["0"], seed, waits) for seed, game in enumerate(games))
        )

    done = asyncio.run(all_at_once())
    store = Store(path)
    for game, count in zip(games, done):
        assert sum(taken.seat == 0 for taken in store.taken(game["id"])) == count
    store.close()
    print(f"{len(waits)} answers, median {1000 * statistics.median(waits):.0f} ms, longest {max(waits):.2f} s")
    assert statistics.median(waits) < QUICK
