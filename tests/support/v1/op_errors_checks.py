"""Errors of the functions that check tensors, and of conditions, labels and positions of a wrong type."""

from __future__ import annotations

import numpy as np
from op_errors import raising, run


def f(tf, *shape):
    return tf.zeros(shape)


def fed(build, value):
    """Return the function that runs what is built on a placeholder of unknown shape."""

    def provoke(tf):
        x = tf.placeholder(tf.float32)
        return run(tf, build(tf, x), {x: value})

    return provoke


raising(
    {
        "assert_rank of another": lambda tf: tf.assert_rank(f(tf, 2), 2),
        "assert_rank_at_least of less": lambda tf: tf.assert_rank_at_least(f(tf, 2), 2),
        "assert_scalar of a vector": lambda tf: tf.assert_scalar(f(tf, 2)),
        "assert_type of another": lambda tf: tf.assert_type(f(tf, 2), tf.int32),
        "assert_integer of floats": lambda tf: tf.assert_integer(f(tf, 2)),
        "assert_negative of a positive": fed(lambda tf, x: tf.assert_negative(x), 1.0),
        "assert_non_positive of a positive": fed(lambda tf, x: tf.assert_non_positive(x), [0.0, 1.0]),
        "assert_near of what is far": fed(lambda tf, x: tf.assert_near(x, 1.0), 1.1),
        "verify_tensor_all_finite of NaN": fed(lambda tf, x: tf.verify_tensor_all_finite(x, "bad"), np.nan),
        "scalar_mul by a vector": lambda tf: tf.scalar_mul(f(tf, 2), f(tf, 2)),
        "cond on a float": lambda tf: tf.cond(f(tf), lambda: f(tf), lambda: f(tf)),
        "cond of nothing": lambda tf: tf.cond(f(tf) > 0, lambda: None, lambda: None),
        "one_hot of a list of floats": lambda tf: tf.one_hot([0.5], 2),
        "sparse labels like the logits": lambda tf: tf.nn.sparse_softmax_cross_entropy_with_logits(
            labels=f(tf, 2, 3), logits=f(tf, 2, 3)
        ),
        "initializer that is a function of a shape that is not given": lambda tf: tf.get_variable(
            "w", initializer=lambda shape, dtype=None: f(tf, 2)
        ),
    }
)
