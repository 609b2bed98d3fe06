"""``tf.contrib.training``'s samplers: rows drawn at rates, and batches of accepted elements."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..graph.build import convert
from ..graph.composites import is_composite
from ..graph.scopes import name_scope, variable_scope
from ..graph.shapes import TensorShape
from ..ops.array_ops import expand_dims, identity, shape, size, squeeze, stop_gradient
from ..ops.cast_ops import cast
from ..ops.check_ops import assert_integer
from ..ops.compare_checks import assert_equal, assert_less, assert_less_equal, assert_non_negative, assert_positive
from ..ops.control_flow_ops import cond, with_dependencies
from ..ops.creation_ops import range as range_of
from ..ops.creation_ops import zeros_like
from ..ops.gather_ops import gather, where
from ..ops.math_ops import equal, is_nan, less, logical_or, not_equal, truediv
from ..ops.one_hot_ops import one_hot
from ..ops.pad_ops import repeat
from ..ops.random_ops import random_poisson, random_uniform
from ..ops.reduce_ops import reduce_all, reduce_max, reduce_mean, reduce_sum
from ..ops.script_ops import Assert, Print
from ..ops.sparse_ops import convert_to_tensor
from ..optim.moving_average import assign_moving_average
from ..pipelines.batches import batch, maybe_batch
from ..variables.local_variables import get_local_variable
from ..variables.variables import Variable

__all__ = ["rejection_sample", "resample_at_rate", "stratified_sample", "weighted_resample"]


def _tensors(values: Sequence[Any]) -> list[Any]:
    return [value if is_composite(value) else convert(value) for value in values]


# Rows at rates -----------------------------------------------------------------------------------


def resample_at_rate(inputs: Any, rates: Any, scope: Any = None, seed: Any = None, back_prop: bool = False) -> Any:
    """Return rows of tensors: row i as often as a Poisson number of mean ``rates[i]`` says, the same for all tensors.

    Without ``back_prop`` no gradient flows to the rates. Source: ``tf.contrib.training.resample_at_rate``.
    """
    with name_scope(scope, "resample_at_rate", [*inputs, rates]):
        rates = convert_to_tensor(rates, name="rates")
        rows = _repeat_range(cast(random_poisson(rates, (), rates.dtype, seed=seed), "int32"))
        rows = rows if back_prop else stop_gradient(rows)
        return [gather(each, rows) for each in inputs]


def _repeat_range(counts: Any, name: str | None = None) -> Any:
    """Return 0, 1, 2, ... each as often as the counts say."""
    counts = convert_to_tensor(counts)
    return repeat(range_of(size(counts)), counts, name=name or "repeat_range")


def weighted_resample(
    inputs: Any, weights: Any, overall_rate: Any, scope: Any = None, mean_decay: float = 0.999, seed: Any = None
) -> Any:
    """Return rows of tensors, drawn in proportion to weights and ``overall_rate`` of them on average, and their rates.

    The mean weight is followed by a local variable. Source: ``tf.contrib.training.weighted_resample``.
    """
    with name_scope(scope, "weighted_resample", inputs) as opened:
        with variable_scope(scope, "estimate_mean", inputs):
            zero = cast(0, weights.dtype)
            followed = get_local_variable("estimated_mean", initializer=zero, dtype=weights.dtype)
            mean = assign_moving_average(followed, reduce_mean(weights), mean_decay)
        rates = weights * overall_rate / mean
        drawn = resample_at_rate([rates, *inputs], rates, scope=opened, seed=seed)
        return drawn[1:], drawn[0]


# Batches of accepted elements --------------------------------------------------------------------


def rejection_sample(
    tensors: Any,
    accept_prob_fn: Callable[[list[Any]], Any],
    batch_size: Any,
    queue_threads: int = 1,
    enqueue_many: bool = False,
    prebatch_capacity: int = 16,
    prebatch_threads: int = 1,
    runtime_checks: bool = False,
    name: str | None = None,
) -> list[Any]:
    """Return batches of the elements that are accepted, each with the probability that a function gives it.

    Args:
        tensors: a list of tensors, an element; with ``enqueue_many`` each row of them is one.
        accept_prob_fn: gives the probability of an element.
        batch_size: how many elements are a batch.
        queue_threads, prebatch_capacity, prebatch_threads: of the queues of batches, and of elements from rows.
        runtime_checks: InvalidArgumentError, in a run, for probabilities outside [0, 1].
        name: of the operations.

    Source: ``tf.contrib.training.rejection_sample``.
    """
    with variable_scope(name, "rejection_sample", tensors):
        element = _tensors(tensors)
        if enqueue_many:
            element = _single(_verify_data_inputs(element), prebatch_capacity, prebatch_threads)
        probability = accept_prob_fn(element)
        if runtime_checks:
            checks = [assert_less_equal(0.0, probability), assert_less_equal(probability, 1.0)]
            probability = identity(with_dependencies(checks, probability), name="prob_with_checks")
        accepted = random_uniform([]) < probability
        batches = maybe_batch(element, accepted, batch_size, queue_threads)
        return batches if isinstance(batches, list) else [batches]


def _single(rows: list[Any], capacity: int, threads: int) -> list[Any]:
    """Return the rows of tensors one after another."""
    taken = batch(rows, batch_size=1, num_threads=threads, capacity=capacity, enqueue_many=True)
    return [squeeze(each, [0]) for each in (taken if isinstance(taken, list) else [taken])]


def stratified_sample(
    tensors: Any,
    labels: Any,
    target_probs: Any,
    batch_size: Any,
    init_probs: Any = None,
    enqueue_many: bool = False,
    queue_capacity: int = 16,
    threads_per_queue: int = 1,
    name: str | None = None,
) -> tuple[Any, Any]:
    """Return batches, and their labels, in which classes have target proportions: elements of others are left out.

    Args:
        tensors: a list of tensors, an element; with ``enqueue_many`` each row of them is one.
        labels: the class of the element, or those of the rows.
        target_probs: the proportions of the classes in the batches.
        batch_size: how many elements are a batch.
        init_probs: the proportions of the classes in the data; by default they are counted meanwhile.
        queue_capacity, threads_per_queue: of the queues.
        name: of the operations.

    Raises ValueError for shapes that do not belong together; InvalidArgumentError, in a run, for proportions that do
    not add up to one, and for labels that are no class.

    Source: ``tf.contrib.training.stratified_sample``.
    """
    with name_scope(name, "stratified_sample", [*tensors, labels]):
        rows, labels = _tensors(tensors), convert_to_tensor(labels)
        target_probs = convert_to_tensor(target_probs, "float32")
        if not enqueue_many:
            rows, labels = [expand_dims(each, 0) for each in rows], expand_dims(labels, 0)
        if init_probs is None:
            TensorShape(target_probs.shape).assert_is_fully_defined()
            init_probs = _estimate_data_distribution(labels, target_probs.shape.num_elements())
        else:
            init_probs = convert_to_tensor(init_probs, "float32")
        rows, labels, (init_probs, target_probs) = _verify_input(rows, labels, [init_probs, target_probs])
        possible = reduce_all(logical_or(not_equal(init_probs, 0), equal(target_probs, 0)))
        rule = "All classes with zero initial probability must also have zero target probability: "
        init_probs = with_dependencies([Assert(possible, [rule, init_probs, target_probs])], init_probs)
        accepted = _calculate_acceptance_probabilities(init_probs, target_probs)
        rejected = reduce_sum((1 - accepted) * init_probs)
        said = "Proportion of examples rejected by sampler is high."
        accepted = cond(
            less(rejected, 0.5), lambda: accepted, lambda: Print(accepted, [accepted], message=said, first_n=10)
        )
        element = _single([*rows, labels], queue_capacity, threads_per_queue)
        keep = random_uniform([]) < gather(accepted, element[-1])
        batches = maybe_batch(element, keep, batch_size, threads_per_queue)
        return batches[:-1], batches[-1]


def _estimate_data_distribution(labels: Any, num_classes: int, smoothing_constant: int = 10) -> Any:
    """Return the proportions of classes among the labels so far, as if there had been some of each before."""
    if smoothing_constant <= 0:
        raise ValueError("smoothing_constant must be nonzero.")
    first = [smoothing_constant] * num_classes
    seen = Variable(first, trainable=False, name="class_count", dtype="int64")
    counts = seen.assign_add(reduce_sum(one_hot(labels, num_classes, dtype="int64"), 0)) + 0
    return cast(truediv(counts, reduce_sum(counts)), "float32")


def _verify_data_inputs(tensor_list: list[Any]) -> list[Any]:
    """Return tensors that have as many rows as the first; ValueError where they cannot."""
    first = TensorShape(tensor_list[0].shape).with_rank_at_least(1)[0]
    for tensor in tensor_list:
        TensorShape(tensor.shape).with_rank_at_least(1)[0].assert_is_compatible_with(first)
    return tensor_list


def _verify_input(tensor_list: list[Any], labels: Any, probs_list: list[Any]) -> tuple[list[Any], Any, list[Any]]:
    """Return rows, labels and proportions, checked when they are made and in each run."""
    checked: list[Any] = []
    for probs in probs_list:
        known = TensorShape(probs.shape)
        known.assert_is_fully_defined()
        known.assert_has_rank(1)
        total, tolerance = reduce_sum(probs), 1e-6
        checks = [
            assert_non_negative(probs),
            assert_less(total, 1.0 + tolerance),
            assert_less(1.0 - tolerance, total),
        ]
        checked.append(with_dependencies(checks, probs))
    classes = checked[0].shape.num_elements()
    if any(each.shape.num_elements() != classes for each in checked):
        raise ValueError("Probability parameters must have the same length.")
    TensorShape(labels.shape).assert_has_rank(1)
    for tensor in tensor_list:
        TensorShape(tensor.shape).with_rank_at_least(1)[0].assert_is_compatible_with(labels.shape[0])
    count = shape(labels)[0]
    some = assert_positive(count)
    rows = [with_dependencies([some, assert_equal(shape(each)[0], count)], each) for each in tensor_list]
    labels = with_dependencies([some], labels)
    checks = [
        assert_integer(labels),
        assert_non_negative(labels),
        assert_less(labels, cast(classes, labels.dtype)),
    ]
    return rows, with_dependencies([each for each in checks if each is not None], labels), checked


def _calculate_acceptance_probabilities(init_probs: Any, target_probs: Any) -> Any:
    """Return the probabilities of acceptance: target over initial proportion, the largest of these being one."""
    ratio = target_probs / init_probs
    ratio = where(is_nan(ratio), zeros_like(ratio), ratio)  # 0 / 0: a class that is neither there nor wanted
    return ratio / reduce_max(ratio)
