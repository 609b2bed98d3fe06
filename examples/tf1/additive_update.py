"""What ``apply_gradients`` does with a gradient, and how to add a constant to a variable in the same step.

Gradient descent does ``v <- v - eta * g``, so the gradient ``g - p / eta`` adds ``p`` as well. The pairs are an
ordinary list: one version rewrites it in a comprehension, with the rate that the optimizer keeps, the other in a loop.
"""

import numpy as np

import steepest.v1 as tf

RATE, P, STEPS = 0.1, 0.02, 6


def as_they_are(opt, grads_and_vars):
    return grads_and_vars


def in_a_comprehension(opt, grads_and_vars):
    eta = opt._learning_rate
    return [(g - (1 / eta) * P, v) for g, v in grads_and_vars]


def in_a_loop(opt, grads_and_vars):
    for i, (g, v) in enumerate(grads_and_vars):
        grads_and_vars[i] = (g - (1 / RATE) * P, v)
    return grads_and_vars


def train(rewrite):
    with tf.Graph().as_default():
        x = tf.Variable(np.array([3.0, -2.0], np.float32), name="x")
        y = tf.Variable(1.5, name="y")
        loss = tf.reduce_sum(tf.square(x)) + tf.square(y - 1.0)

        opt = tf.train.GradientDescentOptimizer(learning_rate=RATE)
        grads_and_vars = opt.compute_gradients(loss, [x, y])
        train_op = opt.apply_gradients(rewrite(opt, grads_and_vars))

        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            for _ in range(STEPS):
                sess.run(train_op)
            return sess.run([x, y])


def run():
    answers = {}
    for rewrite in (as_they_are, in_a_comprehension, in_a_loop):
        x, y = train(rewrite)
        answers[f"x {rewrite.__name__}"], answers[f"y {rewrite.__name__}"] = x, y
    return answers


if __name__ == "__main__":
    for name, value in run().items():
        print(f"{name}: {value}")
