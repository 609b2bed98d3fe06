"""One optimizer for each module of a model; collections remember which variable belongs where."""

import numpy as np

import steepest.v1 as tf


def dense(name, inputs, size, rng, collection, activation=None):
    with tf.variable_scope(name):
        start = (rng.randn(int(inputs.shape[1]), size) * 0.4).astype(np.float32)
        w = tf.get_variable("w", initializer=start)
        b = tf.get_variable("b", [size], initializer=tf.zeros_initializer())
    for variable in (w, b):
        tf.add_to_collection(collection, variable)
    outputs = tf.nn.bias_add(tf.matmul(inputs, w), b)
    return activation(outputs) if activation else outputs


def run():
    rng = np.random.RandomState(6)
    features = rng.randn(80, 5).astype(np.float32)
    labels = (features[:, 0] * features[:, 1] > 0).astype(np.float32)

    tf.reset_default_graph()
    x, y = tf.placeholder(tf.float32, [None, 5]), tf.placeholder(tf.float32, [None])
    hidden = dense("encoder/layer1", x, 16, rng, "encoder_module", tf.nn.relu)
    hidden = dense("encoder/layer2", hidden, 8, rng, "encoder_module", tf.nn.tanh)
    logits = tf.squeeze(dense("head", hidden, 1, rng, "head_module"), axis=1)
    loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=logits))
    right = tf.equal(tf.greater(logits, 0.0), tf.greater(y, 0.5))
    accuracy = tf.reduce_mean(tf.cast(right, tf.float32))

    global_step = tf.train.get_or_create_global_step()
    encoder_op = tf.train.AdamOptimizer(0.02).minimize(loss, global_step, tf.get_collection("encoder_module"))
    head_op = tf.train.MomentumOptimizer(0.1, momentum=0.9).minimize(loss, var_list=tf.get_collection("head_module"))

    losses = []
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(60):
            losses.append(sess.run(loss, {x: features, y: labels}))
            sess.run(encoder_op, {x: features, y: labels})
            sess.run(head_op, {x: features, y: labels})
        score, steps = sess.run([accuracy, global_step], {x: features, y: labels})
    return {
        "encoder": [v.op.name for v in tf.get_collection("encoder_module")],
        "second layer": [v.op.name for v in tf.get_collection("encoder_module", scope="encoder/layer2")],
        "head": [v.op.name for v in tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope="head")],
        "all": sorted(v.op.name for v in tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES)),
        "losses": np.array(losses),
        "accuracy": score,
        "steps": steps,
    }


if __name__ == "__main__":
    for name, value in run().items():
        print(f"{name}: {value}")
