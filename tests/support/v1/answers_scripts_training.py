"""Programs that are small forms of what public scripts do: training and what is around it."""

from __future__ import annotations

from typing import Any

import numpy as np
from answers import graph, run


@graph
def a_variational_autoencoder(tf: Any) -> Any:
    mu = tf.constant([[0.1, 0.2]])
    lv = tf.constant([[0.3, 0.4]])
    eps = tf.random_normal(tf.shape(lv), dtype=tf.float32, mean=0.0, stddev=1.0, name="epsilon")
    z = mu + tf.exp(lv / 2) * eps
    kl = -0.5 * tf.reduce_sum(1 + lv - tf.square(mu) - tf.exp(lv), 1)
    x = tf.constant([[0.2, 0.9]])
    r = tf.constant([[0.3, 0.8]])
    bce = x * tf.log(1e-10 + r) + (1 - x) * tf.log(1e-10 + 1 - r)
    return run(tf, [tf.shape(z), kl, -tf.reduce_sum(bce, 1)])


@graph
def a_boltzmann_machine(tf: Any) -> Any:
    W = tf.placeholder(tf.float32, [3, 2])
    vb = tf.placeholder(tf.float32, [3])
    v0 = tf.placeholder(tf.float32, [None, 3])
    h = tf.nn.sigmoid(tf.matmul(v0, W))
    tf.nn.relu(tf.sign(h - tf.random_uniform(tf.shape(h))))
    pos = tf.matmul(tf.transpose(v0), h)
    cd = pos / tf.to_float(tf.shape(v0)[0])
    return run(tf, cd, {W: np.ones((3, 2)), v0: np.eye(3), vb: [0] * 3})


@graph
def a_self_organizing_map(tf: Any) -> Any:
    loc = tf.constant(np.array([[i, j] for i in range(2) for j in range(2)]))
    w = tf.Variable(np.arange(8.0).reshape(4, 2))
    vect = tf.placeholder("float64", [2])
    it = tf.placeholder("float")
    bmu = tf.argmin(tf.sqrt(tf.reduce_sum(tf.pow(tf.subtract(w, tf.stack([vect for _ in range(4)])), 2), 1)), 0)
    sl = tf.pad(tf.reshape(bmu, [1]), np.array([[0, 1]]))
    bl = tf.reshape(tf.slice(loc, sl, tf.constant(np.array([1, 2]))), [2])
    rate = tf.subtract(1.0, tf.div(it, 10))
    al = tf.multiply(0.3, rate)
    d = tf.reduce_sum(tf.pow(tf.subtract(loc, tf.stack([bl for _ in range(4)])), 2), 1)
    nf = tf.exp(tf.negative(tf.div(tf.cast(d, "float32"), tf.pow(al, 2))))
    mult = tf.stack([tf.tile(tf.slice(tf.multiply(al, nf), np.array([i]), np.array([1])), [2]) for i in range(4)])
    up = tf.assign(
        w, tf.add(w, tf.multiply(tf.cast(mult, tf.float64), tf.subtract(tf.stack([vect for _ in range(4)]), w)))
    )
    return run(tf, up, {vect: [1.0, 1.0], it: 1.0})


@graph
def a_graph_convolution(tf: Any) -> Any:
    sup = tf.sparse_placeholder(tf.float32)
    x = tf.sparse_placeholder(tf.float32, shape=tf.constant(np.array([3, 4]), tf.int64))
    nnz = tf.placeholder(tf.int32)
    kp = tf.placeholder_with_default(0.0, shape=())
    rt = tf.constant(1.0) - kp
    rt += tf.random_uniform(tf.reshape(nnz, [1]))
    mask = tf.cast(tf.floor(rt), dtype=tf.bool)
    pre = tf.sparse_retain(x, mask)
    xd = pre * (1.0 / (1 - kp))
    W = tf.Variable(np.ones((4, 2), np.float32))
    h = tf.nn.relu(tf.sparse_tensor_dense_matmul(sup, tf.sparse_tensor_dense_matmul(xd, W)))
    f = (np.array([[0, 0], [1, 2], [2, 3]], np.int64), np.ones(3, np.float32), (3, 4))
    a = (np.array([[0, 1], [1, 0], [2, 2]], np.int64), np.ones(3, np.float32), (3, 3))
    return run(tf, h, {sup: a, x: f, nnz: 3})


@graph
def parts_of_a_matrix(tf: Any) -> Any:
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    return run(
        tf,
        [
            x[:, 0],
            x[..., tf.newaxis],
            x[0][1],
            tf.slice(x, [0, 1], [-1, 1]),
            x[::-1],
            x[-1, :],
            tf.strided_slice(x, [0, 0], [2, 2], [1, 1]),
            tf.transpose(x, perm=[1, 0]),
            tf.reverse(x, [1]),
        ],
    )


@graph
def control_of_counters(tf: Any) -> Any:
    c = tf.Variable(0)
    inc = tf.assign_add(c, 1)
    with tf.control_dependencies([inc]):
        c.read_value()
        n = tf.no_op("train")
    g = tf.group(inc, n)
    with tf.Session() as s:
        s.run(tf.global_variables_initializer())
        s.run(g)
        s.run(n)
        return [s.run(c), n.name]


