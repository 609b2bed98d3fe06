"""Programs with arguments that a kernel refuses: each is refused, by the error that TensorFlow's has."""

from __future__ import annotations

from typing import Any

import numpy as np
from answers import graph, run, tried

EYE = np.eye(2)
FLAT = [[1.0, 2.0, 3.0], [3.0, 4.0, 5.0]]
SINGULAR = [[1.0, 0.0, -1.0], [-1.0, 1.0, 0.0], [0.0, -1.0, 1.0]]


@graph
def matrices_of_wrong_shapes(tf: Any) -> Any:
    return tried(
        *(
            lambda f=f: f(tf.constant(FLAT)) is not None
            for f in (tf.cholesky, tf.matrix_inverse, tf.matrix_determinant, tf.self_adjoint_eig, tf.linalg.expm)
        ),
        *(
            lambda f=f: f(tf.constant([1.0, 2.0])) is not None
            for f in (tf.cholesky, tf.matrix_inverse, tf.matrix_determinant, tf.qr, tf.svd, tf.self_adjoint_eig)
        ),
        lambda: tf.matrix_solve(tf.constant(FLAT), tf.ones([2, 1])),
        lambda: tf.matrix_solve(tf.constant(EYE), tf.ones([3, 1], tf.float64)),
        lambda: tf.matrix_triangular_solve(tf.constant(EYE), tf.ones([3, 1], tf.float64)),
        lambda: tf.matrix_diag_part(0.0),
        lambda: tf.matrix_set_diag(0.0, [0.0]),
        lambda: tf.matrix_set_diag([[0.0]], 0.0),
    )


@graph
def matrices_without_a_result(tf: Any) -> Any:
    return tried(
        lambda: run(tf, tf.matrix_solve(tf.constant(SINGULAR), tf.ones([3, 1]))),
        lambda: run(tf, tf.matrix_inverse(tf.constant(SINGULAR))),
    )


@graph
def positions_that_are_not_there(tf: Any) -> Any:
    sizes = tf.placeholder(tf.int32, [None])
    return tried(
        lambda: run(tf, tf.gather_nd([0, 1, 2], [[[0], [7]]])),
        lambda: run(tf, tf.gather_nd([[0, 1, 2]], [[[0], [0], [1]]])),
        lambda: run(tf, tf.gather_nd(EYE, [[0, 2]])),
        lambda: run(tf, tf.gather_nd(np.ones([2, 2, 2]), [[[1]], [[2]]], batch_dims=1)),
        lambda: run(tf, tf.gather(EYE, [0], axis=3)),
        lambda: run(tf, tf.scatter_nd([[2, 2]], [1.0], [2, 2])),
        lambda: tf.scatter_nd([[0]], [1.0], [0]),
        lambda: run(tf, tf.scatter_nd([[0]], [1.0], sizes), {sizes: [0]}),
        lambda: tf.scatter_nd(np.zeros((3, 2, 2), np.int32), np.zeros((2, 2, 2)), [2, 2, 2]),
        lambda: tf.scatter_nd(np.zeros((2, 2, 1), np.int32), np.zeros((2, 2)), [2, 2]),
        lambda: run(tf, tf.dynamic_partition([1.0, 2.0], [0, 9], 2)),
        lambda: tf.dynamic_partition([1.0, 2.0], [0, 1], 0),
        lambda: tf.dynamic_partition([1.0, 2.0, 3.0], [0, 1], 2),
    )


@graph
def parts_of_variables_that_are_not_there(tf: Any) -> Any:
    v = tf.Variable(np.arange(6.0))
    return tried(
        lambda: run(tf, tf.scatter_nd_update(v, [[2], [-1]], [1.0, 2.0])),
        lambda: tf.scatter_nd_update(v, np.zeros((3, 1), np.int32), [1.0, 2.0]),
        lambda: tf.scatter_nd_add(tf.Variable(EYE), np.zeros((2, 2, 1), np.int32), np.zeros((2, 2))),
    )


@graph
def pairs_of_axes_that_do_not_fit(tf: Any) -> Any:
    axes = tf.placeholder(tf.int32)
    product = tf.tensordot(tf.constant(EYE), tf.constant(EYE), axes)
    return tried(
        lambda: tf.tensordot(EYE, EYE, -1),
        lambda: tf.tensordot(EYE, EYE, (1,)),
        lambda: tf.tensordot(EYE, EYE, ((1,), (0, 1))),
        lambda: run(tf, tf.tensordot(EYE, EYE, 0)).shape,
        lambda: run(tf, product, {axes: [[0], [1]]}),
        lambda: tf.einsum("ij->ji", EYE, nomen="x"),
    )


