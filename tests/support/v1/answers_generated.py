"""Programs that call operations by the arguments that they have in TensorFlow's generated modules."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
from answers import graph, run, tried

X = np.arange(12, dtype=np.float32).reshape(3, 4)
Z = np.array([[1 + 2j, 3 - 1j]], np.complex64)


def _module(tf: Any, name: str) -> Any:
    package = "steepest.v1" if tf.__name__.startswith("steepest") else "tensorflow"
    return import_module(f"{package}.python.ops.gen_{name}_ops")


@graph
def arrays_by_generated_arguments(tf: Any) -> Any:
    g = _module(tf, "array")
    made = [g.concat(concat_dim=1, values=[X, X]), g.concat_v2([X, X], axis=0), g.expand_dims(input=X, axis=1)]
    made += [g.pad(input=X, paddings=[[1, 0], [0, 1]]), g.pad_v2(X, [[1, 0], [0, 1]], 7.0)]
    made += [g.mirror_pad(input=X, paddings=[[1, 1], [2, 0]], mode=mode) for mode in ("REFLECT", "SYMMETRIC")]
    made += [g.mirror_pad_grad(X, [[1, 0], [1, 0]], "REFLECT"), g.mirror_pad_grad(X, [[1, 0], [2, 0]], "SYMMETRIC")]
    made += [g.transpose(x=X, perm=[1, 0]), g.zeros_like(x=X), g.ones_like(X), g.where(condition=X > 8)]
    made += [g.shape(input=X, out_type=tf.int64), g.size(X, tf.int64), g.one_hot([1, 0], 2, 3.0, -1.0, axis=0)]
    made += [*g.split(axis=1, value=X, num_split=2), *g.split_v(X, size_splits=[1, 2], axis=0, num_split=2)]
    made += [g.reverse_sequence(input=X, seq_lengths=[1, 2, 3], seq_dim=1, batch_dim=0)]
    made += [g.gather_v2(params=X, indices=[2, 0], axis=1), *g.list_diff(x=[1, 2, 3], y=[2], out_idx=tf.int64)]
    made += [g.strided_slice(input=X, begin=[0, 1], end=[2, 3], strides=[1, 1], shrink_axis_mask=1)]
    made += [g.depth_to_space(X.reshape(1, 1, 3, 4), 2), g.space_to_depth(X.reshape(1, 2, 6, 1), 2)]
    made += [g.lower_bound([[1.0, 3.0, 5.0]], [[3.0]]), g.upper_bound([[1.0, 3.0, 5.0]], [[3.0]], tf.int64)]
    made += [g.tensor_scatter_max(X, [[0]], [[9.0, 0.0, 9.0, 0.0]]), g.parallel_concat([X[:1], X[1:2]], [2, 4])]
    made += [g.ensure_shape(input=X, shape=[None, 4]), g.empty([2], tf.float32, init=True)]
    return [each.shape.as_list() for each in made[:13]], run(tf, made)


@graph
def shapes_that_are_broadcast(tf: Any) -> Any:
    g = _module(tf, "array")
    pairs = [
        ([2, 3], [3]),
        ([2, 1], [1, 3]),
        ([1], [1]),
        ([], [2]),
        ([4, 1, 3], [2, 1]),
        ([1, 3], [3]),
        ([1, 2], [1, 1]),
        ([2, 3], [2, 3]),
    ]
    made = [list(g.broadcast_gradient_args(np.array(a, np.int32), np.array(b, np.int32))) for a, b in pairs]
    made += [g.broadcast_args(np.array(a, np.int32), np.array(b, np.int32)) for a, b in pairs]
    offsets = g.concat_offset(1, [[2, 2, 5], [2, 7, 5], [2, 3, 5]])
    faults = [
        tried(lambda s=s: run(tf, g.concat_offset(1, s)))[0] for s in ([[2, 3], [2]], [[2, 3], [3, 3]], [[2], [3]])
    ]
    return run(tf, [made, offsets, g.concat_offset(-1, [[2, 2], [2, 5]])]), faults


@graph
def numbers_by_generated_arguments(tf: Any) -> Any:
    g, n, s = _module(tf, "math"), _module(tf, "nn"), _module(tf, "linalg")
    made = [g.cast(x=X, DstT=tf.int32), g.real(input=Z, Tout=tf.float32), g.angle(Z), g.complex_abs(x=Z)]
    made += [g.euclidean_norm(input=X, axis=[1], keep_dims=True), g.mul_no_nan(x=[np.inf], y=[0.0])]
    made += [g.next_after(x1=1.0, x2=2.0), g.equal(x=X, y=X[:1]), g.accumulate_nv2(inputs=[X, X], shape=[3, 4])]
    made += [g.bincount(arr=[1, 1, 3, 9], size=4, weights=np.array([], np.float32))]
    made += [g.bincount([1, 1, 3], 4, np.array([0.5, 1.0, 2.0], np.float32))]
    made += [
        g.sparse_segment_sum_grad(X, [0, 2, 2], [0, 0, 2], 4),
        g.sparse_segment_mean_grad(X, [0, 2, 2], [0, 0, 2], 4),
    ]
    made += [g.sparse_segment_sqrt_n_grad(X, [0, 2, 2], [0, 0, 2], 4)]
    for name in ("mean", "prod"):
        made.append(getattr(g, name)(input=X, axis=[0], keep_dims=True))
    made += [n.softmax(logits=X), n.log_softmax(X), n.data_format_dim_map([0, 1, 2, 3, -1])]
    made += [n.data_format_vec_permute([1, 2, 3, 4]), n.data_format_vec_permute([[1, 2], [3, 4], [5, 6], [7, 8]])]
    made += [n.data_format_vec_permute([1, 2, 3, 4], src_format="NCHW", dst_format="NHWC")]
    made += [s.einsum(inputs=[X, X], equation="ij,kj->ik"), s.self_adjoint_eig_v2([[2.0, 0.0], [0.0, 1.0]], False)[0]]
    return run(tf, made)


@graph
def strings_and_images_by_generated_arguments(tf: Any) -> Any:
    g, i = _module(tf, "string"), _module(tf, "image")
    image = X.reshape(1, 3, 4, 1)
    made = [g.string_length(input=["ab", "\u00e9"], unit="UTF8_CHAR"), g.substr(["abcd"], 1, len=2, unit="BYTE")]
    made += [g.reduce_join(inputs=[["a", "b"]], reduction_indices=1, separator="-")]
    made += [g.static_regex_replace(input=["a1"], pattern="[0-9]", rewrite="x"), g.static_regex_full_match(["a"], "a")]
    made += [i.resize_bilinear(images=image, size=[2, 2], align_corners=False, half_pixel_centers=True)]
    made += [
        i.resize_nearest_neighbor(image, [2, 2], True),
        i.resize_bicubic(image, [2, 2]),
        i.resize_area(image, [2, 2]),
    ]
    return run(tf, made)


@graph
def floats_rounded_to_few_bits(tf: Any) -> Any:
    x = np.array([[-9.0, -6.0, -0.13, 0.0, 0.021, 2.5, 5.98, 11.0]], np.float32)
    low, high = np.array([-1.0] * 8, np.float32), np.linspace(0.5, 6.0, 8).astype(np.float32)
    q = tf.quantization
    made = [q.fake_quant_with_min_max_args(x), q.fake_quant_with_min_max_args(x, -1.0, 2.0, 4, True)]
    made += [q.fake_quant_with_min_max_args(x, 0.5, 6.0, 3), tf.fake_quant_with_min_max_vars(x, -1.1, 5.0, 5)]
    made += [q.fake_quant_with_min_max_vars(x, 0.0, 0.0), q.fake_quant_with_min_max_vars(x, -6.0, -1.0)]
    made += [q.fake_quant_with_min_max_vars_per_channel(x, low, high, num_bits=6, narrow_range=True)]
    made += [list(q.fake_quant_with_min_max_vars_gradient(x, x, -1.0, 3.0))]
    made += [list(q.fake_quant_with_min_max_vars_per_channel_gradient(x, x, low, high))]
    made += [q.fake_quant_with_min_max_args_gradient(x, x, -1.0, 3.0)]
    v, a, b = tf.constant(x), tf.constant(-1.0), tf.constant(3.0)
    made += [tf.gradients(q.fake_quant_with_min_max_vars(v, a, b) * x, [v, a, b])]
    lows, highs = tf.constant(low), tf.constant(high)
    per = q.fake_quant_with_min_max_vars_per_channel(tf.tile(v, [2, 1]), lows, highs)
    made += [tf.gradients(per, [v, lows, highs]), tf.gradients(q.fake_quant_with_min_max_args(v), v)]
    faults = [
        tried(lambda: run(tf, q.fake_quant_with_min_max_args(x, 3.0, 1.0)))[0],
        tried(lambda: run(tf, q.fake_quant_with_min_max_vars(x, -1.0, 1.0, num_bits=17)))[0],
        tried(lambda: run(tf, q.fake_quant_with_min_max_vars_per_channel(x, low[:3], high[:3])))[0],
    ]
    return run(tf, made), faults


@graph
def operations_by_their_types(tf: Any) -> Any:
    raw, x = tf.raw_ops, tf.constant([[1.0, 2.0], [3.0, 4.0]])
    made = [
        raw.MatMul(a=x, b=x, transpose_a=True),
        raw.BatchMatMulV2(x=x, y=x, adj_y=True),
        raw.Sum(input=x, axis=[0], keep_dims=True),
        raw.Cast(x=x, DstT=tf.int32),
        raw.ConcatV2(values=[x, x], axis=1),
        raw.Pack(values=[x, x], axis=1),
        *raw.Unpack(value=x, num=2, axis=1),
        *raw.Split(axis=1, value=x, num_split=2),
        *raw.SplitV(value=x, size_splits=[1, 1], axis=0, num_split=2),
        raw.Pad(input=x, paddings=[[1, 0], [0, 1]]),
        raw.Transpose(x=x, perm=[1, 0]),
        raw.Select(condition=[True, False], x=x, y=-x),
        raw.GatherV2(params=x, indices=[1], axis=1),
        raw.ArgMax(input=x, dimension=1),
        raw.Slice(input=x, begin=[0, 1], size=[2, 1]),
        raw.StridedSlice(input=x, begin=[0], end=[1], strides=[1]),
        raw.ReluGrad(gradients=x, features=x - 2.0),
        *raw.TopKV2(input=x, k=1),
        raw.Add(x=x, y=2.0, name="sum_of_two"),
    ]
    failed = tried(lambda: raw.Add(x, x), lambda: raw.Add(x=x, z=x), lambda: raw.NoSuchOp)
    return run(tf, made), made[-1].name, failed
