"""Functions that TensorFlow 2's internal modules have beside those of TensorFlow 1; values are those of 2.21."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from steepest.v1.python.eager import context
from steepest.v1.python.framework import composite_tensor, errors_impl, indexed_slices, ops, tensor_util
from steepest.v1.python.framework import tensor_conversion_registry as registry
from steepest.v1.python.module import module
from steepest.v1.python.ops import (
    array_ops,
    check_ops,
    confusion_matrix,
    math_ops,
    nn_impl,
    nn_ops,
    parsing_ops,
    sparse_ops,
    variables,
)
from steepest.v1.python.ops.losses import util as losses_util
from steepest.v1.python.util import compat, function_utils, nest

import steepest.v1 as tf


def _run(*fetches: Any) -> Any:
    with tf.Session() as session:
        return [session.run(each) for each in fetches]


BLOCKS = np.arange(16.0).reshape(1, 4, 4, 1)
# What is called, and what TensorFlow 2.21 gives.
CALLS: dict[str, Any] = {
    "space_to_batch_v2": (lambda: array_ops.space_to_batch_v2(BLOCKS, [2, 2], [[0, 0], [0, 0]])[3, :, 0, 0], [5, 13]),
    "batch_to_space_v2": (lambda: array_ops.batch_to_space_v2([[[1]], [[2]]], [2], [[0, 0]]), [[[1], [2]]]),
    "space_to_depth_v2": (lambda: array_ops.space_to_depth_v2(BLOCKS, 2, "NHWC")[0, 1, 1], [10, 11, 14, 15]),
    "depth_to_space_v2": (lambda: array_ops.depth_to_space_v2([[[[1, 2, 3, 4]]]], 2)[0, :, :, 0], [[1, 2], [3, 4]]),
    "shape_internal": (lambda: array_ops.shape_internal([[1], [2]], None, False), [2, 1]),
    "size_internal": (lambda: array_ops.size_internal([[1], [2]], "n", True, tf.int64), 2),
    "repeat_with_axis": (lambda: array_ops.repeat_with_axis([1, 2], [2, 1], 0), [1, 1, 2]),
    "tensor_diag_part": (lambda: array_ops.tensor_diag_part([[1, 2], [3, 4]]), [1, 4]),
    "zeros_like_impl": (lambda: array_ops.zeros_like_impl([1, 2], tf.float32, None), [0, 0]),
    "reduce_sum_with_dims": (lambda: math_ops.reduce_sum_with_dims([[1, 2], [3, 4]], 0, dims=[0]), [4, 6]),
    "sparse_segment_sum_v2": (
        lambda: math_ops.sparse_segment_sum_v2([[1.0], [2.0]], [0, 1], [0, 2], 4),
        [[1], [0], [2], [0]],
    ),
    "confusion_matrix_v1": (lambda: confusion_matrix.confusion_matrix_v1([0, 1], [1, 1], 2), [[0, 1], [0, 1]]),
    "convert_to_int_tensor": (lambda: array_ops.convert_to_int_tensor(np.int64(3), "n"), 3),
    "gelu": (lambda: nn_ops.gelu([-1.0, 0.0, 1.0, 2.0]), [-0.15865526, 0.0, 0.8413447, 1.9544997]),
    "gelu, approximately": (lambda: nn_ops.gelu([-1.0, 1.0, 2.0], True), [-0.15880796, 0.841192, 1.9545977]),
    "decode_csv_v2": (lambda: parsing_ops.decode_csv_v2("1;x;3", [[0], [0]], ";", True, "", [0, 2])[1], 3),
    "decode_raw_v1": (lambda: parsing_ops.decode_raw_v1(b"\x01\x00", tf.int16), [1]),
    "batch_norm_v2": (
        lambda: nn_impl.batch_norm_with_global_normalization_v2(
            np.ones((1, 1, 1, 1), np.float32), *np.float32([[0], [3], [1], [4]]), 1.0, True
        ),
        [[[[3.0]]]],
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_second_forms(name: str) -> None:
    call, wanted = CALLS[name]
    np.testing.assert_allclose(_run(call())[0], wanted, rtol=1e-6)


def test_sparse_tensors_in_the_second_forms() -> None:
    one = tf.SparseTensor([[0, 0], [1, 2]], [1.0, 5.0], [2, 3])
    other = tf.SparseTensor([[0, 1]], [1.0], [2, 3])
    found = _run(
        sparse_ops.sparse_reduce_sum_v2(one, 0, True),
        sparse_ops.sparse_reduce_max_v2(one, 1, output_is_sparse=True).values,
        sparse_ops.sparse_concat_v2(0, [one, other], True).indices,
        tf.sparse.to_dense(sparse_ops.sparse_add_v2(one, other, 2.0)),
        sparse_ops.sparse_split_v2(one, 2, 0)[1].values,
        tf.sparse.to_dense(sparse_ops.map_values(tf.add, one, y=one)),
    )
    wanted: list[Any] = [[[1, 0, 5]], [1, 5], [[0, 0], [1, 2], [2, 1]], [[1, 1, 0], [0, 0, 5]], [5]]
    for value, known in zip(found, [*wanted, [[2, 0, 0], [0, 0, 10]]], strict=True):
        np.testing.assert_array_equal(value, known)
    with pytest.raises(ValueError, match="No SparseTensor in argument list"):
        sparse_ops.map_values(tf.add, 1, 2)
    with pytest.raises(tf.errors.InvalidArgumentError, match="Mismatched indices"):
        _run(sparse_ops.map_values(tf.add, one, tf.SparseTensor([[0, 1], [1, 2]], [1.0, 5.0], [2, 3])).values)


def test_checks_of_the_second_forms() -> None:
    with pytest.raises(TypeError, match="must be of type integer"):
        array_ops.convert_to_int_tensor(1.5, "n")
    assert [array_ops.get_positive_axis(axis, 3) for axis in (-3, -1, 2)] == [0, 2, 2]
    with pytest.raises(ValueError, match="axis=3 out of bounds: expected -3<=axis<3"):
        array_ops.get_positive_axis(3, 3)
    with pytest.raises(ValueError, match="axis=-1 may only be negative if ndims is statically known"):
        array_ops.get_positive_axis(-1, None)
    with pytest.raises(ValueError, match="2"):
        check_ops.assert_shapes_v2({tf.zeros([2]): [3]})
    with pytest.raises(ValueError, match="at least rank 1"), losses_util.check_per_example_loss_rank(tf.constant(1.0)):
        pass
    loss = tf.placeholder_with_default(1.0, None)
    with losses_util.check_per_example_loss_rank(loss):
        checked = tf.identity(loss)
    with pytest.raises(tf.errors.InvalidArgumentError, match="at least rank 1"):
        _run(checked)
    with pytest.raises(ValueError, match="must be a floating point tensor"):
        nn_ops.gelu([1])
    with pytest.raises(TypeError, match="should be a callable"):
        function_utils.has_kwargs("no function")


def test_what_values_are() -> None:
    x = tf.constant([1, 2])
    assert tensor_util.is_tf_type(x)
    assert not tensor_util.is_tf_type([1])
    assert tensor_util.try_evaluate_constant(x).tolist() == [1, 2]
    assert ops.is_symbolic_tensor(x)
    assert not ops.inside_function()
    assert math_ops.tensor_equals(x, x) is True
    assert math_ops.tensor_not_equals(x, None) is True
    assert ops.name_from_scope_name("a/b/") == "a/b"
    tf.add_to_collection("own", 1)
    assert ops.get_all_collection_keys() == ["own"]
    values = ops.convert_n_to_tensor_or_composite([1, None, tf.IndexedSlices(x, x)], name="n")
    assert values[0].op.name == "n_0"
    assert values[1] is None
    assert isinstance(values[2], tf.IndexedSlices)
    assert indexed_slices.convert_n_to_tensor_or_indexed_slices([2])[0].dtype == tf.int32
    assert nest.is_nested_or_composite([1])
    assert not nest.is_nested_or_composite(x)
    assert nest.list_to_tuple([1, {"a": [2]}]) == (1, {"a": (2,)})
    assert compat.path_to_bytes("a/b") == b"a/b"
    assert issubclass(errors_impl.OperatorNotAllowedInGraphError, TypeError)
    with context.eager_mode():
        assert not ops.is_symbolic_tensor(tf.constant(1))


def test_names_of_modules() -> None:
    assert module.camel_to_snake("MyHTTPLayer2D") == "my_http_layer2_d"
    assert module.valid_identifier("a_1")
    assert not module.valid_identifier("1a")
    assert not module.valid_identifier("$")


class _Pair(composite_tensor.CompositeTensor):
    def __init__(self, parts: Any) -> None:
        self.parts = list(parts)

    @property
    def _type_spec(self) -> Any:
        return _PairSpec()


class _PairSpec(tf.TypeSpec):
    value_type = property(lambda self: _Pair)

    def _component_specs(self) -> Any:
        return None

    def _serialize(self) -> Any:
        return ()

    def _to_components(self, value: Any) -> Any:
        return value.parts

    def _from_components(self, components: Any) -> Any:
        return _Pair(components)


class _Made:
    pass


def test_values_of_several_tensors_of_a_programs_own() -> None:
    registry.register_tensor_conversion_function(_Made, lambda value, *_, **__: _Pair([tf.constant(1), tf.constant(2)]))
    made = ops.convert_to_tensor_or_composite(_Made())
    assert isinstance(made, _Pair)
    assert _run(*made.parts) == [1, 2]
    owner = module.Module()
    owner.a = _Pair([variables.Variable(1.0), variables.Variable(2.0, trainable=False)])
    assert list(owner.variables) == owner.a.parts
    assert list(owner.trainable_variables) == owner.a.parts[:1]


def test_operations_that_are_waited_for_say_so_in_messages() -> None:
    awaited = tf.constant(1.0, name="awaited")
    with tf.control_dependencies([awaited]):
        tf.constant(2.0, name="other")
    nodes = {node.name: node for node in tf.get_default_graph().as_graph_def().node}
    assert nodes["awaited"].attr["_has_manual_control_dependencies"].b
    assert "_has_manual_control_dependencies" not in nodes["other"].attr
