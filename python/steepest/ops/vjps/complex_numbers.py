"""Complex numbers: their parts, and the list of the functions whose derivatives hold for them.

The gradient of z = a + ib is ``dL/da - i dL/db``, as in JAX and HIPS autograd. Then a function with a complex
derivative has the rule of its real twin, ``g * f'(z)``, and what has none, such as a real part, is here. Where
complex numbers are made of real ones the tape takes the real part of the gradient.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from .. import scatter
from ..dispatch import apply, unwrap
from ..methods import astype
from ..registry import also_complex, composite, defvjp, present
from . import (
    arranging,
    calculus,
    choosing,
    cumulative,
    decompositions,
    einsum,
    elementwise,
    indexing,
    linalg,
    masked,
    norms,
    padding,
    products,
    reductions,
    shapes,
    statistics,
    ufunc_methods,
)

# Parts


def real_part(z: Any) -> Any:
    """Return the real part of complex numbers."""
    return np.real(z)


def imaginary_part(z: Any) -> Any:
    """Return the imaginary part of complex numbers."""
    return np.imag(z)


def angle(z: Any) -> Any:
    """Return the angle of complex numbers in radians."""
    return np.angle(z)


_REAL = defvjp(real_part, lambda g, y, z: g, linear=True)
_IMAGINARY = defvjp(imaginary_part, lambda g, y, z: g * -1j, linear=True)
_ANGLE = defvjp(angle, lambda g, y, z: g * -1j / np.where(np.equal(unwrap(z), 0), 1, z))


def _is_complex(z: Any) -> bool:
    return bool(z.dtype.kind == "c")


@composite(np.real)
def _real(val: Any) -> Any:
    return apply(_REAL, (val,)) if _is_complex(val) else np.copy(val)


@composite(np.imag)
def _imag(val: Any) -> Any:
    return apply(_IMAGINARY, (val,)) if _is_complex(val) else np.imag(unwrap(val))


@composite(np.angle)
def _angle(z: Any, deg: bool = False) -> Any:
    if not _is_complex(z):
        return np.angle(unwrap(z), deg)
    return np.degrees(apply(_ANGLE, (z,))) if deg else apply(_ANGLE, (z,))


@composite(np.real_if_close)
def _real_if_close(a: Any, tol: float = 100) -> Any:
    return np.copy(a) if _is_complex(np.real_if_close(unwrap(a), tol)) else np.real(a)


# NumPy's functions of real numbers that give complex ones where there is no real value


def _extended(function: Any, is_outside: Any) -> Any:
    def extended(x: Any, *more: Any) -> Any:
        values = np.asarray(unwrap(x))
        if np.isrealobj(values) and np.any(is_outside(values)):
            x = (x if hasattr(x, "astype") else values).astype(np.result_type(values, np.complex64))
        return function(x, *more)

    return extended


_NEGATIVE, _BEYOND_ONE = (lambda x: x < 0), (lambda x: np.abs(x) > 1)
_EXTENDED = {
    np.emath.sqrt: (np.sqrt, _NEGATIVE),
    np.emath.log: (np.log, _NEGATIVE),
    np.emath.log2: (np.log2, _NEGATIVE),
    np.emath.log10: (np.log10, _NEGATIVE),
    np.emath.power: (np.power, _NEGATIVE),
    np.emath.arccos: (np.arccos, _BEYOND_ONE),
    np.emath.arcsin: (np.arcsin, _BEYOND_ONE),
    np.emath.arctanh: (np.arctanh, _BEYOND_ONE),
}
for _function, (_own, _outside) in _EXTENDED.items():
    composite(_function)(_extended(_own, _outside))
also_complex(*_EXTENDED)


# The functions whose derivatives hold for complex numbers as they stand, declared in these files. A test checks each.

_FILES = (
    *(arranging, calculus, choosing, cumulative, decompositions, einsum, elementwise, indexing, linalg),
    *(masked, norms, padding, products, reductions, shapes, statistics, ufunc_methods),
)
_METHODS = ("reduce", "accumulate", "reduceat")

also_complex(np.real, np.imag, np.angle, np.real_if_close, np.absolute, np.conjugate)
also_complex(
    np.add, np.subtract, np.multiply, np.true_divide, np.negative, np.positive, np.reciprocal, np.square,
    np.power, operator.pow, np.float_power, np.sqrt, np.exp, np.exp2, np.expm1, np.log, np.log2, np.log10, np.log1p,
    np.sin, np.cos, np.tan, np.arcsin, np.arccos, np.arctan, np.sinh, np.cosh, np.tanh, np.arcsinh, np.arccosh,
    np.arctanh, np.sinc,
)  # fmt: skip
also_complex(
    np.sum, np.mean, np.prod, np.var, np.std, np.average, np.cov, np.cumsum, np.cumprod, np.diff, np.ediff1d,
    np.nansum, np.nanmean, np.nanprod, np.nanvar, np.nanstd, np.nancumsum, np.nancumprod, np.gradient,
    *(getattr(f, name) for f in (np.add, np.subtract, np.multiply, np.true_divide) for name in _METHODS),
    *present("cumulative_sum", "cumulative_prod", "trapezoid", "trapz"),
    reductions.exclusive_product,
)  # fmt: skip
# In their order, by the real part first.
also_complex(
    np.max, np.min, np.amax, np.amin, np.nanmax, np.nanmin, np.ptp, np.maximum, np.minimum, np.fmax, np.fmin, np.clip,
    *(getattr(f, name) for f in (np.maximum, np.minimum, np.fmax, np.fmin) for name in _METHODS),
    np.sort, np.partition, np.unique, np.median, np.nanmedian,
)  # fmt: skip
also_complex(
    np.matmul, np.dot, np.vdot, np.inner, np.outer, np.tensordot, np.einsum, np.kron, np.cross, np.convolve,
    np.correlate, np.trace, np.linalg.multi_dot, np.linalg.matrix_power,
    *present("vecdot", "matvec", "vecmat", "linalg.vecdot", "linalg.matmul", "linalg.outer", "linalg.tensordot"),
    *present("linalg.cross", "linalg.trace"),
    einsum.einsum, products.convolved,
)  # fmt: skip
also_complex(
    np.linalg.inv, np.linalg.solve, np.linalg.det, np.linalg.slogdet, np.linalg.norm, np.linalg.cond,
    np.linalg.cholesky, np.linalg.eigh, np.linalg.eigvalsh, np.linalg.eig, np.linalg.eigvals, np.linalg.svd,
    np.linalg.qr, np.linalg.pinv, np.linalg.lstsq, np.linalg.tensorinv, np.linalg.tensorsolve,
    *present("linalg.vector_norm", "linalg.matrix_norm", "linalg.svdvals"),
    decompositions.sign_of_det, decompositions.packed_svd, decompositions.packed_qr, decompositions.least_squares,
    decompositions.packed_eigh, decompositions.packed_eig,
)  # fmt: skip
also_complex(
    np.reshape, np.ravel, np.transpose, np.swapaxes, np.moveaxis, np.rollaxis, np.expand_dims, np.squeeze,
    np.broadcast_to, np.broadcast_arrays, np.flip, np.flipud, np.fliplr, np.roll, np.rot90, np.triu, np.tril,
    np.concatenate, np.stack, np.vstack, np.hstack, np.dstack, np.column_stack, np.block, np.append, np.split,
    np.array_split, np.vsplit, np.hsplit, np.dsplit, np.tile, np.repeat, np.resize, np.pad, np.meshgrid,
    np.atleast_1d, np.atleast_2d, np.atleast_3d, np.diagonal, np.diag, np.diagflat, np.copy, np.full_like,
    np.apply_along_axis, np.apply_over_axes, np.lib.stride_tricks.sliding_window_view,
    *present("unstack", "astype", "matrix_transpose", "linalg.matrix_transpose", "linalg.diagonal"),
    astype, shapes.concatenate, shapes.stack, linalg.on_diagonal, padding.padded,
)  # fmt: skip
also_complex(
    operator.getitem, np.take, np.take_along_axis, np.compress, np.extract, np.delete, np.insert, np.trim_zeros,
    np.where, np.select, np.choose, np.piecewise, np.nan_to_num,
    scatter.scatter_rows, scatter.place, indexing.gather_rows,
)  # fmt: skip
also_complex(
    np.linspace, np.logspace, np.vander, np.polyval, np.polyfit, np.polyadd, np.polysub, np.polymul, np.polyder,
    np.polyint, np.interp, np.roots, np.poly, calculus.roots,
)  # fmt: skip
