"""Strings: other codes, hashes, parts by bytes and by characters."""

from __future__ import annotations

import numpy as np
from op_cases import each, op

TEXTS = ["a", "", "hello", "hello world", "\u3042\u3044"]
OBJECTS = np.array([["one", "two"], ["three", ""]], object)
LONG = ["x" * n + "yz" for n in (1, 5, 7, 8, 15, 30, 31, 62, 63, 98, 126, 127, 200)]

op("encode_base64", TEXTS)
op("encode_base64", TEXTS, pad=True)
op("decode_base64", ["YQ", "", "aGVsbG8"])
for texts, label in ((TEXTS, "short"), (LONG, "long")):
    op("string_to_hash_bucket", texts, 2**40, label=label)
    op("string_to_hash_bucket_fast", texts, 2**40, label=label)
    op("string_to_hash_bucket_strong", texts, 2**40, [98765, 132], label=label)
op("strings.to_hash_bucket_fast", TEXTS, 10)
op("decode_raw", ["ABCD", "abcd"], "tf.uint8")
op("decode_raw", ["ABCD", "abcd"], "tf.int16")
op("decode_raw", ["ABCD", "abcd"], "tf.int16", little_endian=False)
op("decode_raw", "ABCDEFGH", "tf.float32")
op("strings.length", TEXTS, unit="UTF8_CHAR")
op("strings.length", TEXTS)
op("substr", ["hello", "world"], 1, 2)
op("substr", "hello", [1, -2], [3, 2])
op("substr", ["\u3042\u3044", "abc"], 1, 1, unit="UTF8_CHAR")
op("substr", ["\u3042\u3044\u3046", "abc"], -2, 5, unit="UTF8_CHAR")

each(
    {
        "base64 and back": lambda tf: tf.decode_base64(tf.encode_base64(TEXTS)),
        "base64 with its end and back": lambda tf: tf.decode_base64(tf.encode_base64(TEXTS, pad=True)),
        "reduce_join of no string": lambda tf: tf.reduce_join(tf.zeros([2, 0], tf.string), 1),
        "reduce_join along the first axis of none": lambda tf: tf.reduce_join(tf.zeros([0, 2], tf.string), 0),
        "scatter_nd of texts that repeat": lambda tf: tf.scatter_nd([[1], [1], [2]], ["a", "b", "c"], [4]),
        "texts in an array of objects": lambda tf: tf.add(tf.constant(OBJECTS), "!"),
    }
)
