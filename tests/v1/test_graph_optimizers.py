"""Optimizers in graph mode: names, slots, the step, subclasses; and the values of eager mode."""

from __future__ import annotations

import threading

import numpy as np
import pytest

import steepest as st
import steepest.v1 as tf

MAKERS = {
    "sgd": lambda: tf.train.GradientDescentOptimizer(0.1),
    "momentum": lambda: tf.train.MomentumOptimizer(0.1, 0.9),
    "nesterov": lambda: tf.train.MomentumOptimizer(0.1, 0.9, use_nesterov=True),
    "adagrad": lambda: tf.train.AdagradOptimizer(0.1),
    "adagrad_decay": lambda: tf.train.AdagradDecayOptimizer(0.1, accumulator_decay_step=2),
    "adam": lambda: tf.train.AdamOptimizer(0.1),
    "lazy_adam": lambda: tf.contrib.opt.LazyAdamOptimizer(0.1),
}
every = pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)


def run(target: object, times: int = 1) -> tf.Session:
    session = tf.Session()
    session.run(tf.global_variables_initializer())
    for _ in range(times):
        session.run(target)
    return session


def test_classes_are_the_ones_at_top_level():
    assert tf.train.AdamOptimizer is st.AdamOptimizer
    assert tf.train.Optimizer is st.Optimizer
    assert tf.GraphKeys is st.GraphKeys


@every
def test_a_graph_step_is_the_eager_step(make):
    rng = np.random.default_rng(0)
    start, table = rng.normal(size=(4, 3)).astype(np.float32), rng.normal(size=(6, 3)).astype(np.float32)
    ids = np.array([1, 4, 1])
    w, e = tf.Variable(start), tf.Variable(table)
    session = run(make().minimize(tf.reduce_sum(w**2) + tf.reduce_sum(tf.gather(e, ids) ** 3)), times=4)
    v, f = st.Variable(start), st.Variable(table)
    optimizer = make()
    for _ in range(4):
        optimizer.minimize(lambda: np.sum(v**2) + np.sum(st.gather(f, ids) ** 3))
    np.testing.assert_array_equal(session.run(w), v.value)
    np.testing.assert_array_equal(session.run(e), f.value)


def test_slots_have_tensorflows_names_and_places():
    with tf.variable_scope("OptimizeLoss"):
        with tf.variable_scope("scope"):
            w = tf.get_variable("w", [2])
        first, momentum, second = (
            tf.train.AdamOptimizer(),
            tf.train.MomentumOptimizer(0.1, 0.9),
            tf.train.AdamOptimizer(),
        )
        for optimizer in (first, momentum, second):
            optimizer.minimize(tf.reduce_sum(w * w))
    slots = "OptimizeLoss/OptimizeLoss/scope/w"
    assert first.get_slot(w, "m").name == f"{slots}/Adam:0"
    assert first.get_slot(w, "v").name == f"{slots}/Adam_1:0"
    assert momentum.get_slot(w, "momentum").name == f"{slots}/Momentum:0"
    assert second.get_slot(w, "m").name == f"{slots}/Adam_2:0"
    assert second.get_slot(w, "v").name == f"{slots}/Adam_3:0"
    assert [v.name for v in second.variables()] == [
        "OptimizeLoss/OptimizeLoss/scope/w/Adam_2:0",
        "OptimizeLoss/OptimizeLoss/scope/w/Adam_3:0",
        "OptimizeLoss/beta1_power_1:0",
        "OptimizeLoss/beta2_power_1:0",
    ]
    graph = tf.get_default_graph()
    assert first._slots["m"] == {(graph, "OptimizeLoss/scope/w"): first.get_slot(w, "m")}
    assert first.get_slot_names() == ["m", "v"]
    assert all(slot in tf.global_variables() and slot not in tf.trainable_variables() for slot in first.variables())


def test_adagrad_decays_slots_are_named_as_in_deeprec():
    with tf.variable_scope("OptimizeLoss"):
        pass
    w = tf.get_variable("scope_emb/word_embedding/weights", [1000, 10])
    step = tf.train.get_or_create_global_step()
    optimizer = tf.train.AdagradDecayOptimizer(0.1, step)
    with tf.variable_scope("OptimizeLoss"):
        train = optimizer.minimize(tf.reduce_sum(tf.nn.embedding_lookup(w, [1, 2])), step)
    names = {name: slot.name for name in optimizer.get_slot_names() for slot in optimizer._slots[name].values()}
    assert names == {
        "accumulator": "OptimizeLoss/scope_emb/word_embedding/weights/AdagradDecay:0",
        "accumulator_decay_power": "OptimizeLoss/scope_emb/word_embedding/weights/AdagradDecay_1:0",
    }
    session = run(train, 3)
    assert session.run(step) == 3
    assert session.run(optimizer.get_slot(w, "accumulator_decay_power")).dtype == np.int64


