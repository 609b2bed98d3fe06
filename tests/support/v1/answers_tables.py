"""Programs of lookup tables: values and keys that are vectors, what is taken out, files, and what sessions share."""

from __future__ import annotations

import os
import tempfile
from importlib import import_module
from typing import Any

import numpy as np
from answers import graph, tried


def _tables(tf: Any) -> Any:
    """Return the module that has the tables, of either library."""
    return import_module(
        f"{'steepest.v1' if tf.__name__.startswith('steepest') else 'tensorflow'}.python.ops.lookup_ops"
    )


def _in_order(exported: Any) -> Any:
    """Return keys with their values in the order of the keys, which hashes give in any other."""
    keys, values = (array.tolist() for array in exported)
    return sorted(zip(keys, values, strict=True), key=str)


@graph
def values_that_are_vectors(tf: Any) -> Any:
    table = _tables(tf).MutableHashTable(tf.string, tf.float32, tf.constant([-1.0, -2.0]))
    keys = tf.placeholder(tf.string)
    found = table.lookup(keys)
    fixed = table.lookup(tf.constant([["a"], ["z"]]))
    with tf.Session() as session:
        session.run(table.insert(tf.constant(["a", "b", "c"]), tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])))
        session.run(table.insert(tf.constant([["b"]]), tf.constant([[[7.0, 8.0]]])))
        session.run(table.remove(tf.constant(["c", "q"])))
        return [
            session.run(found, {keys: [["a", "b"], ["c", "q"]]}),
            session.run(found, {keys: "a"}),
            session.run(found, {keys: np.zeros([0, 2], object)}),
            session.run(fixed),
            [fixed.shape.as_list(), table.key_dtype.name, table.value_dtype.name],
            _in_order(session.run(table.export())),
            session.run(table.size()),
            *tried(
                lambda: session.run(table.insert(tf.constant(["a"]), tf.constant([1.0]))),
                lambda: session.run(table.insert(tf.constant(["a"]), tf.constant([[1.0, 2.0, 3.0]]))),
                lambda: table.lookup(tf.constant([1])),
                lambda: table.remove(tf.constant([1])),
            ),
        ]


@graph
def tables_of_buckets(tf: Any) -> Any:
    made = _tables(tf).DenseHashTable
    table = made(tf.int64, tf.int64, default_value=-1, empty_key=100, deleted_key=200, initial_num_buckets=8)
    pairs = made(
        tf.int64,
        tf.float32,
        default_value=[0.5],
        empty_key=tf.constant([0, 0], tf.int64),
        deleted_key=tf.constant([-1, -1], tf.int64),
        initial_num_buckets=4,
    )
    ints = lambda *values: tf.constant(values, tf.int64)  # noqa: E731
    with tf.Session() as session:
        found = [session.run(table.size())]
        session.run(table.insert(ints(11, 12, 13, 14), ints(1, 2, 3, 4)))
        session.run(table.remove(ints(12, 15)))
        found += [session.run(table.size()), _in_order(session.run(table.export()))]
        session.run(table.insert(ints(1, 2, 3, 4, 5), ints(1, 2, 3, 4, 5)))
        found += [session.run(table.size()), len(session.run(table.export())[0])]
        found += [session.run(table.lookup(ints(11, 12, 5, 6)))]
        session.run(pairs.insert(tf.constant([[1, 2], [3, 4]], tf.int64), tf.constant([[1.0], [2.0]])))
        looked = pairs.lookup(tf.constant([[1, 2], [2, 1], [3, 4]], tf.int64))
        found += [session.run(looked), looked.shape.as_list(), _in_order(session.run(pairs.export()))]
        return found + tried(
            lambda: session.run(table.insert(ints(100), ints(1))),
            lambda: session.run(table.insert(ints(200), ints(1))),
            lambda: session.run(made(tf.int64, tf.int64, -1, 5, 5).size()),
            lambda: session.run(made(tf.int64, tf.int64, -1, 5, 6, initial_num_buckets=12).size()),
        )


@graph
def tables_of_buckets_in_checkpoints(tf: Any) -> Any:
    def made(buckets: int) -> Any:
        options = {"empty_key": 0, "deleted_key": -1, "initial_num_buckets": buckets, "name": "t"}
        return _tables(tf).DenseHashTable(tf.int64, tf.int64, -1, **options)

    found: list[Any] = []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model")
        with tf.Graph().as_default(), tf.Session() as session:
            table = made(32)
            session.run(table.insert(tf.constant([11, 12, 13], tf.int64), tf.constant([0, 1, 2], tf.int64)))
            session.run(table.remove(tf.constant([12], tf.int64)))
            saver = tf.train.Saver(tf.get_collection("saveable_objects"))
            saver.save(session, path)
        with tf.Graph().as_default(), tf.Session() as session:
            table = made(64)
            session.run(table.insert(tf.constant([12], tf.int64), tf.constant([7], tf.int64)))
            tf.train.Saver(tf.get_collection("saveable_objects")).restore(session, path)
            found.append(session.run(table.lookup(tf.constant([11, 12, 13, 14], tf.int64))))
            found.append([session.run(table.size()), len(session.run(table.export())[0])])
    return found


