"""The choice among several branches, by the first predicate that is true."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from ..graph.build import convert, dtype_of
from ..graph.graph import get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.node import Operation
from ..graph.scopes import name_scope
from .array_ops import identity
from .branch_results import alone, filled
from .cast_ops import cast
from .concat_ops import stack
from .control_flow_ops import choice, cond, group
from .math_ops import equal
from .reduce_ops import reduce_sum
from .script_ops import Assert

__all__ = ["case", "switch_case"]


def _only_if(pred: Any, function: Callable[[], Any]) -> Callable[[], Any]:
    """Return the function that raises InvalidArgumentError in a run where ``pred``, the last one, is false too."""

    def checked() -> Any:
        check = Assert(pred, ["Input error: None of conditions evaluated as True."])
        if executing_eagerly():
            return function()
        with get_default_graph().control_dependencies([check]):
            return filled(function(), lambda item: group(item) if isinstance(item, Operation) else identity(item))

    return checked


def case(
    pred_fn_pairs: Any, default: Any = None, exclusive: bool = False, strict: bool = False, name: str = "case"
) -> Any:
    """Return what the function of the first true predicate returns, else what ``default`` returns.

    Raises InvalidArgumentError in a run where no predicate is true and there is no ``default``, and, if ``exclusive``,
    where several are true. TypeError for pairs that are not of a bool tensor and a function. ``strict``: see `cond`.

    Source: ``tf.case``.
    """
    return _case_helper(cond, pred_fn_pairs, default, exclusive, name, strict=strict)


def _case_helper(
    cond_fn: Callable[..., Any],
    pred_fn_pairs: Any,
    default: Any,
    exclusive: bool,
    name: str,
    allow_python_preds: bool = False,
    **cond_kwargs: Any,
) -> Any:
    """Do what `case` does, where ``cond_fn(predicate, true_fn=, false_fn=, **cond_kwargs)`` chooses between two.

    With ``allow_python_preds`` predicates may be Python's truth values.
    Source: ``control_flow_ops._case_helper``, which libraries call.
    """
    if not isinstance(pred_fn_pairs, (list, tuple, dict)):
        raise TypeError(f"'pred_fn_pairs' must be a list, tuple, or dict. Received: {type(pred_fn_pairs)}")
    pairs = list(pred_fn_pairs.items()) if isinstance(pred_fn_pairs, dict) else list(pred_fn_pairs)
    for pair in pairs:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise TypeError(f"Each entry in 'pred_fn_pairs' must be a 2-tuple. Received {pair!r:.80}")
        if not callable(pair[1]):
            raise TypeError(f"case: each predicate must come with a function, got {pair[1]!r:.60}")
        known = executing_eagerly() or (allow_python_preds and isinstance(pair[0], (bool, np.bool_)))
        if not known and not convert(pair[0]).dtype.is_bool:
            raise TypeError(f"pred must be Tensor of type bool: {pair[0]!r:.60}")
    if default is not None and not callable(default):
        raise TypeError("'default' must be callable.")
    if default is None:
        *pairs, (last, function) = pairs
        default = _only_if(last, function)
    with name_scope(name, "case"):
        if exclusive and pairs:  # as in TensorFlow, the last one is not asked where there is no default
            pairs = _one_at_most(pairs)
        return _first_true(pairs, default, functools.partial(cond_fn, **cond_kwargs), cond_kwargs.get("strict", False))


def _first_true(pairs: Any, default: Callable[[], Any], choose: Callable[..., Any], strict: bool) -> Any:
    """Return what the first true one's function returns, as ``choose(predicate, true_fn=, false_fn=)`` finds it."""
    if not pairs:
        return default() if strict else alone(default())
    (pred, function), *rest = pairs
    return choose(pred, true_fn=function, false_fn=lambda: _first_true(rest, default, choose, strict))


