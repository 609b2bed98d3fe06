"""K-means clustering: Lloyd's steps, and those of mini-batches."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....base.errors import must
from ...graph.build import call
from ...graph.run_values import array_of
from ...graph.scopes import control_dependencies
from ...nn import l2_normalize
from ...ops.array_ops import reshape, shape
from ...ops.cast_ops import cast
from ...ops.compare_checks import assert_equal, assert_positive
from ...ops.concat_ops import concat
from ...ops.control_flow_ops import cond, group, no_op
from ...ops.creation_ops import ones, zeros, zeros_like
from ...ops.math_ops import div_no_nan, equal, less_equal, square
from ...ops.matmul_ops import add_n, matmul
from ...ops.reduce_ops import argmin, reduce_min, reduce_sum
from ...ops.segment_ops import unsorted_segment_sum
from ...ops.sparse_ops import convert_to_tensor
from ...variables.state_ops import assign, assign_add, assign_sub
from ...variables.variables import Variable

__all__ = [
    "COSINE_DISTANCE",
    "KMC2_INIT",
    "KMEANS_PLUS_PLUS_INIT",
    "RANDOM_INIT",
    "SQUARED_EUCLIDEAN_DISTANCE",
    "KMeans",
]

SQUARED_EUCLIDEAN_DISTANCE, COSINE_DISTANCE = "squared_euclidean", "cosine"
RANDOM_INIT, KMEANS_PLUS_PLUS_INIT, KMC2_INIT = "random", "kmeans_plus_plus", "kmc2"


class KMeans:
    """Clusters rows around centers: each row belongs to the nearest one, and each center moves to its rows' mean.

    Args:
        inputs: a matrix, or a list of them, float32.
        num_clusters: how many centers; those of ``initial_clusters`` where that is an array.
        initial_clusters: the first centers as an array, a function of the inputs and of how many centers are missing,
            or a way to draw them from the inputs: ``"random"``, ``"kmeans_plus_plus"`` (far ones are likelier), or
            ``"kmc2"``, which approximates that by a chain of ``kmc2_chain_length`` rows for each.
        distance_metric: ``"squared_euclidean"``, or ``"cosine"`` of rows that are made 1 long.
        use_mini_batch: a run sees some of the rows: centers move by ``1 / n`` of the way, n the rows they have had.
            With ``mini_batch_steps_per_iteration`` above 1 rows are given to centers of before for as many runs.
        random_seed: of the draws, which are NumPy's. ``kmeans_plus_plus_num_retries``: candidates beside the first one
            for each center; negative: ``2 + log(num_clusters)``.

    Raises ValueError for other words. Source: ``tf.contrib.factorization.KMeans``.
    """

    def __init__(
        self,
        inputs: Any,
        num_clusters: Any,
        initial_clusters: Any = RANDOM_INIT,
        distance_metric: str = SQUARED_EUCLIDEAN_DISTANCE,
        use_mini_batch: bool = False,
        mini_batch_steps_per_iteration: int = 1,
        random_seed: int = 0,
        kmeans_plus_plus_num_retries: int = 2,
        kmc2_chain_length: int = 200,
    ) -> None:
        ways = (RANDOM_INIT, KMEANS_PLUS_PLUS_INIT, KMC2_INIT)
        if isinstance(initial_clusters, str) and initial_clusters not in ways:
            raise ValueError(f"Unsupported initialization algorithm '{initial_clusters}'")
        if distance_metric not in (SQUARED_EUCLIDEAN_DISTANCE, COSINE_DISTANCE):
            raise ValueError(f"Unsupported distance metric '{distance_metric}'")
        self._inputs = [convert_to_tensor(each) for each in (inputs if isinstance(inputs, list) else [inputs])]
        self._first, self._count = initial_clusters, num_clusters
        if not isinstance(initial_clusters, str) and not callable(initial_clusters):
            self._first = convert_to_tensor(initial_clusters)
            self._count = shape(self._first)[0]
        self._cosine = distance_metric == COSINE_DISTANCE
        self._steps = int(mini_batch_steps_per_iteration) if use_mini_batch else 0  # 0: all rows in each run
        self._draws = initial_clusters, random_seed, kmeans_plus_plus_num_retries, kmc2_chain_length

    def training_graph(self) -> tuple[Any, Any, Any, Any, Any, Any]:
        """Return what clusters the inputs.

        Returns:
            ``all_scores``: for each input the distances of its rows to the centers; ``cluster_idx``: the nearest
            center's number; ``scores``: the distance to it; a variable that tells whether the centers have their first
            values; the operation that gives them, to be run until they have; the operation of a step.
        """
        centers = Variable(zeros([0]), name="clusters", validate_shape=False)
        initialized = Variable(False, name="initialized")
        moving, left = centers, None
        counts: Any = None
        if self._steps > 1:
            moving = Variable(zeros([0]), name="clusters_updated", validate_shape=False)
            left = Variable(self._steps, dtype="int64", name="update_in_steps")
        if self._steps:
            first = zeros([self._count], "int64") if self._steps > 1 else ones([self._count], "int64")
            counts = Variable(first, validate_shape=False)
        begin = self._beginning(centers, moving, initialized)
        rows = [l2_normalize(each, 1) for each in self._inputs] if self._cosine else self._inputs
        there: Any = l2_normalize(centers, 1) if self._cosine and self._steps == 1 else centers
        distances = tuple(self._distances(each, there) for each in rows)
        nearest = tuple(argmin(each, 1) for each in distances)
        scores = tuple(reduce_min(each, 1) for each in distances)
        sums = add_n([unsorted_segment_sum(each, to, self._count) for each, to in zip(rows, nearest, strict=True)])
        ones_of = [ones([shape(each)[0], 1]) for each in rows]
        sizes = add_n([unsorted_segment_sum(each, to, self._count) for each, to in zip(ones_of, nearest, strict=True)])
        if not self._steps:
            step = assign(centers, self._unit(sums / (sizes + 1e-6)))
        else:
            with control_dependencies([*rows, self._handed_over(centers, moving, counts, left), sums, sizes]):
                now = reshape(cast(counts.read_value(), "float32"), [-1, 1]) + sizes
                move = assign_add(moving, div_no_nan(sums - sizes * moving.read_value(), now))
                with control_dependencies([move]):
                    step = group(assign_add(counts, cast(reshape(sizes, [-1]), "int64")))
        return distances, nearest, scores, initialized, begin, step

    def _unit(self, centers: Any) -> Any:
        return l2_normalize(centers, 1) if self._cosine else centers

    def _distances(self, rows: Any, centers: Any) -> Any:
        products = matmul(rows, centers, transpose_b=True)
        if self._cosine:
            return 1 - products
        return reduce_sum(square(rows), 1, keepdims=True) - 2 * products + reduce_sum(square(centers), 1)

    def _handed_over(self, centers: Any, moving: Any, counts: Any, left: Any) -> Any:
        """Return what lets rows see the moved centers, where as many steps have been made."""
        if left is None:
            return no_op()

        def hand_over() -> Any:
            handed = [assign(centers, self._unit(moving.read_value())), assign(counts, zeros_like(counts))]
            with control_dependencies(handed):
                return assign(left, self._steps - 1)

        return cond(less_equal(left, 0), hand_over, lambda: assign_sub(left, 1))

    def _beginning(self, centers: Any, moving: Any, initialized: Any) -> Any:
        """Return what adds centers until there are as many as wanted."""
        missing = convert_to_tensor(self._count, "int32") - shape(centers)[0]

        def add() -> Any:
            with control_dependencies([assert_positive(missing)]):
                new = self._unit(self._new_centers(centers, missing))
                all_of = cond(
                    equal(shape(centers)[0], 0),
                    lambda: new,
                    lambda: concat([reshape(centers, [-1, shape(new)[1]]), new], 0),
                )
                made = assign(centers, all_of, validate_shape=False)
            if moving is not centers:
                with control_dependencies([made]):
                    made = assign(moving, made, validate_shape=False)
            return assign(initialized, equal(shape(made)[0], self._count))

        return group(cond(equal(missing, 0), lambda: initialized.read_value(), add))

    def _new_centers(self, centers: Any, missing: Any) -> Any:
        way, seed, retries, chain = self._draws
        if callable(self._first):
            return self._first(self._inputs, missing)
        if not isinstance(way, str):
            with control_dependencies([assert_equal(missing, shape(self._first)[0])]):
                return self._first + 0
        cosine = self._cosine

        def draw(before: Any, wanted: Any, *inputs: Any) -> Any:
            rows = np.concatenate([array_of(each) for each in (inputs if way == RANDOM_INIT else inputs[:1])])
            if cosine:
                rows = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
            generator, count = np.random.default_rng(seed), int(wanted)
            if way == RANDOM_INIT:
                return rows if len(rows) <= count else rows[generator.integers(0, len(rows), count)]
            if way == KMC2_INIT:
                return _by_chains(rows, array_of(before), count, chain, generator)
            if len(rows) < count:
                raise ValueError(must("KMeans", "inputs", f"have {count} rows at least", len(rows)))
            return _far_apart(rows, count, retries, generator)

        inputs = (centers, missing, *self._inputs)
        sizes = self._inputs[0].shape.dims
        width = None if sizes is None else sizes[1].value
        return call(
            "ChooseCenters", draw, inputs, shape=(None, width), dtype="float32", same=False, differentiable=False
        )


def _squares(rows: Any, center: Any) -> Any:
    return np.square(rows - center).sum(1)


def _far_apart(rows: Any, count: int, retries: int, generator: np.random.Generator) -> Any:
    """Return rows by k-means++: of some candidates, drawn by their squares, that which leaves the least of them."""
    tries = (2 + int(np.log(max(count, 1))) if retries < 0 else retries) + 1
    chosen = [int(generator.integers(len(rows)))]
    nearest = _squares(rows, rows[chosen[0]])
    for _ in range(1, count):
        total = nearest.sum()
        shares = nearest / total if total > 0 else None
        candidates = generator.choice(len(rows), tries, p=shares)
        left = [np.minimum(nearest, _squares(rows, rows[each])) for each in candidates]
        best = int(np.argmin([each.sum() for each in left]))
        nearest = left[best]
        chosen.append(int(candidates[best]))
    return rows[chosen]


def _by_chains(rows: Any, before: Any, count: int, length: int, generator: np.random.Generator) -> Any:
    """Return rows by k-MC2: for each a Markov chain over as many rows as the chain is long; the first row to begin."""
    if not before.size:
        return rows[:1]
    centers = list(before)
    for number in range(max(min(count, len(rows) // length), 1)):
        some = rows[number * length : (number + 1) * length] if len(rows) >= length else rows
        nearest = np.min([_squares(some, center) for center in centers], axis=0)
        at = 0
        for k in range(1, len(some)):
            if nearest[k] > nearest[at] * generator.random():
                at = k
        centers.append(some[at])
    return np.array(centers[len(before) :], rows.dtype)
