"""Lookups of many tables, and bags of ids: rows summed in one pass."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from bag_world import DTYPES, tables_of
from hypothesis import given, settings
from hypothesis import strategies as some

import steepest as st
from steepest import nn


def bag_oracle(table: Any, bags: list[list[int]], combiner: str, weights: list[list[float]] | None) -> np.ndarray:
    """Sum in float64, bag by bag."""
    out = np.zeros((len(bags), table.shape[1]))
    for b, ids in enumerate(bags):
        w = np.array(weights[b] if weights else np.ones(len(ids)), np.float64)
        total = sum((x * table[i].astype(np.float64) for x, i in zip(w, ids, strict=True)), np.zeros(table.shape[1]))
        divisor = {"sum": 1.0, "mean": w.sum(), "sqrtn": np.sqrt((w * w).sum())}[combiner]
        out[b] = total / (divisor or 1.0)
    return out


@pytest.fixture(params=[1, 2, 3])
def threads(request: pytest.FixtureRequest):
    before = st.get_num_threads()
    st.set_num_threads(request.param)
    yield request.param
    st.set_num_threads(before)


# Values


@pytest.mark.usefixtures("threads")
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("batch", [0, 1, 5, 700])
def test_rows_of_many_tables_stand_side_by_side(dtype: Any, batch: int):
    tables = tables_of(dtype)
    ids = np.random.default_rng(1).integers(0, 30, (batch, len(tables)))
    expected = np.concatenate([table[ids[:, k]] for k, table in enumerate(tables)], axis=1)
    for form in (ids, ids.astype(np.int32), np.asfortranarray(ids), ids[::-1].copy()[::-1], ids.astype(np.uint8)):
        out = nn.embedding_lookup(tables, form)
        assert out.dtype == dtype
        assert out.tobytes() == expected.tobytes()
    assert nn.embedding_lookup([st.Variable(t) for t in tables], ids.tolist() or ids).tobytes() == expected.tobytes()


@pytest.mark.usefixtures("threads")
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("combiner", ["sum", "mean", "sqrtn"])
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_bags_are_what_float64_says(dtype: Any, combiner: str, weighted: bool):
    rng = np.random.default_rng(2)
    tables = tables_of(dtype)
    tolerance = {8: 1e-12, 4: 1e-5, 2: 1e-2 if dtype == np.float16 else 5e-2}[dtype.itemsize]
    matrix = [rng.integers(0, 30, (40, 6)) for _ in tables]
    matrix_weights = [rng.uniform(0.5, 2.0, (40, 6)).astype(np.float32) for _ in tables] if weighted else None
    lengths = [rng.integers(0, 300 if k == 2 else 5, 40) for k in range(len(tables))]
    flat = [rng.integers(0, 30, n.sum()) for n in lengths]
    flat_weights = [rng.uniform(0.5, 2.0, len(f)).astype(np.float32) for f in flat] if weighted else None
    offsets = [np.concatenate([[0], np.cumsum(n)]) for n in lengths]

    def oracle(bags: Any, weights: Any, padding: int | None = None) -> np.ndarray:
        parts = []
        for k, table in enumerate(tables):
            kept = [[j for j, i in enumerate(bag) if i != padding] for bag in bags[k]]
            ids = [[int(bag[j]) for j in at] for bag, at in zip(bags[k], kept, strict=True)]
            own = weights and [[float(w[j]) for j in at] for w, at in zip(weights[k], kept, strict=True)]
            parts.append(bag_oracle(table, ids, combiner, own))
        return np.concatenate(parts, axis=1)

    ragged = [np.split(f, o[1:-1]) for f, o in zip(flat, offsets, strict=True)]
    ragged_weights = flat_weights and [np.split(w, o[1:-1]) for w, o in zip(flat_weights, offsets, strict=True)]
    for padding in (None, 7):
        out = nn.embedding_bag(tables, matrix, None, combiner, matrix_weights, padding)
        assert out.dtype == dtype
        np.testing.assert_allclose(
            out.astype(np.float64), oracle(matrix, matrix_weights, padding), tolerance, tolerance * 4
        )
        out = nn.embedding_bag(tables, flat, offsets, combiner, flat_weights, padding)
        expected = oracle(ragged, ragged_weights, padding)
        np.testing.assert_allclose(out.astype(np.float64), expected, tolerance, tolerance * 40)
    stacked = nn.embedding_bag(tables, np.stack(matrix, axis=1), None, combiner, matrix_weights)
    assert stacked.tobytes() == nn.embedding_bag(tables, matrix, None, combiner, matrix_weights).tobytes()


@pytest.mark.usefixtures("threads")
def test_a_bag_is_summed_in_its_order():
    (table,) = tables_of(np.float32, (70,))
    ids = np.random.default_rng(3).integers(0, 30, (500, 9))
    expected = table[ids[:, 0]].copy()
    for column in ids.T[1:]:
        expected += table[column]
    assert nn.embedding_bag(table, ids, combiner="sum").tobytes() == expected.tobytes()
    assert nn.embedding_bag(table, ids).tobytes() == (expected / np.float32(9)).tobytes()
    negative = -np.zeros((1, 3), np.float32)
    assert np.signbit(nn.embedding_bag(negative, [[0]], combiner="sum")).all()


# Errors


@given(some.integers(0, 3), some.integers(0, 6), some.sampled_from([-1, 30, 2**40, -(2**62)]), some.booleans())
@settings(max_examples=40, deadline=None)
def test_a_bad_id_is_named_by_table_position_and_value(table: int, bag: int, bad: int, padded: bool):
    tables = tables_of(np.float32, (1, 2, 3, 4), rows=27)
    ids = np.random.default_rng(11).integers(0, 27, (7, 4, 2))
    ids[bag, table, 1] = bad
    limit = rf"ids of table {table} must be in \[0, {27 + table}\), got {bad} at position"
    with pytest.raises(IndexError, match=rf"embedding_bag: {limit} \({bag}, 1\)"):
        nn.embedding_bag(tables, ids, padding_id=3 if padded else None)
    with pytest.raises(IndexError, match=rf"embedding_lookup: {limit} \({bag}, 0\)"):
        nn.embedding_lookup(tables, ids[:, :, 1])


T = np.ones((4, 2), np.float32)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: nn.embedding_lookup([], [0]), ValueError, "params must be at least one table"),
        (lambda: nn.embedding_lookup([T, T], [[0]]), ValueError, r"ids must be a matrix \[B, 2\]"),
        (lambda: nn.embedding_lookup([T, T], [[0.5, 1]]), TypeError, "ids must be integers"),
        (lambda: nn.embedding_lookup([T, T[0]], [[0, 1]]), ValueError, r"params\[1\] must be a matrix"),
        (lambda: nn.embedding_lookup([T, T.astype(float)], [[0, 1]]), TypeError, r"params\[1\] must be float32"),
        (lambda: nn.embedding_bag(T.astype(int), [[0]]), TypeError, "params must be float32"),
        (lambda: nn.embedding_bag(T, [0]), ValueError, r"ids must be a matrix \[B, L\].*give offsets"),
        (lambda: nn.embedding_bag(T, [[0]], [0, 1]), ValueError, "ids must be 1-D where offsets are given"),
        (lambda: nn.embedding_bag(T, [0, 1], [0, 1]), ValueError, "offsets must be B . 1 integers that ascend"),
        (lambda: nn.embedding_bag(T, [0, 1], [0, 2, 1, 2]), ValueError, "offsets must be B . 1 integers that ascend"),
        (lambda: nn.embedding_bag(T, [0, 1], [0.0, 2.0]), TypeError, "offsets must be integers"),
        (lambda: nn.embedding_bag(T, [0, 1], []), ValueError, "offsets must be B . 1 integers"),
        (lambda: nn.embedding_bag(T, [[0]], combiner="max"), ValueError, "combiner must be 'mean', 'sum' or 'sqrtn'"),
        (lambda: nn.embedding_bag(T, [[0, 1]], weights=[1.0]), ValueError, r"weights must have the shape \(1, 2\)"),
        (lambda: nn.embedding_bag(T, [[0, 1]], weights=[["a", "b"]]), TypeError, "weights must be real numbers"),
        (lambda: nn.embedding_bag([T, T], [[[0]]]), ValueError, "ids must be a list of one for each of 2 tables"),
        (lambda: nn.embedding_bag([T, T], [[[0]], [[0], [1]]]), ValueError, "ids must have as many bags"),
        (lambda: nn.embedding_bag(T, [[0, 9]]), IndexError, r"ids must be in \[0, 4\), got 9 at position \(0, 1\)"),
    ],
)
def test_what_does_not_fit_is_refused(call: Any, error: type[Exception], message: str):
    with pytest.raises(error, match=message):
        call()
