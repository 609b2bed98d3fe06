"""Operations by the names of their types in eager mode, contexts, executors, and what `pywrap_tfe` has."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import numpy as np
import pytest

import steepest.v1 as tf
from steepest.v1.graph.mode import eager_execution_set
from steepest.v1.python import eager_context as context
from steepest.v1.python.eager_core import _FallbackException, _NotOkStatusException, _status_to_exception
from steepest.v1.python.eager_entries import (
    TFE_Py_FastPathExecute,
    TFE_Py_RegisterExceptionClass,
    TFE_Py_TensorShapeSlice,
)
from steepest.v1.python.eager_execute import args_to_matching_eager, convert_to_mixed_eager_tensors, execute, make_shape
from steepest.v1.python.eager_executor import new_executor

INT, FLOAT = tf.int32.as_datatype_enum, tf.float32.as_datatype_enum


@pytest.fixture(autouse=True)
def eagerly() -> Iterator[None]:
    with eager_execution_set(True):
        yield


def run(kind, count, inputs, *attrs):
    return [each.numpy().tolist() for each in execute(kind, count, inputs, attrs, context.context())]


def test_execute_gives_the_list_of_results():
    three, row = tf.constant(3), tf.constant([[0, 1, 2], [3, 4, 5]])
    assert run(b"Mul", 1, [three, tf.constant(5)], "T", INT) == [15]
    assert run("AddN", 1, [three, tf.constant(4)], "T", INT, "N", 2) == [7]
    assert run("ConcatV2", 1, [tf.constant([1]), tf.constant([2]), tf.constant(0)], "N", 2, "T", INT) == [[1, 2]]
    assert run("Split", 3, [tf.constant(1), row], "num_split", 3, "T", INT) == [[[0], [3]], [[1], [4]], [[2], [5]]]
    assert run("MatMul", 1, [row, row], "transpose_a", False, "transpose_b", True) == [[[5, 14], [14, 50]]]
    assert run("Bucketize", 50, [tf.constant([3.0, 5.0])], "T", FLOAT, "boundaries", [4.0]) == [[0, 1]]


@pytest.mark.parametrize(
    ("kind", "count", "attrs"),
    [
        ("CheckNumerics", 1, ("message", 1)),
        ("Bucketize", 1, ("boundaries", 4.0)),
        ("Bucketize", 1, ("boundaries", ["4.0"])),
        ("Squeeze", 1, ("squeeze_dims", 0)),
        ("Identity", 1, ("unknown_attr", "blah")),
        ("Identity", 0, ()),
    ],
)
def test_execute_refuses_attributes_of_other_kinds_and_fewer_results(kind, count, attrs):
    with pytest.raises(tf.errors.InvalidArgumentError):
        execute(kind, count, [tf.constant([3.0])], attrs, None)


def test_execute_refuses_shapes_that_are_none_unknown_types_and_counts():
    for shape in (1, [object()]):
        with pytest.raises(tf.errors.InvalidArgumentError):
            execute("VarHandleOp", 1, [], ("shape", shape, "dtype", INT), None)
    with pytest.raises(tf.errors.NotFoundError):
        execute("BlahBlah", 1, [], None, None)
    with pytest.raises(TypeError):
        execute("Relu", [], [tf.constant(3.0)], (), None)


def test_arguments_become_tensors_of_one_type():
    types, tensors = convert_to_mixed_eager_tensors(["foo", np.float32(1)])
    assert types == [tf.string, tf.float32] == [each.dtype for each in tensors]
    assert args_to_matching_eager([[3]], None, [tf.int32], tf.int64)[0] == tf.int32
    assert args_to_matching_eager([[2**48]], None, [tf.int32, tf.int64], tf.int32)[0] == tf.int64
    assert args_to_matching_eager([[3]], None, [tf.uint32], tf.uint64)[0] == tf.uint64
    assert args_to_matching_eager([2, tf.constant(1.5)], None, [])[0] == tf.float32
    assert args_to_matching_eager([], None, [], tf.int64)[0] == tf.int64
    assert [make_shape([1, None], "shape"), make_shape(None, "shape")] == [[1, None], None]


def test_a_context_notes_what_each_thread_asks_for():
    ctx = context.Context(execution_mode=context.ASYNC)
    assert ctx.execution_mode == context.ASYNC
    ctx.execution_mode = context.SYNC
    seen = []
    thread = threading.Thread(target=lambda: seen.append(ctx.execution_mode))
    thread.start()
    thread.join()
    assert [ctx.execution_mode, *seen] == [context.SYNC, context.ASYNC]
    with ctx.device("GPU:0"):
        assert ctx.device_name == "/job:localhost/replica:0/task:0/device:GPU:0"
        with ctx.device(None):
            assert ctx.device_name == ""
            with ctx.device(ctx.list_logical_devices("CPU")[0]):
                assert ctx.device_spec.to_string() == "/job:localhost/replica:0/task:0/device:CPU:0"
    with pytest.raises(ValueError, match="pu"), context.device("pu:0"):
        pass
    with pytest.raises(ValueError, match="SYNC"):
        context.Context(execution_mode=7)
    with context.executor_scope(new_executor(True)):
        assert context.context().execution_mode == context.ASYNC
        with pytest.raises(tf.errors.InvalidArgumentError):  # where it arises, and not when it is waited for
            tf.matmul(tf.ones([2, 2]), tf.ones([3, 2]))
    assert context.context().execution_mode == context.SYNC
    assert [switch.is_building_function for switch in ctx.context_switches.stack] == [False]


def test_errors_of_the_lower_language_become_tensorflows():
    error = _status_to_exception(_NotOkStatusException("words", tf.errors.UNIMPLEMENTED))
    assert (type(error), error.message) == (tf.errors.UnimplementedError, "words")
    assert isinstance(_status_to_exception(1000, "words"), tf.errors.UnknownError)
    with pytest.raises(TypeError):
        TFE_Py_RegisterExceptionClass(str)


def test_entries_of_the_lower_language():
    square = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    ctx = context.context()
    found = TFE_Py_FastPathExecute(ctx, "MatMul", None, square, square, "transpose_a", False, "transpose_b", True)
    assert found.numpy().tolist() == [[5, 11], [11, 25]]
    assert TFE_Py_FastPathExecute(ctx._handle, "", "AddN", None, None, [square, square]).numpy()[0].tolist() == [2, 4]
    with pytest.raises(ValueError, match="at least 3 items in the input tuple"):
        TFE_Py_FastPathExecute(ctx, "Identity")
    with pytest.raises(_FallbackException):
        TFE_Py_FastPathExecute(ctx, "Bucketize", None, square, "boundaries", 1)
    assert TFE_Py_TensorShapeSlice([square, tf.constant([1])], 0).numpy().tolist() == [2, 1]
    with pytest.raises(IndexError, match="tensor at index 1 has rank 1"):
        TFE_Py_TensorShapeSlice([square, tf.constant([1])], 1)
    with pytest.raises(TypeError, match='element 0 has type "int"'):
        TFE_Py_TensorShapeSlice([2], 0)


def test_a_cache_keeps_small_tensors():
    cache = context._EagerTensorCache(max_items=1, max_tensor_size=3)
    cache.put("large", tf.zeros([2, 2]))
    cache.put("first", tf.zeros([2]))
    cache.put("second", tf.zeros([2]))
    assert [key for key in ("large", "first", "second") if cache.get(key) is not None] == ["second"]


def test_a_copy_of_a_tensor_is_another_object():
    tensor = tf.constant([1.0])
    with tf.GradientTape() as tape:
        tape.watch(tensor)
        copy = tensor.cpu()
        value = copy * 3
    assert copy is not tensor
    assert tape.gradient(value, tensor).numpy() == 3
