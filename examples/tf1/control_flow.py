"""``tf.cond`` and ``tf.where``: a robust loss, and a rate that grows with success and is halved by failure."""

import numpy as np

import steepest.v1 as tf


def huber(error, delta=1.0):
    size = tf.abs(error)
    return tf.where(size < delta, 0.5 * tf.square(error), delta * (size - 0.5 * delta))


def run():
    rng = np.random.RandomState(19)
    points = np.linspace(-2, 2, 25).astype(np.float32)
    values = (1.5 * points + 0.5).astype(np.float32)
    values[::6] += 8  # outliers

    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [None], name="x")
        y = tf.placeholder(tf.float32, [None], name="y")
        robust = tf.placeholder_with_default(True, shape=(), name="robust")
        w, b = tf.Variable(float(rng.randn())), tf.Variable(float(rng.randn()))
        error = w * x + b - y
        loss = tf.cond(robust, lambda: tf.reduce_mean(huber(error)), lambda: tf.reduce_mean(tf.square(error)))

        rate = tf.Variable(0.1, trainable=False)
        last = tf.Variable(1e9, trainable=False)
        new_rate = tf.cond(loss < last, lambda: rate * 1.8, lambda: rate * 0.5)
        with tf.control_dependencies([new_rate]):
            adapt = tf.group(tf.assign(rate, new_rate), tf.assign(last, loss))
        train_op = tf.train.GradientDescentOptimizer(rate).minimize(loss)
        sizes = tf.case(
            [(tf.less(tf.abs(w), 1.0), lambda: tf.constant("small")), (w > 2.0, lambda: tf.constant("large"))],
            default=lambda: tf.constant("in between"),
        )

        def fit(sess, **choice):
            sess.run(tf.global_variables_initializer())
            feed = {x: points, y: values, **({robust: choice["robust"]} if choice else {})}
            losses, rates = [], []
            for _ in range(10):
                sess.run(adapt, feed)
                sess.run(train_op, feed)
                losses.append(sess.run(loss, feed))
                rates.append(sess.run(rate))
            return np.array(losses), np.array(rates), np.array(sess.run([w, b])), sess.run(sizes).decode()

        with tf.Session() as sess:
            results = {"robust": fit(sess), "squares": fit(sess, robust=False)}
    parts = ("losses", "rates", "w and b", "w is")
    return {f"{name}: {part}": v for name, found in results.items() for part, v in zip(parts, found, strict=True)}


if __name__ == "__main__":
    answers = run()
    for name in ("robust", "squares"):
        w, b = answers[f"{name}: w and b"]
        print(f"{name}: {w:.3f} * x + {b:.3f}; the line is 1.5 * x + 0.5")
