"""The tape of eager mode: the core's, with TensorFlow's Jacobians, and tensors where it gives zeros."""

from __future__ import annotations

import math
from contextlib import _GeneratorContextManager
from typing import Any

import numpy as np

from ...autodiff.backward import gradients as _backward
from ...autodiff.tape import GradientTape
from ...base.errors import must
from ...ops.dispatch import conjugated, unwrap
from ...ops.indexed_slices import IndexedSlices
from ...ops.tensor import Tensor
from ...variables.variable import Variable
from ..graph.nests import flatten, pack_sequence_as
from .composite_gradients import get_flat_tensors_for_gradients, replace_flat_tensors_for_gradients
from .gradient_run import conjugates

__all__ = ["EagerTape", "as_arriving", "as_tensors"]


class EagerTape(GradientTape):
    """Records operations for differentiation; see `steepest.GradientTape`. Source: ``tf.GradientTape``."""

    def stop_recording(self) -> _GeneratorContextManager[None, None, None]:
        """Record nothing on this tape inside ``with``. Raises RuntimeError for a tape that does not record."""
        if not self._active:
            raise RuntimeError("Trying to stop recording a tape which is not recording.")
        return super().stop_recording()

    def reset(self) -> None:
        """Forget what was recorded and watched. Raises ValueError for a tape that does not record."""
        if not self._active:
            raise ValueError("Tape is not recording.")
        super().reset()

    def watch(self, tensor: Any) -> None:
        """Follow a tensor, a variable, the values of a sparse tensor, or each in a nest."""
        for item in get_flat_tensors_for_gradients(flatten(tensor)):
            super().watch(item)

    def gradient(
        self, target: Any, sources: Any, output_gradients: Any = None, unconnected_gradients: Any = "none"
    ) -> Any:
        """Return the gradients of ``sum(target)``, in the structure of ``sources``; of a Variable for itself ones."""
        how = getattr(unconnected_gradients, "value", unconnected_gradients)
        if output_gradients is not None or not isinstance(target, Tensor) or target.value.dtype.kind == "c":
            target, output_gradients = self._with_arriving(target, output_gradients)
        if _are_plain(sources):
            return as_tensors(super().gradient(target, sources, output_gradients, how))
        given = flatten(sources)
        flat = get_flat_tensors_for_gradients(given)
        if all(one is other for one, other in zip(given, flat, strict=False)) and len(given) == len(flat):
            return as_tensors(super().gradient(target, sources, output_gradients, how))
        found = as_tensors(super().gradient(target, flat, output_gradients, how))
        return pack_sequence_as(sources, replace_flat_tensors_for_gradients(given, found))

    @staticmethod
    def _with_arriving(target: Any, output_gradients: Any) -> tuple[list[Any], list[Any]]:
        """Return the targets in a list, and the gradients that arrive at them."""
        targets = get_flat_tensors_for_gradients(flatten(target))
        if output_gradients is None:
            return targets, [_one_of_complex(item) for item in targets]
        return targets, [as_arriving(seed) for seed in get_flat_tensors_for_gradients(flatten(output_gradients))]

    def jacobian(
        self,
        target: Any,
        sources: Any,
        unconnected_gradients: Any = "none",
        parallel_iterations: Any = None,
        experimental_use_pfor: bool = True,
    ) -> Any:
        """Return the derivative of each element of the target: shape ``(*target.shape, *source.shape)``.

        Args:
            target: a tensor computed under this tape.
            sources: a watched value, or a nest of them; the result has its structure.
            unconnected_gradients: ``'none'`` gives None for a source that the target does not depend on, ``'zero'``
                zeros.
            parallel_iterations, experimental_use_pfor: accepted for TensorFlow's sake.

        Raises RuntimeError as `gradient` does, and without ``experimental_use_pfor`` unless the tape is persistent.
        Source: ``tf.GradientTape.jacobian``.
        """
        del parallel_iterations
        self._check_loop(experimental_use_pfor)
        how = getattr(unconnected_gradients, "value", unconnected_gradients)
        return self._rows(target, sources, how, np.eye(_size(target)).reshape(_size(target), *np.shape(target)))

    def batch_jacobian(
        self,
        target: Any,
        source: Any,
        unconnected_gradients: Any = "none",
        parallel_iterations: Any = None,
        experimental_use_pfor: bool = True,
    ) -> Any:
        """Return for each row b the derivative of ``target[b]`` by ``source[b]``, where rows do not mix.

        The shape is ``(B, *target.shape[1:], *source.shape[1:])``. Raises ValueError where the first axes differ.
        Source: ``tf.GradientTape.batch_jacobian``.
        """
        del parallel_iterations
        self._check_loop(experimental_use_pfor)
        shape, own = tuple(np.shape(target)), tuple(np.shape(source))
        if not shape or not own or shape[0] != own[0]:
            raise ValueError(f"Need first dimension of target shape {shape} and source shape {own} to match.")
        for sizes in (shape, own):
            if len(sizes) < 2:
                raise ValueError(f"Shape {sizes} must have rank at least 2")
        how = getattr(unconnected_gradients, "value", unconnected_gradients)
        inner = math.prod(shape[1:])
        seeds = np.broadcast_to(np.eye(inner).reshape(inner, 1, *shape[1:]), (inner, *shape))
        rows = self._rows(target, source, how, seeds, (inner,))
        if rows is None:
            return None
        return np.reshape(np.moveaxis(rows, 0, 1), (*shape, *own[1:]))

    def _check_loop(self, at_once: bool) -> None:
        """Raise TensorFlow's error for a loop over rows, which is asked for, on a tape that is not persistent."""
        if not at_once and not self._persistent:
            raise RuntimeError(
                "GradientTape must be created with persistent=True to compute the jacobian with eager execution "
                "enabled and with experimental_use_pfor set to False."
            )

    def _rows(self, target: Any, sources: Any, how: str, seeds: Any, axes: Any = None) -> Any:
        """Return the gradients for each seed, put beside each other along new first axes, those of ``axes``."""
        if not isinstance(target, (Tensor, Variable)):
            raise TypeError(must("GradientTape.jacobian", "target", "be a tensor computed under the tape", target))
        shape = tuple(np.shape(target)) if axes is None else axes
        shared, self._shared = self._shared, True  # what was recorded is needed for each row
        try:
            first = self.gradient(target, sources, unconnected_gradients=how)  # checks, and uses the tape up
            dtype = np.dtype(target.dtype)
            given = (seed.astype(dtype) for seed in seeds)
            each = [as_tensors(_backward(self, [target], sources, [seed], how == "zero")) for seed in given]
        finally:
            self._shared = shared
        return _stacked(first, each, shape)


