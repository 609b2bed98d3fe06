"""A perceptron of two layers that reads handwritten digits, trained by Adam. Needs scikit-learn for its data."""

import numpy as np
from sklearn.datasets import load_digits

import steepest.v1 as tf

n_input, n_hidden, n_classes = 64, 48, 10
batch_size, epochs = 100, 4


def multilayer_perceptron(x, weights, biases):
    with tf.name_scope("hidden"):
        layer = tf.nn.relu(tf.add(tf.matmul(x, weights["hidden"]), biases["hidden"]))
    with tf.name_scope("out"):
        return tf.matmul(layer, weights["out"]) + biases["out"]


def run():
    rng = np.random.RandomState(9)
    digits = load_digits()
    order = rng.permutation(len(digits.target))
    images, labels = (digits.data[order] / 16).astype(np.float32), np.eye(10)[digits.target[order]]

    with tf.Graph().as_default():
        X = tf.placeholder(tf.float32, [None, n_input])
        Y = tf.placeholder(tf.float32, [None, n_classes])
        weights = {
            "hidden": tf.Variable((0.1 * rng.randn(n_input, n_hidden)).astype(np.float32)),
            "out": tf.Variable((0.1 * rng.randn(n_hidden, n_classes)).astype(np.float32)),
        }
        biases = {"hidden": tf.Variable(tf.zeros([n_hidden])), "out": tf.Variable(tf.zeros([n_classes]))}
        logits = multilayer_perceptron(X, weights, biases)
        loss_op = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(logits=logits, labels=Y))
        train_op = tf.train.AdamOptimizer(learning_rate=0.005, epsilon=1e-3).minimize(loss_op)
        correct = tf.equal(tf.argmax(logits, 1), tf.argmax(Y, 1))
        accuracy = tf.reduce_mean(tf.cast(correct, "float"))

        losses = []
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            for _ in range(epochs):
                for at in range(0, 1400, batch_size):
                    batch_x, batch_y = images[at : at + batch_size], labels[at : at + batch_size]
                    _, c = sess.run([train_op, loss_op], feed_dict={X: batch_x, Y: batch_y})
                    losses.append(c)
            score = accuracy.eval({X: images[1400:], Y: labels[1400:]})
    return {"losses": np.array(losses), "test accuracy": score}


if __name__ == "__main__":
    answers = run()
    print(f"loss {answers['losses'][0]:.3f} -> {answers['losses'][-1]:.3f}")
    print(f"test accuracy: {100 * answers['test accuracy']:.1f} %")
