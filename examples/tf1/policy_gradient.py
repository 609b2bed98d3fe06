"""A bandit with contexts: the chosen weight is sliced out, and its logarithm times the reward is the loss."""

import numpy as np

import steepest.v1 as tf

CONTEXTS, ARMS = 3, 4


def run():
    rng = np.random.RandomState(31)
    means = np.array([[0.2, 0.0, -0.0, -5.0], [0.1, -5.0, 1.0, 0.25], [-5.0, 5.0, 5.5, 5.0]])

    tf.reset_default_graph()
    state_in = tf.placeholder(shape=[1], dtype=tf.int32)
    weights = tf.Variable(tf.ones([CONTEXTS, ARMS]))
    output = tf.reshape(tf.nn.softmax(tf.nn.embedding_lookup(weights, state_in)), [-1])
    chosen_action = tf.argmax(output, 0)
    reward_holder = tf.placeholder(shape=[1], dtype=tf.float32)
    action_holder = tf.placeholder(shape=[1], dtype=tf.int32)
    responsible_weight = tf.slice(output, action_holder, [1])
    loss = -(tf.log(responsible_weight) * reward_holder)
    update = tf.train.GradientDescentOptimizer(learning_rate=0.1).minimize(loss)

    total_reward = np.zeros([CONTEXTS, ARMS])
    losses, trace = [], []
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for i in range(300):
            s, arm = i % CONTEXTS, rng.randint(ARMS)
            if rng.rand() > 0.3:
                arm = sess.run(chosen_action, feed_dict={state_in: [s]})
            reward = 1.0 if rng.randn() < means[s, arm] else -1.0
            feed_dict = {reward_holder: [reward], action_holder: [arm], state_in: [s]}
            _, value = sess.run([update, loss], feed_dict=feed_dict)
            total_reward[s, arm] += reward
            losses.append(value[0])
            if i % 60 == 59:
                trace.append(sess.run(weights).argmax(axis=1))
        final = sess.run(weights)
    return {"losses": np.array(losses[::6]), "weights": final, "rewards": total_reward, "best arms": np.array(trace)}


if __name__ == "__main__":
    answers = run()
    print(f"best arms found: {answers['best arms'][-1]}\nmean reward: {answers['rewards'].sum() / 300:.3f}")
