"""What the native core of the tape must hold: whose arrays are written to, and that no use of it ends the process."""

from __future__ import annotations

import copy
import itertools
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

import steepest as st
from steepest import _core

SIZE = 4


@st.custom_gradient
def keeps(x):
    """Twice x, by a rule that holds what it returns."""

    def grad(g):
        kept.append(2 * g)
        return kept[-1]

    return 2 * np.asarray(x.value if hasattr(x, "value") else x), grad


kept: list[np.ndarray] = []

# Linear functions of one or two values; most hand on the very gradient that they are given, or a view of it.
STEPS = [
    lambda a, b: a + b,
    lambda a, b: a + a,
    lambda a, b: a - b,
    lambda a, b: np.reshape(np.reshape(a, (2, 2)), (SIZE,)) + b,
    lambda a, b: np.concatenate([a, b])[1 : SIZE + 1],
    lambda a, b: np.stack([a, b])[0] + b,
    lambda a, b: a[[0, 0, 2, 3]] + b[::-1],
    lambda a, b: np.broadcast_to(a, (3, SIZE))[1] + b,
    lambda a, b: +a,
    lambda a, b: keeps(a),
    lambda a, b: a * 3,
]


@settings(max_examples=150, deadline=None)
@given(program=some.lists(some.tuples(*[some.integers(0, 99)] * 3), min_size=1, max_size=12), data=some.data())
def test_gradients_of_any_program_are_right_and_share_no_memory(program, data):
    """Against the program on unit vectors, as it is linear; with values on the way as sources, and repeats."""

    def run(inputs):
        values = list(inputs)
        for step, i, j in program:
            values.append(STEPS[step % len(STEPS)](values[i % len(values)], values[j % len(values)]))
        return values

    kept.clear()
    variables = [st.Variable(np.arange(SIZE) + k * 1.0) for k in range(2)]
    with st.GradientTape(persistent=True) as tape:
        values = run(variables)
        loss = values[-1]
    weights = np.arange(1.0, SIZE + 1)
    places = data.draw(some.lists(some.integers(0, len(values) - 1), min_size=1, max_size=5))
    sources = [values[k] for k in places]
    gradients = tape.gradient(loss, sources, output_gradients=weights)
    results = [g.to_dense() if isinstance(g, st.IndexedSlices) else g for g in gradients]
    held = [(array, array.copy()) for array in kept]
    jacobians = [
        [run([row if k == n else np.zeros(SIZE) for n in range(2)])[-1] @ weights for row in np.eye(SIZE)]
        for k in range(2)
    ]
    for place, result in zip(places, results, strict=True):
        if place < 2:
            assert np.array_equal(np.zeros(SIZE) if result is None else result, jacobians[place])
    arrays = [g.values if isinstance(g, st.IndexedSlices) else g for g in gradients if g is not None]
    others = [weights, *(v.value for v in variables), *(array for array, _ in held)]
    for a, b in itertools.combinations(arrays, 2):
        assert not np.shares_memory(a, b)
    for a, b in itertools.product(arrays, others):
        assert not np.shares_memory(a, b)
    assert np.array_equal(weights, np.arange(1.0, SIZE + 1))
    for array, before in held:
        assert np.array_equal(array, before)


def test_an_array_that_a_rule_keeps_is_not_added_to():
    kept.clear()
    w = st.Variable([1.0, 2.0])
    with st.GradientTape() as tape:
        y = keeps(w)
        loss = np.sum(y) + np.sum(w * 3) + np.sum(w * 5)
    assert tape.gradient(loss, w).tolist() == [10.0, 10.0]
    assert kept[0].tolist() == [2.0, 2.0]


def test_a_rule_that_asks_for_the_gradient_of_its_own_tape_is_an_error():
    w = st.Variable([1.0, 2.0])

    @st.custom_gradient
    def twice(x):
        def grad(g):
            tape.gradient(loss, w)
            return 2 * g

        return 2 * x.value, grad

    with st.GradientTape() as tape:
        loss = np.sum(twice(w * 3) * 2)
    with pytest.raises((RecursionError, ValueError)):
        tape.gradient(loss, w)


def test_a_rule_that_ends_its_own_tape_once_is_an_error():
    w, asked = st.Variable([1.0, 2.0]), []

    @st.custom_gradient
    def twice(x):
        def grad(g):
            if not asked:
                asked.append(tape.gradient(other, w))
            return 2 * g

        return 2 * x.value, grad

    with st.GradientTape() as tape:
        before = w * 3
        other = np.sum(before)
        loss = np.sum(twice(before))
    with pytest.raises(ValueError, match="a rule has released the tape"):
        tape.gradient(loss, w)
    assert asked[0].tolist() == [3.0, 3.0]


def test_long_chains_are_differentiated_and_freed_without_the_stack():
    w = st.Variable(1.0)
    with st.GradientTape() as tape:
        y = w * 1
        for _ in range(200_000):
            y = y + 0
    assert tape.gradient(y, w) == 1
    with st.GradientTape() as tape:
        y = w * 1
        for _ in range(200_000):
            y = y + 0
    del tape, y  # never differentiated: what was recorded frees itself


def test_tensors_can_be_copied_and_pickled():
    x = st.constant([1.0, 2.0])
    assert copy.copy(x) is x
    assert copy.deepcopy([x])[0] is x
    assert pickle.loads(pickle.dumps(x)).numpy().tolist() == [1.0, 2.0]


def test_a_tensor_without_its_init_is_harmless():
    x = st.Tensor.__new__(st.Tensor)
    with pytest.raises(TypeError):
        x + 1
    with st.GradientTape() as tape:
        tape_of_none = st.Variable(1.0) * 1
    assert tape.gradient(tape_of_none, x) is None


def test_what_a_tape_has_recorded_cannot_be_changed():
    w = st.Variable(1.0)
    with st.GradientTape():
        y = w * 2
    for field in ("value", "args", "kwargs", "number", "owner", "version"):
        with pytest.raises(AttributeError):
            setattr(y, field, None)


@pytest.mark.parametrize(
    "call",
    [
        lambda: _core.register_tape(unheard_of=1),
        lambda: _core.record(1, 2, ()),
        lambda: _core.apply_primitive(len, ([],)),
        lambda: _core._Graph([1], [], [], set(), frozenset()),
        lambda: _core._Graph([], [], [(0, 1)], [], ()),
    ],
)
def test_the_native_entries_refuse_what_they_do_not_take(call):
    with pytest.raises((TypeError, SystemError)):
        call()
