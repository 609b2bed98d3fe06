"""Update rules written with nodes, as subclasses of ``tf.train.Optimizer``."""

from __future__ import annotations

import numpy as np

import steepest.v1 as tf


def run(target: object, times: int = 1) -> tf.Session:
    session = tf.Session()
    session.run(tf.global_variables_initializer())
    for _ in range(times):
        session.run(target)
    return session


class Plain(tf.train.Optimizer):
    """Momentum written with nodes, as for TensorFlow 1."""

    def __init__(self, rate, name="Plain", sparse=True):
        super().__init__(False, name)
        self._rate_given, self._has_sparse = rate, sparse

    def _prepare(self):
        self._rate_node = tf.convert_to_tensor(self._rate_given, name="rate")

    def _create_slots(self, var_list):
        for v in var_list:
            self._zeros_slot(v, "m", self._name)

    def _apply_dense(self, grad, var):
        m = self.get_slot(var, "m")
        m_t = tf.assign(m, 0.5 * m + grad)
        with tf.control_dependencies([m_t]):
            return tf.group(tf.assign_sub(var, self._rate_node * m), m_t)


class WithFinish(Plain):
    def _create_slots(self, var_list):
        super()._create_slots(var_list)
        self._create_non_slot_variable(0.0, "count", var_list[0])

    def _apply_sparse(self, grad, var):
        return tf.scatter_sub(var, grad.indices, self._rate_node * grad.values)

    def _finish(self, update_ops, name_scope):
        count = self._get_non_slot_variable("count", tf.get_default_graph())
        with tf.control_dependencies(update_ops):
            return tf.group(*update_ops, count.assign_add(1.0), name=name_scope)


def test_a_subclass_that_only_defines_apply_dense_has_sparse_too():
    w, table = tf.Variable([1.0, 2.0], name="w"), tf.Variable(np.ones((4, 2), np.float32), name="table")
    loss = tf.reduce_sum(w * w) + tf.reduce_sum(tf.gather(table, [1, 1, 3]))
    optimizer = Plain(0.1)
    train = optimizer.minimize(loss)
    session = run(train, 2)
    # Rows 1 (twice in the batch) and 3: m = g, then m = g / 2 + g.
    np.testing.assert_allclose(session.run(table)[:, 0], [1, 1 - 0.1 * (2 + 3), 1, 1 - 0.1 * (1 + 1.5)], rtol=1e-6)
    np.testing.assert_allclose(session.run(optimizer.get_slot(table, "m"))[:, 0], [0, 3, 0, 1.5])
    np.testing.assert_allclose(session.run(optimizer.get_slot(w, "m")), [2.6, 5.2], rtol=1e-6)
    assert optimizer.get_slot(table, "m").name == "table/Plain:0"


def test_a_subclass_may_define_sparse_updates_and_a_finish():
    table = tf.Variable(np.ones((4, 2), np.float32))
    optimizer = WithFinish(0.25)
    train = optimizer.minimize(
        tf.reduce_sum(tf.gather(table, [2, 2])), global_step=tf.train.get_or_create_global_step()
    )
    session = run(train, 3)
    np.testing.assert_array_equal(session.run(table)[:, 0], [1, 1, 1 - 0.25 * 2 * 3, 1])
    assert session.run("count:0") == 3
    assert session.run("global_step:0") == 3


def test_a_native_optimizer_may_be_wrapped():
    class Halved(tf.train.AdamOptimizer):
        def _apply_dense(self, grad, var):
            return super()._apply_dense(grad * 0.5, var)

    w, v = tf.Variable([1.0, -2.0]), tf.Variable([1.0, -2.0])
    session = run(
        [Halved(0.1).minimize(tf.reduce_sum(w**3)), tf.train.AdamOptimizer(0.1).minimize(tf.reduce_sum(v**3) / 2)], 3
    )
    np.testing.assert_array_equal(*session.run([w, v]))
