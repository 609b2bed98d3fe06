"""Linear regression as the first lesson has it: placeholders, a scalar at a time, the cost every few epochs."""

import numpy as np

import steepest.v1 as tf

learning_rate = 0.002
training_epochs = 40
display_step = 10


def run():
    rng = np.random.RandomState(7)
    train_X = rng.uniform(1, 10, 17)
    train_Y = 0.3 * train_X + 0.8 + 0.2 * rng.randn(17)
    n_samples = train_X.shape[0]

    with tf.Graph().as_default():
        X = tf.placeholder("float")
        Y = tf.placeholder("float")
        W = tf.Variable(float(rng.randn()), name="weight")
        b = tf.Variable(float(rng.randn()), name="bias")
        pred = tf.add(tf.multiply(X, W), b)
        cost = tf.reduce_sum(tf.pow(pred - Y, 2)) / (2 * n_samples)
        optimizer = tf.train.GradientDescentOptimizer(learning_rate).minimize(cost)
        init = tf.global_variables_initializer()

        costs = []
        with tf.Session() as sess:
            sess.run(init)
            for epoch in range(training_epochs):
                for x, y in zip(train_X, train_Y, strict=True):
                    sess.run(optimizer, feed_dict={X: x, Y: y})
                if (epoch + 1) % display_step == 0:
                    costs.append(sess.run(cost, feed_dict={X: train_X, Y: train_Y}))
            training_cost = sess.run(cost, feed_dict={X: train_X, Y: train_Y})
            return {"costs": np.array(costs), "cost": training_cost, "W": sess.run(W), "b": sess.run(b)}


if __name__ == "__main__":
    answers = run()
    for i, cost in enumerate(answers["costs"]):
        print(f"Epoch: {(i + 1) * display_step:04d} cost={cost:.9f}")
    print(f"Training cost={answers['cost']:.9f} W={answers['W']:.4f} b={answers['b']:.4f}")
