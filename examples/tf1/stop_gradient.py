"""``tf.stop_gradient``: ``w1`` learns to equal ``w2 * w3``, which stay what they are."""

import numpy as np

import steepest.v1 as tf


def run():
    rng = np.random.RandomState(3)
    start = {name: rng.randn(5, 1).astype(np.float32) for name in ("w1", "w2", "w3")}

    tf.reset_default_graph()
    w1, w2, w3 = (
        tf.get_variable(name, shape=[5, 1], initializer=tf.constant_initializer(value)) for name, value in start.items()
    )
    x = tf.placeholder(tf.float32, shape=[None, 5], name="x")
    a1 = tf.matmul(x, w1)
    a2 = tf.stop_gradient(tf.matmul(x, w2 * w3))
    loss = tf.reduce_mean(tf.square(a1 - a2))

    optimizer = tf.train.GradientDescentOptimizer(learning_rate=0.1)
    gradients = optimizer.compute_gradients(loss)
    train_op = optimizer.apply_gradients(gradients)

    losses = []
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(60):
            losses.append(sess.run([train_op, loss], feed_dict={x: rng.randn(32, 5)})[1])
        final = sess.run([w1, w2, w3])
    return {
        "has a gradient": [g is not None for g, _ in gradients],
        "losses": np.array(losses),
        "w1": final[0].ravel(),
        "w2 * w3": (final[1] * final[2]).ravel(),
        "moved": [float(np.abs(w - start[name]).max()) for w, name in zip(final[1:], ("w2", "w3"), strict=True)],
    }


if __name__ == "__main__":
    for name, value in run().items():
        print(f"{name}: {value}")