@graph
def tables_of_files(tf: Any) -> Any:
    tables = _tables(tf)
    found: list[Any] = []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "words")
        with open(path, "w") as file:
            file.write("brain\t3\nsalad\t5\nsurgery\t7\n")
        index = tables.TextFileIndex

        def of(*arguments: Any, default: Any = -1, name: Any = path, **options: Any) -> Any:
            return tables.StaticHashTableV1(tables.TextFileInitializer(name, *arguments, **options), default)

        columns = of(tf.string, 0, tf.int64, 1)
        other = os.path.join(folder, "other words")
        os.symlink(path, other)
        floats = of(tf.string, 0, tf.float32, 1, default=0.5, name=other)
        same, unlike = of(tf.string, 0, tf.int64, 1, default=-2), of(tf.string, 0, tf.float32, 1, default=0.5)
        lines = of(tf.int64, index.LINE_NUMBER, tf.string, index.WHOLE_LINE, default="none", vocab_size=2)
        later = of(tf.string, 0, tf.int64, index.LINE_NUMBER, name="not there")
        keys = tf.constant(["salad", "brain", "tank"])
        with tf.Session() as session:
            found += tried(lambda: session.run(columns.lookup(keys)), lambda: session.run(columns.size()))
            session.run([columns.initializer, floats.initializer, lines.initializer])
            found += [session.run([columns.lookup(keys), floats.lookup(keys), columns.size(), lines.size()])]
            found += [session.run(same.lookup(keys)), *tried(lambda: session.run(unlike.lookup(keys)))]
            found += [
                session.run(lines.lookup(tf.constant([1, 2], tf.int64))),
                _in_order(session.run(columns.export())),
            ]
            found += tried(lambda: session.run(later.initializer))
            asset = tf.get_collection(tf.GraphKeys.ASSET_FILEPATHS)[-1]
            session.run(later.initializer, {asset: path})
            found += [session.run(later.lookup(keys))]
            wrong = ((tf.string, 4, tf.int64, 1), (tf.string, 1, tf.int64, 0), (tf.string, 1, tf.float32, 0))
            found += tried(*(lambda each=each: session.run(of(*each).initializer) for each in wrong))
            found += tried(lambda: session.run(of(tf.string, 0, tf.int64, 1, vocab_size=9).initializer))
        return found + tried(
            lambda: of(tf.float32, index.WHOLE_LINE, tf.int64, index.LINE_NUMBER),
            lambda: of(tf.string, -3, tf.int64, index.LINE_NUMBER),
            lambda: of(tf.string, 0, tf.int64, 1, vocab_size=0),
            lambda: of(tf.string, 0, tf.int64, 1, name=""),
            lambda: of(tf.string, 0, tf.int64, 1, name=tf.constant([path, path])),
        )


@graph
def keys_and_values_of_tensors(tf: Any) -> Any:
    tables = _tables(tf)
    keys, values = tf.placeholder(tf.string), tf.placeholder(tf.float32)
    default = tf.constant(-1.5)
    table = tables.StaticHashTableV1(tables.KeyValueTensorInitializer(keys, values), default)
    found = table.lookup(tf.constant(["a", "b", "q"]))
    feeds = ((["a", "b"], [1.0, 2.0]), ([], []), (["a", "b"], [1.0]), (["a", "a"], [1.0, 2.0]))
    results = []
    for given, numbers in feeds:
        with tf.Session() as session:
            results += tried(
                lambda: session.run(table.initializer, {keys: given, values: numbers}),  # noqa: B023
                lambda: session.run([found, table.default_value]),
                lambda: _in_order(session.run(table.export())),
            )
    return results + tried(
        lambda: tables.StaticHashTableV1(tables.KeyValueTensorInitializer(["a"], [1, 2]), -1),
        lambda: tables.StaticHashTableV1(tables.KeyValueTensorInitializer(["a"], [1]), "x"),
        lambda: tables.StaticHashTableV1(tables.KeyValueTensorInitializer(["a"], [1]), [1, 2]),
    )


@graph
def numbers_of_other_keys(tf: Any) -> Any:
    tables = _tables(tf)
    vocabulary = tables.KeyValueTensorInitializer(
        tf.constant([42, 1, -1000], tf.int64), tf.constant([0, 1, 2], tf.int64)
    )
    table = tables.StaticVocabularyTableV1(vocabulary, 3, lookup_key_dtype=tf.int32)
    alone = tables.StaticVocabularyTableV1(None, 5)
    hashed = tables.IdTableWithHashBuckets(None, 5, tables.HasherSpec("unknown", None))
    with tf.Session() as session:
        session.run(tf.tables_initializer())
        return [
            session.run(table.lookup(tf.constant([42, 1, -1000, 11, 12], tf.int32))),
            session.run([table.size(), alone.size()]),
            session.run(alone.lookup(tf.constant(["brain", "salad", "surgery"]))),
            [alone.resource_handle is None, table.resource_handle is None],
            *tried(
                lambda: hashed.lookup(tf.constant(["a"])),
                lambda: table.lookup(tf.constant([1], tf.int64)),
                lambda: tables.IdTableWithHashBuckets(None, 5, key_dtype=tf.float64),
                lambda: tables.IdTableWithHashBuckets(None, 5, tables.StrongHashSpec([1, 2, 3])),
                lambda: tables.IdTableWithHashBuckets(None, 5, tables.StrongHashSpec([None, 2])),
            ),
        ]
