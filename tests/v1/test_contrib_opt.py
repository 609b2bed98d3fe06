"""``tf.contrib.opt``: its optimizers in a session, weight decays, and the optimizers that wrap another."""

from __future__ import annotations

import numpy as np
import pytest

import steepest as st
import steepest.v1 as tf

opt = tf.contrib.opt


def linear_decay(global_step):
    return 1.0 if global_step is None else 1.0 - tf.cast(global_step, tf.float32) / 8.0


def eager_decay(global_step):
    return 1.0 - np.float32(global_step.value) / np.float32(8)


MAKERS = {
    "ada_max": lambda: opt.AdaMaxOptimizer(0.1),
    "nadam": lambda: opt.NadamOptimizer(0.1),
    "amsgrad": lambda: tf.train.AdamOptimizer(0.1, amsgrad=True),
    "lars": lambda: st.LARSOptimizer(0.1, skip_list=["second"]),
    "lion": lambda: tf.train.LionOptimizer(0.1, weight_decay=0.1),
    "radam": lambda: tf.train.RAdamOptimizer(0.1, beta2=0.5),
    "adan": lambda: tf.train.AdanOptimizer(0.1),
    "lamb": lambda: tf.train.LAMBOptimizer(0.1, weight_decay=0.1),
    "adamw": lambda: opt.AdamWOptimizer(0.1, 0.1),
    "momentumw": lambda: opt.MomentumWOptimizer(0.1, 0.1, 0.9),
    "extended": lambda: opt.extend_with_decoupled_weight_decay(tf.train.AdagradOptimizer)(0.1, 0.1),
}


def run(target: object, times: int = 1) -> tf.Session:
    session = tf.Session()
    session.run(tf.global_variables_initializer())
    for _ in range(times):
        session.run(target)
    return session


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_a_graph_step_is_the_eager_step(make):
    rng = np.random.default_rng(0)
    start, table = rng.normal(size=(4, 3)).astype(np.float32), rng.normal(size=(6, 3)).astype(np.float32)
    ids = np.array([1, 4, 1])
    w, b, e = tf.Variable(start, name="first"), tf.Variable(start, name="second"), tf.Variable(table, name="table")
    loss = tf.reduce_sum(w**2) + tf.reduce_sum(b**3) + tf.reduce_sum(tf.gather(e, ids) ** 3)
    session = run(make().minimize(loss), times=4)
    v, c, f = (st.Variable(a, name=n) for a, n in ((start, "first"), (start, "second"), (table, "table")))
    eager = make()
    for _ in range(4):
        eager.minimize(lambda: np.sum(v**2) + np.sum(c**3) + np.sum(st.gather(f, ids) ** 3))
    for node, variable in ((w, v), (b, c), (e, f)):
        np.testing.assert_array_equal(session.run(node), variable.value)


@pytest.mark.parametrize("cls", [opt.AddSignOptimizer, opt.PowerSignOptimizer])
def test_signs_decay_with_the_step_of_the_session(cls):
    start = np.array([1.0, -2.0, 0.5], np.float32)
    w, step = tf.Variable(start), tf.train.get_or_create_global_step()
    session = run(cls(0.1, sign_decay_fn=linear_decay).minimize(tf.reduce_sum(w**2), step), times=5)
    v, eager_step, eager = (
        st.Variable(start),
        st.Variable(np.int64(0), trainable=False),
        cls(0.1, sign_decay_fn=eager_decay),
    )
    for _ in range(5):
        eager.minimize(lambda: np.sum(v**2), eager_step)
    np.testing.assert_array_equal(session.run(w), v.value)
    assert session.run(step) == 5
    plain = st.Variable(start)
    other = cls(0.1)
    for _ in range(5):
        other.minimize(lambda: np.sum(plain**2))
    assert (plain.value != v.value).all()


def test_contribs_decay_is_not_scaled_by_the_learning_rate_and_torchs_is():
    g, start = np.zeros(2), np.array([8.0, -8.0])
    w, v = start.copy(), start.copy()
    opt.AdamWOptimizer(0.25, learning_rate=0.5).apply_gradients([(g, w)])
    st.AdamW(0.5, weight_decay=0.25).apply_gradients([(g, v)])
    np.testing.assert_array_equal(w, [6, -6])
    np.testing.assert_array_equal(v, [7, -7])


@pytest.mark.parametrize("sparse", [False, True], ids=["dense", "sparse"])
def test_a_decay_comes_before_the_step_and_only_the_batchs_rows(sparse: bool):
    rng = np.random.default_rng(0)
    w = rng.normal(size=(6, 3))
    v, g = w.copy(), rng.normal(size=(2, 3)) if sparse else rng.normal(size=(6, 3))
    rows = [4, 1] if sparse else slice(None)
    a, b = opt.MomentumWOptimizer(lambda: 0.125, 0.1, 0.9), st.MomentumOptimizer(0.1, 0.9)
    for _ in range(3):
        gradient = st.IndexedSlices(g, [4, 1]) if sparse else g
        a.apply_gradients([(gradient, w)])
        v[rows] -= v[rows] * 0.125
        b.apply_gradients([(gradient, v)])
    np.testing.assert_array_equal(w, v)


