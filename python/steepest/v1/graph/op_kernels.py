"""What computes operations that are made of definitions, by type and label: others fail when they run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from .run_arguments import unregistered

__all__ = ["Kernel", "kernel_of", "register_kernel"]


class Kernel(NamedTuple):
    """What computes an operation: ``make(graph)`` gives a function of its inputs' values.

    Where it is contextual, that function takes the session before them.
    """

    make: Callable[[Any], Callable[..., Any]]
    contextual: bool = False


_kernels: dict[tuple[str, str], Kernel] = {}


def register_kernel(op_type: str, kernel: Kernel, label: str = "") -> None:
    """Have a type of operation computed by a function, where a block of `Graph._kernel_label_map` gives that label."""
    _kernels[op_type, label] = kernel


def kernel_of(op_type: str, label: str) -> Kernel:
    """Return what computes an operation; for a type and label that nothing is known of, what fails when it runs."""
    found = _kernels.get((op_type, label))
    return Kernel(lambda graph: unregistered(op_type)) if found is None else found
