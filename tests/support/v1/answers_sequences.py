"""Programs of examples whose features are rows, sparse tensors or lists of steps, and of tensors as strings."""

from __future__ import annotations

from typing import Any

import numpy as np
from answers import graph, run, tried


def _feature(tf: Any, values: Any) -> Any:
    if not values:
        return tf.train.Feature()
    kinds = {bytes: ("bytes_list", "BytesList"), float: ("float_list", "FloatList"), int: ("int64_list", "Int64List")}
    field, kind = kinds[type(values[0])]
    return tf.train.Feature(**{field: getattr(tf.train, kind)(value=values)})


def _example(tf: Any, **features: Any) -> bytes:
    made = {name: _feature(tf, values) for name, values in features.items()}
    return tf.train.Example(features=tf.train.Features(feature=made)).SerializeToString()


def _sequence(tf: Any, context: dict[str, Any], **lists: Any) -> bytes:
    features = tf.train.Features(feature={name: _feature(tf, values) for name, values in context.items()})
    made = {
        name: tf.train.FeatureList(feature=[_feature(tf, values) for values in steps]) for name, steps in lists.items()
    }
    whole = tf.train.SequenceExample(context=features, feature_lists=tf.train.FeatureLists(feature_list=made))
    return whole.SerializeToString()


def _words(raised: Any) -> str:
    """Return the line of an error that says what is wrong, without the feature that it shows."""
    told = next((line for line in str(raised.error).split("\n") if "Name: " in line), "no words")
    return "".join(told.partition("Name: ")[1:]).partition("  Feature is")[0].partition("\t")[0]


def _shapes(tf: Any, tensors: Any) -> Any:
    """Return the static shapes of tensors by name, of sparse ones those of their parts."""
    found = {}
    for name, tensor in sorted(tensors.items()):
        sparse = isinstance(tensor, tf.SparseTensor)
        parts = (tensor.indices, tensor.values, tensor.dense_shape) if sparse else (tensor,)
        found[name] = [part.shape.as_list() for part in parts]
    return found


@graph
def features_that_are_rows(tf: Any) -> Any:
    texts = [
        _example(tf, c=[2]),
        _example(tf, a=[1.0, 1.0], b=[b"x", b"y"]),
        _example(tf, a=[-1.0, -1.0, 2.0, 2.0], b=[b"z"]),
        _example(tf, a=[], c=[3]),
    ]
    rows = tf.FixedLenSequenceFeature
    features = {
        "a": rows((2, 1), tf.float32, allow_missing=True, default_value=-2.0),
        "b": rows((1, 1), tf.string, allow_missing=True),
        "c": rows([], tf.int64, allow_missing=True),
        "d": rows([3], tf.string, allow_missing=True),
    }
    several, single = tf.parse_example(texts, features), tf.parse_single_example(texts[2], features)
    return [run(tf, several), run(tf, single), _shapes(tf, several), _shapes(tf, single)]


@graph
def features_that_are_places_and_values(tf: Any) -> Any:
    texts = [
        _example(tf, v=[3.0, 4.0], i=[5, 10], j=[0, 2]),
        _example(tf, v=[], i=[], j=[]),
        _example(tf, v=[1.0, 2.0, -1.0], i=[0, 9, 3], j=[1, 0, 2]),
    ]
    features = {
        "one": tf.SparseFeature("i", "v", tf.float32, 13),
        "two": tf.SparseFeature(["i", "j"], "v", tf.float32, [13, 3]),
        "as_it_is": tf.SparseFeature("i", "v", tf.float32, 13, already_sorted=True),
        "j": tf.VarLenFeature(tf.int64),
    }
    several, single = tf.parse_example(texts, features), tf.parse_single_example(texts[2], features)
    return [
        [[name, *run(tf, several[name])] for name in sorted(several)],
        [[name, *run(tf, single[name])] for name in sorted(single)],
    ]


@graph
def one_dense_feature_alone(tf: Any) -> Any:
    texts = [_example(tf, a=[1.0]), _example(tf)]
    features = {"a": tf.FixedLenFeature((1,), tf.float32, default_value=-1)}
    return [run(tf, tf.parse_example(texts, features)), run(tf, tf.parse_single_example(texts[0], features))]


