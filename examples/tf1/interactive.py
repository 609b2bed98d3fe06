"""An interactive session: a small network for two rings, whose operations run and evaluate themselves."""

import numpy as np

import steepest.v1 as tf


def run():
    rng = np.random.RandomState(21)
    angle, outer = rng.uniform(0, 2 * np.pi, 120), np.arange(120) % 2
    radius = 1.0 + outer + 0.2 * rng.randn(120)
    rings = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)

    def weight_variable(shape):
        return tf.Variable(tf.constant(0.5 * rng.randn(*shape), dtype=tf.float32))

    def bias_variable(shape):
        return tf.Variable(tf.constant(0.1, shape=shape))

    tf.reset_default_graph()
    sess = tf.InteractiveSession()
    x = tf.placeholder(tf.float32, shape=[None, 2])
    y_ = tf.placeholder(tf.float32, shape=[None, 2])
    h = tf.nn.relu(tf.matmul(x, weight_variable([2, 10])) + bias_variable([10]))
    keep_prob = tf.placeholder(tf.float32)
    h_drop = h * keep_prob  # in place of dropout, which would be random
    y = tf.matmul(h_drop, weight_variable([10, 2])) + bias_variable([2])

    cross_entropy = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=y_, logits=y))
    train_step = tf.train.AdamOptimizer(2e-2).minimize(cross_entropy)
    correct_prediction = tf.equal(tf.argmax(y, 1), tf.argmax(y_, 1))
    accuracy = tf.reduce_mean(tf.cast(correct_prediction, tf.float32))
    tf.global_variables_initializer().run()

    feed = {x: rings, y_: np.eye(2)[outer], keep_prob: 1.0}
    accuracies, losses = [], []
    for i in range(60):
        if i % 10 == 0:
            accuracies.append(accuracy.eval(feed_dict=feed))
        losses.append(cross_entropy.eval(feed))
        train_step.run(feed_dict={**feed, keep_prob: 0.9})
    accuracies.append(accuracy.eval(feed_dict=feed))
    sess.close()
    return {"losses": np.array(losses), "accuracies": np.array(accuracies)}


if __name__ == "__main__":
    answers = run()
    for i, accuracy in enumerate(answers["accuracies"]):
        print(f"step {10 * i}, training accuracy {accuracy:g}")
