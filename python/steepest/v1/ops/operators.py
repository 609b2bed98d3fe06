"""Operators and NumPy's functions on nodes: each makes a node that computes the same later."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...base.errors import must
from ..graph import shape_inference
from ..graph.build import call, convert_all
from ..graph.composites import is_sparse
from ..graph.equality import compared_by, compares_elements
from ..graph.node import Node, Tensor
from ..graph.tensor_kind import Tensor as TensorKind
from . import bitwise_ops, math_ops
from .matmul_ops import matmul
from .slice_ops import At, getitem

__all__: list[str] = []

# The function behind each operator; nodes that an operator makes are named after it.
_ARITHMETIC: dict[str, Callable[[Any, Any, str], Any]] = {
    "add": math_ops.add,
    "sub": math_ops.subtract,
    "mul": math_ops.multiply,
    "truediv": math_ops.truediv,
    "floordiv": math_ops.floordiv,
    "mod": math_ops.mod,
    "pow": math_ops.pow,
    "and": bitwise_ops.and_,
    "or": bitwise_ops.or_,
    "xor": bitwise_ops.xor,
}
_COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "lt": math_ops.less,
    "le": math_ops.less_equal,
    "gt": math_ops.greater,
    "ge": math_ops.greater_equal,
}
_OPERATOR_OF_UFUNC: dict[np.ufunc, str] = {
    np.add: "add",
    np.subtract: "sub",
    np.multiply: "mul",
    np.true_divide: "truediv",
    np.floor_divide: "floordiv",
    np.remainder: "mod",
    np.power: "pow",
    np.bitwise_and: "and",
    np.bitwise_or: "or",
    np.bitwise_xor: "xor",
    np.logical_and: "and",
    np.logical_or: "or",
    np.logical_xor: "xor",
    np.less: "lt",
    np.less_equal: "le",
    np.greater: "gt",
    np.greater_equal: "ge",
}


# NumPy's protocols


def _array_ufunc(self: Node, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
    if method == "__call__" and len(inputs) == 2 and kwargs.keys() == {"out"} and kwargs["out"][0] is inputs[0]:
        kwargs = {}  # `array += node`: the name is bound to a new tensor, as in TensorFlow, and the array stays
    if method != "__call__" or kwargs:
        remedy = "use the tf function, or fetch the value first"
        raise TypeError(must(ufunc.__name__, "call", "be a plain call on a node", f"{method} with {kwargs}", remedy))
    if ufunc is np.matmul:
        return matmul(inputs[0], inputs[1])
    if ufunc in (np.equal, np.not_equal) and isinstance(inputs[0], np.ndarray) and not compares_elements():
        return ufunc is np.not_equal  # Python asks the array, as a node tells nothing: it is no array
    name = _OPERATOR_OF_UFUNC.get(ufunc, "")
    if name in _ARITHMETIC:
        return _ARITHMETIC[name](inputs[0], inputs[1], name)
    if name in _COMPARISONS:
        return _COMPARISONS[name](inputs[0], inputs[1])
    return call(ufunc.__name__, ufunc, inputs, shape=shape_inference.broadcast, dtype=_type_of(ufunc, inputs))


def _type_of(ufunc: np.ufunc, inputs: Any) -> Any:
    """Return the type of a universal function's result, as NumPy finds it for the nodes' types."""
    dtypes = [value._tensor().dtype.dtype if isinstance(value, Node) else None for value in inputs]
    dtype = next(dtype for dtype in dtypes if dtype is not None)
    return np.asarray(ufunc(*(np.ones((), dtype) for _ in inputs))).dtype


def _array_function(self: Node, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
    """Keep a call of a NumPy function: the nodes in it become inputs."""
    if func is np.shape and isinstance(array := args[0] if args else kwargs["a"], Node):
        return array.shape  # what is known while the graph is built: programs count with it
    nodes: list[Tensor] = []

    def pattern_of(value: Any) -> Any:
        if isinstance(value, Node):
            nodes.append(value._tensor())
            return At(len(nodes) - 1)
        if type(value) in (list, tuple):
            return type(value)(pattern_of(item) for item in value)
        if type(value) is dict:
            return {key: pattern_of(item) for key, item in value.items()}
        return value

    pattern = (pattern_of(args), pattern_of(kwargs))

    def later(*values: Any) -> Any:
        def filled(item: Any) -> Any:
            if isinstance(item, At):
                return values[item.position]
            if type(item) in (list, tuple):
                return type(item)(filled(part) for part in item)
            if type(item) is dict:
                return {key: filled(part) for key, part in item.items()}
            return item

        return func(*filled(pattern[0]), **filled(pattern[1]))

    return call(func.__name__, later, nodes, same=False)


def _arithmetic(name: str) -> tuple[Callable[[Any, Any], Any], Callable[[Any, Any], Any]]:
    """Return the methods ``__<name>__`` and ``__r<name>__``; beside a sparse tensor its own is asked."""
    function = _ARITHMETIC[name]

    def forward(self: Node, other: Any) -> Any:
        return NotImplemented if is_sparse(other) else function(self, other, name)

    return forward, (lambda self, other: function(other, self, name))


def _comparison(name: str) -> Callable[[Any, Any], Any]:
    function = _COMPARISONS[name]
    return lambda self, other: function(self, other)


def _equality(op_type: str, function: np.ufunc, same: bool) -> Callable[[Any, Any], Any]:
    """Return ``==`` or ``!=`` of a program that compares elements: it does so in the bodies of functions."""
    plainly = math_ops.equal if same else math_ops.not_equal

    def either(x: Any, y: Any) -> Any:
        try:
            return function(x, y)
        except ValueError:  # shapes that do not fit each other
            return np.asarray(not same)

    def compute(self: Any, other: Any) -> Any:
        if other is None or not self.graph.building_function:
            return (self is other) is same
        self, other = convert_all(op_type, (self, other))
        if _fits(self._shape, other._shape):
            return plainly(self, other)
        return call(op_type, either, (self, other), shape=lambda *shapes: None, dtype="bool", differentiable=False)

    return compute


def _fits(one: Any, other: Any) -> bool:
    """Tell whether two shapes are known to fit each other."""
    if () in (one, other):
        return True
    if one is None or other is None or None in (*one, *other):
        return False
    return all(1 in pair or pair[0] == pair[1] for pair in zip(reversed(one), reversed(other), strict=False))


def _install() -> None:
    cls: Any = Node
    for name in _ARITHMETIC:
        forward, backward = _arithmetic(name)
        setattr(cls, f"__{name}__", forward)
        setattr(cls, f"__r{name}__", backward)
    for name in _COMPARISONS:
        setattr(cls, f"__{name}__", _comparison(name))
    cls.__div__, cls.__rdiv__ = cls.__truediv__, cls.__rtruediv__
    cls.__matmul__ = lambda self, other: matmul(self, other)
    cls.__rmatmul__ = lambda self, other: matmul(other, self)
    cls.__abs__ = lambda self: math_ops.abs(self)
    cls.__neg__ = lambda self: math_ops.negative(self)
    cls.__invert__ = lambda self: bitwise_ops.invert_(self)
    cls.__getitem__ = getitem
    names = [f"__{side}{name}__" for name in (*_ARITHMETIC, "matmul") for side in ("", "r")]
    names += [f"__{name}__" for name in (*_COMPARISONS, "div", "rdiv", "abs", "neg", "invert", "getitem")]
    cls.OVERLOADABLE_OPERATORS = {*names, "__eq__", "__ne__"}
    cls.__array_ufunc__, cls.__array_function__ = _array_ufunc, _array_function


_install()
compared_by(Node, __eq__=_equality("Equal", np.equal, True), __ne__=_equality("NotEqual", np.not_equal, False))
compared_by(TensorKind, _USE_EQUALITY=True)
