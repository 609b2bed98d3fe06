"""GradientTape: what it records, what it returns, what it refuses."""

from __future__ import annotations

import gc
import threading
import weakref

import numpy as np
import pytest

from steepest.functional import stop_gradient
from steepest.indexed_slices import IndexedSlices
from steepest.ops.indexing import gather
from steepest.tape import GradientTape
from steepest.tensor import Tensor, constant
from steepest.variable import Variable


def variable(value=(1.0, 2.0, 3.0), **options):
    return Variable(np.array(value), **options)


# What is followed


def test_trainable_variables_are_watched_when_read_and_others_are_not():
    a, b, c = variable(), variable(trainable=False), variable()
    with GradientTape() as tape:
        loss = np.sum(a * b)
    assert tape.watched_variables() == (a,)
    grads = tape.gradient(loss, [a, b, c])
    np.testing.assert_array_equal(grads[0], [1, 2, 3])
    assert grads[1:] == [None, None]


def test_without_watching_accessed_variables_only_watch_counts():
    a, b = variable(), variable(trainable=False)
    with GradientTape(watch_accessed_variables=False) as tape:
        assert type(a * 2) is np.ndarray
        tape.watch(b)
        loss = np.sum(a * b)
    ga, gb = tape.gradient(loss, (a, b))
    assert ga is None
    np.testing.assert_array_equal(gb, a.numpy())


def test_tensors_are_followed_after_watch_only():
    x = constant([1.0, 2.0])
    with GradientTape(persistent=True) as tape:
        before = x * x
        tape.watch(x)
        after = x * x
    assert type(before) is np.ndarray
    assert isinstance(after, Tensor)
    assert tape.gradient(before, x) is None
    np.testing.assert_array_equal(tape.gradient(after, x), [2, 4])


def test_watched_variables_are_in_the_order_of_creation():
    variables = [variable() for _ in range(5)]
    with GradientTape() as tape:
        for v in reversed(variables):
            v * 1
    assert tape.watched_variables() == tuple(variables)


def test_integer_variables_have_no_gradient():
    n = Variable([1, 2])
    x = variable((1.0, 2.0))
    with GradientTape() as tape:
        loss = np.sum(x * n)
    gx, gn = tape.gradient(loss, [x, n])
    np.testing.assert_array_equal(gx, [1, 2])
    assert gn is None


def test_stop_recording_and_reset():
    x = variable()
    with GradientTape() as tape:
        y = x * x
        with tape.stop_recording():
            z = y * x
            assert type(z) is np.ndarray
        loss = np.sum(y * z)
    np.testing.assert_allclose(tape.gradient(loss, x), 2 * x.numpy() * x.numpy() ** 3)
    with GradientTape() as tape:
        y = x * x
        tape.reset()
        z = x * 3
    assert tape.gradient([y, z], x).tolist() == [3, 3, 3]


def test_a_tape_entered_again_goes_on():
    x = variable()
    tape = GradientTape()
    with tape:
        y = x * x
    outside = x * 1
    with tape:
        z = y * 2
    assert type(outside) is np.ndarray
    np.testing.assert_array_equal(tape.gradient(z, x), 4 * x.numpy())


def test_operations_after_the_tape_are_not_part_of_it():
    x = constant(2.0)
    with GradientTape() as outer:
        outer.watch(x)
        with GradientTape() as inner:
            inner.watch(x)
            y = x * x
        z = y * 3
    assert inner.gradient(z, x) is None
    assert outer.gradient(z, x) == 12


def test_inner_tape_sees_only_what_it_watches():
    x = constant(2.0)
    with GradientTape() as outer:
        outer.watch(x)
        y = x * x
        with GradientTape() as inner:
            inner.watch(y)
            z = y * y
        dz = inner.gradient(z, [y, x])
    assert dz[1] is None
    assert dz[0].value == 8
    assert outer.gradient(dz[0], x) == 8  # d(2 x^2)/dx