@graph
def arguments_of_smaller_kernels(tf: Any) -> Any:
    axis, sizes = tf.placeholder(tf.int32), tf.placeholder(tf.int32, [None])
    return tried(
        lambda: tf.betainc(0.5, [0.5], [[0.5]]),
        lambda: tf.random_uniform([2], dtype=tf.bool),
        lambda: run(tf, tf.confusion_matrix(np.ones((3, 4), int), np.ones(3, int))),
        lambda: tf.reshape(np.zeros(20), [17, -1]),
        lambda: tf.strided_slice([1, 2], [0], [2], [0]),
        lambda: tf.constant([1, 2])[::0],
        lambda: tf.nn.top_k([[0.1, 0.2]], 4),
        lambda: tf.meshgrid([1.0], apple=1),
        lambda: tf.split([1, 2, 3], tf.placeholder(tf.int32, [None])),
        lambda: run(tf, tf.as_string([1.0], scientific=True, shortest=True)),
        lambda: run(tf, tf.as_string([1 + 2j], precision=1, width=6)),
        lambda: run(tf, tf.string_to_number(["10a"])),
        lambda: run(tf, tf.decode_base64(["12*"])),
        lambda: run(tf, tf.decode_raw(["abc"], tf.int16)),
        lambda: run(tf, tf.regex_replace(["a"], "A[", "x")),
        lambda: run(tf, tf.reduce_join([["a", "b"], ["c", "d"]], axis), {axis: [1, 0]}),
        lambda: run(tf, tf.reduce_join([["a"]], [0, -2])),
        lambda: run(tf, tf.bincount([], minlength=2)),
        lambda: run(tf, tf.split([0, 1, 2, 3], sizes, num=2), {sizes: [1, 3]}),
        lambda: tf.slice(tf.placeholder(tf.float32), axis, tf.placeholder(tf.int32, [3])).get_shape().ndims,
    )


@graph
def complex_numbers_where_none_are_taken(tf: Any) -> Any:
    z = tf.constant([1.0 + 2j])
    return tried(
        lambda: tf.gradients(z * 2.0, z),
        lambda: tf.complex(tf.constant(1.0), np.float64(2.0)),
        lambda: tf.constant(1j, tf.float32),
        lambda: tf.constant([1.0]) * 1j,
        lambda: z * tf.constant([2.0]),
        lambda: tf.conj(tf.constant("a")),
        lambda: tf.complex64.max,
        *(
            lambda f=f: f(z) is not None
            for f in (tf.reduce_max, tf.nn.softmax, tf.floor, tf.is_nan, tf.argmax, tf.nn.relu, tf.reduce_logsumexp)
        ),
        lambda: tf.maximum(z, z),
        lambda: tf.less(z, z),
        lambda: tf.clip_by_value(z, 0, 1),
        lambda: tf.random_normal([2], dtype=tf.complex64),
        lambda: tf.fft([1.0, 2.0]),
        lambda: tf.fft2d(z),
        lambda: tf.get_variable("no_initializer", [2], tf.complex64) is not None,
        lambda: run(tf, tf.get_variable("zeros", [2], tf.complex64, tf.zeros_initializer())),
        lambda: tf.global_norm([z]),
        lambda: tf.train.GradientDescentOptimizer(0.1).minimize(tf.abs(tf.Variable(1j))),
        lambda: [
            tf.complex64.real_dtype.name,
            tf.complex128.is_complex,
            tf.complex64.as_datatype_enum,
            tf.complex64.size,
        ],
        lambda: [tf.float32.is_complex, tf.complex64.is_floating, str(tf.as_dtype(np.complex128))],
    )


@graph
def gradients_of_complex_numbers(tf: Any) -> Any:
    z, x = tf.constant([1.0 + 2j, 3.0 - 1j]), tf.placeholder(tf.float64, [2])
    made = tf.complex(x, 2 * x)
    loss = tf.reduce_sum(tf.abs(made * z))
    (by_x, by_z), (second,) = tf.gradients(loss, [x, z]), tf.gradients(tf.gradients(loss, x)[0] ** 2, x)
    given = tf.gradients(z * z, z, grad_ys=tf.constant([1j, 2.0], tf.complex128))[0]
    rows = tf.gradients(tf.real(tf.gather(z, [1, 1])), z)[0]
    return run(tf, [by_x, by_z, second, given, rows.values, rows.indices], {x: [1.0, 2.0]})


@graph
def a_custom_gradient_of_complex_numbers(tf: Any) -> Any:
    @tf.custom_gradient
    def turned(z: Any) -> Any:
        return z * 1j, lambda g: g * tf.constant(2 - 1j, tf.complex128)

    z = tf.constant([1.0 + 2j])
    return run(tf, tf.gradients(tf.imag(turned(z)) + tf.real(turned(z)) * 2, z))
