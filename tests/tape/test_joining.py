"""Joining many parts: the gradient of each is its piece, and all are cut at once."""

from __future__ import annotations

import numpy as np
import pytest

import steepest as st
from steepest.ops.dispatch import unwrap
from steepest.ops.registry import PRIMITIVES
from steepest.ops.vjps import shapes


def _gradients(join, parts, weights):
    with st.GradientTape() as tape:
        joined = join(parts)
        loss = np.sum(joined * weights.reshape(np.shape(joined)))
    return tape.gradient(loss, [part for part in parts if isinstance(part, st.Variable)])


@pytest.mark.parametrize("axis", [0, 1, -1, None])
def test_each_variable_of_a_concatenation_gets_its_piece(axis):
    rng = np.random.default_rng(3)
    arrays = [rng.normal(size=(2, 2)) for _ in range(7)]
    parts = [array if i in (0, 3) else st.Variable(array) for i, array in enumerate(arrays)]
    weights = rng.normal(size=28)
    gradients = _gradients(lambda parts: np.concatenate(parts, axis=axis), parts, weights)
    of_joined = weights.reshape(np.concatenate(arrays, axis=axis).shape)
    pieces = of_joined.reshape(7, 2, 2) if axis is None else np.split(of_joined, 7, axis=axis)
    for gradient, i in zip(gradients, (1, 2, 4, 5, 6), strict=True):
        assert np.array_equal(gradient, pieces[i])


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_each_variable_of_a_stack_gets_its_slice(axis):
    rng = np.random.default_rng(4)
    parts = [st.Variable(rng.normal(size=3)) if i != 2 else rng.normal(size=3) for i in range(5)]
    weights = rng.normal(size=15)
    gradients = _gradients(lambda parts: np.stack(parts, axis=axis), parts, weights)
    of_joined = weights.reshape((5, 3) if axis == 0 else (3, 5))
    for gradient, i in zip(gradients, (0, 1, 3, 4), strict=True):
        assert np.array_equal(gradient, np.take(of_joined, i, axis=axis))


@pytest.mark.parametrize(("join", "function"), [(np.concatenate, shapes.concatenate), (np.stack, shapes.stack)])
def test_the_rule_is_asked_once_for_all_parts(join, function, monkeypatch):
    """A rule that is asked for each part, and is given all of them, takes a time that grows with their square."""
    primitive, asked = PRIMITIVES[function], []
    rule = primitive.vjp_argnums

    def counted(positions, g, y, *args, **options):
        asked.append(list(positions))
        return rule(positions, g, y, *args, **options)

    monkeypatch.setattr(primitive, "vjp_argnums", counted)
    parts = [st.Variable([float(i)]) for i in range(50)]
    gradients = _gradients(join, parts, np.arange(50.0))
    assert [g.item() for g in gradients] == list(range(50))
    assert asked == [list(range(50))]


def test_lists_of_numbers_are_copied_as_they_are_and_others_item_by_item():
    numbers = [[1.0, 2.0], [3.0, 4.0]]
    plain = unwrap(numbers)
    assert plain == numbers
    assert plain is not numbers
    assert plain[0] is not numbers[0]
    w = st.Variable([5.0])
    mixed = unwrap([1.0, (w, 2), {"w": [w]}])
    assert mixed[0] == 1.0
    assert mixed[1][0] is w.value
    assert mixed[2]["w"][0] is w.value
