"""Derivatives in eager execution: of functions, of functions of variables, on a tape, and of derivatives."""

import numpy as np

import steepest.v1 as tf

tf.enable_eager_execution()
tfe = tf.contrib.eager


def square(x):
    return tf.multiply(x, x)


def run():
    answers = {"eager": tf.executing_eagerly()}

    grad = tfe.gradients_function(square)
    answers["square and gradient at 3"] = [square(3.0).numpy(), grad(3.0)[0].numpy()]
    gradgrad = tfe.gradients_function(lambda x: grad(x)[0])
    answers["second derivative"] = gradgrad(3.0)[0].numpy()

    rng = np.random.RandomState(32)
    points = rng.randn(30, 2).astype(np.float32)
    labels = (points[:, :1] > points[:, 1:]).astype(np.float32)
    w = tf.Variable(np.array([[0.1], [0.2]], np.float32), name="w")
    b = tfe.Variable(0.0, name="b")

    def loss(x, y):
        logits = tf.matmul(x, w) + b
        return tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=logits))

    step = tf.train.get_or_create_global_step()
    optimizer = tf.train.AdamOptimizer(0.1)
    value_and_grad = tfe.implicit_value_and_gradients(loss)
    losses = []
    for _ in range(10):
        value, grads_and_vars = value_and_grad(points, labels)
        optimizer.apply_gradients(grads_and_vars, global_step=step)
        losses.append(value.numpy())
    for _ in range(10):
        with tf.GradientTape() as tape:
            value = loss(points, labels)
        grads = tape.gradient(value, [w, b])
        clipped, norm = tf.clip_by_global_norm(grads, 0.05)
        optimizer.apply_gradients(zip(clipped, [w, b], strict=True), step)
        losses.append(value.numpy())
    for _ in range(10):
        optimizer.minimize(lambda: loss(points, labels), global_step=step)
    losses.append(float(loss(points, labels)))
    answers.update({"losses": np.array(losses), "last norm": norm.numpy(), "w": w.numpy().ravel(), "b": b.numpy()})
    answers["steps"], answers["slots"] = int(step.numpy()), optimizer.get_slot_names()
    return answers


if __name__ == "__main__":
    for name, value in run().items():
        print(f"{name}: {value}")
