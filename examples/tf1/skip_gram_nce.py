"""Skip-gram with noise-contrastive estimation: a few sampled words instead of a softmax over all of them.

The samples are drawn here and given to ``tf.nn.nce_loss`` with their expected counts, so that a run can be repeated.
"""

import numpy as np

import steepest.v1 as tf

VOCABULARY, SIZE, SAMPLED, BATCH = 40, 8, 12, 24


def expected_count(ids):
    """How often a word is expected among the samples: frequent words have small numbers, as in Zipf's law."""
    ids = np.asarray(ids, np.float64)
    chance = np.log((ids + 2) / (ids + 1)) / np.log(VOCABULARY + 1)
    return (-np.expm1(SAMPLED * np.log1p(-chance))).astype(np.float32)


def batches(rng, count):
    """Words meet words of the same tenth."""
    chances = expected_count(np.arange(VOCABULARY)).astype(np.float64)
    for _ in range(count):
        words = rng.choice(VOCABULARY, BATCH, p=chances / chances.sum())
        neighbours = words // 10 * 10 + rng.randint(0, 10, BATCH)
        yield words, neighbours[:, None], rng.choice(VOCABULARY, SAMPLED, False, chances / chances.sum())


def run():
    rng = np.random.RandomState(11)
    graph = tf.Graph()
    with graph.as_default():
        with tf.name_scope("inputs"):
            train_inputs = tf.placeholder(tf.int32, shape=[BATCH])
            train_labels = tf.placeholder(tf.int64, shape=[BATCH, 1])
            sampled = tf.placeholder(tf.int64, [SAMPLED])
            true_expected = tf.placeholder(tf.float32, [BATCH, 1])
            sampled_expected = tf.placeholder(tf.float32, [SAMPLED])
        embeddings = tf.Variable(rng.uniform(-1, 1, (VOCABULARY, SIZE)).astype(np.float32), name="embeddings")
        embed = tf.nn.embedding_lookup(embeddings, train_inputs)
        nce_weights = tf.Variable((rng.randn(VOCABULARY, SIZE) / np.sqrt(SIZE)).astype(np.float32), name="nce_weights")
        nce_biases = tf.Variable(tf.zeros([VOCABULARY]), name="nce_biases")
        per_word = tf.nn.nce_loss(
            weights=nce_weights,
            biases=nce_biases,
            labels=train_labels,
            inputs=embed,
            num_sampled=SAMPLED,
            num_classes=VOCABULARY,
            sampled_values=(sampled, true_expected, sampled_expected),
        )
        loss = tf.reduce_mean(per_word)
        optimizer = tf.train.GradientDescentOptimizer(0.5).minimize(loss)
        normalized = tf.nn.l2_normalize(embeddings, 1)
        similarity = tf.matmul(normalized, normalized, transpose_b=True)
        init = tf.global_variables_initializer()

    losses = []
    with tf.Session(graph=graph) as session:
        init.run()
        for words, neighbours, noise in batches(rng, 150):
            feed_dict = {train_inputs: words, train_labels: neighbours, sampled: noise}
            feed_dict.update({true_expected: expected_count(neighbours), sampled_expected: expected_count(noise)})
            losses.append(session.run([optimizer, loss], feed_dict)[1])
        sim = similarity.eval()
    same = np.arange(VOCABULARY)[:, None] // 10 == np.arange(VOCABULARY) // 10
    within, between = sim[same & ~np.eye(VOCABULARY, dtype=bool)].mean(), sim[~same].mean()
    return {"losses": np.array(losses), "first similarities": sim[0, :8], "within": within, "between": between}


if __name__ == "__main__":
    answers = run()
    print(f"loss of the first ten steps {answers['losses'][:10].mean():.3f}, last {answers['losses'][-10:].mean():.3f}")
    print(f"mean similarity within a tenth {answers['within']:.3f}, between tenths {answers['between']:.3f}")
