"""Functions that take part when a variable is made: ``variable_creator_scope``."""

from __future__ import annotations

import functools
from abc import ABCMeta
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from ..graph.graph import get_default_graph
from ..graph.options import VariableAggregation, VariableSynchronization
from .variable_defs import variable_of

__all__ = ["CreatedThroughCreators", "resource_creator_scope", "variable_creator_scope"]


@contextmanager
def variable_creator_scope(variable_creator: Callable[..., Any]) -> Iterator[None]:
    """Call ``variable_creator(next_creator, **arguments)`` for each variable that is made inside ``with``.

    The innermost one is called first; what it returns is the variable. Raises RuntimeError where scopes are not left
    in the order in which they were entered.

    Source: ``tf.variable_creator_scope``.
    """
    context = get_default_graph()._context
    before = context.creators
    entered = context.creators = [*before, variable_creator]
    try:
        yield
    finally:
        if context.creators is not entered:
            raise RuntimeError("Nesting violated for variable_creator_scope: leave the inner ones first")
        context.creators = before


@contextmanager
def resource_creator_scope(variable_creator: Callable[..., Any]) -> Iterator[None]:
    """Call a function for each `ResourceVariable` that is made inside ``with``: a program's own are not called."""
    context = get_default_graph()._context
    before = context.resource_creators
    context.resource_creators = [*before, variable_creator]
    try:
        yield
    finally:
        context.resource_creators = before


class CreatedThroughCreators(ABCMeta):
    """The type of ``tf.Variable``: a call of it goes through the creators in force."""

    _ARGUMENTS = (
        "initial_value",
        "trainable",
        "collections",
        "validate_shape",
        "caching_device",
        "name",
        "variable_def",
        "dtype",
        "expected_shape",
        "import_scope",
        "constraint",
        "use_resource",
        "synchronization",
        "aggregation",
        "shape",
    )

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        """Return a new variable, or what a creator gives instead; with ``variable_def`` the one of that message."""
        if kwargs.get("variable_def") is not None:
            if args or kwargs.get("initial_value") is not None:
                raise ValueError("variable_def and initial_value are mutually exclusive.")
            return variable_of(kwargs["variable_def"], kwargs.get("import_scope"))
        return cls._made_through(get_default_graph()._context.creators, args, kwargs)

    def _made_through(cls, creators: Sequence[Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """Return what creators make of arguments."""
        if not creators:
            return super().__call__(*args, **kwargs)
        given = {**dict(zip(cls._ARGUMENTS, args, strict=False)), **kwargs}
        arguments = {**dict.fromkeys(cls._ARGUMENTS), "validate_shape": True, **given}
        arguments["synchronization"] = arguments["synchronization"] or VariableSynchronization.AUTO
        arguments["aggregation"] = arguments["aggregation"] or VariableAggregation.NONE
        make: Callable[..., Any] = super().__call__
        for creator in creators:
            make = functools.partial(creator, make)
        return make(**arguments)
