"""Two towers with shared variables, as on two devices: gradients of each half of a batch, averaged, applied once."""

import numpy as np

import steepest.v1 as tf


def tower_loss(scope, x, y, start):
    w1 = tf.get_variable("w1", [4, 6], initializer=tf.constant_initializer(start[0]))
    w2 = tf.get_variable("w2", [6], initializer=tf.constant_initializer(start[1]))
    pred = tf.tensordot(tf.nn.selu(tf.matmul(x, w1)), w2, axes=1)
    tf.add_to_collection("losses", tf.reduce_mean(tf.abs(pred - y)))
    return tf.add_n(tf.get_collection("losses", scope), name="total_loss")


def average_gradients(tower_grads):
    average_grads = []
    for grad_and_vars in zip(*tower_grads, strict=True):
        grads = [tf.expand_dims(g, 0) for g, _ in grad_and_vars]
        grad = tf.reduce_mean(tf.concat(axis=0, values=grads), 0)
        average_grads.append((grad, grad_and_vars[0][1]))
    return average_grads


def run():
    rng = np.random.RandomState(30)
    start = rng.randn(4, 6) * 0.5, rng.randn(6) * 0.5

    with tf.Graph().as_default():
        x, y = tf.placeholder(tf.float32, [32, 4]), tf.placeholder(tf.float32, [32])
        opt = tf.train.MomentumOptimizer(0.05, 0.9)
        tower_grads, tower_losses = [], []
        halves = zip(tf.split(x, 2), tf.split(y, num_or_size_splits=2, axis=0), strict=True)
        with tf.variable_scope(tf.get_variable_scope()):
            for i, (half_x, half_y) in enumerate(halves):
                with tf.device("/cpu:0"), tf.name_scope(f"tower_{i}") as scope:
                    loss = tower_loss(scope, half_x, half_y, start)
                    tf.get_variable_scope().reuse_variables()
                    tower_grads.append(opt.compute_gradients(loss))
                    tower_losses.append(loss)
        grads = average_gradients(tower_grads)
        global_step = tf.get_variable("global_step", [], initializer=tf.constant_initializer(0), trainable=False)
        apply_gradient_op = opt.apply_gradients(grads, global_step=global_step)
        variable_averages = tf.train.ExponentialMovingAverage(0.9, global_step)
        with tf.control_dependencies([apply_gradient_op]):
            train_op = tf.group(variable_averages.apply(tf.trainable_variables()))

        losses = []
        config = tf.ConfigProto(allow_soft_placement=True, log_device_placement=False)
        with tf.Session(config=config) as sess:
            sess.run(tf.global_variables_initializer())
            for _ in range(40):
                points = rng.randn(32, 4)
                feed = {x: points, y: np.abs(points[:, 0]) - points[:, 1]}
                losses.append(sess.run([train_op, *tower_losses], feed)[1:])
            step, w2 = sess.run([global_step, tf.trainable_variables()[1]])
        names = [v.op.name for v in tf.trainable_variables()]
    return {"losses": np.array(losses), "step": step, "w2": w2, "variables": names}


if __name__ == "__main__":
    answers = run()
    print(f"losses of the towers {answers['losses'][0]} -> {answers['losses'][-1]}, variables {answers['variables']}")
