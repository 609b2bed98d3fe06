"""What a variable scope hands on to the scopes inside it, and what it does not, as TensorFlow has it."""

from __future__ import annotations

import pytest

import steepest.v1 as tf


def non_negative(variable):
    return tf.maximum(variable, 0.0)


def test_a_constraint_is_of_one_scope_alone():
    with tf.variable_scope("outer", constraint=non_negative) as outer:
        with tf.variable_scope("inner"):
            inside = tf.get_variable("w", [1])
        with tf.variable_scope("other", constraint=abs):
            other = tf.get_variable("w", [1])
        own = tf.get_variable("own", [1], constraint=tf.square)
        plain = tf.get_variable("plain", [1])
    with tf.variable_scope("elsewhere"):
        free = tf.get_variable("w", [1])
        with tf.variable_scope(outer):
            again = tf.get_variable("again", [1])
    found = [v.constraint for v in (inside, other, own, plain, free, again)]
    assert found == [None, abs, tf.square, non_negative, None, None]


def test_a_getter_may_give_what_is_no_variable_and_reuse_what_is_there():
    seen = []

    def halved(getter, name, **arguments):
        seen.append((name, arguments["reuse"]))
        return getter(name, **arguments) * 0.5

    with tf.variable_scope("s", custom_getter=halved) as scope:
        first = tf.get_variable("w", initializer=4.0)
    with tf.variable_scope(scope, reuse=True):
        second = tf.get_variable("w")
        with pytest.raises(ValueError, match="s/missing does not exist"):
            tf.get_variable("missing", [1])
    assert seen == [("s/w", False), ("s/w", True), ("s/missing", True)]
    assert [v.name for v in tf.global_variables()] == ["s/w:0"]
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        assert session.run([first, second]) == [2.0, 2.0]


def test_a_variable_is_true_and_a_tensor_has_no_truth():
    variable = tf.Variable(0.0)
    assert (variable or None) is variable
    with pytest.raises(TypeError, match="as a Python `bool` is not allowed"):
        bool(variable + 1.0)


def test_a_template_that_has_no_name_left_takes_another_scope():
    def layer():
        return tf.get_variable("w", [1])

    first, second = tf.make_template("layer", layer), tf.make_template("layer", layer, unique_name_="mine")
    assert first() is first()
    assert second() is second()
    assert [v.name for v in tf.global_variables()] == ["layer/w:0", "mine/w:0"]
    assert (first.name, second.variable_scope.name, first.variables) == ("layer", "mine", [first()])


def test_a_sparse_tensors_parts_are_in_a_scope_and_tell_its_shape():
    first = tf.SparseTensor([[0, 1], [2, 0]], [1.0, 2.0], [3, 4])
    second = tf.SparseTensor(tf.placeholder(tf.int64, [None, 2]), [1.0], tf.placeholder(tf.int64, [2]))
    assert [part.name for part in (first.indices, first.values, first.dense_shape)] == [
        "SparseTensor/indices:0",
        "SparseTensor/values:0",
        "SparseTensor/dense_shape:0",
    ]
    assert second.values.name == "SparseTensor_1/values:0"
    assert (first.get_shape().as_list(), first.shape.ndims) == ([3, 4], 2)
    assert second.get_shape().as_list() == [None, None]


def test_defaults_are_set_after_a_scope_was_opened():
    with tf.Graph().as_default():
        root = tf.get_variable_scope()
        assert (root.use_resource, root.partitioner, root.caching_device, root.custom_getter) == (None,) * 4
        root.set_use_resource(True)
        with tf.variable_scope("within") as scope:
            resource = tf.get_variable("a", [2])
            scope.set_partitioner(tf.fixed_size_partitioner(2))
            parts = list(tf.get_variable("b", [2]))
            scope.set_partitioner(None)
            scope.set_custom_getter(lambda getter, name, *args, **kwargs: getter(f"{name}_got", *args, **kwargs))
            scope.set_use_resource(False)
            other = tf.get_variable("c", [2])
        assert scope.use_resource is False
        assert [resource.dtype.name, other.dtype.name, other.name] == ["float32", "float32_ref", "within/c_got:0"]
        assert len(parts) == 2
        assert tf.get_variable("d", [2]).name == "d:0"


def test_a_template_without_a_name_has_all_variables_of_the_scope_around_it():
    with tf.Graph().as_default():
        made = tf.make_template("", lambda: tf.get_variable("v", [1]))
        with tf.variable_scope("outer"):
            before, own = tf.get_variable("x", []), made()
        assert (made.variable_scope_name, own.name) == ("outer/", "outer//v:0")
        assert made.variables == made.trainable_variables == [before, own]


def test_a_value_that_a_custom_getter_begins_a_variable_with_has_its_own_type():
    asked = []

    def custom(getter, name, **options):
        asked.append(options["dtype"])
        return getter(name, **{**options, "dtype": tf.float64})

    with tf.Graph().as_default(), tf.variable_scope("s", custom_getter=custom):
        starts = [[1, 2], [1.0], tf.constant([True])]
        made = [tf.get_variable(f"v{k}", initializer=start).dtype.base_dtype for k, start in enumerate(starts)]
        assert made == [tf.int32, tf.float32, tf.bool]
        assert tf.get_variable("w", [2]).dtype.base_dtype == tf.float64
        assert asked == [tf.float32] * 4
        with pytest.raises(ValueError, match=r"Initializer type .*int32.* and explicit dtype .*float32.* don't match"):
            tf.get_variable("x", initializer=[1], dtype=tf.float32)
    assert len(asked) == 4
