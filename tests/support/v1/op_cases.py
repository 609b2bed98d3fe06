"""What a conformance case is, where cases are registered, and the arrays they share.

A case builds nodes in the default graph from NumPy arrays and returns what to fetch. The same case runs under
TensorFlow, where ``record_ops.py`` writes down the answers, and under ``steepest.v1``, where ``test_v1_ops.py``
compares with them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Raw:
    """An argument that the function gets as it is, although it is an array."""

    value: Any


@dataclass(frozen=True)
class Var:
    """An argument that becomes a variable with this initial value."""

    value: np.ndarray


def leaves(tree: Any) -> list[Any]:
    """Return what is in nested lists and tuples."""
    return [leaf for part in tree for leaf in leaves(part)] if isinstance(tree, list | tuple) else [tree]


@dataclass(frozen=True)
class Case:
    """``build(tf, *args, **kwargs)``: arrays among the arguments become tensors; floating ones are differentiated."""

    name: str
    build: Callable[..., Any]
    args: tuple[Any, ...] = ()
    kwargs: dict[str, Any] = field(default_factory=dict)
    grad: bool = True
    feed: bool = True  # also with placeholders of less shape in place of the arrays
    values: bool = True  # False where only types and shapes are determined
    path: str = ""

    @property
    def fed(self) -> bool:
        """Whether there is anything to feed."""
        return self.feed and any(isinstance(arg, np.ndarray) for arg in leaves([self.args, list(self.kwargs.values())]))


CASES: dict[str, Case] = {}


def register(case: Case) -> None:
    if case.name in CASES:
        raise ValueError(f"two cases are called {case.name!r}; give one a label")
    CASES[case.name] = case


words = str.split


def described(value: Any) -> str:
    """Return a short text for an argument: arrays by type and shape."""
    if isinstance(value, np.ndarray):
        return f"{value.dtype.name}{list(value.shape)}".replace(" ", "")
    if isinstance(value, Var):
        return f"Var {described(value.value)}"
    if isinstance(value, Raw):
        return f"numpy {described(value.value)}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(described, value))}]"
    return repr(value)


def resolve(tf: Any, path: str) -> Any:
    """Return ``tf.<path>``; a name after ``tf.`` in an argument is resolved the same way."""
    for part in path.split("."):
        tf = getattr(tf, part)
    return tf


def op(path: str, *args: Any, label: str = "", **kwargs: Any) -> None:
    """Register the call ``tf.<path>(*args, **kwargs)``."""
    options = {key: kwargs.pop(key) for key in ("grad", "feed", "values") if key in kwargs}
    texts = [described(arg) for arg in args] + [f"{key}={described(value)}" for key, value in kwargs.items()]
    name = f"{path}({', '.join(texts)})" + (f" {label}" if label else "")

    def build(tf: Any, *args: Any, **kwargs: Any) -> Any:
        return resolve(tf, path)(*args, **kwargs)

    register(Case(name, build, args, kwargs, path=path, **options))


def case(*args: Any, **options: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register the decorated ``build(tf, *args)`` under its own name."""

    def decorate(build: Callable[..., Any]) -> Callable[..., Any]:
        register(Case(build.__name__, build, args, **options))
        return build

    return decorate


def each(cases: dict[str, Callable[..., Any]], *args: Any, **options: Any) -> None:
    """Register ``build(tf, *args)`` of each name."""
    for name, build in cases.items():
        register(Case(name, build, args, **options))


def draw(seed: int, *shape: int, low: float = -2.0, high: float = 2.0, dtype: Any = np.float32) -> np.ndarray:
    """Return numbers of three decimals, none of them an integer or nearly equal to another."""
    count = int(np.prod(shape, dtype=int))
    steps = np.random.RandomState(seed).permutation(count) + 0.3
    return np.round(low + (high - low) * steps / max(count, 1), 3).astype(dtype).reshape(shape)


A, B = draw(1, 2, 3), draw(2, 2, 3)
ROW, COLUMN, SCALAR = draw(3, 3), draw(4, 2, 1), np.array(0.7, np.float32)
CUBE, VECTOR = draw(5, 2, 3, 4), draw(6, 5)
POSITIVE, UNIT = draw(7, 2, 3, low=0.2, high=3.0), draw(8, 2, 3, low=-0.95, high=0.95)
EMPTY = np.zeros((0, 3), np.float32)
A64, B64 = draw(9, 2, 3, dtype=np.float64), draw(10, 2, 3, dtype=np.float64)
POSITIVE64, UNIT64 = POSITIVE.astype(np.float64), UNIT.astype(np.float64)
HALVES = np.array([-2.5, -1.5, -0.5, 0.0, 0.5, 1.5, 2.5, 0.49999997], np.float32)
ODD = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0], np.float32)
INTS, DIVISORS = np.array([[-7, -2, 0], [3, 5, 9]], np.int32), np.array([[2, -3, 4], [-2, 3, 5]], np.int32)
LONGS = np.array([[4, 1, 2**40], [-3, 0, 8]], np.int64)
TRUES, MIXED = (
    np.array([[True, False, True], [False, False, True]]),
    np.array([[True, True, False], [False, True, True]]),
)