def test_decay_var_list_chooses_what_decays():
    w, b = st.Variable(np.array([8.0])), st.Variable(np.array([8.0]))
    array = np.array([8.0])
    decayed = opt.MomentumWOptimizer(0.5, 1.0, 0.0)
    pairs = [(np.zeros(1), w), (np.zeros(1), b), (np.zeros(1), array)]
    seen = []
    for chosen in (None, [w], [w, array], None, [b], [], [b]):
        for variable in (w, b):
            variable.assign(np.array([8.0]))
        array[:] = 8
        decayed.apply_gradients(pairs, decay_var_list=chosen)
        seen.append([w.value.item(), b.value.item(), array.item()])
    assert seen == [[4, 4, 4], [4, 8, 8], [4, 8, 4], [4, 4, 4], [8, 4, 8], [4, 4, 4], [8, 4, 8]]
    loss = decayed.minimize(lambda: np.sum(w * 0.0 + b * 0.0), var_list=[w, b], decay_var_list=[w])
    assert float(loss) == 0
    assert (w.value.item(), b.value.item()) == (4, 4)  # b was 4 and stays


def test_decay_var_list_holds_in_a_session_and_cannot_change():
    w, b = tf.Variable(np.array([8.0])), tf.Variable(np.array([8.0]))
    decayed = opt.AdamWOptimizer(0.5, 0.0)
    loss = tf.reduce_sum(w + b)
    train = decayed.minimize(loss, decay_var_list=[w])
    session = run(train, times=2)
    assert session.run(w).item() == 2
    assert session.run(b).item() == 8
    with pytest.raises(ValueError, match="decay_var_list must be the same"):
        decayed.minimize(loss)


def test_decays_of_other_hooks_do_not_ask_the_list():
    w, b = st.Variable(np.array([8.0])), st.Variable(np.array([8.0]))
    hooks = [st.WeightDecay(0.5, decoupled=True)]
    decayed = opt.MomentumWOptimizer(0.5, 1.0, 0.0, hooks=hooks)
    decayed.apply_gradients([(np.zeros(1), w), (np.zeros(1), b)], decay_var_list=[w])
    assert (w.value.item(), b.value.item()) == (2, 4)


def test_bad_weight_decays_are_refused_before_anything_changes():
    w = np.ones(1)
    for bad, error in ((-1.0, ValueError), (np.nan, ValueError), ("x", TypeError)):
        with pytest.raises(error, match=r"must"):
            opt.AdamWOptimizer(bad)
    with pytest.raises(ValueError, match="weight_decay must be at least 0 and finite"):
        opt.AdamWOptimizer(lambda: -1.0).apply_gradients([(np.ones(1), w)])
    np.testing.assert_array_equal(w, 1)
    with pytest.raises(TypeError, match="base_optimizer must be a class derived from Optimizer"):
        opt.extend_with_decoupled_weight_decay(dict)


@pytest.mark.parametrize("called", [False, True])
def test_the_weight_decay_follows_a_schedule_of_the_graph(called):
    step = tf.train.get_or_create_global_step()
    rate = 0.25 * tf.train.piecewise_constant(step, [1], [1.0, 0.5])
    w, b = tf.Variable([8.0]), tf.Variable([8.0])
    decayed = opt.MomentumWOptimizer((lambda: rate) if called else rate, 1.0, 0.0)
    train = decayed.minimize(tf.reduce_sum(w * 0.0 + b), step, decay_var_list=[w])
    session = run(train, times=3)  # by 1/4 at steps 0 and 1, then by 1/8
    assert session.run([w, b]) == [8 * 0.75 * 0.75 * 0.875, 5]


def test_a_rule_in_python_decays_too():
    class Plain(st.Optimizer):
        def __init__(self, rate, name="Plain"):
            super().__init__(name=name)
            self._rate = rate

        def _apply_dense(self, grad, var):
            var.assign_sub(self._rate * grad)

    w, b = np.array([8.0]), np.array([8.0])
    extended = opt.extend_with_decoupled_weight_decay(Plain)(0.25, 1.0)
    extended.apply_gradients([(np.ones(1), w), (np.ones(1), b)], decay_var_list=[w])
    assert (w.item(), b.item()) == (5, 7)


class InPython(tf.train.Optimizer):
    def __init__(self, learning_rate, hooks=()):
        super().__init__(False, "InPython", hooks=hooks)
        self._learning_rate = learning_rate

    def _apply_dense(self, grad, var):
        return tf.assign_sub(var, grad * self._learning_rate)


@pytest.mark.parametrize("how", ["extended", "hooks"])
def test_a_rule_in_python_refuses_what_it_would_leave_out_in_a_graph(how: str):
    w = tf.Variable(np.array([8.0]), name="w")
    if how == "extended":
        optimizer = opt.extend_with_decoupled_weight_decay(InPython)(0.5, 0.25)
    else:
        optimizer = InPython(0.25, hooks=[st.ClipByValue(-1, 1)])
    with pytest.raises(
        NotImplementedError, match=r"hooks must be none where a rule in Python .* compute_gradients and"
    ):
        optimizer.minimize(tf.reduce_sum(w))


