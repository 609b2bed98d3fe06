"""A hidden Markov model: the forward recursion in Python, its likelihood climbed by gradient, the best path."""

import numpy as np

import steepest.v1 as tf

OBSERVED = [0, 1, 2, 2, 0, 1, 1, 2, 0, 0]


def forward(start, move, show):
    """The sum of the logarithms of what keeps the state probabilities at one."""
    state, logs = start * show[:, OBSERVED[0]], []
    for k, seen in enumerate(OBSERVED):
        if k:
            state = tf.reshape(tf.matmul(tf.expand_dims(state, 0), move), [-1]) * show[:, seen]
        total = tf.reduce_sum(state)
        logs.append(tf.log(total))
        state = state / total
    return tf.add_n(logs), state


def best_path(start, move, show):
    score, back = tf.log(start) + tf.log(show[:, OBSERVED[0]]), []
    for seen in OBSERVED[1:]:
        ways = tf.expand_dims(score, 1) + tf.log(move)
        back.append(tf.argmax(ways, 0, output_type=tf.int32))
        score = tf.reduce_max(ways, 0) + tf.log(tf.squeeze(tf.slice(show, [0, seen], [2, 1]), 1))
    path = [tf.argmax(score, output_type=tf.int32)]
    for step in reversed(back):
        path.append(tf.gather(step, path[-1]))
    return tf.stack(path[::-1])


def run():
    tf.reset_default_graph()
    with tf.variable_scope("model", dtype=tf.float64):
        start_logits = tf.get_variable("start", initializer=np.array([0.4, 0.0]))
        move_logits = tf.get_variable("move", initializer=np.array([[0.8, 0.0], [0.0, 0.4]]))
        show_logits = tf.get_variable(
            "show", [2, 3], initializer=tf.constant_initializer([0.1, 1.4, 1.6, 1.8, 1.1, 0.0])
        )
    start, move, show = tf.nn.softmax(start_logits), tf.nn.softmax(move_logits), tf.nn.softmax(show_logits, axis=1)
    likelihood, state = forward(start, move, show)
    path = best_path(start, move, show)
    prior = tf.add_n([tf.nn.l2_loss(v) for v in tf.trainable_variables("model")])
    train = tf.train.GradientDescentOptimizer(np.float64(0.2)).minimize(0.01 * prior - likelihood)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        trace, paths = [], []
        for _ in range(40):
            value, found, _ = sess.run([likelihood, path, train])
            trace.append(value)
            paths.append(found)
        of_move, of_show = sess.run(tf.gradients(likelihood, [move, show]))
        final = sess.run({"start": start, "move": move, "show": show, "state": state})
    return {
        "likelihoods": np.array(trace),
        "first path": paths[0],
        "path": paths[-1],
        "of move": of_move,
        "of show": of_show,
        **final,
    }


if __name__ == "__main__":
    answers = run()
    print(f"log-likelihood {answers['likelihoods'][0]:.4f} at first, {answers['likelihoods'][-1]:.4f} at last")
    print("states:", *answers["path"])
