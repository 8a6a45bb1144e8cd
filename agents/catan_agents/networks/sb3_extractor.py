"""A Stable-Baselines3 features extractor for `planes` observations.

It is needed because the default extractor of `CnnPolicy` requires images of at least 36 x 36 pixels.
"""

from __future__ import annotations

import torch
from gymnasium.spaces import Box, Space
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor

from catan_agents.networks.layers import scale_of
from catan_agents.networks.planes import convolutions
from catan_env.errors import OptionError


class PlanesExtractor(BaseFeaturesExtractor):
    """A convolutional extractor over the map drawn on a grid, as in `PlanesNetwork`.

    Use it as `MaskablePPO("CnnPolicy", env, policy_kwargs={"features_extractor_class": PlanesExtractor})` with an
    environment that was created with `encoder="planes"`. Observations of either dtype are scaled to 0 .. 1.

    Args:
        observation_space: space of shape (channels, height, width).
        features_dim: number of output features.
        channels: number of output channels of each convolution.

    Raises:
        OptionError: the observation space does not have three axes.
    """

    scale: torch.Tensor

    def __init__(self, observation_space: Space, features_dim: int = 128, channels: tuple[int, ...] = (64, 64)):
        if not isinstance(observation_space, Box) or len(observation_space.shape) != 3:
            raise OptionError(
                f"PlanesExtractor needs observations with three axes; given: {observation_space}. Create the "
                "environment with encoder='planes'."
            )
        super().__init__(observation_space, features_dim)
        depth, height, width = observation_space.shape
        self.register_buffer("scale", scale_of(observation_space))
        self.layers = convolutions((depth, height, width), tuple(channels), features_dim)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Return features, shape (n, features_dim), of observations, shape (n, channels, height, width)."""
        return torch.relu(self.layers(observations.float() * self.scale))
