"""``tf.contrib.framework``: first values of variables from a checkpoint with other vocabularies."""

from __future__ import annotations

import numpy as np
import pytest

import steepest.v1 as tf
from steepest.v1.variables.partitioned_variable import PartitionInfo

framework = tf.contrib.framework


@pytest.fixture(name="saved")
def _saved(tmp_path):
    """A checkpoint of a column and a table for the words a, b, c, and the files of old and new words."""
    old, new = tmp_path / "old", tmp_path / "new"
    old.write_text("a\nb\nc\n")
    new.write_text("c\na\nx\nb\n")
    with tf.Graph().as_default(), tf.Session() as session:
        column = tf.Variable([[0.0], [1.0], [2.0]], name="column")
        table = tf.Variable([[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]], name="table")
        session.run(tf.global_variables_initializer())
        path = tf.train.Saver([column, table]).save(session, str(tmp_path / "model"))
    return path, str(old), str(new)


def first_values(*variables):
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return session.run([tf.convert_to_tensor(variable) for variable in variables])


def test_numbers_of_classes_move_with_the_classes(saved):
    path, old, new = saved
    with tf.Graph().as_default():
        first = framework.load_linear_multiclass_bias_initializer(
            [path], "column", 4, old, new, 1, tf.constant_initializer(42.0)
        )
        cut = tf.fixed_size_partitioner(3)
        (got,) = first_values(tf.get_variable("b", [5, 1], initializer=first, partitioner=cut))
    np.testing.assert_array_equal(got, [[2], [0], [42], [1], [42]])


def test_slots_are_parts_as_their_variables_are(saved):
    path, old, new = saved
    with tf.Graph().as_default():
        parts = []
        for name, size, offset in (("one", 3, 0), ("two", 2, 3)):
            info = PartitionInfo([5, 1], [offset, 0])
            first = framework.load_variable_slot_initializer(
                path, "column", info, 4, 1, old, new, num_row_oov_buckets=1, initializer=tf.constant_initializer(42.0)
            )
            parts.append(tf.get_variable(name, [size, 1], initializer=first))
        got = first_values(*parts)
    np.testing.assert_array_equal(got[0], [[2], [0], [42]])
    np.testing.assert_array_equal(got[1], [[1], [42]])


def test_rows_of_tables_move_with_the_words(saved):
    path, old, new = saved
    with tf.Graph().as_default():
        first = framework.load_embedding_initializer(path, "table", 4, 2, old, new, num_oov_buckets=1)
        second = framework.load_and_remap_matrix_initializer(path, "table", 3, 2, -1, old, old)
        got = first_values(
            tf.get_variable("t", [5, 2], initializer=first), tf.get_variable("u", [3, 2], initializer=second)
        )
    np.testing.assert_array_equal(got[0], [[4, 5], [0, 1], [0, 0], [2, 3], [0, 0]])
    np.testing.assert_array_equal(got[1], [[0, 1], [2, 3], [4, 5]])
    with pytest.raises(TypeError, match="initializer must be callable"):
        framework.load_and_remap_matrix_initializer(path, "table", 3, 2, -1, old, old, initializer=3.0)
