"""Training devices (CPU or GPU) and pinned memory for transfers."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec

import numpy as np
import torch

from catan_training.learning.config import ConfigError


def device_of(name: str) -> torch.device:
    """Return the device selected by the setting `device`.

    Raises:
        ConfigError: the setting is "cuda" but PyTorch finds no GPU.
    """
    has_gpu = torch.cuda.is_available()
    if name == "cuda" and not has_gpu:
        raise ConfigError("device is 'cuda', but PyTorch finds no GPU; use 'cpu' or 'auto'.")
    if name == "cpu" or not has_gpu:
        return torch.device("cpu")
    return torch.device("cuda", 0)


def title_of(device: torch.device) -> str:
    """Return a device's display name."""
    return torch.cuda.get_device_name(device) if device.type == "cuda" else "CPU"


def pinned_zeros(shape: tuple[int, ...], dtype: type | np.dtype, device: torch.device) -> np.ndarray:
    """Return an array of zeros, in pinned memory if the device is a GPU."""
    if device.type == "cpu":
        return np.zeros(shape, dtype)
    torch_dtype = torch.from_numpy(np.zeros(0, dtype)).dtype
    return torch.zeros(shape, dtype=torch_dtype, pin_memory=True).numpy()


def compiles(device: torch.device) -> bool:
    """Return whether to compile networks, which requires a GPU and Triton."""
    return device.type == "cuda" and find_spec("triton") is not None


def multiplies_bfloat16(device: torch.device) -> bool:
    """Return whether the device supports bfloat16 natively. If not, bfloat16 is slower than float32."""
    if device.type == "cuda":
        return torch.cuda.get_device_capability(device) >= (8, 0)
    return any(getattr(torch.cpu, name, bool)() for name in ("_is_avx512_bf16_supported", "_is_amx_tile_supported"))


def fetched(figures: Mapping[str, torch.Tensor]) -> dict[str, float]:
    """Convert scalar tensors to floats in a single device transfer."""
    return dict(zip(figures, torch.stack(list(figures.values())).tolist(), strict=True))
