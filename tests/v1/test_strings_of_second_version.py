"""Operations of strings and of parsing where TensorFlow 2 has more than TensorFlow 1, and words of errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from steepest.v1.python.ops import array_ops, gen_checkpoint_ops, parsing_ops, string_ops

import steepest.v1 as tf


def run(what: Any, feed: Any = None) -> Any:
    with tf.Session() as session:
        return session.run(what, feed)


def test_bytes_are_cut_to_a_length_or_filled():
    numbers = parsing_ops.decode_raw(["a", "abcdefgh"], tf.uint16, fixed_length=4)
    assert numbers.shape.as_list() == [2, 2]
    assert run(numbers).tolist() == [[97, 0], [25185, 25699]]
    assert run(parsing_ops.decode_raw([b"\x01\x23"], tf.int32, False, 8)).tolist() == [[0x01230000, 0]]
    assert run(parsing_ops.decode_raw(["ab"], tf.uint8)).tolist() == [[97, 98]]
    length = tf.placeholder(tf.int32, [])
    later = parsing_ops.decode_raw(["abc"], tf.uint16, fixed_length=length)
    assert run(later, {length: 2}).tolist() == [[25185]]
    with pytest.raises(tf.errors.InvalidArgumentError, match="multiple of"):
        run(later, {length: 3})
    for wrong in (3, 0, -2):
        with pytest.raises(ValueError, match="fixed_length"):
            parsing_ops.decode_raw(["abc"], tf.uint16, fixed_length=wrong)


def test_what_is_refused_is_told_in_words_of_both_versions():
    step = tf.FixedLenSequenceFeature((2,), tf.int64)
    for make, words in (
        (
            lambda: parsing_ops.parse_sequence_example([""], example_names=["in1"], sequence_features={"a": step})[1][
                "a"
            ],
            r"Name: in1, Feature list 'a' is required but could not be found\..*Missing feature a in example in1",
        ),
        (lambda: parsing_ops.parse_tensor("bogus", tf.int32), "as TensorProto, base64: Ym9ndXM=: 'bogus'"),
        (lambda: string_ops.as_string([1], fill="a"), "Fill argument not supported"),
        (lambda: string_ops.regex_full_match(["a"], tf.constant(["a", "b"])), "Pattern must be scalar"),
    ):
        with pytest.raises(tf.errors.InvalidArgumentError, match=words):
            run(make())


def test_ranks_of_ranges_are_checked():
    x = tf.constant([[1.0], [2.0]])
    with pytest.raises(ValueError, match="must be rank 0 but is rank 1"):
        array_ops.fake_quant_with_min_max_vars(x, 0.0, [1.0])
    with pytest.raises(ValueError, match="Dimensions must be equal, but are 2 and 1"):
        array_ops.fake_quant_with_min_max_vars_per_channel(x, [0.0, 0.1], [1.0])
    with pytest.raises(ValueError, match="Dimension 0 in both shapes must be equal"):
        array_ops.fake_quant_with_min_max_vars_per_channel_gradient(x, x, [0.0, 0.1], [1.0])


def test_rows_that_are_taken_twice_are_not_supported(tmp_path):
    with tf.Graph().as_default(), tf.Session() as session:
        matrix = tf.get_variable("m", initializer=np.ones([2, 3], np.float32))
        session.run(matrix.initializer)
        path = tf.train.Saver([matrix]).save(session, str(tmp_path / "model"))
        for rows, error in (([0, 0], tf.errors.UnimplementedError), (0, tf.errors.InvalidArgumentError)):
            with pytest.raises(error):
                session.run(gen_checkpoint_ops.load_and_remap_matrix(path, "m", rows, [], [], 2, 3))


def test_no_strings_joined_are_an_empty_one():
    assert run(string_ops.string_join([])) == b""
