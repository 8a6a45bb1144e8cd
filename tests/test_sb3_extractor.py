"""MaskablePPO learns from `planes` with the bundled features extractor."""

import numpy as np
import pytest

pytest.importorskip("torch")
sb3_contrib = pytest.importorskip("sb3_contrib")

import torch  # noqa: E402

from catan_agents.networks.sb3_extractor import PlanesExtractor  # noqa: E402
from catan_env.envs import SB3VecEnv  # noqa: E402
from catan_env.errors import OptionError  # noqa: E402

RULES = {"offers_per_turn": 0, "victory_points": 3}


def model_of(env, **kwargs):
    options = {"features_extractor_class": PlanesExtractor, "features_extractor_kwargs": kwargs}
    return sb3_contrib.MaskablePPO(
        "CnnPolicy", env, n_steps=16, batch_size=16, n_epochs=1, seed=0, device="cpu", policy_kwargs=options
    )


@pytest.mark.parametrize("dtype", ["float32", "uint8"])
def test_maskable_ppo_learns_from_planes(dtype, tmp_path):
    env = SB3VecEnv(2, "base", num_players=2, encoder="planes", dtype=dtype, opponents="random", rules=RULES)
    model = model_of(env, features_dim=32, channels=(16,))
    before = {name: weight.clone() for name, weight in model.policy.features_extractor.named_parameters()}
    model.learn(64)
    after = dict(model.policy.features_extractor.named_parameters())
    assert all(torch.isfinite(weight).all() and not torch.equal(weight, before[name]) for name, weight in after.items())
    observation, masks = env.reset(), np.stack(env.env_method("action_masks"))
    model.save(tmp_path / "model")
    loaded = sb3_contrib.MaskablePPO.load(tmp_path / "model", device="cpu")
    actions, _ = model.predict(observation, action_masks=masks, deterministic=True)
    np.testing.assert_array_equal(loaded.predict(observation, action_masks=masks, deterministic=True)[0], actions)
    assert masks[np.arange(2), actions].all()


def test_bytes_and_floats_give_the_same_features():
    spaces = {}
    for dtype in ("float32", "uint8"):
        env = SB3VecEnv(2, "base", num_players=2, encoder="planes", dtype=dtype, opponents="random", rules=RULES)
        env.seed(3)
        torch.manual_seed(0)
        spaces[dtype] = PlanesExtractor(env.observation_space)(torch.from_numpy(env.reset()))
    torch.testing.assert_close(spaces["float32"], spaces["uint8"])


def test_other_observations_are_refused():
    env = SB3VecEnv(2, "base", num_players=2, opponents="random")
    with pytest.raises(OptionError, match="encoder='planes'"):
        model_of(env)
