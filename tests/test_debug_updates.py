"""`steepest.debug` and `apply_gradients`: what is not finite is named, and nothing has changed."""

from __future__ import annotations

import functools
import re

import numpy as np
import pytest
from catalogue import ROWS, Row
from special_numbers import RATE_TIMES
from state_order import variables_in_order

import steepest as st
import steepest.v1 as tf

NAN, INF = float("nan"), float("inf")
DEFERRED = functools.partial(st.AdamOptimizer, 0.05, sparse_update="deferred")
MAKERS = [*[(row.id, row.make) for row in ROWS], ("deferred", DEFERRED)]
PLAIN = [(name, make) for name, make in MAKERS if name in RATE_TIMES | {"nesterov", "deferred"}]
each_plain_rule = pytest.mark.parametrize("make", [make for _, make in PLAIN], ids=[name for name, _ in PLAIN])
each_rule = pytest.mark.parametrize("make", [make for _, make in MAKERS], ids=[name for name, _ in MAKERS])


@pytest.fixture(autouse=True)
def _fresh():
    st.reset_default_store()
    yield
    st.debug(False)
    st.reset_default_store()


def state(opt: st.Optimizer, *parameters) -> list[bytes]:
    arrays = [p.numpy() if isinstance(p, st.Variable) else p for p in parameters]
    return [array.tobytes() for array in (*arrays, *(v.numpy() for v in variables_in_order(opt)))]


def run(make, steps: int = 3, on: bool = False) -> tuple[st.Optimizer, st.Variable, np.ndarray, st.Variable]:
    st.reset_default_store()
    opt, w, a = make(), st.Variable(np.ones((4, 3), np.float32), name="w"), np.ones(5)
    step = st.Variable(np.int64(0), trainable=False, name="step")
    rng = np.random.default_rng(0)
    with st.debug(on):
        for _ in range(steps):
            rows = st.IndexedSlices(rng.normal(size=(3, 3)), rng.integers(0, 4, 3))
            opt.apply_gradients([(rows, w), (rng.normal(size=5), a)], step)
    return opt, w, a, step


@each_rule
def test_the_checks_change_no_bit(make):
    assert state(*run(make, on=True)) == state(*run(make))


@each_rule
def test_a_gradient_given_by_hand_is_refused_and_nothing_changes(make):
    opt, w, a, step = run(make)
    before = state(opt, w, a, step)
    bad, rows = np.ones(5), np.ones((2, 3))
    bad[3], rows[1, 2] = -INF, NAN
    for pairs, message in [
        ([(np.ones((4, 3)), w), (bad, a)], r"gradient of 'ndarray_\d+' must be finite, got -inf at \(3,\)"),
        (
            [(np.ones(5), a), (st.IndexedSlices(rows, [1, 3]), w)],
            r"gradient of 'w' must be finite, got nan at \(1, 2\) of its values, for row 3",
        ),
    ]:
        with st.debug(), pytest.raises(FloatingPointError, match="^apply_gradients: " + message):
            opt.apply_gradients(pairs, step)
        assert state(opt, w, a, step) == before


@each_plain_rule
@pytest.mark.parametrize("sparse", [False, True], ids=["dense", "sparse"])
def test_an_update_that_leaves_the_finite_numbers_is_taken_back(make, sparse: bool):
    opt, w, a, step = run(make)
    before = state(opt, w, a, step)
    slots = len(opt.variables())
    big = np.full((1, 3) if sparse else (4, 3), 3e38, np.float32)
    gradient = st.IndexedSlices(big, [2]) if sparse else big
    opt.learning_rate = 3e38
    with st.debug(), pytest.raises(FloatingPointError) as raised:
        opt.apply_gradients([(np.ones(5), a), (gradient, w)], step)
    assert re.match(
        r"apply_gradients: (parameter|slot '\w+' of) '(w|array\w*)' must stay finite in the update, got",
        str(raised.value),
    )
    assert state(opt, w, a, step) == before
    assert len(opt.variables()) == slots


def test_a_new_parameter_that_is_refused_has_no_slots():
    w, opt = np.ones(2, np.float32), st.AdamOptimizer(0.1)
    with (
        st.debug(),
        pytest.raises(FloatingPointError, match=r"slot 'v' of '\w+' must stay finite .* got inf at \(0,\)"),
    ):
        opt.apply_gradients([(np.float32([1e30, 1]), w)])
    assert opt.variables() == []
    assert w.tolist() == [1, 1]


