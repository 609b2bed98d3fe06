"""Handles of lookup tables, and TensorFlow's operations on them: what TensorFlow 2.21 gave for the same programs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from steepest.v1.python.eager import context
from steepest.v1.python.ops import gen_lookup_ops, lookup_ops

import steepest.v1 as tf


def pairs(keys: Any = ("a", "b"), values: Any = (1, 2)) -> Any:
    return lookup_ops.KeyValueTensorInitializer(list(keys), list(values), value_dtype=tf.int64)


def texts(*words: str) -> Any:
    return tf.constant(list(words))


def numbers(*values: int) -> Any:
    return tf.constant(list(values), tf.int64)


def test_nodes_have_the_handle_as_their_first_input_and_tensorflows_names():
    with tf.Graph().as_default() as graph:
        table = lookup_ops.StaticHashTableV1(pairs(), -1)
        table.lookup(texts("a"))
        table.size()
        filled = lookup_ops.MutableHashTable(tf.string, tf.int64, -1, name="mm", checkpoint=False)
        filled.insert(["a"], [1])
        filled.remove(texts("a"))
        nodes = {node.name: (node.op, list(node.input)) for node in graph.as_graph_def().node if node.op != "Const"}
    assert nodes == {
        "hash_table": ("HashTableV2", []),
        "key_value_init/LookupTableImportV2": ("LookupTableImportV2", ["hash_table", "keys", "values"]),
        "hash_table_Lookup/LookupTableFindV2": ("LookupTableFindV2", ["hash_table", "Const_1", "Const"]),
        "hash_table_Size/LookupTableSizeV2": ("LookupTableSizeV2", ["hash_table"]),
        "mm": ("MutableHashTableV2", []),
        "mm_lookup_table_insert/LookupTableInsertV2": (
            "LookupTableInsertV2",
            ["mm", "mm_lookup_table_insert/keys", "mm_lookup_table_insert/values"],
        ),
        "mm_lookup_table_remove/LookupTableRemoveV2": ("LookupTableRemoveV2", ["mm", "Const_3"]),
    }


def test_a_table_that_is_initialized_stays_as_it_is():
    keys, values = tf.placeholder(tf.string, [None]), tf.placeholder(tf.int64, [None])
    table = lookup_ops.StaticHashTableV1(lookup_ops.KeyValueTensorInitializer(keys, values), -1)
    with tf.Session() as session:
        session.run(table.initializer, {keys: ["a", "b"], values: [1, 2]})
        session.run(table.initializer, {keys: ["a", "c"], values: [5, 6]})
        assert session.run(table.lookup(texts("a", "b", "c"))).tolist() == [1, 2, -1]
        with pytest.raises(tf.errors.FailedPreconditionError, match="already initialized with different data"):
            session.run(table.initializer, {keys: ["a"], values: [1]})


def test_in_a_session_each_run_has_an_anonymous_table_of_its_own():
    table = lookup_ops.MutableHashTable(tf.string, tf.int64, -1, experimental_is_anonymous=True)
    insert = table.insert(["a"], [1])
    with tf.control_dependencies([insert]):
        size = table.size()
    with tf.Session() as session:
        session.run(insert)
        assert session.run(table.size()) == 0
        assert session.run(size) == 1


@pytest.mark.parametrize("anonymous", [False, True])
def test_eager_tables_in_functions(anonymous):
    with context.eager_mode():
        table = lookup_ops.MutableHashTable(tf.string, tf.int64, -1, experimental_is_anonymous=anonymous)
        found = tf.function(lambda keys: table[keys])
        assert found(texts("a")).numpy().tolist() == [-1]
        table.insert(texts("a"), numbers(7))
        assert found(texts("a", "b")).numpy().tolist() == [7, -1]
        assert (table.resource_handle.dtype, table.name) == (tf.resource, None)

        @tf.function
        def made_within(keys):
            return lookup_ops.StaticHashTable(pairs(), -1, experimental_is_anonymous=anonymous).lookup(keys)

        assert made_within(texts("b", "z")).numpy().tolist() == [2, -1]


def test_each_key_may_have_a_default_value_of_its_own():
    table = lookup_ops.MutableHashTable(tf.string, tf.int64, [-1, -1])
    keys = tf.constant([["a", "z"]])
    found = table.lookup(keys, tf.constant([[[-2, -3], [-4, -5]]], tf.int64))
    with tf.Session() as session:
        session.run(table.insert(["a"], [[1, 2]]))
        assert session.run(found).tolist() == [[[1, 2], [-4, -5]]]
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"Expected shape \[2\] or \[1,2,2\] for default"):
            session.run(table.lookup(keys, tf.zeros([4, 2], tf.int64)))


def test_tables_of_one_shared_name_are_one():
    one, other = (gen_lookup_ops.mutable_hash_table_v2(tf.string, tf.int64, shared_name="shared") for _ in range(2))
    floats = gen_lookup_ops.mutable_hash_table_v2(tf.string, tf.float32, shared_name="shared")
    with tf.Session() as session:
        session.run(gen_lookup_ops.lookup_table_insert_v2(one, texts("x"), numbers(5)))
        assert session.run(gen_lookup_ops.lookup_table_size_v2(other)) == 1
        with pytest.raises(tf.errors.InvalidArgumentError, match="wrong type"):
            session.run(gen_lookup_ops.lookup_table_size_v2(floats))


def test_wrong_types_shapes_and_tables_are_refused():
    table = lookup_ops.MutableHashTable(tf.string, tf.int64, -1).resource_handle
    fixed = lookup_ops.StaticHashTableV1(pairs(), -1)
    with pytest.raises(ValueError, match=r"wrong dtype\. Expected string got int32"):
        gen_lookup_ops.lookup_table_find_v2(table, tf.constant([1]), numbers(0))
    with pytest.raises(ValueError, match="Shape must be at least rank 1 but is rank 0"):
        gen_lookup_ops.lookup_table_import_v2(table, texts("a"), tf.constant(1, tf.int64))
    with pytest.raises(ValueError, match="Dimension 0 in both shapes must be equal, but are 2 and 1"):
        gen_lookup_ops.lookup_table_import_v2(table, texts("a", "b"), numbers(1))
    vectors = lookup_ops.MutableHashTable(tf.string, tf.int64, [[1, 2]])
    other = lookup_ops.DenseHashTable(tf.int64, tf.int64, -1, [1, 2], -1)
    with tf.Session() as session:
        session.run(fixed.initializer)
        for operation, error, words in (
            (vectors.size(), tf.errors.InvalidArgumentError, r"must be a vector, got shape \[1,2\]"),
            (other.size(), tf.errors.InvalidArgumentError, r"same shape, got shapes: \[2\] and \[\]"),
            (
                gen_lookup_ops.lookup_table_insert_v2(fixed.resource_handle, texts("c"), numbers(3)),
                tf.errors.UnimplementedError,
                "Insert not supported",
            ),
            (
                lookup_ops.DenseHashTable(tf.int64, tf.int64, -1, 0, -1).lookup([[1, 2]]),
                tf.errors.InvalidArgumentError,
                r"Expected key shape \[1\] got \[1,2\]",
            ),
        ):
            with pytest.raises(error, match=words):
                session.run(operation)


def test_a_graph_in_a_file_has_its_tables(tmp_path):
    with tf.Graph().as_default():
        table = lookup_ops.StaticHashTableV1(pairs(), -1)
        found = table.lookup(texts("b", "z"))
        meta = tf.train.export_meta_graph(filename=str(tmp_path / "graph.meta"))
    with tf.Graph().as_default(), tf.Session() as session:
        tf.train.import_meta_graph(meta)
        session.run(tf.tables_initializer())
        assert session.run(found.name).tolist() == [2, -1]


def test_numbers_of_a_file_are_shifted(tmp_path):
    (tmp_path / "words").write_text("x\ny\n")
    index = lookup_ops.TextFileIndex
    columns = (tf.string, index.WHOLE_LINE, tf.int64, index.LINE_NUMBER)
    lines = lookup_ops.TextFileInitializer(str(tmp_path / "words"), *columns, value_index_offset=1)
    table = lookup_ops.StaticHashTableV1(lines, 0)
    with tf.Session() as session:
        session.run(table.initializer)
        assert session.run(table.lookup(texts("x", "y", "z"))).tolist() == [1, 2, 0]
        exported = session.run(table.export())
    assert dict(zip(*map(np.ndarray.tolist, exported), strict=True)) == {b"x": 1, b"y": 2}
