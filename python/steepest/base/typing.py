"""The types that public signatures use.

`Variable`, `Tensor` and `IndexedSlices` live above this module. It names them for type checkers only and imports
nothing from above at run time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, SupportsIndex, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy import typing as npt

    from ..ops.indexed_slices import IndexedSlices
    from ..ops.tensor import Tensor
    from ..variables.variable import Variable

__all__ = [
    "Array",
    "ArrayLike",
    "DTypeLike",
    "Gradient",
    "Hook",
    "Hyper",
    "Pair",
    "Pairs",
    "Parameter",
    "Schedule",
    "Shape",
    "Value",
]

Array: TypeAlias = np.ndarray[tuple[Any, ...], np.dtype[Any]]
"""A NumPy array of any element type."""

ArrayLike: TypeAlias = "npt.ArrayLike"
"""What NumPy makes an array of."""

DTypeLike: TypeAlias = "npt.DTypeLike"
"""What NumPy makes an element type of."""

Shape: TypeAlias = SupportsIndex | Sequence[SupportsIndex]
"""The lengths of the axes; of a single axis also the bare integer."""

Value: TypeAlias = "Array | Tensor"
"""What an operation gives: an array, or a Tensor where a tape records it."""

Parameter: TypeAlias = "Variable | Array"
"""What an optimizer trains: a Variable, or a writable array of real numbers."""

Gradient: TypeAlias = "Array | np.generic | Tensor | IndexedSlices"
"""A gradient: an array in the parameter's shape, or some of its rows."""

Pair: TypeAlias = "tuple[Gradient | None, Parameter]"
"""A gradient and its parameter. None stands for a parameter that the loss does not depend on."""

Pairs: TypeAlias = "list[Pair]"
"""What hooks take and ``compute_gradients`` returns. ``apply_gradients`` takes any ``Iterable[Pair]``."""

Hook: TypeAlias = "Callable[[Pairs], list[Pair] | tuple[Pair, ...]]"
"""A function of the pairs, called between compute and apply; it returns a list or tuple of them."""

Schedule: TypeAlias = "Callable[[], float | np.number[Any] | Array]"
"""A function without arguments that an optimizer calls once a step, for the value of a hyper-parameter."""

Hyper: TypeAlias = "float | np.number[Any] | Array | Variable | Schedule"
"""A hyper-parameter: a number, a scalar array or Variable, or a schedule."""
