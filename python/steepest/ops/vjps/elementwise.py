"""Derivatives of NumPy's elementwise functions.

Each line is the function's derivative times ``g``; the tape sums over broadcast axes and casts. Where ``maximum`` or
``minimum`` meets equal arguments the gradient goes to the first, as in TensorFlow.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from ... import _core
from ..dispatch import apply, has_complex, unwrap
from ..registry import Primitive, composite, def_nondifferentiable, defvjp

_LN2, _LN10 = math.log(2.0), math.log(10.0)


def where_it_matters(g: Any, y: Any) -> Any:
    """Return a root, or its inverse, and 1 where no gradient arrives: a mask may leave out the infinite slope at 0.

    TensorFlow's kernels do so.
    """
    plain = unwrap(y)
    if np.all(np.isfinite(plain) & (plain != 0)):
        return y
    return np.where(np.equal(unwrap(g), 0), np.ones((), plain.dtype), y)


# Arithmetic
defvjp(np.add, lambda g, y, a, b: g, lambda g, y, a, b: g, linear=True)
defvjp(np.subtract, lambda g, y, a, b: g, lambda g, y, a, b: -g, linear=True)
defvjp(np.multiply, lambda g, y, a, b: g * b, lambda g, y, a, b: g * a, needs_result=False)
defvjp(np.true_divide, lambda g, y, a, b: g / b, lambda g, y, a, b: -g * y / b)
defvjp(np.remainder, lambda g, y, a, b: g, lambda g, y, a, b: -g * _floored(unwrap(a), unwrap(b)))
defvjp(np.fmod, lambda g, y, a, b: g, lambda g, y, a, b: -g * np.trunc(unwrap(a) / unwrap(b)))
defvjp(np.power, lambda g, y, a, b: g * _power_slope(a, b), lambda g, y, a, b: _scaled_log(g * y, a))
defvjp(operator.pow, lambda g, y, a, b: g * _power_slope(a, b), lambda g, y, a, b: _scaled_log(g * y, a))
defvjp(np.float_power, lambda g, y, a, b: g * _power_slope(a, b), lambda g, y, a, b: _scaled_log(g * y, a))
defvjp(np.negative, lambda g, y, x: -g, linear=True)
defvjp(np.positive, lambda g, y, x: g, linear=True)
defvjp(np.absolute, lambda g, y, x: np.multiply(g, _direction(x, y)))  # real times complex, in eager mode too
defvjp(np.fabs, lambda g, y, x: g * np.sign(unwrap(x)))
defvjp(np.sign, lambda g, y, x: np.zeros_like(unwrap(x)), linear=True)
defvjp(np.conjugate, lambda g, y, x: np.conjugate(g), linear=True)
defvjp(np.nextafter, lambda g, y, a, b: g, lambda g, y, a, b: np.zeros_like(unwrap(g)), linear=True)
defvjp(np.reciprocal, lambda g, y, x: -g * y * y)
defvjp(np.square, lambda g, y, x: g * 2 * x, needs_result=False)

# Powers and logarithms
defvjp(np.sqrt, lambda g, y, x: g * 0.5 / where_it_matters(g, y))
defvjp(np.cbrt, lambda g, y, x: g / (3 * y * y))
defvjp(np.exp, lambda g, y, x: g * y)
defvjp(np.exp2, lambda g, y, x: g * y * _LN2)
defvjp(np.expm1, lambda g, y, x: g * np.exp(x))  # y + 1 has lost its digits where y is near -1
defvjp(np.log, lambda g, y, x: g / x, needs_result=False)
defvjp(np.log2, lambda g, y, x: g / (x * _LN2))
defvjp(np.log10, lambda g, y, x: g / (x * _LN10))
defvjp(np.log1p, lambda g, y, x: g / (1 + x))
defvjp(np.logaddexp, lambda g, y, a, b: g * _share(a, y), lambda g, y, a, b: g * _share(b, y))
defvjp(np.logaddexp2, lambda g, y, a, b: g * np.exp2(a - y), lambda g, y, a, b: g * np.exp2(b - y))
defvjp(np.hypot, lambda g, y, a, b: g * _ratio(a, y), lambda g, y, a, b: g * _ratio(b, y))

# Angles
defvjp(np.sin, lambda g, y, x: g * np.cos(x), needs_result=False)
defvjp(np.cos, lambda g, y, x: -g * np.sin(x), needs_result=False)
defvjp(np.tan, lambda g, y, x: g * (1 + y * y))
defvjp(np.arcsin, lambda g, y, x: g / _other_leg(x))
defvjp(np.arccos, lambda g, y, x: -g / _other_leg(x))
defvjp(np.arctan, lambda g, y, x: g / (1 + x * x))
defvjp(np.arctan2, lambda g, y, a, b: g * b / _radius2(a, b), lambda g, y, a, b: -g * a / _radius2(a, b))
defvjp(np.sinh, lambda g, y, x: g * np.cosh(x))
defvjp(np.cosh, lambda g, y, x: g * np.sinh(x))
defvjp(np.tanh, lambda g, y, x: g * (1 - y * y))
defvjp(np.arcsinh, lambda g, y, x: g / np.sqrt(x * x + 1))
defvjp(np.arccosh, lambda g, y, x: g / (np.sqrt(x - 1) * np.sqrt(x + 1)))
defvjp(np.arctanh, lambda g, y, x: g / ((1 - x) * (1 + x)))
defvjp(np.deg2rad, lambda g, y, x: g * (math.pi / 180), linear=True)
defvjp(np.rad2deg, lambda g, y, x: g * (180 / math.pi), linear=True)
defvjp(np.radians, lambda g, y, x: g * (math.pi / 180), linear=True)
defvjp(np.degrees, lambda g, y, x: g * (180 / math.pi), linear=True)

# Choices
defvjp(
    np.maximum,
    lambda g, y, a, b: keep_where(g, a, ">=", b),
    lambda g, y, a, b: keep_where(g, a, "not >=", b),
    needs_result=False,
)
defvjp(
    np.minimum,
    lambda g, y, a, b: keep_where(g, b, ">=", a),
    lambda g, y, a, b: keep_where(g, b, "not >=", a),
    needs_result=False,
)
defvjp(np.fmax, lambda g, y, a, b: _only(_first(y, a), g), lambda g, y, a, b: _only(~_first(y, a), g))
defvjp(np.fmin, lambda g, y, a, b: _only(_first(y, a), g), lambda g, y, a, b: _only(~_first(y, a), g))
defvjp(
    np.where,
    lambda g, y, c, a, b: None,
    lambda g, y, c, a, b: _only(_truth(c), g),
    lambda g, y, c, a, b: _only(~_truth(c), g),
    needs_result=False,
)
defvjp(np.copy, lambda g, y, x, *args, **kwargs: g, linear=True)


_BITS = {np.dtype(f"f{size}"): np.dtype(f"i{size}") for size in (2, 4, 8)}


def _only(chosen: Any, g: Any) -> Any:
    """Return ``g`` where ``chosen``, an array of booleans, holds, and 0 elsewhere, also for an infinity or a NaN.

    As integers a float's bits may be multiplied by 0 and 1. That takes a third of the time of ``np.where``, and a tenth
    where a processor cannot foresee what is chosen.
    """
    bits = _BITS.get(g.dtype) if type(g) is np.ndarray else None
    if bits is None:
        return np.where(chosen, g, 0)
    r = np.empty(g.shape, g.dtype)
    masked = r.view(bits)
    masked[...] = chosen
    masked *= g.view(bits)
    return r


_RELATIONS: dict[str, Callable[[Any, Any], Any]] = {
    ">": np.greater,
    ">=": np.greater_equal,
    "not >=": lambda a, b: ~np.greater_equal(a, b),
}


def keep_where(g: Any, a: Any, relation: str, b: Any) -> Any:
    """Return ``g`` where a relation is between a and b, and 0 elsewhere."""
    kept = _core.keep_where(g, a, relation, b)
    return _only(_RELATIONS[relation](unwrap(a), unwrap(b)), g) if kept is None else kept


_BESIDE = Primitive(
    lambda g, x: g,
    (lambda gg, y, g, x: gg, lambda gg, y, g, x: np.zeros_like(unwrap(x))),
    name="beside",
)


def beside(g: Any, x: Any) -> Any:
    """Return ``g``, which is made of where x lies: for derivatives of derivatives x has zeros, as in TensorFlow."""
    return g if unwrap(x) is x else apply(_BESIDE, (g, x))


def as_operand(value: Any) -> Any:
    """Return what a user has put beside a recorded value as something to compute with: a list as an array."""
    return np.asarray(value) if isinstance(value, (list, tuple)) else value


def squared_size(x: Any) -> Any:
    """Return the square of the absolute value."""
    return np.square(np.real(x)) + np.square(np.imag(x)) if x.dtype.kind == "c" else x * x


def _direction(x: Any, y: Any) -> Any:
    """Return the slope of the absolute value y: the sign, of a complex number the conjugate of its direction."""
    if x.dtype.kind != "c":
        return np.sign(x)
    return np.conjugate(x) / np.where(np.equal(unwrap(y), 0), 1, y).astype(x.dtype)


def _radius2(a: Any, b: Any) -> Any:
    a, b = as_operand(a), as_operand(b)
    return a * a + b * b


def _truth(condition: Any) -> Any:
    return np.asarray(unwrap(condition)).astype(bool, copy=False)


def _first(y: Any, a: Any) -> Any:
    """Where fmax or fmin took its first argument (a NaN is taken only beside another)."""
    return np.equal(unwrap(y), unwrap(a)) | np.isnan(unwrap(y))


def _power_slope(a: Any, b: Any) -> Any:
    """Return the derivative ``b * a ** (b - 1)``; 0 for b = 0, also where a is 0 or infinite."""
    if isinstance(b, (int, float)):
        if b == 2:
            return 2 * a
        return b * a ** (b - 1) if b != 0 else np.zeros_like(unwrap(a))
    a, b = as_operand(a), as_operand(b)
    base = unwrap(a)
    flat = np.equal(unwrap(b), 0) & (np.equal(base, 0) | np.isinf(base))
    return b * np.where(flat, np.ones((), np.asarray(base).dtype), a) ** (b - 1)


def _floored(a: Any, b: Any) -> Any:
    """Return ``floor(a / b)``: ``floor_divide`` has all digits, but for an infinity it gives NaN or -1."""
    quotient = np.floor_divide(a, b)
    infinite = np.isinf(a) | np.isinf(b)
    return np.where(infinite, np.floor(np.true_divide(a, b)), quotient) if np.any(infinite) else quotient


def _scaled_log(scale: Any, a: Any) -> Any:
    """Return ``scale * log(a)``, and 0 where a is not positive, as TensorFlow does.

    The scale is ``g * a ** b``: in this order a g of 0 gives 0 also where ``a ** b * log(a)`` overflows.
    """
    a = as_operand(a)
    positive = np.not_equal(unwrap(a), 0) if has_complex(a, scale) else np.greater(unwrap(a), 0)
    return scale * np.where(positive, np.log(np.where(positive, a, 1)), 0)


def _share(a: Any, y: Any) -> Any:
    """Return ``exp(a - y)``, 0 where both are minus infinity."""
    same = np.equal(unwrap(a), unwrap(y)) & np.isinf(unwrap(y))
    return np.exp(np.where(same, np.where(unwrap(y) > 0, 0, -np.inf), a - y))


def _ratio(a: Any, y: Any) -> Any:
    """Return ``a / y``, 0 for y = 0."""
    return a / np.where(np.equal(unwrap(y), 0), 1, y)


@composite(np.clip)
def _clip(x: Any, *bounds: Any, **named: Any) -> Any:
    low, high = (*bounds, None, None)[:2]
    low = named.pop("a_min", named.pop("min", low))
    high = named.pop("a_max", named.pop("max", high))
    if named:
        raise TypeError(f"clip: unexpected arguments {sorted(named)}")
    # The gradient passes at the bounds: on equality the first argument takes it.
    if low is not None and low is not np._NoValue:
        x = np.maximum(x, low)
    elif high is None or high is np._NoValue:
        return np.copy(x)
    return x if high is None or high is np._NoValue else np.minimum(x, high)


@composite(np.nan_to_num)
def _nan_to_num(x: Any, copy: bool = True, nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> Any:
    filled = np.nan_to_num(unwrap(x), nan=nan, posinf=posinf, neginf=neginf)
    return np.where(np.isfinite(unwrap(x)), x, filled)


@composite(np.ldexp)
def _ldexp(x: Any, exponent: Any) -> Any:
    return x * np.exp2(exponent).astype(x.dtype)


@composite(np.copysign)
def _copysign(a: Any, b: Any) -> Any:
    return a * (np.copysign(1, unwrap(a)) * np.copysign(1, unwrap(b)))


# Derivative zero or none: these give plain values.
def_nondifferentiable(
    np.floor, np.ceil, np.trunc, np.rint, np.round, np.around, np.fix, np.floor_divide, np.heaviside,
    np.equal, np.not_equal, np.less, np.less_equal, np.greater, np.greater_equal,
    np.logical_and, np.logical_or, np.logical_not, np.logical_xor,
    np.isfinite, np.isinf, np.isnan, np.signbit, np.isclose, np.allclose, np.array_equal, np.array_equiv,
    np.argmax, np.argmin, np.argsort, np.nanargmax, np.nanargmin, np.argwhere, np.nonzero, np.flatnonzero,
    np.count_nonzero, np.searchsorted, np.digitize, np.all, np.any, np.isin, np.linalg.matrix_rank,
    np.shape, np.ndim, np.size, np.zeros_like, np.ones_like, np.empty_like, np.result_type, np.can_cast,
    np.min_scalar_type, np.iscomplexobj, np.isrealobj, np.array_repr, np.array_str, np.array2string, np.spacing,
    np.iscomplex, np.isreal, np.isneginf, np.isposinf, np.shares_memory, np.may_share_memory,
    np.save, np.savez, np.savez_compressed, np.savetxt,
    np.lexsort, np.argpartition, np.einsum_path, np.triu_indices_from, np.tril_indices_from, np.diag_indices_from,
    np.common_type,
)  # fmt: skip


def _other_leg(x: Any) -> Any:
    """Return ``sqrt(1 - x * x)``, of complex numbers on the side of the cut where NumPy's arcsine has them.

    On the real axis beyond 1 the side is the sign of the zero that is the imaginary part, which differences keep.
    """
    return np.sqrt(-(x - 1)) * np.sqrt(x - -1) if has_complex(x) else np.sqrt(1 - x * x)
