"""Batch normalization by hand: moments in training, running averages in evaluation, updates as control dependencies."""

import numpy as np

import steepest.v1 as tf


def batch_norm(x, size, is_training, scope, decay=0.8):
    with tf.variable_scope(scope):
        beta = tf.get_variable("beta", [size], initializer=tf.zeros_initializer())
        gamma = tf.get_variable("gamma", [size], initializer=tf.ones_initializer())
        pop_mean = tf.get_variable("mean", [size], initializer=tf.zeros_initializer(), trainable=False)
        pop_var = tf.get_variable("variance", [size], initializer=tf.ones_initializer(), trainable=False)
    batch_mean, batch_var = tf.nn.moments(x, axes=[0])
    for running, batch in ((pop_mean, batch_mean), (pop_var, batch_var)):
        tf.add_to_collection(tf.GraphKeys.UPDATE_OPS, tf.assign(running, running * decay + batch * (1 - decay)))
    mean, var = tf.cond(is_training, lambda: (batch_mean, batch_var), lambda: (pop_mean + 0.0, pop_var + 0.0))
    return tf.nn.batch_normalization(x, mean, var, beta, gamma, variance_epsilon=1e-3)


def run():
    rng = np.random.RandomState(29)
    tf.reset_default_graph()
    x, y = tf.placeholder(tf.float32, [None, 4]), tf.placeholder(tf.float32, [None, 1])
    is_training = tf.placeholder(tf.bool, name="is_training")
    w1 = tf.get_variable("w1", initializer=rng.randn(4, 8).astype(np.float32))
    w2 = tf.get_variable("w2", initializer=(rng.randn(8, 1) / 3).astype(np.float32))
    hidden = tf.nn.relu6(batch_norm(tf.matmul(x, w1), 8, is_training, "bn"))
    loss = tf.losses.mean_squared_error(y, tf.matmul(hidden, w2))
    update_ops = tf.get_collection(tf.GraphKeys.UPDATE_OPS)
    with tf.control_dependencies(update_ops):
        train_op = tf.train.MomentumOptimizer(0.02, 0.9).minimize(loss)

    losses, evaluated = [], []
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for step in range(50):
            points = 5 + 3 * rng.randn(40, 4)
            targets = np.tanh(points[:, :1] - 5)
            losses.append(sess.run([loss, train_op], {x: points, y: targets, is_training: True})[0])
            if step % 10 == 9:
                evaluated.append(loss.eval({x: points, y: targets, is_training: False}))
        mean, variance = sess.run(["bn/mean:0", "bn/variance:0"])
    return {
        "losses": np.array(losses),
        "evaluated": np.array(evaluated),
        "mean": mean,
        "variance": variance,
        "trainable": [v.op.name for v in tf.trainable_variables()],
        "updates": len(update_ops),
    }


if __name__ == "__main__":
    answers = run()
    print(f"loss {answers['losses'][0]:.3f} -> {answers['losses'][-1]:.3f}; evaluated: {answers['evaluated']}")
