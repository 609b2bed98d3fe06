"""Lookup tables: what `python.ops.lookup_ops` of TensorFlow 2.21 gave for the same programs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from steepest.v1.python.eager import context
from steepest.v1.python.ops.lookup_ops import MutableHashTable

import steepest.v1 as tf

lookup = tf.contrib.lookup
LETTERS = ["emerson", "lake", "palmer"]


def found(table: Any, keys: Any) -> Any:
    with tf.Session() as session:
        session.run(tf.tables_initializer())
        return session.run(table.lookup(keys)).tolist()


def test_texts_have_their_positions_and_others_buckets():
    table = lookup.index_table_from_tensor(tf.constant(LETTERS), num_oov_buckets=1)
    ids = table.lookup(tf.constant(["emerson", "lake", "and", "palmer"]))
    assert (ids.dtype, ids.shape.as_list()) == (tf.int64, [4])
    with tf.Session() as session:
        with pytest.raises(tf.errors.FailedPreconditionError, match="Table not initialized"):
            session.run(ids)
        session.run(tf.tables_initializer())
        assert session.run(ids).tolist() == [0, 1, 3, 2]
        assert session.run(table.size()) == 4
    with tf.Session() as other, pytest.raises(tf.errors.FailedPreconditionError):
        other.run(ids)  # each session has a table of its own
    with tf.train.MonitoredSession() as session:
        assert session.run(ids).tolist() == [0, 1, 3, 2]


def test_the_default_value_is_that_of_other_keys():
    table = lookup.index_table_from_tensor(["a", "b"], default_value=-7)
    assert found(table, tf.constant([["a", "z"], ["b", "b"]])) == [[0, -7], [1, 1]]
    keys = tf.placeholder(tf.string, [None, None])
    values = table.lookup(keys)
    with tf.Session() as session:
        session.run(table.initializer)
        assert session.run(values, {keys: [["b"], ["q"]]}).tolist() == [[1], [-7]]


def test_integers_are_keys_and_buckets_are_those_of_their_texts():
    table = lookup.index_table_from_tensor([100, 200, 300], num_oov_buckets=5, dtype=tf.int64)
    assert found(table, tf.constant([200, 7, 300, 55, 100], tf.int64)) == [1, 6, 2, 4, 0]


def test_buckets_of_a_hash_with_a_key():
    table = lookup.index_table_from_tensor(["x"], num_oov_buckets=10, hasher_spec=lookup.StrongHashSpec([123, 456]))
    assert found(table, tf.constant(["x", "y", "u", "v", "w"])) == [0, 10, 10, 8, 8]


def test_positions_have_their_texts():
    table = lookup.index_to_string_table_from_tensor(["e", "l", "p"], default_value="UNK")
    assert found(table, tf.constant([1, 5, 0], tf.int64)) == [b"l", b"UNK", b"e"]
    with pytest.raises(TypeError, match="Dtype of argument `keys` must be"):
        table.lookup(tf.constant([1, 5, 0], tf.int32))


def test_keys_and_values_of_tensors_and_of_sparse_ones():
    table = lookup.HashTable(lookup.KeyValueTensorInitializer(["a", "b"], [1.5, 2.5], tf.string, tf.float32), -1.0)
    assert (table.key_dtype, table.value_dtype) == (tf.string, tf.float32)
    assert found(table, tf.constant(["b", "c"])) == [2.5, -1.0]
    sparse = table.lookup(tf.SparseTensor([[0, 0], [1, 1]], ["a", "b"], [2, 2]))
    with tf.Session() as session:
        session.run(table.initializer)
        value = session.run(sparse)
    assert (value.values.tolist(), value.indices.tolist()) == ([1.5, 2.5], [[0, 0], [1, 1]])


@pytest.mark.parametrize(("values", "right"), [([1, 1], True), ([1, 2], False)])
def test_a_key_that_comes_again_must_have_its_value(values: list[int], right: bool):
    table = lookup.HashTable(lookup.KeyValueTensorInitializer(["a", "a"], values, tf.string, tf.int64), -1)
    with tf.Session() as session:
        if right:
            session.run(table.init)
            assert session.run(table.size()) == 1
        else:
            with pytest.raises(tf.errors.FailedPreconditionError, match="different value for same key"):
                session.run(table.init)


def test_lines_of_a_file(tmp_path: Path):
    path = tmp_path / "vocabulary.txt"
    path.write_text("brain\tx\nsalad\ty\nsurgery\tz\n")
    lines = lookup.index_table_from_file(str(path), num_oov_buckets=1)
    assert found(lines, tf.constant(["salad\ty", "tarkus", "brain\tx"])) == [1, 3, 0]
    column = lookup.index_table_from_file(str(path), key_column_index=0, vocab_size=2)
    assert found(column, tf.constant(["salad", "surgery"])) == [1, -1]
    texts = lookup.index_to_string_table_from_file(str(path), value_column_index=1)
    assert found(texts, tf.constant([2, 9], tf.int64)) == [b"z", b"UNK"]
    with tf.Graph().as_default():
        short = lookup.index_table_from_file(str(path), vocab_size=9)
        with pytest.raises(tf.errors.InvalidArgumentError, match="Invalid vocab_size"):
            found(short, tf.constant(["x"]))


def test_a_table_that_a_program_fills():
    table = lookup.MutableHashTable(tf.string, tf.int64, -1)
    keys, value = tf.constant(["x", "y"]), tf.constant([4, 5], tf.int64)
    insert, size, export = table.insert(keys, value), table.size(), table.export()
    with tf.Session() as session:
        assert session.run(size) == 0
        session.run(insert)
        assert session.run(size) == 2
        assert session.run(table.lookup(tf.constant(["y", "z"]))).tolist() == [5, -1]
        assert sorted(zip(*[array.tolist() for array in session.run(export)], strict=True)) == [(b"x", 4), (b"y", 5)]


def test_rows_of_texts_are_trained():
    table = lookup.index_table_from_tensor(LETTERS, num_oov_buckets=1)
    rows = tf.Variable(np.eye(4, dtype=np.float32))
    ids = table.lookup(tf.constant(["emerson", "yes", "lake", "palmer"]))
    loss = tf.reduce_sum(tf.nn.embedding_lookup(rows, ids) ** 2)
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    with tf.Session() as session:
        session.run([tf.global_variables_initializer(), tf.tables_initializer()])
        session.run(train)
        np.testing.assert_allclose(np.diagonal(session.run(rows)), 0.8, rtol=1e-6)


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: lookup.index_table_from_tensor(["a"], num_oov_buckets=-1), ValueError, "num_oov_buckets"),
        (lambda: lookup.index_table_from_tensor(None), ValueError, "must be specified"),
        (lambda: lookup.index_table_from_tensor(["a"], dtype=tf.float32), TypeError, "either be integer or string"),
        (lambda: lookup.index_table_from_tensor([1, 2]), ValueError, "Expected non-integer"),
        (lambda: lookup.index_table_from_file(""), ValueError, "must not be empty"),
        (lambda: lookup.index_table_from_file("f", vocab_size=0), ValueError, "greater than 0"),
        (lambda: lookup.IdTableWithHashBuckets(None, 0), ValueError, "`oov_buckets` must be > 0"),
        (lambda: lookup.IdTableWithHashBuckets(None, 2, None), TypeError, "HasherSpec"),
        (lambda: lookup.StrongHashSpec([1]), ValueError, "size 2"),
    ],
)
def test_what_is_no_table_is_refused(make: Any, error: type[Exception], words: str):
    with pytest.raises(error, match=words):
        make()


def test_tables_are_filled_at_once_in_eager_mode():
    program = """
