"""Gradients of several small batches, summed in variables and applied at once: a large batch in little memory."""

import numpy as np

import steepest.v1 as tf

PARTS = 4


def build(rng):
    x, y = tf.placeholder(tf.float32, [None, 3], "x"), tf.placeholder(tf.float32, [None], "y")
    w = tf.get_variable("w", initializer=rng.randn(3, 1).astype(np.float32))
    b = tf.get_variable("b", shape=[], initializer=tf.zeros_initializer())
    loss = tf.reduce_mean(tf.square(tf.squeeze(tf.matmul(x, w), axis=-1) + b - y), name="loss")
    return x, y, loss


def data():
    rng = np.random.RandomState(22)
    x = rng.randn(64, 3).astype(np.float32)
    return x, (x.dot([1.0, 2.0, -1.0]) + 0.3).astype(np.float32)


def in_parts():
    features, targets = data()
    with tf.Graph().as_default():
        x, y, loss = build(np.random.RandomState(23))
        opt = tf.train.AdamOptimizer(0.1)
        tvs = tf.trainable_variables()
        accum_vars = [tf.Variable(tf.zeros_like(tv.initialized_value()), trainable=False) for tv in tvs]
        zero_ops = [av.assign(tf.zeros_like(av)) for av in accum_vars]
        gvs = opt.compute_gradients(loss, tvs)
        accum_ops = [accum_vars[i].assign_add(gv[0]) for i, gv in enumerate(gvs)]
        train_step = opt.apply_gradients([(accum_vars[i] / PARTS, gv[1]) for i, gv in enumerate(gvs)])

        losses = []
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            for _ in range(25):
                sess.run(zero_ops)
                for part in np.split(np.arange(64), PARTS):
                    sess.run(accum_ops, feed_dict={x: features[part], y: targets[part]})
                sess.run(train_step)
                losses.append(sess.run(loss, {x: features, y: targets}))
        return losses


def at_once():
    features, targets = data()
    with tf.Graph().as_default(), tf.Session() as sess:
        x, y, loss = build(np.random.RandomState(23))
        train_step = tf.train.AdamOptimizer(0.1).minimize(loss)
        sess.run(tf.global_variables_initializer())
        losses = []
        for _ in range(25):
            train_step.run({x: features, y: targets})
            losses.append(loss.eval({x: features, y: targets}))
        return losses


def run():
    return {"in parts": np.array(in_parts()), "at once": np.array(at_once())}


if __name__ == "__main__":
    for name, losses in run().items():
        print(f"{name}: loss {losses[0]:.4f} -> {losses[-1]:.4f}")