class Diverging(st.Optimizer):
    def __init__(self):
        super().__init__(name="Diverging")

    def _apply_dense(self, grad, var):
        var -= np.float64(1e308) * grad * 1e10


def test_rules_in_python_are_checked_and_taken_back():
    w, opt = np.ones((3, 2)), Diverging()
    for gradient in (np.ones((3, 2)), st.IndexedSlices(np.ones((1, 2)), [1])):
        with np.errstate(all="ignore"), st.debug(), pytest.raises(FloatingPointError, match="must stay finite"):
            opt.apply_gradients([(gradient, w)])
        assert (w == 1).all()


def test_steps_that_repeat_are_checked_too_and_quick_again_afterwards():
    for locking in (False, True):
        w, opt = np.ones(3), st.AdamOptimizer(0.1, use_locking=locking)
        good, bad = np.ones(3), np.array([1.0, NAN, 1.0])
        opt.apply_gradients([(good, w)])
        with st.debug():
            opt.apply_gradients([(good, w)])
            with pytest.raises(FloatingPointError):
                opt.apply_gradients([(bad, w)])
            opt.apply_gradients([(good, w)])
        assert opt._cache._remembered is not None  # the next step is a repeated one
        opt.apply_gradients([(bad, w)])
        assert np.isnan(w[1])


def test_gradients_are_checked_before_the_hooks_and_after():
    w = np.ones(2)
    hooks = [lambda pairs: [(g / 0.0, v) for g, v in pairs], st.ClipByValue(-1, 1)]
    opt = st.GradientDescentOptimizer(0.1, hooks=hooks)
    with np.errstate(all="ignore"), st.debug():
        with pytest.raises(FloatingPointError, match=r"must be finite, got nan at \(0,\)"):
            opt.apply_gradients([(np.array([NAN, 1]), w)])
        hooks.pop()
        with pytest.raises(FloatingPointError, match=r"must be finite, got inf at \(0,\)"):
            st.GradientDescentOptimizer(0.1, hooks=hooks).apply_gradients([(np.ones(2), w)])
    check = st.CheckFinite("skip")
    with st.debug(), pytest.raises(FloatingPointError):
        st.GradientDescentOptimizer(0.1, hooks=[check]).apply_gradients([(np.array([NAN, 1]), w)])
    assert check.skipped == 0
    assert w.tolist() == [1, 1]


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_half_types_are_checked(dtype: str):
    dtype = np.dtype(dtype) if dtype == "float16" else np.dtype(pytest.importorskip("ml_dtypes").bfloat16)
    w = np.ones(3, dtype)
    with st.debug(), pytest.raises(FloatingPointError, match=r"got inf at \(1,\)"):
        st.GradientDescentOptimizer(0.1).apply_gradients([(np.array([1, INF, 1]).astype(dtype), w)])
    assert (w.astype(np.float32) == 1).all()


def test_a_session_names_the_node():
    tf.reset_default_graph()
    v = tf.Variable([0.0, 1.0], name="v")
    x = tf.placeholder(tf.float32, [2])
    loss = tf.reduce_sum(tf.log(v, name="risky") * x)
    train = tf.train.AdamOptimizer(0.1).minimize(loss)
    by_hand = tf.train.GradientDescentOptimizer(0.1).apply_gradients([(x, v)], name="by_hand")
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        with st.debug():
            with pytest.raises(tf.errors.InvalidArgumentError) as raised:
                sess.run(train, {x: [1, 1]})
            text = str(raised.value)
            assert "first made by np.log in node 'risky' (its argument had 0.0 at (0,))" in text
            with pytest.raises(tf.errors.InvalidArgumentError, match=r"gradient of 'v.* finite, got nan at \(1,"):
                sess.run(by_hand, {x: [1, NAN]})
            assert sess.run(v).tolist() == [0, 1]
            sess.run(by_hand, {x: [1, 1]})
            eager = st.Variable(np.zeros(1), name="eager")  # whose losses are in lines again, not in nodes
            with st.GradientTape() as tape:
                y = np.sqrt(eager)
            with pytest.raises(FloatingPointError, match=r"np.sqrt at .*test_debug_updates.py:\d+ "):
                tape.gradient(y, eager)
        sess.run(by_hand, {x: [1, NAN]})
        assert np.isnan(sess.run(v)[1])


