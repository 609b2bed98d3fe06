"""``slim.learning.train``, ``tf.contrib.training.train`` and evaluations of what they saved; checks of shapes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import steepest.v1 as tf

slim, training, framework = tf.contrib.slim, tf.contrib.training, tf.contrib.framework
X = np.random.default_rng(0).random((16, 4), dtype=np.float32)


def guessed() -> tuple[Any, Any]:
    y = tf.cast(tf.reduce_sum(X, 1, keepdims=True) > 2, tf.float32)
    return slim.fully_connected(X, 1, activation_fn=tf.sigmoid), y


def train_op() -> Any:
    loss = tf.losses.log_loss(guessed()[1], guessed()[0])
    return slim.learning.create_train_op(loss, tf.train.GradientDescentOptimizer(0.5))


def slope() -> Any:
    v = tf.Variable(0.0)
    return training.create_train_op((v - 1) ** 2, tf.train.GradientDescentOptimizer(0.1))


def trained(folder: Path, steps: int) -> None:
    y_hat, y = guessed()
    op = slim.learning.create_train_op(tf.losses.log_loss(y, y_hat), tf.train.GradientDescentOptimizer(1.0))
    slim.learning.train(op, str(folder), number_of_steps=steps, log_every_n_steps=5)


def accuracy() -> tuple[Any, Any]:
    y_hat, y = guessed()
    tf.train.get_or_create_global_step()
    return slim.metrics.streaming_accuracy(tf.round(y_hat), y)


def test_slim_trains_so_many_steps_and_saves_the_last(tmp_path):
    trained(tmp_path, 7)
    assert tf.train.latest_checkpoint(str(tmp_path)).endswith("model.ckpt-7")


def test_slim_goes_on_from_the_newest_checkpoint(tmp_path):
    trained(tmp_path, 7)
    with tf.Graph().as_default():
        trained(tmp_path, 9)
    assert tf.train.latest_checkpoint(str(tmp_path)).endswith("model.ckpt-9")


def test_slim_trains_without_a_folder():
    assert slim.learning.train(train_op(), None, number_of_steps=3) > 0


def test_steps_of_a_programs_own_end_slims_training():
    seen = []

    def step(session: Any, op: Any, global_step: Any, told: Any) -> tuple[Any, bool]:
        seen.append(session.run(op))
        return seen[-1], len(seen) >= told["last"]

    slim.learning.train(train_op(), None, step, {"last": 4})
    assert len(seen) == 4


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"summary_op": "op"}, "summary_op"),
        ({"saver": "saver"}, "saver"),
        ({"number_of_steps": 0}, "number_of_steps"),
        ({"sync_optimizer": 1}, "sync_optimizer"),
    ],
)
def test_slim_refuses_what_it_cannot_do(options, message):
    with pytest.raises(ValueError, match=message):
        slim.learning.train(train_op(), None, **options)


def test_slim_refuses_no_operation():
    with pytest.raises(ValueError, match="train_op cannot be None"):
        slim.learning.train(None, None)


def test_a_checkpoint_is_evaluated_so_many_times(tmp_path):
    trained(tmp_path, 5)
    with tf.Graph().as_default():
        value, update = accuracy()
        path = tf.train.latest_checkpoint(str(tmp_path))
        found = slim.evaluation.evaluate_once("", path, None, num_evals=3, eval_op=update, final_op=value)
    assert 0 < found <= 1


def test_each_new_checkpoint_is_evaluated_with_summaries(tmp_path):
    trained(tmp_path, 5)
    with tf.Graph().as_default():
        value, update = accuracy()
        tf.summary.scalar("accuracy", value)
        slim.evaluation.evaluation_loop(
            "", str(tmp_path), str(tmp_path / "e"), 2, eval_op=update, final_op=value, max_number_of_evaluations=1
        )
    [file] = (tmp_path / "e").iterdir()
    steps = [event.step for event in tf.train.summary_iterator(str(file)) if event.summary.value]
    assert steps == [5]


def test_training_returns_the_last_loss():
    options = {"save_checkpoint_secs": None, "save_summaries_steps": None}
    loss = training.train(slope(), None, hooks=[tf.train.StopAtStepHook(num_steps=3)], **options)
    assert loss == pytest.approx(0.8**4, abs=1e-6)


@pytest.mark.parametrize("what", ["save_checkpoint_secs", "save_summaries_steps"])
def test_nothing_is_saved_without_a_folder(what):
    options = {"save_checkpoint_secs": None, "save_summaries_steps": None, what: 1}
    with pytest.raises(ValueError, match=what):
        training.train(slope(), None, **options)


def test_the_counter_of_evaluations_is_one():
    assert training.get_or_create_eval_step() is training.get_or_create_eval_step()


def test_summaries_at_the_end_want_one_place():
    with pytest.raises(ValueError, match="log_dir"):
        training.SummaryAtEndHook()


def test_shapes_are_checked_in_a_run_where_only_it_knows():
    place = tf.placeholder(tf.float32)
    checked = framework.with_shape([2, 2], place)
    for sizes in ((2, 3), (2,)):  # the latter are equal to the shape where they are broadcast
        with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError, match="Wrong shape"):
            session.run(checked, {place: np.ones(sizes)})
    wanted = framework.with_shape(tf.constant([1, 2]), tf.ones([2, 2]))
    rows = framework.with_shape(tf.TensorShape([None, 2]), place)
    with tf.Session() as session:
        assert session.run(rows, {place: np.ones((3, 2))}).shape == (3, 2)
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"\[actual\]\.\] \[1 2\] \[2 2\]"):
            session.run(wanted)


def test_one_element_has_no_shape():
    assert framework.with_shape([], tf.ones([1])).shape == ()
    with tf.Session() as session:
        assert session.run(framework.with_shape([], tf.placeholder_with_default([3.0], None))) == 3.0


def test_a_checked_tensor_has_the_shape():
    assert framework.with_shape([2, 2], tf.placeholder(tf.float32)).shape.as_list() == [2, 2]


def test_a_tensor_that_has_the_shape_is_itself():
    x = tf.ones([2, 2])
    assert framework.with_same_shape(tf.zeros([2, 2]), x) is x


@pytest.mark.parametrize(
    ("sizes", "message"),
    [([2, 3], "Invalid shape"), (np.array([2, 3], np.int32), "Invalid shape"), ([1.1], "dtype"), ([[2, 2]], "rank")],
)
def test_shapes_that_cannot_be_are_refused(sizes, message):
    with pytest.raises(ValueError, match=message):
        framework.with_shape(sizes, tf.ones([2, 2]))


def test_all_elements_of_tensors_are_added_up():
    with tf.Session() as session:
        assert session.run(framework.reduce_sum_n([tf.ones([2, 3]), 1.0])) == 7.0


@pytest.mark.parametrize("value", [1.0, [1]])
def test_one_integer_is_asked_for(value):
    with pytest.raises(ValueError, match="Expected"):
        framework.assert_scalar_int(tf.constant(value))


def test_a_last_axis_too_many_goes():
    predictions, labels = framework.remove_squeezable_dimensions(tf.ones([2, 1]), tf.ones([2]))
    assert (predictions.shape.as_list(), labels.shape.as_list()) == ([2], [2])
