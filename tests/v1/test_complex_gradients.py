"""Gradients by complex numbers, beside differences: where TensorFlow's lack conjugates, or vectors have no sign."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import steepest.v1 as tf

Z = np.array([[0.5 - 1j, 1.5 + 0.25j, -0.75j], [2.0 + 0.5j, -1.0 + 1j, 0.25 + 2j]])
SQUARE = np.array([[1.0 + 0.5j, 0.25j, -0.5], [0.75 - 1j, 2.0, 1j], [0.5 + 0.5j, -1.0, 1.5 - 0.5j]])
FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "squared_difference": lambda z: tf.squared_difference(z, z[:, ::-1] * 1j),
    "xlogy": lambda z: tf.math.xlogy(z, z + 1.5),
    "xdivy": lambda z: tf.math.xdivy(z, z + 1.5),
    "cumprod": lambda z: tf.cumprod(z, 1, reverse=True),
    "exclusive cumprod": lambda z: tf.cumprod(z, 0, exclusive=True),
    "reduce_euclidean_norm": lambda z: tf.math.reduce_euclidean_norm(z, 1),
    "norm": lambda z: tf.norm(z, axis=0),
    "unsorted_segment_prod": lambda z: tf.unsorted_segment_prod(z, [1, 1], 2),
}
OF_SQUARES: dict[str, Callable[[Any], Any]] = {
    "matrix_determinant": tf.matrix_determinant,
    "cholesky": lambda a: tf.cholesky(tf.matmul(a, a, adjoint_b=True)),
    "svd": lambda a: tf.svd(a, compute_uv=False),
    "qr": lambda a: tf.qr(a)[1],
    "expm": tf.linalg.expm,
    "tensordot": lambda a: tf.tensordot(a, tf.conj(a), [[0], [1]]),
}


def jacobians(function: Callable[[Any], Any], value: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    tf.reset_default_graph()
    with tf.Session():
        z = tf.constant(value)
        y = function(z)
        pair: tuple[np.ndarray, np.ndarray] = tf.test.compute_gradient(
            z, value.shape, y, y.get_shape().as_list(), x_init_value=value, delta=1e-5
        )
    return pair


@pytest.mark.parametrize("name", FUNCTIONS)
def test_gradients_are_differences(name: str):
    np.testing.assert_allclose(*jacobians(FUNCTIONS[name], Z), atol=1e-6)


@pytest.mark.parametrize("name", OF_SQUARES)
def test_gradients_of_matrices_are_differences(name: str):
    np.testing.assert_allclose(*jacobians(OF_SQUARES[name], SQUARE), atol=1e-6)


def test_tapes_give_tensorflows_conjugates_in_eager_mode():
    # In a process of its own, because eager mode stays.
    program = """
import numpy as np
import steepest.v1 as tf
tf.enable_eager_execution()
z = tf.constant(np.array([1 + 2j, 3 - 1j]))
with tf.GradientTape() as tape:
    tape.watch(z)
    y = tf.reduce_sum(tf.abs(z * tf.constant(1j, tf.complex128)) ** 2)
assert np.allclose(tape.gradient(y, z).numpy(), 2 * z.numpy())
with tf.GradientTape() as tape:
    tape.watch(z)
    y = z * z
given = tf.constant([1j, 1.0 + 0j], tf.complex128)
assert np.allclose(tape.gradient(y, z, given).numpy(), [1j * 2 * (1 - 2j), 2 * (3 + 1j)])
"""
    subprocess.run([sys.executable, "-c", program], check=True)