def test_a_value_of_an_old_tape_is_a_constant_until_watched_again():
    x = constant(3.0)
    with GradientTape(persistent=True) as old:
        old.watch(x)
        y = x * x
    with GradientTape() as new:
        assert not isinstance(y * 2, Tensor)
        new.watch(y)
        z = y * y
    assert new.gradient(z, y) == 18
    assert old.gradient(y, x) == 6


# Results


def test_structures():
    a, b = variable(), variable()
    with GradientTape(persistent=True) as tape:
        loss = np.sum(a * b)
    assert tape.gradient(loss, a).shape == (3,)
    assert isinstance(tape.gradient(loss, [a]), list)
    assert isinstance(tape.gradient(loss, (a, b)), tuple)
    nested = tape.gradient(loss, {"x": [a, {"y": b}], "z": ()})
    np.testing.assert_array_equal(nested["x"][1]["y"], a.numpy())
    assert nested["z"] == ()
    twice = tape.gradient(loss, [a, a])
    twice[0][:] = 0
    np.testing.assert_array_equal(twice[1], b.numpy())


def test_targets_are_summed_and_output_gradients_weigh():
    x = variable()
    with GradientTape(persistent=True) as tape:
        y, z = x * x, np.sum(x)
    np.testing.assert_array_equal(tape.gradient([y, {"k": z}], x), 2 * x.numpy() + 1)
    np.testing.assert_array_equal(tape.gradient([y, y], x), 4 * x.numpy())
    np.testing.assert_array_equal(tape.gradient(y, x, output_gradients=[1.0, 0.0, 2.0]), [2, 0, 12])
    np.testing.assert_array_equal(tape.gradient([y, z], x, output_gradients=[np.zeros(3), 5.0]), [5, 5, 5])
    np.testing.assert_array_equal(tape.gradient([y, z], x, output_gradients=[None, 5.0]), 2 * x.numpy() + 5)
    with pytest.raises(ValueError, match="output_gradients must have the target's shape"):
        tape.gradient(y, x, output_gradients=[1.0])


def test_a_source_as_target():
    x, w = constant([1.0, 2.0]), variable()
    with GradientTape(persistent=True) as tape:
        tape.watch([x, w])
        y = x * 2
    assert tape.gradient(x, x).tolist() == [1, 1]
    assert tape.gradient(w, w).tolist() == [1, 1, 1]
    assert tape.gradient([x, y], x).tolist() == [3, 3]
    assert tape.gradient(y, y).tolist() == [1, 1]


def test_intermediate_sources_get_the_full_gradient():
    x = variable()
    with GradientTape() as tape:
        y = x * x
        loss = np.sum(y * y) + np.sum(y)
    gx, gy = tape.gradient(loss, [x, y])
    np.testing.assert_allclose(gy, 2 * x.numpy() ** 2 + 1)
    np.testing.assert_allclose(gx, (2 * x.numpy() ** 2 + 1) * 2 * x.numpy())


def test_unconnected():
    a, b = variable(), Variable(np.ones((2, 2), np.float16))
    with GradientTape(persistent=True) as tape:
        loss = np.sum(a)
        stopped = np.sum(stop_gradient(a))
    assert tape.gradient(loss, b) is None
    zeros = tape.gradient(loss, [b], unconnected_gradients="zero")[0]
    assert zeros.shape == (2, 2)
    assert zeros.dtype == np.float16
    assert not zeros.any()
    assert tape.gradient(stopped, a) is None
    assert tape.gradient(3.0, a) is None
    assert tape.gradient(np.ones(3), a) is None


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_gradients_have_the_type_of_their_source(dtype):
    x = Variable(np.array([0.5, 0.25], dtype))
    y = constant(np.array(2.0, np.float64))
    with GradientTape() as tape:
        tape.watch(y)
        loss = np.sum(np.exp(x * 2.0) / 3 + x * y) + np.mean(x) ** 2 + np.var(x) * 0.5
    gx, gy = tape.gradient(loss, [x, y])
    assert gx.dtype == dtype
    assert gy.dtype == np.float64


