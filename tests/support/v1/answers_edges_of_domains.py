"""Programs of gradients at the edges of domains: where functions end, are cut, or have several largest elements."""

from __future__ import annotations

from typing import Any

import numpy as np
from answers import graph

_NAN, _INF = np.nan, np.inf


def _slopes(tf: Any, function: Any, *values: Any) -> Any:
    sources = [tf.constant(value) for value in values]
    found = function(*sources)
    slopes = tf.gradients(found, sources)
    with tf.Session() as session:
        return session.run([found, *[slope for slope in slopes if slope is not None]])


@graph
def incomplete_gammas_at_the_edges(tf):
    a = np.array([1.0, 0, -1, 2, 2, _INF, 1, _NAN, 0.5, -0.5, 0, 3, _INF])
    x = np.array([0.0, 1, 1, -1, 0, 1, _INF, 1, 0, 2, 0, 1e3, _INF])
    found = [_slopes(tf, function, a, x) for function in (tf.math.igamma, tf.math.igammac)]
    return found, _slopes(tf, tf.math.igamma, a.astype(np.float32), x.astype(np.float32))[:2]


@graph
def zetas_at_poles(tf):
    return _slopes(tf, tf.math.zeta, np.array([2.0, 3, 4, 1.5]), np.array([0.0, 0, -1, 0])), _slopes(
        tf, tf.math.polygamma, np.array([1.0, 2, 3]), np.array([0.0, 0, -1])
    )


@graph
def hues_of_colours_that_are_alike(tf):
    rgb = np.array(
        [0.5, 0.5, 0.5, 0.5, 0.5, 0.2, 0.2, 0.5, 0.5, 0.5, 0.2, 0.5, 0, 0, 0, 1, 1, 1, 0.3, 0.3, 0.6, 0.6, 0.3, 0.3]
    )
    return _slopes(tf, tf.image.rgb_to_hsv, rgb.reshape(8, 3))


@graph
def rows_of_one_batch(tf):
    vector = _slopes(tf, lambda p: tf.batch_gather(p, tf.constant([0, 2, 2])), np.array([1.0, 2, 3]))
    return vector, _slopes(tf, lambda p: tf.batch_gather(p, tf.constant([0, 1, 1])), np.array([[1.0, 2], [3, 4]]))


@graph
def arcs_of_complex_numbers_beyond_one(tf):
    z = np.array([2 + 0j, 0.5 + 0.5j, 3j, complex(-2, -0.0)])
    both = [lambda q, of=of: tf.real(of(q)) + 2 * tf.imag(of(q)) for of in (tf.asin, tf.acos)]
    return [_slopes(tf, function, z) for function in both]
