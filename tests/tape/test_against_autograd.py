"""Gradients equal those of HIPS autograd where it has the function."""

from __future__ import annotations

import autograd
import autograd.numpy as anp
import numpy as np
import pytest
from tape_cases import BINARY, UNARY, draw

from steepest.autodiff.functional import gradients_function

SHAPES = [(), (3,), (2, 3), (2, 1, 3)]
ONLY_OURS = {"float_power", "fmod", "cbrt", "positive", "sign", "hypot", "logaddexp2"}


@pytest.mark.parametrize("name", sorted(set(" ".join(UNARY.values()).split()) - ONLY_OURS))
def test_unary(name):
    for (low, high), names in UNARY.items():
        if name not in names.split():
            continue
        for shape in SHAPES:
            x = draw(np.random.default_rng(3), shape, low, high)
            theirs = autograd.elementwise_grad(getattr(anp, name))(x)
            (ours,) = gradients_function(getattr(np, name))(x)
            np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("name", sorted(set(BINARY.split()) - ONLY_OURS))
def test_binary(name):
    rng = np.random.default_rng(4)
    for shape in SHAPES:
        x, y = draw(rng, shape, 0.31, 0.94), draw(rng, shape[-1:], 0.3, 0.93)
        ours = gradients_function(getattr(np, name))(x, y)
        for position in (0, 1):
            theirs = autograd.grad(lambda a, b: anp.sum(getattr(anp, name)(a, b)), position)(x, y)
            np.testing.assert_allclose(ours[position], theirs, rtol=1e-12, atol=1e-15)


EXPRESSIONS = [
    lambda np, x: np.sum(np.tanh(x @ x.T) ** 2),
    lambda np, x: np.sum(np.einsum("ij,kj->ik", x, x) * np.outer(x[:, 0], x[:, 1])),
    lambda np, x: np.sum(np.var(x, axis=0) * np.prod(x, axis=0)) + np.std(x),
    lambda np, x: np.sum(np.concatenate([x[1:], x[:1] * 2], axis=0) * np.roll(x, 1, axis=1)),
    lambda np, x: np.sum(np.max(x, axis=1) * np.min(x, axis=1)) + np.sum(np.sort(np.ravel(x))[:3] ** 2),
    lambda np, x: np.sum(np.cumsum(x, axis=1) ** 2) + np.trace(x @ x.T) + np.sum(np.where(x > 0, x, x**3)),
    lambda np, x: np.sum(np.tensordot(x, x, axes=[[0], [0]]) ** 2) + np.sum(np.linalg.norm(x, axis=1)),
]


@pytest.mark.parametrize("number", range(len(EXPRESSIONS)))
def test_expressions_and_their_hessians(number):
    f = EXPRESSIONS[number]
    x = draw(np.random.default_rng(5), (3, 4), -1, 1)
    (ours,) = gradients_function(lambda x: f(np, x))(x)
    theirs = autograd.grad(lambda x: f(anp, x))
    np.testing.assert_allclose(ours, theirs(x), rtol=1e-10, atol=1e-12)
    v = draw(np.random.default_rng(6), (3, 4), -1, 1)
    (ours2,) = gradients_function(lambda x: np.sum(gradients_function(lambda z: f(np, z))(x)[0] * v))(x)
    theirs2 = autograd.grad(lambda x: anp.sum(theirs(x) * v))(x)
    np.testing.assert_allclose(ours2, theirs2, rtol=1e-9, atol=1e-11)
