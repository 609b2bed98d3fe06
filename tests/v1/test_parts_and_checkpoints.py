"""Parts of variables that are assigned, safe lookups, and variables that begin with a checkpoint's values."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import steepest.v1 as tf
from steepest.v1.saving import init_from_checkpoint


@pytest.mark.parametrize(
    "index", [1, -1, slice(1, None), (slice(None), 1), (0, 2), (..., slice(None, None, 2))], ids=str
)
def test_a_part_of_a_variable_is_assigned(index: Any):
    start = np.arange(12.0).reshape(3, 4)
    v = tf.Variable(start, name="v")
    part = v[index]
    new = -np.ones(np.shape(start[index]))
    assigned = part.assign(new)
    expected = start.copy()
    expected[index] = -1
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        np.testing.assert_array_equal(session.run(assigned), expected)
        np.testing.assert_array_equal(session.run(v), expected)


def test_bounds_of_a_part_may_be_fed_and_errors_change_nothing():
    v, k, x = tf.Variable([1.0, 2.0, 3.0]), tf.placeholder(tf.int32, []), tf.placeholder(tf.float32, None)
    assigned = v[k].assign(x)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        assert session.run(assigned, {k: 2, x: 7.0}).tolist() == [1, 2, 7]
        with pytest.raises(tf.errors.InvalidArgumentError):
            session.run(assigned, {k: 0, x: [1.0, 2.0]})
        assert session.run(v).tolist() == [1, 2, 7]
    with pytest.raises(ValueError, match="only supported for variables"):
        tf.constant([1.0])[0].assign(2.0)
    assert not hasattr(v + 1, "assign")


def sparse(rows: list[list[int]], weights: list[list[float]] | None = None, values: Any = None) -> Any:
    places = [[r, k] for r, row in enumerate(rows) for k in range(len(row))]
    flat = [value for row in (rows if weights is None else weights) for value in row]
    kind = np.int64 if weights is None else np.float32
    return tf.SparseTensor(np.array(places, np.int64).reshape(-1, 2), np.array(flat, kind), [len(rows), 4])


@pytest.mark.parametrize("combiner", ["sum", "mean", "sqrtn"])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("default", [None, 1])
def test_a_safe_lookup_leaves_wrong_ids_out(combiner: str, weighted: bool, default: int | None):
    table = np.random.default_rng(0).normal(size=(5, 3)).astype(np.float32)
    rows, shares = [[0, -1, 2], [], [-3], [4, 4]], [[1.0, 2.0, 0.5], [], [1.0], [2.0, -1.0]]
    expected = np.zeros((4, 3))
    for r, (ids, row_shares) in enumerate(zip(rows, shares, strict=True)):
        kept = [(i, w if weighted else 1.0) for i, w in zip(ids, row_shares, strict=True) if i >= 0]
        if weighted and combiner != "sum":
            kept = [(i, w) for i, w in kept if w > 0]
        if not kept and default is None:
            continue
        kept = kept or [(default, 1.0)]
        w = np.array([share for _, share in kept])
        scale = {"sum": 1.0, "mean": w.sum(), "sqrtn": np.sqrt((w**2).sum())}[combiner]
        expected[r] = sum(share * table[i].astype(float) for i, share in kept) / scale
    variable = tf.Variable(table)
    weights = sparse(rows, shares) if weighted else None
    result = tf.nn.safe_embedding_lookup_sparse([variable], sparse(rows), weights, combiner, default)
    (slope,) = tf.gradients(tf.reduce_sum(result), [variable])
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        np.testing.assert_allclose(session.run(result), expected, rtol=1e-5, atol=1e-6)
        assert np.isfinite(session.run(tf.convert_to_tensor(slope))).all()


def test_ids_of_more_axes_and_bad_arguments():
    table = tf.constant(np.arange(6.0).reshape(3, 2))
    ids = tf.SparseTensor([[0, 1, 0], [1, 0, 1]], np.array([2, 1], np.int64), [2, 2, 2])
    with tf.Session() as session:
        found = session.run(tf.nn.safe_embedding_lookup_sparse(table, ids))
    assert found.tolist() == [[[0, 0], [4, 5]], [[2, 3], [0, 0]]]
    with pytest.raises(ValueError, match="Missing embedding_weights"):
        tf.contrib.layers.safe_embedding_lookup_sparse(None, ids)
    with pytest.raises(TypeError, match="must be SparseTensor"):
        tf.nn.safe_embedding_lookup_sparse(table, [1])


def saved(folder: Any) -> str:
    with tf.Graph().as_default(), tf.Session() as session:
        with tf.variable_scope("old"):
            tf.get_variable("w", initializer=np.float32([1, 2]))
            tf.get_variable("b", initializer=np.float32(3))
        session.run(tf.global_variables_initializer())
        return tf.train.Saver().save(session, str(folder / "model"), global_step=len(list(folder.iterdir())))


def test_variables_begin_with_a_checkpoint(tmp_path):
    saved(tmp_path)
    with tf.variable_scope("new"):
        w, b = tf.get_variable("w", [2]), tf.get_variable("b", [])
    other = tf.get_variable("other", [2])
    tf.train.init_from_checkpoint(str(tmp_path), {"old/": "new/"})
    tf.train.init_from_checkpoint(str(tmp_path), {"old/w": other})
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        assert [np.asarray(value).tolist() for value in session.run([w, b, other])] == [[1, 2], 3, [1, 2]]
    for bad, message in [
        ({"old/x": other}, "Tensor old/x is not found"),
        ({"old/w": "nothing"}, "Variable nothing is not found"),
        ({"old/b": other}, "doesn't match with shape"),
        ({"old/": "other"}, "Should be 'scope/': 'other_scope/'"),
    ]:
        with pytest.raises(ValueError, match=message):
            tf.train.init_from_checkpoint(str(tmp_path), bad)
    tf.train.init_from_checkpoint(str(tmp_path), {"old/": "nowhere/"})  # nothing is there, as in TensorFlow


def test_a_graph_holds_the_name_of_its_checkpoint_and_not_its_values(tmp_path):
    path = saved(tmp_path)
    w, wide = tf.get_variable("loaded", [2]), tf.get_variable("wide", [2], tf.float64)
    tf.train.init_from_checkpoint(path, {"old/w": w})
    tf.train.init_from_checkpoint(path, {"old/w": wide})
    with tf.Graph().as_default(), tf.Session() as session:
        with tf.variable_scope("old"):
            tf.get_variable("w", initializer=[8.0, 9.0])
        session.run(tf.global_variables_initializer())
        tf.train.Saver().save(session, path)
    assert w.initial_value.op.type == "RestoreV2"
    with tf.Session() as session:
        session.run(w.initializer)
        assert session.run(w).tolist() == [8, 9]
        with pytest.raises(tf.errors.InvalidArgumentError, match="expected dtype"):
            session.run(wide.initializer)


def test_a_value_that_is_loaded_replaces_that_of_the_checkpoint(tmp_path):
    saved(tmp_path)
    tf.reset_default_graph()
    (name, shape), *_ = tf.train.list_variables(str(tmp_path))
    variable = tf.get_variable("loaded", shape)
    tf.train.init_from_checkpoint(str(tmp_path), {name: variable})
    with tf.Session() as session:
        variable.load(np.full(shape, 5.0), session)
        assert np.all(session.run(variable) == 5)


def test_a_checkpoint_is_waited_for(tmp_path):
    wait = init_from_checkpoint.wait_for_new_checkpoint
    assert wait(str(tmp_path), seconds_to_sleep=0.01, timeout=0.03) is None
    saved(tmp_path)
    newest = wait(str(tmp_path), "another", seconds_to_sleep=0.01)
    assert newest == tf.train.latest_checkpoint(str(tmp_path))
    assert wait(str(tmp_path), newest, seconds_to_sleep=0.01, timeout=0.03) is None


def test_checkpoints_are_given_as_they_come(tmp_path):
    asked: list[int] = []

    def is_over() -> bool:
        asked.append(1)
        return len(asked) > 1

    assert list(tf.train.checkpoints_iterator(str(tmp_path), timeout=0.05, timeout_fn=is_over)) == []
    assert len(asked) == 2
    found: list[str] = []
    saved(tmp_path)
    for path in tf.train.checkpoints_iterator(str(tmp_path), timeout=0.2):
        found.append(path)
        if len(found) < 3:
            saved(tmp_path)
    assert len(set(found)) == 3


def test_nothing_is_saved_before_the_counter_has_grown(tmp_path):
    step = tf.Variable(0)
    manager = tf.train.CheckpointManager(
        tf.train.Checkpoint(step=step), str(tmp_path), max_to_keep=3, step_counter=step, checkpoint_interval=2
    )
    with tf.Session() as session:
        session.run(step.initializer)
        first = manager.save(session=session)
        session.run(step.assign_add(1))
        before = {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
        assert manager.save(session=session) is None
        assert {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()} == before
        assert manager.checkpoints == [first]
        session.run(step.assign_add(1))
        assert manager.save(session=session) not in (None, first)
