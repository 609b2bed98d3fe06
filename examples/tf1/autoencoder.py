"""An autoencoder with tied weights: the decoder multiplies with the encoder's matrix, transposed."""

import numpy as np

import steepest.v1 as tf

n_input, n_hidden, batch_size = 16, 5, 20


def run():
    rng = np.random.RandomState(25)
    codes = rng.uniform(0, 1, (120, 2))
    X_train = np.exp(-4 * np.square(codes.sum(axis=1, keepdims=True) - np.linspace(0, 2, n_input)))

    with tf.Graph().as_default():
        X = tf.placeholder("float", [None, n_input])
        limit = np.sqrt(6.0 / (n_input + n_hidden))
        weights = tf.Variable(tf.to_float(rng.uniform(-limit, limit, (n_input, n_hidden))), name="weights")
        biases = {"encoder": tf.Variable(tf.zeros([n_hidden])), "decoder": tf.Variable(tf.zeros([n_input]))}
        code = tf.nn.sigmoid(tf.add(tf.matmul(X, weights), biases["encoder"]))
        y_pred = tf.nn.sigmoid(tf.matmul(code, weights, transpose_b=True) + biases["decoder"])
        y_true = X
        cost = tf.reduce_mean(tf.pow(y_true - y_pred, 2))
        divergence = tf.reduce_mean(-tf.reduce_sum(
            y_true * tf.log(1e-10 + y_pred) + (1 - y_true) * tf.log(1e-10 + 1 - y_pred), 1
        ))  # fmt: skip
        optimizer = tf.train.MomentumOptimizer(0.05, 0.9).minimize(divergence)

        costs = []
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            for _ in range(15):
                for i in range(len(X_train) // batch_size):
                    batch_xs = X_train[i * batch_size : (i + 1) * batch_size]
                    _, c = sess.run([optimizer, cost], feed_dict={X: batch_xs})
                costs.append(c)
            encode_decode = sess.run(y_pred, feed_dict={X: X_train[:1]})
    return {"costs": np.array(costs), "one": X_train[0], "decoded": encode_decode[0]}


if __name__ == "__main__":
    answers = run()
    print(f"cost {answers['costs'][0]:.4f} -> {answers['costs'][-1]:.4f}")
    print(f"one     {np.round(answers['one'], 2)}\ndecoded {np.round(answers['decoded'], 2)}")
