"""A layer of self-attention with two heads: padding and the future are masked, labels smoothed, the rate warms up."""

import numpy as np

import steepest.v1 as tf

WORDS, SIZE, HEADS, LARGE = 11, 8, 2, 2.0**32 - 1


def parameter(rng, name, *shape):
    return tf.get_variable(name, initializer=tf.constant(rng.randn(*shape) * 0.3, dtype=tf.float32))


def normalize(inputs, epsilon=1e-6, scope="layer_norm"):
    with tf.variable_scope(scope):
        sizes = inputs.get_shape()[-1:]
        mean, variance = tf.nn.moments(inputs, [-1], keep_dims=True)
        beta = tf.get_variable("beta", sizes, initializer=tf.zeros_initializer())
        gamma = tf.get_variable("gamma", sizes, initializer=tf.ones_initializer())
        return gamma * (inputs - mean) / tf.sqrt(variance + epsilon) + beta


def attend(x, known, rng):
    """Every word looks at itself and at the words before it that are not padding."""
    length = tf.shape(x)[1]
    projected = [tf.tensordot(x, parameter(rng, name, SIZE, SIZE), axes=[[2], [0]]) for name in "qkv"]
    q, k, v = [tf.concat(tf.split(part, HEADS, axis=2), axis=0) for part in projected]
    scores = tf.matmul(q, tf.transpose(k, [0, 2, 1])) / (SIZE // HEADS) ** 0.5
    padding = tf.tile(tf.expand_dims(tf.tile(known, [HEADS, 1]), 1), [1, length, 1])
    past = tf.matrix_band_part(tf.ones_like(scores[0]), -1, 0)
    past = tf.tile(tf.expand_dims(past, 0), [tf.shape(scores)[0], 1, 1])
    scores = tf.where(tf.equal(padding * past, 0), tf.ones_like(scores) * -LARGE, scores)
    weights = tf.nn.softmax(scores)
    return tf.concat(tf.split(tf.matmul(weights, v), HEADS, axis=0), axis=2), weights


def run():
    rng = np.random.RandomState(7)
    tf.reset_default_graph()
    words = tf.placeholder(tf.int32, [None, None])
    following = tf.placeholder(tf.int32, [None, None])
    known = tf.to_float(tf.not_equal(words, 0))
    with tf.variable_scope("embedding"):
        table = tf.concat([tf.zeros([1, SIZE]), parameter(rng, "table", WORDS - 1, SIZE)], 0)
        place = tf.tile(tf.expand_dims(tf.range(tf.shape(words)[1]), 0), [tf.shape(words)[0], 1])
        x = tf.nn.embedding_lookup(table, words) * SIZE**0.5
        x += tf.nn.embedding_lookup(parameter(rng, "place", 10, SIZE), place)
    with tf.variable_scope("attention"):
        attended, weights = attend(x, known, rng)
        x = normalize(x + attended)
    logits = tf.einsum("btd,dv->btv", x, parameter(rng, "output", SIZE, WORDS))
    smooth = 0.9 * tf.one_hot(following, WORDS) + 0.1 / WORDS
    losses = tf.nn.softmax_cross_entropy_with_logits_v2(logits=logits, labels=smooth)
    loss = tf.reduce_sum(losses * known) / tf.reduce_sum(known)

    global_step = tf.train.get_or_create_global_step()
    step = tf.cast(global_step + 1, tf.float32)
    rate = SIZE**-0.5 * tf.minimum(step * 8**-1.5, step**-0.5)
    train = tf.train.AdamOptimizer(rate, 0.9, 0.98, 1e-9).minimize(loss, global_step=global_step)

    batch = rng.randint(1, WORDS, (4, 6))
    batch[1, 3:], batch[3, 5:] = 0, 0
    feed = {words: batch, following: np.roll(batch, -1, axis=1) * (np.roll(batch, -1, axis=1) > 0)}
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        trace = [sess.run([loss, rate, train], feed)[:2] for _ in range(8)]
        found, best = sess.run([weights, tf.argmax(logits, axis=-1)], feed)
    return {"losses and rates": np.array(trace), "weights": found[1], "best": best}


if __name__ == "__main__":
    answers = run()
    first, final = answers["losses and rates"][[0, -1], 0]
    print(f"loss {first:.3f} at first, {final:.3f} at last\nthe last word looks at {answers['weights'][2].round(2)}")
