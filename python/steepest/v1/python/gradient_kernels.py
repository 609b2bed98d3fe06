"""Operations that TensorFlow's generated modules have beside the public ones: slopes, and losses with their slopes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ...ops.dispatch import unwrap
from ...ops.scatter import scattered
from ..graph import shape_inference
from ..graph.build import call, convert, dtype_of
from ..graph.mode import executing_eagerly
from ..graph.run_values import array_of
from ..graph.shape_inference import shape_value
from ..graph.static_values import constant_value
from ..nn import softmax
from ..nn import softmax_cross_entropy_with_logits_v2 as _of_rows
from ..nn import sparse_softmax_cross_entropy_with_logits as _of_classes
from ..ops.cast_ops import cast
from ..ops.creation_ops import zeros_like
from ..ops.decomposition_ops import cholesky_slope
from ..ops.incomplete_gamma_ops import slope_by_a
from ..ops.math_ops import add
from ..ops.one_hot_ops import one_hot
from ..ops.sparse_ops import convert_to_tensor

__all__ = [
    "bias_add_grad",
    "cholesky_grad",
    "elu_grad",
    "igamma_grad_a",
    "inv_grad",
    "leaky_relu_grad",
    "mirror_pad_grad",
    "reciprocal_grad",
    "relu6_grad",
    "relu_grad",
    "rsqrt_grad",
    "selu_grad",
    "sigmoid_grad",
    "softmax_cross_entropy_with_logits",
    "softplus_grad",
    "softsign_grad",
    "sparse_segment_mean_grad",
    "sparse_segment_mean_grad_v2",
    "sparse_segment_sqrt_n_grad",
    "sparse_segment_sqrt_n_grad_v2",
    "sparse_segment_sum_grad",
    "sparse_segment_sum_grad_v2",
    "sparse_softmax_cross_entropy_with_logits",
    "sqrt_grad",
    "tanh_grad",
    "tile_grad",
]

_SCALE, _ALPHA = 1.0507009873554805, 1.6732632423543772


class CrossEntropy(NamedTuple):
    """What the cross entropies return."""

    loss: Any
    backprop: Any


def igamma_grad_a(a: Any, x: Any, name: str | None = None) -> Any:
    """Return the derivative of ``tf.igamma`` by a."""

    def slope(a: Any, x: Any) -> Any:
        return slope_by_a(array_of(a), array_of(x)).astype(x.dtype)

    return call("IgammaGradA", slope, (a, x), name=name, shape=shape_inference.broadcast, differentiable=False)


def _of_gradients(op_type: str, slope: Callable[[Any], Any], text: str) -> Callable[..., Any]:
    def operation(gradients: Any, features: Any, name: str | None = None) -> Any:
        def product(g: Any, x: Any) -> Any:
            return g * slope(x)

        return call(op_type, product, (gradients, features), name=name, shape=shape_inference.merged)

    operation.__doc__ = f"Return the gradients times the slope of {text}."
    return operation


def _of_results(op_type: str, slope: Callable[[Any], Any], text: str) -> Callable[..., Any]:
    def operation(y: Any, dy: Any, name: str | None = None) -> Any:
        def product(value: Any, g: Any) -> Any:
            return g * slope(value)

        return call(op_type, product, (y, dy), name=name, shape=shape_inference.merged)

    operation.__doc__ = f"Return ``dy`` times the slope of {text}, of which ``y`` is the result."
    return operation


def _above(x: Any) -> Any:
    return (unwrap(x) > 0).astype(x.dtype)


def _logistic(x: Any) -> Any:
    return 1 / (1 + np.exp(-x))


relu_grad = _of_gradients("ReluGrad", _above, "`relu`")
relu6_grad = _of_gradients("Relu6Grad", lambda x: _above(x) * (unwrap(x) < 6).astype(x.dtype), "`relu6`")
elu_grad = _of_gradients("EluGrad", lambda y: np.where(unwrap(y) < 0, y + 1, np.ones_like(unwrap(y))), "`elu` by y")
selu_grad = _of_gradients(
    "SeluGrad",
    lambda y: np.where(unwrap(y) < 0, y + _SCALE * _ALPHA, np.full_like(unwrap(y), _SCALE)).astype(y.dtype),
    "`selu` by y",
)
softplus_grad = _of_gradients("SoftplusGrad", _logistic, "`softplus`")
softsign_grad = _of_gradients("SoftsignGrad", lambda x: (1 + np.abs(x)) ** -2, "`softsign`")
sigmoid_grad = _of_results("SigmoidGrad", lambda y: y * (1 - y), "`sigmoid`")
tanh_grad = _of_results("TanhGrad", lambda y: 1 - y * y, "`tanh`")
sqrt_grad = _of_results("SqrtGrad", lambda y: y.dtype.type(0.5) / y, "`sqrt`")
rsqrt_grad = _of_results("RsqrtGrad", lambda y: y.dtype.type(-0.5) * y * y * y, "`rsqrt`")
reciprocal_grad = _of_results("ReciprocalGrad", lambda y: -(y * y), "`reciprocal`")
inv_grad = _of_results("InvGrad", lambda y: -(y * y), "`reciprocal`")


def leaky_relu_grad(gradients: Any, features: Any, alpha: float = 0.2, name: str | None = None) -> Any:
    """Return the gradients times the slope of `leaky_relu`."""

    def product(g: Any, x: Any) -> Any:
        return g * np.where(unwrap(x) > 0, 1, np.float32(alpha)).astype(x.dtype)  # alpha is a float32, as in TensorFlow

    return call("LeakyReluGrad", product, (gradients, features), name=name, shape=shape_inference.merged)


def bias_add_grad(out_backprop: Any, data_format: str = "NHWC", name: str | None = None) -> Any:
    """Return the sums over all axes but the channels' one."""

    def channel(rank: int) -> int:
        return 1 if data_format == "NCHW" else rank - 1

    def sums(x: Any) -> Any:
        return np.sum(x, axis=tuple(k for k in range(x.ndim) if k != channel(x.ndim)))

    def shape_fn(s: Any) -> Any:
        return None if s is None else (s[channel(len(s))],)

    return call("BiasAddGrad", sums, (out_backprop,), name=name, shape=shape_fn)


