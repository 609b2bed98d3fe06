"""Paths of checkpoints that a saver writes: with the step, in folders that are there."""

from __future__ import annotations

import os
import re
from typing import Any

import numpy as np

from ...ops.dispatch import unwrap
from .saved_variables import read_variable

__all__ = ["folder_for", "meta_graph_filename", "with_step"]


def with_step(sess: Any, save_path: str, global_step: Any, padded: bool) -> str:
    """Return a path with the number of a step behind it, where there is one: a number, a variable or a tensor."""
    step = _step(sess, global_step)
    return save_path if step is None else f"{save_path}-{step:08d}" if padded else f"{save_path}-{step}"


def _step(sess: Any, global_step: Any) -> int | None:
    if global_step is None:
        return None
    if isinstance(global_step, (int, np.integer)):
        return int(global_step)
    if hasattr(global_step, "op"):
        return int(read_variable(sess, global_step) if global_step.op.type == "VariableV2" else sess.run(global_step))
    number = unwrap(global_step)
    if isinstance(number, float):
        raise TypeError(f"Fetch argument {number!r} has invalid type {type(number)}, must be a string or Tensor.")
    return int(number)


def folder_for(path: str, save_path: str) -> str:
    """Return the folder of a path, which is there then: TensorFlow makes the last one of a path, no others.

    Raises ValueError, with the path as it was given, where it cannot be made.
    """
    folder = os.path.dirname(path)
    if folder and not os.path.exists(folder) and os.path.isdir(os.path.dirname(folder) or "."):
        os.makedirs(folder, exist_ok=True)
    if folder and not os.path.isdir(folder):
        raise ValueError(f"Parent directory of {save_path} doesn't exist, can't save.")
    return folder


def meta_graph_filename(checkpoint_filename: str, meta_graph_suffix: str = "meta") -> str:
    """Return the path of the graph that is beside a checkpoint; the numbers of a part are not in it."""
    return f"{re.sub('-[0-9?]+-of-[0-9?]+$', '', checkpoint_filename)}.{meta_graph_suffix}"
