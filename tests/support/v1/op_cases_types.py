"""Unusual types and values: integers at their ends, half and double precision, nothing, NaN and infinity"""

from __future__ import annotations

import numpy as np
from op_cases import Raw, draw, op, words

ENDS = {
    "uint8": [0, 255, 1, 254, 7, 7],
    "uint16": [0, 65535, 1, 65534, 7, 7],
    "int8": [-128, 127, 0, 1, -127, 0],
    "int16": [-32768, 32767, 0, 1, -32767, 0],
    "int64": [-(2**63), 2**63 - 1, 0, 1, 5, 5],
}
ENDED = {"label": "at the ends of its type"}
for dtype, values in ENDS.items():
    array = np.array(values, dtype)
    square = array.reshape(2, 3)
    op("nn.top_k", array, 6, **ENDED)
    op("nn.top_k", square, 2, **ENDED)
    op("sort", array, grad=False, **ENDED)
    op("argsort", square, grad=False, **ENDED)
    for name in words("reduce_max reduce_min reduce_sum reduce_prod"):
        op(name, square, axis=0, **ENDED)
    op("trace", square[:, :2].copy(), **ENDED)
    op("cumsum", array, **ENDED)
    op("reverse", array, [0], **ENDED)
    op("unstack", square, **ENDED)
    op("clip_by_value", array, np.array(0, dtype), np.array(5, dtype), **ENDED)
for dtype in words("uint8 uint16 int16 int64"):
    op("reduce_mean", np.array([[3, 4], [5, 250]], dtype), axis=1, label="of small numbers")
for dtype in words("float16 float64"):
    x = draw(71, 2, 3, dtype=dtype)
    for name in words("exp tanh square sigmoid abs negative floor sign"):
        op(name, x, label="of this type")
    op("reduce_mean", x, axis=1, label="of this type")
    op("matmul", x, draw(72, 3, 2, dtype=dtype), label="of this type")
    op("nn.softmax", x, label="of this type")
    op("nn.top_k", x, 2, label="of this type")
op("saturate_cast", np.array([np.inf, -np.inf, 300, -3], np.float16), "tf.int32")
op("image.per_image_standardization", draw(73, 4, 3, 2, dtype=np.float64), grad=False)
op("spectral.rfft", draw(74, 2, 4, dtype=np.float64), grad=False)
op("spectral.irfft", draw(75, 2, 4, dtype=np.float64).astype(np.complex128), grad=False)
op("linalg.logdet", np.array([[3, 1j], [-1j, 2]], np.complex64), grad=False)

FLAT, ROWS = draw(76, 5), draw(77, 4, 3)
for name in words("add sub update"):
    once = np.array([[3], [0]], np.int32)
    op(f"tensor_scatter_{name}", FLAT, once, draw(78, 2))
    op(f"tensor_scatter_{name}", ROWS, once, draw(79, 2, 3))
    op(f"tensor_scatter_{name}", ROWS, np.array([[[0, 1]], [[3, 2]]], np.int64), draw(80, 2, 1), feed=False)
    op(f"tensor_scatter_{name}", np.array([1, 2, 3], np.int32), np.array([[1], [1]]), np.array([7, 7], np.int32))
op(
    "tensor_scatter_update",
    FLAT,
    np.array([[2], [2]], np.int32),
    np.array([1.5, 1.5], np.float32),
    grad=False,
    label="twice",
)
op("tensor_scatter_update", np.array([np.inf, np.nan, 1], np.float32), np.array([[1]]), np.ones(1, np.float32))
op("tensor_scatter_update", np.array([b"a", b"b"], object), np.array([[1]]), np.array([b"zz"], object), feed=False)
for name in words("max min"):
    op(f"tensor_scatter_nd_{name}", ROWS, np.array([[3, 1], [0, 2], [0, 2]]), draw(81, 3), grad=False)

HOLES, NOTHING = np.array([1, np.nan, np.inf], np.float32), np.zeros((2, 0), np.float32)
for name in words("linalg.diag matrix_diag diag"):
    op(name, HOLES, label="with a NaN and infinity", grad=False)
op("matrix_set_diag", draw(82, 3, 3), HOLES, label="with a NaN and infinity", grad=False)
op("math.polyval", [1.0, -2.0, 0.5], HOLES, label="of NaN and infinity", grad=False)
PIXELS = draw(83, 1, 6, 5, 1)
PIXELS[0, 0, 0, 0], PIXELS[0, 5, 4, 0] = np.nan, np.inf
for size in ([8, 9], [3, 2]):
    op("image.resize_bicubic", PIXELS, size, label="with a NaN and infinity", grad=False)
    op("image.resize_area", PIXELS, size, label="with a NaN and infinity", grad=False)
for exclusive in (False, True):
    op("cumsum", NOTHING, axis=-1, exclusive=exclusive, label="of nothing")
op("fft", NOTHING.astype(np.complex64), label="of nothing", grad=False)
op("spectral.rfft", NOTHING, label="of nothing", grad=False)
op("dynamic_stitch", [Raw(np.array([0, 2])), Raw(np.array([1]))], [NOTHING, NOTHING[:1]], label="of nothing")
op("linalg.expm", np.array([[1, np.inf], [0, 1]]), label="of infinity", grad=False, feed=False)
op("linalg.sqrtm", np.array([[1, np.inf], [0, 1]]), label="of infinity", grad=False)