def test_the_operation_is_named_collected_and_counts_last():
    w, step = tf.Variable(1.0), tf.train.get_or_create_global_step()
    rate = 0.125 * tf.cast(step + 1, tf.float32)  # reads the step of before
    train = tf.train.GradientDescentOptimizer(rate).minimize(w * 1.0, global_step=step)
    again = tf.train.GradientDescentOptimizer(0.1).minimize(w * 1.0, name="mine")
    third = tf.train.GradientDescentOptimizer(0.1).minimize(w * 1.0)
    assert [op.name for op in (train, again, third)] == ["GradientDescent", "mine", "GradientDescent_1"]
    assert tf.get_collection(tf.GraphKeys.TRAIN_OP) == [train, again, third]
    assert run(train, 3).run([w, step]) == [1.0 - 0.125 * (1 + 2 + 3), 3]


def test_variables_without_gradient_get_no_slots():
    a, b = tf.Variable(1.0), tf.Variable(1.0)
    optimizer = tf.train.AdamOptimizer()
    pairs = optimizer.compute_gradients(a * a, [a, b])
    assert [g is None for g, _ in pairs] == [False, True]
    optimizer.apply_gradients(pairs)
    assert optimizer.get_slot(b, "m") is None
    assert optimizer.get_slot(a, "m") is not None


def test_two_applies_share_slots_and_powers():
    a, b = tf.Variable(1.0), tf.Variable(1.0)
    optimizer = tf.train.AdamOptimizer(0.1)
    trains = [optimizer.minimize(v * v, var_list=[v]) for v in (a, b)]
    assert len([v for v in tf.global_variables() if "beta" in v.name]) == 2
    session = run(trains, 2)
    assert session.run(optimizer._get_beta_accumulators()[0]) == pytest.approx(0.9**5)


def test_hyper_parameters_are_nodes_callables_and_placeholders():
    w, rate = tf.Variable(1.0), tf.placeholder(tf.float32, [])
    train = tf.train.GradientDescentOptimizer(rate).minimize(w * 1.0)
    called = tf.train.MomentumOptimizer(lambda: rate * 2.0, momentum=tf.Variable(0.5)).minimize(w * 1.0)
    session = tf.Session()
    session.run(tf.global_variables_initializer())
    session.run(train, {rate: 0.25})
    assert session.run(w) == 0.75
    session.run(called, {rate: 0.125})
    assert session.run(w) == 0.5


def test_callable_losses_work_in_graph_mode():
    w, v = tf.Variable(3.0), tf.Variable(1.0)
    optimizer = tf.train.GradientDescentOptimizer(0.1)
    pairs = optimizer.compute_gradients(lambda: w * w)
    assert [variable for _, variable in pairs] == [w]
    train = optimizer.minimize(lambda: w * v, var_list=[w])
    assert run(train).run(w) == pytest.approx(2.9)


def test_gradients_are_slices_for_lookups_and_dense_otherwise():
    table = tf.Variable(np.ones((5, 2), np.float32))
    sparse = tf.nn.embedding_lookup(table, [[1, 3], [3, 0]])
    optimizer = tf.train.GradientDescentOptimizer(1.0)
    ((g, _),) = optimizer.compute_gradients(sparse)
    assert isinstance(g, tf.IndexedSlices)
    ((both, _),) = optimizer.compute_gradients(tf.reduce_sum(sparse) + tf.reduce_sum(table))
    assert isinstance(both, tf.Tensor)
    session = run(tf.no_op())
    got = session.run(g)
    np.testing.assert_array_equal(got.indices, [1, 3, 3, 0])
    np.testing.assert_array_equal(got.dense_shape, [5, 2])
    np.testing.assert_array_equal(session.run(both)[:, 0], [2, 2, 1, 3, 1])


def test_slices_have_the_type_of_the_indices():
    table = tf.Variable(np.ones((5, 2), np.float32))
    short, long = (tf.gather(table, tf.placeholder(kind, [None])) for kind in (tf.int32, tf.int64))
    found = [tf.gradients(rows, table)[0].indices.dtype for rows in (short, long)]
    assert found == [tf.int32, tf.int64]


