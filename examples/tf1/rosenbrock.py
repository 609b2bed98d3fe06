"""Rosenbrock's valley in double precision: down it with momentum, and in a few steps with Newton's method."""

import numpy as np

import steepest.v1 as tf


def valley(p):
    x, y = tf.unstack(p)
    return (1 - x) ** 2 + 100 * (y - x**2) ** 2


def descend():
    with tf.Graph().as_default():
        p = tf.get_variable("p", initializer=tf.constant([-1.2, 1.0], dtype=tf.float64))
        height = valley(p)
        steepness = tf.norm(tf.gradients(height, p)[0])
        opt = tf.train.MomentumOptimizer(np.float64(5e-4), momentum=np.float64(0.95), use_nesterov=False)
        step = opt.minimize(height)
        heights = []
        with tf.Session() as sess:
            sess.run(p.initializer)
            sess.run(tf.variables_initializer(opt.variables()))
            for i in range(400):
                if i % 40 == 0:
                    heights.append(sess.run([height, steepness]))
                sess.run(step)
            return np.array(heights), sess.run(p)


def newton():
    with tf.Graph().as_default():
        p = tf.Variable([-1.2, 1.0], dtype=tf.float64)
        height = valley(p)
        (gradient,), (hessian,) = tf.gradients(height, [p]), tf.hessians(height, p)
        direction = tf.matrix_solve(hessian, tf.reshape(gradient, [2, 1]))
        step = p.assign_sub(tf.reshape(direction, [2]))
        heights = []
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            second = sess.run(hessian)
            for _ in range(6):
                heights.append(sess.run(height))
                sess.run(step)
            return np.array(heights), second, sess.run(p)


def run():
    slow, fast = descend(), newton()
    return {
        "heights and slopes": slow[0],
        "p": slow[1],
        "Newton heights": fast[0],
        "Hessian at the start": fast[1],
        "Newton p": fast[2],
    }


if __name__ == "__main__":
    for name, value in run().items():
        print(f"{name}: {value}")
