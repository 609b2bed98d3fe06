"""Operators and NumPy's functions on nodes: each makes a node that computes the same later."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from ...base.errors import must
from ..graph import shape_inference
from ..graph.build import call
from ..graph.node import Node, Tensor
from .division_ops import floor_divided, remainder
from .slice_ops import At, getitem

__all__: list[str] = []

_COMPARISONS = {"lt": "Less", "le": "LessEqual", "gt": "Greater", "ge": "GreaterEqual"}
_COMPARING: dict[str, np.ufunc] = {
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
}
_UFUNCS = {
    "floordiv": np.floor_divide,
    "mod": np.remainder,
    "pow": np.power,
}  # the operator has faster ways for 2, 0.5 and -1
_BINARY: dict[str, tuple[str, Callable[[Any, Any], Any]]] = {
    "add": ("add", np.add),
    "sub": ("sub", np.subtract),
    "mul": ("mul", np.multiply),
    "truediv": ("truediv", np.true_divide),
    "floordiv": ("floordiv", floor_divided),
    "mod": ("mod", remainder),
    "pow": ("pow", operator.pow),
    "and": ("and", np.logical_and),
    "or": ("or", np.logical_or),
    "xor": ("xor", np.logical_xor),
}


def _binary(op_type: str, function: Callable[[Any, Any], Any], a: Any, b: Any) -> Any:
    node = a if isinstance(a, Node) else b
    dtype = None
    if op_type == "truediv" and node._tensor().dtype.is_integer:
        dtype = "float64" if node._tensor().dtype.size > 2 else "float32"
        function = _divided_integers
    flows = op_type != "floordiv"
    return call(
        op_type.capitalize(),
        function,
        (a, b),
        name=op_type,
        shape=shape_inference.broadcast,
        dtype=dtype,
        differentiable=flows,
    )


def _divided_integers(a: Any, b: Any) -> Any:
    wide = np.float64 if np.result_type(a, b).itemsize > 2 else np.float32
    return np.true_divide(a, b, dtype=wide)


def _matmul(a: Any, b: Any) -> Any:
    return call("MatMul", np.matmul, (a, b), shape=shape_inference.matmul)


def _compare(name: str) -> Callable[[Any, Any], Any]:
    function = _COMPARING[name]

    def method(self: Any, other: Any) -> Any:
        return call(
            _COMPARISONS[name],
            function,
            (self, other),
            shape=shape_inference.broadcast,
            dtype="bool",
            differentiable=False,
        )

    return method


def _abs(x: Any) -> Any:
    return call("Abs", np.absolute, (x,), shape=shape_inference.same)


def _negative(x: Any) -> Any:
    return call("Neg", np.negative, (x,), shape=shape_inference.same)


def _invert(x: Any) -> Any:
    return call("LogicalNot", np.logical_not, (x,), shape=shape_inference.same, differentiable=False)


# NumPy's protocols


def _array_ufunc(self: Node, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
    if method != "__call__" or kwargs:
        remedy = "use the tf function, or fetch the value first"
        raise TypeError(must(ufunc.__name__, "call", "be a plain call on a node", f"{method} with {kwargs}", remedy))
    if ufunc is np.matmul:
        return _matmul(*inputs)
    for name, (kind, function) in _BINARY.items():
        if ufunc is _UFUNCS.get(name, function):
            return _binary(kind, function, *inputs)
    for name in _COMPARISONS:
        if ufunc is _COMPARING[name]:
            return _compare(name)(*inputs)
    return call(ufunc.__name__, ufunc, inputs, shape=shape_inference.broadcast, dtype=_type_of(ufunc, inputs))


def _type_of(ufunc: np.ufunc, inputs: Any) -> Any:
    """Return the type of a universal function's result, as NumPy finds it for the nodes' types."""
    kinds = [value._tensor().dtype.dtype if isinstance(value, Node) else None for value in inputs]
    common = next(kind for kind in kinds if kind is not None)
    return np.asarray(ufunc(*(np.ones((), common) for _ in inputs))).dtype


def _array_function(self: Node, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
    """Keep a call of a NumPy function: the nodes in it become inputs."""
    nodes: list[Tensor] = []

    def taken(value: Any) -> Any:
        if isinstance(value, Node):
            nodes.append(value._tensor())
            return At(len(nodes) - 1)
        if type(value) in (list, tuple):
            return type(value)(taken(item) for item in value)
        if type(value) is dict:
            return {key: taken(item) for key, item in value.items()}
        return value

    pattern = (taken(args), taken(kwargs))

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


def _install() -> None:
    cls: Any = Node

    def make(op_type: str, function: Any) -> tuple[Any, Any]:
        return (
            lambda self, other: _binary(op_type, function, self, other),
            lambda self, other: _binary(op_type, function, other, self),
        )

    for name, (kind, function) in _BINARY.items():
        forward, backward = make(kind, function)
        setattr(cls, f"__{name}__", forward)
        setattr(cls, f"__r{name}__", backward)
    for name in _COMPARISONS:
        setattr(cls, f"__{name}__", _compare(name))
    cls.__div__ = cls.__truediv__
    cls.__matmul__ = _matmul
    cls.__rmatmul__ = lambda self, other: _matmul(other, self)
    cls.__abs__, cls.__neg__, cls.__invert__ = _abs, _negative, _invert
    cls.__getitem__ = getitem
    cls.__array_ufunc__, cls.__array_function__ = _array_ufunc, _array_function


_install()
