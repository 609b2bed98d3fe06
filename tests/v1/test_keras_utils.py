"""A program's own objects by their names, and values that stand for tensors of a graph."""

import pytest
from steepest.v1.python.keras.utils import tf_utils

import steepest.v1 as tf


def test_own_functions_and_classes_are_found_by_name():
    class Own(tf.keras.initializers.Initializer):
        def __init__(self, value=2.0):
            self.value = value

        def __call__(self, shape, dtype=None, partition_info=None):
            return tf.fill(shape, self.value)

        def get_config(self):
            return {"value": self.value}

    def half(x):
        return x / 2

    with tf.keras.utils.custom_object_scope({"Own": Own, "half": half}, {"pair": lambda w: 2.0}):
        assert tf.keras.activations.get("half") is half
        made = tf.keras.initializers.get({"class_name": "Own", "config": {"value": 3.0}})
        assert (type(made), made.value) == (Own, 3.0)
        assert tf.keras.initializers.get("Own").value == 2.0
        assert tf.keras.regularizers.get("pair")(None) == 2.0
        with tf.Graph().as_default(), tf.Session() as session:
            layer = tf.layers.Dense(1, activation=tf.keras.activations.get("half"), kernel_initializer=made)
            outputs = layer(tf.ones([1, 2]))
            session.run(tf.global_variables_initializer())
            assert session.run(outputs) == 3.0
    with pytest.raises(ValueError, match="Unknown initializer: 'Own'"):
        tf.keras.initializers.get("Own")


def test_the_dict_of_own_objects_is_one():
    objects = tf.keras.utils.get_custom_objects()
    with tf.keras.utils.CustomObjectScope({"inner": abs}):
        objects["other"] = abs
        assert tf.keras.utils.get_custom_objects() is objects
        assert tf.keras.activations.get("inner") is abs
    assert "inner" not in objects
    assert "other" not in objects


def test_objects_of_a_registered_class_stand_for_tensors():
    class Value:
        pass

    tf.register_tensor_conversion_function(Value, lambda value, dtype=None, name=None, as_ref=False: tf.constant(1.0))
    with tf.Graph().as_default():
        assert not tf_utils.is_symbolic_tensor(Value())
        tf_utils.register_symbolic_tensor_type(Value)
        assert tf_utils.is_symbolic_tensor(Value())
        assert tf_utils.is_symbolic_tensor(tf.constant(1.0))
        assert not tf_utils.is_symbolic_tensor(1.0)
