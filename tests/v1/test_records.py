"""TFRecord files while they grow, and how they are compressed; features of examples that are refused."""

from __future__ import annotations

import zlib
from pathlib import Path

import pytest
from steepest.v1.python.core.example import example_pb2
from steepest.v1.python.lib.io import tf_record

import steepest.v1 as tf


def test_a_file_is_read_on_when_it_has_grown(tmp_path: Path):
    path = tmp_path / "records"
    with tf_record.TFRecordWriter(path) as writer:
        writer.write(b"one")
        writer.flush()
        records = tf_record.tf_record_iterator(path)
        assert next(records) == b"one"
        with pytest.raises(StopIteration):
            next(records)
        writer.write(b"two")
        writer.flush()
        assert list(records) == [b"two"]


def test_a_compressed_file_ends_once(tmp_path: Path):
    for kind in (tf_record.TFRecordCompressionType.ZLIB, "GZIP"):
        path = tmp_path / f"records{kind}"
        with tf_record.TFRecordWriter(path, kind) as writer:
            writer.write(b"one")
        records = tf_record.tf_record_iterator(path, tf_record.TFRecordOptions(kind))
        assert list(records) == [b"one"]
        assert list(records) == []
        path.write_bytes(b"no compressed file")
        with pytest.raises(tf.errors.DataLossError):
            list(tf_record.tf_record_iterator(path, kind))


def test_zlib_is_told_how_to_compress(tmp_path: Path):
    path = tmp_path / "records"

    def size(**options) -> int:
        with tf_record.TFRecordWriter(path, tf_record.TFRecordOptions("ZLIB", **options)) as writer:
            for number in range(200):
                writer.write(f"{number * number} records " * 5)
            writer.flush()
        assert len(list(tf_record.tf_record_iterator(path, "ZLIB"))) == 200
        return path.stat().st_size

    assert size(compression_level=0) > size(compression_level=1) > size(compression_level=9)
    assert size(window_bits=9) > size(window_bits=15)
    assert size(compression_strategy=zlib.Z_HUFFMAN_ONLY) > size()
    assert size(flush_mode=zlib.Z_FULL_FLUSH, input_buffer_size=100) > size(input_buffer_size=100) == size()


def test_messages_are_copied_and_checked():
    made = example_pb2.Example()
    made.features.feature["x"].float_list.value.append(1.5)
    copy = tf.train.Example()
    copy.CopyFrom(made)
    assert copy == made
    assert copy.ByteSize() == len(made.SerializeToString())
    copy.features.feature["x"].float_list.value.append(2.5)
    assert copy != made
    with pytest.raises(ValueError, match="out of range"):
        tf.train.Int64List(value=[2**63])
    with pytest.raises(ValueError, match="whole message"):
        tf.train.Example.FromString(b"\x0a\x10short")


def test_integers_that_are_not_packed_are_read():
    assert tf.train.Int64List.FromString(b"\x08\x03\x08\x04").value == [3, 4]
    assert tf.train.FloatList.FromString(b"\x0d\x00\x00\x80\x3f").value == [1.0]


def test_features_are_refused():
    with tf.Graph().as_default():
        with pytest.raises(TypeError, match=r"has DataType float64 not in list of allowed values: .*, for 'x'"):
            tf.parse_example([b""], {"x": tf.VarLenFeature(tf.float64)})
        with pytest.raises(ValueError, match="First dimension of shape for feature x unknown"):
            tf.parse_example([b""], {"x": tf.FixedLenFeature([None], tf.float32)})
        with pytest.raises(ValueError, match="Cannot reshape a tensor with 2 elements"):
            tf.parse_example([b""], {"x": tf.FixedLenFeature([3], tf.float32, [1.0, 2.0])})
        with pytest.raises(ValueError, match="rank 0 but is rank 1"):
            tf.parse_single_example([b""], {"x": tf.VarLenFeature(tf.int64)})