def test_bfloat16():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    x = Variable(np.array([0.5, 0.25], ml_dtypes.bfloat16))
    assert x.dtype.name == "bfloat16"
    with GradientTape() as tape:
        loss = np.sum(np.tanh(x * x))
    g = tape.gradient(loss, x)
    assert g.dtype == ml_dtypes.bfloat16
    np.testing.assert_allclose(g.astype(float), [0.94, 0.498], rtol=0.02)


FRESH = {
    "sum": lambda v, a: np.sum(v),
    "identity": lambda v, a: v + 0,
    "plus itself": lambda v, a: v + v,
    "times": lambda v, a: v * a,
    "array plus": lambda v, a: a + v,
    "reshape": lambda v, a: np.reshape(v, (3, 1)),
    "transpose": lambda v, a: np.reshape(v, (1, 3)).T,
    "broadcast": lambda v, a: np.broadcast_to(v, (2, 3)),
    "slice": lambda v, a: v[:],
    "take": lambda v, a: v[np.arange(3)],
    "concatenate": lambda v, a: np.concatenate([v, v]),
    "where": lambda v, a: np.where(a > 0, v, 0),
    "copy": lambda v, a: v.copy(),
    "itself": lambda v, a: v,
}


@pytest.mark.parametrize("name", FRESH)
def test_gradients_are_arrays_of_their_own(name):
    v, w, a = variable(), variable(), np.array([1.0, 2.0, 3.0])
    with GradientTape(persistent=True) as tape:
        y = FRESH[name](v, a)
        z = FRESH[name](w, a)
        total = y + z
    seed = np.full(total.shape, 2.0)
    found = [tape.gradient(total, [v, w], seed), tape.gradient(y, [v], seed)]
    arrays = [g.values if isinstance(g, IndexedSlices) else g for pair in found for g in pair]
    held = [v.value, w.value, a, seed]
    for i, g in enumerate(arrays):
        assert type(g) is np.ndarray
        assert g.flags.writeable
        assert not any(np.shares_memory(g, other) for other in held + arrays[:i])
    before = [h.copy() for h in held]
    for g in arrays:
        g += 100
    for array, copy in zip(held, before, strict=True):
        np.testing.assert_array_equal(array, copy)


def test_accumulation_never_changes_what_others_hold():
    x = variable()
    with GradientTape() as tape:
        u = x * 1
        y = u + u + u + x + x[:2].sum() + u[0] + u[1]
    seed = np.ones(3)
    gx, gu = tape.gradient(y, [x, u], seed)
    np.testing.assert_array_equal(seed, 1)
    np.testing.assert_array_equal(gu, [6, 6, 3])
    np.testing.assert_array_equal(gx, [10, 10, 4])


# Sparse rows


def test_gathers_are_slices_with_repeats_in_the_order_of_reading():
    w = Variable(np.arange(12.0).reshape(4, 3))
    with GradientTape(persistent=True) as tape:
        a = gather(w, np.array([[1, 1]]))
        b = np.take(w, [3], axis=0)
        c = w[np.array([-1, 0])]
        loss = np.sum(a) + 2 * np.sum(b) + 3 * np.sum(c)
        dense = loss + np.sum(w)
    g = tape.gradient(loss, w)
    assert isinstance(g, IndexedSlices)
    assert g.indices.tolist() == [1, 1, 3, 3, 0]
    assert g.values[:, 0].tolist() == [1, 1, 2, 3, 3]
    assert g.dense_shape == (4, 3)
    full = tape.gradient(dense, w)
    np.testing.assert_array_equal(full, np.asarray(g) + 1)


def test_a_gather_from_an_intermediate_value_is_dense_there():
    w = Variable(np.arange(4.0))
    with GradientTape() as tape:
        y = w * w
        loss = np.sum(gather(y, [1, 1]) * np.array([1.0, 10.0]))
    gw, gy = tape.gradient(loss, [w, y])
    np.testing.assert_array_equal(gw, [0, 22, 0, 0])
    np.testing.assert_array_equal(np.asarray(gy), [0, 11, 0, 0])


