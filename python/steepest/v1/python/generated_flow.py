"""Branches and loops of functions under the names, and with the arguments, of the generated ``gen_functional_ops``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..functions.symbolic_gradients import case, partitioned_call
from ..graph.run_values import array_of
from ..ops.creation_ops import zeros
from ..ops.function_flow_ops import For, If, While

__all__ = [
    "_for",
    "_if",
    "_while",
    "fake_param",
    "stateful_partitioned_call",
    "stateless_case",
    "stateless_if",
    "stateless_while",
]

stateless_case = case


def _if(
    cond: Any,
    input: Sequence[Any],
    Tout: Sequence[Any],
    then_branch: Any,
    else_branch: Any,
    output_shapes: Any = (),
    name: str | None = None,
) -> list[Any]:
    """Return the results of one of two functions."""
    del Tout, output_shapes
    return list(If(cond, input, _called(then_branch), _called(else_branch), name))


def _while(
    input: Sequence[Any],
    cond: Any,
    body: Any,
    output_shapes: Any = (),
    parallel_iterations: int = 10,
    name: str | None = None,
) -> list[Any]:
    """Return what the inputs become by a function while another one is true of them."""
    del output_shapes, parallel_iterations
    return While(input, _called(cond), _called(body), name)


def _for(start: Any, limit: Any, delta: Any, input: Sequence[Any], body: Any, name: str | None = None) -> list[Any]:
    """Return what the inputs become by a function of them and of each number."""
    return For(start, limit, delta, input, _called(body), name)


stateless_if, stateless_while = _if, _while


def stateful_partitioned_call(
    args: Sequence[Any],
    Tout: Sequence[Any],
    f: Any,
    config: str = "",
    config_proto: str = "",
    executor_type: str = "",
    name: str | None = None,
) -> list[Any]:
    """Return the results of a function, in a list."""
    del Tout, config, config_proto, executor_type, name
    return list(partitioned_call(args, f))


def fake_param(dtype: Any, shape: Any, name: str | None = None) -> Any:
    """Return what stands for a tensor that nobody uses: zeros."""
    return zeros([size or 0 for size in array_of(shape).tolist()], dtype, name)


def _called(function: Any) -> Any:
    return lambda *values: partitioned_call(list(values), function)
