"""What an optimizer keeps for a variable: its slots, their names in the graph, and where ``_slots`` has them."""

import numpy as np

import steepest.v1 as tf

ROWS, SIZE = 1000, 10
OPTIMIZERS = {
    "Adagrad": lambda step: tf.train.AdagradOptimizer(0.1),
    "Adam": lambda step: tf.train.AdamOptimizer(0.01),
    # Not in TensorFlow itself but in forks of it for advertising models.
    "AdagradDecay": lambda step: tf.train.AdagradDecayOptimizer(0.1, step, accumulator_decay_step=2),
}


def observe(make):
    rng = np.random.RandomState(5)
    start = rng.randn(ROWS, SIZE).astype(np.float32)
    with tf.Graph().as_default() as graph:
        with tf.variable_scope("scope_emb"), tf.variable_scope("input_from_feature_columns/word_embedding"):
            weights = tf.get_variable("weights", [ROWS, SIZE], initializer=tf.constant_initializer(start))
        ids = tf.placeholder(tf.int64, [None])
        loss = tf.reduce_sum(tf.square(tf.nn.embedding_lookup(weights, ids)))

        step = tf.train.get_or_create_global_step()
        opt = make(step)
        with tf.variable_scope("OptimizeLoss"):
            train_op = opt.minimize(loss, global_step=step)

        seen = {"slot names": opt.get_slot_names()}
        for slot_name in opt.get_slot_names():
            for (owner, variable), slot in opt._slots[slot_name].items():
                assert owner is graph
                assert slot is opt.get_slot(weights, slot_name)
                seen[slot_name] = [variable, slot.name, slot.dtype.base_dtype.name]
        seen["variables"] = [v.name for v in tf.global_variables()]
        seen["trainable"] = [v.name for v in tf.trainable_variables()]
        first = opt.get_slot(weights, opt.get_slot_names()[0])
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            for batch in ([3, 999, 3], [4, 3], [0, 3], [999]):
                sess.run(train_op, {ids: batch})
            seen["rows"] = sess.run(tf.gather(weights, [0, 3, 4, 5, 999]))[:, :3]
            seen["rows of the first slot"] = sess.run(tf.gather(first, [0, 3, 4, 5, 999]))[:, :3]
        return seen


def run():
    return {f"{name}: {key}": value for name, make in OPTIMIZERS.items() for key, value in observe(make).items()}


if __name__ == "__main__":
    for name, value in run().items():
        print(f"{name}: {value}")
