"""A softmax classifier as a program with flags: ``tf.app.run`` reads them and calls ``main``.

Run: python examples/tf1/flags_softmax.py --learning_rate=0.2 --steps=40
"""

import numpy as np

import steepest.v1 as tf

flags = tf.app.flags
FLAGS = flags.FLAGS
flags.DEFINE_float("learning_rate", 0.5, "Initial learning rate.")
flags.DEFINE_integer("steps", 30, "Number of steps to run.")
flags.DEFINE_string("optimizer", "sgd", "sgd, momentum or adagrad.")
flags.DEFINE_boolean("bias", True, "Whether there is a bias.")

answers = {}


def main(_):
    tf.logging.set_verbosity(tf.logging.ERROR)
    rng = np.random.RandomState(20)
    points = rng.randn(90, 4).astype(np.float32)
    classes = (points.dot(rng.randn(4, 3)) + np.array([0.5, 0.0, -0.5])).argmax(axis=1)

    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, shape=(None, 4))
        labels = tf.placeholder(tf.int64, shape=(None,))
        logits = tf.matmul(x, tf.Variable(tf.zeros([4, 3]), name="weights"))
        if FLAGS.bias:
            logits += tf.Variable(tf.zeros([3]), name="biases")
        loss = tf.losses.sparse_softmax_cross_entropy(labels=labels, logits=logits)
        optimizer = {
            "sgd": tf.train.GradientDescentOptimizer(FLAGS.learning_rate),
            "momentum": tf.train.MomentumOptimizer(FLAGS.learning_rate, 0.9),
            "adagrad": tf.train.AdagradOptimizer(FLAGS.learning_rate),
        }[FLAGS.optimizer]
        train_op = optimizer.minimize(loss)
        correct = tf.nn.in_top_k(logits, labels, 1)
        right = tf.reduce_sum(tf.cast(correct, tf.int32))

        losses = []
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            for _ in range(FLAGS.steps):
                losses.append(sess.run([train_op, loss], {x: points, labels: classes})[1])
            count = sess.run(right, {x: points, labels: classes})
    answers.update(optimizer=FLAGS.optimizer, losses=np.array(losses), right=count, of=len(points))
    print(f"{FLAGS.optimizer}: loss {losses[0]:.3f} -> {losses[-1]:.3f}, {count} of {len(points)} are right")


def run():
    found = {}
    for given in ("--learning_rate=0.2 --optimizer momentum --nobias", "--bias --steps=12 --optimizer=adagrad"):
        try:
            tf.app.run(main, ["flags_softmax", *given.split()])
        except SystemExit as end:
            found.update({f"{given}: {key}": value for key, value in answers.items()}, ended=end.code is None)
    return found


if __name__ == "__main__":
    tf.app.run()