def test_second_derivative_through_a_gather():
    w = Variable(np.arange(1.0, 5.0).reshape(4, 1))
    with GradientTape() as outer:
        with GradientTape() as inner:
            loss = np.sum(gather(w, [1, 1, 3]) ** 3)
        g = inner.gradient(loss, w)
        assert isinstance(g, IndexedSlices)
        assert g.indices.tolist() == [1, 1, 3]
        total = np.sum(g.to_dense())
    h = outer.gradient(total, w)
    np.testing.assert_allclose(np.asarray(h)[:, 0], [0, 24, 0, 24])


def test_gather_refuses_rows_that_are_not_there_first():
    w = variable()
    with pytest.raises(IndexError, match=r"indices must be in \[0, 3\), got 3 at position 1"):
        gather(w, [0, 3])
    with pytest.raises(IndexError, match=r"got -1 at position \(1, 0\)"):
        gather(w, [[0, 0], [-1, 0]])
    with pytest.raises(TypeError, match="indices must be integers"):
        gather(w, [0.5])
    with pytest.raises(ValueError, match="params must have rows"):
        gather(1.0, [0])


def test_the_ids_may_change_after_the_reading():
    w, ids = variable(), np.array([0, 1])
    with GradientTape() as tape:
        loss = np.sum(gather(w, ids.copy()))
    g = tape.gradient(loss, w)
    ids[:] = 2
    assert g.indices.tolist() == [0, 1]


# Higher order


def test_nested_tapes_give_higher_derivatives():
    x = constant(2.0)
    with GradientTape() as third:
        third.watch(x)
        with GradientTape() as second:
            second.watch(x)
            with GradientTape() as first:
                first.watch(x)
                y = x**4
            dy = first.gradient(y, x)
        d2y = second.gradient(dy, x)
    assert (float(dy), float(d2y), float(third.gradient(d2y, x))) == (32.0, 48.0, 48.0)


def test_a_persistent_tape_differentiates_its_own_gradient():
    x = constant(np.array([1.0, 2.0]))
    with GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x**3
        dy = tape.gradient(y, x)
    np.testing.assert_allclose(tape.gradient(dy, x), 6 * x.value)


def test_the_hessian_of_variables():
    w = Variable(np.array([[1.0, 2.0], [3.0, 4.0]]))
    with GradientTape(persistent=True) as outer:
        with GradientTape() as inner:
            loss = np.sum((w @ w) ** 2)
        g = inner.gradient(loss, w)
        parts = [g[i, j] for i in range(2) for j in range(2)]
    hessian = np.stack([outer.gradient(part, w).ravel() for part in parts])
    np.testing.assert_allclose(hessian, hessian.T)


# Variables that change


def test_a_changed_variable_is_an_error_that_names_it():
    v = variable(name="weights_that_move")
    with GradientTape() as tape:
        loss = np.sum(v * v)
    v.assign_add(np.ones(3))
    with pytest.raises(RuntimeError, match="weights_that_move"):
        tape.gradient(loss, v)


def test_a_change_before_the_reading_or_beside_the_target_is_none():
    v, other = variable(), variable()
    with GradientTape() as tape:
        v.assign([4.0, 5.0, 6.0])
        np.sum(other * other)
        loss = np.sum(v * v)
        other.assign_add(np.ones(3))
    np.testing.assert_array_equal(tape.gradient(loss, v), [8, 10, 12])


def test_a_persistent_tape_keeps_what_was_read():
    v = variable()
    with GradientTape(persistent=True) as tape:
        y = v * v
        v.assign(np.zeros(3))
        z = v * v
        np.testing.assert_array_equal(z.value, 0)
    np.testing.assert_array_equal(tape.gradient(y, v), [2, 4, 6])
    v.assign(np.full(3, 9.0))
    np.testing.assert_array_equal(tape.gradient(y, v), [2, 4, 6])
    np.testing.assert_array_equal(tape.gradient([y, z], v), [2, 4, 6])


