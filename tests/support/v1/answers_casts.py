"""Programs of what types do to numbers: values that a type does not hold, types of 16 bits, texts of NumPy's."""

from __future__ import annotations

from typing import Any

import numpy as np
from answers import eager, graph, run, tried


def _narrow(tf: Any) -> list[Any]:
    whole, small = tf.constant([1, 2]), tf.constant([1, 2], tf.uint8)
    return [
        tf.constant(300, tf.uint8),
        tf.constant([-1, 2**40], tf.int16),
        tf.constant(2**31, tf.int32),
        tf.constant(np.array([1.5, -2.7]), tf.int32),
        tf.constant(np.array([300, -1]), tf.uint8),
        tf.constant(np.array([1 + 2j]), tf.float32),
        small + 300,
        300 + small,
        small - np.array([300, 2]),
        whole + np.array([1.5, 2.5]),
        whole * 2**31,
        tf.add(small, 300),
        np.array([300, 2]) + small,
    ]


def _refused(tf: Any) -> list[Any]:
    return [
        tried(lambda: tf.constant(1.5, tf.int32))[0],
        tried(lambda: tf.constant([1.5], tf.int32))[0],
        tried(lambda: tf.constant([1, 0], tf.bool))[0],
        tried(lambda: tf.constant(1 + 2j, tf.float32))[0],
        tried(lambda: tf.constant([1, 2]) * 1.5)[0],
    ]


@graph
def numbers_that_a_type_does_not_hold(tf: Any) -> Any:
    return run(tf, _narrow(tf)), _refused(tf)


@eager
def numbers_that_a_type_does_not_hold_eagerly(tf: Any) -> Any:
    return [[each.numpy(), each.dtype.name] for each in _narrow(tf)], _refused(tf)


def _halves(tf: Any) -> list[Any]:
    x, y = tf.cast([[1.0, 2.0], [3.0, 5.0]], tf.bfloat16), tf.cast([1.0, 2.0], tf.bfloat16)
    half = tf.cast([[1.0, 2.0], [4.0, 4.0]], tf.float16)
    return [
        tf.linalg.matvec(x, y),
        tf.tensordot(x, x, 1),
        tf.tensordot(x[:0], x[:0], [0, 0]),
        tf.einsum("ij,jk->ik", x, x),
        tf.einsum("ij->i", x),
        tf.count_nonzero(x, axis=0),
        tf.clip_by_value(y, 1.0, 1.5),
        tf.math.reduce_std(x),
        tf.unsorted_segment_max(y, [0, 0], 2),
        tf.unsorted_segment_min(y, [0, 1], 2),
        tf.linalg.inv(half),
        tf.norm(x),
    ]


@graph
def types_of_16_bits(tf: Any) -> Any:
    return [[each.dtype.name, value.dtype.name, value] for each, value in _with_values(tf, _halves(tf))]


def _with_values(tf: Any, tensors: list[Any]) -> Any:
    return zip(tensors, run(tf, tensors), strict=True)


@eager
def types_of_16_bits_eagerly(tf: Any) -> Any:
    y = tf.cast([1.0, 2.0], tf.bfloat16)
    found = [*_halves(tf), y + 1.5, 2.5 * y, y % 1.5, tf.expand_dims(y, 0) @ tf.expand_dims(y, 1)]
    return [[each.dtype.name, each.numpy().dtype.name, each.numpy()] for each in found]


@eager
def operands_of_other_kinds_eagerly(tf: Any) -> Any:
    small, z = tf.constant([1, 2], tf.uint8), tf.constant([1j, 2.0], tf.complex64)
    found = [
        np.array([1.5, 2.5]) / small,
        np.float32(1.5) / small,
        z + np.array([1, 2]),
        np.array([1.5, 2.5]) * z,
        tf.constant([True, False]) & np.array([1, 2]),
        tf.constant([1.0, 2.0]) * [tf.constant(1.0), 2.0],
        tf.constant([1, 2]) - [np.array(3.0), tf.constant(1)],
        tf.multiply(2, np.array([1, 7], np.uint8)),
        tf.maximum([3, 1], np.array([1, 7])),
    ]
    return [[each.dtype.name, each.numpy()] for each in found]


@eager
def arrays_of_texts_eagerly(tf: Any) -> Any:
    texts = np.array([["a", "é"]])
    found = [
        tf.reshape(texts, [-1]),
        tf.reverse(texts, [1]),
        tf.transpose(texts),
        tf.tile(texts, [2, 1]),
        tf.gather(texts[0], [1]),
        tf.concat([texts, texts.astype(object)], 0),
        tf.where([[True, False]], texts, np.array([["c", "d"]])),
        tf.zeros_like(texts),
        tf.identity(texts),
        *tf.unstack(texts[0]),
    ]
    return [each.numpy() for each in found]


@graph
def extremes_of_equal_integers(tf: Any) -> Any:
    x = tf.constant([[1, -4, 7], [-3, -4, 7], [0, 5, -5]])
    thirds = tf.constant([0.1, 0.1, 0.1])
    values = [
        tf.segment_max(x, [0, 0, 2]),
        tf.segment_min(x, [0, 0, 0]),
        tf.unsorted_segment_max(x, [1, 1, 0], 3),
        tf.unsorted_segment_min(tf.cast(x, tf.int8), [0, 0, 0], 1),
        tf.segment_max(thirds, [0, 0, 0]),
        tf.math.unsorted_segment_mean(tf.cast(x, tf.int16), [0, 0, 1], 2),
    ]
    slope = tf.gradients(tf.segment_max(thirds, [0, 0, 0]) * 6.0, thirds)
    unknown = tf.segment_sum(x, tf.placeholder(tf.int32)).shape.as_list()
    return run(tf, values), run(tf, slope), values[-1].dtype.name, unknown