@graph
def a_rate_in_stairs(tf: Any) -> Any:
    g = tf.Variable(0, trainable=False)
    r = tf.train.exponential_decay(0.1, g, 10, 0.9, staircase=True)
    v = tf.Variable(1.0)
    o = tf.train.MomentumOptimizer(r, 0.9).minimize(v * v, global_step=g)
    with tf.Session() as s:
        s.run(tf.global_variables_initializer())
        [s.run(o) for _ in range(12)]
        return s.run([v, g, r])


@graph
def gradients_clipped_twice(tf: Any) -> Any:
    v = tf.Variable([3.0, 4.0])
    o = tf.train.RMSPropOptimizer(0.1, decay=0.9, momentum=0.1, epsilon=1e-10, centered=True)
    gv = o.compute_gradients(tf.reduce_sum(v * v))
    cg = [(tf.clip_by_norm(g, 1.0), x) for g, x in gv]
    a = o.apply_gradients(cg)
    tv = tf.trainable_variables()
    gr, _ = tf.clip_by_global_norm(tf.gradients(tf.reduce_sum(v**3), tv), 5)
    b = o.apply_gradients(zip(gr, tv, strict=False))
    with tf.Session() as s:
        s.run(tf.global_variables_initializer())
        s.run(a)
        s.run(b)
        return s.run(v)


@graph
def what_is_printed(tf: Any) -> Any:
    a = tf.placeholder(tf.float32, [None, 3], name="x-in")
    b = tf.Variable(tf.random_normal([3, 2], stddev=0.35), name="weights")
    c = tf.matmul(a, b, name="mm") + 1
    return [
        str(a),
        str(c),
        c.op.name,
        c.name,
        b.name,
        str(b.get_shape()),
        a.get_shape().ndims,
        str(a.dtype),
        b.op.type,
        c.op.inputs[0].name,
        [i.name for i in c.op.inputs],
    ]


@graph
def an_interactive_session(tf: Any) -> Any:
    s = tf.InteractiveSession()
    v = tf.Variable([1.0, 2.0])
    v.initializer.run()
    r = tf.subtract(v, [3.0, 3.0]).eval()
    s.close()
    return r


@graph
def a_value_by_eval(tf: Any) -> Any:
    x = tf.placeholder(tf.float32)
    with tf.Session():
        return (x * 2).eval(feed_dict={x: 3})


@graph
def a_logistic_regression(tf: Any) -> Any:
    x = tf.placeholder(tf.float32, [None, 3])
    W = tf.Variable(tf.zeros([3, 2]))
    b = tf.Variable(tf.zeros([2]))
    p = tf.nn.softmax(tf.matmul(x, W) + b)
    y = tf.placeholder(tf.float32, [None, 2])
    c = tf.reduce_mean(-tf.reduce_sum(y * tf.log(p), reduction_indices=1))
    o = tf.train.GradientDescentOptimizer(0.1).minimize(c)
    cp = tf.equal(tf.argmax(p, 1), tf.argmax(y, 1))
    acc = tf.reduce_mean(tf.cast(cp, tf.float32))
    with tf.Session() as s:
        s.run(tf.global_variables_initializer())
        s.run([o, c], feed_dict={x: np.eye(3), y: np.eye(3)[:, :2]})
        return [acc.eval({x: np.eye(3), y: np.eye(3)[:, :2]}), s.run(W)]


@graph
def mixtures_of_densities(tf: Any) -> Any:
    o = tf.constant(np.linspace(-1, 1, 6).reshape(1, 6).astype(np.float32))
    pi, sg, mu = tf.split(o, 3, 1)
    mx = tf.reduce_max(pi, 1, keep_dims=True)
    pi = tf.exp(tf.subtract(pi, mx))
    pi = tf.multiply(tf.reciprocal(tf.reduce_sum(pi, 1, keep_dims=True)), pi)
    sg = tf.exp(sg)
    return run(tf, [pi, sg, mu])


@graph
def a_function_of_numpy(tf: Any) -> Any:
    return run(tf, tf.py_func(lambda x: np.sinh(x), [tf.constant(1.0)], tf.float32))


@graph
def normalization_with_averages(tf: Any) -> Any:
    x = tf.constant([[1.0, 2.0], [3.0, 6.0]])
    m, v = tf.nn.moments(x, axes=[0])
    ema = tf.train.ExponentialMovingAverage(decay=0.5)

    def mean_var():
        ap = ema.apply([m, v])
        with tf.control_dependencies([ap]):
            return (tf.identity(m), tf.identity(v))

    tr = tf.placeholder(tf.bool, [])
    a, b = tf.cond(tr, mean_var, lambda: (ema.average(m), ema.average(v)))
    y = tf.nn.batch_normalization(x, a, b, tf.zeros([2]), tf.ones([2]), 0.001)
    with tf.Session() as s:
        s.run(tf.global_variables_initializer())
        return [s.run(y, {tr: True}), s.run(y, {tr: False})]


@graph
def losses_and_their_total(tf: Any) -> Any:
    return run(
        tf,
        [
            tf.losses.softmax_cross_entropy([[1.0, 0.0]], [[2.0, 1.0]]),
            tf.losses.get_total_loss(),
            tf.losses.sigmoid_cross_entropy([1.0], [0.3]),
        ],
    )
