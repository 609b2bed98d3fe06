"""What the derivatives of the decompositions of matrices share.

Their formulas are written for the gradient ``dL/da + i dL/db`` of a + ib, as in the literature: `by_adjoints`
conjugates on the way in and out. What comes as several arrays is recorded as one, packed, and taken apart again, so
that each decomposition has one rule.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.errors import must
from ..dispatch import conjugated, has_complex, unwrap


def swapped(x: Any) -> Any:
    return np.swapaxes(x, -1, -2)


def adjoint(x: Any) -> Any:
    """Transpose the matrices, and conjugate complex ones."""
    return conjugated(swapped(x))


def by_adjoints(back: Any) -> Any:
    """Return the rule of a formula that takes and gives conjugate gradients."""
    return lambda g, *args, **options: conjugated(back(conjugated(g), *args, **options))


def real_of(x: Any) -> Any:
    """Return numbers that are real, though they were packed beside complex ones."""
    return np.real(x) if has_complex(x) else x


def check_phases(who: str, phases: Any, scale: Any) -> None:
    """Raise ValueError where the gradient would turn complex vectors by a phase, which a decomposition leaves open."""
    turns = np.abs(np.imag(np.diagonal(unwrap(phases), axis1=-2, axis2=-1)))
    sizes, eps = np.abs(unwrap(scale)), np.finfo(turns.dtype).eps
    # A gradient that is 0 but for rounding turns nothing: the vectors are of length 1, and losses of that size.
    if turns.size and np.any(turns > np.sqrt(eps) * sizes.max() + 100 * eps):
        rule = "not depend on the phases of complex vectors, which are arbitrary"
        raise ValueError(must(who, "target", rule, "one that does", "use np.abs of them, or products without phases"))


def scaled(x: Any, by: Any) -> Any:
    """Multiply the columns by the elements of ``by``."""
    return x * np.expand_dims(by, -2)


def packed(*parts: Any) -> Any:
    """Put stacks of arrays, of any shapes behind the stack's, into one array; the first part has one axis too few."""
    stack = parts[-1].shape[:-2]
    return np.concatenate([np.reshape(part, (*stack, -1)) for part in parts], axis=-1)


def unpacked(flat: Any, *shapes: tuple[int, ...]) -> list[Any]:
    edges = np.cumsum([0, *(int(np.prod(shape)) for shape in shapes)])
    return [
        np.reshape(flat[..., int(a) : int(b)], (*flat.shape[:-1], *shape))
        for a, b, shape in zip(edges[:-1], edges[1:], shapes, strict=True)
    ]


def named(function: Any, *parts: Any) -> Any:
    """Return the parts as NumPy does, with their names."""
    return type(function(np.eye(1)))(*parts)


def in_triangle(s: Any, which: str) -> Any:
    """Return the gradient of a symmetric matrix where NumPy reads it."""
    n = s.shape[-1]
    weights = np.tril(np.ones((n, n), s.dtype)) - 0.5 * np.eye(n, dtype=s.dtype)
    return (s + adjoint(s)) * (weights if which.upper() == "L" else weights.T)


def gaps_of(w: Any) -> Any:
    """Return ``1 / (w_j - w_i)``, and 0 where the two are equal."""
    gaps = np.expand_dims(w, -2) - np.expand_dims(w, -1)
    equal = np.equal(unwrap(gaps), 0)
    return np.where(equal, 0, 1 / np.where(equal, 1, gaps))