def test_a_changed_constant_variable_is_noticed_where_its_value_counts():
    v, mean = variable(), variable(trainable=False)
    with GradientTape() as tape:
        loss = np.sum(v * mean)
    mean.assign_add(np.ones(3))
    with pytest.raises(RuntimeError, match="must not change"):
        tape.gradient(loss, v)
    with GradientTape() as tape:  # a moving average: only sums and differences of it
        update = (v - mean) * 0.1
        loss = np.sum(v * v)
        mean.assign_add(stop_gradient(update))
    np.testing.assert_array_equal(tape.gradient(loss, v), [2, 4, 6])


def test_a_view_of_a_constant_variable_does_not_move():
    v, mean = variable(), variable(trainable=False)
    with GradientTape() as tape:
        part = mean[:]
        loss = np.sum(v * part)
    mean.assign(np.zeros(3))
    np.testing.assert_array_equal(tape.gradient(loss, v), [1, 2, 3])


# Errors


def test_errors():
    x = constant(1.0)
    with GradientTape() as tape:
        tape.watch(x)
        y = x * x
        with pytest.raises(ValueError, match="must not be entered while it records"), tape:
            pass
    with pytest.raises(ValueError, match=r"Unknown value for unconnected_gradients: 'x'"):
        tape.gradient(y, x, unconnected_gradients="x")
    with pytest.raises(TypeError, match="target must"):
        tape.gradient(None, x)
    with pytest.raises(TypeError, match="target must"):
        tape.gradient([y, None], x)
    with pytest.raises(TypeError, match="sources must be Tensors or Variables"):
        tape.gradient(y, np.ones(3))
    with pytest.raises(TypeError, match="sources must be Tensors or Variables"):
        tape.gradient(y, None)
    with pytest.raises(ValueError, match=r"ndarray.*steepest\.constant"):
        tape.watch(np.ones(3))
    with pytest.raises(TypeError, match="tensor must be a Tensor or a Variable"):
        tape.watch("x")
    with pytest.raises(ValueError, match="must be recording"), tape.stop_recording():
        pass
    assert tape.gradient(y, x) == 2
    with pytest.raises(RuntimeError, match="A non-persistent GradientTape can only be used to compute one set of"):
        tape.gradient(y, x)


def test_gradient_inside_the_block_ends_a_tape():
    x = constant(3.0)
    with GradientTape() as tape:
        tape.watch(x)
        y = x * x
        assert tape.gradient(y, x) == 6
        assert not isinstance(x * x, Tensor)


def test_an_exception_inside_the_block_ends_the_recording():
    x = variable()
    with pytest.raises(KeyError), GradientTape():
        raise KeyError
    assert type(x * x) is np.ndarray


# Memory and threads


def test_the_graph_is_released_by_gradient():
    x = variable()
    losses = []
    for _ in range(2):
        with GradientTape() as tape:
            hidden = x * x
            alive = weakref.ref(hidden)
            loss = np.sum(hidden)
        del hidden
        tape.gradient(loss, x)
        losses.append(loss)
    gc.collect()
    assert alive() is None
    assert float(losses[0]) == 14


def test_long_chains_neither_recurse_nor_crash():
    x = constant(np.ones(2))
    with GradientTape() as tape:
        tape.watch(x)
        y = x
        for _ in range(100_000):
            y = y + x
    g = tape.gradient(y, x)
    assert g.tolist() == [100_001, 100_001]
    with GradientTape() as tape:
        tape.watch(x)
        y = x
        for _ in range(100_000):
            y = y + x
    del y, tape


def test_threads_do_not_see_each_other():
    w = variable()
    failures = []
    barrier = threading.Barrier(4)

    def work(number):
        try:
            barrier.wait()
            for _ in range(200):
                assert type(w * 1) is np.ndarray
                with GradientTape(persistent=bool(number % 2)) as tape:
                    y = np.sum(w * w) * number
                g = tape.gradient(y, w)
                np.testing.assert_array_equal(g, 2 * number * np.array([1.0, 2.0, 3.0]))
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    with GradientTape() as tape:
        y = np.sum(w * 3)
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert not failures
    np.testing.assert_array_equal(tape.gradient(y, w), [3, 3, 3])
