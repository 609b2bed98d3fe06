"""The moving average of the weights: kept by an operation after each update, used for evaluation by a ``Saver``."""

import os
import tempfile

import numpy as np

import steepest.v1 as tf


def model():
    x, y = tf.placeholder(tf.float32, [None, 2]), tf.placeholder(tf.float32, [None, 1])
    w = tf.get_variable("w", [2, 1], initializer=tf.constant_initializer(0.5))
    b = tf.get_variable("b", [1], initializer=tf.zeros_initializer())
    return x, y, w, b, tf.reduce_mean(tf.square(tf.matmul(x, w) + b - y))


def run():
    rng = np.random.RandomState(18)
    with tempfile.TemporaryDirectory() as folder:
        with tf.Graph().as_default():
            x, y, w, b, loss = model()
            global_step = tf.train.create_global_step()
            opt_op = tf.train.GradientDescentOptimizer(0.25).minimize(loss, global_step=global_step)
            ema = tf.train.ExponentialMovingAverage(decay=0.95, num_updates=global_step)
            with tf.control_dependencies([opt_op]):
                train_op = ema.apply([w, b])
            average = ema.average(w)

            seen, averaged = [], []
            with tf.Session() as sess:
                sess.run(tf.global_variables_initializer())
                for _ in range(40):
                    batch = rng.randn(4, 2)
                    noisy = batch.dot([[2.0], [-1.0]]) + 0.5 + rng.randn(4, 1)
                    sess.run(train_op, {x: batch, y: noisy})
                    for values, variable in ((seen, w), (averaged, average)):
                        values.append(variable.eval()[0, 0])
                path = tf.train.Saver().save(sess, os.path.join(folder, "averaged"))
                names = [average.op.name, ema.average_name(b)]

        with tf.Graph().as_default(), tf.Session() as sess:
            x, y, w, b, loss = model()
            restored = tf.train.ExponentialMovingAverage(0.95).variables_to_restore()
            tf.train.Saver(restored).restore(sess, path)
            points = rng.randn(100, 2)
            error = loss.eval({x: points, y: points.dot([[2.0], [-1.0]]) + 0.5})
            final = w.eval().ravel()
    return {
        "weight": np.array(seen),
        "average": np.array(averaged),
        "names": names,
        "restored from": sorted(restored),
        "restored w": final,
        "error of averages": error,
    }


if __name__ == "__main__":
    answers = run()
    print(f"spread of the last 20 weights: {answers['weight'][-20:].std():.4f}")
    print(f"spread of their averages: {answers['average'][-20:].std():.4f}, error {answers['error of averages']:.4f}")
