"""``tf.gradients`` in functions of eager mode: all that a function's body computes is recorded while it runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ...autodiff.backward import gradients as _backward
from ...ops.state import recording
from ...ops.tensor import Tensor
from ...variables.variable import Variable
from .eager_tape import EagerTape, as_arriving, as_tensors

__all__ = ["BodyTape", "body_recorded", "tape_of_body"]


class BodyTape(EagerTape):
    """Follows the arguments of a function, and each tensor that its body makes."""

    follows_new = True

    def gradients_of(self, ys: Sequence[Any], xs: Sequence[Any], grad_ys: Any, stops: Sequence[Any], how: str) -> Any:
        """Return what ``tf.gradients`` gives for lists."""
        seeds = [None] * len(ys) if grad_ys is None else [as_arriving(seed) for seed in grad_ys]
        return as_tensors(_backward(self, list(ys), list(xs), seeds, how == "zero", frozenset(stops)))


def tape_of_body() -> BodyTape | None:
    """Return the tape of the outermost function that runs and asks for gradients, None outside of all."""
    return next((tape for tape in recording().tapes if isinstance(tape, BodyTape)), None)


@contextmanager
def body_recorded(arguments: Sequence[Any]) -> Iterator[None]:
    """Record what is computed inside ``with``, from some arguments and from everything else."""
    if tape_of_body() is not None:
        yield
        return
    with BodyTape(persistent=True) as tape:
        tape.watch([argument for argument in arguments if isinstance(argument, (Tensor, Variable))])
        yield
