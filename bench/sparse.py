"""What the cases of sparse rows share: which elements are compared, their right values, the bytes that are moved."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from . import data
from .case import Work
from .dense_cases import RULE_NAMES

COLUMNS = 6  # at either end of a row are compared
UNTOUCHED = 64  # rows outside the batch are compared too


def sparse_work(case: str, rule: str, rows: int, width: int, batch: int, law: str, threads: int = 1) -> Work:
    law_name = {"uniform": "uniform", "zipf": "Zipf 1.1", "ascending": "ascending"}[law]
    label = f"{RULE_NAMES[rule]}, {rows:,} x {width}, {batch:,} {law_name} ids"
    values = {"rule": rule, "rows": rows, "width": width, "batch": batch, "law": law, "dtype": "float32"}
    return Work(case, label, threads, values)


def ns_per_id(work: Work, seconds: float) -> float:
    return 1e9 * seconds / work.batch


@functools.cache
def distinct(rows: int, batch: int, law: str) -> int:
    return len(np.unique(data.ids(rows, batch, law)))


def moved_bytes(work: Work) -> float:
    """Return the gradient read once, and each distinct row of every table read and written."""
    per_row = 8 * work.width * (1 + data.STATES[work.rule]) + data.ROW_BYTES.get(work.rule, 0)
    return 4.0 * work.width * work.batch + per_row * distinct(work.rows, work.batch, work.law)


def memory(work: Work) -> float:
    return 4.0 * work.width * (work.rows * (1 + data.STATES[work.rule]) + work.batch)


def columns(width: int) -> np.ndarray:
    return np.unique(np.r_[np.arange(min(width, COLUMNS)), np.arange(max(0, width - COLUMNS), width)])


@functools.cache
def compared_rows(rows: int, batch: int, law: str) -> tuple[np.ndarray, np.ndarray]:
    """Return rows of the batch, and rows outside it."""
    touched = np.unique(data.ids(rows, batch, law))
    chosen = data.ids(rows, batch, law)
    busiest = np.bincount(chosen, minlength=rows).argsort()[-20:]
    some = np.union1d(touched[:: max(1, len(touched) // 2000)], busiest[np.isin(busiest, touched)])
    others = np.setdiff1d(np.arange(0, rows, max(1, rows // 5000)), touched)[:UNTOUCHED]
    return some, others


def moved(table: Any, work: Work) -> np.ndarray:
    """Return a contender's answer: how far the compared elements have moved."""
    rows = np.concatenate(compared_rows(work.rows, work.batch, work.law))
    return np.asarray(table).reshape(work.rows, work.width)[np.ix_(rows, columns(work.width))] - data.START


def expected(work: Work) -> np.ndarray:
    touched, others = compared_rows(work.rows, work.batch, work.law)
    chosen = data.ids(work.rows, work.batch, work.law)
    which = np.flatnonzero(np.isin(chosen, touched))
    place = np.searchsorted(touched, chosen[which])
    shown = columns(work.width)
    wide = np.arange(work.width) if work.rule == "rowwise_adagrad" else shown
    g = np.zeros((len(touched), len(wide)))
    for k, column in enumerate(wide):
        values = np.abs(data.tile())[(which * work.width + column) % data.PERIOD].astype(np.float64)
        g[:, k] = np.bincount(place, values, len(touched))
    w = data.formula("adam" if work.rule == "lazy_adam" else work.rule, g)
    w = w[:, shown] if len(wide) != len(shown) else w
    return np.concatenate([w - data.START, np.zeros((len(others), len(shown)))])
