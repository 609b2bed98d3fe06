"""Records of many files in a random order, and records by their place."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from steepest.v1.python.lib.io import tf_record
from steepest.v1.python.ops import data_flow_ops, gen_data_flow_ops

import steepest.v1 as tf


def files(folder: Path, count: int, records: int, compression: str = "") -> str:
    for k in range(count):
        options = tf_record.TFRecordOptions(compression)
        with tf_record.TFRecordWriter(str(folder / f"part.{k}"), options=options) as writer:
            for i in range(records):
                writer.write(b"%d" % (k * records + i))
    return str(folder / "part.*")


@pytest.mark.parametrize("compression", ["", "GZIP", "ZLIB"])
def test_each_epoch_has_every_record_once_and_in_another_order(tmp_path, compression):
    pattern = files(tmp_path, 5, 4, compression)
    made = {"batch_size": 2, "buffer_size": 8, "shift_ratio": 0.33, "seed": 10, "compression_type": compression}
    lists = data_flow_ops.RecordInput(pattern, batches=2, name="in", **made).get_yield_op()
    assert [[record.shape.as_list() for record in each] for each in lists] == [[[], []]] * 2
    orders: list[Any] = []
    with tf.Session() as session:
        for _ in range(3):
            orders.append([record for _ in range(5) for each in session.run(lists) for record in each])
    assert all(sorted(map(int, order)) == list(range(20)) for order in orders)
    assert orders[0] != orders[1]
    with tf.Session() as other:  # begins again
        first = [record for _ in range(5) for each in other.run(lists) for record in each]
    assert first == orders[0]


def test_numbers_and_names_of_files_are_checked(tmp_path):
    records = gen_data_flow_ops.record_input
    pattern = files(tmp_path, 1, 1)
    with tf.Session() as session:
        for wrong in ({"batch_size": -1}, {"file_parallelism": -1}, {"file_buffer_size": 0}, {"compression_type": "x"}):
            with pytest.raises(tf.errors.InvalidArgumentError):
                session.run(records(pattern, **wrong))
        with pytest.raises(tf.errors.NotFoundError, match="Found no files at"):
            session.run(records(str(tmp_path / "none")))


def test_records_by_their_place(tmp_path):
    path = str(tmp_path / "records")
    with tf_record.TFRecordWriter(path) as writer:
        for k in range(3):
            writer.write(b"r%d" % k)
    reader = tf_record.tf_record_random_reader(path)
    assert reader.read(18) == (b"r1", 36)
    assert reader.read(0) == (b"r0", 18)
    with pytest.raises(IndexError, match="Out of range at reading offset 54"):
        reader.read(54)
    with pytest.raises(tf.errors.DataLossError, match="corrupted record"):
        reader.read(1)
    reader.close()
    with pytest.raises(tf.errors.FailedPreconditionError, match="closed"):
        reader.read(0)
    with pytest.raises(tf.errors.NotFoundError):
        tf_record.tf_record_random_reader(str(tmp_path / "none"))
