"""Functions that TensorFlow has a second time with its arguments in another order, under ``..._v2``."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from .. import math as _math
from .. import nn as _nn
from ..autodiff import gradients
from ..graph.scopes import device
from ..ops import (
    array_ops,
    check_ops,
    compare_checks,
    concat_ops,
    control_flow_case,
    control_flow_ops,
    counting_ops,
    creation_ops,
    csv_ops,
    embedding_ops,
    example_ops,
    functional_ops,
    gather_ops,
    image_patch_ops,
    loop_ops,
    matmul_ops,
    pad_ops,
    position_ops,
    rearranging_ops,
    reduce_ops,
    safe_lookup_ops,
    shape_checks,
    space_ops,
    sparse_joining_ops,
    sparse_math_ops,
    sparse_ops,
    sparse_segment_ops,
    sparse_serial_ops,
    statistics_ops,
    string_code_ops,
    string_hash_ops,
    string_ops,
    string_unit_ops,
)

_NOTHING: Mapping[str, Any] = MappingProxyType({})
_REQUIRED = inspect.Parameter.empty
_DIV = {"partition_strategy": "div"}  # how the second forms find a row in a list of tables

# The order of the second form's arguments; behind it, what the first form has for the second.
_ORDERS: dict[str, tuple[Any, ...]] = {
    "HessiansV2": (gradients.hessians, "ys xs gate_gradients aggregation_method name"),
    "argmax_v2": (reduce_ops.argmax, "input axis output_type name"),
    "argmin_v2": (reduce_ops.argmin, "input axis output_type name"),
    "batch_gather_nd": (position_ops.batch_gather_nd, "params indices batch_dims name"),
    "case_v2": (control_flow_case.case, "pred_fn_pairs default exclusive strict name"),
    "cond_for_tf_v2": (control_flow_ops.cond, "pred true_fn false_fn name"),
    "convert_to_tensor_v1": (sparse_ops.convert_to_tensor, "value dtype name preferred_dtype dtype_hint"),
    "convert_to_tensor_v2": (sparse_ops.convert_to_tensor, "value dtype dtype_hint name"),
    "convert_to_tensor_v2_with_dispatch": (sparse_ops.convert_to_tensor, "value dtype dtype_hint name"),
    "boolean_mask_v2": (gather_ops.boolean_mask, "tensor mask axis name"),
    "count_nonzero_v2": (reduce_ops.count_nonzero, "input axis keepdims dtype name"),
    "crelu_v2": (_nn.crelu, "features axis name"),
    "embedding_lookup_v2": (embedding_ops.embedding_lookup, "params ids max_norm name", _DIV),
    "embedding_lookup_sparse_v2": (
        embedding_ops.embedding_lookup_sparse,
        "params sp_ids sp_weights combiner max_norm name allow_fast_lookup",
        _DIV,
    ),
    "assert_shapes_v2": (shape_checks.assert_shapes, "shapes data summarize message name"),
    "batch_norm_with_global_normalization_v2": (
        statistics_ops.batch_norm_with_global_normalization,
        "input mean variance beta gamma variance_epsilon scale_after_normalization name",
    ),
    "batch_to_space_v2": (space_ops.batch_to_space_nd, "input block_shape crops name"),
    "concat_v2": (concat_ops.concat, "values axis name", {"axis": _REQUIRED}),
    "confusion_matrix_v1": (counting_ops.confusion_matrix, "labels predictions num_classes dtype name weights"),
    "decode_csv_v2": (
        csv_ops.decode_csv,
        "records record_defaults field_delim use_quote_delim na_value select_cols name",
    ),
    "decode_raw_v1": (string_code_ops.decode_raw, "input_bytes out_type little_endian name bytes"),
    "depth_to_space_v2": (space_ops.depth_to_space, "input block_size data_format name"),
    "expand_dims_v2": (array_ops.expand_dims, "input axis name"),
    "device_v2": (device, "device_name_or_function"),
    "extract_image_patches_v2": (
        image_patch_ops.extract_image_patches,
        "images sizes strides rates padding name",
    ),
    "foldl_v2": (functional_ops.foldl, "fn elems initializer parallel_iterations back_prop swap_memory name"),
    "foldr_v2": (functional_ops.foldr, "fn elems initializer parallel_iterations back_prop swap_memory name"),
    "gather_nd_v2": (position_ops.gather_nd, "params indices batch_dims name"),
    "gather_v2": (gather_ops.gather, "params indices validate_indices axis batch_dims name"),
    "gradients_v2": (
        gradients.gradients,
        "ys xs grad_ys name gate_gradients aggregation_method stop_gradients unconnected_gradients",
    ),
    "in_top_k_v2": (_nn.in_top_k, "targets predictions k name"),
    "map_fn_v2": (
        functional_ops.map_fn,
        "fn elems dtype parallel_iterations back_prop swap_memory infer_shape name fn_output_signature:dtype",
    ),
    "ones_like_impl": (creation_ops.ones_like, "tensor dtype name optimize"),
    "ones_like_v2": (creation_ops.ones_like, "input:tensor dtype name"),
    "pad_v2": (pad_ops.pad, "tensor paddings mode constant_values name"),
    "parse_example_v2": (example_ops.parse_example, "serialized features example_names name"),
    "parse_single_example_v2": (example_ops.parse_single_example, "serialized features example_names name"),
    "repeat_with_axis": (pad_ops.repeat, "data:input repeats axis name"),
    "reverse_sequence_v2": (rearranging_ops.reverse_sequence, "input seq_lengths seq_axis batch_axis name"),
    "reduce_join_v2": (string_ops.reduce_join, "inputs axis keepdims separator name"),
    "safe_embedding_lookup_sparse_v2": (
        safe_lookup_ops.safe_embedding_lookup_sparse,
        "embedding_weights sparse_ids sparse_weights combiner default_id max_norm name allow_fast_lookup",
        _DIV,
    ),
    "scan_v2": (
        functional_ops.scan,
        "fn elems initializer parallel_iterations back_prop swap_memory infer_shape reverse name",
    ),
    "scalar_mul_v2": (_math.scalar_mul, "scalar x name"),
    "serialize_many_sparse_v2": (sparse_serial_ops.serialize_many_sparse, "sp_input out_type name"),
    "serialize_sparse_v2": (sparse_serial_ops.serialize_sparse, "sp_input out_type name"),
    "shape_internal": (array_ops.shape, "input name optimize: out_type"),
    "shape_v2": (array_ops.shape, "input out_type name"),
    "sigmoid_cross_entropy_with_logits_v2": (_nn.sigmoid_cross_entropy_with_logits, "labels logits name"),
    "size_internal": (array_ops.size, "input name optimize: out_type"),
    "size_v2": (array_ops.size, "input out_type name"),
    "softmax_cross_entropy_with_logits_v2_helper": (
        _nn.softmax_cross_entropy_with_logits_v2,
        "labels logits axis name",
    ),
    "space_to_batch_v2": (space_ops.space_to_batch_nd, "input block_shape paddings name"),
    "space_to_depth_v2": (space_ops.space_to_depth, "input block_size data_format name"),
    "sparse_add_v2": (sparse_math_ops.sparse_add, "a b threshold"),
    "sparse_concat_v2": (sparse_joining_ops.sparse_concat, "axis sp_inputs expand_nonconcat_dims name"),
    "sparse_split_v2": (sparse_joining_ops.sparse_split, "sp_input num_split axis name"),
    "sparse_softmax_cross_entropy_with_logits_v2": (_nn.sparse_softmax_cross_entropy_with_logits, "labels logits name"),
    "string_length_v2": (string_unit_ops.string_length, "input unit name"),
    "string_to_hash_bucket_v1": (string_hash_ops.string_to_hash_bucket, "string_tensor num_buckets name input"),
    "string_to_number_v1": (string_ops.string_to_number, "string_tensor out_type name input"),
    "substr_deprecated": (string_unit_ops.substr, "input pos len name unit"),
    "substr_v2": (string_unit_ops.substr, "input pos len unit name"),
    "split_v2": (concat_ops.split, "value num_or_size_splits axis num name", {"num_or_size_splits": _REQUIRED}),
    "squeeze_v2": (array_ops.squeeze, "input axis name"),
    "transpose_v2": (array_ops.transpose, "a perm conjugate name"),
    "tensor_diag_part": (matmul_ops.diag_part, "input name"),
    "tuple_v2": (control_flow_ops.tuple_, "tensors control_inputs name"),
    "while_loop_v2": (
        loop_ops.while_loop,
        "cond body loop_vars shape_invariants parallel_iterations back_prop swap_memory maximum_iterations name",
        {"return_same_structure": True},
    ),
    "weighted_cross_entropy_with_logits_v2": (_nn.weighted_cross_entropy_with_logits, "labels logits pos_weight name"),
    "zeros_like_impl": (creation_ops.zeros_like, "tensor dtype name optimize"),
    "zeros_like_v2": (creation_ops.zeros_like, "input:tensor dtype name"),
}
for _name in ("all", "any", "logsumexp", "max", "mean", "min", "prod", "sum"):
    _reduce = getattr(reduce_ops, f"reduce_{_name}")
    _ORDERS[f"reduce_{_name}_v1"] = (_reduce, "input_tensor axis keepdims name reduction_indices keep_dims")
    _ORDERS[f"reduce_{_name}_v2"] = (_reduce, "input_tensor axis keepdims name", {"keepdims": False})
for _name in ("equal", "none_equal", "less", "less_equal", "greater", "greater_equal"):
    _ORDERS[f"assert_{_name}_v2"] = (getattr(compare_checks, f"assert_{_name}"), "x y message summarize name")
for _name in ("positive", "non_negative", "negative", "non_positive"):
    _ORDERS[f"assert_{_name}_v2"] = (getattr(compare_checks, f"assert_{_name}"), "x message summarize name")
for _name in ("max", "sum"):
    _ORDERS[f"reduce_{_name}_with_dims"] = (
        getattr(reduce_ops, f"reduce_{_name}"),
        "input_tensor axis keepdims name dims:",
    )
for _name in ("mean", "sqrt_n", "sum"):
    _ORDERS[f"sparse_segment_{_name}_v2"] = (
        getattr(sparse_segment_ops, f"sparse_segment_{_name}"),
        "data indices segment_ids num_segments name sparse_gradient",
    )
_ORDERS["assert_near_v2"] = (compare_checks.assert_near, "x y rtol atol message summarize name")
_ORDERS["assert_rank_v2"] = (check_ops.assert_rank, "x rank message name")
_ORDERS["assert_rank_at_least_v2"] = (check_ops.assert_rank_at_least, "x rank message name")
_ORDERS["assert_rank_in_v2"] = (check_ops.assert_rank_in, "x ranks message name")
_ORDERS["assert_integer_v2"] = (check_ops.assert_integer, "x message name")
_ORDERS["assert_scalar_v2"] = (check_ops.assert_scalar, "tensor message name")
_ORDERS["assert_type_v2"] = (check_ops.assert_type, "tensor tf_type message name")


def reordered(function: Callable[..., Any], order: str, fixed: Mapping[str, Any] = _NOTHING) -> Callable[..., Any]:
    """Return the function with its arguments in another order, and those of ``fixed`` that a call does not give.

    One of ``fixed`` may be `_REQUIRED`: the second form has no default for it.
    ``order`` has their names, those of another name in the second form as ``second:first``. One without a name behind
    the colon is accepted and left out; but a ``seed2`` becomes, with ``seed``, the pair of an operation's seeds.
    """
    names = [each.partition(":")[::2] if ":" in each else (each, each) for each in order.split()]
    own, places = dict(names), {name: k for k, (name, _) in enumerate(names)}
    set_here = {key: value for key, value in fixed.items() if value is not _REQUIRED}

    def first_form(kwargs: Mapping[str, Any]) -> dict[str, Any]:
        """Return arguments by the names that the function itself has for them."""
        return {own.get(key, key): value for key, value in kwargs.items() if own.get(key, key)}

    @functools.wraps(function)
    def operation(*args: Any, **kwargs: Any) -> Any:
        if len(args) > len(names):
            raise TypeError(f"{function.__name__}() takes {len(names)} arguments, got {len(args)}")
        given = {key: value for (_, key), value in zip(names, args, strict=False) if key}
        named = first_form(kwargs)
        if "seed2" in own:
            second = kwargs.get("seed2", args[places["seed2"]] if len(args) > places["seed2"] else 0)
            named["seed"] = (named.get("seed", given.pop("seed", 0)) or 0, second or 0)
        left = {key: value for key, value in set_here.items() if key not in own.values() or key not in {*given, *named}}
        return function(**given, **named, **left)  # a name that comes twice is a TypeError

    vars(operation).update(first_form=first_form, __signature__=_signature(function, names, fixed))
    return operation


def _signature(
    function: Callable[..., Any], names: Sequence[Sequence[str]], fixed: Mapping[str, Any]
) -> inspect.Signature:
    """Return the second form's signature; defaults are those of ``fixed``, then the function's own, then None."""
    own = inspect.signature(function).parameters
    found: list[inspect.Parameter] = []
    for name, first in names:
        default = fixed[first] if first in fixed else own[first].default if first in own else None
        if default is inspect.Parameter.empty and found and found[-1].default is not default:
            default = None
        found.append(inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default))
    return inspect.Signature(found)


__all__ = [*_ORDERS, "reordered"]
globals().update({_name: reordered(*_form) for _name, _form in _ORDERS.items()})
