"""The nests of lists, tuples and dicts that ``GradientTape.gradient`` takes and returns."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.errors import must
from ..ops.indexed_slices import IndexedSlices
from ..ops.tensor import Tensor
from ..variables.variable import Variable

__all__ = ["WHO", "collect_sources", "collect_targets", "in_structure"]

WHO = "GradientTape.gradient"
_FOLLOWED = (Variable, Tensor)


def collect_targets(target: Any, seed: Any, pairs: list[tuple[Any, Any]]) -> None:
    """List the taped values in a nest of targets, each with its output gradient or None."""
    if target is None:
        raise TypeError(must(WHO, "target", "be a value or a nest of them", None, "does the function return a value?"))
    if isinstance(target, (list, tuple)):
        seeds = [None] * len(target) if seed is None else seed
        if not isinstance(seeds, (list, tuple)) or len(seeds) != len(target):
            raise ValueError(must(WHO, "output_gradients", "have the structure of target", seed))
        for item, item_seed in zip(target, seeds, strict=True):
            collect_targets(item, item_seed, pairs)
    elif isinstance(target, dict):
        collect_targets(list(target.values()), None if seed is None else [seed[key] for key in target], pairs)
    elif isinstance(target, (Tensor, Variable)):
        if isinstance(seed, (list, tuple)) and len(seed) == 1 and target.ndim == 0:
            seed = seed[0]
        pairs.append((target, seed))
    elif target is None or isinstance(target, (str, bytes, IndexedSlices)):
        raise TypeError(must(WHO, "target", "be a value computed under the tape", target))


def collect_sources(sources: Any, flat: list[Any]) -> None:
    """List the sources in a nest of them."""
    if isinstance(sources, _FOLLOWED):
        flat.append(sources)
    elif isinstance(sources, (list, tuple)):
        for item in sources:
            if isinstance(item, _FOLLOWED):
                flat.append(item)
            else:
                collect_sources(item, flat)
    elif isinstance(sources, dict):
        collect_sources(list(sources.values()), flat)
    elif isinstance(sources, (np.ndarray, np.generic, float, int)):
        remedy = "watch a steepest.constant, or use a Variable"
        raise TypeError(must(WHO, "sources", "be Tensors or Variables", sources, remedy))
    else:
        raise TypeError(must(WHO, "sources", "be Tensors or Variables", sources))


def in_structure(sources: Any, gradients: Any, zero: bool) -> Any:
    """Put the gradients, an iterator, into the structure of the sources."""
    if isinstance(sources, _FOLLOWED):
        gradient = next(gradients)
        fills = gradient is None and zero and sources.dtype.kind != "O"  # of strings there is no zero
        return np.zeros(sources.shape, sources.dtype) if fills else gradient
    if isinstance(sources, (list, tuple)):
        items = [
            next(gradients) if isinstance(item, _FOLLOWED) and not zero else in_structure(item, gradients, zero)
            for item in sources
        ]
        if isinstance(sources, list):
            return items
        return type(sources)(*items) if hasattr(sources, "_fields") else tuple(items)
    return {key: in_structure(item, gradients, zero) for key, item in sources.items()}
