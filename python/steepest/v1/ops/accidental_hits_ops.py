"""Sampled classes that are true ones: where they are."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..graph.build import call
from ..graph.run_values import array_of
from .named_results import ComputeAccidentalHits

__all__ = ["compute_accidental_hits"]


def compute_accidental_hits(
    true_classes: Any, sampled_candidates: Any, num_true: int, seed: int | None = None, name: str | None = None
) -> Any:
    """Return where a true class was sampled, row by row: rows, places among the sampled ones, and weights of -max.

    Source: ``tf.nn.compute_accidental_hits``.
    """
    del seed

    def hits(true: Any, drawn: Any) -> Any:
        true, drawn = array_of(true), array_of(drawn)
        if true.ndim != 2 or true.shape[1] != num_true:
            raise ValueError(f"true_classes must have {num_true} columns, got shape {true.shape}")
        last = {int(each): k for k, each in enumerate(drawn)}  # of a class sampled twice, as in TensorFlow
        found = [(k, last[each]) for k, row in enumerate(true.tolist()) for each in row if each in last]
        rows, places = np.array(found, np.int64).reshape(-1, 2).T
        return rows.astype(np.int32), places.astype(np.int64), np.full(len(rows), -np.finfo(np.float32).max, np.float32)

    parts = call(
        "ComputeAccidentalHits",
        hits,
        (true_classes, sampled_candidates),
        name=name,
        shape=[(None,), (None,), (None,)],
        dtype=["int32", "int64", "float32"],
        outputs=3,
        differentiable=False,
    )
    return ComputeAccidentalHits(*parts)
