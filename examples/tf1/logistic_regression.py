"""Logistic regression on three clouds of points: softmax and cross-entropy spelled out, mini-batches, accuracy."""

import numpy as np

import steepest.v1 as tf

learning_rate = 0.1
training_epochs = 8
batch_size = 30


def clouds(rng, size):
    centers = np.array([[1.5, 0.0], [-1.0, 1.2], [-0.5, -1.6]])
    labels = np.arange(size) % 3
    return (centers[labels] + 0.8 * rng.randn(size, 2)).astype(np.float32), np.eye(3, dtype=np.float32)[labels]


def run():
    rng = np.random.RandomState(8)
    train_x, train_y = clouds(rng, 300)
    test_x, test_y = clouds(rng, 90)

    tf.reset_default_graph()
    x = tf.placeholder(tf.float32, [None, 2])
    y = tf.placeholder(tf.float32, [None, 3])
    W = tf.Variable(tf.zeros([2, 3]))
    b = tf.Variable(tf.zeros([3]))
    pred = tf.nn.softmax(tf.matmul(x, W) + b)
    cost = tf.reduce_mean(-tf.reduce_sum(y * tf.log(pred), reduction_indices=1))
    optimizer = tf.train.GradientDescentOptimizer(learning_rate).minimize(cost)
    correct_prediction = tf.equal(tf.argmax(pred, 1), tf.argmax(y, 1))
    accuracy = tf.reduce_mean(tf.cast(correct_prediction, tf.float32))
    init = tf.global_variables_initializer()

    costs = []
    with tf.Session() as sess:
        sess.run(init)
        for _ in range(training_epochs):
            avg_cost = 0.0
            total_batch = int(len(train_x) / batch_size)
            for i in range(total_batch):
                batch = slice(i * batch_size, (i + 1) * batch_size)
                _, c = sess.run([optimizer, cost], feed_dict={x: train_x[batch], y: train_y[batch]})
                avg_cost += c / total_batch
            costs.append(avg_cost)
        return {
            "costs": np.array(costs),
            "accuracy": accuracy.eval({x: test_x, y: test_y}),
            "W": W.eval(),
            "b": b.eval(),
            "chances of the first": pred.eval({x: test_x[:1]}),
        }


if __name__ == "__main__":
    answers = run()
    for epoch, cost in enumerate(answers["costs"]):
        print(f"Epoch: {epoch + 1:04d} cost= {cost:.9f}")
    print(f"Accuracy: {answers['accuracy']:.4f}")
