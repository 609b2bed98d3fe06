"""Learning rates that are functions of the global step: in staircases, in pieces, along a polynomial and a cosine."""

import numpy as np

import steepest.v1 as tf

STEPS = 12


def schedules(step):
    return {
        "staircase": tf.train.exponential_decay(0.3, step, decay_steps=4, decay_rate=0.5, staircase=True),
        "exponential": tf.train.exponential_decay(0.3, step, 4, 0.5),
        "pieces": tf.train.piecewise_constant(step, boundaries=[3, 8], values=[0.3, 0.1, 0.02]),
        "polynomial": tf.train.polynomial_decay(0.3, step, 8, end_learning_rate=0.01, power=2.0),
        "inverse time": tf.train.inverse_time_decay(0.3, step, 2, 0.5),
        "natural": tf.train.natural_exp_decay(0.3, step, 4, 0.5),
        "cosine": tf.train.cosine_decay(0.3, step, 10, alpha=0.1),
        "warm up": 0.3 * tf.minimum(1.0, tf.cast(step + 1, tf.float32) / 5.0),
    }


def run():
    answers = {}
    with tf.Graph().as_default():
        names = list(schedules(tf.Variable(0)))
    for name in names:
        with tf.Graph().as_default():
            global_step = tf.Variable(0, trainable=False, name="global_step")
            learning_rate = schedules(global_step)[name]
            w = tf.Variable([4.0, -2.0])
            loss = tf.reduce_sum(tf.square(w - 1.0) * [1.0, 0.2])
            optimizer = tf.train.GradientDescentOptimizer(learning_rate)
            train_op = optimizer.minimize(loss, global_step=global_step)
            rates = []
            with tf.Session() as sess:
                sess.run(tf.global_variables_initializer())
                for _ in range(STEPS):
                    rates.append(sess.run(learning_rate))
                    sess.run(train_op)
                assert tf.train.global_step(sess, global_step) == STEPS
                answers[f"{name}: rates"], answers[f"{name}: w"] = np.array(rates), w.eval()
    return answers


if __name__ == "__main__":
    for name, value in run().items():
        print(f"{name}: {value}")
