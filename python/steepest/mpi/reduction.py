"""Gradients of all ranks, added in the fixed tree and given to everybody: what a graph's optimizer takes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..variables.variable import Variable
from .optimizer import DistributedOptimizer

__all__ = ["Reduction"]


class _Catch:
    """Stands for an optimizer: keeps the gradients that it is given."""

    def __init__(self) -> None:
        self._hooks: list[Any] = []
        self.gradients: dict[str, Any] = {}

    def apply_gradients(self, pairs: Any, global_step: Any = None) -> None:
        """Keep the gradients by their variables' names."""
        self.gradients = {variable.name: gradient for gradient, variable in pairs}


class Reduction:
    """Sums of gradients over all ranks, one micro-batch on each; arguments as `DistributedOptimizer`'s."""

    def __init__(self, comm: Any, average: bool, compression: str | None, sparse_as_dense: bool | str) -> None:
        self._catch = _Catch()
        self._joint = DistributedOptimizer(self._catch, comm, average, 1, compression, sparse_as_dense, shards=False)
        self._stand_ins: dict[str, Variable] = {}

    def __call__(self, named: Sequence[tuple[str, tuple[int, ...], Any]], gradients: Sequence[Any]) -> list[Any]:
        """Return the sums, None where no rank has a gradient; those of half types are float32.

        Args:
            named: name, shape and dtype of each parameter; the same on all ranks.
            gradients: this rank's.
        """
        for name, shape, dtype in named:
            if name not in self._stand_ins:  # zeros that are never touched take no memory
                self._stand_ins[name] = Variable._unlisted(np.zeros(shape, dtype), True, name)
        targets = [self._stand_ins[name] for name, _, _ in named]
        self._joint.apply_gradients(list(zip(gradients, targets, strict=True)))
        return [self._catch.gradients[name] for name, _, _ in named]
