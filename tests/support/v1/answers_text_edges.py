"""Programs of texts: patterns, numbers, encodings, codes and bytes at their edges."""

from __future__ import annotations

import gzip
import json
import zlib
from importlib import import_module
from typing import Any

import numpy as np
from answers import graph, run, tried

_PATTERNS = [
    (r"b*", "x", "abc"),
    (r"x*", "-", "axb"),
    (r"", "x", "é"),
    (r"(a)(b)?", r"[\2\1]", "aab"),
    (r"a", r"\\", "bab"),
    (r"a", r"\n", "bab"),
    (r"é", "e", "caféé"),
    (r".", "x", "é\n"),
    (r".", "x", b"\xff\xfea"),
    (r"[^a]", "x", b"\xff\xfea"),
    (r"$", "x", "a\n"),
    (r"(?m)$", "x", "a\nb"),
    (r"(?m)^", ">", "a\nb"),
    (r"^", ">", "a\nb"),
    (r"(?s).", "x", "\n"),
    (r"\pL+", "x", "aé1"),
    (r"[\pLu]", "x", "aBpu"),
    (r"[^\p{Lu}]", "x", "aB"),
    (r"\P{^Nd}", "x", "a1"),
    (r"\p{Any}", "x", "é"),
    (r"[[:alpha:]_-]+", "x", "ab_-1"),
    (r"[[:^alpha:]]", "x", "a1"),
    (r"[\]a\-z]", "x", "]-bz"),
    (r"[]a]", "x", "]a"),
    (r"[a-c\d]+", "x", "abc12d"),
    (r"\w\W", "x", "é_éa"),
    (r"\d\D", "x", "٣3a"),
    (r"\s\S", "x", "\x0b\xa0 b"),
    (r"\ba\B", "x", "éab a"),
    (r"(?i)É", "x", "éÉ"),
    (r"a(?i)B|c", "x", "aBCc"),
    (r"(a(?i)b)c", "x", "aBC aBc"),
    (r"(?i:a(?-i)b)c", "x", "ABc Abc"),
    (r"(?U)a+b+?", "x", "aabb"),
    (r"\Qa.b\E+", "x", "a.bba"),
    (r"\A\x{e9}\x41\101\z", "x", "éAA"),
    (r"(?P<n>a)", r"<\1>", "a"),
    (r"a{,2}", "x", "aaa{,2}"),
    (r"a{2}b{1,}?c{0,1}", "x", "aabbc"),
    (r"[[a]", "x", "[a"),
    (r"\.\*\ \t", "x", ".* \t"),
]
_BROKEN = [
    *("a(?=b)", r"(a)\1", r"\Z", "a++", "a**", "a*?*", "a{1001}", "a{2,1}", "*", "(*a)", "(", "[a", "\\", "[b-a]"),
    *(r"\8", "(?z)", r"\p{Foo}", "[a", "(?<=a)"),
]


def _shown(value: Any) -> str:
    """Return bytes, which may be no text, as Python writes them."""
    return repr(np.asarray(value, object).tolist())


@graph
def texts_matched_by_patterns(tf: Any) -> Any:
    pattern, new, texts = (tf.placeholder(tf.string) for _ in range(3))
    replaced = tf.regex_replace(texts, pattern, new)
    told = tf.strings.regex_full_match(tf.placeholder_with_default(["ab", "b"], [2]), tf.constant("a.*"))
    found = []
    with tf.Session() as session:
        for given, other, text in _PATTERNS:
            found += [
                session.run(tf.regex_replace(text, given, other)),
                session.run(tf.regex_replace([text, text], given, other, replace_global=False)),
                session.run(tf.strings.regex_full_match(text, given)),
                session.run(replaced, {pattern: given, new: other, texts: [[text]]}),
            ]
        names = [replaced.op.type, tf.regex_replace("a", "a", "b").op.type, told.op.type]
        return [
            [_shown(value) for value in found],
            names,
            [told.shape.as_list(), replaced.shape.ndims],
            session.run(told),
        ]


@graph
def patterns_that_are_refused(tf: Any) -> Any:
    def refused(pattern: str) -> Any:
        try:
            return run(tf, tf.regex_replace("a", pattern, "x"))
        except tf.errors.InvalidArgumentError as error:
            return "Invalid pattern: " in str(error)

    return [refused(pattern) for pattern in _BROKEN]


