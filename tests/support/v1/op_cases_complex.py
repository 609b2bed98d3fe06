"""Complex numbers."""

from __future__ import annotations

import itertools

import numpy as np
from op_cases import A64, B64, COLUMN, INTS, POSITIVE64, A, B, Raw, Var, case, draw, each, op, words

Z = A64 + 1j * B64
Z32 = A + np.complex64(1j) * B
W = POSITIVE64 - 0.5j * A64
PARTS = Z / np.abs(Z).max() * 0.8
SQUARE = draw(91, 3, 3, dtype=np.float64) + 1j * draw(92, 3, 3, dtype=np.float64)
BATCH = draw(93, 2, 3, 3, dtype=np.float64) + 1j * draw(94, 2, 3, 3, dtype=np.float64)
HERMITIAN = (BATCH @ np.conj(np.swapaxes(BATCH, -1, -2)) + 2 * np.eye(3)).round(3)
RIGHT = draw(95, 3, 2, dtype=np.float64) + 1j * draw(96, 3, 2, dtype=np.float64)

op("complex", A, B)
op("complex", A64, B64)
op("complex", A, COLUMN)
for path in words("real imag conj angle abs square sqrt rsqrt exp expm1 log log1p sin cos tan sinh cosh tanh sigmoid"):
    op(path, Z)
op("sign", PARTS, grad=False)
for path in words("negative reciprocal identity zeros_like ones_like asinh acosh atanh"):
    op(path, PARTS)
for path in words("real imag conj abs exp"):
    op(path, Z32)
for path in words("real imag conj angle"):
    op(path, A64)
op("real", INTS)
for path in words("add subtract multiply div divide realdiv pow div_no_nan"):
    op(path, Z, W)
# TensorFlow's gradients of these lack conjugates; the true ones are in test_complex_gradients.py.
for path in words("squared_difference math.xlogy math.xdivy"):
    op(path, Z, W, grad=False)
op("equal", Z, Z)
op("not_equal", Z, W)
for path, axis in itertools.product(words("reduce_sum reduce_mean reduce_prod cumsum"), (0, 1)):
    op(path, Z, axis=axis)
for axis in (0, 1):
    op("cumprod", Z, axis=axis, grad=False)
for path in words("reduce_sum reduce_mean reduce_prod count_nonzero"):
    op(path, Z)
op("math.reduce_euclidean_norm", Z, grad=False)
op("norm", Z, feed=False)
op("nn.l2_normalize", Z, 0)
op("linalg.normalize", Z, ord=1)
op("linalg.normalize", Z32, ord=np.inf, axis=0)
op("nn.l2_normalize", Z32, 1)
op("nn.moments", Z, [0], grad=False)
op("to_complex64", A)
op("to_complex128", A64)
op("norm", Z, ord=1, axis=1)
op("norm", Z, ord=np.inf, axis=-1)
op("cumprod", Z, exclusive=True, reverse=True, grad=False)
op("matmul", Z, W, adjoint_b=True)
op("matmul", Z, W, transpose_a=True)
op("matmul", Z32, Z32, adjoint_a=True)
op("tensordot", Z, W, [[0, 1], [0, 1]])
op("einsum", "ij,kj->ik", Z, W)
op("transpose", Z, conjugate=True)
op("matrix_transpose", Z, conjugate=True)
op("linalg.adjoint", Z)
op("linalg.matvec", SQUARE, RIGHT[:, 0], adjoint_a=True)
op("matrix_inverse", SQUARE)
op("matrix_inverse", SQUARE, adjoint=True)
op("matrix_solve", SQUARE, RIGHT)
op("matrix_solve", SQUARE, RIGHT, adjoint=True)
op("matrix_triangular_solve", SQUARE, RIGHT, adjoint=True)
op("matrix_determinant", BATCH, grad=False)
op("cholesky", HERMITIAN)
op("cholesky_solve", np.linalg.cholesky(HERMITIAN[0]), RIGHT)
op("matrix_solve_ls", draw(97, 4, 2, dtype=np.float64) + 0j, draw(98, 4, 1, dtype=np.float64) * 1j, grad=False)
op("svd", BATCH, compute_uv=False, grad=False)
op("self_adjoint_eigvals", HERMITIAN, grad=False)
op("trace", SQUARE)
op("diag", RIGHT[:, 0])
op("diag_part", SQUARE)
op("matrix_band_part", SQUARE, 1, 0)
op("linalg.sqrtm", HERMITIAN[0], grad=False)
op("linalg.logm", HERMITIAN[0], grad=False)
op("linalg.expm", SQUARE / 3, grad=False, feed=False)
op("linalg.expm", draw(99, 2, 3, 3, dtype=np.float64), grad=False)
op("linalg.expm", draw(99, 2, 3, 3, dtype=np.float64) * 8, grad=False, label="of large numbers")
for axes in ("", "2d", "3d"):
    cube = np.stack([SQUARE, SQUARE[::-1] * 0.5])
    op(f"fft{axes}", cube)
    op(f"ifft{axes}", cube)
    most = {"grad": axes != "3d", "feed": axes != "3d"}
    op(f"spectral.rfft{axes}", np.float32(cube.real), **most)
    op(f"spectral.irfft{axes}", np.complex64(cube), **most)
