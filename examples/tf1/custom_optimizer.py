"""AdaMax as a TensorFlow user writes it: slots, a power of beta as a variable of its own, dense and sparse updates.

Source: Kingma and Ba 2015, "Adam: a method for stochastic optimization", section 7.1.
"""

import numpy as np

import steepest.v1 as tf


class AdaMaxOptimizer(tf.train.Optimizer):
    """``m <- b1 m + (1 - b1) g``, ``u <- max(b2 u, |g|)``, ``v <- v - rate / (1 - b1^t) m / u``; tables by rows."""

    def __init__(self, learning_rate=0.002, beta1=0.9, beta2=0.999, use_locking=False, name="AdaMax"):
        super().__init__(use_locking, name)
        self._lr, self._beta1, self._beta2 = learning_rate, beta1, beta2

    def _create_slots(self, var_list):
        first_var = min(var_list, key=lambda v: v.name)
        self._create_non_slot_variable(initial_value=self._beta1, name="beta1_power", colocate_with=first_var)
        for v in var_list:
            self._zeros_slot(v, "m", self._name)
            self._get_or_make_slot(v, tf.fill(v.get_shape(), 1e-7), "u", self._name)

    def _beta1_power(self):
        return self._get_non_slot_variable("beta1_power", graph=tf.get_default_graph())

    def _prepare(self):
        self._lr_t = tf.convert_to_tensor(self._lr)
        self._beta1_t, self._beta2_t = tf.convert_to_tensor(self._beta1), tf.convert_to_tensor(self._beta2)

    def _apply_dense(self, grad, var):
        m, u = self.get_slot(var, "m"), self.get_slot(var, "u")
        m_t = tf.assign(m, self._beta1_t * m + (1.0 - self._beta1_t) * grad)
        u_t = tf.assign(u, tf.maximum(self._beta2_t * u, tf.abs(grad)))
        var_update = tf.assign_sub(var, self._lr_t / (1.0 - self._beta1_power()) * m_t / u_t)
        return tf.group(var_update, m_t, u_t)

    def _apply_sparse(self, grad, var):
        m, u, rows = self.get_slot(var, "m"), self.get_slot(var, "u"), grad.indices
        m_rows = self._beta1_t * tf.gather(m, rows) + (1.0 - self._beta1_t) * grad.values
        u_rows = tf.maximum(self._beta2_t * tf.gather(u, rows), tf.abs(grad.values))
        m_t = tf.scatter_update(m, rows, m_rows)
        u_t = tf.scatter_update(u, rows, u_rows)
        var_update = tf.scatter_sub(var, rows, self._lr_t / (1.0 - self._beta1_power()) * m_rows / u_rows)
        return tf.group(var_update, m_t, u_t)

    def _finish(self, update_ops, name_scope):
        with tf.control_dependencies(update_ops):
            update_beta1 = self._beta1_power().assign(self._beta1_power() * self._beta1_t)
        return tf.group(*update_ops, update_beta1, name=name_scope)


def run():
    rng = np.random.RandomState(15)
    with tf.Graph().as_default():
        ids, y = tf.placeholder(tf.int32, [None, 2]), tf.placeholder(tf.float32, [None])
        table = tf.get_variable("table", initializer=rng.randn(9, 3).astype(np.float32) * 0.3)
        w = tf.get_variable("w", initializer=rng.randn(6, 1).astype(np.float32) * 0.3)
        both = tf.reshape(tf.gather(table, ids), [-1, 6])
        pred = tf.squeeze(tf.matmul(tf.nn.elu(both), w), [1])
        loss = tf.losses.mean_squared_error(labels=y, predictions=pred)
        opt = AdaMaxOptimizer(learning_rate=0.03)
        train_op = opt.minimize(loss)

        losses, names = [], sorted(v.name for v in opt.variables())
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            for batch in rng.randint(0, 8, (80, 16, 2)):
                losses.append(sess.run([train_op, loss], {ids: batch, y: np.cos(batch[:, 0]) - np.sin(batch[:, 1])})[1])
            m, u, power = sess.run([opt.get_slot(table, "m"), opt.get_slot(w, "u"), opt._beta1_power()])
    return {"losses": np.array(losses), "m": m, "u": u.ravel(), "beta1 power": power, "variables": names}


if __name__ == "__main__":
    answers = run()
    print(f"loss {answers['losses'][0]:.3f} -> {answers['losses'][-1]:.3f}, variables {answers['variables']}")