@graph
def small_things(tf: Any) -> Any:
    z = tf.constant([1 + 2j, 0.5j, -2])
    values = [
        tf.acos(z),
        tf.asin(z),
        tf.atan(z),
        tf.angle(tf.constant([np.inf, -np.inf, -1.0, 2.0])),
        tf.math.cumulative_logsumexp(tf.constant([1.0, 2.0, 0.5]), axis=tf.constant(0)),
        tf.nn.crelu(tf.constant([[1.0, -2.0]]), axis=tf.constant(0)),
        tf.searchsorted(tf.constant([[3.0, 4.0, 5.0], [1.0, 2.0, 3.0]]), tf.constant([[[1.0, 3.5], [0.2, 9.0]]])),
        tf.strings.split("ab c", sep=" ").values,
        tf.matrix_diag([[1.0, 2.0, 3.0], [4.0, 5.0, 0.0]], k=(0, 1), align="LEFT_LEFT"),
        tf.matrix_diag_part([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], k=(-1, 1), align="LEFT_RIGHT"),
        tf.matrix_diag_part([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], k=(-1, 2), align="RIGHT_LEFT", padding_value=9.0),
        tf.matrix_set_diag(tf.zeros([2, 3]), [[8.0, 9.0], [6.0, 7.0]], k=(0, 1), align="LEFT_RIGHT"),
        tf.nn.compute_average_loss(tf.zeros([0, 3])),
        tf.nn.scale_regularization_loss(tf.constant([2, 3])),
        tf.broadcast_dynamic_shape([], []),
    ]
    beside = (tf.zeros([2, 0]) + tf.placeholder(tf.float32, [None, None])).shape.as_list()
    kind = tf.glorot_uniform_initializer(dtype=tf.float64)([2, 3]).dtype.name
    return run(tf, values), beside, kind, tf.nn.crelu(tf.ones([2, 3]), axis=0).shape.as_list()


@eager
def small_things_eagerly(tf: Any) -> Any:
    x = tf.constant([0.0, 0.25, 1.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.constant(x) * 3.0
    return tf.cross(x, tf.constant([2.0, -0.75, -1.5])).numpy(), tape.gradient(y, x).numpy(), tf.constant(x) is x


def _of_wrong_types(tf: Any) -> list[Any]:
    whole, numbers, half = tf.constant([[1, 2], [3, 4]]), tf.constant([1.0, 2.0]), tf.cast([[1.0]], tf.bfloat16)
    calls = [
        lambda: tf.strings.length(numbers),
        lambda: tf.strings.upper(numbers),
        lambda: tf.strings.to_number(numbers),
        lambda: tf.logical_not(numbers),
        lambda: tf.math.bessel_i1(whole),
        lambda: tf.math.erfinv(whole),
        lambda: tf.linalg.svd(whole),
        lambda: tf.linalg.inv(half),
        lambda: tf.linalg.qr(whole),
        lambda: tf.nn.l2_normalize(tf.constant([True])),
        lambda: tf.check_numerics(whole, "m"),
        lambda: tf.bitwise.bitwise_and(numbers, numbers),
    ]
    return [tried(call)[0] for call in calls]


@graph
def first_inputs_of_wrong_types(tf: Any) -> Any:
    return _of_wrong_types(tf)


@eager
def first_inputs_of_wrong_types_eagerly(tf: Any) -> Any:
    return _of_wrong_types(tf)


@graph
def what_does_not_fit_becomes_the_nearest_that_does(tf: Any) -> Any:
    reals = np.array([1.5, -200.0, 40000.0, 3e38, -5e9, 2.0**31, 2.0**63])
    whole = np.array([1, -200, 40000, 2**31 - 1, -(2**31)])
    pairs = [("bfloat16", "int32"), ("bfloat16", "float16"), ("float32", "complex64"), ("float64", "complex64")]
    pairs += [("complex128", "complex64"), ("complex128", "float32"), ("complex64", "int16"), ("float64", "bfloat16")]
    pairs += [("int32", "float16"), ("int32", "bfloat16"), ("int32", "uint32"), ("float32", "uint32")]
    made, slopes = [], []
    for source, target in pairs:
        x = tf.cast(whole if source == "int32" else reals, source)
        x = x * (1 - 2j) if source.startswith("complex") else x
        made.append(tf.saturate_cast(x, target))
        if target in ("float16", "complex64") and source not in ("int32", "complex128"):
            slopes.append(tf.gradients(tf.real(tf.cast(made[-1], tf.complex64)), x)[0])
    slopes = [tf.cast(each, tf.complex64) for each in slopes]
    return [each.dtype.name for each in made], run(tf, [[tf.cast(each, tf.complex128) for each in made], slopes])


@graph
def bits_that_do_not_fill_another_type(tf: Any) -> Any:
    found = tried(
        lambda: tf.bitcast(np.zeros([1, 1], np.int8), tf.int32),
        lambda: tf.bitcast(tf.placeholder(tf.int8, [None, 3]), tf.int32),
    )
    return [(type(each.error).__name__, "from 6 to 3" in str(each.error)) for each in found]


@graph
def values_that_python_asks_a_node_for(tf: Any) -> Any:
    x = tf.constant(5.0)
    found = tried(lambda: bool(x), lambda: list(x), lambda: len(x))
    words = ["Using a symbolic `tf.Tensor` as a Python `bool` is not allowed."]
    words += ["Iterating over a symbolic `tf.Tensor` is not allowed.", "Please call `x.shape` rather than `len(x)`"]
    return [word in str(each.error) for word, each in zip(words, found, strict=True)]
