"""Two networks against each other: a generator of numbers and a discriminator, each with its own list of variables."""

import numpy as np

import steepest.v1 as tf


def generator(z, rng):
    with tf.variable_scope("generator"):
        w = tf.get_variable("w", initializer=tf.constant(rng.randn(1, 4) * 0.5, dtype=tf.float32))
        b = tf.get_variable("b", shape=[4], initializer=tf.zeros_initializer)
        out = tf.get_variable("out", initializer=tf.constant(rng.randn(4, 1) * 0.5, dtype=tf.float32))
        return tf.matmul(tf.nn.softplus(tf.matmul(z, w) + b), out)


def discriminator(x, start, reuse=False):
    with tf.variable_scope("discriminator", reuse=reuse):
        w = tf.get_variable("w", [1, 8], initializer=tf.constant_initializer(start))
        b = tf.get_variable("b", [8], initializer=tf.constant_initializer(0.1))
        out = tf.get_variable("out", [8, 1], initializer=tf.constant_initializer(start[::-1]))
        return tf.matmul(tf.nn.leaky_relu(tf.matmul(x, w) + b), out)


def run():
    rng = np.random.RandomState(24)
    tf.reset_default_graph()
    real, z = tf.placeholder(tf.float32, [None, 1]), tf.placeholder(tf.float32, [None, 1])
    start = rng.randn(8) * 0.5
    fake = generator(z, rng)
    real_logits = discriminator(real, start)
    fake_logits = discriminator(fake, start, reuse=True)

    def cross_entropy(logits, label):
        labels = tf.ones_like(logits) * label
        return tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(logits=logits, labels=labels))

    d_loss = cross_entropy(real_logits, 0.9) + cross_entropy(fake_logits, 0.0)
    g_loss = cross_entropy(fake_logits, 1.0)
    t_vars = tf.trainable_variables()
    d_vars = [var for var in t_vars if var.name.startswith("discriminator")]
    g_vars = [var for var in t_vars if "generator" in var.name]
    d_step = tf.train.AdamOptimizer(0.02, beta1=0.5).minimize(d_loss, var_list=d_vars)
    g_step = tf.train.AdamOptimizer(0.02, beta1=0.5).minimize(g_loss, var_list=g_vars)

    d_losses, g_losses = [], []
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(60):
            sample, noise = 3 + 0.5 * rng.randn(32, 1), rng.uniform(-1, 1, (32, 1))
            d_losses.append(sess.run([d_step, d_loss], feed_dict={real: sample, z: noise})[1])
            g_losses.append(sess.run([g_step, g_loss], feed_dict={z: noise})[1])
        made = sess.run(fake, feed_dict={z: np.linspace(-1, 1, 9)[:, None]})
    return {
        "discriminator": [v.op.name for v in d_vars],
        "generator": [v.op.name for v in g_vars],
        "d losses": np.array(d_losses),
        "g losses": np.array(g_losses),
        "made": made.ravel(),
    }


if __name__ == "__main__":
    answers = run()
    print(f"discriminator loss {answers['d losses'][-1]:.3f}, generator loss {answers['g losses'][-1]:.3f}")
    print(f"made: {answers['made']}; wanted: numbers around 3")
