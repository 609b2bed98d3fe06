"""Element types that the files of checkpoints do not have are in them all the same, and the nodes that write them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from steepest.v1.python.framework import dtypes
from steepest.v1.python.ops import io_ops

import steepest.v1 as tf
from steepest.v1.saving.text_arrays import as_numbers, with_texts

NAMES = ["int4", "uint4", "float8_e5m2", "float8_e4m3fn", "qint8", "quint8", "qint16", "quint16", "qint32", "bfloat16"]


def values(name: str) -> Any:
    own = getattr(dtypes, name).dtype
    numbers = np.array([[1, 2, 3], [4, 5, 6]])
    return numbers.astype(own[0]).view(own) if own.names else numbers.astype(own)


@pytest.mark.parametrize("name", NAMES)
def test_arrays_of_any_type_become_numbers_and_are_read_again(name: str):
    if name not in ("bfloat16", *[n for n in NAMES if n.startswith("q")]):
        pytest.importorskip("ml_dtypes")
    array = values(name)
    for each in (array, array[:, :1], array[0, 0], array[:0]):
        read = with_texts(as_numbers({"x": each, "y": np.ones(2)}))
        assert (read["x"].dtype, set(read)) == (array.dtype, {"x", "y"})
        assert read["x"].tobytes() == each.tobytes()


@pytest.mark.parametrize("name", ["int4", "uint4"])
def test_tensors_of_few_bits_are_written_and_read(tmp_path: Any, name: str):
    pytest.importorskip("ml_dtypes")
    dtype, path = getattr(dtypes, name), str(tmp_path / "ckpt")
    with tf.Graph().as_default(), tf.Session() as session:
        session.run(io_ops.save_v2(path, ["x"], [""], [tf.constant(values(name))]))
        whole, part = io_ops.restore_v2(path, ["x", "x"], ["", "2 3 -:1,1"], [dtype, dtype])
        assert part.shape == [2, 1]
        assert [each.tolist() for each in session.run([whole, part])] == [[[1, 2, 3], [4, 5, 6]], [[2], [5]]]
    assert tf.train.list_variables(path) == [("x", [2, 3])]


def test_constants_for_names_and_parts_are_named_below_the_operation():
    with tf.Graph().as_default() as graph:
        with tf.name_scope("s"):
            io_ops.restore_v2("model", ["x"], [""], [tf.float32], name="read")
        assert [op.name for op in graph.get_operations()] == [
            "s/read/prefix",
            "s/read/tensor_names",
            "s/read/shape_and_slices",
            "s/read",
        ]