def test_hooks_are_part_of_the_update():
    w = tf.Variable([3.0, 4.0])
    optimizer = tf.train.GradientDescentOptimizer(1.0, hooks=[st.ClipByGlobalNorm(1.0)])
    np.testing.assert_allclose(run(optimizer.minimize(tf.reduce_sum(w * w) / 2)).run(w), [2.4, 3.2], rtol=1e-6)


def test_constraints_are_applied_after_the_update():
    w = tf.Variable([1.0, -1.0], constraint=lambda v: tf.clip_by_value(v, 0.0, 1.0))
    assert run(tf.train.AdamOptimizer(0.5).minimize(tf.reduce_sum(w))).run(w).tolist() == pytest.approx([0.5, 0.0])
    table = tf.Variable(np.ones((2, 2), np.float32), constraint=lambda v: v)
    with pytest.raises(RuntimeError, match="sparse variable"):
        tf.train.AdamOptimizer().minimize(tf.reduce_sum(tf.gather(table, [0])))


def test_an_update_that_fails_changes_nothing():
    w, table, ids = tf.Variable([1.0]), tf.Variable(np.ones((3, 2), np.float32)), tf.placeholder(tf.int32, [None])
    optimizer, step = tf.train.AdamOptimizer(0.1), tf.train.get_or_create_global_step()
    slices = tf.IndexedSlices(tf.ones([1, 2]), ids)
    train = optimizer.apply_gradients([(tf.constant([1.0]), w), (slices, table)], step)
    session = run(tf.no_op())
    session.run(train, {ids: [1]})
    before = session.run(tf.global_variables())
    with pytest.raises(tf.errors.InvalidArgumentError, match="node Adam/update"):
        session.run(train, {ids: [3]})
    for now, then in zip(session.run(tf.global_variables()), before, strict=True):
        np.testing.assert_array_equal(now, then)


def test_two_sessions_have_slots_of_their_own():
    w = tf.Variable(1.0)
    train = tf.train.MomentumOptimizer(0.1, 0.9).minimize(w * w)
    first, second = run(train, 3), run(train, 1)
    assert first.run(w) < second.run(w)
    second.run([train, train])
    second.run(train)
    assert first.run(w) == second.run(w)


def test_types_are_those_that_references_hold():
    """An optimizer of a program's own asks with variables and with its loss."""
    optimizer = tf.train.GradientDescentOptimizer(0.1)
    with tf.Graph().as_default():
        optimizer._assert_valid_dtypes(
            [tf.Variable(1.0), tf.get_variable("r", [2], use_resource=True), tf.constant(1.0)]
        )
        with pytest.raises(ValueError, match="'whole:0' must have one of the types"):
            optimizer._assert_valid_dtypes([tf.Variable(1, name="whole")])


def test_optimize_loss_of_contrib():
    with tf.variable_scope("scope_emb"):
        w = tf.get_variable("w", initializer=[3.0, 4.0])
    step = tf.train.get_or_create_global_step()
    loss = tf.contrib.layers.optimize_loss(tf.reduce_sum(w * w) / 2, step, 0.1, "Adagrad", clip_gradients=1.0)
    session = run(tf.no_op())
    assert session.run(loss) == 12.5
    assert session.run(step) == 1
    assert "OptimizeLoss/scope_emb/w/Adagrad:0" in [v.name for v in tf.global_variables()]


def test_threads_may_train_in_one_session():
    w, step = tf.Variable(np.zeros(100, np.float32)), tf.train.get_or_create_global_step()
    rate = tf.placeholder(tf.float32, [])
    train = tf.train.MomentumOptimizer(rate, 0.0).minimize(tf.reduce_sum(w), step)
    session = run(tf.no_op())

    def work() -> None:
        for _ in range(50):
            session.run(train, {rate: 0.5})

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    np.testing.assert_array_equal(session.run(w), np.full(100, -100.0))


def test_threads_may_assign_while_others_train():
    w, counter = tf.Variable(np.ones(1000, np.float32)), tf.Variable(0)
    train = tf.train.GradientDescentOptimizer(0.0).minimize(tf.reduce_sum(tf.tanh(w * w) * w))
    write, count = tf.assign(w, w * 1.0), tf.assign_add(counter, 1)
    session, failures = run(tf.no_op()), []

    def work(target) -> None:
        try:
            for _ in range(60):
                session.run(target)
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=([target, count],)) for target in (train, write, train, write)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert session.run(counter) == 240