op("spectral.rfft", draw(90, 5), [8])
op("spectral.rfft", draw(90, 5), [4], grad=False)
op("spectral.irfft", np.complex64(RIGHT[:, 0]), [5])
op("spectral.irfft", np.complex64(RIGHT[:, 0]), [7])
op("fft", Z32)

op("gather", Z, Raw(np.array([1, 0, 1])))
op("gather", Z, Raw(np.array([2, 0])), axis=1)
op("gather_nd", Z, Raw(np.array([[0, 1], [1, 2]])))
op("scatter_nd", Raw(np.array([[3], [1]])), RIGHT[:2, 0], [5])
op("segment_sum", RIGHT, Raw(np.array([0, 0, 1])))
op("unsorted_segment_sum", RIGHT, Raw(np.array([2, 0, 2])), 4)
op("unsorted_segment_prod", RIGHT, Raw(np.array([2, 0, 2])), 3, grad=False)
op("concat", [Z, W], 0)
op("stack", [Z, W], 1)
op("split", Z, [1, 2], 1)
op("tile", Z, [2, 1])
op("pad", Z, [[1, 0], [0, 2]])
op("pad", Z, [[1, 0], [0, 2]], mode="REFLECT")
op("reverse", Z, [1])
op("where", Raw(np.array([[True, False, True], [False, True, False]])), Z, W)
op("where", Raw(np.array([0j, 1j, 2.0])))
op("one_hot", Raw(np.array([0, 2])), 3, dtype="tf.complex64")
op("math.segment_prod", RIGHT, Raw(np.array([0, 0, 1])), grad=False)
op("dynamic_stitch", [Raw(np.array([0, 2])), Raw(np.array([1]))], [RIGHT[:2], RIGHT[2:]])
op("as_string", Z32, precision=2, grad=False)

for kind in words("tf.float32 tf.float64 tf.int32 tf.complex64 tf.complex128 tf.bool"):
    op("cast", Z, kind)
    op("cast", Z32, kind)
op("fill", [2], Raw(1 + 2j))
op("zeros", [2], "tf.complex64")
op("ones", [2, 1], "tf.complex128")
op("eye", 2, dtype="tf.complex64")
op("constant", 1j)
op("constant", [1, 2.5j])
op("constant", [1, 2], "tf.complex64")
each(
    {
        "assign_add of complex numbers": lambda tf, v, w: tf.assign_add(v, w),
        "scatter_add of complex numbers": lambda tf, v, w: tf.scatter_add(v, [1, 1], w),
        "scatter_mul of complex numbers": lambda tf, v, w: tf.scatter_mul(v, [1, 0], w),
        "scatter_nd_sub of complex numbers": lambda tf, v, w: tf.scatter_nd_sub(v, [[1], [0]], w),
    },
    Var(Z),
    W,
    grad=False,
)

each(
    {
        "operators of complex numbers": lambda tf, z, w: [z + w, z - 1, 2j * z, z / w, w**2, -z, abs(z), 1 / w],
        "the length of a product": lambda tf, z, w: tf.abs(z * tf.conj(w)),
        "the real part of a power": lambda tf, z, w: tf.real((z * z + 1j) / w),
        "a phase": lambda tf, z, w: tf.angle(z * w),
        "a spectrum": lambda tf, z, w: tf.abs(tf.fft(z)) ** 2,
        "a convolution by transforms": lambda tf, z, w: tf.real(tf.ifft(tf.fft(z) * tf.fft(w))),
    },
    Z,
    W,
)


@case(A, B)
def a_rotation(tf, x, y):
    turned = tf.complex(x, y) * tf.exp(tf.complex(0.0, 0.3))
    return [tf.real(turned), tf.imag(turned)]


@case(draw(89, 8))
def a_filtered_signal(tf, x):
    spectrum = tf.spectral.rfft(x)
    return tf.spectral.irfft(spectrum * tf.constant([1, 1, 0.5, 0, 0], tf.complex64))


@case(Z)
def a_square_of_a_loop(tf, z):
    return tf.while_loop(lambda k, c: k < 3, lambda k, c: (k + 1, c * c + z), [0, z * 0.1])[1]


@case(SQUARE, RIGHT)
def the_gradient_of_a_gradient(tf, a, b):
    length = tf.reduce_sum(tf.abs(tf.matmul(a, b)) ** 2)
    return tf.gradients(length, a)[0] * 0.5


for path, length in itertools.product(words("signal.hann_window signal.hamming_window"), (1, 5, 8)):
    op(path, length)
    op(path, length, periodic=False, feed=False)
