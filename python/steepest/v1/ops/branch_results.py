"""What the two ways of a ``cond`` return: results of one structure, of the same types."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...ops.indexed_slices import IndexedSlices
from ..graph.body_errors import UnlikeResultsError
from ..graph.branches import Branch
from ..graph.build import call, convert
from ..graph.composites import is_composite, parts_of, with_parts
from ..graph.graph import Graph
from ..graph.mappings import remade
from ..graph.nests import assert_same_structure
from ..graph.node import Node, Operation, Tensor
from .tensor_array_ops import TensorArray

__all__ = ["alike", "alone", "check_slices", "filled", "flat_results"]

_ALIKE = (
    "true_fn and false_fn arguments to tf.cond must have the same number, type, and overall structure of return values"
)


def alone(results: Any) -> Any:
    """Return what is in a list or tuple of one."""
    return results[0] if isinstance(results, (list, tuple)) and len(results) == 1 else results


def check_slices(true_results: Any, false_results: Any) -> None:
    """Raise UnlikeResultsError where one way returns slices and the other a tensor."""
    places = zip(_places(true_results), _places(false_results), strict=False)
    for place, pair in enumerate(places):
        tensors = [isinstance(item, Node) for item in pair]
        if any(isinstance(item, IndexedSlices) for item in pair) and any(tensors):
            said = f"Cannot reconcile tf.cond {place}-th outputs:\n  outputs from all branches: {pair}"
            raise UnlikeResultsError(f"{said}\n{_ALIKE}.")


def _places(results: Any) -> list[Any]:
    return [each for item in results for each in _places(item)] if isinstance(results, (list, tuple)) else [results]


def alike(graph: Graph, true: Branch, true_results: Any, false: Branch, false_results: Any) -> tuple[Any, Any]:
    """Return the results of both ways, of which slices have indices of one type.

    Raises UnlikeResultsError where structures or types differ.
    """
    if _shape_of(true_results) != _shape_of(false_results):
        # Sequences of one length differ in their types alone.
        what = "types" if _shape_of(true_results, False) == _shape_of(false_results, False) else "values"
        try:
            assert_same_structure(true_results, false_results, expand_composites=True)
            said = "The two structures don't have the same nested structure."
        except (TypeError, ValueError) as error:
            said = str(error)
        raise UnlikeResultsError(
            f"Incompatible return {what} of true_fn and false_fn: {said}\n\n{_ALIKE}.\n\n"
            f"true_fn output: {true_results}\nfalse_fn output: {false_results}"
        )
    true_results, false_results = _of_same_indices(graph, true, true_results, false, false_results)
    for a, b in zip(flat_results(true_results), flat_results(false_results), strict=True):
        if isinstance(a, Tensor) and a.dtype != b.dtype:
            raise UnlikeResultsError(
                f"Outputs of true_fn and false_fn must have the same type(s). Received {a.dtype.name} from true_fn "
                f"and {b.dtype.name} from false_fn. {_ALIKE}: {a} and {b} have different types"
            )
    return true_results, false_results


def _of_same_indices(graph: Graph, true: Branch, a: Any, false: Branch, b: Any) -> tuple[Any, Any]:
    """Return results in which slices have indices of one type: int64 where they differ."""
    if isinstance(a, (list, tuple)) and not hasattr(a, "_fields"):
        pairs = [_of_same_indices(graph, true, *pair) for pair in zip(a, [false] * len(a), b, strict=True)]
        return type(a)(one for one, _ in pairs), type(b)(other for _, other in pairs)
    if not isinstance(a, IndexedSlices) or a.indices.dtype == b.indices.dtype:
        return a, b
    return _wide(graph, true, a), _wide(graph, false, b)


def _wide(graph: Graph, branch: Branch, slices: IndexedSlices) -> IndexedSlices:
    outer, graph._context.branch = graph._context.branch, branch
    try:
        wide = call("Cast", lambda ids: ids.astype("int64"), (slices.indices,), dtype="int64", same=False)
        return IndexedSlices(slices.values, wide, slices.dense_shape)
    finally:
        graph._context.branch = outer


def filled(structure: Any, fill: Callable[[Any], Any]) -> Any:
    """Return a nest with ``fill(item)`` in the places of its nodes and operations; None stays None."""
    if isinstance(structure, (list, tuple)):
        items = [filled(item, fill) for item in structure]
        return type(structure)(*items) if hasattr(structure, "_fields") else type(structure)(items)
    if isinstance(structure, dict):
        return remade(structure, lambda item: filled(item, fill))
    if is_composite(structure):
        return with_parts(structure, [filled(part, fill) for part in _nodes_of(structure)], True)
    if isinstance(structure, TensorArray):
        return structure.with_flow(fill(structure.flow))
    return None if structure is None else fill(structure)


def _nodes_of(composite: Any) -> list[Any]:
    """Return the parts of slices or of a sparse tensor; a shape that is a tuple becomes a constant."""
    return [part if isinstance(part, Node) else convert(part) for part in parts_of(composite)]


def _shape_of(structure: Any, typed: bool = True) -> Any:
    """Return a nest that is equal for results of one structure, if ``typed`` of the same sequences."""
    if isinstance(structure, (list, tuple)):
        return typed and type(structure).__name__, [_shape_of(item, typed) for item in structure]
    if isinstance(structure, dict):
        return {key: _shape_of(item, typed) for key, item in structure.items()}
    if is_composite(structure):
        return type(structure).__name__, len(parts_of(structure))
    if isinstance(structure, TensorArray):
        return type(structure).__name__, structure.dtype
    return None if structure is None else isinstance(structure, Operation)


def flat_results(structure: Any) -> list[Any]:
    """Return the nodes and operations of a nest, one after another."""
    items: list[Any] = []

    def noted(item: Any) -> Any:
        items.append(item)
        return item

    filled(structure, noted)
    return items
