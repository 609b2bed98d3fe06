"""`tf.experimental` and other names that TensorFlow 2 has added to the first API."""

from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest

from steepest import v1 as tf


def test_the_namespace_has_types_of_several_tensors():
    class Pair(tf.experimental.ExtensionType):
        a: tf.Tensor
        b: int = 3

    pair = Pair([1.0, 2.0])
    with tf.Session() as session:
        assert session.run(pair.a).tolist() == [1.0, 2.0]
    assert tf.experimental.extension_type.as_dict(pair)["b"] == 3
    with tf.experimental.async_scope():
        tf.experimental.async_clear_error()
    pytest.importorskip("ml_dtypes")
    assert tf.experimental.int4 == tf.dtypes.experimental.int4 == tf.as_dtype("int4")
    with pytest.raises(AttributeError, match=r"tf\.experimental\.int9 is not here"):
        _ = tf.experimental.int9


def test_seeds_that_follow_from_seeds():
    tf.enable_eager_execution()
    try:
        pairs = [[1105988140, 1738052849], [-335576002, 370444179], [10670227, -246211131]]  # TensorFlow 2.21's
        assert tf.random.split([1, 2], 3).numpy().tolist() == pairs
        assert tf.random.experimental.stateless_split([1, 2], 3).numpy().tolist() == pairs
        assert tf.random.fold_in([1, 2], 5).numpy().tolist() == [1105988140, 5]
        order = tf.random.experimental.stateless_shuffle(tf.range(6), [1, 2]).numpy()
        assert sorted(order) == list(range(6))
        places = tf.random.experimental.index_shuffle(tf.range(6), [1, 2], 5).numpy()
        assert sorted(places) == list(range(6))
        for draw, given in (("gamma", [2.0]), ("poisson", [2.0]), ("binomial", [3.0, 0.5])):
            function = getattr(tf.random, f"stateless_{draw}")
            np.testing.assert_array_equal(function([4], [1, 2], *given), function([4], [1, 2], *given))
    finally:
        tf.disable_eager_execution()


def test_what_is_a_tensor_of_a_graph():
    v = tf.get_variable("v", initializer=1.0)
    assert tf.is_symbolic_tensor(v + 1.0)
    assert not any(map(tf.is_symbolic_tensor, (v, 1.0, None, tf.SparseTensor([[0]], [1], [1]))))


def test_no_value_has_a_spec():
    spec = tf.NoneTensorSpec()
    assert spec == tf.type_spec_from_value(None)
    assert spec.is_compatible_with(None)
    assert not spec.is_compatible_with(3)
    assert spec.flatten() == []
    assert spec.most_specific_compatible_type(spec) == spec
    assert tf.type_spec_from_value(tf.constant(1)) == tf.TensorSpec([], tf.int32)


def test_checkpoint_options_are_public():
    assert tf.train.CheckpointOptions(experimental_io_device="/cpu:0").experimental_io_device == "/cpu:0"
    assert tf.saved_model.DEBUG_DIRECTORY == tf.saved_model.constants.DEBUG_DIRECTORY == "debug"


def test_tensors_of_eager_mode_that_hold_each_other_are_freed():
    class Box:
        tensor: object

    tf.enable_eager_execution()
    try:
        tensor, box = tf.constant([1.0, 2.0]), Box()
        tensor.box, box.tensor = box, tensor
        assert tensor.box is box
        kept = weakref.ref(tensor)
        del tensor, box
        gc.collect()
        assert kept() is None
        with pytest.raises(AttributeError, match="no attribute 'box'"):
            _ = tf.constant([1.0, 2.0]).box
    finally:
        tf.disable_eager_execution()
