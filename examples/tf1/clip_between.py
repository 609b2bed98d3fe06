"""Gradient clipping by value, between ``compute_gradients`` and ``apply_gradients``."""

import numpy as np

import steepest.v1 as tf

threshold = 1.0
learning_rate = 0.05


def run():
    rng = np.random.RandomState(1)
    features = rng.randn(64, 3).astype(np.float32)
    targets = (features.dot([[4.0], [-6.0], [9.0]]) + 20).astype(np.float32)

    tf.reset_default_graph()
    x = tf.placeholder(tf.float32, [None, 3])
    y = tf.placeholder(tf.float32, [None, 1])
    w = tf.Variable(tf.zeros([3, 1]))
    b = tf.Variable(tf.zeros([1]))
    loss = tf.reduce_mean(tf.square(tf.matmul(x, w) + b - y))

    optimizer = tf.train.GradientDescentOptimizer(learning_rate)
    grads_and_vars = optimizer.compute_gradients(loss)
    capped_gvs = [(tf.clip_by_value(grad, -threshold, threshold), var) for grad, var in grads_and_vars]
    training_op = optimizer.apply_gradients(capped_gvs)

    losses = []
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        feed = {x: features, y: targets}
        raw, capped = sess.run([[g for g, _ in grads_and_vars], [g for g, _ in capped_gvs]], feed_dict=feed)
        for _ in range(100):
            _, value = sess.run([training_op, loss], feed_dict=feed)
            losses.append(value)
        final_w, final_b = sess.run([w, b])
    return {
        "gradients": np.concatenate([g.ravel() for g in raw]),
        "capped": np.concatenate([g.ravel() for g in capped]),
        "losses": np.array(losses),
        "w": final_w.ravel(),
        "b": final_b,
    }


if __name__ == "__main__":
    answers = run()
    print(f"gradients {answers['gradients']} are capped to {answers['capped']}")
    print(f"loss {answers['losses'][0]:.1f} -> {answers['losses'][-1]:.1f}, w = {answers['w']}, b = {answers['b']}")
