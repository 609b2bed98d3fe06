"""Ratings from the product of a user's and an item's vector, by embedding lookups; the unseen rows stay as they are."""

import numpy as np

import steepest.v1 as tf

USERS, ITEMS, RANK, BATCH = 30, 50, 3, 64


def run():
    rng = np.random.RandomState(13)
    true_users, true_items = rng.randn(USERS, RANK), rng.randn(ITEMS, RANK)

    def ratings(size):
        u, i = rng.randint(0, USERS, size), rng.randint(0, ITEMS - 5, size)  # the last five items are never rated
        return u, i, 3 + np.sum(true_users[u] * true_items[i], axis=1) + 0.1 * rng.randn(size)

    train_u, train_i, train_r = ratings(900)
    test_u, test_i, test_r = ratings(200)
    start = (0.1 * rng.randn(ITEMS, RANK)).astype(np.float32)

    with tf.Graph().as_default():
        user, item = tf.placeholder(tf.int32, [None]), tf.placeholder(tf.int32, [None])
        rating = tf.placeholder(tf.float32, [None])
        user_matrix = tf.Variable((0.1 * rng.randn(USERS, RANK)).astype(np.float32), name="users")
        item_matrix = tf.Variable(start, name="items")
        user_bias, item_bias = tf.Variable(tf.zeros([USERS])), tf.Variable(tf.zeros([ITEMS]))
        mean = tf.constant(train_r.mean(), dtype=tf.float32)

        p, q = tf.nn.embedding_lookup(user_matrix, user), tf.nn.embedding_lookup(item_matrix, item)
        bias = tf.nn.embedding_lookup(user_bias, user) + tf.nn.embedding_lookup(item_bias, item)
        prediction = mean + bias + tf.reduce_sum(tf.multiply(p, q), axis=1)
        error = tf.reduce_mean(tf.square(rating - prediction))
        penalty = 0.002 * (tf.nn.l2_loss(p) + tf.nn.l2_loss(q)) / tf.to_float(tf.shape(user)[0])
        train_op = tf.train.AdagradOptimizer(0.3).minimize(error + penalty)
        rmse = tf.sqrt(error)

        errors = []
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            for epoch in range(15):
                order = rng.permutation(len(train_r))
                for at in range(0, len(order), BATCH):
                    batch = order[at : at + BATCH]
                    sess.run(train_op, {user: train_u[batch], item: train_i[batch], rating: train_r[batch]})
                if epoch % 5 == 4:
                    errors.append(sess.run(rmse, {user: test_u, item: test_i, rating: test_r}))
            items = sess.run(item_matrix)
    untouched = bool((items[-5:] == start[-5:]).all() and (items[:-5] != start[:-5]).all())
    return {"test errors": np.array(errors), "spread": test_r.std(), "items": items[:3], "unseen untouched": untouched}


if __name__ == "__main__":
    answers = run()
    print(f"test errors {answers['test errors']} (without a model: {answers['spread']:.3f})")
    print("items nobody rated stay as they were:", answers["unseen untouched"])
