"""How an operation on taped values and variables is evaluated, and recorded when a tape wants it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import _core
from ..base.errors import must
from .registry import COMPLEX, Primitive
from .state import recording
from .tensor import Operand, Tensor, unwrap

__all__ = [
    "Operand",
    "any_recorded",
    "apply",
    "conjugated",
    "detaches",
    "gives_tensors",
    "has_complex",
    "is_recorded",
    "needs_real",
    "plain",
    "record",
    "set_eager_results",
    "unwrap",
    "wrap_result",
]

WEAK_SCALARS = np.lib.NumpyVersion(np.__version__) >= "2.0.0"

_eager_results = False
_in_this_thread: Callable[[], bool] | None = None


def set_eager_results(on: bool, in_this_thread: Callable[[], bool] | None = None) -> None:
    """Choose what operations give where no tape records: plain arrays (the default), or Tensors, as TensorFlow does.

    ``in_this_thread`` tells whether the thread that asks is one of those for which it is on; None is for all.
    """
    global _eager_results, _in_this_thread
    _eager_results, _in_this_thread = on, in_this_thread
    _core.eager_results(on)


def gives_tensors() -> bool:
    """Tell whether operations that no tape records give tensors: `set_eager_results`."""
    return _eager_results if _in_this_thread is None else _in_this_thread()


def wrap_result(value: Any) -> Any:
    """Return what an operation that no tape records gives for a value."""
    if not (_eager_results if _in_this_thread is None else _in_this_thread()):  # `gives_tensors`, without a call
        return value
    if isinstance(value, (list, tuple)):
        items = [wrap_result(item) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)
    return Tensor(np.asarray(value)) if isinstance(value, (np.ndarray, np.generic)) else value


def is_recorded(value: Any) -> bool:
    """Tell whether operations on ``value`` are being recorded by a tape of this thread."""
    if type(value) is not Tensor and isinstance(value, Operand):
        value = value._operand()
    return type(value) is Tensor and value.mark >= recording().floor


def detaches(who: str, value: Any) -> TypeError:
    """Return the error for a conversion that would drop the gradient of a recorded value."""
    what = f"{type(value).__name__} that a tape records"
    remedy = (
        "compute with it as it is (NumPy's functions instead of math's, np.stack or np.block instead of np.array of a "
        "list and of assignment to the elements of an array, steepest.nn's softmax and logsumexp instead of SciPy's), "
        "or say .item(), .numpy() or "
        "stop_gradient(x) for a value without gradient"
    )
    return TypeError(must(who, "value", "not be recorded, its gradient would be lost", what, remedy))


def plain(who: str, value: Any) -> Any:
    """Return the array of a tensor or variable for a conversion to a Python number.

    TensorFlow's eager mode converts a value that a tape records, and so does `set_eager_results`.

    Raises:
        TypeError: for a value that a tape records.
    """
    if not _eager_results and is_recorded(value):
        raise detaches(who, value)
    return value._value


apply = _core.apply_primitive
"""Evaluate a primitive on any mixture of values; record it when one of them is recorded."""

record = _core.record
"""Return a value as the recorded result of a primitive."""


def recordable(value: Any, primitive: Primitive) -> bool:
    """Tell whether an operation's result is recorded: not the places that ``np.where(x)`` gives.

    Raises:
        TypeError: for a complex result of a function whose derivative is for real numbers alone.
    """
    if isinstance(value, tuple):
        return False
    if value.dtype.kind == "c" and primitive not in COMPLEX:
        raise needs_real(primitive.name, f"a result of dtype {value.dtype}")
    return True


def needs_real(who: str, value: str) -> TypeError:
    """Return the error for complex numbers where the derivative is for real numbers alone."""
    remedy = "compute with np.real(z) and np.imag(z), or use stop_gradient(z)"
    return TypeError(must(who, "function", "stay real on recorded values", value, remedy))


def conjugated(x: Any) -> Any:
    """Return the complex conjugate; of real values themselves, not a copy."""
    return np.conjugate(x) if has_complex(x) else x


def has_complex(*values: Any) -> bool:
    """Tell whether something in the nest is complex."""
    for value in values:
        if isinstance(value, (list, tuple)):
            if has_complex(*value):
                return True
        elif isinstance(value, dict):
            if has_complex(*value.values()):
                return True
        elif isinstance(value, complex) or getattr(getattr(value, "dtype", None), "kind", None) == "c":
            return True
    return False


def weakened(values: list[Any]) -> list[Any]:
    """Give Python scalars beside 0-d operands their type, as NumPy 2 does by itself."""
    typed = [value for value in values if isinstance(value, (np.ndarray, np.generic))]
    if typed and all(value.ndim == 0 for value in typed):
        dtype = np.result_type(*typed)
        order = "biufc"
        for i, value in enumerate(values):
            if type(value) in (bool, int, float):
                own = {bool: "b", int: "i", float: "f"}[type(value)]
                if dtype.kind == "V" or order.index(own) <= order.index(dtype.kind):
                    values[i] = np.asarray(value, dtype)[()]
            elif type(value) is complex and dtype.kind in "fc":
                values[i] = np.asarray(value, np.result_type(dtype, np.complex64))[()]
    return values


def any_recorded(*values: Any) -> bool:
    """Tell whether something in the nest is recorded."""
    for value in values:
        cls = type(value)
        if cls is Tensor:
            if value.mark >= recording().floor:
                return True
        elif cls is list or cls is tuple:
            if any_recorded(*value):
                return True
        elif cls is dict:
            if value and any_recorded(*value.values()):
                return True
        elif isinstance(value, Operand) and is_recorded(value):
            return True
    return False


_core.register_tape(weak_scalars=WEAK_SCALARS, weakened=weakened, recordable=recordable, wrap_result=wrap_result)
