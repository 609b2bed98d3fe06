"""The parts of derivatives that are one pass of the core: each gives what NumPy's own functions give."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

import steepest as st
from steepest import _core

FLOATS = (np.float32, np.float64)
RELATIONS = {">": np.greater, ">=": np.greater_equal, "not >=": lambda a, b: ~np.greater_equal(a, b)}
SPECIAL = [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 0.1]


def same_bits(a: Any, b: Any) -> bool:
    a, b = np.asarray(a), np.asarray(b)
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()


def spread(rng: np.random.Generator, shape: tuple[int, ...], dtype: Any) -> np.ndarray:
    return (rng.normal(size=shape) * 10.0 ** rng.integers(-4, 4, shape)).astype(dtype)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize(
    ("shape", "own"),
    [
        ((64, 128), (128,)),
        ((7, 2), (2,)),
        ((1000, 3), (3,)),
        ((5, 7, 9), (9,)),
        ((5, 7, 9), (7, 9)),
        ((300, 5), (1, 5)),
        ((4, 3, 2, 6), (1, 1, 2, 6)),
        ((8, 1, 5), (1, 5)),
        ((0, 5), (5,)),
        ((3, 0), (0,)),
        ((9, 1), (1, 1)),
        ((6, 4), (6, 1)),
        ((6, 4), ()),
    ],
)
def test_a_gradient_is_summed_over_broadcast_axes_as_numpy_sums(shape: Any, own: Any, dtype: Any) -> None:
    g = spread(np.random.default_rng(0), shape, dtype)
    b = st.Variable(np.zeros(own, dtype))
    with st.GradientTape() as tape:
        y = np.zeros(shape, dtype) + b
    extra = len(shape) - len(own)
    axes = (*range(extra), *(i + extra for i, length in enumerate(own) if length == 1 and shape[i + extra] != 1))
    expected = np.add.reduce(g, axis=axes).reshape(own)
    assert same_bits(tape.gradient(y, b, output_gradients=g), expected)


@given(some.data())
@settings(max_examples=200, deadline=None)
def test_a_gradient_is_kept_where_a_relation_is(data: some.DataObject) -> None:
    dtype = data.draw(some.sampled_from(FLOATS))
    shape = data.draw(some.sampled_from([(), (1,), (5,), (3, 4), (0,)]))
    values = some.sampled_from(SPECIAL)

    def array(of: tuple[int, ...]) -> np.ndarray:
        count = int(np.prod(of))
        return np.array(data.draw(some.lists(values, min_size=count, max_size=count)), dtype).reshape(of)

    def operand() -> Any:
        kind = data.draw(some.sampled_from(["array", "scalar array", "float", "int", "array", "strided"]))
        if kind == "float":
            return data.draw(values)
        if kind == "int":
            return data.draw(some.sampled_from([0, 1, -1, 2**24 + 1, 2**60 + 1, 10**400]))
        return (
            array(()) if kind == "scalar array" else array(shape)[::-1] if kind == "strided" and shape else array(shape)
        )

    a, b, relation = operand(), operand(), data.draw(some.sampled_from(list(RELATIONS)))
    g = array(shape)
    found = _core.keep_where(g, a, relation, b)
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return  # no type of an array decides how they are compared, and no derivative asks it
    if found is None:
        assert any(isinstance(x, int) or (isinstance(x, np.ndarray) and not x.flags.c_contiguous) for x in (a, b))
        return
    assert same_bits(found, np.where(RELATIONS[relation](a, b), g, dtype(0)))


@given(some.data())
@settings(max_examples=200, deadline=None)
def test_what_ties_for_an_extreme_shares_its_gradient(data: some.DataObject) -> None:
    dtype = data.draw(some.sampled_from(FLOATS))
    shape = data.draw(some.sampled_from([(4,), (2, 3), (3, 2, 4), (1, 5), (5, 1)]))
    axis = data.draw(some.sampled_from([None, *range(-len(shape), len(shape))]))
    keepdims = data.draw(some.booleans())
    chosen = data.draw(some.lists(some.sampled_from([0.0, 1.0, 1.0, 2.0, -np.inf, np.nan]), min_size=24, max_size=24))
    x = np.resize(np.array(chosen, dtype), shape)
    x = np.asfortranarray(x) if data.draw(some.booleans()) else x  # left to NumPy
    v = st.Variable(x)
    for function in (np.max, np.min):
        with st.GradientTape() as tape:
            y = function(v.read_value() if x.flags.c_contiguous else v * np.asfortranarray(np.ones(shape, dtype)),
                         axis=axis, keepdims=keepdims)  # fmt: skip
        g = spread(np.random.default_rng(1), y.shape, dtype)
        whole, extremes = np.asarray(g), function(x, axis=axis, keepdims=True)
        if axis is None:
            whole = whole.reshape((1,) * len(shape))
        elif not keepdims:
            whole = np.expand_dims(whole, axis)
        hit = np.equal(x, extremes)
        count = hit.sum(axis=axis, keepdims=True).astype(dtype)
        with np.errstate(all="ignore"):
            expected = np.where(hit | (count == 0), whole / np.where(count == 0, np.nan, count), 0)
        np.testing.assert_array_equal(tape.gradient(y, v, output_gradients=g), expected.astype(dtype))


@given(some.data())
@settings(max_examples=200, deadline=None)
def test_elements_are_added_where_an_index_points(data: some.DataObject) -> None:
    rng = np.random.default_rng(data.draw(some.integers(0, 1000)))
    dtype = data.draw(some.sampled_from(FLOATS))
    shape = data.draw(some.sampled_from([(6,), (4, 3), (3, 4, 2), (2, 3, 2, 2)]))
    parts = data.draw(some.integers(1, len(shape)))
    length = data.draw(some.sampled_from([(), (1,), (9,), (2, 3), (0,)]))
    kinds = [data.draw(some.sampled_from([np.int64, np.int32])) for _ in range(parts)]
    index = tuple(np.asarray(rng.integers(-n, n, length), kind) for n, kind in zip(shape, kinds, strict=False))
    target = spread(rng, shape, dtype)
    values = np.asarray(spread(rng, (*length, *shape[parts:]), dtype))
    expected = target.copy()
    np.add.at(expected, index, values)
    assert _core.add_elements_at(target, index, values)
    assert same_bits(target, expected)


@pytest.mark.parametrize(
    "index",
    [
        ([0, 4],),
        (np.array([0, 4]),),
        (np.array([0, -5]),),
        (np.array([0, 1]), np.array([0, 3])),
        (np.array([0, 1]), np.array([0])),
        (np.array([True, False, True, False]),),
        (np.array([0.0]),),
        (slice(0, 2),),
        (),
        (np.array([0]), np.array([0]), np.array([0])),
    ],
)
def test_an_index_that_is_not_of_places_is_left_to_numpy(index: Any) -> None:
    target = np.zeros((4, 3))
    assert not _core.add_elements_at(target, index, np.ones((2, 3)))
    assert not target.any()


def test_values_of_another_shape_or_type_are_left_to_numpy() -> None:
    target, index = np.zeros((4, 3)), (np.array([0, 1]),)
    for values in (
        np.ones(3),
        np.ones((2, 2)),
        np.ones((2, 3), np.float32),
        np.ones((3, 2)).T,
        1.0,
        np.ones((2, 3, 1)),
    ):
        assert not _core.add_elements_at(target, index, values)
    for other in (np.zeros((3, 4)).T, np.zeros((4, 3), np.int64), np.zeros((4, 3)).astype(object), [[0.0]]):
        assert not _core.add_elements_at(other, index, np.ones((2, 3)))
    target.setflags(write=False)
    assert not _core.add_elements_at(target, index, np.ones((2, 3)))
    assert not target.any()


def test_positions_that_were_changed_since_are_refused_not_written_to() -> None:
    v, ids = st.Variable(np.ones((4, 3))), np.array([0, 1])
    with st.GradientTape() as tape:
        y = v[ids, ids]
    ids[1] = 400
    with pytest.raises(IndexError):
        tape.gradient(y, v)
