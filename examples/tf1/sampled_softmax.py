"""Continuous words of a small text with a sampled softmax; the most similar words of some by their cosine."""

import collections

import numpy as np

import steepest.v1 as tf

TEXT = (
    "the quick brown fox jumps over the lazy dog the dog sleeps while the fox runs over the hill and the quick dog "
    "jumps over the brown hill " * 6
).split()
SIZE, BATCH, SAMPLED = 8, 16, 5


def read():
    count = collections.Counter(TEXT).most_common()
    dictionary = {word: number for number, (word, _) in enumerate(count)}
    return [dictionary[word] for word in TEXT], [word for word, _ in count]


def batches(data, count):
    buffer = collections.deque(data[:3], maxlen=3)
    position = 3
    for _ in range(count):
        centers, labels = [], []
        for k in range(BATCH):
            centers.append(buffer[1])
            labels.append([buffer[0] if k % 2 else buffer[2]])
            buffer.append(data[position % len(data)])
            position += 1
        yield np.array(centers, np.int32), np.array(labels, np.int32)


def run():
    rng = np.random.RandomState(1)
    data, words = read()
    graph = tf.Graph()
    with graph.as_default(), tf.device("/cpu:0"):
        centers = tf.placeholder(tf.int32, shape=[BATCH])
        labels = tf.placeholder(tf.int32, shape=[BATCH, 1])
        asked = tf.constant([0, 1, 2, 3], dtype=tf.int32)
        embeddings = tf.Variable(rng.uniform(-1, 1, (len(words), SIZE)).astype(np.float32))
        weights = tf.Variable(rng.normal(0, SIZE**-0.5, (len(words), SIZE)).astype(np.float32))
        biases = tf.Variable(tf.zeros([len(words)]))
        embed = tf.nn.embedding_lookup(embeddings, centers)
        drawn = (
            tf.constant([0, 2, 4, 6, 8], tf.int64),
            tf.fill([BATCH, 1], 0.5),
            tf.constant([0.4, 0.3, 0.2, 0.15, 0.1]),
        )
        losses = tf.nn.sampled_softmax_loss(
            weights, biases, labels, embed, SAMPLED, len(words), sampled_values=drawn, remove_accidental_hits=True
        )
        loss = tf.reduce_mean(losses)
        train = tf.train.AdagradOptimizer(1.0).minimize(loss)
        norm = tf.sqrt(tf.reduce_sum(tf.square(embeddings), 1, keep_dims=True))
        normalized = embeddings / norm
        similarity = tf.matmul(tf.nn.embedding_lookup(normalized, asked), tf.transpose(normalized))
        nearest = tf.nn.top_k(similarity, k=4)

    with tf.Session(graph=graph) as session:
        tf.global_variables_initializer().run()
        trace = [session.run([train, loss], {centers: c, labels: w})[1] for c, w in batches(data, 60)]
        near = session.run(nearest)
    likes = [[words[k] for k in row] for row in near.indices]
    return {"losses": np.array(trace), "similarity": near.values, "nearest": likes}


if __name__ == "__main__":
    answers = run()
    print(f"loss {answers['losses'][0]:.3f} at first, {answers['losses'][-5:].mean():.3f} at last")
    for word, *others in answers["nearest"]:
        print(f"{word}: {', '.join(others)}")
