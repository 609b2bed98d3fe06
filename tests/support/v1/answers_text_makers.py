"""Programs of texts made of tensors, crosses of features, sparse tensors as strings, and sizes along several axes."""

from __future__ import annotations

from typing import Any

import numpy as np
from answers import graph, tried
from answers_edges import found


def sparse(tf: Any, values: Any = (1, 4, 2), places: Any = ((0, 0), (1, 0), (1, 2)), sizes: Any = (3, 3)) -> Any:
    return tf.SparseTensor(np.array(places, np.int64), tf.constant(values), list(sizes))


@graph
def tensors_put_into_texts(tf: Any) -> Any:
    many, show = tf.reshape(tf.range(60), [5, 12]), tf.strings.format
    return found(
        tf,
        lambda: show("no place", []),
        lambda: show("a {} of {}", [many, tf.constant("six")]),
        lambda: show("<>|<>", [tf.constant([0.1, 1e20, -2.5]), True], placeholder="<>"),
        lambda: show("{}", many, summarize=1),
        lambda: show("{}", many, summarize=-1),
        lambda: show("{}", tf.zeros([3, 3, 3, 3], tf.int32), summarize=1),
        lambda: show("{}", [tf.constant([["a'b", 'c"d'], ["\\", "\n\x01"]])]),
        lambda: show("{}", tf.constant([1 / 3, 1e-9], tf.float64)),
    ), tried(lambda: show("{} {}", [many]))


@graph
def texts_in_other_encodings(tf: Any) -> Any:
    word = "h\u00e9\u4f60"
    turned, coded = tf.strings.unicode_transcode, tf.strings.unicode_encode
    return found(
        tf,
        lambda: tf.encode_base64(turned([word], "UTF-8", "UTF-16-BE")),
        lambda: turned([word.encode("utf-16-be")], "UTF-16-BE", "UTF-8"),
        lambda: turned([b"a\xffb"], "UTF-8", "UTF-8"),
        lambda: turned([b"a\xffb"], "UTF-8", "UTF-8", errors="ignore"),
        lambda: turned([b"a\xffb"], "UTF-8", "UTF-8", errors="strict"),
        lambda: turned([b"a\xffb\x01"], "UTF-8", "UTF-8", replacement_char=63, replace_control_characters=True),
        lambda: coded([72, 0x4F60], "UTF-8"),
        lambda: tf.encode_base64(coded([[72, 0x4F60], [0x1F600, 65]], "UTF-32-BE")),
        lambda: coded([72, 0x110000], "UTF-8", errors="strict"),
        lambda: coded([72, 0x110000], "UTF-8", errors="ignore"),
        lambda: tf.strings.unsorted_segment_join(["a", "b", "c"], [1, 0, 1], 3, separator="+"),
        lambda: tf.strings.unsorted_segment_join(["a"], [-1], 3),
        lambda: tf.strings.unsorted_segment_join([["a", "b"], ["c", "d"]], [0, 0], 1),
        lambda: tf.strings.unsorted_segment_join(["a"], [2], 2),
    )


@graph
def features_crossed(tf: Any) -> Any:
    words = sparse(tf, ("x", "y", "z"))
    ids, dense = sparse(tf, (7, -3, 5)), tf.constant([["a", "b"], ["c", "d"], ["e", "f"]])
    return found(
        tf,
        lambda: tf.sparse.cross([words, ids]),
        lambda: tf.sparse.cross([dense, words]),
        lambda: tf.sparse.cross([dense, tf.constant([[1], [2], [3]])]),
        lambda: tf.sparse.cross_hashed([words, ids]),
        lambda: tf.sparse.cross_hashed([dense, ids], num_buckets=100),
        lambda: tf.sparse.cross_hashed([dense, words, ids], num_buckets=1000, hash_key=17),
    )


