"""What ``framework.ops`` lets programs register for types of operations: statistics, and shapes that none asks for."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import Any

from ..graph.shapes import TensorShape

__all__ = [
    "OpStats",
    "RegisterShape",
    "RegisterStatistics",
    "Registry",
    "_set_call_cpp_shape_fn",
    "call_cpp_shape_fn",
    "get_stats_for_node_def",
    "no_outputs",
    "register_dense_tensor_like_type",
    "scalar_shape",
    "unchanged_shape",
    "unknown_shape",
]

_statistics: dict[tuple[str, str], Callable[..., Any]] = {}


class OpStats:
    """A number that is known of an operation, of floating point operations say; sums leave out what is not known."""

    def __init__(self, statistic_type: str, value: Any = None) -> None:
        self.statistic_type, self.value = statistic_type, value

    def __iadd__(self, other: OpStats) -> OpStats:
        if other.statistic_type != self.statistic_type:
            raise ValueError(f"Can't add an OpStat of type {self.statistic_type} to one of {other.statistic_type}.")
        if other.value is not None:
            self.value = other.value if self.value is None else self.value + other.value
        return self


class RegisterStatistics:
    """Decorates ``f(graph, node_def)``, which returns the `OpStats` of operations of a type.

    Raises:
        TypeError: for names that are no strings. ValueError: for a type with ``,`` in it. KeyError: for one that has
            a function already.
    """

    def __init__(self, op_type: str, statistic_type: str) -> None:
        if not isinstance(op_type, str):
            raise TypeError("op_type must be a string.")
        if "," in op_type:
            raise TypeError("op_type must not contain a comma.")
        if not isinstance(statistic_type, str):
            raise TypeError("statistic_type must be a string.")
        if "," in statistic_type:
            raise TypeError("statistic_type must not contain a comma.")
        self._key = op_type, statistic_type

    def __call__(self, f: Callable[..., Any]) -> Callable[..., Any]:
        """Register a function, and return it."""
        if self._key in _statistics:
            raise KeyError(f"Registering two statistics with name {','.join(self._key)!r}!")
        _statistics[self._key] = f
        return f


def _of_products(graph: Any, node: Any) -> OpStats:
    """Return the multiplications and additions of a product of matrices, where its shapes are known."""
    op = graph.get_operation_by_name(node.name)
    given, found = op.inputs[0].shape.num_elements(), op.outputs[0].shape
    total = found.num_elements()
    if given is None or not total:
        return OpStats("flops", 0 if total == 0 else None)
    return OpStats("flops", 2 * total * (given // found.as_list()[-2]))


_statistics["MatMul", "flops"] = _of_products


def get_stats_for_node_def(graph: Any, node: Any, statistic_type: str) -> Any:
    """Return the `OpStats` of an operation, without a value where no function is registered for its type."""
    function = _statistics.get((node.op, statistic_type))
    return OpStats(statistic_type) if function is None else function(graph, node)


class RegisterShape:
    """Decorates a function of the shapes of operations; each operation has its own here, and this one is not asked."""

    def __init__(self, op_type: str) -> None:
        self._op_type = op_type

    def __call__(self, f: Any) -> Any:
        """Return the function."""
        return f


def call_cpp_shape_fn(op: Any, require_shape_fn: bool = True) -> list[TensorShape]:
    """Return the static shapes of an operation's results."""
    return [tensor.shape for tensor in op.outputs]


def _set_call_cpp_shape_fn(call_cpp_shape_fn: Any) -> None:
    """Accept the function that finds shapes."""


def scalar_shape(unused_op: Any) -> list[TensorShape]:
    """Return the shape of one number."""
    return [TensorShape([])]


def unchanged_shape(op: Any) -> list[TensorShape]:
    """Return the shape of an operation's first input."""
    return [op.inputs[0].shape]


def unknown_shape(op: Any) -> list[TensorShape]:
    """Return an unknown shape for each result."""
    return [TensorShape(None) for _ in op.outputs]


def no_outputs(unused_op: Any) -> list[TensorShape]:
    """Return no shape."""
    return []


def register_dense_tensor_like_type(tensor_type: type) -> None:
    """Check that a class of tensors has the properties ``name`` and ``dtype``: TypeError for one without them."""
    for name in ("name", "dtype"):
        if not isinstance(getattr(tensor_type, name, None), property):
            raise TypeError(f"Type {tensor_type.__name__} does not define a `{name}` property")


class Registry:
    """Objects by their names, each name once. Source: ``tensorflow.python.framework.registry.Registry``."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._registry: dict[str, tuple[Any, str]] = {}

    def register(self, candidate: Any, name: str | None = None) -> None:
        """Add an object under a name, by default its own. Raises KeyError for a name that is taken."""
        name = name or str(candidate.__name__)
        if name in self._registry:
            raise KeyError(
                f"Registering two {self._name} with name '{name}'! (Previous registration was in "
                f"{self._registry[name][1]})"
            )
        call = traceback.extract_stack(limit=2)[0]
        self._registry[name] = candidate, f"{call.name} {call.filename}:{call.lineno}"

    def list(self) -> list[str]:
        """Return the names."""
        return [*self._registry]

    def lookup(self, name: str) -> Any:
        """Return the object of a name. Raises LookupError for a name that is not there."""
        if name not in self._registry:
            raise LookupError(f"{self._name} registry has no entry for: {name}")
        return self._registry[name][0]
