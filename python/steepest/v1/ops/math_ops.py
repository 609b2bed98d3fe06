"""Element-wise mathematics, products, comparisons and conversions."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from ... import nn as _nn
from ...ops.dispatch import apply, unwrap
from ...ops.registry import Primitive, also_complex
from ..graph import shape_inference
from ..graph.bound_names import name_functions
from ..graph.build import REAL, call
from ..graph.composites import is_sparse, with_values
from ..graph.scopes import name_scope
from .division_ops import (
    divided_exactly,
    floor_divided,
    remainder,
    truncated,
    truncated_remainder,
)
from .quotient_ops import div_no_nan, divide, truediv
from .root_ops import inverse_root

__all__ = [
    "abs",
    "acos",
    "acosh",
    "add",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "ceil",
    "cos",
    "cosh",
    "div",
    "div_no_nan",
    "divide",
    "equal",
    "erf",
    "erfc",
    "exp",
    "expm1",
    "floor",
    "floor_div",
    "floordiv",
    "floormod",
    "greater",
    "greater_equal",
    "is_finite",
    "is_inf",
    "is_nan",
    "less",
    "less_equal",
    "log",
    "log1p",
    "log_sigmoid",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "maximum",
    "minimum",
    "mod",
    "multiply",
    "negative",
    "not_equal",
    "pow",
    "realdiv",
    "reciprocal",
    "rint",
    "round",
    "rsqrt",
    "sigmoid",
    "sign",
    "sin",
    "sinh",
    "sqrt",
    "square",
    "squared_difference",
    "subtract",
    "tan",
    "tanh",
    "truediv",
    "truncatediv",
    "truncatemod",
    "xdivy",
    "xlogy",
]

Unary = Callable[..., Any]


def elementwise(
    op_type: str, function: Unary, text: str, differentiable: bool = True, dtype: Any = None, scope: str | None = None
) -> Unary:
    """Return the function of one tensor that TensorFlow calls ``op_type``; ``scope`` is a name scope around it."""

    options = {"shape": shape_inference.same, "dtype": dtype, "differentiable": differentiable}

    def operation(x: Any, name: str | None = None) -> Any:
        if is_sparse(x):
            return with_values(x, operation(x.values, name))
        return call(op_type, function, (x,), name=name, **options)

    def within(x: Any, name: str | None = None) -> Any:
        with name_scope(name, scope, [x]):
            return call(op_type, function, (x,), **options)

    operation.__doc__ = within.__doc__ = text
    return operation if scope is None else within


def _reciprocal(x: Any) -> Any:
    return np.true_divide(x.dtype.type(1), x)


erf_value = np.vectorize(math.erf, otypes=[np.float64])
erfc_value = np.vectorize(math.erfc, otypes=[np.float64])
_ERF_SLOPE = 2 / math.sqrt(math.pi)
_erf_of = Primitive(lambda x: erf_value(x).astype(x.dtype), (lambda g, y, x: g * _ERF_SLOPE * np.exp(-(x * x)),))
_erfc_of = Primitive(lambda x: erfc_value(x).astype(x.dtype), (lambda g, y, x: -g * _ERF_SLOPE * np.exp(-(x * x)),))


def _erf(x: Any) -> Any:
    return apply(_erf_of, (x,))


def _erfc(x: Any) -> Any:
    return apply(_erfc_of, (x,))


def _signs(x: Any) -> Any:
    if x.dtype.kind != "c":
        return np.sign(x)
    return x / np.where(x == 0, x.dtype.type(1), np.absolute(x)).astype(x.dtype)


_sign_of = Primitive(_signs, (lambda g, y, x: np.zeros_like(g),))
also_complex(_sign_of)


def _sign(x: Any) -> Any:
    return apply(_sign_of, (x,))


def _sigmoid(x: Any) -> Any:
    return 1 / (1 + np.exp(-x)) if x.dtype.kind == "c" else _nn.sigmoid(x)


def _rounded(x: Any) -> Any:
    return np.round(unwrap(x))  # halves go to the even number, as in TensorFlow


abs = elementwise("Abs", np.absolute, "Return ``|x|``; of complex numbers their length.", dtype=REAL)
negative = elementwise("Neg", np.negative, "Return ``-x``.")
sign = elementwise("Sign", _sign, "Return -1, 0 or 1; its gradient is zero.")
square = elementwise("Square", np.square, "Return ``x * x``.")
sqrt = elementwise("Sqrt", np.sqrt, "Return the square root.")
rsqrt = elementwise("Rsqrt", inverse_root, "Return ``1 / sqrt(x)``.")
exp = elementwise("Exp", np.exp, "Return ``e ** x``.")
expm1 = elementwise("Expm1", np.expm1, "Return ``exp(x) - 1``, exact near 0.")
log = elementwise("Log", np.log, "Return the natural logarithm.")
log1p = elementwise("Log1p", np.log1p, "Return ``log(1 + x)``, exact near 0.")
sin = elementwise("Sin", np.sin, "Return the sine.")
cos = elementwise("Cos", np.cos, "Return the cosine.")
tan = elementwise("Tan", np.tan, "Return the tangent.")
asin = elementwise("Asin", np.arcsin, "Return the inverse sine.")
acos = elementwise("Acos", np.arccos, "Return the inverse cosine.")
atan = elementwise("Atan", np.arctan, "Return the inverse tangent.")
asinh = elementwise("Asinh", np.arcsinh, "Return the inverse hyperbolic sine.")
acosh = elementwise("Acosh", np.arccosh, "Return the inverse hyperbolic cosine.")
atanh = elementwise("Atanh", np.arctanh, "Return the inverse hyperbolic tangent.")
sinh = elementwise("Sinh", np.sinh, "Return the hyperbolic sine.")
cosh = elementwise("Cosh", np.cosh, "Return the hyperbolic cosine.")
tanh = elementwise("Tanh", np.tanh, "Return the hyperbolic tangent.")
sigmoid = elementwise("Sigmoid", _sigmoid, "Return ``1 / (1 + exp(-x))``.")
log_sigmoid = elementwise("LogSigmoid", lambda x: -_nn.softplus(-x), "Return ``log(sigmoid(x))``.")
erfc = elementwise("Erfc", _erfc, "Return ``1 - erf(x)``, exact where that is near 0.")
erf = elementwise("Erf", _erf, "Return the error function.")
reciprocal = elementwise("Reciprocal", _reciprocal, "Return ``1 / x``.")
floor = elementwise("Floor", lambda x: np.floor(unwrap(x)), "Return the next integer below.", False)
ceil = elementwise("Ceil", lambda x: np.ceil(unwrap(x)), "Return the next integer above.", False)
round = elementwise("Round", _rounded, "Return the nearest integer, of two the even one.", False)
rint = elementwise("Rint", _rounded, "Return the nearest integer, of two the even one.", False)
is_nan = elementwise("IsNan", lambda x: np.isnan(unwrap(x)), "Tell which elements are NaN.", False, "bool")
is_inf = elementwise("IsInf", lambda x: np.isinf(unwrap(x)), "Tell which elements are infinite.", False, "bool")
is_finite = elementwise("IsFinite", lambda x: np.isfinite(unwrap(x)), "Tell which elements are finite.", False, "bool")
logical_not = elementwise("LogicalNot", np.logical_not, "Return the opposite truth values.", False)

Binary = Callable[..., Any]


def elementwise_of_two(
    op_type: str, function: Any, text: str, differentiable: bool = True, dtype: Any = None
) -> Binary:
    """Return the function of two tensors that TensorFlow calls ``op_type``."""

    def operation(x: Any, y: Any, name: str | None = None) -> Any:
        return call(
            op_type,
            function,
            (x, y),
            name=name,
            shape=shape_inference.broadcast,
            dtype=dtype,
            differentiable=differentiable,
        )

    operation.__doc__ = text
    return operation


def _plainly(function: Any) -> Any:
    def compared(x: Any, y: Any) -> Any:
        x, y = unwrap(x), unwrap(y)
        if x.dtype.names:  # numbers of few bits, which stand for floats
            x, y = x[x.dtype.names[0]], y[y.dtype.names[0]]
        return function(x, y)

    return compared


def _power(x: Any, y: Any) -> Any:
    return x**y


def _squared_difference(x: Any, y: Any) -> Any:
    difference = x - y
    return difference * np.conjugate(difference) if difference.dtype.kind == "c" else np.square(difference)


def _divided(x: Any, y: Any) -> Any:
    return floor_divided(x, y) if x.dtype.kind in "iu" else np.true_divide(x, y)


def _xlogy(x: Any, y: Any) -> Any:
    zero = unwrap(x) == 0
    return np.where(zero, np.zeros((), x.dtype), x * np.log(np.where(zero, np.ones((), y.dtype), y)))


def _xdivy(x: Any, y: Any) -> Any:
    zero = unwrap(x) == 0
    return np.where(zero, np.zeros((), x.dtype), x / np.where(zero, np.ones((), y.dtype), y))


# Operators: on recorded values they are quicker than the ufuncs that they stand for.
add = elementwise_of_two("AddV2", operator.add, "Return ``x + y``.")
first_add = elementwise_of_two("Add", operator.add, "Return ``x + y``, as messages of nodes before ``AddV2`` have it.")
subtract = elementwise_of_two("Sub", operator.sub, "Return ``x - y``.")
multiply = elementwise_of_two("Mul", operator.mul, "Return ``x * y``.")
div = elementwise_of_two("Div", _divided, "Return ``x / y``; of integers the floor.")
truncatediv = elementwise_of_two("TruncateDiv", truncated, "Return ``x / y`` without its fraction.", False)
xlogy = elementwise_of_two("Xlogy", _xlogy, "Return ``x * log(y)``, 0 where x is 0.")
xdivy = elementwise_of_two("Xdivy", _xdivy, "Return ``x / y``, 0 where x is 0.")
realdiv = elementwise_of_two("RealDiv", divided_exactly, "Return ``x / y``; of integers without its fraction.")
floordiv = elementwise_of_two("FloorDiv", floor_divided, "Return the floor of ``x / y``.", False)
floor_div = floordiv
mod = elementwise_of_two("FloorMod", remainder, "Return the remainder of `floordiv`, with the sign of y.")
floormod = mod
truncatemod = elementwise_of_two(
    "TruncateMod", truncated_remainder, "Return the remainder of `div`, with the sign of x.", False
)
pow = elementwise_of_two("Pow", _power, "Return ``x ** y``.")
maximum = elementwise_of_two("Maximum", np.maximum, "Return the larger of two, element by element.")
minimum = elementwise_of_two("Minimum", np.minimum, "Return the smaller of two, element by element.")
squared_difference = elementwise_of_two("SquaredDifference", _squared_difference, "Return ``(x - y) ** 2``.")
_atan2 = elementwise_of_two("Atan2", np.arctan2, "")
equal = elementwise_of_two("Equal", _plainly(np.equal), "Tell where x and y are equal.", False, "bool")
not_equal = elementwise_of_two("NotEqual", _plainly(np.not_equal), "Tell where x and y differ.", False, "bool")
less = elementwise_of_two("Less", np.less, "Tell where ``x < y``.", False, "bool")
less_equal = elementwise_of_two("LessEqual", np.less_equal, "Tell where ``x <= y``.", False, "bool")
greater = elementwise_of_two("Greater", np.greater, "Tell where ``x > y``.", False, "bool")
greater_equal = elementwise_of_two("GreaterEqual", np.greater_equal, "Tell where ``x >= y``.", False, "bool")
logical_and = elementwise_of_two("LogicalAnd", np.logical_and, "Tell where both are true.", False, "bool")
logical_or = elementwise_of_two("LogicalOr", np.logical_or, "Tell where one is true.", False, "bool")
logical_xor = elementwise_of_two("LogicalXor", np.logical_xor, "Tell where exactly one is true.", False, "bool")


def atan2(y: Any, x: Any, name: str | None = None) -> Any:
    """Return the angle of the point (x, y)."""
    return _atan2(y, x, name)


name_functions(__name__)
