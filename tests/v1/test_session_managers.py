"""``tf.train.SessionManager`` and what a `Supervisor` shows of it, ``LooperThread``, and ``tf.train.warm_start``."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import steepest.v1 as tf


def checkpoint(folder: Path, **values: object) -> str:
    """Return the path of a checkpoint with variables of these names."""
    with tf.Graph().as_default(), tf.Session() as session:
        for name, value in values.items():
            tf.get_variable(name.replace("_", "/"), initializer=np.float32(value))
        session.run(tf.global_variables_initializer())
        return tf.train.Saver().save(session, str(folder / "model"))


def test_a_manager_restores_or_initializes(tmp_path: Path):
    with tf.Graph().as_default():
        variable = tf.get_variable("a", initializer=1.0)
        manager = tf.train.SessionManager(ready_op=tf.report_uninitialized_variables())
        init, saver = tf.global_variables_initializer(), tf.train.Saver()
        with manager.prepare_session("", init, saver, str(tmp_path)) as session:
            assert session.run(variable) == 1.0
        path = checkpoint(tmp_path, a=5.0)
        for where in ({"checkpoint_dir": str(tmp_path)}, {"checkpoint_filename_with_path": path}):
            with manager.prepare_session("", init, saver, **where) as session:
                assert session.run(variable) == 5.0
        session, ready = manager.recover_session("", saver, str(tmp_path))
        assert (ready, session.run(variable)) == (True, 5.0)
        assert manager.recover_session("", saver, str(tmp_path / "none"))[1] is False
        with manager.prepare_session("", init_fn=lambda session: session.run(variable.assign(7.0))) as session:
            assert session.run(variable) == 7.0
        for wrong, message in (({}, "no init_op"), ({"init_op": tf.no_op()}, "Variables not initialized: a")):
            with pytest.raises(RuntimeError, match=message):
                manager.prepare_session("", **wrong)
        with pytest.raises(tf.errors.DeadlineExceededError, match="not ready after waiting"):
            manager.wait_for_session("", max_wait_secs=0.0)


def test_a_supervisor_shows_what_it_begins_sessions_with(tmp_path: Path):
    with tf.Graph().as_default():
        variable = tf.get_variable("a", initializer=1.0)
        supervisor = tf.train.Supervisor(logdir=str(tmp_path), save_model_secs=0)
        session = supervisor.session_manager.prepare_session("", supervisor.init_op)
        assert (supervisor.is_chief, session.run(variable)) == (True, 1.0)
        assert (list(session.run(supervisor.ready_op)), supervisor.ready_for_local_init_op) == ([], None)
        supervisor.stop()


def test_a_thread_loops_until_its_coordinator_stops():
    coordinator, calls = tf.train.Coordinator(), []

    class Loop(tf.train.LooperThread):
        def run_loop(self) -> None:
            calls.append(self.name)
            if len(calls) == 3:
                raise KeyError("third")

    Loop(coordinator, 0.001).start()
    tf.train.LooperThread.loop(coordinator, None, coordinator.wait_for_stop, (0.001,))
    with pytest.raises(KeyError, match="third"):
        coordinator.join()
    assert len(calls) == 3
    with pytest.raises(ValueError, match="must be a Coordinator"):
        tf.train.LooperThread(None, 1.0)


def test_variables_begin_with_those_of_a_checkpoint(tmp_path: Path):
    path = checkpoint(tmp_path, m_fruit=[1.0, 2.0], veg=[3.0])
    cases = [
        ({}, [[1, 2], [0], [3]]),
        ({"vars_to_warm_start": "m.*"}, [[1, 2], [0], [0]]),
        ({"vars_to_warm_start": ["m.*", "leaf"], "var_name_to_prev_var_name": {"leaf": "veg"}}, [[1, 2], [3], [0]]),
        ({"vars_to_warm_start": None}, [[0, 0], [0], [0]]),
    ]
    for options, want in cases:
        with tf.Graph().as_default(), tf.Session() as session:
            zeros = tf.zeros_initializer()
            found = [tf.get_variable("m/fruit", [2], initializer=zeros)]
            found.append(tf.get_variable("leaf", [1], initializer=zeros, trainable=False))
            found.append(tf.get_variable("veg", [1], initializer=zeros))
            tf.train.warm_start(path, **options)
            session.run(tf.global_variables_initializer())
            assert [value.tolist() for value in session.run(found)] == want
            with pytest.raises(ValueError, match="were not used"):
                tf.train.warm_start(path, "m.*", var_name_to_prev_var_name={"veg": "m/fruit"})
            with pytest.raises(ValueError, match="it must be all `Variable` or all `str`"):
                tf.train.warm_start(path, [1])


def test_a_saver_hands_its_variables_to_another(tmp_path: Path):
    with tf.Graph().as_default(), tf.Session() as session:
        a, b = tf.get_variable("a", initializer=1.0), tf.get_variable("b", initializer=2.0)
        session.run(tf.global_variables_initializer())
        first = tf.train.Saver({"x": a}, max_to_keep=2, write_version=tf.train.SaverDef.V2)
        second = tf.train.Saver(saver_def=first.as_saver_def())
        path = second.save(session, str(tmp_path / "model"))
        assert tf.train.list_variables(path) == [("x", [])]
        assert (second.saver_def.max_to_keep, tf.train.Saver.from_proto(first.to_proto()).saver_def.sharded) == (
            2,
            False,
        )
        session.run([a.assign(3.0), b.assign(4.0)])
        second.restore(session, path)
        assert session.run([a, b]) == [1.0, 4.0]
        with pytest.raises(ValueError, match="must not contain path components"):
            second.save(session, path, latest_filename="a/b")


def test_local_initializers_run_without_a_checkpoint():
    with tf.Graph().as_default():
        local = tf.get_variable("w", initializer=1.0, collections=[tf.GraphKeys.LOCAL_VARIABLES])
        manager = tf.train.SessionManager(local.initializer, tf.report_uninitialized_variables())
        session, ready = manager.recover_session("")
        assert (session.run(local), ready) == (1.0, False)
        with pytest.raises(ValueError, match="you must also pass a local_init_op"):
            tf.train.SessionManager(ready_for_local_init_op=tf.report_uninitialized_variables())


def test_what_a_check_of_readiness_may_be():
    variable = tf.get_variable("a", initializer=1.0)
    init = tf.global_variables_initializer()
    for check in (tf.constant(3), tf.constant([], tf.string), tf.no_op(), None):
        with tf.train.SessionManager(ready_op=check).prepare_session("", init) as session:
            assert session.run(variable) == 1.0
    with pytest.raises(RuntimeError, match=r"did not make model ready.*uninitialized value a"):
        tf.train.SessionManager(ready_op=variable).prepare_session("", tf.no_op())
    table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(["x"], [1]), -1)
    with pytest.raises(tf.errors.FailedPreconditionError, match="Table not initialized"):
        tf.train.SessionManager(ready_op=table.lookup(tf.constant("x"))).prepare_session("", init)
