"""A new optimizer that inherits from ``tf.train.Optimizer``: ``v <- v - eta * g + p`` without rewriting gradients."""

import numpy as np

import steepest.v1 as tf


class DriftingDescentOptimizer(tf.train.Optimizer):
    """Gradient descent that adds ``drift`` at every update; where a gradient is sparse, to its rows only."""

    def __init__(self, learning_rate, drift, use_locking=False, name="DriftingDescent"):
        super().__init__(use_locking, name)
        self._learning_rate, self._drift = learning_rate, drift

    def _prepare(self):
        self._learning_rate_t = tf.convert_to_tensor(self._learning_rate, name="learning_rate")
        self._drift_t = tf.convert_to_tensor(self._drift, name="drift")

    def _step(self, grad, var):
        eta = tf.cast(self._learning_rate_t, var.dtype.base_dtype)
        return tf.cast(self._drift_t, var.dtype.base_dtype) - eta * grad

    def _apply_dense(self, grad, var):
        return tf.group(tf.assign_add(var, self._step(grad, var)))

    def _apply_sparse(self, grad, var):
        return tf.group(tf.scatter_add(var, grad.indices, self._step(grad.values, var)))


def run():
    with tf.Graph().as_default():
        weights = tf.Variable(np.array([3.0, -2.0], np.float32), name="weights")
        table = tf.Variable(np.arange(8.0).reshape(4, 2), name="table")  # float64
        ids = tf.constant([2, 0, 2])
        rows = tf.nn.embedding_lookup(table, ids)
        loss = tf.reduce_sum(tf.square(weights)) + tf.cast(tf.reduce_sum(tf.square(rows)), tf.float32)

        step = tf.train.get_or_create_global_step()
        opt = DriftingDescentOptimizer(0.1, drift=0.02)
        train_op = opt.minimize(loss, global_step=step)

        losses = []
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            for _ in range(6):
                losses.append(loss.eval())  # in a run of its own: before the update, for certain
                sess.run(train_op)
            return {
                "losses": np.array(losses),
                "weights": weights.eval(),
                "table": table.eval(),
                "steps": step.eval(),
                "slots": opt.get_slot_names(),
            }


if __name__ == "__main__":
    for name, value in run().items():
        print(f"{name}: {value}")