@graph
def features_that_do_not_fit(tf: Any) -> Any:
    rows, fixed, some = tf.FixedLenSequenceFeature, tf.FixedLenFeature, tf.VarLenFeature
    text = _example(tf, a=[1.0, 2.0], i=[1])
    wanted = (
        {"a": rows([3], tf.float32, True)},
        {"a": rows([2], tf.int64, True)},
        {"a": rows([2], tf.float32)},
        {"a": fixed([3], tf.float32)},
        {"a": fixed([None, 2], tf.float32)},
        {"a": fixed([2, None], tf.float32)},
        {"a": fixed([2], tf.int64)},
        {"a": fixed([2], tf.float32, [1.0, 2.0, 3.0])},
        {"b": fixed([2], tf.float32)},
        {"a": some(tf.int64)},
        {"a": some(tf.int32)},
        {"a": some(None)},
        {"s": tf.SparseFeature("i", "a", tf.float32, 3)},
        {"s": tf.SparseFeature("", "a", tf.float32, 3)},
        {"s": tf.SparseFeature("i", "", tf.float32, 3)},
        {"s": tf.SparseFeature("a", "a", tf.float32, 3)},
        {"a": 3},
        {},
    )
    return [
        tried(
            *(lambda each=each: run(tf, tf.parse_example([text], each, example_names=["n"])) for each in wanted),
            lambda: run(tf, tf.parse_example([text], {"a": some(tf.float32)}, example_names=["n", "m"])),
        ),
        tried(
            *(lambda each=each: run(tf, tf.parse_single_example(text, each)) for each in wanted),
            lambda: tf.parse_single_example([text], {"a": some(tf.float32)}),
        ),
    ]


@graph
def words_of_features_that_do_not_fit(tf: Any) -> Any:
    texts = [_example(tf, a=[1.0, 2.0]), _example(tf, a=[1])]
    wanted = (
        {"a": tf.FixedLenFeature([2], tf.float32)},
        {"a": tf.FixedLenFeature([3], tf.float32)},
        {"a": tf.VarLenFeature(tf.float32)},
        {"b": tf.FixedLenFeature([2], tf.string)},
        {"a": tf.FixedLenSequenceFeature([3], tf.float32, True)},
    )
    found = tried(
        *(lambda each=each: run(tf, tf.parse_example(texts, each, example_names=["n", "m"])) for each in wanted)
    )
    return [_words(each) for each in found]


