"""``tf.contrib.learn``: runs of a graph, and modes of models."""

from __future__ import annotations

import pytest

import steepest.v1 as tf


@pytest.fixture
def counted():
    with tf.Graph().as_default():
        fed = tf.placeholder_with_default(10.0, [])
        count = tf.get_variable("count", initializer=1.0)
        local = tf.Variable(0.5, collections=[tf.GraphKeys.LOCAL_VARIABLES])
        queued = tf.train.range_input_producer(3, shuffle=False).dequeue()
        sums = {"sum": tf.assign_add(count, fed) + local, "queued": queued}
    return sums, fed, count


def test_runs_begin_anew_and_fill_the_queues(counted):
    sums, fed, _ = counted
    assert tf.contrib.learn.run_n(sums, {fed: 2.0}, n=2) == [{"sum": 3.5, "queued": 0}, {"sum": 5.5, "queued": 1}]
    runs = tf.contrib.learn.run_feeds(sums, [None, {fed: 1.0}])
    assert runs == [{"sum": 11.5, "queued": 0}, {"sum": 12.5, "queued": 1}]


def test_runs_go_on_from_a_checkpoint(counted, tmp_path):
    sums, fed, count = counted
    with tf.Session(graph=count.graph) as session:
        session.run(count.assign(100.0))
        with count.graph.as_default():
            path = tf.train.Saver().save(session, str(tmp_path / "at"))
    assert tf.contrib.learn.run_n({"sum": sums["sum"]}, {fed: 1.0}, path) == [{"sum": 101.5}]


def test_there_must_be_something_to_run(counted):
    for outputs, feeds, name in (({}, [None], "output_dict"), (counted[0], [], "feed_dicts")):
        with pytest.raises(ValueError, match=f"{name} is invalid"):
            tf.contrib.learn.run_feeds(outputs, feeds)


def test_the_modes_have_names():
    modes = tf.contrib.learn.ModeKeys
    assert [modes.TRAIN, modes.EVAL, modes.INFER] == ["train", "eval", "infer"]
