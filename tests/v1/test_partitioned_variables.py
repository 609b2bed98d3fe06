"""Variables in parts in files: graphs that are read have the same parts, and checkpoints of before are still read."""

from pathlib import Path

import numpy as np
import pytest
from steepest.v1.python.ops.variables import PartitionedVariable

import steepest.v1 as tf

ROWS = np.arange(14, dtype=np.float32).reshape(7, 2)


def test_a_graph_that_is_read_has_parts_that_its_saver_restores(tmp_path: Path):
    path = str(tmp_path / "model")
    with tf.Graph().as_default(), tf.Session() as session:
        w = tf.get_variable("w", initializer=tf.constant(ROWS), partitioner=tf.fixed_size_partitioner(3))
        step = tf.train.AdagradOptimizer(0.5).minimize(tf.reduce_sum(tf.square(w)))
        session.run(tf.global_variables_initializer())
        session.run(step)
        tf.train.Saver().save(session, path)
        session.run(step)
        expected = session.run(w.as_tensor())
    for scope in (None, "read"):
        with tf.Graph().as_default(), tf.Session() as session:
            saver = tf.train.import_meta_graph(f"{path}.meta", import_scope=scope)
            assert saver is not None
            saver.restore(session, path)
            parts = tf.trainable_variables()
            prefix = f"{scope}/" if scope else ""
            assert [part.name for part in parts] == [f"{prefix}w/part_{k}:0" for k in range(3)]
            assert [part._save_slice_info.spec for part in parts] == ["7 2 0,3:0,2", "7 2 3,2:0,2", "7 2 5,2:0,2"]
            session.run(f"{prefix}Adagrad")
            assert np.array_equal(np.concatenate(session.run(parts)), expected)
            again = tf.train.Saver()
            again.save(session, str(tmp_path / "again"))
            names = dict(tf.train.list_variables(str(tmp_path / "again")))
            assert names == {f"{prefix}w": [7, 2], f"{prefix}w/Adagrad": [7, 2]}


def test_parts_that_were_saved_under_their_own_names_are_restored(tmp_path: Path):
    with tf.Graph().as_default(), tf.Session() as session:
        for k, rows in enumerate((ROWS[:4], ROWS[4:])):
            tf.get_variable(f"w/part_{k}", initializer=rows)
        session.run(tf.global_variables_initializer())
        path = tf.train.Saver().save(session, str(tmp_path / "before"))
    with tf.Graph().as_default(), tf.Session() as session:
        w = tf.get_variable("w", [7, 2], partitioner=tf.fixed_size_partitioner(2))
        tf.train.Saver().restore(session, path)
        assert np.array_equal(session.run(w.as_tensor()), ROWS)


def test_parts_that_a_program_joins_itself_stand_in_the_order_of_their_places():
    with tf.Graph().as_default(), tf.Session() as session:
        parts = [tf.Variable([1]), tf.Variable([0])]
        for part, begin in zip(parts, (1, 0), strict=True):
            part._set_save_slice_info(tf.Variable.SaveSliceInfo("both", [2], [begin], [1]))
        both = PartitionedVariable("both", [2], tf.int32, parts, [2])
        session.run(tf.global_variables_initializer())
        assert list(both) == parts[::-1]
        assert session.run(tf.convert_to_tensor(both)).tolist() == [0, 1]
        refused = [([], [2]), (parts, [0]), (parts, [1, 2]), ([*parts, tf.Variable([1])], [2])]
        for variables, partitions in refused:
            with pytest.raises(ValueError, match=r"variable|partition values"):
                PartitionedVariable("both", [2], tf.int32, variables, partitions)
        with pytest.raises(ValueError, match="full shapes must match shape"):
            PartitionedVariable("both", [3], tf.int32, parts, [2])


def test_a_part_is_read_from_the_text_that_it_writes() -> None:
    info = tf.Variable.SaveSliceInfo("whole", [2, 3, 4], [0, 2, 0], [1, 1, 3])
    again = tf.Variable.SaveSliceInfo.from_spec(info.spec)
    assert (again.full_shape, again.var_offset, again.var_shape) == ([2, 3, 4], [0, 2, 0], [1, 1, 3])


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("0", "contain space-separated full_shape info"),
        ("a b", "full_shape must be a sequence of int"),
        ("0 0:0", "comma-separated pairs of offsets and"),
        ("0 a,0", "var_offset must be an integer"),
        ("0 0,a", "var_shape must be an integer"),
    ],
)
def test_other_texts_are_no_part(spec: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        tf.Variable.SaveSliceInfo.from_spec(spec)