@graph
def numbers_that_texts_say(tf: Any) -> Any:
    texts = [
        *("1_0", "0xF", "-0x1", "nan", "-INF", "1e", "1e5", ".5", "5.", "1f", "", "1 "),
        *(
            "\t1\n",
            "1e-60",
            "0x",
            "- 1",
            "٣",
            "-0",
            "1e400",
            "3.40283e+38",
            "-2147483649",
            "9223372036854775808",
            "2.9",
        ),
    ]

    def said(text: str, dtype: Any) -> Any:
        try:
            return run(tf, tf.string_to_number([text], dtype))
        except tf.errors.InvalidArgumentError:
            return "no number"

    return [said(text, dtype) for dtype in (tf.float32, tf.float64, tf.int32, tf.int64) for text in texts]


@graph
def texts_between_encodings(tf: Any) -> Any:
    def other(text: Any, encoding: str = "UTF-8", out: str = "UTF-8", **more: Any) -> Any:
        try:
            return _shown(run(tf, tf.strings.unicode_transcode(text, encoding, out, **more)))
        except tf.errors.InvalidArgumentError as error:
            return "Invalid formatting" in str(error), "Could not create converter" in str(error)

    broken = [
        b"a\x1f\x20\x7f\xc2\x80\n\t",
        b"\xef\xbf\xbd\xff",
        b"\xe2\x82a\xf0\x90\x80\xff\xc0\x80\xed\xa0\x80",
        b"\xef\xbf\xbe\xef\xb7\x90",
    ]
    return [
        [
            other(text, **more, errors=errors, replacement_char=char)
            for text in broken
            for more in ({}, {"replace_control_characters": True})
            for errors, char in (("replace", 0xFFFD), ("replace", 33), ("ignore", 33), ("strict", 33))
        ],
        other([b"\x00a\x00b\x20\xac", b"\xd8\x01\xdc\x37", b"\xd8\x00\x00a", b"\x00a\x00"], "UTF-16"),
        other([b"\xfe\xff\x00*", b"\xff\xfe*\x00", b"\xff\xfe<\x00\xff\xfe>\x00", b""], "UTF-16"),
        other([b"\xfe\xff\x00*"], "UTF-16-BE"),
        other([b"\x00\x00\x00a\x00\x00\x20\xac", b"\x00\x11\x00\x00\x00\x00\x00a"], "UTF-32"),
        other([b"\xff\xfe\x00\x00a\x00\x00\x00"], "UTF-32", "UTF-16-BE"),
        other([b"\xef\xbb\xbf*"]),
        other([b"a\x80\xffb"], "US-ASCII", "UTF-32-BE"),
        other([b"\x80\xff"], "latin1"),
        other([b"\x8f\x70"], "shift_jis"),
        other("a", "base64"),
        other("a", "nothing"),
        *tried(
            lambda: other("a", out="latin1"),
            lambda: other("a", errors="lenient"),
            lambda: tf.strings.unicode_encode([97], "latin1"),
            lambda: tf.strings.length(["a"], unit="WORD"),
            lambda: tf.strings.substr(["a"], 0, 1, unit="WORD"),
        ),
    ]


@graph
def codes_of_texts(tf: Any) -> Any:
    def decoded(code: str) -> Any:
        try:
            return _shown(run(tf, tf.decode_base64([code])))
        except tf.errors.InvalidArgumentError as error:
            return "modulo 4" in str(error)

    given = [b"AaBC", b"", b"\0\1"]
    codes = ["+_-/", "ab-_", "abcd====", "ab==cd", "ab=", "ab==", "abc=", "abcde", "ab", "a=", "=", "", "ab c", "zz=="]
    return [
        [decoded(code) for code in codes],
        run(tf, tf.decode_compressed([zlib.compress(text) for text in given], "ZLIB")),
        run(tf, tf.io.decode_compressed([gzip.compress(text) for text in given], compression_type="GZIP")),
        run(tf, tf.decode_compressed(given)),
        tf.decode_compressed(tf.placeholder(tf.string, [None, 2])).shape.as_list(),
        _kind(tf, tf.decode_compressed(["abc"], "GZIP")),
        _kind(tf, tf.decode_compressed(["abc"], "ZIP")),
    ]


