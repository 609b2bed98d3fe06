"""Variables in parts in files: graphs that are read have the same parts, and checkpoints of before are still read."""

from pathlib import Path

import numpy as np

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
