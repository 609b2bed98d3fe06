"""Names of NumPy 1 and of Python up to 3.9, for programs that ``steepest tf1`` runs.

Programs for TensorFlow 1 were written for both: ``np.float``, ``np.product``, ``collections.Mapping``. Each stands for
something that is still there, under another name, and means the same. Names that have meant something else since, and
what changed in behaviour, are left alone; but ``np.fromstring`` reads bytes, which NumPy refuses now.
"""

from __future__ import annotations

import collections
import collections.abc
import fractions
import inspect
import math
import sys
import time
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

__all__ = ["install"]

_SAME = {  # a name of NumPy 1, and what NumPy 2 calls it
    "Inf": "inf",
    "Infinity": "inf",
    "NaN": "nan",
    "PINF": "inf",
    "alltrue": "all",
    "bool8": "bool_",
    "cfloat": "complex128",
    "complex_": "complex128",
    "cumproduct": "cumprod",
    "float_": "float64",
    "infty": "inf",
    "longcomplex": "clongdouble",
    "longfloat": "longdouble",
    "mat": "asmatrix",
    "object0": "object_",
    "product": "prod",
    "round_": "round",
    "row_stack": "vstack",
    "singlecomplex": "complex64",
    "sometrue": "any",
    "string_": "bytes_",
    "trapz": "trapezoid",
    "unicode_": "str_",
}
_NUMPY: dict[str, Any] = {
    **{old: getattr(np, new) for old, new in _SAME.items()},
    **{kind.__name__: kind for kind in (complex, float, int, object, str)},
    "unicode": str,
    "NINF": -np.inf,
    "NZERO": -0.0,
    "PZERO": 0.0,
    "int0": np.intp,
    "uint0": np.uintp,
    "asfarray": lambda a, dtype=np.float64: np.asarray(a, dtype if np.issubdtype(dtype, np.inexact) else np.float64),
    "asscalar": lambda a: np.asarray(a).item(),
    "in1d": lambda ar1, ar2, *args, **kwargs: np.isin(np.ravel(ar1), ar2, *args, **kwargs),
    "msort": lambda a: np.sort(a, axis=0),
    "rank": np.ndim,
    "AxisError": np.exceptions.AxisError,
    "ComplexWarning": np.exceptions.ComplexWarning,
    "RankWarning": np.exceptions.RankWarning,
    "VisibleDeprecationWarning": np.exceptions.VisibleDeprecationWarning,
}


class _ArgSpec(NamedTuple):
    args: list[str]
    varargs: str | None
    keywords: str | None
    defaults: tuple[Any, ...] | None


def _getargspec(function: Callable[..., Any]) -> _ArgSpec:
    return _ArgSpec(*inspect.getfullargspec(function)[:4])


_OLD: list[tuple[ModuleType, Mapping[str, Any]]] = [
    (np, _NUMPY),
    (collections, {name: getattr(collections.abc, name) for name in collections.abc.__all__}),
    (fractions, {"gcd": math.gcd}),
    (inspect, {"getargspec": _getargspec}),
    (time, {"clock": time.perf_counter}),
]


def _fromstring(string: Any, dtype: Any = float, count: int = -1, *, sep: str = "", like: Any = None) -> Any:
    if sep:
        return _FROMSTRING(string, dtype, count, sep=sep, like=like)
    return np.frombuffer(string.encode("latin-1") if isinstance(string, str) else string, dtype, count).copy()


_FROMSTRING = np.fromstring


def _answer(module: ModuleType, names: Mapping[str, Any]) -> None:
    """Let a module have old names where it has none of its own; each is told once, when a program takes it."""
    before = vars(module).get("__getattr__")
    told: set[str] = set()

    def find(name: str) -> Any:
        if name not in names:
            if before is not None:
                return before(name)
            raise AttributeError(f"module {module.__name__!r} has no attribute {name!r}")
        if name not in told:
            told.add(name)
            is_now = getattr(names[name], "__qualname__", repr(names[name]))
            what = "" if "<lambda>" in is_now or name == is_now.strip("_") else f" ({is_now})"
            print(f"steepest: {module.__name__}.{name}{what} is an old name, kept for this run", file=sys.stderr)
        return names[name]

    vars(module)["__getattr__"] = find  # which Python asks for what the module does not have


def install() -> None:
    """Make the old names known in this process."""
    for module, names in _OLD:
        _answer(module, names)
    vars(np)["fromstring"] = _fromstring
