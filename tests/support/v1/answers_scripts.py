"""Programs that are small forms of what public scripts do: models."""

from __future__ import annotations

import os
import tempfile
from typing import Any

import numpy as np
from answers import graph, run


@graph
def initial_values_fed_by_their_assignments(tf: Any) -> Any:
    x = tf.placeholder(tf.float32, (None, 2), name="x")
    hidden = tf.layers.dense(x, 3, activation=tf.nn.relu, name="hidden")
    default = tf.get_default_graph()
    kernel = default.get_operation_by_name("hidden/kernel/Assign")
    bias = default.get_operation_by_name("hidden/bias/Assign")
    feeds = {kernel.inputs[1]: [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], bias.inputs[1]: [7.0, 8.0, -90.0]}
    more = tf.assign_add(tf.Variable([1.0], name="v"), [2.0], name="more").op
    names = [op.inputs[0].op.name for op in (kernel, bias, more)]
    with tf.Session() as session:
        session.run(tf.global_variables_initializer(), feeds)
        return session.run(hidden, {x: [[10.0, 11.0]]}), names, len(more.inputs), session.run(more.outputs[0])


@graph
def a_linear_regression(tf: Any) -> Any:
    X = tf.placeholder("float")
    Y = tf.placeholder("float")
    W = tf.Variable(0.3, name="weight")
    b = tf.Variable(0.1, name="bias")
    pred = tf.add(tf.multiply(X, W), b)
    cost = tf.reduce_sum(tf.pow(pred - Y, 2)) / (2 * 3)
    opt = tf.train.GradientDescentOptimizer(0.01).minimize(cost)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _e in range(5):
            for x, y in zip(np.asarray([1.0, 2.0, 3.0]), np.asarray([2.0, 4.0, 6.0]), strict=False):
                sess.run(opt, feed_dict={X: x, Y: y})
        return [sess.run(cost, feed_dict={X: np.array([1.0, 2.0, 3.0]), Y: np.array([2.0, 4.0, 6.0])}), sess.run(W)]


@graph
def the_nearest_neighbour(tf: Any) -> Any:
    xtr = tf.placeholder("float", [None, 4])
    xte = tf.placeholder("float", [4])
    d = tf.reduce_sum(tf.abs(tf.add(xtr, tf.negative(xte))), reduction_indices=1)
    p = tf.arg_min(d, 0)
    return run(tf, p, {xtr: np.eye(4), xte: [0, 1, 0, 0]})


@graph
def a_generator_and_a_discriminator(tf: Any) -> Any:
    z = tf.placeholder(tf.float32, [None, 3])
    real = tf.placeholder(tf.float32, [None, 4])
    gw = tf.Variable(np.full((3, 4), 0.1, np.float32))
    dw = tf.Variable(np.full((4, 1), 0.2, np.float32))
    g = tf.nn.sigmoid(tf.matmul(z, gw))

    def D(x):
        return tf.nn.sigmoid(tf.matmul(x, dw))

    gl = -tf.reduce_mean(tf.log(D(g)))
    dl = -tf.reduce_mean(tf.log(D(real)) + tf.log(1.0 - D(g)))
    to = tf.train.AdamOptimizer(0.01)
    a = to.minimize(gl, var_list=[gw])
    b = tf.train.AdamOptimizer(0.01).minimize(dl, var_list=[dw])
    with tf.Session() as s:
        s.run(tf.global_variables_initializer())
        for _ in range(3):
            r = s.run([a, b, gl, dl], {z: np.ones((2, 3)), real: np.ones((2, 4)) * 0.5})
        return [*r[2:], s.run(gw)]


@graph
def words_as_vectors(tf: Any) -> Any:
    emb = tf.Variable(np.linspace(-1, 1, 20).reshape(10, 2).astype(np.float32))
    w = tf.Variable(np.ones((10, 2), np.float32))
    bb = tf.Variable(tf.zeros([10]))
    x = tf.placeholder(tf.int32, [None])
    y = tf.placeholder(tf.int32, [None, 1])
    loss = tf.reduce_mean(
        tf.nn.nce_loss(
            weights=w, biases=bb, labels=y, inputs=tf.nn.embedding_lookup(emb, x), num_sampled=3, num_classes=10
        )
    )
    op = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    norm = tf.sqrt(tf.reduce_sum(tf.square(emb), 1, keep_dims=True))
    sim = tf.matmul(tf.nn.embedding_lookup(emb / norm, x), emb / norm, transpose_b=True)
    with tf.Session() as s:
        s.run(tf.global_variables_initializer())
        s.run(op, {x: [1, 2], y: [[3], [4]]})
        return [s.run(sim, {x: [1, 2]}).shape, loss.shape.as_list()]


