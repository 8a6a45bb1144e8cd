"""Random games match recorded ones step by step: masks, seats, ends, rewards and points."""

import json

import pytest

from tests.golden import trajectories

RECORDED = json.loads(trajectories.FILE.read_text("utf-8"))


@pytest.mark.parametrize(
    ("scenario", "players", "rules", "digest"),
    RECORDED,
    ids=["-".join([r[0], f"{r[1]}p", *r[2].values()]) for r in RECORDED],
)
def test_games_play_as_recorded(scenario, players, rules, digest):
    assert trajectories.fingerprint(scenario, players, rules) == digest
