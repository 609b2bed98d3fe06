"""Two graphs with the same names in one process, each with a session of its own, trained in turns."""

import numpy as np

import steepest.v1 as tf


def build(graph, start, rate):
    with graph.as_default():
        x = tf.placeholder(tf.float32, [None, 2], name="x")
        y = tf.placeholder(tf.float32, [None], name="y")
        w = tf.get_variable("w", initializer=tf.constant(start, tf.float32))
        loss = tf.reduce_mean(tf.square(tf.reduce_sum(x * w, axis=1) - y), name="loss")
        opt = tf.train.MomentumOptimizer(rate, 0.8, use_nesterov=True)
        opt.minimize(loss, tf.train.get_or_create_global_step(), name="train")
        tf.add_to_collection("init", tf.global_variables_initializer())


def run():
    rng = np.random.RandomState(16)
    points = rng.randn(30, 2).astype(np.float32)
    wanted = points.dot([1.5, -0.5]).astype(np.float32)

    g1, g2 = tf.Graph(), tf.Graph()
    build(g1, [0.0, 0.0], 0.05)
    build(g2, [3.0, 3.0], 0.01)
    s1, s2 = tf.Session(graph=g1), tf.Session(graph=g2)
    for graph, sess in ((g1, s1), (g2, s2)):
        sess.run(graph.get_collection("init")[0])

    losses = {s1: [], s2: []}
    for turn in range(24):
        for sess in (s1, s2) if turn % 3 else (s1,):  # the second rests every third turn
            feed = {"x:0": points, "y:0": wanted}
            losses[sess].append(sess.run(["loss:0", "train"], feed_dict=feed)[0])
    answers = {}
    for name, graph, sess in (("first", g1, s1), ("second", g2, s2)):
        with graph.as_default(), sess.as_default():
            (w,) = tf.trainable_variables()
            answers[f"{name} losses"] = np.array(losses[sess])
            answers[f"{name} w"] = w.eval()
            answers[f"{name} step"] = tf.train.get_global_step().eval()
            answers[f"{name} variables"] = [v.name for v in tf.global_variables()]
        sess.close()
    try:
        s1.run("loss:0")
    except RuntimeError as error:
        answers["a closed session"] = type(error).__name__
    return answers


if __name__ == "__main__":
    for name, value in run().items():
        print(f"{name}: {value}")
