"""Names of TensorFlow before 1.0, with their meaning then."""

from __future__ import annotations

from typing import Any

from .concat_ops import stack, unstack
from .counting_ops import setdiff1d
from .gather_ops import where
from .math_ops import abs as _abs
from .math_ops import multiply, negative, reciprocal, subtract
from .matmul_ops import matmul

__all__ = ["batch_matmul", "complex_abs", "inv", "listdiff", "mul", "neg", "pack", "select", "sub", "unpack"]

complex_abs = _abs
inv = reciprocal
listdiff = setdiff1d
mul = multiply
neg = negative
sub = subtract


def batch_matmul(x: Any, y: Any, adj_x: bool = False, adj_y: bool = False, name: str | None = None) -> Any:
    """Return the products of matrices along the last two axes, those of x or y turned over where asked for."""
    return matmul(x, y, adjoint_a=adj_x, adjoint_b=adj_y, name=name)


def pack(values: Any, axis: int = 0, name: str = "pack") -> Any:
    """Return tensors of one shape beside each other along a new axis; today's ``tf.stack``."""
    return stack(values, axis, name)


def select(condition: Any, t: Any, e: Any, name: str | None = None) -> Any:
    """Return t where the condition is true, else e; a vector of conditions chooses rows. Today's ``tf.where``."""
    return where(condition, t, e, name)


def unpack(value: Any, num: int | None = None, axis: int = 0, name: str = "unpack") -> Any:
    """Return the list of what lies along an axis; today's ``tf.unstack``."""
    return unstack(value, num, axis, name)
