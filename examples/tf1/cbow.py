"""Continuous bag of words: a word is predicted from the mean of its neighbours' vectors."""

import collections

import numpy as np

import steepest.v1 as tf

VERSES = """the cat sat on the mat and the dog sat on the rug the cat saw the dog and the dog saw the cat
a bird flew over the house and a kite flew over the hill the bird saw the kite and the kite saw nothing
the mat lay in the house and the rug lay in the house the hill lay under the sky the sky lay over the hill"""
WINDOW, SIZE, BATCH = 2, 8, 16


def examples():
    words = VERSES.split()
    ranked = [word for word, _ in sorted(collections.Counter(words).items(), key=lambda item: (-item[1], item[0]))]
    ids = [ranked.index(word) for word in words]
    middles = range(WINDOW, len(ids) - WINDOW)
    around = [[ids[i + o] for o in range(-WINDOW, WINDOW + 1) if o] for i in middles]
    return ranked, np.array(around, np.int32), np.array([[ids[i]] for i in middles], np.int32)


def run():
    rng = np.random.RandomState(10)
    dictionary, contexts, targets = examples()
    size = len(dictionary)

    with tf.Graph().as_default():
        train_dataset = tf.placeholder(tf.int32, shape=[BATCH, 2 * WINDOW])
        train_labels = tf.placeholder(tf.int32, shape=[BATCH, 1])
        embeddings = tf.Variable(rng.uniform(-1.0, 1.0, (size, SIZE)).astype(np.float32))
        softmax_weights = tf.Variable((rng.randn(SIZE, size) / np.sqrt(SIZE)).astype(np.float32))
        softmax_biases = tf.Variable(tf.zeros([size]))

        embed = tf.nn.embedding_lookup(embeddings, train_dataset)
        embed_context = tf.reduce_mean(embed, 1)
        logits = tf.matmul(embed_context, softmax_weights) + softmax_biases
        one_hot = tf.one_hot(tf.reshape(train_labels, [-1]), size)
        loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=one_hot, logits=logits))
        optimizer = tf.train.AdagradOptimizer(1.0).minimize(loss)

        norm = tf.sqrt(tf.reduce_sum(tf.square(embeddings), 1, keep_dims=True))
        normalized_embeddings = embeddings / norm
        words = tf.constant([dictionary.index(word) for word in ("cat", "mat", "over")])
        valid_embeddings = tf.nn.embedding_lookup(normalized_embeddings, words)
        similarity = tf.matmul(valid_embeddings, tf.transpose(normalized_embeddings))

        losses = []
        with tf.Session() as session:
            tf.global_variables_initializer().run()
            for step in range(120):
                batch = (step * BATCH + np.arange(BATCH)) % len(targets)
                feed_dict = {train_dataset: contexts[batch], train_labels: targets[batch]}
                _, lo = session.run([optimizer, loss], feed_dict=feed_dict)
                losses.append(lo)
            sim = similarity.eval()
    nearest = [[dictionary[i] for i in np.argsort(-row)[1:4]] for row in sim]
    return {"losses": np.array(losses), "similarity": sim[:, :5], "near cat, mat, over": nearest}


if __name__ == "__main__":
    answers = run()
    print(f"average loss of the last ten steps: {answers['losses'][-10:].mean():.3f}")
    print("near cat, mat, over:", answers["near cat, mat, over"])
