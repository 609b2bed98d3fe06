"""Clipping each gradient by its norm: the smallest program there is, ``y = w * x``, and one step of it."""

import numpy as np

import steepest.v1 as tf


def run():
    with tf.Graph().as_default():
        x = tf.Variable(initial_value=10.0, dtype="float32")
        w = tf.Variable(initial_value=5.0, dtype="float32")
        y = w * x

        opt = tf.train.GradientDescentOptimizer(0.1)
        grads_vals = opt.compute_gradients(y, [w, x])
        for i, (g, v) in enumerate(grads_vals):
            if g is not None:
                grads_vals[i] = (tf.clip_by_norm(g, 6), v)
        train_op = opt.apply_gradients(grads_vals)

        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            pairs = sess.run(grads_vals)
            before = sess.run([x, w, y])
            sess.run(train_op)
            after = sess.run([x, w, y])
    return {"grads_and_vars": np.array(pairs), "before": np.array(before), "after": np.array(after)}


if __name__ == "__main__":
    answers = run()
    print("clipped gradients and variables:", answers["grads_and_vars"].tolist())
    print("x, w, y before the step:", answers["before"])
    print("x, w, y after the step:", answers["after"])
