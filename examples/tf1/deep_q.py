"""Q-learning with a target network: walk along a corridor; the copy of the weights is an operation of assignments."""

import numpy as np

import steepest.v1 as tf

CELLS, ACTIONS, GAMMA = 6, 2, 0.9


def q_network(state, name, start):
    with tf.variable_scope(name):
        w1 = tf.get_variable("w1", initializer=tf.constant(start[0], tf.float32))
        w2 = tf.get_variable("w2", initializer=tf.constant(start[1], tf.float32))
        return tf.matmul(tf.nn.tanh(tf.matmul(state, w1)), w2)


def walk(cell, action):
    """Left or right; the reward is at the right end."""
    after = np.clip(cell + 2 * action - 1, 0, CELLS - 1)
    return after, (after == CELLS - 1).astype(np.float32)


def run():
    rng = np.random.RandomState(27)
    start = rng.randn(CELLS, 12) * 0.4, rng.randn(12, ACTIONS) * 0.1

    with tf.Graph().as_default():
        state, after = tf.placeholder(tf.int32, [None]), tf.placeholder(tf.int32, [None])
        action, reward = tf.placeholder(tf.int32, [None]), tf.placeholder(tf.float32, [None])
        q = q_network(tf.one_hot(state, CELLS), "online", start)
        q_target = q_network(tf.one_hot(after, CELLS), "target", start)
        best = tf.reduce_max(q_target, axis=1) * (1.0 - reward)
        wanted = tf.stop_gradient(reward + GAMMA * best)
        chosen = tf.reduce_sum(q * tf.one_hot(action, ACTIONS), axis=1)
        loss = tf.reduce_mean(tf.square(wanted - chosen))

        online = tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope="online")
        target = tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope="target")
        train_op = tf.train.AdamOptimizer(0.02).minimize(loss, var_list=online)
        update_target = [t.assign(o) for t, o in zip(target, online, strict=True)]
        soften = tf.group(*[t.assign(0.9 * t + 0.1 * o) for t, o in zip(target, online, strict=True)])
        greedy = tf.argmax(q, 1)

        losses = []
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            for step in range(160):
                cells, actions = rng.randint(0, CELLS - 1, 32), rng.randint(0, ACTIONS, 32)
                next_cells, rewards = walk(cells, actions)
                feed = {state: cells, action: actions, reward: rewards, after: next_cells}
                losses.append(sess.run([loss, train_op], feed_dict=feed)[0])
                if step < 80 and step % 20 == 19:
                    sess.run(update_target)
                elif step >= 80:
                    sess.run(soften)
            everywhere = {state: np.arange(CELLS - 1)}
            policy, values = sess.run([greedy, tf.reduce_max(q, 1)], everywhere)
    return {"losses": np.array(losses[::4]), "policy": policy, "values": values}


if __name__ == "__main__":
    answers = run()
    print("go right in each cell:", bool(answers["policy"].all()))
    print("values:", answers["values"])