def _kind(tf: Any, tensor: Any) -> str:
    try:
        return str(run(tf, tensor))
    except tf.errors.OpError as error:
        return type(error).__name__


@graph
def bytes_of_tensors(tf: Any) -> Any:
    top = "steepest.v1" if tf.__name__.startswith("steepest") else "tensorflow"
    files, parsing = (import_module(f"{top}.python.ops.gen_{name}_ops") for name in ("io", "parsing"))
    padded = parsing.decode_padded_raw(["abc", "a"], 4, tf.int16)
    return [
        run(tf, tf.fingerprint(np.arange(6.0).reshape(3, 2))),
        run(tf, tf.fingerprint(tf.constant(["a", "bc"]))),
        run(tf, tf.fingerprint(tf.constant([["a", "bc"], ["", "x"]]))),
        run(tf, tf.fingerprint(np.zeros([2, 0]))),
        [tf.fingerprint(tf.placeholder(tf.int32, shape)).shape.as_list() for shape in (None, [None, 3], [2])],
        run(tf, files.sharded_filename("foo", 4, 100)),
        run(tf, files.sharded_filespec("foo", 100)),
        run(tf, padded),
        run(tf, parsing.decode_padded_raw(["abc", "abcdef"], 4, tf.int16, little_endian=False)),
        padded.shape.as_list(),
    ]


@graph
def characters_of_broken_texts(tf: Any) -> Any:
    def part(text: Any, at: int, size: int, unit: str) -> Any:
        try:
            return _shown(run(tf, tf.substr(text, at, size, unit=unit)))
        except (tf.errors.InvalidArgumentError, UnicodeDecodeError):  # of TensorFlow's message, which has the bytes
            return "refused"

    broken = [b"\x80\x80ab", b"\xe2\x82ab\x80\x80\x80\x80c", b"a\xffb\xc3", b"", "\U0001d6e2b\u20ac"]
    places = [(text, at, unit) for text in broken for at in range(-5, 6) for unit in ("BYTE", "UTF8_CHAR")]
    return [
        [part(text, at, size, unit) for text, at, unit in places for size in (2, -1 if unit == "BYTE" else 0)],
        run(tf, tf.strings.length(tf.constant(broken, tf.string), unit="UTF8_CHAR")),
        _shown(run(tf, tf.strings.upper([b"\xffa\xc3", "é"], encoding="utf-8"))),
    ]


@graph
def examples_in_json(tf: Any) -> Any:
    def feature(kind: str, *values: Any) -> str:
        return json.dumps({"features": {"feature": {"a": {kind: {"value": values}}}}})

    texts = [
        feature("int64List", "1", 2, 2.0, -(2**63)),
        feature("int64_list", 3),
        feature("bytesList", "YWI=", "_-8", "Yg"),
        feature("floatList", "1.5", 1, "Infinity", -2e3),
        '{"features": {"feature": {"b": {"int64List": {"value": [2]}}, "a": {}}}}',
        '{"features": null}',
        "{}",
    ]
    wrong = ["", "[]", '{"x": 1}', feature("int64List", 1.5), feature("bytesList", 3), feature("intList", 3), '{"fea']
    tensor = tf.io.decode_json_example(tf.placeholder(tf.string, [2, None]))
    found: list[Any] = [tensor.op.type, tensor.shape.as_list()]
    for serialized in run(tf, tf.decode_json_example(texts)):
        features = tf.train.Example.FromString(serialized).features.feature
        for key in sorted(features):
            one = features[key]
            values = [one.int64_list.value[:], one.float_list.value[:], one.bytes_list.value[:]]
            found.append([key, one.WhichOneof("kind"), str(values)])
    return [*found, [_kind(tf, tf.decode_json_example(text)) for text in wrong]]


@graph
def tables_of_buckets_under_their_public_name(tf: Any) -> Any:
    table = tf.lookup.experimental.DenseHashTable(tf.int64, tf.int64, -7, empty_key=0, deleted_key=-1)
    with tf.Session() as session:
        session.run(table.insert(np.array([3, 5]), np.array([33, 55])))
        session.run(table.remove(np.array([5])))
        return [session.run(table.lookup(np.array([3, 5, 7]))), session.run(table.size()), table.key_dtype.name]