def _one_at_most(pairs: Any) -> Any:
    """Return the pairs with predicates that raise InvalidArgumentError in a run where several of them are true."""
    predicates = [pred for pred, _ in pairs]
    counted = reduce_sum(cast(stack(predicates), "int32"))
    message = "Input error: exclusive=True: more than 1 conditions evaluated as True."
    check = Assert(counted < 2, [message, *predicates])
    if executing_eagerly():
        return pairs
    with get_default_graph().control_dependencies([check]):
        return [(identity(pred), function) for pred, function in pairs]


def switch_case(branch_index: Any, branch_fns: Any, default: Any = None, name: str = "switch_case") -> Any:
    """Return what the function at a position returns; at any other position what ``default`` does, or the last one.

    Args:
        branch_index: an int32 scalar.
        branch_fns: functions, pairs of a position and a function, or a dict of them.
        default: a function, used where no position fits.

    Raises:
        TypeError: for a position that is no integer tensor, and for functions that are not callable.
        ValueError: for no functions, and for positions that are not 0, 1, ... in pairs or dicts.

    Source: ``tf.switch_case``.
    """
    if not hasattr(branch_index, "dtype"):
        raise TypeError(f"branch_index must a Tensor, got {type(branch_index)}")
    if not dtype_of(branch_index).is_integer:
        raise TypeError(f"branch_index must an integer Tensor, got {dtype_of(branch_index)}")
    functions = _by_position(branch_fns)
    last = functions[len(functions) - 1]
    chosen = [(equal(branch_index, np.int32(k)), functions[k]) for k in range(len(functions) - (default is None))]
    if not chosen:
        return last()
    with name_scope(name, "switch_case"):
        return _first_true(chosen, default or last, _numbered(), False)


def _numbered() -> Callable[..., Any]:
    """Return a `cond` for branches one after the other: errors of results that differ tell their numbers."""
    number = itertools.count()

    def choose(pred: Any, true_fn: Callable[[], Any], false_fn: Callable[[], Any]) -> Any:
        if executing_eagerly():
            return cond(pred, true_fn, false_fn)
        position = next(number)
        ways = f"branch {position}", f"branch {position + 1}"
        return choice(pred, true_fn, false_fn, False, "cond", ways)

    return choose


def _by_position(branch_fns: Any) -> dict[int, Callable[[], Any]]:
    """Return the functions by their positions, which are 0, 1, ...; TypeError and ValueError for anything else."""
    if not branch_fns:
        raise ValueError("Must provide at least one item in branch_fns")
    if not isinstance(branch_fns, (list, tuple, dict)):
        raise TypeError("branch_fns must be a list, tuple, or dict")
    pairs = list(branch_fns.items()) if isinstance(branch_fns, dict) else list(branch_fns)
    if all(callable(each) for each in pairs):
        pairs = list(enumerate(pairs))
    for pair in pairs:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise TypeError("Each entry in branch_fns must be a 2-tuple")
        key, function = pair
        if not isinstance(key, int):
            raise TypeError(f"key must be a Python `int`, got {type(key)}")
        if not callable(function):
            raise TypeError(f"fn for key {key} must be callable.")
    keys = sorted(key for key, _ in pairs)
    if keys != list(range(len(keys))):
        found = ",".join(map(str, keys))
        raise ValueError(
            f"branch indices (keys) must form contiguous range of [0 to {len(keys)}) but found {{{found}}}"
        )
    return dict(pairs)


def execute_fn_for_device(
    device_branch_fns: dict[str, Callable[[], Any]], default_fn: Callable[[], Any], name: str = "execute_fn"
) -> Any:
    """Return what the function for the CPU returns, where there is one, else what ``default_fn`` does.

    Source: ``control_flow_switch_case.execute_fn_for_device``.
    """
    by_device = {device.upper(): function for device, function in device_branch_fns.items()}
    with name_scope(name, "execute_fn"):
        return by_device.get("CPU", default_fn)()
