"""Where a network learns: on the processor, or on a GPU, which reads observations from memory that stays put."""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib.util import find_spec

import numpy as np
import torch

from catan_training.learning.config import ConfigError


def device_of(name: str) -> torch.device:
    """The device of a setting; of several GPUs, each process that `torchrun` has started on this machine has its own.

    Raises:
        ConfigError: a GPU is asked for, and PyTorch finds none.
    """
    has_gpu = torch.cuda.is_available()
    if name == "cuda" and not has_gpu:
        raise ConfigError("device is 'cuda', and PyTorch finds no GPU; allowed here: 'cpu', or 'auto'.")
    if name == "cpu" or not has_gpu:
        return torch.device("cpu")
    return torch.device("cuda", int(os.environ.get("LOCAL_RANK", "0")) % torch.cuda.device_count())


def title_of(device: torch.device) -> str:
    """What people call it."""
    return torch.cuda.get_device_name(device) if device.type == "cuda" else "the processor"


def pinned_zeros(shape: tuple[int, ...], dtype: type | np.dtype, device: torch.device) -> np.ndarray:
    """Zeros that a device copies fast: for a GPU in memory that is never paged out."""
    if device.type == "cpu":
        return np.zeros(shape, dtype)
    torch_dtype = torch.from_numpy(np.zeros(0, dtype)).dtype
    return torch.zeros(shape, dtype=torch_dtype, pin_memory=True).numpy()


def compiles(device: torch.device) -> bool:
    """Whether networks are worth compiling for a device, and can be: PyTorch does it for a GPU by Triton."""
    return device.type == "cuda" and find_spec("triton") is not None


def multiplies_bfloat16(device: torch.device) -> bool:
    """Whether a device has instructions for it; without, bfloat16 is slower than float32."""
    if device.type == "cuda":
        return torch.cuda.get_device_capability(device) >= (8, 0)
    return any(getattr(torch.cpu, name, bool)() for name in ("_is_avx512_bf16_supported", "_is_amx_tile_supported"))


def fetched(figures: Mapping[str, torch.Tensor]) -> dict[str, float]:
    """Figures as numbers, all by one wait for the device."""
    return dict(zip(figures, torch.stack(list(figures.values())).tolist(), strict=True))
