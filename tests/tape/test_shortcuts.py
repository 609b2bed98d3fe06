"""Where the tape takes a shorter way than NumPy's own, the answer is that of the long way."""

import numpy as np
import pytest

import steepest as st
from steepest.testing import check_vjp

F = np.float32
RNG = np.random.default_rng(3)


def gradients(f, *arrays, persistent=False):
    variables = [st.Variable(array) for array in arrays]
    with st.GradientTape(persistent=persistent) as tape:
        target = f(*variables)
    return tape.gradient(target, variables)


# Reductions


@pytest.mark.parametrize("dtype", [np.float16, F, np.float64])
@pytest.mark.parametrize("shape", [(1,), (7,), (3, 5), (129, 33), (2, 3, 4), ()])
def test_mean_has_numpys_bits(shape, dtype):
    x = np.asarray(RNG.standard_normal(shape), dtype)
    v = st.Variable(x)
    for axis in [None, *range(len(shape)), tuple(range(len(shape)))]:
        for keepdims in (False, True):
            expected = np.mean(x, axis=axis, keepdims=keepdims)
            found = np.mean(v, axis=axis, keepdims=keepdims)
            assert np.shape(found) == expected.shape
            assert found.dtype == expected.dtype
            assert np.asarray(found).tobytes() == np.asarray(expected).tobytes()


@pytest.mark.parametrize("size", [1, 4095, 4096, 4097, 20000])
@pytest.mark.parametrize("axis", [None, 0, 1])
def test_sum_and_mean_spread_their_gradient_over_small_and_large_arrays(size, axis):
    x = np.zeros((size, 1) if axis == 0 else (1, size), F)
    count = x.size if axis is None else x.shape[axis]
    (g,) = gradients(lambda v: np.sum(np.sum(v, axis=axis) * 3), x)
    np.testing.assert_array_equal(g, np.full(x.shape, 3, F))
    (g,) = gradients(lambda v: np.sum(np.mean(v, axis=axis)), x)
    np.testing.assert_array_equal(g, np.full(x.shape, F(1) / F(count), F))
    g += 1  # what is handed out belongs to the user


def test_ties_share_the_gradient_of_a_maximum_and_nan_stays_in_its_row():
    x = np.array([[3, 1, 3, 0], [np.nan, 1, 2, 3], [1, 2, 3, 4], [5, 5, 5, 5]], F)
    for keepdims in (False, True):
        (g,) = gradients(lambda v, k=keepdims: np.sum(np.max(v, axis=1, keepdims=k)), x)
        np.testing.assert_array_equal(g[0], [0.5, 0, 0.5, 0])
        assert np.isnan(g[1]).all()
        np.testing.assert_array_equal(g[2:], [[0, 0, 0, 1], [0.25] * 4])
    (g,) = gradients(np.min, np.array([[2, 1], [1, 1]], F))
    np.testing.assert_array_equal(g, np.array([[0, 1], [1, 1]], F) / F(3))


# Choices


@pytest.mark.parametrize("dtype", [np.float16, F, np.float64, np.longdouble])
@pytest.mark.parametrize("order", ["C", "F"])
def test_what_is_not_chosen_has_gradient_plus_zero_also_of_infinities_and_nan(dtype, order):
    a, b = (np.asarray(RNG.standard_normal((8, 9)).astype(dtype), order=order) for _ in range(2))
    a[0], b[0] = 1, 1
    a[1, :3], b[1, 2:5] = np.nan, np.nan
    seed = np.asarray(np.resize(np.array([np.inf, -np.inf, np.nan, -0.0, 0.0, -3, 65504], dtype), (8, 9)), order=order)
    some = RNG.integers(0, 3, (8, 1))
    first = (a == np.fmax(a, b)) | np.isnan(np.fmax(a, b))
    for f, chosen in [
        (np.maximum, a >= b),
        (np.minimum, b >= a),
        (np.fmax, first),
        (lambda u, v: np.where(some, u, v), np.broadcast_to(some != 0, a.shape)),
    ]:
        u, v = st.Variable(a), st.Variable(b)
        with st.GradientTape() as tape:
            y = f(u, v)
        by_u, by_v = tape.gradient(y, [u, v], output_gradients=seed)
        for found, expected in [(by_u, np.where(chosen, seed, 0)), (by_v, np.where(chosen, 0, seed))]:
            np.testing.assert_array_equal(found, expected)
            np.testing.assert_array_equal(np.signbit(found), np.signbit(expected))
            assert found.dtype == dtype


