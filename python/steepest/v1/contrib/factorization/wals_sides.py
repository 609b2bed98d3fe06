"""What the model of `wals` has for the rows or the columns of its matrix: variables, and copies of them."""

from __future__ import annotations

import numbers
from collections.abc import Iterable, Sequence
from typing import Any

from ....base.errors import must
from ....variables.collections import GraphKeys
from ...graph.scopes import name_scope
from ...ops.control_flow_ops import group, no_op
from ...ops.creation_ops import ones
from ...ops.gather_ops import boolean_mask
from ...ops.math_ops import greater_equal, less, logical_and
from ...ops.matmul_ops import add_n, matmul
from ...ops.random_ops import random_normal
from ...variables.scatter_ops import scatter_update
from ...variables.state_ops import assign
from ...variables.variables import Variable

__all__ = ["Side"]


def _named_scope(name: str, wanted: bool) -> Any:
    return name_scope(name if wanted else None)


class Side:
    """What a model has for the rows or the columns: factors and weights in shards, the Gramian matrix, and copies."""

    def __init__(self, name: str, count: int, shards: int) -> None:
        size, more = divmod(count, shards)
        self.name, self.count = name, count
        self.sizes = [size + 1] * more + [size] * (shards - more)
        self.gramian: Any = None

    def make_weights(self, weights: Any, scoped: bool) -> None:
        with _named_scope(f"{self.name}_weights", scoped):
            self.weights = self._sharded("weights", _weights(f"{self.name}_weights", weights, self.count, self.sizes))

    def make_factors(self, init: Any, components: int, scoped: bool) -> None:
        with _named_scope(f"{self.name}_factors", scoped):
            self.factors = self._sharded("factors", _factors(f"{self.name}_init", init, self.sizes, components))

    def _sharded(self, what: str, values: Sequence[Any] | None) -> Any:
        return values and [
            Variable(v, dtype="float32", name=f"{self.name}_{what}_shard_{k}") for k, v in enumerate(values)
        ]

    def prepare(self) -> Any:
        """Return the operation that forms the Gramian matrix of the factors."""
        with name_scope(f"{'col' if self.name == 'row' else 'row'}_prepare_gramian"):
            return assign(self.gramian, add_n([matmul(each, each, transpose_a=True) for each in self.factors])).op

    def make_copies(self, of_factors: bool, of_gramian: bool) -> None:
        """Make the local variables that hold copies, or let what is copied stand for itself."""
        self.factors_read, fill, clear = self._copied("factors", self.factors, of_factors)
        self.weights_read, self.fill_weights, _ = self._copied("wt", self.weights or [], of_factors)
        (self.gramian_read,), fill_gramian, clear_gramian = self._copied("gramian", [self.gramian], of_gramian)
        self.fill, self.clear = group(fill, fill_gramian), group(clear, clear_gramian)

    def _copied(self, what: str, variables: list[Any], wanted: bool) -> tuple[list[Any], Any, Any]:
        if not (wanted and variables):
            return variables, no_op(), no_op()
        options: Any = {"trainable": False, "collections": [GraphKeys.LOCAL_VARIABLES], "validate_shape": False}
        copies = [Variable(1.0, name=f"{self.name}_{what}_cache_shard_{k}", **options) for k in range(len(variables))]
        fill = [assign(copy, each, validate_shape=False) for copy, each in zip(copies, variables, strict=True)]
        return copies, group(*fill), group(*[assign(copy, 1.0, validate_shape=False) for copy in copies])

    def updated(self, ids: Any, values: Any) -> Any:
        """Return the operation that writes the factors of some rows."""
        name = f"{self.name}_update"
        if len(self.factors) == 1:
            return scatter_update(self.factors[0], ids, values, name=name).op
        writes, start = [], 0
        for factors, size in zip(self.factors, self.sizes, strict=True):
            here = logical_and(greater_equal(ids, start), less(ids, start + size))
            writes.append(scatter_update(factors, boolean_mask(ids, here) - start, boolean_mask(values, here)))
            start += size
        return group(*writes, name=name)


def _in_shards(argument: str, values: Any, sizes: list[int]) -> list[Any]:
    shards: list[Any] = [values] if len(sizes) == 1 and not isinstance(values, list) else list(values)
    if len(shards) != len(sizes):
        raise ValueError(must("WALSModel", argument, f"have {len(sizes)} shards", f"{len(shards)}"))
    return shards


def _factors(argument: str, init: Any, sizes: list[int], components: int) -> list[Any]:
    init = init() if callable(init) else init
    if isinstance(init, str) and init == "random":
        return [random_normal([size, components]) for size in sizes]
    return _in_shards(argument, init, sizes)


def _weights(argument: str, weights: Any, count: int, sizes: list[int]) -> list[Any] | None:
    if weights is None:
        return None
    if isinstance(weights, numbers.Real) and float(weights) >= 0:
        return [float(weights) * ones([size]) for size in sizes]
    if not isinstance(weights, Iterable):
        rule = "be None, a number that is not negative, or lists of such numbers for each shard"
        raise ValueError(must("WALSModel", argument, rule, weights))
    given = list(weights)
    return _in_shards(argument, [given] if len(sizes) == 1 and len(given) == count else given, sizes)
