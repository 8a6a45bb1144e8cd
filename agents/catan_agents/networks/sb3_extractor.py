"""A features extractor of Stable-Baselines3 for observations of the `planes` encoder.

The extractor that `CnnPolicy` takes by default is made for screens of 36 pixels or more with three or four channels.
"""

from __future__ import annotations

import torch
from gymnasium.spaces import Box, Space
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor

from catan_agents.networks.layers import scale_of
from catan_agents.networks.planes import convolutions
from catan_env.errors import OptionError


class PlanesExtractor(BaseFeaturesExtractor):
    """Convolutions over the map drawn on a grid, as our own network for `planes` has them.

    `MaskablePPO("CnnPolicy", env, policy_kwargs={"features_extractor_class": PlanesExtractor})`, with an `env` of
    `encoder="planes"`. Features of both dtypes are brought to 0 .. 1.

    Args:
        observation_space: (channels, height, width).
        features_dim: features that come out.
        channels: of each convolution.

    Raises:
        OptionError: the observations are not those of `encoder="planes"`.
    """

    scale: torch.Tensor

    def __init__(self, observation_space: Space, features_dim: int = 128, channels: tuple[int, ...] = (64, 64)):
        if not isinstance(observation_space, Box) or len(observation_space.shape) != 3:
            raise OptionError(
                f"PlanesExtractor reads observations of three axes, not {observation_space}: make the environment with "
                "encoder='planes'."
            )
        super().__init__(observation_space, features_dim)
        depth, height, width = observation_space.shape
        self.register_buffer("scale", scale_of(observation_space))
        self.layers = convolutions((depth, height, width), tuple(channels), features_dim)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """(n, features_dim) of (n, channels, height, width) observations."""
        return torch.relu(self.layers(observations.float() * self.scale))
