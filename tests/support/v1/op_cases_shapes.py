"""Shapes made of other shapes, and what is known of them before anything runs."""

from __future__ import annotations

from op_cases import A, case


@case(A)
def reshape_with_parts_of_a_shape(tf, x):
    n = tf.shape(x)[0]
    flat = tf.reshape(x, [n, -1])
    return [flat, tf.reshape(x, tf.stack([n * 3])), tf.reshape(x, [n, 3, 1]), tf.reshape(x, tf.shape(tf.transpose(x)))]


@case(A)
def shapes_made_of_shapes(tf, x):
    n = tf.shape(x)[0]
    return [
        tf.zeros([n, 4]),
        tf.ones(tf.shape(x)),
        tf.fill([n], 0.5),
        tf.range(n),
        tf.zeros([n], tf.int32),
        tf.tile(x, [1, n]),
    ]


@case(A)
def shape_in_pieces(tf, x):
    rows, columns = tf.unstack(tf.shape(x))
    return [
        rows,
        columns,
        tf.shape(x)[1:],
        tf.shape(x)[-1],
        tf.concat([tf.shape(x), [1]], 0),
        tf.reduce_prod(tf.shape(x)),
    ]


@case(grad=False)
def shapes_that_merge(tf):
    known, batch, unknown = (tf.placeholder(tf.float32, shape) for shape in ([2, 3], [None, 3], None))
    nodes = [tf.concat([unknown, known], 0), tf.concat([batch, known], 0), tf.concat([unknown, known], 1)]
    nodes += [tf.stack([unknown, known]), tf.stack([batch, known]), tf.where(unknown > 0.0, known, batch)]
    nodes += [
        tf.where(batch > 0.0, unknown, known),
        tf.add_n([unknown, batch]),
        unknown + known,
        batch * known,
        batch - unknown,
    ]
    nodes += [
        tf.concat([unknown, batch], -1),
        tf.maximum(batch, batch),
        tf.squared_difference(batch, known),
        batch[:, None] + known,
    ]
    return tf.constant([str(node.shape) for node in nodes])


@case(grad=False)
def shapes_joined_of_shapes(tf):
    x, tall = tf.placeholder(tf.float32, [None, 1]), tf.placeholder(tf.float32, [None, 4, 3])
    sizes = tf.shape(tall)
    nodes = [
        tf.reshape(x, tf.concat([tf.shape(x), [1]], 0)),
        tf.reshape(tall, tf.concat([sizes[:1], [12]], 0)),
        tf.reshape(tall, tf.concat([[-1], sizes[2:]], 0)),
        tf.reshape(tall, tf.concat([sizes[:-1], [3, 1]], 0)[:4]),
        tf.reshape(tall, tf.stack([sizes[0], sizes[1] * sizes[2]])),
        tf.zeros(tf.concat([sizes[:2], [7]], 0)),
        tf.random_uniform(tf.concat([tf.shape(x), [2]], 0)),
    ]
    return tf.constant([str(node.shape) for node in nodes])


@case(grad=False)
def shapes_of_a_network(tf):
    x, y = tf.placeholder(tf.float32, [None, 4]), tf.placeholder(tf.int64, [None])
    w, b = tf.Variable(tf.zeros([4, 3])), tf.Variable(tf.zeros([3]))
    logits = tf.matmul(x, w) + b
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits)
    hidden = tf.nn.relu(tf.reshape(logits, [-1, 3, 1]))
    nodes = [logits, losses, hidden, tf.reduce_mean(losses), tf.argmax(logits, 1), tf.equal(tf.argmax(logits, 1), y)]
    nodes += [tf.one_hot(y, 3), tf.nn.softmax(logits), tf.transpose(logits), tf.concat([x, logits], 1), tf.gather(w, y)]
    nodes += [
        tf.nn.embedding_lookup(w, tf.placeholder(tf.int32, [None, 7])),
        tf.reduce_sum(hidden, [1, 2]),
        tf.squeeze(hidden),
    ]
    nodes += [
        tf.squeeze(hidden, [2]),
        tf.expand_dims(y, 1),
        tf.tile(tf.expand_dims(y, 1), [1, 5]),
        tf.reshape(x, [tf.shape(x)[0], 2, 2]),
    ]
    nodes += [
        tf.reshape(x, tf.stack([tf.shape(x)[0], -1])),
        tf.boolean_mask(x, y > 0),
        tf.unstack(x, axis=1)[0],
        tf.split(x, 2, 1)[0],
    ]
    nodes += [
        x[:5],
        x[:, 1:],
        x[0],
        x[-1:],
        tf.zeros([tf.shape(x)[0], 3]),
        tf.random_normal(tf.shape(x)),
        tf.nn.top_k(x, 2)[1],
    ]
    nodes += tf.gradients(tf.reduce_sum(losses), [w, b, x, logits])
    return tf.constant([str(node.shape) for node in nodes])
