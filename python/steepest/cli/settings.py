"""What the command line can change of a training run."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Settings"]


@dataclass(frozen=True)
class Settings:
    """What the command line can change; ``learning_rate`` None means the optimizer's own default."""

    optimizer: str = "adagrad"
    learning_rate: float | None = None
    size: int = 64
    window: int = 5
    epochs: int = 80
    negatives: int = 10
    batch: int = 512
    min_count: int = 5
    subsample: float = 3e-4
    seed: int = 1
    micro_batches: int = 1