@graph
def a_target_network(tf: Any) -> Any:
    with tf.variable_scope("eval_net"):
        c = ["eval_net_params", tf.GraphKeys.GLOBAL_VARIABLES]
        with tf.variable_scope("l1"):
            w = tf.get_variable("w1", [2, 3], initializer=tf.ones_initializer(), collections=c)
    with tf.variable_scope("target_net"), tf.variable_scope("l1"):
        w2 = tf.get_variable(
            "w1",
            [2, 3],
            initializer=tf.zeros_initializer(),
            collections=["target_net_params", tf.GraphKeys.GLOBAL_VARIABLES],
        )
    tp = tf.get_collection("target_net_params")
    ep = tf.get_collection("eval_net_params")
    rep = [tf.assign(t, e) for t, e in zip(tp, ep, strict=False)]
    e2 = tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES, scope="eval_net")
    idx = tf.stack([tf.range(tf.shape(w)[0], dtype=tf.int32), tf.constant([0, 2])], axis=1)
    with tf.Session() as s:
        s.run(tf.global_variables_initializer())
        s.run(rep)
        return [s.run(w2), s.run(tf.gather_nd(params=w, indices=idx)), len(e2)]


@graph
def averages_through_a_getter(tf: Any) -> Any:
    tf.Variable([1.0])
    tf.Variable([0.0])
    ema = tf.train.ExponentialMovingAverage(decay=0.9)

    def g(getter, name, *args, **kw):
        return ema.average(getter(name, *args, **kw))

    with tf.variable_scope("A"):
        x = tf.get_variable("w", [1], initializer=tf.ones_initializer())
    ema.apply([x])
    with tf.variable_scope("A", reuse=True, custom_getter=g):
        y = tf.get_variable("w", [1])
    pg = tf.gradients(ys=x * 3, xs=[x], grad_ys=tf.constant([2.0]))
    return [run(tf, pg), y.name]


@graph
def an_actor_with_a_normal_policy(tf: Any) -> Any:
    n = tf.distributions.Normal(tf.constant([[0.5]]), tf.constant([[1.0]]))
    lp = n.log_prob(tf.constant([[1.0]]))
    ent = n.entropy()
    act = tf.clip_by_value(tf.squeeze(n.sample(1), axis=0), -1, 1)
    return run(tf, [lp, ent, tf.shape(act)])


@graph
def a_clipped_surrogate(tf: Any) -> Any:
    pi = tf.distributions.Normal(loc=[[0.1]], scale=[[0.9]])
    old = tf.distributions.Normal(loc=[[0.0]], scale=[[1.0]])
    a = tf.constant([[0.3]])
    ratio = pi.prob(a) / (old.prob(a) + 1e-05)
    surr = ratio * 2.0
    kl = tf.distributions.kl_divergence(old, pi)
    return run(tf, [-tf.reduce_mean(tf.minimum(surr, tf.clip_by_value(ratio, 0.8, 1.2) * 2.0)), tf.reduce_mean(kl)])


@graph
def a_factorization_machine(tf: Any) -> Any:
    X = tf.placeholder("float", [None, 4])
    w0 = tf.Variable(tf.zeros([1]))
    W = tf.Variable(tf.zeros([4]))
    V = tf.Variable(np.full((2, 4), 0.1, np.float32))
    lin = tf.add(w0, tf.reduce_sum(tf.multiply(W, X), 1, keep_dims=True))
    pair = tf.multiply(
        0.5,
        tf.reduce_sum(
            tf.subtract(tf.pow(tf.matmul(X, tf.transpose(V)), 2), tf.matmul(tf.pow(X, 2), tf.transpose(tf.pow(V, 2)))),
            1,
            keep_dims=True,
        ),
    )
    y = lin + pair
    l2 = tf.reduce_sum(
        tf.add(tf.multiply(tf.constant(0.01), tf.pow(W, 2)), tf.multiply(tf.constant(0.01), tf.pow(V, 2)))
    )
    return run(tf, [y, l2], {X: np.ones((2, 4))})