def _in_sequences(tf: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    context = {
        "c": tf.FixedLenFeature([2], tf.float32, default_value=[9.0, 8.0]),
        "s": tf.VarLenFeature(tf.int64),
    }
    lists = {
        "a": tf.FixedLenSequenceFeature([1, 2], tf.int64, allow_missing=True),
        "v": tf.VarLenFeature(tf.string),
        "w": tf.VarLenFeature(tf.float32),
        "z": tf.FixedLenSequenceFeature([], tf.string, allow_missing=True),
    }
    return context, lists


def _several(tf: Any) -> list[bytes]:
    return [
        _sequence(tf, {"c": [1.0, 2.0], "s": [4, 5]}, a=[[1, 2], [3, 4]], v=[[b"x"], [], [b"y", b"z"]], z=[[b"t"]]),
        _sequence(tf, {}, a=[[5, 6]]),
        _sequence(tf, {"s": [7]}, v=[[], [b"u"]]),
    ]


@graph
def sequences_one_by_one(tf: Any) -> Any:
    context, lists = _in_sequences(tf)
    found = []
    for text in _several(tf):
        whole, steps = tf.parse_single_sequence_example(text, context, lists)
        found.append([[name, run(tf, tensors[name])] for tensors in (whole, steps) for name in sorted(tensors)])
    return [found, _shapes(tf, whole), _shapes(tf, steps)]


@graph
def sequences_in_batches(tf: Any) -> Any:
    parts = tf.io.parse_sequence_example(_several(tf), *_in_sequences(tf))
    found = [[name, run(tf, tensors[name])] for tensors in parts for name in sorted(tensors)]
    return [found, [_shapes(tf, tensors) for tensors in parts]]


@graph
def parts_of_sequences_alone(tf: Any) -> Any:
    text = _sequence(tf, {"c": [1.0, 2.0]}, a=[[1, 2]])
    context, lists = {"c": tf.FixedLenFeature([2], tf.float32)}, {"a": tf.FixedLenSequenceFeature([2], tf.int64)}
    return [
        *[run(tf, tf.parse_single_sequence_example(text, context)[0])],
        *[run(tf, tf.parse_single_sequence_example(text, None, lists)[1])],
        *[run(tf, tf.parse_single_sequence_example(text, sequence_features=lists, example_name="n")[1])],
        *tried(
            lambda: tf.parse_single_sequence_example(text),
            lambda: tf.parse_single_sequence_example([text], context),
        ),
    ]


@graph
def sequences_that_do_not_fit(tf: Any) -> Any:
    rows, fixed, some = tf.FixedLenSequenceFeature, tf.FixedLenFeature, tf.VarLenFeature
    text = _sequence(tf, {"c": [1.0]}, a=[[1.0], [2]], b=[[1.0], []], d=[[1.0], [2.0, 3.0]])
    wanted = (
        ({"c": fixed([2], tf.float32)}, None),
        ({"c": fixed([1], tf.int64)}, None),
        ({"c": some(tf.int64)}, None),
        ({"e": fixed([1], tf.float32)}, None),
        ({"c": rows([1], tf.float32)}, None),
        (None, {"a": rows([1], tf.float32)}),
        (None, {"a": some(tf.float32)}),
        (None, {"b": rows([1], tf.float32)}),
        (None, {"d": rows([1], tf.float32)}),
        (None, {"e": rows([1], tf.float32)}),
        (None, {"e": fixed([1], tf.float32)}),
        (None, {"d": rows([1], tf.float32, True, 3.0)}),
    )

    def read(given: bytes, context: Any, lists: Any) -> Any:
        whole, steps = tf.parse_single_sequence_example(given, context, lists, example_name="n")
        return run(tf, whole or steps)

    single = tried(
        *(lambda each=each: read(text, *each) for each in wanted),
        lambda: read(b"no message", None, {"a": some(tf.float32)}),
    )
    words = [_words(each).lower() for each in (*single[5:7], single[9])]
    batch = tried(
        *(lambda each=each: run(tf, tf.io.parse_sequence_example([text], *each)[each[0] is None]) for each in wanted)
    )
    return [single, words, batch]


@graph
def bytes_of_sequences(tf: Any) -> Any:
    text = _sequence(tf, {"c": [1.0]}, a=[[1], [-2, 3]])
    again = tf.train.SequenceExample.FromString(text)
    added = again.feature_lists.feature_list["a"].feature[1].int64_list.value
    return [
        text.hex(),
        again.SerializeToString() == text,
        list(added),
        list(again.context.feature["c"].float_list.value),
    ]


@graph
def tensors_as_strings(tf: Any) -> Any:
    values = (
        np.arange(6.0).reshape(2, 3),
        np.array([[b"a", b"bc"]], object),
        np.array([True, False]),
        np.complex64(1 + 2j),
        np.float16([1.5, -2.0]),
        np.array([-3], np.int16),
        np.uint64(2**64 - 1),
        np.zeros((2, 0), np.float32),
    )
    texts = [run(tf, tf.io.serialize_tensor(tf.constant(value))) for value in values]
    read = [
        run(tf, tf.io.parse_tensor(text, tf.as_dtype(np.asarray(value).dtype if value.dtype != object else tf.string)))
        for text, value in zip(texts, values, strict=True)
    ]
    single = [
        tf.make_tensor_proto(value).SerializeToString() for value in (1.5, [1.5], 7, True, "t", 1j, np.float16(2))
    ]
    again = [run(tf, tf.parse_tensor(tf.constant(text), tf.float32)) for text in single[:2]]
    filled = tf.make_tensor_proto([7], shape=[2, 2])
    return [
        [text.hex() for text in texts],
        read,
        [text.hex() for text in single],
        again,
        run(tf, tf.parse_tensor(filled.SerializeToString(), tf.int32)),
        tf.parse_tensor("", tf.float32).shape.ndims,
        *tried(
            lambda: run(tf, tf.parse_tensor(texts[0], tf.float32)),
            lambda: run(tf, tf.parse_tensor("bogus", tf.float32)),
            lambda: run(tf, tf.parse_tensor([texts[0]], tf.float64)),
        ),
    ]
