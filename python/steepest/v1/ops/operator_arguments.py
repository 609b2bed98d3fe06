"""Functions of matrices that are given an operator in place of a tensor: the operator tells the result."""

from __future__ import annotations

from typing import Any

__all__ = ["is_operator", "told_by"]


def is_operator(value: Any) -> bool:
    """Tell whether something is an operator: a `LinearOperator`, whose module is imported later than this one."""
    return hasattr(type(value), "_composite_tensor_fields")


def told_by(operator: Any, method: str, name: str | None, *args: Any, **kwargs: Any) -> Any:
    """Return what a method of an operator says.

    It is called where an argument is no tensor, and raises that error again for what is no operator either.
    """
    if not is_operator(operator):
        raise  # in the place where it is handled
    return getattr(operator, method)(*args, **kwargs, **({} if name is None else {"name": name}))
