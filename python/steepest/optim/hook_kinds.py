"""The native core's names for what it does to gradients: numbers, in the order of its ``Hook::Kind``."""

from __future__ import annotations

__all__ = [
    "CHECK_FINITE",
    "CLIP_BY_GLOBAL_NORM",
    "CLIP_BY_NORM",
    "CLIP_BY_VALUE",
    "DECOUPLED",
    "L2",
    "SCALE",
    "NativeHook",
]

NativeHook = tuple[int, float, float]  # the kind and its two operands
CLIP_BY_VALUE, L2, DECOUPLED, CLIP_BY_NORM, CLIP_BY_GLOBAL_NORM, CHECK_FINITE = range(6)
SCALE = CLIP_BY_NORM  # what a clip by norm comes to, given the factor: ``_core.transform`` takes it so
