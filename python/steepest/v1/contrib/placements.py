"""On which of several parameter servers a variable is to be: for ``replica_device_setter``'s ``ps_strategy``."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import numpy as np

from ..graph.shapes import TensorShape

__all__ = ["GreedyLoadBalancingStrategy", "RandomStrategy", "byte_size_load_fn"]


class RandomStrategy:
    """A function of operations that gives the number of a server, by a hash of the operation's name.

    Source: ``tf.contrib.training.RandomStrategy``.
    """

    def __init__(self, num_ps_tasks: int, seed: int = 0) -> None:
        self._num_tasks, self._seed = num_ps_tasks, seed

    def __call__(self, op: Any) -> int:
        """Return the number of the server for an operation."""
        key = f"{op.name}_{self._seed}".encode()
        return int(hashlib.md5(key).hexdigest(), 16) % self._num_tasks


class GreedyLoadBalancingStrategy:
    """A function of operations that gives the number of the server that has the least load so far.

    Args:
        num_tasks: how many servers there are.
        load_fn: gives the load of an operation, as `byte_size_load_fn` does.

    Source: ``tf.contrib.training.GreedyLoadBalancingStrategy``.
    """

    def __init__(self, num_tasks: int, load_fn: Callable[[Any], float]) -> None:
        self._load_fn = load_fn
        self._ps_loads = np.zeros(num_tasks)

    def __call__(self, op: Any) -> int:
        """Return the number of the server for an operation, whose load it has from now on."""
        task = int(np.argmin(self._ps_loads))
        self._ps_loads[task] += self._load_fn(op)
        return task


def byte_size_load_fn(op: Any) -> int:
    """Return how many bytes the one result of an operation takes. ValueError for several, and for unknown shapes.

    Source: ``tf.contrib.training.byte_size_load_fn``.
    """
    if len(op.outputs) != 1:
        raise ValueError(f"Op {op} must have a single output")
    (output,) = op.outputs
    shape = TensorShape(output.shape)
    shape.assert_is_fully_defined()
    return int(shape.num_elements() or 0) * int(output.dtype.size)
