"""Losses and penalties in collections: layers add what they find, the total is asked for at the end."""

import numpy as np

import steepest.v1 as tf


def variable_with_weight_decay(name, start, wd):
    var = tf.get_variable(name, start.shape, initializer=tf.constant_initializer(start))
    if wd is not None:
        weight_decay = tf.multiply(tf.nn.l2_loss(var), wd, name="weight_loss")
        tf.add_to_collection("losses", weight_decay)
    return var


def inference(features, rng):
    with tf.variable_scope("local1") as scope:
        weights = variable_with_weight_decay("weights", rng.randn(6, 10) * 0.4, wd=0.01)
        biases = tf.get_variable("biases", [10], initializer=tf.constant_initializer(0.1))
        local1 = tf.nn.relu(tf.matmul(features, weights) + biases, name=scope.name)
    with tf.variable_scope("linear") as scope:
        weights = variable_with_weight_decay("weights", rng.randn(10, 3) * 0.4, wd=None)
        biases = tf.get_variable("biases", [3], initializer=tf.constant_initializer(0.0))
        return tf.add(tf.matmul(local1, weights), biases, name=scope.name)


def run():
    rng = np.random.RandomState(26)
    features = rng.randn(60, 6).astype(np.float32)
    classes = features[:, :3].argmax(axis=1)

    with tf.Graph().as_default():
        images, labels = tf.placeholder(tf.float32, [60, 6]), tf.placeholder(tf.int32, [60])
        logits = inference(images, rng)
        cross_entropy = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=tf.cast(labels, tf.int64), logits=logits)
        cross_entropy_mean = tf.reduce_mean(cross_entropy, name="cross_entropy")
        tf.add_to_collection("losses", cross_entropy_mean)
        decayed = tf.add_n(tf.get_collection("losses"), name="with_decay")

        with tf.variable_scope("", reuse=True):
            linear = tf.get_variable("linear/weights")
        tf.losses.add_loss(0.02 * tf.reduce_sum(tf.abs(linear)), tf.GraphKeys.REGULARIZATION_LOSSES)
        hinge = tf.losses.hinge_loss(labels=tf.one_hot(labels, 3), logits=logits, weights=0.1)
        total_loss = tf.losses.get_total_loss()  # everything in "losses", and the penalties

        global_step = tf.train.get_or_create_global_step()
        train_op = tf.train.GradientDescentOptimizer(0.3).minimize(total_loss, global_step=global_step)

        parts = [cross_entropy_mean, decayed, hinge, tf.losses.get_regularization_loss(), total_loss]
        seen = []
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            feed = {images: features, labels: classes}
            for _ in range(30):
                seen.append(sess.run(parts, feed_dict=feed))
                sess.run(train_op, feed_dict=feed)
            top = sess.run(tf.reduce_mean(tf.cast(tf.nn.in_top_k(logits, labels, 2), tf.float32)), feed)
    names = ("cross-entropy", "with weight decay", "hinge", "penalty on linear", "total")
    answers = dict(zip(names, np.array(seen).T, strict=True))
    return {**answers, "names": [part.op.name for part in parts[:2]], "right class among two": top}


if __name__ == "__main__":
    for name, value in run().items():
        print(f"{name}: {value if np.size(value) < 4 else value[::6]}")
