"""Checkpoints: state in one file, written whole or not at all, read without running code; docs/checkpoints.md."""

from .arrays import FORMAT, SUFFIX, load_arrays, save_arrays
from .manager import Checkpoint, CheckpointManager
from .save import load, restore, save

__all__ = [
    "FORMAT",
    "SUFFIX",
    "Checkpoint",
    "CheckpointManager",
    "load",
    "load_arrays",
    "restore",
    "save",
    "save_arrays",
]