@graph
def a_deep_factorization_machine(tf: Any) -> Any:
    fi = tf.placeholder(tf.int32, [None, None])
    fv = tf.placeholder(tf.float32, [None, None])
    W = tf.Variable(np.arange(12, dtype=np.float32).reshape(6, 2), name="fe")
    e = tf.nn.embedding_lookup(W, fi)
    v = tf.reshape(fv, shape=[-1, 3, 1])
    e = tf.multiply(e, v)
    s = tf.square(tf.reduce_sum(e, 1))
    q = tf.reduce_sum(tf.square(e), 1)
    y = 0.5 * tf.subtract(s, q)
    y = tf.nn.dropout(y, keep_prob=1.0)
    deep = tf.reshape(e, shape=[-1, 6])
    c = tf.concat([y, deep], axis=1)
    return run(
        tf,
        [c],
        {fi: [[0, 1, 2]], fv: [[1.0, 2.0, 3.0]]},
    )[0]


@graph
def a_model_saved_and_restored(tf: Any) -> Any:
    d = tempfile.mkdtemp()
    v = tf.Variable([1.0, 2.0], name="v")
    s_ = tf.train.Saver()
    with tf.Session() as s:
        s.run(tf.global_variables_initializer())
        p = s_.save(s, d + "/model.ckpt", global_step=3)
        s.run(v.assign([5.0, 6.0]))
        s_.restore(s, p)
        return [os.path.basename(p), s.run(v), sorted(f.split(".")[0] for f in os.listdir(d))[0]]


@graph
def gradients_of_towers_averaged(tf: Any) -> Any:
    gs = []
    v = tf.Variable(2.0)
    opt = tf.train.AdamOptimizer(0.1)
    for i in range(2):
        with tf.device(f"/gpu:{i}"), tf.name_scope(f"tower_{i}"):
            gs.append(opt.compute_gradients(v * v * (i + 1)))
    avg = []
    for gv in zip(*gs, strict=False):
        g = [tf.expand_dims(x, 0) for x, _ in gv]
        avg.append((tf.reduce_mean(tf.concat(axis=0, values=g), 0), gv[0][1]))
    ap = opt.apply_gradients(avg)
    with tf.Session(config=tf.ConfigProto(allow_soft_placement=True, log_device_placement=False)) as s:
        s.run(tf.global_variables_initializer())
        s.run(ap)
        return s.run(v)


@graph
def clusters_by_gathering(tf: Any) -> Any:
    pts = tf.constant([[0.0, 0.0], [0.0, 1.0], [5.0, 5.0], [5.0, 6.0]])
    c = tf.Variable([[0.0, 0.0], [5.0, 5.0]])
    d = tf.reduce_sum(tf.square(tf.expand_dims(pts, 0) - tf.expand_dims(c, 1)), 2)
    a = tf.argmin(d, 0)
    means = tf.concat(
        [tf.reduce_mean(tf.gather(pts, tf.reshape(tf.where(tf.equal(a, k)), [1, -1])), axis=[1]) for k in range(2)], 0
    )
    return run(tf, [a, tf.assign(c, means)])


@graph
def clusters_by_segments(tf: Any) -> Any:
    pts = tf.constant([[0.0, 0.0], [0.0, 1.0], [5.0, 5.0]])
    a = tf.constant([0, 0, 1])
    tot = tf.unsorted_segment_sum(pts, a, 2)
    cnt = tf.unsorted_segment_sum(tf.ones_like(pts), a, 2)
    part = tf.dynamic_partition(pts, a, 2)
    return run(tf, [tot / cnt, tf.stack([tf.reduce_mean(p, 0) for p in part])])


@graph
def shapes_that_numpy_is_asked_for(tf: Any) -> Any:
    table = tf.Variable(np.arange(12.0, dtype=np.float32).reshape(4, 3))
    ids = tf.placeholder(tf.int32, [None, 2])
    rows = tf.nn.embedding_lookup(table, ids)
    copies = tf.stack([rows[:, 0] for _ in range(np.shape(ids)[1])])
    shapes = [np.shape(rows).as_list(), str(np.shape(ids)), np.shape(table)[0].value, np.shape(a=rows).ndims]
    return shapes, run(tf, [copies, rows], {ids: [[0, 1], [3, 2]]})


@graph
def sums_that_begin_as_arrays(tf: Any) -> Any:
    v = tf.Variable([1.0, 2.0])
    start = np.asarray(0.5, np.float32)
    cost = start
    for weights in (v, v * v):
        cost += tf.reduce_sum(weights)
    scale = np.full((2, 2), 3.0, np.float32)
    scale *= v
    scale -= 1.0
    return start, run(tf, [cost, scale, *tf.gradients(cost, v)])