def softmax_cross_entropy_with_logits(features: Any, labels: Any, name: str | None = None) -> CrossEntropy:
    """Return the cross entropy of each row, and its slope by the logits."""
    logits, labels = convert_to_tensor(features), convert_to_tensor(labels)
    for each in (logits, labels):
        if each.shape.ndims not in (None, 2):
            raise ValueError(f"Shape must be broadcasted with rank 2, but is rank {each.shape.ndims}")
    # One row, or one column, stands for as many as the other has.
    logits, labels = add(logits, zeros_like(labels)), add(labels, zeros_like(logits))
    return CrossEntropy(_of_rows(labels=labels, logits=logits, name=name), softmax(logits) - labels)


def sparse_softmax_cross_entropy_with_logits(features: Any, labels: Any, name: str | None = None) -> CrossEntropy:
    """Return the cross entropy of each row whose class is ``labels``, and its slope by the logits."""
    logits = convert_to_tensor(features)
    loss = _of_classes(labels=labels, logits=logits, name=name)
    classes = cast(one_hot(labels, logits.shape[-1].value), dtype_of(logits))
    return CrossEntropy(loss, softmax(logits) - classes)


def cholesky_grad(l: Any, grad: Any, name: str | None = None) -> Any:  # noqa: E741  (TensorFlow's name)
    """Return the symmetric gradient by the matrix of which ``l`` is the `cholesky` factor."""
    return call("CholeskyGrad", lambda y, g: cholesky_slope(g, y), (l, grad), name=name, shape=shape_inference.merged)


