"""A restricted Boltzmann machine by contrastive divergence: the updates are assignments, no optimizer takes part."""

import numpy as np

import steepest.v1 as tf

VISIBLE, HIDDEN = 6, 4


def run():
    rng = np.random.RandomState(3)
    tf.reset_default_graph()
    x = tf.placeholder(tf.float32, [None, VISIBLE], name="x")
    noise_h = tf.placeholder(tf.float32, [None, HIDDEN])
    noise_v = tf.placeholder(tf.float32, [None, VISIBLE])
    rate = tf.placeholder_with_default(0.2, [])
    w = tf.Variable((rng.randn(VISIBLE, HIDDEN) * 0.1).astype("f"), name="w")
    bh = tf.Variable(tf.zeros([1, HIDDEN], tf.float32), name="bh")
    bv = tf.Variable(tf.zeros([1, VISIBLE], tf.float32), name="bv")

    def hidden(v):
        return tf.sigmoid(tf.matmul(v, w) + bh)

    def visible(h):
        return tf.sigmoid(tf.matmul(h, tf.transpose(w)) + bv)

    def free_energy(v):
        inner = tf.reduce_sum(tf.log(1 + tf.exp(tf.matmul(v, w) + bh)), 1)
        return -inner - tf.matmul(v, tf.transpose(bv))[:, 0]

    h0 = tf.floor(hidden(x) + noise_h)
    v1 = tf.stop_gradient(tf.floor(visible(h0) + noise_v))
    h1 = hidden(v1)
    size = tf.cast(tf.shape(x)[0], tf.float32)
    # All three are computed from the old values before any of them is assigned.
    dw = tf.identity(rate / size * (tf.matmul(tf.transpose(x), h0) - tf.matmul(tf.transpose(v1), h1)))
    dv = tf.identity(rate * tf.reduce_mean(x - v1, 0, True))
    dh = tf.identity(rate * tf.reduce_mean(h0 - h1, 0, keep_dims=True))
    with tf.control_dependencies([dw, dv, dh]):
        update = tf.group(w.assign_add(dw), bv.assign_add(dv), bh.assign_add(dh))
    error = tf.reduce_mean(tf.squared_difference(x, visible(hidden(x))))
    divergence = tf.reduce_mean(free_energy(x)) - tf.reduce_mean(free_energy(v1))
    slopes = dict(zip(["dw", "dbh", "dbv"], tf.gradients(divergence, [w, bh, bv]), strict=True))

    data = (rng.rand(40, 1) > 0.5) ^ (np.arange(VISIBLE) % 2 == 0) ^ (rng.rand(40, VISIBLE) > 0.95)
    errors = []
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for k in range(60):
            rows = data[k * 10 % 40 : k * 10 % 40 + 10]
            feed = {x: rows, noise_h: rng.rand(10, HIDDEN), noise_v: rng.rand(10, VISIBLE)}
            errors.append(sess.run(error, feed))
            sess.run(update, feed)
        sess.run(update, {**feed, rate: 0.05})
        final, found = sess.run([w, slopes], feed)
        seen = visible(hidden(x)).eval({x: data[:3]})
    return {"errors": np.array(errors), "w": final, "seen": seen, **found}


if __name__ == "__main__":
    answers = run()
    print(f"reconstruction error {answers['errors'][0]:.3f} at first, {answers['errors'][-4:].mean():.3f} at last")
