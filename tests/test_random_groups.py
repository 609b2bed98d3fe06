"""Random groups of a `MultiOptimizer`: each has the bits that its optimizer gives alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from catalogue import ROWS
from hypothesis import given, settings
from hypothesis import strategies as some
from random_worlds import CHAINS, SHAPES, OptimizerSpec, ParameterSpec, World, draw_gradients

import steepest as st

DTYPES = [np.dtype(np.float16), np.dtype(np.float32), np.dtype(np.float64)]
ALONE = [chain for chain in CHAINS if chain != "noise"]  # whose numbers go by the order of all parameters
GROUPS = some.lists(
    some.tuples(
        some.builds(OptimizerSpec, some.sampled_from(ROWS), some.sampled_from(ALONE), some.just(False)),
        some.lists(
            some.builds(ParameterSpec, some.sampled_from(SHAPES), some.sampled_from(DTYPES), some.booleans()),
            min_size=1,
            max_size=2,
        ),
    ),
    min_size=1,
    max_size=3,
)


@settings(max_examples=60, deadline=None)
@given(groups=GROUPS, seed=some.integers(0, 2**32 - 1))
def test_a_group_has_the_bits_of_its_optimizer_alone(groups: list[Any], seed: int):
    rng = np.random.default_rng(seed)
    groups = [
        (opt, [replace(spec, shape=spec.shape or (9,)) for spec in specs] if opt.row.needs_rows else specs)
        for opt, specs in groups
    ]
    specs = [spec for _, its in groups for spec in its]
    together, alone = World(specs, [opt for opt, _ in groups]), World(specs, [opt for opt, _ in groups])
    ends = np.cumsum([len(its) for _, its in groups]).tolist()
    positions = [range(end - len(its), end) for end, (_, its) in zip(ends, groups, strict=True)]
    both = st.MultiOptimizer(
        [(opt, [together.parameters[p] for p in its]) for opt, its in zip(together.optimizers, positions, strict=True)]
    )
    once = OptimizerSpec(ROWS[0], "one by one", False)  # a parameter comes at most once
    for _ in range(4):
        gradients = draw_gradients(specs, once, rng)
        both.apply_gradients([(gradient, together.parameters[p]) for p, gradient in gradients])
        for which, its in enumerate(positions):
            own = [(p, gradient) for p, gradient in gradients if p in its]
            if own:
                alone.step(which, own, False)
        for a, b in zip(together.values(), alone.values(), strict=True):
            np.testing.assert_array_equal(a, b)
