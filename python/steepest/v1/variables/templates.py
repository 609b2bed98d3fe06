"""Functions that share their variables between calls."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from ...variables.collections import GraphKeys
from ...variables.names import get_default_store
from ..graph.graph import get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.scopes import variable_scope
from .variable_creators import variable_creator_scope

__all__ = ["_skip_common_stack_elements", "dependencies_captured", "make_template", "make_template_internal"]


def make_template(
    name_: str,
    func_: Callable[..., Any],
    create_scope_now_: bool = False,
    unique_name_: str | None = None,
    custom_getter_: Any = None,
    **kwargs: Any,
) -> Any:
    """Return ``func_`` with ``kwargs`` as a function that makes variables at its first call and reuses them later.

    They are in a variable scope named ``name_`` (made unique) or ``unique_name_``. Source: ``tf.make_template``.
    """
    return _Template(name_, func_, create_scope_now_, unique_name_, custom_getter_, kwargs)


def make_template_internal(
    name_: str,
    func_: Callable[..., Any],
    create_scope_now_: bool = False,
    unique_name_: str | None = None,
    custom_getter_: Any = None,
    create_graph_function_: bool = False,
    **kwargs: Any,
) -> Any:
    """Return `make_template`; ``create_graph_function_`` is accepted, which changes how often Python runs alone."""
    del create_graph_function_
    return make_template(name_, func_, create_scope_now_, unique_name_, custom_getter_, **kwargs)


def _skip_common_stack_elements(stacktrace: Any, base_case: Any) -> Any:
    """Return a stack without the entries that it begins with like another one; at least its last."""
    for position, (trace, base) in enumerate(zip(stacktrace, base_case, strict=False)):
        if trace != base:
            return stacktrace[position:]
    return stacktrace[-1:]


_capturing: list[tuple[str, Callable[[str, Any], Any]]] = []  # whose dependencies are noted now, the innermost last


@contextmanager
def dependencies_captured(scope_name: str, owner: Any, note: Callable[[str, Any], Any]) -> Iterator[None]:
    """Call ``note(name, variable)`` for the variables that are made inside, by their names below a scope.

    What is made inside another such block belongs to that one's owner, which is noted itself.
    """
    prefix = f"{scope_name}/"
    if _capturing and scope_name.startswith(_capturing[-1][0]):
        outer, note_owner = _capturing[-1]
        note_owner(scope_name.removeprefix(outer), owner)
    own = prefix, note

    def creator(make: Callable[..., Any], **arguments: Any) -> Any:
        variable = make(**arguments)
        name = str(arguments.get("name") or "")
        if _capturing[-1] is own and name.startswith(prefix):
            note(name.removeprefix(prefix), variable)
        return variable

    _capturing.append(own)
    try:
        with variable_creator_scope(creator):
            yield
    finally:
        _capturing.pop()


class _Template:
    """A function with a variable scope of its own."""

    def __init__(
        self, name: str, function: Callable[..., Any], now: bool, unique: str | None, getter: Any, arguments: Any
    ) -> None:
        if name is None:
            raise ValueError("name cannot be None.")
        if unique is not None and executing_eagerly():
            told = "unique_name_ cannot be used when eager execution is enabled."
            raise ValueError(f"{told} TensorFlow 1's words: {told.replace('execution', 'exeuction')}")
        self._name, self._unique = name, unique
        self._function, self._getter, self._arguments = function, getter, arguments
        self._scope: Any = None
        self._variables_created = False
        self._dependencies: dict[str, Any] = {}
        if now:
            with self._opened(auxiliary_name_scope=False) as scope:  # the first call opens the name scope
                self._scope = scope

    def _opened(self, **options: Any) -> variable_scope:
        return variable_scope(self._unique, self._name, custom_getter=self._getter, **options)

    def _trackable_children(self, save_type: str = "checkpoint", **kwargs: Any) -> dict[str, Any]:
        """Return what calls have made, variables and templates called inside, by their names below the scope."""
        return dict(self._dependencies)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        arguments = {**self._arguments, **kwargs}
        if self._scope is None:
            with self._opened() as self._scope:
                self._scope.shares_variables = True
                return self._first(args, arguments)
        with variable_scope(self._scope, reuse=self._variables_created) as scope:
            scope.shares_variables = True
            return self._again(args, arguments) if self._variables_created else self._first(args, arguments)

    def _first(self, args: Any, arguments: Any) -> Any:
        with self._noting():
            result = self._function(*args, **arguments)
        self._variables_created = True
        return result

    def _noting(self) -> AbstractContextManager[None]:
        return dependencies_captured(str(self._scope.name).rstrip("/"), self, self._dependencies.__setitem__)

    def _again(self, args: Any, arguments: Any) -> Any:
        before = len(_trained())
        with self._noting():
            result = self._function(*args, **arguments)
        if len(_trained()) != before:
            names = ", ".join(variable.name for variable in _trained()[before:])
            raise ValueError(
                "New trainable variables created when calling a template after the first time, perhaps you used "
                f"tf.Variable when you meant tf.get_variable: {names}"
            )
        return result

    @property
    def variable_scope_name(self) -> str | None:
        """The name of the scope of the variables, with a last ``/``; None before it is made."""
        name = None if self._scope is None else str(self._scope.name)
        return name if not name or name.endswith("/") else f"{name}/"

    @property
    def variable_scope(self) -> Any:
        """The scope of the variables, None before it is made."""
        return self._scope

    var_scope = variable_scope  # its earlier name

    @property
    def name(self) -> str:
        """The name given."""
        return self._name

    def _collected(self, key: str) -> list[Any]:
        if self._scope is None:
            return []
        found: list[Any] = self._scope._store.collected(key, re.escape(self.variable_scope_name or "") or None)
        return found

    @property
    def global_variables(self) -> list[Any]:
        """The variables that calls have made."""
        return self._collected(GraphKeys.GLOBAL_VARIABLES)

    @property
    def trainable_variables(self) -> list[Any]:
        """The trainable variables that calls have made."""
        return self._collected(GraphKeys.TRAINABLE_VARIABLES)

    @property
    def non_trainable_variables(self) -> list[Any]:
        """The variables that calls have made and that are not trained."""
        trained = self.trainable_variables
        return [each for each in self.global_variables if not any(each is other for other in trained)]

    @property
    def local_variables(self) -> list[Any]:
        """The local variables that calls have made."""
        return self._collected(GraphKeys.LOCAL_VARIABLES)

    variables = weights = global_variables
    trainable_weights, non_trainable_weights = trainable_variables, non_trainable_variables


def _trained() -> list[Any]:
    """Return the trainable variables of the default graph; in eager mode those of the program."""
    store = get_default_store() if executing_eagerly() else get_default_graph()._store
    return store.collected(GraphKeys.TRAINABLE_VARIABLES, None)
