"""An optimizer of one's own with a rule for dense gradients and another for looked-up rows, and two slots."""

import numpy as np

import steepest.v1 as tf


class PowerSign(tf.train.Optimizer):
    """Steps are longer where the gradient keeps its sign; of tables only the rows in the batch move."""

    def __init__(self, learning_rate=0.01, decay=0.9, use_locking=False, name="PowerSign"):
        super().__init__(use_locking, name)
        self._lr, self._decay = learning_rate, decay
        self._lr_t = None
        self._decay_t = None

    def _prepare(self):
        self._lr_t = tf.convert_to_tensor(self._lr, name="learning_rate")
        self._decay_t = tf.convert_to_tensor(self._decay, name="decay")

    def _create_slots(self, var_list):
        for v in var_list:
            self._zeros_slot(v, "m", self._name)
            self._get_or_make_slot(v, tf.ones_like(v.initialized_value()), "scale", self._name)

    def _apply_dense(self, grad, var):
        lr_t, decay_t = tf.cast(self._lr_t, var.dtype.base_dtype), tf.cast(self._decay_t, var.dtype.base_dtype)
        m, scale = self.get_slot(var, "m"), self.get_slot(var, "scale")
        m_t = tf.assign(m, decay_t * m + (1 - decay_t) * grad)
        scale_t = tf.assign(scale, tf.maximum(0.9 * scale, tf.abs(grad)))
        step = lr_t * grad * tf.exp(tf.sign(grad) * tf.sign(m_t)) / (scale_t + 1e-3)
        return tf.group(tf.assign_sub(var, step), m_t, scale_t)

    def _apply_sparse(self, grad, var):
        lr_t = tf.cast(self._lr_t, var.dtype.base_dtype)
        m = self.get_slot(var, "m")
        m_t = tf.scatter_update(m, grad.indices, 0.5 * tf.gather(m, grad.indices) + 0.5 * tf.abs(grad.values))
        with tf.control_dependencies([m_t]):
            scale = tf.gather(m, grad.indices)
        update = tf.scatter_sub(var, grad.indices, lr_t * grad.values / (tf.sqrt(scale) + 1e-2))
        return tf.group(update, m_t)


def run():
    rng = np.random.RandomState(8)
    tf.reset_default_graph()
    table = tf.Variable(rng.randn(6, 2).astype("f"), name="table")
    w = tf.Variable(rng.randn(2, 1).astype("f"), name="w")
    ids, y = tf.placeholder(tf.int64, [None]), tf.placeholder(tf.float32, [None, 1])
    loss = tf.reduce_mean(tf.square(tf.matmul(tf.nn.embedding_lookup(table, ids), w) - y))
    optimizer = PowerSign(0.05)
    pairs = optimizer.compute_gradients(loss)
    step = tf.Variable(0, trainable=False, name="step")
    train = optimizer.apply_gradients(pairs, global_step=step)
    kinds = [isinstance(gradient, tf.IndexedSlices) for gradient, _ in pairs]
    feed = {ids: [0, 3, 3, 5], y: [[1.0], [0.0], [0.5], [-1.0]]}
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        losses = [sess.run([train, loss], feed)[1] for _ in range(25)]
        slots = {name: sess.run(optimizer.get_slot(table, name)) for name in optimizer.get_slot_names()}
        answers = {"losses": np.array(losses), "table": sess.run(table), "w": sess.run(w), "step": sess.run(step)}
    return {**answers, **slots, "sparse": kinds, "variables": [v.name for v in tf.global_variables()]}


if __name__ == "__main__":
    answers = run()
    print(f"loss {answers['losses'][0]:.4f} at first, {answers['losses'][-1]:.4f} at last")
    print("variables:", ", ".join(answers["variables"]))
