"""Operations whose arguments stand in another order, or have other names, in TensorFlow's generated modules."""

from __future__ import annotations

from typing import Any

from .. import linalg as _linalg
from .. import math as _math
from .. import nn as _nn
from ..ops import (
    array_ops,
    cast_ops,
    complex_ops,
    concat_ops,
    counting_ops,
    creation_ops,
    diagonal_ops,
    gather_ops,
    image_resize_ops,
    math_ops,
    one_hot_ops,
    pad_ops,
    random_gamma_ops,
    random_ops,
    rearranging_ops,
    reduce_ops,
    regex_ops,
    rounding_ops,
    script_ops,
    slice_ops,
    space_ops,
    special_math_ops,
    spectral_ops,
    string_ops,
    string_unit_ops,
    tensor_scatter_ops,
    triangular_ops,
)
from .reordered_names import reordered

_RIGHT_LEFT = {"align": "RIGHT_LEFT"}  # where the diagonals of a band begin, unless a call says so

# ``theirs:ours`` is an argument that has another name here, ``theirs:`` one that is accepted and left out.
_ORDERS: dict[str, tuple[Any, ...]] = {
    "accumulate_nv2": (_math.accumulate_n, "inputs shape name"),
    "angle": (complex_ops.angle, "input Tout: name"),
    "banded_triangular_solve": (triangular_ops.banded_triangular_solve, "matrix:bands rhs lower adjoint name"),
    "cast": (cast_ops.cast, "x DstT:dtype Truncate: name"),
    "complex_abs": (math_ops.abs, "x Tout: name"),
    "conjugate_transpose": (array_ops.transpose, "x:a perm name", {"conjugate": True}),
    "concat": (concat_ops.concat, "concat_dim:axis values name"),
    "concat_v2": (concat_ops.concat, "values axis name"),
    "depth_to_space": (space_ops.depth_to_space, "input block_size data_format name"),
    "ensure_shape": (script_ops.ensure_shape, "input:x shape name"),
    "equal": (math_ops.equal, "x y incompatible_shape_error: name"),
    "euclidean_norm": (reduce_ops.reduce_euclidean_norm, "input:input_tensor axis keep_dims:keepdims name"),
    "gather_v2": (gather_ops.gather, "params indices axis batch_dims name"),
    "imag": (complex_ops.imag, "input Tout: name"),
    "list_diff": (counting_ops.setdiff1d, "x y out_idx:index_dtype name"),
    "log_softmax": (_nn.log_softmax, "logits name"),
    "matrix_diag_part_v2": (diagonal_ops.matrix_diag_part, "input k padding_value name"),
    "matrix_diag_part_v3": (diagonal_ops.matrix_diag_part, "input k padding_value align name", _RIGHT_LEFT),
    "matrix_diag_v2": (diagonal_ops.matrix_diag, "diagonal k num_rows num_cols padding_value name"),
    "matrix_diag_v3": (diagonal_ops.matrix_diag, "diagonal k num_rows num_cols padding_value align name", _RIGHT_LEFT),
    "matrix_set_diag_v2": (diagonal_ops.matrix_set_diag, "input diagonal k name"),
    "matrix_set_diag_v3": (diagonal_ops.matrix_set_diag, "input diagonal k align name", _RIGHT_LEFT),
    "mirror_pad": (pad_ops.pad, "input:tensor paddings mode name"),
    "mul_no_nan": (special_math_ops.multiply_no_nan, "x y name"),
    "multinomial": (random_ops.multinomial, "logits num_samples seed seed2: output_dtype name"),
    "next_after": (special_math_ops.nextafter, "x1 x2 name"),
    "not_equal": (math_ops.not_equal, "x y incompatible_shape_error: name"),
    "one_hot": (one_hot_ops.one_hot, "indices depth on_value off_value axis name"),
    "ones_like": (creation_ops.ones_like, "x:tensor name"),
    "pad": (pad_ops.pad, "input:tensor paddings name"),
    "pad_v2": (pad_ops.pad, "input:tensor paddings constant_values name"),
    "placeholder_v2": (creation_ops.placeholder, "dtype shape name"),
    "quantize_and_dequantize_v2": (
        rounding_ops.quantize_and_dequantize,
        "input input_min input_max signed_input num_bits range_given round_mode narrow_range name",
    ),
    "quantize_and_dequantize_v3": (
        rounding_ops.quantize_and_dequantize,
        "input input_min input_max num_bits signed_input range_given narrow_range axis name",
        {"range_given": True},
    ),
    "quantize_and_dequantize_v4": (
        rounding_ops.quantize_and_dequantize_v2,
        "input input_min input_max signed_input num_bits range_given round_mode narrow_range axis name",
    ),
    "random_gamma": (random_gamma_ops.random_gamma, "shape alpha seed seed2: name"),
    "random_poisson_v2": (random_ops.random_poisson, "shape rate:lam seed seed2: dtype name"),
    "random_shuffle": (random_ops.random_shuffle, "value seed seed2: name"),
    "random_standard_normal": (random_ops.random_normal, "shape dtype seed seed2: name"),
    "random_uniform": (random_ops.random_uniform, "shape dtype seed seed2: name"),
    "random_uniform_int": (random_ops.random_whole_numbers, "shape minval maxval seed seed2: name"),
    "resize_area": (image_resize_ops.resize_area, "images size align_corners name"),
    "real": (complex_ops.real, "input Tout: name"),
    "reduce_join": (string_ops.reduce_join, "inputs reduction_indices:axis keep_dims separator name"),
    "reverse_sequence": (rearranging_ops.reverse_sequence, "input seq_lengths seq_dim batch_dim name"),
    "shape": (array_ops.shape, "input out_type name"),
    "size": (array_ops.size, "input out_type name"),
    "softmax": (_nn.softmax, "logits name"),
    "space_to_depth": (space_ops.space_to_depth, "input block_size data_format name"),
    "split": (concat_ops.split, "axis value num_split:num_or_size_splits name"),
    "split_v": (concat_ops.split, "value size_splits:num_or_size_splits axis num_split:num name"),
    "static_regex_full_match": (regex_ops.regex_full_match, "input pattern name"),
    "static_regex_replace": (regex_ops.regex_replace, "input pattern rewrite replace_global name"),
    "strided_slice": (
        slice_ops.strided_slice,
        "input:input_ begin end strides begin_mask end_mask ellipsis_mask new_axis_mask shrink_axis_mask name",
    ),
    "string_length": (string_unit_ops.string_length, "input unit name"),
    "substr": (string_unit_ops.substr, "input pos len unit name"),
    "svd": (_linalg.svd, "input:tensor compute_uv full_matrices name"),
    "tensor_scatter_max": (tensor_scatter_ops.tensor_scatter_nd_max, "tensor indices updates name"),
    "tensor_scatter_min": (tensor_scatter_ops.tensor_scatter_nd_min, "tensor indices updates name"),
    "transpose": (array_ops.transpose, "x:a perm name"),
    "truncated_normal": (random_ops.truncated_normal, "shape dtype seed seed2: name"),
    "where": (gather_ops.where, "condition name"),
    "zeros_like": (creation_ops.zeros_like, "x:tensor name"),
}
for _name in ("bicubic", "bilinear", "nearest_neighbor"):
    _resize = getattr(image_resize_ops, f"resize_{_name}")
    _ORDERS[f"resize_{_name}"] = _resize, "images size align_corners half_pixel_centers name"
for _name in ("fft", "fft2d", "fft3d", "ifft", "ifft2d", "ifft3d"):
    _ORDERS[f"batch_{_name}"] = getattr(spectral_ops, _name), "input name"
for _name in ("all", "any", "max", "mean", "min", "prod", "sum"):
    _ORDERS[_name] = getattr(reduce_ops, f"reduce_{_name}"), "input:input_tensor axis keep_dims:keepdims name"

__all__ = list(_ORDERS)
globals().update({_name: reordered(*_form) for _name, _form in _ORDERS.items()})
