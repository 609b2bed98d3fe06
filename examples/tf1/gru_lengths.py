"""A gated recurrent unit, unrolled in Python over sequences of several lengths: at its end a sequence stands still."""

import numpy as np

import steepest.v1 as tf

STEPS, INPUTS, UNITS = 7, 3, 5


class GRUCell:
    def __init__(self, units, rng):
        self.units, self.rng = units, rng

    def linear(self, x, n_out, bias):
        shape = [x.shape[-1].value, n_out]
        start = tf.constant_initializer(self.rng.uniform(-0.5, 0.5, shape))
        kernel = tf.get_variable("kernel", shape, initializer=start)
        return tf.matmul(x, kernel) + tf.get_variable("bias", [n_out], initializer=tf.constant_initializer(bias))

    def __call__(self, inputs, state, scope="gru_cell"):
        with tf.variable_scope(scope, reuse=tf.AUTO_REUSE):
            with tf.variable_scope("gates"):
                value = tf.sigmoid(self.linear(tf.concat([inputs, state], 1), 2 * self.units, 1.0))
                r, u = tf.split(value=value, num_or_size_splits=2, axis=1)
            with tf.variable_scope("candidate"):
                c = tf.tanh(self.linear(tf.concat([inputs, r * state], 1), self.units, 0.0))
            return u * state + (1 - u) * c


def run():
    rng = np.random.RandomState(5)
    tf.reset_default_graph()
    x = tf.placeholder(tf.float32, [None, STEPS, INPUTS])
    lengths = tf.placeholder(tf.int32, [None])
    y = tf.placeholder(tf.float32, [None, 1])

    cell = GRUCell(UNITS, rng)
    batch = tf.shape(x)[0]
    state = tf.zeros(tf.stack([batch, UNITS]))
    outputs = []
    for t, part in enumerate(tf.unstack(x, axis=1)):
        state = tf.where(tf.less(t, lengths), cell(part, state), state)
        outputs.append(state)
    outputs = tf.stack(outputs, axis=1)
    last = tf.gather_nd(outputs, tf.stack([tf.range(batch), lengths - 1], axis=1))
    with tf.variable_scope("projection"):
        prediction = cell.linear(last, 1, 0.0)
    loss = tf.reduce_mean(tf.squared_difference(prediction, y))
    variables = tf.trainable_variables()
    gradients, norm = tf.clip_by_global_norm(tf.gradients(loss, variables), 0.5)
    train = tf.train.AdamOptimizer(0.02).apply_gradients(list(zip(gradients, variables, strict=True)))
    mask = tf.sequence_mask(lengths, STEPS, dtype=tf.float32)
    mean_state = tf.reduce_sum(outputs * tf.expand_dims(mask, -1), [0, 1]) / tf.reduce_sum(mask)

    data, sizes = rng.randn(12, STEPS, INPUTS), rng.randint(1, STEPS + 1, 12)
    target = np.array([[data[i, :n, 0].mean()] for i, n in enumerate(sizes)])
    feed = {x: data, lengths: sizes, y: target}
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        trace = [sess.run([loss, norm, train], feed)[:2] for _ in range(30)]
        states, average = sess.run([last, mean_state], feed)
    names = [v.name for v in variables]
    return {"losses and norms": np.array(trace), "states": states, "mean state": average, "variables": names}


if __name__ == "__main__":
    answers = run()
    first, final = answers["losses and norms"][[0, -1], 0]
    print(f"loss {first:.4f} at first, {final:.4f} at last\n{', '.join(answers['variables'])}")
