"""``tf.contrib.training``: rows drawn at rates, accepted elements, buckets, and placements of variables."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import steepest.v1 as tf
from steepest.v1.contrib import training
from steepest.v1.contrib.sampling import _calculate_acceptance_probabilities, _verify_input


def with_threads(session: Any, action: Any) -> Any:
    coordinator = tf.train.Coordinator()
    threads = tf.train.start_queue_runners(session, coordinator)
    try:
        return action()
    finally:
        coordinator.request_stop()
        coordinator.join(threads)


def test_rows_are_drawn_as_often_as_their_rates_say():
    with tf.Graph().as_default(), tf.Session() as session:
        values, rates = tf.constant([0, 1, 2]), tf.constant([0.0, 2.0, 5.0])
        first, second = training.resample_at_rate([values, values * 10], rates, seed=1)
        counts = np.zeros(3)
        for _ in range(300):
            rows, tens = session.run([first, second])
            assert (tens == rows * 10).all()
            counts += np.bincount(rows, minlength=3)
        np.testing.assert_allclose(counts / 300, [0.0, 2.0, 5.0], atol=0.4)
        empty = training.resample_at_rate([tf.placeholder(tf.int32)], tf.zeros([4]))[0]
        assert session.run(empty, {empty.op.inputs[0]: [1, 2, 3, 4]}).shape == (0,)


def test_weighted_rows_follow_the_mean_weight():
    with tf.Graph().as_default(), tf.Session() as session:
        (rows,), rates = training.weighted_resample([tf.constant([0, 1])], tf.constant([1.0, 3.0]), 0.5, seed=2)
        session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        counts = np.zeros(2)
        for _ in range(400):
            drawn, own = session.run([rows, rates])
            counts += np.bincount(drawn, minlength=2)
            np.testing.assert_allclose(own, np.where(drawn == 1, 0.75, 0.25), rtol=1e-5)
        np.testing.assert_allclose(counts / 400, [0.25, 0.75], atol=0.15)


def test_elements_are_accepted_by_their_probability():
    with tf.Graph().as_default(), tf.Session() as session:
        rows = tf.constant([[1.0], [2.0]])
        (batch,) = training.rejection_sample([rows], lambda x: x[0][0] - 1.0, 5, enqueue_many=True)
        assert with_threads(session, lambda: session.run(batch)).tolist() == [[2.0]] * 5
        given = tf.placeholder(tf.float32, [])
        training.rejection_sample([tf.zeros([])], lambda _: given, 3, runtime_checks=True, name="checked")
        checked = tf.get_default_graph().get_tensor_by_name("checked/prob_with_checks:0")
        assert session.run(checked, {given: 0.5}) == 0.5
        with pytest.raises(tf.errors.InvalidArgumentError):
            session.run(checked, {given: 1.5})
        with pytest.raises(ValueError, match="compatible"):
            training.rejection_sample([tf.zeros([2]), tf.zeros([3])], lambda _: given, 3, enqueue_many=True)


@pytest.mark.parametrize("known", [[0.5, 0.0, 0.5], None])
def test_batches_have_the_proportions_that_are_wanted(known: Any):
    with tf.Graph().as_default(), tf.Session() as session:
        label = tf.cond(tf.random_uniform([], seed=3) < 0.5, lambda: tf.constant(0), lambda: tf.constant(2))
        (data,), labels = training.stratified_sample([label * 10], label, [0.8, 0.0, 0.2], 8, init_probs=known)
        session.run(tf.global_variables_initializer())
        found = with_threads(session, lambda: [session.run([data, labels]) for _ in range(40)])
        values, classes = (np.concatenate(each) for each in zip(*found, strict=True))
        assert (values == classes * 10).all()
        assert 0.68 < np.mean(classes == 0) < 0.92


def test_proportions_and_labels_are_checked():
    with tf.Graph().as_default(), tf.Session() as session:
        labels, probabilities = tf.placeholder(tf.int32, [None]), tf.placeholder(tf.float32, [3])
        rows, checked, (known,) = _verify_input([tf.zeros([2, 1])], labels, [probabilities])
        fine = {labels: [0, 2], probabilities: [0.2, 0.3, 0.5]}
        assert session.run([rows[0], checked, known], fine)[1].tolist() == [0, 2]
        for wrong in ({labels: [0, 3]}, {labels: [-1, 0]}, {labels: [0]}, {probabilities: [0.2, 0.2, 0.2]}):
            with pytest.raises(tf.errors.InvalidArgumentError):
                session.run([rows[0], checked, known], {**fine, **wrong})
        rates = _calculate_acceptance_probabilities(tf.constant([0.5, 0.0, 0.5]), tf.constant([0.8, 0.0, 0.2]))
        np.testing.assert_allclose(session.run(rates), [1.0, 0.0, 0.25], rtol=1e-6)
        for tensors, label, target, initial in (
            ([tf.zeros([])], [0], [1.0], [1.0]),
            ([tf.zeros([])], 0, [0.5, 0.5], [1.0]),
            ([tf.zeros([])], 0, tf.placeholder(tf.float32, [None]), [1.0]),
        ):
            with pytest.raises(ValueError, match=r"rank|length|defined"):
                training.stratified_sample(tensors, label, target, 4, initial)


def test_buckets_hold_elements_that_are_alike():
    with tf.Graph().as_default(), tf.Session() as session:
        (number,) = [tf.train.range_input_producer(64, num_epochs=1, shuffle=False).dequeue()]
        sparse = tf.SparseTensor([[0]], [1.0], [1])
        which, found = training.bucket(
            {"n": number, "r": tf.range(number), "s": sparse},
            number % 2,
            [4, 8],
            2,
            dynamic_pad=True,
            keep_input=number > 3,
        )
        assert found["n"].shape.as_list() == [None]
        session.run(tf.local_variables_initializer())

        def batches() -> list[Any]:
            return [session.run((which, found)) for _ in range(6)]

        for bucket, values in with_threads(session, batches):
            numbers = values["n"]
            assert (len(numbers), set(numbers % 2)) == ((4, {0}) if bucket == 0 else (8, {1}))
            assert values["r"].shape == (len(numbers), max(numbers))
            assert values["r"].max(axis=1).tolist() == (numbers - 1).tolist()
            assert values["s"].dense_shape.tolist() == [len(numbers), 1]
            assert min(numbers) > 3
        with pytest.raises(ValueError, match="must have exactly num_buckets"):
            training.bucket([number], 0, 2, 2, bucket_capacities=[1])
        with pytest.raises(ValueError, match="batch_size is a list"):
            training.bucket([number], 0, [2], 2)
        with pytest.raises(ValueError, match="at least one tensor"):
            training.bucket([], 0, 2, 2)


def test_sequences_of_about_one_length_are_batched_together():
    with tf.Graph().as_default(), tf.Session() as session:
        length = tf.train.range_input_producer(12, num_epochs=4, shuffle=False).dequeue()
        lengths, (rows,) = training.bucket_by_sequence_length(
            length, [tf.range(length)], 3, [3, 6], dynamic_pad=True, allow_smaller_final_batch=True
        )
        assert lengths.shape.as_list() == [None]
        session.run(tf.local_variables_initializer())
        for found, padded in with_threads(session, lambda: [session.run((lengths, rows)) for _ in range(12)]):
            assert len({int(each >= 3) + int(each >= 6) for each in found}) == 1
            assert padded.shape == (len(found), max(found))
        named = training.bucket_by_sequence_length(length, {"x": tf.constant(1)}, 2, [3])[1]
        assert named["x"].shape.as_list() == [2]
        for wrong, kind in ((3, TypeError), ([1.5, 2], TypeError), ([3, 2], ValueError), ([], ValueError)):
            with pytest.raises(kind, match=r"bucket|Buckets"):
                training.bucket_by_sequence_length(length, [length], 2, wrong)


def test_variables_are_placed_by_name_or_by_size():
    with tf.Graph().as_default():
        variables = [tf.get_variable(f"v{k}", [size]) for k, size in enumerate((4, 1, 2, 1))]
        greedy = training.GreedyLoadBalancingStrategy(2, training.byte_size_load_fn)
        assert [greedy(variable.op) for variable in variables] == [0, 1, 1, 1]
        assert training.byte_size_load_fn(variables[0].op) == 16
        random = training.RandomStrategy(3, seed=1)
        assert [random(variable.op) for variable in variables] == [random(variable.op) for variable in variables]
        assert {random(variable.op) for variable in variables} <= {0, 1, 2}
        with pytest.raises(ValueError, match="single output"):
            training.byte_size_load_fn(tf.split(tf.zeros([2]), 2)[0].op)
        setter = tf.train.replica_device_setter(ps_tasks=2, ps_strategy=greedy)
        with tf.device(setter):
            assert tf.get_variable("w", [1]).device == "/job:ps/task:0"


def test_summaries_of_gradients():
    with tf.Graph().as_default():
        v = tf.Variable([1.0, 2.0])
        rows = tf.IndexedSlices(tf.constant([3.0]), [0])
        made = training.add_gradients_summaries([(tf.constant([1.0, 2.0]), v), (rows, v), (None, v)])
        assert [each.op.type for each in made] == ["HistogramSummary", "ScalarSummary"] * 2
