"""Programs of TFRecord files and of `tf.train.Example`: the bytes of both, and examples as tensors."""

from __future__ import annotations

import os
import tempfile
import zlib
from typing import Any

from answers import graph, tried


def _feature(tf: Any, values: Any) -> Any:
    if isinstance(values[0], bytes):
        return tf.train.Feature(bytes_list=tf.train.BytesList(value=values))
    if isinstance(values[0], float):
        return tf.train.Feature(float_list=tf.train.FloatList(value=values))
    return tf.train.Feature(int64_list=tf.train.Int64List(value=values))


def _example(tf: Any, **features: Any) -> bytes:
    made = {name: _feature(tf, values) for name, values in features.items()}
    return tf.train.Example(features=tf.train.Features(feature=made)).SerializeToString()


@graph
def bytes_of_records(tf: Any) -> Any:
    found = []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "records")
        for kind in ("", "ZLIB", "GZIP"):
            options = tf.python_io.TFRecordOptions(kind)
            with tf.python_io.TFRecordWriter(path, options) as writer:
                for record in ("text", b"", b"\x00\xff" * 4, bytes(range(32))):
                    writer.write(record)
            with open(path, "rb") as file:
                written = file.read()
            plain = zlib.decompress(written, 47) if kind else written
            found.append([plain.hex(), [each.hex() for each in tf.python_io.tf_record_iterator(path, options)]])
    return found


@graph
def files_that_are_no_records(tf: Any) -> Any:
    found = []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "records")
        with tf.python_io.TFRecordWriter(path) as writer:
            writer.write(b"abc" * 20)
        with open(path, "rb") as file:
            whole = file.read()
        broken = [
            whole[:20] + b"!" + whole[21:],
            whole[:-1],
            whole[:14],
            whole[:3],
            whole + whole[:5],
            b"!" + whole[1:],
        ]
        for content in broken:
            with open(path, "wb") as file:
                file.write(content)
            (said,) = tried(lambda: [each.decode() for each in tf.python_io.tf_record_iterator(path)])
            found.append(said if isinstance(said, list) else type(said.error).__name__)
        found += tried(lambda: writer.write(b"late"))
        (missing,) = tried(lambda: list(tf.python_io.tf_record_iterator(os.path.join(folder, "missing"))))
        return [*found, type(missing.error).__name__, *tried(lambda: tf.python_io.TFRecordOptions("OTHER"))]


@graph
def bytes_of_examples(tf: Any) -> Any:
    single = [
        _example(tf, x=[1, -2, 2**40, -(2**63)]),
        _example(tf, x=[0.5, 0.1]),
        _example(tf, text=[b"a", b"bc", b""]),
    ]
    made = tf.train.Example()
    made.features.feature["n"].int64_list.value.extend([3, 4])
    made.features.feature["n"].int64_list.value.append(5)
    read = tf.train.Example.FromString(single[0]).features.feature
    numbers = [list(read["x"].int64_list.value), read["x"].WhichOneof("kind"), sorted(read)]
    empty = [
        tf.train.Feature().WhichOneof("kind"),
        tf.train.Feature(float_list=tf.train.FloatList()).HasField("float_list"),
    ]
    wrong = tried(lambda: tf.train.Int64List(value=["a"]), lambda: tf.train.BytesList(value=[3]))
    return [
        [each.hex() for each in single],
        made.SerializeToString().hex(),
        numbers,
        empty,
        [type(each.error).__name__ for each in wrong],
        tf.train.Example.FromString(single[1]) == tf.train.Example.FromString(single[1]),
    ]


def _features(tf: Any) -> Any:
    return {
        "a": tf.FixedLenFeature([2], tf.float32),
        "b": tf.FixedLenFeature([], tf.int64, default_value=-1),
        "c": tf.FixedLenFeature([1, 2], tf.string, [["x", "y"]]),
        "v": tf.VarLenFeature(tf.int64),
        "t": tf.VarLenFeature(tf.string),
    }


def _shown(found: Any, name: str) -> Any:
    value = found[name]
    return [value.indices, value.values, value.dense_shape] if hasattr(value, "indices") else value


@graph
def examples_of_a_batch(tf: Any) -> Any:
    batch = [
        _example(tf, a=[1.0, 2.0], b=[3], c=[b"1", b"2"]),
        _example(tf, a=[3.0, 4.0], v=[7, 8, 9], t=[b"one"]),
        _example(tf, a=[5.0, 6.0], b=[4], v=[1]),
    ]
    parsed = tf.parse_example(batch, _features(tf))
    shapes = [str(_shown(parsed, name)[0].shape if name in "vt" else parsed[name].shape) for name in sorted(parsed)]
    with tf.Session() as session:
        found = session.run(parsed)
    return [shapes, [_shown(found, name) for name in sorted(found)]]


@graph
def one_example(tf: Any) -> Any:
    given = tf.placeholder(tf.string, [])
    parsed = tf.parse_single_example(given, _features(tf))
    shapes = [str(_shown(parsed, name)[0].shape if name in "vt" else parsed[name].shape) for name in sorted(parsed)]
    with tf.Session() as session:
        found = session.run(parsed, {given: _example(tf, a=[3.0, 4.0], v=[7, 8, 9])})
        wrong = [
            tried(
                lambda each=each: session.run(
                    tf.parse_single_example(given, {"a": each}), {given: _example(tf, a=[1.0])}
                )
            )
            for each in (
                tf.FixedLenFeature([], tf.int64),
                tf.FixedLenFeature([2], tf.float32),
                tf.VarLenFeature(tf.string),
            )
        ]
        wrong.append(tried(lambda: session.run(parsed, {given: _example(tf, b=[1])})))
    kinds = [type(each.error).__name__ for (each,) in wrong]
    return [shapes, [_shown(found, name) for name in sorted(found)], kinds]


@graph
def features_that_are_incomplete(tf: Any) -> Any:
    wanted = [{}, {"a": tf.FixedLenFeature(None, tf.float32)}, {"a": tf.FixedLenFeature([1], None)}, {"a": 3}]
    found = [tried(lambda each=each: tf.parse_example([b""], each)) for each in wanted]
    return [type(each.error).__name__ for (each,) in found]


@graph
def what_is_no_example(tf: Any) -> Any:
    wanted = {"a": tf.VarLenFeature(tf.float32)}
    nodes = [tf.parse_example([b"\x01\x02junk"], wanted)["a"].values]
    nodes.append(tf.parse_single_example(b"\x01\x02junk", wanted)["a"].values)
    with tf.Session() as session:
        found = tried(*(lambda node=node: session.run(node) for node in nodes))
    open_rows = {"a": tf.FixedLenSequenceFeature([None], tf.float32, allow_missing=True)}
    found += tried(lambda: tf.parse_example([b""], open_rows))
    return [[type(each.error).__name__, "Could not parse example input" in str(each.error)] for each in found]


@graph
def one_example_in_place_of_many(tf: Any) -> Any:
    text = _example(tf, a=[1, 2], b=[b"s"])
    wanted = {"a": tf.FixedLenFeature([2], tf.int64), "b": tf.VarLenFeature(tf.string)}
    found = tf.parse_example(text, wanted)
    with tf.Session() as session:
        return [found["a"].shape.as_list(), session.run(found["a"]), *session.run(found["b"])]
