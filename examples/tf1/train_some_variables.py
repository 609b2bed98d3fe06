"""``var_list``: only the variables in it are optimized, first the output layer alone, then everything."""

import numpy as np

import steepest.v1 as tf


def run():
    rng = np.random.RandomState(4)
    inputs = rng.randn(48, 4).astype(np.float32)
    wanted = np.sin(inputs.sum(axis=1, keepdims=True)).astype(np.float32)

    with tf.Graph().as_default():
        x, y = tf.placeholder(tf.float32, [None, 4]), tf.placeholder(tf.float32, [None, 1])
        with tf.variable_scope("features"):
            w1 = tf.get_variable("w", initializer=rng.randn(4, 12).astype(np.float32) * 0.5)
        with tf.variable_scope("output"):
            w2 = tf.get_variable("w", initializer=np.zeros((12, 1), np.float32))
        loss = tf.reduce_mean(tf.squared_difference(tf.matmul(tf.tanh(tf.matmul(x, w1)), w2), y))

        head_only = tf.train.GradientDescentOptimizer(learning_rate=0.2).minimize(loss, var_list=[w2])
        everything = tf.train.GradientDescentOptimizer(learning_rate=0.2).minimize(loss)

        losses = []
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            for train_op in [head_only] * 30 + [everything] * 30:
                if train_op is everything and len(losses) == 30:
                    kept = w1.eval()
                losses.append(sess.run([train_op, loss], feed_dict={x: inputs, y: wanted})[1])
            w1_end, w2_end = sess.run([w1, w2])
    return {
        "losses": np.array(losses),
        "w1 after the first half": kept.ravel()[:6],
        "w1": w1_end.ravel()[:6],
        "w2": w2_end.ravel(),
    }


if __name__ == "__main__":
    answers = run()
    first, middle, last = answers["losses"][[0, 29, -1]]
    print(f"loss {first:.4f} -> {middle:.4f} with the output layer alone -> {last:.4f} with all")
