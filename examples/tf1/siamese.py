"""Two branches with the same weights: pairs of one class come together, others are pushed apart up to a margin."""

import numpy as np

import steepest.v1 as tf

MARGIN = 3.0


def layer(x, n_out, name):
    n_in = int(x.get_shape()[1])
    start = tf.constant_initializer(np.random.RandomState(n_in * n_out).normal(0, 0.4, (n_in, n_out)))
    w = tf.get_variable(name + "_w", dtype=tf.float32, shape=[n_in, n_out], initializer=start)
    b = tf.get_variable(name + "_b", dtype=tf.float32, initializer=tf.constant(0.01, shape=[n_out]))
    return tf.nn.bias_add(tf.matmul(x, w), b)


class Siamese:
    def __init__(self):
        self.x1 = tf.placeholder(tf.float32, [None, 6])
        self.x2 = tf.placeholder(tf.float32, [None, 6])
        self.same = tf.placeholder(tf.float32, [None])
        with tf.variable_scope("siamese") as scope:
            self.o1 = self.network(self.x1)
            scope.reuse_variables()
            self.o2 = self.network(self.x2)
        self.loss = self.contrastive()

    def network(self, x):
        return layer(tf.nn.relu(layer(tf.nn.relu(layer(x, 12, "first")), 10, "second")), 2, "third")

    def contrastive(self):
        square = tf.reduce_sum(tf.pow(tf.subtract(self.o1, self.o2), 2), 1)
        distance = tf.sqrt(square + 1e-6, name="distance")
        near = tf.multiply(self.same, square, name="near")
        far = tf.multiply(1.0 - self.same, tf.pow(tf.maximum(MARGIN - distance, 0), 2), name="far")
        return tf.reduce_mean(tf.add(near, far), name="loss")


def run():
    rng = np.random.RandomState(2)
    tf.reset_default_graph()
    siamese = Siamese()
    train = tf.train.MomentumOptimizer(0.01, 0.9).minimize(siamese.loss)
    kinds = rng.randint(0, 3, 90)
    images = rng.randn(3, 6)[kinds] + 0.3 * rng.randn(90, 6)
    losses = []
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(60):
            i, j = rng.randint(0, 90, (2, 20))
            feed = {siamese.x1: images[i], siamese.x2: images[j], siamese.same: (kinds[i] == kinds[j]).astype("float")}
            losses.append(sess.run([train, siamese.loss], feed_dict=feed)[1])
        places = siamese.o1.eval({siamese.x1: images[:12]})
    names = [v.name for v in tf.trainable_variables()]
    return {"losses": np.array(losses), "places": places, "variables": names, "loss": siamese.loss.name}


if __name__ == "__main__":
    answers = run()
    print(f"{len(answers['variables'])} variables for both branches")
    print(f"loss {answers['losses'][0]:.3f} at first, {answers['losses'][-5:].mean():.3f} at last")