def minimised(interface, session, variable, **arguments):
    session.run(tf.global_variables_initializer())
    interface.minimize(session, **arguments)
    return session.run(variable)


def test_scipys_minimiser_moves_the_variables_to_the_minimum_and_calls_back():
    with tf.Graph().as_default(), tf.Session() as session:
        table, scale = tf.Variable([[3.0, 4.0], [5.0, 6.0]]), tf.Variable(2.0)
        target = tf.placeholder(tf.float32)
        loss = tf.reduce_sum((table - target) ** 2) + (scale - 1.0) ** 2
        losses, steps = [], []
        interface = opt.ScipyOptimizerInterface(loss, method="L-BFGS-B", options={"maxiter": 20})
        feeds, fetches = {target: 1.5}, [loss, scale]
        arguments = {"loss_callback": lambda loss, scale: losses.append(loss), "step_callback": steps.append}
        found = minimised(interface, session, table, feed_dict=feeds, fetches=fetches, **arguments)
        np.testing.assert_allclose(found, np.full((2, 2), 1.5), rtol=1e-5)
        assert session.run(scale) == pytest.approx(1.0, rel=1e-5)
        assert losses[0] == pytest.approx(1.5**2 + 2.5**2 + 3.5**2 + 4.5**2 + 1)
        assert losses[-1] < 1e-8
        assert all(step.shape == (5,) for step in steps)


@pytest.mark.parametrize("dtype", [tf.float32, tf.float64])
def test_scipys_minimiser_keeps_to_constraints_and_bounds(dtype):
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.Variable([7.0, 7.0], dtype=dtype)
        half = tf.constant(0.5, dtype)
        constraints = {"equalities": [x[0] - half], "inequalities": [x[1] - 1.0]}
        interface = opt.ScipyOptimizerInterface(tf.reduce_sum(x * x), **constraints, method="SLSQP")
        np.testing.assert_allclose(minimised(interface, session, x), [0.5, 1.0], rtol=1e-6)
        y, z = tf.Variable([[3.0, 4.0]]), tf.Variable(1.0)
        bounds = {y: (2.0, [np.inf, 5.0])}
        bounded = opt.ScipyOptimizerInterface(tf.reduce_sum(y * y) - y[0, 1] * 20 + z, [y], var_to_bounds=bounds)
        np.testing.assert_allclose(minimised(bounded, session, y), [[2.0, 5.0]])
        assert session.run(z) == 1.0


def test_an_external_optimizer_of_the_programs_own_sees_one_vector():
    class Halving(opt.ExternalOptimizerInterface):
        def _minimize(self, initial_val, loss_grad_func, step_callback, optimizer_kwargs, **rest):
            step_callback(initial_val)  # it can be called without one, too
            loss, gradient = loss_grad_func(initial_val)
            assert loss == 14.0
            return initial_val - optimizer_kwargs["rate"] * gradient

    with tf.Graph().as_default(), tf.Session() as session:
        a, b = tf.Variable([1.0, 2.0]), tf.Variable(3.0)
        interface = Halving(tf.reduce_sum(a * a) + b * b, rate=0.25)
        np.testing.assert_array_equal(minimised(interface, session, a), [0.5, 1.0])
        assert session.run(b) == 1.5


def test_an_argument_that_is_set_for_scipy_is_refused():
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.Variable(1.0)
        with pytest.raises(ValueError, match="'jac' is set automatically"):
            minimised(opt.ScipyOptimizerInterface(x * x, jac=False), session, x)
        with pytest.raises(ValueError, match="there must be a variable"):
            opt.ScipyOptimizerInterface(x * x, [])
        with pytest.raises(NotImplementedError, match="subclass"):
            minimised(opt.ExternalOptimizerInterface(x * x), session, x)


def test_ada_max_keeps_the_power_of_one_beta():
    w, table = tf.Variable([1.0, 2.0], name="w"), tf.Variable([[1.0], [2.0]], name="a_table")
    optimizer = opt.AdaMaxOptimizer(0.1, 0.5, 0.75)
    train = optimizer.minimize(tf.reduce_sum(w**2) + tf.reduce_sum(tf.gather(table, [1]) ** 2))
    names = ["beta1_power:0", "a_table/AdaMax:0", "a_table/AdaMax_1:0", "w/AdaMax:0", "w/AdaMax_1:0"]
    assert sorted(each.name for each in optimizer.variables()) == sorted(names)
    assert {each.name for each in tf.global_variables()} == {*names, "w:0", "a_table:0"}
    session = run(train, times=3)
    assert session.run(optimizer._get_beta_accumulators()) == 0.5**4
    eager = opt.AdaMaxOptimizer(0.1, 0.5, 0.75)
    array = np.float32([1, 2])
    for _ in range(3):
        eager.apply_gradients([(2 * array, array)])
    np.testing.assert_array_equal(session.run(w), array)
    assert eager._get_beta_accumulators().value == 0.5**4
    assert next(each.name for each in eager.variables()) == "beta1_power"
