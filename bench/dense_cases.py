"""What several cases share: dense updates of one or many tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import data
from .case import Case, Work

DENSE = ("dense", "cache", "small", "many", "types")
RULE_NAMES = {
    "sgd": "SGD",
    "momentum": "Momentum",
    "adagrad": "Adagrad",
    "adagrad_decay": "AdagradDecay",
    "adam": "Adam",
    "lazy_adam": "lazy Adam",
    "rowwise_adagrad": "row-wise Adagrad",
}


def size_name(n: int) -> str:
    return f"{n:,}"


def dense_work(case: str, rule: str, n: int, threads: int, count: int = 1, dtype: str = "float32", **more: Any) -> Work:
    kind = "" if dtype == "float32" else f"{dtype}, "
    tensors = "" if count == 1 else f"{count:,} x "
    label = f"{RULE_NAMES[rule]}, {kind}{tensors}{size_name(n)}"
    return Work(case, label, threads, {"rule": rule, "n": n, "count": count, "dtype": dtype, **more})


def dense_case(name: str, title: str, works: Any, **more: Any) -> Case:
    """Return a case of dense works: their answer, bytes, memory, and nanoseconds for each element."""
    settings: dict[str, Any] = {
        "unit": "ns per element",
        "figure": lambda work, seconds: 1e9 * seconds / (work.n * work.count),
        "expected": data.moved_by_formula,
        "tolerance": lambda work: data.precision(work.dtype),
        "moved": lambda work: float(data.bytes_per_element(work.rule, work.dtype) * work.n * work.count),
        "memory": lambda work: 4.0 * work.n * work.count * data.slot_bytes(work.dtype),
        **more,
    }
    return Case(name=name, title=title, works=works, **settings)


def staggered(values: list[np.ndarray]) -> list[np.ndarray]:
    """Return copies that start with a cache line, at different places of a page: equal ones slow each other down."""
    placed = []
    for k, x in enumerate(values):
        spare = np.empty(x.nbytes + 8 * 4352, np.uint8)
        start = -spare.ctypes.data % 4096 + k * 1088
        out = spare[start : start + x.nbytes].view(x.dtype).reshape(x.shape)
        out[...] = x
        placed.append(out)
    return placed