def tile_grad(input: Any, multiples: Any, name: str | None = None) -> Any:
    """Return the sum of the parts of which `tf.tile` makes many."""

    def summed(x: Any, counts: Any) -> Any:
        times = array_of(counts).tolist()
        sizes = [part for count, size in zip(times, x.shape, strict=True) for part in (count, size // max(count, 1))]
        return np.sum(np.reshape(x, sizes), axis=tuple(range(0, 2 * x.ndim, 2)))

    return call("TileGrad", summed, (input, multiples), name=name, shape=None, same=False)


def mirror_pad_grad(input: Any, paddings: Any, mode: str, name: str | None = None) -> Any:
    """Return the sum of the places to which `tf.pad` of the mode ``REFLECT`` or ``SYMMETRIC`` copies an element."""
    how: Any = mode.lower()
    if how not in ("reflect", "symmetric"):
        raise ValueError(f"mirror_pad_grad: mode must be REFLECT or SYMMETRIC, got {mode!r}")

    def folded(g: Any, widths: Any) -> Any:
        pairs = [tuple(pair) for pair in array_of(widths).tolist()]
        sizes = [size - sum(pair) for size, pair in zip(g.shape, pairs, strict=True)]
        if any(max(pair) > size - (how == "reflect") for size, pair in zip(sizes, pairs, strict=True)):
            raise ValueError(f"paddings must be no larger than the output size: {pairs} for {sizes}")
        count = int(np.prod(sizes))
        places = np.pad(np.arange(count).reshape(sizes), pairs, how)
        return np.reshape(scattered(np.reshape(g, (-1,)), places.ravel(), (count,)), sizes)

    known = None if executing_eagerly() else constant_value(convert(paddings))

    def shape_fn(s: Any, _: Any) -> Any:
        if s is None or known is None:
            return None
        return tuple(None if size is None else size - sum(pair) for size, pair in zip(s, known.tolist(), strict=True))

    return call("MirrorPadGrad", folded, (input, paddings), name=name, shape=shape_fn, same=False, differentiable=False)


def _shared(share: Callable[[Any], Any], values: Any, rows: Any, ids: Any, size: int) -> Any:
    """Return for each row that was taken its part of its segment's gradient. Raises IndexError, ValueError."""
    if ids.size and int(ids[-1]) + 1 > len(values) > 0 <= ids.min():
        raise ValueError(f"Invalid number of segments: {int(ids[-1]) + 1}, of which there are {len(values)} gradients")
    for each, size_of, what in ((ids, len(values), "Segment id"), (rows, size, "Index")):
        outside = (each < 0) | (each >= size_of)
        if outside.any():
            raise IndexError(f"{what} {each[outside][0]} out of range [0, {size_of})")
    weights = share(np.bincount(ids, minlength=len(values)))[ids].astype(values.dtype)
    return values[ids] * weights.reshape(-1, *[1] * (values.ndim - 1))


class SlicesOfSegments(NamedTuple):
    """What the second forms of the gradients of segments of rows return."""

    output: Any
    sorted_unique_indices: Any


def _slope_of_rows(op_type: str, share: Callable[[Any], Any]) -> Callable[..., Any]:
    def operation(grad: Any, indices: Any, segment_ids: Any, output_dim0: Any, name: str | None = None) -> Any:
        def spread(g: Any, rows: Any, ids: Any, size: Any) -> Any:
            rows, ids, values, count = array_of(rows), array_of(ids), array_of(g), int(array_of(size))
            return scattered(_shared(share, values, rows, ids, count), rows, (count, *values.shape[1:]))

        inputs = (grad, indices, segment_ids, output_dim0)
        known = shape_value(convert_to_tensor([output_dim0])) if isinstance(output_dim0, int) else (None,)

        def shape_fn(g: Any, *_: Any) -> Any:
            return None if g is None or known is None else (*known, *g[1:])

        return call(op_type, spread, inputs, name=name, shape=shape_fn, same=False, differentiable=False)

    operation.__doc__ = f"Return the gradient by the data of ``{op_type[:-4]}``, which has ``output_dim0`` rows."
    return operation


def _slope_of_taken_rows(op_type: str, share: Callable[[Any], Any]) -> Callable[..., Any]:
    def operation(
        grad: Any, indices: Any, segment_ids: Any, dense_output_dim0: Any, name: str | None = None
    ) -> SlicesOfSegments:
        def spread(g: Any, rows: Any, ids: Any, size: Any) -> Any:
            rows, ids, values = array_of(rows), array_of(ids), array_of(g)
            found, places = np.unique(rows, return_inverse=True)
            each = _shared(share, values, rows, ids, int(array_of(size)))
            return scattered(each, places.ravel(), (len(found), *values.shape[1:])), found

        taken = call(
            op_type,
            spread,
            (grad, indices, segment_ids, dense_output_dim0),
            name=name,
            shape=lambda g, *_: [None if g is None else (None, *g[1:]), (None,)],
            dtype=[dtype_of(grad), dtype_of(indices)],
            outputs=2,
            same=False,
            differentiable=False,
        )
        return SlicesOfSegments(*taken)

    operation.__doc__ = f"Return the rows of the gradient by the data of ``{op_type[:-6]}`` that are taken, and where."
    return operation


def _inverse(count: Any) -> Any:
    return 1 / np.maximum(count, 1)


def _inverse_root(count: Any) -> Any:
    return 1 / np.sqrt(np.maximum(count, 1))


sparse_segment_sum_grad = _slope_of_rows("SparseSegmentSumGrad", np.ones_like)
sparse_segment_mean_grad = _slope_of_rows("SparseSegmentMeanGrad", _inverse)
sparse_segment_sqrt_n_grad = _slope_of_rows("SparseSegmentSqrtNGrad", _inverse_root)
sparse_segment_sum_grad_v2 = _slope_of_taken_rows("SparseSegmentSumGradV2", np.ones_like)
sparse_segment_mean_grad_v2 = _slope_of_taken_rows("SparseSegmentMeanGradV2", _inverse)
sparse_segment_sqrt_n_grad_v2 = _slope_of_taken_rows("SparseSegmentSqrtNGradV2", _inverse_root)