def _are_plain(sources: Any) -> bool:
    """Tell whether sources are a tensor or a variable, or a list of them, as most are: nothing is to be taken apart."""
    plain = (Tensor, Variable)
    return isinstance(sources, plain) or (
        type(sources) in (list, tuple) and all(isinstance(source, plain) for source in sources)
    )


def _size(target: Any) -> int:
    return math.prod(np.shape(target))


def _stacked(like: Any, each: list[Any], shape: tuple[int, ...]) -> Any:
    """Put the nests in a list together: arrays become one, with ``shape`` as its first axes."""
    if isinstance(like, (list, tuple)):
        return type(like)(_stacked(item, [nest[k] for nest in each], shape) for k, item in enumerate(like))
    if isinstance(like, dict):
        return {key: _stacked(item, [nest[key] for nest in each], shape) for key, item in like.items()}
    if like is None:
        return None
    rows = [row.to_dense() if isinstance(row, IndexedSlices) else row for row in each]
    empty = Tensor(np.zeros((0, *np.shape(like)), like.dtype))
    return np.reshape(np.stack(rows) if rows else empty, (*shape, *np.shape(like)))


def as_tensors(nest: Any) -> Any:
    """Return a nest of gradients as TensorFlow gives them, in which plain arrays, the zeros, are tensors."""
    if isinstance(nest, (list, tuple)):
        items = [as_tensors(item) for item in nest]
        return type(nest)(*items) if hasattr(nest, "_fields") else type(nest)(items)
    if isinstance(nest, dict):
        return {key: as_tensors(item) for key, item in nest.items()}
    nest = conjugates(nest)
    if isinstance(nest, IndexedSlices):
        if isinstance(nest.values, np.ndarray):
            nest.values = Tensor(nest.values)
        nest.indices = Tensor(unwrap(nest.indices))
    return Tensor(nest) if isinstance(nest, np.ndarray) else nest


def _one_of_complex(target: Any) -> Any:
    """Return the gradient that arrives where none is given, of complex numbers; None of others: the tape has it."""
    is_complex = isinstance(target, Tensor) and target.dtype.kind == "c"
    return np.ones(target.shape, target.dtype) if is_complex else None


def as_arriving(seed: Any) -> Any:
    """Return a gradient that arrives as the tape takes it: dense, and in its convention of complex numbers."""
    return conjugated(seed.to_dense() if isinstance(seed, IndexedSlices) else seed)