# Products


@pytest.mark.parametrize(("left", "right"), [((1, 5), (5, 4)), ((6, 5), (5, 1)), ((1, 5), (5, 1)), ((2, 3, 5), (5, 1))])
def test_outer_products_have_the_gradient_of_the_matrix_product(left, right):
    a, b = RNG.standard_normal(left).astype(F), RNG.standard_normal(right).astype(F)
    g = RNG.standard_normal((a @ b).shape).astype(F)
    found = gradients(lambda u, v: np.sum(u @ v * g), a, b)
    np.testing.assert_array_equal(found[0], g @ b.T)
    np.testing.assert_allclose(found[1], a.reshape(-1, 5).T @ g.reshape(-1, right[1]), rtol=1e-5, atol=1e-6)
    check_vjp(lambda u, v: u @ v, a.astype(float), b.astype(float), order=2)


# Cross entropy


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("shape", [(1, 3), (6, 4), (2, 3, 4)])
def test_sparse_cross_entropy_is_softmax_less_one_hot(shape, order):
    x = np.asarray(RNG.standard_normal(shape).astype(F), order=order)
    labels = RNG.integers(0, shape[-1], shape[:-1])
    weight = RNG.standard_normal(shape[:-1]).astype(F)
    v = st.constant(np.zeros((), F))
    with st.GradientTape(persistent=True) as tape:
        tape.watch(v)
        logits = np.transpose(np.transpose(x) + v) if order == "F" else x + v
        tape.watch(logits)
        loss = st.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    p, hot = softmax(x.astype(float)), np.eye(shape[-1])[labels]
    np.testing.assert_allclose(loss.value, -np.log((p * hot).sum(-1)), rtol=1e-5, atol=1e-6)
    for _ in range(2):  # what the loss keeps serves every time
        g = tape.gradient(loss, logits, output_gradients=weight)
        np.testing.assert_allclose(g, weight[..., None] * (p - hot), rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("kind", ["i1", "u1", "i4", "i8", "u8"])
def test_labels_of_any_integer_type_are_checked_and_taken_when_the_loss_is_computed(kind):
    x, labels = RNG.standard_normal((4, 3)).astype(F), np.array([0, 9, 2, 9, 1, 9, 2, 9], kind)[::2]
    v = st.Variable(x)
    with st.GradientTape() as tape:
        loss = st.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=v)
    before = labels.copy()
    labels[:] = 0
    np.testing.assert_allclose(tape.gradient(loss, v), softmax(x) - np.eye(3)[before], rtol=1e-5, atol=1e-6)
    for wrong in (3, 100, -1 if kind[0] == "i" else 255):
        labels[2] = wrong
        with pytest.raises(IndexError, match=rf"{wrong} at position \(2,\)"):
            st.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=v)


def test_softmax_of_rows_whose_maxima_add_up_to_infinity():
    x = np.array([[3e38, 0], [3e38, 3e38], [-np.inf, 1]], F)
    np.testing.assert_array_equal(st.nn.softmax(x), [[1, 0], [0.5, 0.5], [0, 1]])
    (g,) = gradients(lambda v: st.nn.sparse_softmax_cross_entropy_with_logits(labels=[1, 0, 1], logits=v), x)
    np.testing.assert_array_equal(g, [[1, -1], [-0.5, 0.5], [0, 0]])


# What a pass back visits, and whose the arrays are


def network(a, b, c, d):
    hidden = np.tanh(a * b + c)
    return np.sum(hidden * d + hidden + a)


@pytest.mark.parametrize("asked", range(1, 16))
def test_gradients_do_not_depend_on_what_else_is_asked_for(asked):
    variables = [st.Variable(RNG.standard_normal(4)) for _ in range(4)]
    wanted = [v for i, v in enumerate(variables) if asked >> i & 1]
    with st.GradientTape(persistent=True) as tape:
        loss = network(*variables)
    everything = dict(zip(variables, tape.gradient(loss, variables), strict=True))
    for v, g in zip(wanted, tape.gradient(loss, wanted), strict=True):
        np.testing.assert_array_equal(g, everything[v])


