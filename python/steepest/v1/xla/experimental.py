"""``tf.xla.experimental``: parts of a graph that TensorFlow compiles run as the rest of the graph does."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ..graph.build import convert
from ..graph.missing import namespace
from ..graph.mode import executing_eagerly
from ..graph.nests import flatten, map_structure
from ..graph.node import Operation
from ..graph.scopes import control_dependencies
from ..ops.array_ops import identity
from ..ops.control_flow_ops import no_op

__all__ = ["compile", "jit_scope"]

__getattr__, __dir__ = namespace(__name__)


def compile(computation: Callable[..., Any], inputs: Sequence[Any] | None = None) -> Any:  # TensorFlow's name
    """Build what a function of tensors computes, as one part.

    Args:
        computation: builds the part from its inputs and returns tensors, operations, or None.
        inputs: a list of tensors, or of what becomes tensors.

    Returns:
        What the function returns, once all of it has been computed: its operations are run before its tensors, None is
        an operation, and one tensor is a list of one.

    Raises:
        TypeError: inputs that are no list.

    Source: ``tf.xla.experimental.compile``.
    """
    if inputs is not None and not isinstance(inputs, (list, tuple)):
        raise TypeError("inputs must be a list")
    returned = computation(*(map_structure(convert, each) for each in inputs or ()))
    results = [each for each in flatten(returned) if each is not None]
    operations = [each for each in results if isinstance(each, Operation)]
    with control_dependencies(operations):
        if len(operations) == len(results):
            return no_op()
        if isinstance(returned, (list, tuple, dict)):
            return map_structure(lambda each: each if isinstance(each, Operation) else identity(each), returned)
        return [identity(returned)]


@contextmanager
def jit_scope(compile_ops: Any = True, separate_compiled_gradients: bool = False) -> Iterator[None]:
    """Accept that operations made inside are to be compiled, or not. Raises RuntimeError in eager mode.

    Source: ``tf.xla.experimental.jit_scope``.
    """
    del compile_ops, separate_compiled_gradients
    if executing_eagerly():
        raise RuntimeError(
            "xla.experimental.jit_scope is not supported when eager execution is enabled. Try use it inside "
            "tf.function."
        )
    yield