class TwoPart(st.GradientDescentOptimizer):
    """In a session each update is made for itself."""

    def _apply_dense(self, grad, var):
        return super()._apply_dense(grad, var)


def test_a_subclass_in_a_session_is_checked():
    tf.reset_default_graph()
    v, x = tf.Variable([0.0, 1.0], name="v"), tf.placeholder(tf.float32, [2])
    train = TwoPart(0.1).apply_gradients([(x, v)])
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        with (
            st.debug(),
            pytest.raises(tf.errors.InvalidArgumentError, match=r"gradient of 'v.*finite, got nan at \(1,"),
        ):
            sess.run(train, {x: [1, NAN]})
        assert sess.run(v).tolist() == [0, 1]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_debugging_in_one_block_leaves_the_next_steps_as_they_were(row: Row):
    def trained(blocks: list[bool]) -> list[bytes]:
        st.reset_default_store()
        opt, w = row.make(), np.ones(4)
        for on in blocks:
            with st.debug(on):
                opt.apply_gradients([(np.arange(4.0), w)])
        return state(opt, w)

    assert trained([False, True, False, True, False]) == trained([False] * 5)


def test_an_updaters_own_checks_stay():
    with st.debug(), pytest.raises(TypeError, match="must be a Variable for a deferred sparse update"):
        DEFERRED().apply_gradients([(st.IndexedSlices(np.ones((1, 2)), [0]), np.ones((3, 2)))])


@pytest.mark.parametrize("rule", [st.GradientDescentOptimizer, st.AdamOptimizer, None], ids=str)
def test_a_step_taken_back_counts_in_no_schedule(rule: type[st.Optimizer] | None):
    class InPython(Diverging):
        def __init__(self, learning_rate):
            super().__init__()
            self._learning_rate = learning_rate

    rate = st.exponential_decay(1e300, None, 1, 0.5)
    opt, w, step = (rule or InPython)(rate), np.ones(2), st.Variable(np.int64(0), trainable=False)
    opt.apply_gradients([(np.zeros(2), w)], step)
    before = state(opt, w, step)
    with np.errstate(all="ignore"), st.debug(), pytest.raises(FloatingPointError, match="must stay finite"):
        opt.apply_gradients([(np.full(2, 1e300), w)], step)
    assert rate.steps == 1
    assert state(opt, w, step) == before
    opt.apply_gradients([(np.zeros(2), w)], step)
    assert (rate.steps, int(step.value)) == (2, 2)


@pytest.mark.parametrize("native", [True, False], ids=["native", "with one in Python"])
def test_a_step_of_groups_is_taken_back_whole(native: bool):
    class InPython(st.Optimizer):
        def _apply_dense(self, grad, var):
            with np.errstate(over="ignore"):
                var.assign_sub(grad)

    w, a = st.Variable(np.ones(3, np.float32), name="w"), np.ones(5)
    schedule = st.schedules.exponential_decay(0.5, None, decay_steps=2, decay_rate=0.5)
    first = st.AdamOptimizer(schedule)
    second = st.MomentumOptimizer(3.0, 0.9) if native else InPython(name="python")
    opt = st.MultiOptimizer([(first, [a]), (second, [w])])
    step = st.Variable(np.int64(0), trainable=False, name="step")
    opt.apply_gradients([(np.ones(3, np.float32), w), (np.ones(5), a)], step)
    w.assign(np.full(3, -3e38, np.float32))
    before = state(opt, w, a, step), repr(schedule)
    with st.debug(), pytest.raises(FloatingPointError, match="parameter 'w' must stay finite in the update, got -inf"):
        opt.apply_gradients([(np.full(3, 3e38, np.float32), w), (np.ones(5), a)], step)
    assert (state(opt, w, a, step), repr(schedule)) == before
    with st.debug():
        opt.apply_gradients([(np.ones(3, np.float32), w), (np.ones(5), a)], step)
    assert step.numpy() == 2