import steepest.v1 as tf
from steepest.v1.python.eager import context
from steepest.v1.python.ops.lookup_ops import MutableHashTable
from steepest.v1.python.ops import lookup_ops
tf.enable_eager_execution()
assert lookup_ops.index_table_from_tensor is tf.contrib.lookup.index_table_from_tensor
table = tf.contrib.lookup.index_table_from_tensor(["a", "b"], num_oov_buckets=2)
print(table.lookup(tf.constant(["b", "q"])).numpy().tolist(), int(table.size()))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[1, 3] 4\n"


def test_tables_under_their_later_names():
    later = tf.lookup
    keys, numbers = tf.constant(["a", "b", "c"]), tf.constant([0, 1, 2], tf.int64)
    asked = ["b", "z", "a", "y", "hello"]
    grades = later.StaticHashTable(later.KeyValueTensorInitializer(keys, tf.constant([1.0, 2.0, 3.0])), -1.0)
    assert found(grades, tf.constant(asked)) == [2, -1, 1, -1, -1]
    words = later.StaticVocabularyTable(later.KeyValueTensorInitializer(keys, numbers), 2)
    assert found(words, tf.constant(asked)) == [1, 4, 0, 4, 3]
    assert found(later.StaticVocabularyTable(None, 3), tf.constant(asked)) == [1, 1, 0, 2, 1]
    numbered = later.KeyValueTensorInitializer(tf.constant([5, 7], tf.int64), tf.constant([0, 1], tf.int64))
    assert found(later.StaticVocabularyTable(numbered, 4), tf.constant([5, 7, 9, 11], tf.int64)) == [0, 1, 3, 5]
    with tf.Session() as session:
        session.run(words.initializer)
        assert session.run(words.size()) == 5


