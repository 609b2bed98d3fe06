"""Interrupted training: a ``Saver`` keeps variables, slots and step; a new graph goes on from the checkpoint."""

import os
import tempfile

import numpy as np

import steepest.v1 as tf


class Model:
    def __init__(self):
        rng = np.random.RandomState(17)
        self.x = tf.placeholder(tf.float32, [None, 3])
        self.y = tf.placeholder(tf.float32, [None, 1])
        w1 = tf.get_variable("w1", initializer=rng.randn(3, 8).astype(np.float32))
        w2 = tf.get_variable("w2", initializer=rng.randn(8, 1).astype(np.float32))
        self.loss = tf.reduce_mean(tf.square(tf.matmul(tf.nn.sigmoid(tf.matmul(self.x, w1)), w2) - self.y))
        self.global_step = tf.train.get_or_create_global_step()
        self.train_op = tf.train.AdamOptimizer(0.05).minimize(self.loss, global_step=self.global_step)
        self.saver = tf.train.Saver(max_to_keep=2)

    def train(self, sess, last):
        """Train until the global step is ``last``; each step has the batch of its number."""
        losses = []
        while (step := sess.run(self.global_step)) < last:
            x = np.random.RandomState(1000 + step).randn(20, 3)
            feed = {self.x: x, self.y: np.abs(x).sum(axis=1, keepdims=True)}
            losses.append(sess.run([self.train_op, self.loss], feed_dict=feed)[1])
        return losses


def run():
    with tempfile.TemporaryDirectory() as folder:
        prefix = os.path.join(folder, "model.ckpt")
        with tf.Graph().as_default(), tf.Session() as sess:
            model = Model()
            sess.run(tf.global_variables_initializer())
            losses = []
            for step in (5, 10, 15):
                losses += model.train(sess, step)
                path = model.saver.save(sess, prefix, global_step=model.global_step)
            uninterrupted = model.train(sess, 25)
            kept = [os.path.basename(p) for p in model.saver.last_checkpoints]

        found = tf.train.latest_checkpoint(folder)
        with tf.Graph().as_default(), tf.Session() as sess:
            model = Model()
            model.saver.restore(sess, found)
            resumed = model.train(sess, 25)
            unset = len(sess.run(tf.report_uninitialized_variables()))

        with tf.Graph().as_default(), tf.Session() as sess:
            w2 = tf.get_variable("w2", shape=[8, 1])
            tf.train.Saver({"w2/Adam": w2}).restore(sess, found)
            momentum = sess.run(w2)
        state = tf.train.get_checkpoint_state(folder)
        return {
            "losses": np.array(losses),
            "uninterrupted": np.array(uninterrupted),
            "resumed": np.array(resumed),
            "equal": uninterrupted == resumed,
            "uninitialized": unset,
            "checkpoints": kept,
            "latest": [os.path.basename(p) for p in (path, found, state.model_checkpoint_path)],
            "variables": sorted(name for name, _ in tf.train.list_variables(found)),
            "m of w2": momentum.ravel(),
        }


if __name__ == "__main__":
    answers = run()
    print(f"checkpoints {answers['checkpoints']}, the latest is {answers['latest'][1]}")
    print(f"losses go on: {answers['resumed'][:4]}; the same as without interruption: {answers['equal']}")
