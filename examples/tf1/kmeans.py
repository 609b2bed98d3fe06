"""k-means without any optimizer: distances, nearest centers, sums by cluster, and one assignment per step."""

import numpy as np

import steepest.v1 as tf

K, STEPS = 4, 8


def run():
    rng = np.random.RandomState(28)
    corners = np.array([[0, 0], [6, 0], [0, 6], [6, 6]])
    points = (corners[np.arange(80) % 4] + rng.randn(80, 2)).astype(np.float32)

    graph = tf.Graph()
    with graph.as_default():
        data = tf.constant(points)
        centers = tf.Variable(tf.slice(data, [0, 0], [K, -1]) * 0.5, name="centers")
        assigned = tf.Variable(tf.zeros([80], dtype=tf.int64), trainable=False)

        differences = tf.expand_dims(data, 0) - tf.expand_dims(centers, 1)
        distances = tf.reduce_sum(tf.square(differences), 2)
        nearest = tf.argmin(distances, 0)
        changed = tf.reduce_any(tf.not_equal(nearest, assigned))
        inertia = tf.reduce_sum(tf.reduce_min(distances, 0))
        total = tf.unsorted_segment_sum(data, nearest, K)
        count = tf.unsorted_segment_sum(tf.ones([80, 1]), nearest, K)
        with tf.control_dependencies([changed, inertia]):
            update = tf.group(centers.assign(total / tf.maximum(count, 1.0)), assigned.assign(nearest))

        inertias, moved = [], []
        with tf.Session(graph=graph) as sess:
            sess.run(tf.global_variables_initializer())
            for _ in range(STEPS):
                moving, value, _ = sess.run([changed, inertia, update])
                inertias.append(value)
                moved.append(moving)
            found, sizes = sess.run([centers, count])
    return {"inertias": np.array(inertias), "changed": np.array(moved), "centers": found, "sizes": sizes.ravel()}


if __name__ == "__main__":
    for name, value in run().items():
        print(f"{name}: {value}")
