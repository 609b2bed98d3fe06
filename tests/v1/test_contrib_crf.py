"""``tf.contrib.crf`` against sums and maxima over every sequence of tags."""

from __future__ import annotations

from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest

import steepest.v1 as tf

crf = tf.contrib.crf
TAGS = 3


def drawn(longest: int) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(longest)
    scores = rng.standard_normal((3, longest, TAGS)).astype(np.float32)
    return scores, rng.integers(0, TAGS, (3, longest)), rng.standard_normal((TAGS, TAGS)).astype(np.float32)


def score(scores: Any, tags: Any, neighbours: Any) -> float:
    alone = sum(scores[place, tag] for place, tag in enumerate(tags))
    return float(alone + sum(neighbours[pair] for pair in pairwise(tags)))


def every(scores: Any, length: int, neighbours: Any, allowed: Any = None) -> dict[tuple[int, ...], float]:
    sequences = product(range(TAGS), repeat=length)
    kept = (t for t in sequences if allowed is None or all(allowed[place, tag] for place, tag in enumerate(t)))
    return {tags: score(scores, tags, neighbours) for tags in kept}


def log_sum(values: Any) -> float:
    return float(np.log(np.sum(np.exp(list(values)))))


@pytest.mark.parametrize("lengths", [[4, 3, 1], [0, 4, 2], [1, 1, 1]])
@pytest.mark.parametrize("whole", [np.int32, np.int64])
@pytest.mark.parametrize("known", [True, False])
def test_likelihoods_and_the_best_tags(lengths: list[int], whole: Any, known: bool) -> None:
    longest = max(lengths)
    scores, tags, neighbours = drawn(longest)
    allowed = np.random.default_rng(7).random(scores.shape) > 0.3
    allowed[..., 1] = True
    with tf.Graph().as_default(), tf.Session() as session:
        made = tf.constant(scores) if known else tf.placeholder_with_default(scores, [None, None, TAGS])
        ends, near = tf.constant(np.asarray(lengths, whole)), tf.constant(neighbours)
        chosen = tf.constant(tags.astype(whole))
        likelihood, same = crf.crf_log_likelihood(made, chosen, ends, near)
        assert same is near
        best, most = crf.crf_decode(made, near, ends)
        assert (best.dtype, best.shape.as_list()) == (tf.int32, [3, longest if known else None])
        some = crf.crf_multitag_sequence_score(made, tf.constant(allowed), ends, near)
        likelihood, best, most, some = session.run([likelihood, best, most, some])
    for row, length in enumerate(lengths):
        all_scores = every(scores[row], length, neighbours)
        own = score(scores[row], tags[row, :length].tolist(), neighbours)
        expected = own - log_sum(all_scores.values()) if length else 0
        np.testing.assert_allclose(likelihood[row], expected, atol=1e-5)
        some_scores = every(scores[row], length, neighbours, allowed[row])
        np.testing.assert_allclose(some[row], log_sum(some_scores.values()) if length else 0, atol=1e-5)
        if length:
            winner = max(all_scores, key=all_scores.__getitem__)
            assert best[row].tolist() == [*winner, *[0] * (longest - length)]
            np.testing.assert_allclose(most[row], all_scores[winner], rtol=1e-5)
            with tf.Graph().as_default() as graph:
                decoded, total = crf.viterbi_decode(scores[row, :length], neighbours)
                assert not graph.get_operations()
            assert isinstance(decoded, list)
            assert tuple(decoded) == winner
            np.testing.assert_allclose(total, all_scores[winner], rtol=1e-5)
            assert total.dtype == np.float32


def test_the_scores_of_neighbours_are_learnt() -> None:
    scores, tags, _ = drawn(5)
    with tf.Graph().as_default(), tf.Session() as session:
        with tf.variable_scope("tagger"):
            likelihood, neighbours = crf.crf_log_likelihood(
                tf.constant(scores), tf.constant(tags), tf.constant([5, 4, 2])
            )
        assert (neighbours.name, neighbours.shape.as_list()) == ("tagger/transitions:0", [TAGS, TAGS])
        loss = -tf.reduce_mean(likelihood)
        (slope,) = tf.gradients(loss, neighbours)
        train = tf.train.GradientDescentOptimizer(0.5).minimize(loss)
        session.run(tf.global_variables_initializer())
        before, first = session.run([loss, slope])
        values = session.run(neighbours)
        moved = np.zeros_like(values)
        moved[1, 2] = 1e-2
        losses = [session.run(loss, {neighbours: values + sign * moved}) for sign in (1, -1)]
        np.testing.assert_allclose((losses[0] - losses[1]) / 2e-2, first[1, 2], atol=1e-3)
        for _ in range(20):
            session.run(train)
        assert session.run(loss) < before - 0.1


def test_cells_are_left_out() -> None:
    with pytest.raises(AttributeError, match="recurrent cells"):
        _ = crf.CrfForwardRnnCell
