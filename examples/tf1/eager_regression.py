"""Linear regression without a graph: eager execution, and gradients with respect to whatever variables were read."""

import numpy as np

import steepest.v1 as tf

tf.enable_eager_execution()
tfe = tf.contrib.eager

rng = np.random.RandomState(0)
n_samples = 40
train_X = rng.uniform(-3, 3, n_samples).astype(np.float32)
train_Y = (1.7 * train_X - 0.6 + 0.1 * rng.randn(n_samples)).astype(np.float32)


def run():
    W = tfe.Variable(rng.randn(), name="W")
    b = tfe.Variable(rng.randn(), name="b")
    W.assign(0.25)
    b.assign(-0.5)

    def linear_regression(inputs):
        return inputs * W + b

    def MSE(model_fn, inputs, labels):
        return tf.reduce_sum(tf.pow(model_fn(inputs) - labels, 2)) / (2 * n_samples)

    optimizer = tf.train.GradientDescentOptimizer(learning_rate=0.05)
    grad = tfe.implicit_gradients(MSE)

    losses = []
    for _ in range(60):
        losses.append(MSE(linear_regression, train_X, train_Y).numpy())
        optimizer.apply_gradients(grad(linear_regression, train_X, train_Y))
    first_grads = [g.numpy() for g, _ in grad(linear_regression, train_X[:5], train_Y[:5])]
    return {"losses": np.array(losses), "W": W.numpy(), "b": b.numpy(), "gradients of five": np.array(first_grads)}


if __name__ == "__main__":
    answers = run()
    first, last = answers["losses"][[0, -1]]
    print(f"loss {first:.4f} -> {last:.4f}, W = {answers['W']:.3f}, b = {answers['b']:.3f}")
