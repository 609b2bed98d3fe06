"""The tuples in which TensorFlow returns several results: their parts have names."""

from __future__ import annotations

from typing import Any, NamedTuple

__all__ = ["CandidateSampler", "ListDiff", "TopKV2", "Unique", "UniqueWithCounts"]


class TopKV2(NamedTuple):
    """What ``top_k`` returns."""

    values: Any
    indices: Any


class Unique(NamedTuple):
    """What ``unique`` returns."""

    y: Any
    idx: Any


class UniqueWithCounts(NamedTuple):
    """What ``unique_with_counts`` returns."""

    y: Any
    idx: Any
    count: Any


class ListDiff(NamedTuple):
    """What ``setdiff1d`` returns."""

    out: Any
    idx: Any


class CandidateSampler(NamedTuple):
    """What the samplers of classes return."""

    sampled_candidates: Any
    true_expected_count: Any
    sampled_expected_count: Any
