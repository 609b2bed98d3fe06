"""What `tf.function`s of a saved model are when it is loaded: a call finds the body that was made for its arguments."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from typing import Any

from ..functions.concrete_functions import ConcreteFunction
from ..functions.forms import form_of
from ..functions.function_internals import Options
from ..functions.traced_functions import Function
from ..graph.graph import Graph
from ..graph.mode import executing_eagerly
from ..ops.creation_ops import placeholder
from ..ops.loop_ops import leaves, rebuilt
from ..ops.type_specs import TensorSpec

__all__ = ["RestoredFunction"]


class RestoredFunction(Function):
    """A function that has the bodies which a saved model has of it.

    Args:
        concretes: functions for arguments of given types.
        takes: the parameters.
        signature: the signature that all arguments must have, None for no such.
        name: the function's name.
    """

    def __init__(
        self,
        concretes: Sequence[ConcreteFunction],
        takes: inspect.Signature,
        signature: Any,
        name: str,
        options: Mapping[str, Any],
    ) -> None:
        def restored(*args: Any, **kwargs: Any) -> Any:
            concrete, tensors, variables = self._found(args, kwargs)
            if executing_eagerly():
                return concrete._given(tensors, variables)
            positional, named = concrete._form.with_variables(variables).filled(tensors)
            return concrete._call(*positional, **named)

        restored.__name__ = restored.__qualname__ = name
        restored.__signature__ = takes  # type: ignore[attr-defined]  # inspect reads it
        super().__init__(restored, signature, Options(False, **options))
        self._concretes = list(concretes)

    @property
    def concrete_functions(self) -> list[ConcreteFunction]:
        """The functions for arguments of given types."""
        return list(self._concretes)

    def _list_all_concrete_functions(self) -> list[ConcreteFunction]:
        return self.concrete_functions

    _list_all_concrete_functions_for_serialization = _list_all_concrete_functions

    def _at_once(self, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        positional, named = self._canonical(args, kwargs)
        concrete, tensors, variables = self._found(positional, named)
        return concrete._given(tensors, variables)

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """Return the function for arguments of given types. ValueError where the model has none."""
        if self._signature is not None and not (args or kwargs):
            args = self._signature
        with Graph().as_default():  # in which nodes stand for the tensors of specs
            nests = [list(args), kwargs]
            nodes = [
                placeholder(leaf.dtype, leaf.shape) if isinstance(leaf, TensorSpec) else leaf for leaf in leaves(nests)
            ]
            positional, named = rebuilt(nests, nodes)
            return self._found(positional, named)[0]

    def _found(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> tuple[ConcreteFunction, list[Any], list[Any]]:
        """Return the function for arguments, and the tensors and variables among these.

        It is one for which nothing has to be converted, where there is such a one.

        Raises ValueError where there is none.
        """
        if not self._concretes:
            raise ValueError("Found zero restored functions for caller function.")
        converting: list[tuple[ConcreteFunction, list[Any], list[Any]]] = []
        bound = self._takes.bind(*args, **kwargs)
        bound.apply_defaults()
        given = len(form_of(self._takes, bound.args, bound.kwargs)[1])
        for concrete in self._concretes:
            try:
                tensors, variables = concrete._parameters.given(concrete._form, bound.args, bound.kwargs)
            except TypeError:
                continue
            if len(tensors) == given:
                return concrete, tensors, variables
            converting.append((concrete, tensors, variables))
        if converting:
            return converting[0]
        raise ValueError(self._unknown(bound.args, bound.kwargs))

    def _unknown(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> str:
        options = [
            f"Option {k}:\n  {_shown(each._form.positional, each._form.named)}"
            for k, each in enumerate(self._concretes, 1)
        ]
        return (
            f"Could not find matching concrete function to call loaded from the SavedModel. Got:\n  "
            f"{_shown(args, kwargs)}\n\n Expected these arguments to match one of the following {len(options)} "
            "option(s):\n\n" + "\n\n".join(options)
        )


def _shown(args: Sequence[Any], kwargs: Mapping[str, Any]) -> str:
    lines = "\n".join(f"    * {each!r}" for each in args)
    return f"Positional arguments ({len(args)} total):\n{lines}\n  Keyword arguments: {dict(kwargs)!r}"
