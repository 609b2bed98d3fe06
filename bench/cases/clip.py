"""Clipping of many gradients, by itself and on the way into Adam."""

from __future__ import annotations

import numpy as np

from .. import data
from ..case import Case, Work, case

NAMES = {"none": "no clipping", "value": "by value", "norm": "by norm", "global": "by global norm"}


def clip_work(kind: str, update: bool, count: int, n: int, threads: int) -> Work:
    label = f"{NAMES[kind]}, {'then Adam' if update else 'alone'}, {count} x {n:,}"
    values = {"kind": kind, "update": update, "count": count, "n": n, "rule": "adam", "dtype": "float32"}
    return Work("clip", label, threads, values)


def works(quick: bool) -> list[Work]:
    if quick:
        return [clip_work("global", True, 40, 100_000, 1)]
    found = []
    for threads in (1, 2):
        for update in (True, False):
            found += [clip_work(kind, update, 100, 100_000, threads) for kind in ("value", "norm", "global")]
    return found


def clipped(work: Work) -> np.ndarray:
    """Return what clipping leaves of the gradient's first elements, in float64."""
    g = data.gradient(work.n).astype(np.float64)
    if work.kind == "value":
        g = np.clip(g, -data.LIMIT, data.LIMIT)
    elif work.kind != "none":
        norm = np.linalg.norm(g) * (work.count**0.5 if work.kind == "global" else 1)
        g *= min(1.0, data.NORM_LIMIT / norm)
    return g[data.places(work.n)]


def expected(work: Work) -> np.ndarray:
    return data.formula("adam", clipped(work)) - data.START if work.update else clipped(work)


def moved(work: Work) -> float:
    """Return 28 bytes for Adam's update and 4 for reading a norm; alone: gradient read, result written, norm read."""
    norm = 0 if work.kind in ("none", "value") else 4
    return float(((28 if work.update else 8) + norm) * work.n * work.count)


case(
    Case(
        name="clip",
        title="Clipping",
        works=works,
        unit="ms per step",
        figure=lambda work, seconds: 1e3 * seconds,
        expected=expected,
        tolerance=lambda work: (1e-3, 0.0),
        moved=moved,
        memory=lambda work: 16.0 * work.n * work.count,
        order=40,
        seconds=0.2,
        note="float32. *steepest* clips by a hook, fused into the update; alone, by `clip_by_value`, `clip_by_norm`, "
        "`clip_by_global_norm`, which like TensorFlow's and optax's return new arrays. NumPy and torch clip in place. "
        "*steepest unclipped* is the same update without a hook.",
    )
)