@graph
def sparse_tensors_as_strings(tf: Any) -> Any:
    one, other = sparse(tf), sparse(tf, (5, 6), ((0, 1), (2, 0)), (4, 2))
    both = tf.stack([tf.serialize_sparse(one), tf.serialize_sparse(other)])
    words = tf.serialize_many_sparse(sparse(tf, ("x", "", "z")))
    return found(
        tf,
        lambda: tf.deserialize_many_sparse(both, tf.int32),
        lambda: tf.deserialize_many_sparse(words, tf.string, rank=1),
        lambda: tf.deserialize_many_sparse(both[:1], tf.float32),
        lambda: tf.deserialize_many_sparse(both, tf.int32, rank=1),
        lambda: tf.deserialize_many_sparse([["a", "b", "c"]], tf.int32),
        lambda: tf.serialize_many_sparse(tf.SparseTensor([[0]], [1], [2])),
        lambda: tf.shape(words),
    )


@graph
def sparse_tensors_of_several_ids(tf: Any) -> Any:
    ids, values = sparse(tf), sparse(tf, (0.5, 1.5, 2.5))
    return found(
        tf,
        lambda: tf.sparse_merge([ids, sparse(tf, (0, 1, 0))], values, [5, 2]),
        lambda: tf.sparse_merge([ids, ids], values, 5),
        lambda: tf.sparse_merge(ids, values, [5]),
        lambda: tf.sparse_merge([ids, ids], values, [5]),
        lambda: tf.sparse_merge(values, values, 5),
        lambda: tf.sparse_reduce_sum(values, [0, -2]),
        lambda: tf.sparse_reduce_sum(values, 5),
        lambda: tf.sparse_reduce_max(values, [1, -1], keepdims=True),
    )


@graph
def parts_of_texts_that_do_not_fit(tf: Any) -> Any:
    return [
        tried(lambda: tf.substr(["abc"], [1, 2], [1])),
        tried(lambda: tf.substr(["abc"], 1.0, 1)),
        found(tf, lambda: tf.string_to_hash_bucket_strong(["a"], 10, [98765])),
        found(tf, lambda: tf.regex_replace("abc", "^(.*)", r"\3"), lambda: tf.as_string(["a"], width=3)),
    ]


@graph
def texts_that_are_not_plain(tf: Any) -> Any:
    show, split = tf.strings.format, tf.strings.split
    return found(
        tf,
        lambda: show("h\u00e9: {}", tf.constant(["\U0001f60a", "tab\t", "\x7f"])),
        lambda: tf.encode_base64(show("{}", tf.constant(b"\xff\xc3"))),
        lambda: split(["a b", "c"], result_type="SparseTensor").values,
        lambda: tf.string_split(["a b", "c"], result_type="SparseTensor").values,
    ), tried(
        lambda: split(["a b"], result_type="DenseTensor"),
        lambda: tf.string_split(["a b"], result_type="DenseTensor"),
        lambda: show("{}", (tf.ones([2]), tf.ones([2]))),
    )


@graph
def texts_of_several_axes_cut(tf: Any) -> Any:
    rows = [["a b", "c"], ["", "d e f"]]
    parts = tf.strings.split(rows)
    with tf.Session() as session:
        return [parts.shape.as_list(), *session.run(parts), *session.run(tf.strings.split("a,b", ","))]


@graph
def what_is_no_text_is_refused(tf: Any) -> Any:
    text = tf.strings
    return tried(
        lambda: text.join([1, 2]),
        lambda: text.join([["a"], ["b"]], separator=5),
        lambda: text.join("ab"),
        lambda: text.reduce_join([], axis=0),
        lambda: text.reduce_join([["a"]], [0], reduction_indices=[1]),
        lambda: text.to_number("3", tf.int16),
        lambda: tf.add_n([tf.constant("a"), tf.constant("b")]).name,
        lambda: text.format("{}", tf.constant([0.1, 1 / 3], tf.float16)).eval(session=tf.Session()).decode(),
        lambda: tf.Session().run(text.lower(["a"], encoding="latin")),
    )
