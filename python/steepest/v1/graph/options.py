"""Options of sessions and runs that programs for TensorFlow set; they have no effect here."""

from __future__ import annotations

from typing import Any

__all__ = ["ConfigProto", "GPUOptions", "RunMetadata", "RunOptions"]


class ConfigProto:
    """Settings for devices and threads, accepted and without effect: `steepest.set_num_threads` sets threads."""

    def __init__(self, **settings: Any) -> None:
        self.gpu_options = GPUOptions()
        self.__dict__.update(settings)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return None


class GPUOptions:
    """Settings for GPUs, accepted and without effect."""

    def __init__(self, **settings: Any) -> None:
        self.__dict__.update(settings)


class RunOptions:
    """Options of a run, accepted and without effect."""

    NO_TRACE, SOFTWARE_TRACE, HARDWARE_TRACE, FULL_TRACE = range(4)

    def __init__(self, **settings: Any) -> None:
        self.__dict__.update(settings)


class RunMetadata:
    """What a run would tell of itself; nothing is recorded."""
