"""Wide and deep: a weight for each pair of categories, trained by Adagrad, beside a network trained by Adam.

One pass backward serves both optimizers; two collections say whose variables are whose.
"""

import numpy as np

import steepest.v1 as tf

CATEGORIES, SIZE, BATCH = 12, 4, 64


def examples(rng, taste, exceptions, size):
    a, b = rng.randint(0, CATEGORIES, (2, size))
    return a, b, (np.sum(taste[a] * taste[b], axis=1) + exceptions[a, b] > 0).astype(np.float32)


def run():
    rng = np.random.RandomState(12)
    taste = rng.randn(CATEGORIES, 2)
    exceptions = np.where(rng.uniform(size=(CATEGORIES, CATEGORIES)) < 0.15, 4.0, 0.0)

    def parameter(name, *shape):
        start = tf.constant_initializer(0.3 * rng.randn(*shape))
        return tf.get_variable(name, shape, initializer=start, collections=["deep", tf.GraphKeys.GLOBAL_VARIABLES])

    with tf.Graph().as_default():
        a, b = tf.placeholder(tf.int32, [None], name="a"), tf.placeholder(tf.int32, [None], name="b")
        label = tf.placeholder(tf.float32, [None], name="label")
        with tf.variable_scope("wide"):
            pairs = tf.get_variable("pairs", [CATEGORIES**2], initializer=tf.zeros_initializer())
            tf.add_to_collection("wide", pairs)
            wide_logits = tf.nn.embedding_lookup(pairs, a * CATEGORIES + b)
        with tf.variable_scope("deep"):
            table = parameter("embedding", CATEGORIES, SIZE)
            both = tf.concat([tf.nn.embedding_lookup(table, a), tf.nn.embedding_lookup(table, b)], axis=1)
            hidden = tf.nn.relu(tf.nn.xw_plus_b(both, parameter("w1", 2 * SIZE, 16), parameter("b1", 16)))
            deep_logits = tf.reshape(tf.matmul(hidden, parameter("w2", 16, 1)), [-1])
        logits = wide_logits + deep_logits
        loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=label, logits=logits))
        correct = tf.equal(logits > 0, label > 0.5)
        accuracy = tf.reduce_mean(tf.to_float(correct))

        wide, deep = tf.get_collection("wide"), tf.get_collection("deep")
        grads = tf.tuple(tf.gradients(loss, wide + deep))  # all of them, before the first variable moves
        global_step = tf.train.get_or_create_global_step()
        adagrad, adam = tf.train.AdagradOptimizer(2.0), tf.train.AdamOptimizer(0.01)
        train_op = tf.group(
            adagrad.apply_gradients(zip(grads[: len(wide)], wide, strict=True)),
            adam.apply_gradients(zip(grads[len(wide) :], deep, strict=True), global_step=global_step),
        )

        losses = []
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            for _ in range(150):
                feed = dict(zip((a, b, label), examples(rng, taste, exceptions, BATCH), strict=True))
                losses.append(sess.run([train_op, loss], feed)[1])
            test = dict(zip((a, b, label), examples(rng, taste, exceptions, 1000), strict=True))
            score, step, weights = sess.run([accuracy, global_step, pairs], test)
    return {
        "losses": np.array(losses),
        "accuracy": score,
        "steps": step,
        "wide": [v.name for v in wide],
        "wide weights": weights[:20],
        "wide slots": adagrad.get_slot_names(),
        "deep": [v.name for v in deep],
        "deep slots": adam.get_slot_names(),
    }


if __name__ == "__main__":
    answers = run()
    print(f"wide: {answers['wide']} with {answers['wide slots']}")
    print(f"deep: {answers['deep']} with {answers['deep slots']}")
    print(f"test accuracy: {100 * answers['accuracy']:.1f} % after {answers['steps']} steps")