def test_a_value_of_a_tape_that_is_used_up_is_a_constant():
    v, w = st.Variable(np.ones(3)), st.Variable(np.ones(3))
    with st.GradientTape() as tape:
        square = v * v
        old = np.sum(square)
    tape.gradient(old, v)
    with st.GradientTape() as tape:
        loss = np.sum(square * v * w)
    by_v, by_w = tape.gradient(loss, [v, w])
    np.testing.assert_array_equal(by_v, np.ones(3))
    np.testing.assert_array_equal(by_w, np.ones(3))


def test_gradients_that_pass_through_unchanged_are_arrays_apart():
    a, b, c = (np.zeros(3, F) for _ in range(3))
    found = gradients(lambda u, v, w: u + v + w + u.reshape(3) + np.reshape(v, (3,)), a, b, c)
    assert not any(np.shares_memory(found[i], found[j]) for i in range(3) for j in range(i))
    np.testing.assert_array_equal(found, [[2] * 3, [2] * 3, [1] * 3])


def test_a_gradient_that_one_argument_keeps_and_another_adds_up_is_not_shared():
    u, v = st.Variable(np.zeros(3, F)), st.Variable(np.zeros(3, F))
    with st.GradientTape(persistent=True) as tape:
        t = u * 1
        s = t + v
        both = s + t
        loss = np.sum(both * 2 + v)
    found = tape.gradient(loss, [u, v, t, s, both])
    np.testing.assert_array_equal(found, [[4] * 3, [3] * 3, [4] * 3, [2] * 3, [2] * 3])
    np.testing.assert_array_equal(tape.gradient(loss, [u, v]), [[4] * 3, [3] * 3])
    assert not any(np.shares_memory(found[i], found[j]) for i in range(5) for j in range(i))


def test_an_output_gradient_is_left_alone():
    v, seed = st.Variable(np.zeros(3, F)), np.full(3, 2, F)
    with st.GradientTape(persistent=True) as tape:
        twice = v + 0
        sums = np.reshape(twice, (3,)) + twice
    found = tape.gradient([sums, twice], v, output_gradients=[seed, seed])
    np.testing.assert_array_equal(found, [6] * 3)
    np.testing.assert_array_equal(seed, [2] * 3)
    found += 1
    np.testing.assert_array_equal(tape.gradient(sums, v, output_gradients=seed), [4] * 3)


def test_nothing_is_asked_of_a_path_that_leads_to_no_source():
    @st.custom_gradient
    def silent(x):
        return x * 1, lambda g: pytest.fail("its gradient is not wanted")

    v, w = st.Variable(np.ones(3)), st.Variable(np.ones(3))
    with st.GradientTape() as tape:
        loss = np.sum(silent(w * 1) * v)
    np.testing.assert_array_equal(tape.gradient(loss, v), np.ones(3))


def test_the_gradient_of_a_value_between_stays_what_arrived_there():
    v = st.Variable(np.zeros(3))
    with st.GradientTape() as tape:
        before = v * 1
        aside = np.sin(before)
        between = np.reshape(before, (3,))
        loss = np.sum(between * 2 + aside)
    by_between, by_v = tape.gradient(loss, [between, v])
    np.testing.assert_array_equal(by_between, [2] * 3)
    np.testing.assert_array_equal(by_v, [3] * 3)


@pytest.mark.parametrize("order", [(0, 1), (1, 0), (0, 2), (2, 0), (0, 1, 2), (2, 1, 0), (1, 2, 1, 0)])
def test_rows_elements_and_a_dense_use_add_up_in_any_order(order):
    table, ids = np.arange(12, dtype=F).reshape(4, 3), np.array([1, 3, 1])

    def f(v):
        uses = [lambda: np.sum(v * v), lambda: np.sum(st.gather(v, ids)), lambda: v[0, 2] * 5]
        return sum(uses[i]() for i in order)

    (g,) = gradients(f, table)
    expected = 2 * table
    np.add.at(expected, ids, order.count(1))
    expected[0, 2] += 5 * order.count(2)
    np.testing.assert_array_equal(g, expected)
