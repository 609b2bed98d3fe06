"""Deferred Adam and row-wise Adagrad in sessions: values, slots, checkpoints between steps, several sessions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import steepest as st
import steepest.v1 as tf

ROWS, BATCHES = 40, [np.random.default_rng(step).integers(0, 40, 6) for step in range(12)]
START = np.random.default_rng(99).normal(size=(ROWS, 3)).astype(np.float64)

MAKERS: dict[str, Callable[[], Any]] = {
    "deferred": lambda: tf.train.AdamOptimizer(0.05, sparse_update="deferred"),
    "full": lambda: tf.train.AdamOptimizer(0.05),
    "rowwise": lambda: tf.train.RowWiseAdagradOptimizer(0.05),
}
small = pytest.mark.parametrize("kind", ["deferred", "rowwise"])


class Model:
    """A table of which a few rows are trained in each step, and a matrix all of which is."""

    def __init__(self, kind: str) -> None:
        self.graph = tf.Graph()
        with self.graph.as_default():
            self.ids = tf.placeholder(tf.int32, [None])
            with tf.variable_scope("emb"):
                self.table = tf.get_variable("table", initializer=START)
            self.w = tf.get_variable("w", initializer=np.eye(3))
            self.loss = tf.nn.l2_loss(tf.matmul(tf.nn.embedding_lookup(self.table, self.ids), self.w) - 1.0)
            self.optimizer = MAKERS[kind]()
            self.train = self.optimizer.minimize(self.loss, tf.train.get_or_create_global_step())
            self.all = tf.global_variables()
            self.saver = tf.train.Saver()

    def session(self) -> tf.Session:
        session = tf.Session(graph=self.graph)
        session.run([v.initializer for v in self.all])
        return session

    def steps(self, session: tf.Session, first: int, last: int) -> None:
        for step in range(first, last):
            session.run(self.train, {self.ids: BATCHES[step]})

    def state(self, session: tf.Session) -> list[Any]:
        return [np.asarray(value) for value in session.run(self.all)]


def assert_equal(got: list[Any], want: list[Any], rtol: float = 0.0) -> None:
    for ours, theirs in zip(got, want, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=rtol, atol=rtol)


def test_deferred_steps_in_a_session_are_the_full_ones():
    deferred, full = Model("deferred"), Model("full")
    one, other = deferred.session(), full.session()
    for step in range(len(BATCHES)):
        deferred.steps(one, step, step + 1)
        full.steps(other, step, step + 1)
        if step % 5 == 4:  # between the reads, rows are left for later
            assert_equal(deferred.state(one), full.state(other), 1e-12)
    assert_equal(deferred.state(one), full.state(other), 1e-12)


def test_rows_that_are_left_for_later_are_read_as_they_should_be():
    model, full = Model("deferred"), Model("full")
    one, other = model.session(), full.session()
    for step in range(6):
        feeds = {m.ids: BATCHES[step] for m in (model, full)}
        losses = [s.run([m.loss, m.train], {m.ids: feeds[m.ids]})[0] for m, s in ((model, one), (full, other))]
        assert losses[0] == pytest.approx(losses[1], rel=1e-12)
    held = one._read(model.table.op)
    assert held is not None
    assert held._pending is not None, "the lookups of a run bring nothing up to date"
    with model.graph.as_default():
        reads = [tf.reduce_sum(model.table), model.table[3:5], tf.gather(model.table, [7]), tf.assign(model.w, model.w)]
    with full.graph.as_default():
        same = [tf.reduce_sum(full.table), full.table[3:5], tf.gather(full.table, [7]), tf.assign(full.w, full.w)]
    assert_equal(one.run(reads), other.run(same), 1e-12)


@pytest.mark.parametrize("update", ["assign", "scatter", "dense"])
def test_other_writes_to_a_deferred_table_come_after_the_moves_owed(update: str):
    found = []
    for kind in ("deferred", "full"):
        model = Model(kind)
        with model.graph.as_default():
            writes = {
                "assign": tf.assign(model.table, model.table * 0.5),
                "scatter": tf.scatter_add(model.table, [1, 2], np.ones((2, 3))),
                "dense": model.optimizer.minimize(tf.nn.l2_loss(model.table)),
            }
        session = model.session()
        model.steps(session, 0, 4)
        session.run(writes[update])
        model.steps(session, 4, 8)
        found.append(model.state(session))
    assert_equal(*found, 1e-12)


@small
def test_training_goes_on_from_a_checkpoint_between_steps(kind: str, tmp_path: Path):
    model = Model(kind)
    session = model.session()
    model.steps(session, 0, 5)
    path = model.saver.save(session, str(tmp_path / "model"))
    model.steps(session, 5, 12)
    expected = model.state(session)
    again = Model(kind)  # another program
    other = tf.Session(graph=again.graph)
    again.saver.restore(other, path)
    again.steps(other, 5, 12)
    assert_equal(again.state(other), expected)
    model.saver.restore(session, path)  # and over a session in the midst of training
    model.steps(session, 5, 12)
    assert_equal(model.state(session), expected)


def test_a_checkpoint_of_deferred_updates_is_one_of_full_ones(tmp_path: Path):
    deferred, full = Model("deferred"), Model("full")
    one, other = deferred.session(), tf.Session(graph=full.graph)
    deferred.steps(one, 0, 5)
    full.saver.restore(other, deferred.saver.save(one, str(tmp_path / "m")))
    full.steps(other, 5, 9)
    deferred.steps(one, 5, 9)
    assert_equal(deferred.state(one), full.state(other), 1e-12)


@small
def test_sessions_of_one_graph_do_not_meet(kind: str):
    model = Model(kind)
    one, other = model.session(), model.session()
    model.steps(one, 0, 3)
    model.steps(other, 0, 6)
    model.steps(one, 3, 6)  # the other has gone ahead
    assert_equal(model.state(one), model.state(other))
    one.close()
    model.steps(other, 6, 8)
    third = model.session()
    model.steps(third, 0, 8)
    assert_equal(model.state(third), model.state(other), 1e-12)  # it was read, which brings rows up to date, once more


@small
def test_slots_are_named_and_placed_as_tensorflows(kind: str):
    model = Model(kind)
    with model.graph.as_default():
        names = {v.op.name: v.shape.as_list() for v in model.optimizer.variables()}
    if kind == "deferred":
        slots = {f"{v}/Adam{suffix}": s for v, s in (("emb/table", [40, 3]), ("w", [3, 3])) for suffix in ("", "_1")}
        assert names == {**slots, "beta1_power": [], "beta2_power": []}
        assert model.optimizer.get_slot_names() == ["m", "v"]
    else:
        assert names == {"emb/table/RowWiseAdagrad": [40], "w/RowWiseAdagrad": [3]}
        assert model.optimizer.get_slot_names() == ["accumulator"]
        slot = model.optimizer.get_slot(model.table, "accumulator")
        assert model.optimizer._slots["accumulator"][model.graph, "emb/table"] is slot
    with model.graph.as_default():
        assert all(v in tf.global_variables() for v in model.optimizer.variables())
        assert tf.trainable_variables() == [model.table, model.w]
        assert tf.get_collection(tf.GraphKeys.TRAIN_OP) == [model.train]


def test_rowwise_steps_in_a_session_are_the_eager_ones():
    model = Model("rowwise")
    session = model.session()
    model.steps(session, 0, 12)
    table, w, optimizer = st.Variable(START), st.Variable(np.eye(3)), st.RowWiseAdagradOptimizer(0.05)
    for ids in BATCHES:
        optimizer.minimize(lambda ids=ids: st.nn.l2_loss(st.gather(table, ids) @ w - 1.0))
    assert_equal(session.run([model.table, model.w]), [table.value, w.value])
    slot = model.optimizer.get_slot(model.table, "accumulator")
    assert_equal([session.run(slot)], [optimizer.get_slot(table, "accumulator").value])


def test_rowwise_slots_of_vectors():
    scalar, vector = tf.Variable(2.0), tf.Variable([1.0, 2.0, 3.0])
    optimizer = tf.train.RowWiseAdagradOptimizer(0.5)
    train = optimizer.minimize(tf.reduce_sum(vector * vector))
    refused = optimizer.minimize(scalar * scalar, var_list=[scalar])
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(train)
        assert session.run(vector).tolist() == pytest.approx([0.5, 1.5, 2.5])
        assert optimizer.get_slot(vector, "accumulator").shape.as_list() == [3]
        with pytest.raises(tf.errors.InvalidArgumentError, match="at least one axis for a rule of rows, got a scalar"):
            session.run(refused)


@small
def test_uninitialised_slots_are_told(kind: str):
    model = Model(kind)
    session = tf.Session(graph=model.graph)
    session.run([model.table.initializer, model.w.initializer])
    with pytest.raises(tf.errors.FailedPreconditionError, match=r"uninitialized value .*(Adam|beta|RowWise|global)"):
        model.steps(session, 0, 1)