def test_vocabularies_that_cannot_be():
    pairs = tf.lookup.KeyValueTensorInitializer(tf.constant(["a"]), tf.constant([0], tf.int64))
    with pytest.raises(ValueError, match="`num_oov_buckets` must be > 0; use StaticHashTable"):
        tf.lookup.StaticVocabularyTable(pairs, 0)
    with pytest.raises(TypeError, match="Invalid `key_dtype`, expected integer but got"):
        tf.lookup.StaticVocabularyTable(pairs, 1, lookup_key_dtype=tf.int64)
    fractions = tf.lookup.KeyValueTensorInitializer(tf.constant(["a"]), tf.constant([0.0]))
    with pytest.raises(TypeError, match="Invalid `value_dtype`, expected int64 but got"):
        tf.lookup.StaticVocabularyTable(fractions, 1)


@pytest.mark.parametrize("eager", [False, True])
def test_tables_are_saved_by_checkpoints_and_by_savers_of_theirs(tmp_path, eager):
    def table(keys: list[int], values: list[int]) -> Any:
        made = tf.lookup.experimental.DenseHashTable(tf.int64, tf.int64, -1, 0, -1, name="t")
        return made, made.insert(tf.constant(keys, tf.int64), tf.constant(values, tf.int64))

    path = str(tmp_path / "saved")
    with tf.Graph().as_default(), context.eager_mode() if eager else tf.Session() as session:
        (first, filling), checkpoint = table([3, 4], [30, 40]), tf.train.Checkpoint
        if not eager:
            session.run(filling)
            tf.train.Saver([first]).save(session, path + "-alone")
        written = checkpoint(table=first).save(path)
    with tf.Graph().as_default(), context.eager_mode() if eager else tf.Session() as session:
        (second, other), keys = table([4, 5], [1, 2]), tf.constant([3, 4, 5], tf.int64)
        if eager:
            checkpoint(table=second).restore(written)
            assert second.lookup(keys).numpy().tolist() == [30, 40, -1]
            return
        for restore in (
            lambda: checkpoint(table=second).restore(written).run_restore_ops(),
            lambda: tf.train.Saver([second]).restore(session, path + "-alone"),
        ):
            session.run(other)
            restore()
            assert session.run(second.lookup(keys)).tolist() == [30, 40, -1]


def test_functions_fill_and_ask_tables_in_the_order_of_their_body():
    def filled(table, keys):
        table.insert(keys, tf.ones_like(keys))
        size = table.size()
        with tf.control_dependencies([table.remove(keys[:1])]):
            return size, tf.identity(table.size())

    with tf.Graph().as_default(), tf.Session() as session:
        table = MutableHashTable(tf.int64, tf.int64, -1)
        results = tf.function(filled)(table, tf.constant([1, 2], tf.int64))
        assert session.run(list(results)) == [2, 1]
    with context.eager_mode():
        table, filled = MutableHashTable(tf.int64, tf.int64, -1), tf.function(filled)
        sizes = [[int(size) for size in filled(table, tf.constant(keys, tf.int64))] for keys in ([1, 2], [5, 6])]
        assert sizes == [[2, 1], [3, 2]]


def test_graphs_with_tables_of_vectors_go_to_event_files(tmp_path: Path):
    with tf.Graph().as_default() as graph:
        table = lookup.MutableHashTable(tf.string, tf.int64, tf.constant([-1, -1, -1], tf.int64))
        dense = lookup.MutableDenseHashTable(tf.int64, tf.float32, -1.0, empty_key=0, deleted_key=-1)
        assert table.lookup(tf.constant([["a"], ["b"]])).shape.as_list() == [2, 1, 3]
        assert dense.lookup(tf.constant([1], tf.int64)).shape.as_list() == [1]
        nodes = graph.as_graph_def().node
        attrs = {node.op: tf.NodeDef.FromString(node.SerializeToString()).attr for node in nodes}
        shape = attrs["MutableHashTableOfTensorsV2"]["value_shape"].shape
        assert [size.size for size in shape.dim] == [3]
        assert "key_shape" not in attrs["MutableHashTableOfTensorsV2"]
        assert attrs["MutableDenseHashTableV2"]["max_load_factor"].f == np.float32(0.8)
        tf.summary.FileWriter(str(tmp_path), graph).close()
