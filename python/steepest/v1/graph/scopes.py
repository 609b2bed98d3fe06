"""Scopes and shared variables of the default graph: the core's, with TensorFlow's arguments."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from ...variables import scopes as _scopes
from ...variables.names import get_default_store
from .dtypes import as_dtype
from .graph import default_graphs_set_aside, get_default_graph, outside_of_functions
from .mode import executing_eagerly, in_graph_store
from .same_graph import _get_graph_from_inputs
from .session_values import lifted

__all__ = [
    "colocate_with",
    "container",
    "control_dependencies",
    "device",
    "get_variable_scope",
    "init_scope",
    "name_scope",
    "op_scope",
    "variable_op_scope",
    "variable_scope",
]

get_variable_scope = in_graph_store(_scopes.get_variable_scope)


def _check(name: Any) -> None:
    """Raise TensorFlow's error for what can be no name of a scope of a graph."""
    if isinstance(name, str) and name and not executing_eagerly():
        outer = get_default_graph().get_name_scope()
        if not _scopes.is_name(name, outer):
            rule = "which has letters, digits and _ . \\ - / >"
            if outer:
                raise ValueError(f"{name!r} is not a valid scope name, {rule}")
            first = f"where the first is one of _ \\ - / {name!r} is not a valid scope name but inside another"
            raise ValueError(f"{name!r} is not a valid root scope name, {rule}; {first}")


@contextmanager
def _opened(make: Callable[[], Any]) -> Iterator[Any]:
    """Open one of the core's scopes on the default graph's names, which are the core's only while it opens.

    In eager mode a name is opened again as it is.
    """
    with ExitStack() as stack:
        if executing_eagerly():
            with get_default_store().names_repeating():
                scope = stack.enter_context(make())
            yield scope
            return
        with get_default_graph()._store.as_default():
            scope = stack.enter_context(make())
        yield scope


class name_scope:  # TensorFlow's name
    """Put ``name/`` before the names of what is made inside; ``with`` gives that prefix.

    Where there are nodes among ``values``, their graph is the default graph inside.

    Raises TypeError for a name that is no string; ValueError, when it is entered, where neither ``name`` nor
    ``default_name`` is given while there are ``values``, and for values of several graphs.
    Source: ``tf.name_scope``.
    """

    def __init__(
        self, name: str | None = None, default_name: str | None = None, values: Any = None, skip_on_eager: bool = True
    ) -> None:
        del skip_on_eager
        if not (default_name is None or isinstance(default_name, str)):
            raise TypeError(
                f"`default_name` type ({type(default_name)}) is not a string type. You likely meant to pass this into "
                "the `values` kwarg."
            )
        self._name = default_name if name is None else name
        self._values = values

    @property
    def name(self) -> str | None:
        """The name of the scope."""
        return self._name

    def __enter__(self) -> str:
        if self._name is None and self._values is not None:
            raise ValueError("At least one of name (None) and default_name (None) must be provided.")
        with ExitStack() as stack:
            if self._values and not executing_eagerly():
                stack.enter_context(_get_graph_from_inputs(self._values).as_default())
            _check(self._name)
            opened: str = stack.enter_context(_opened(lambda: _scopes.name_scope(self._name)))
            self._context = stack.pop_all()
        return opened

    def __exit__(self, *error: Any) -> Any:
        return self._context.__exit__(*error)


class name_scope_v2:  # TensorFlow's name
    """A `name_scope` that can be entered again, also inside itself. Source: ``tf.name_scope`` of TensorFlow 2."""

    def __init__(self, name: str) -> None:
        if not isinstance(name, str):
            raise ValueError("name for name_scope must be a string.")
        self._name = name
        self._entered: list[name_scope] = []

    @property
    def name(self) -> str:
        """The name of the scope."""
        return self._name

    def __enter__(self) -> str:
        scope = name_scope(self._name)
        opened = scope.__enter__()
        self._entered.append(scope)
        return opened

    def __exit__(self, *error: Any) -> Any:
        return self._entered.pop().__exit__(*error)


class variable_scope:  # TensorFlow's name
    """Open a scope for `get_variable`; ``with`` gives the scope object. See `steepest.variable_scope`.

    ``constraint`` is the default for variables that are made inside, ``custom_getter`` takes part in `get_variable`,
    ``partitioner`` cuts variables of graphs into parts, their values are read on ``caching_device``;
    ``use_resource`` is accepted.
    Source: ``tf.variable_scope``.
    """

    def __init__(
        self,
        name_or_scope: Any,
        default_name: str | None = None,
        values: Any = None,
        initializer: Any = None,
        regularizer: Callable[[Any], Any] | None = None,
        caching_device: Any = None,
        partitioner: Any = None,
        custom_getter: Any = None,
        reuse: Any = None,
        dtype: Any = None,
        use_resource: Any = None,
        constraint: Callable[[Any], Any] | None = None,
        auxiliary_name_scope: bool = True,
    ) -> None:
        del values
        self._use_resource, self._caching_device = use_resource, caching_device
        if not isinstance(auxiliary_name_scope, bool):
            raise TypeError(f"The auxiliary_name_scope must be `True` or `False`, while get {auxiliary_name_scope}")
        if name_or_scope is None and default_name is None:
            raise TypeError("If default_name is None then name_or_scope is required")
        if name_or_scope is None and reuse:
            raise ValueError("reuse=True cannot be used without a name_or_scope")
        self._partitioner = partitioner
        dtype = None if dtype is None else as_dtype(dtype).dtype
        self._entered, self._names = name_or_scope, auxiliary_name_scope
        self._constraint = constraint
        self._custom_getter = custom_getter

        def make() -> Any:
            return _scopes.variable_scope(
                self._entered,
                default_name,
                None,
                initializer,
                regularizer,
                reuse=reuse,
                dtype=dtype,
                auxiliary_name_scope=auxiliary_name_scope,
            )

        self._make = make

    def __enter__(self) -> Any:
        outer = self._entered if isinstance(self._entered, _scopes.VariableScope) else get_variable_scope()
        if self._names:
            _check(self._entered)
        self._context = _opened(self._make)
        scope = self._context.__enter__()
        scope.held_open_by = self._context  # also where nothing holds what was entered
        if self._entered is None:  # a name that was made unique is that of later times too
            self._entered = scope.name.rpartition("/")[2]
        scope.dtype, scope.reuse = None if scope.dtype is None else as_dtype(scope.dtype), scope.reuse or False
        scope.shares_variables = getattr(outer, "shares_variables", False)  # in eager mode too: a template's
        scope.constraint = self._constraint  # that of a scope around it is not taken over, as in TensorFlow
        scope.use_resource = outer.use_resource if self._use_resource is None else self._use_resource
        cached = self._caching_device
        scope.caching_device = outer.caching_device if cached is None else cached
        scope.partitioner = self._partitioner or outer.partitioner
        self._scope = scope
        scope.custom_getter = _around(self._custom_getter, outer.custom_getter)
        return scope

    def __exit__(self, *error: Any) -> Any:
        if error[0] is None and get_variable_scope() is not self._scope:
            raise RuntimeError("Improper nesting of variable_scope.")
        return self._context.__exit__(*error)


def _setter(attribute: str) -> Callable[..., None]:
    def set_it(self: Any, *value: Any, **named: Any) -> None:
        if len(value) + len(named) != 1 or set(named) - {attribute}:
            raise TypeError(f"set_{attribute}() takes one argument, {attribute}, got {[*value, *named]}")
        setattr(self, attribute, value[0] if value else named[attribute])

    set_it.__doc__ = f"Set the ``{attribute}`` that `get_variable` takes by default."
    return set_it


# The core's scopes have no such attributes; those that a program holds get them in `variable_scope`.
for _attribute in ("caching_device", "custom_getter", "partitioner", "use_resource"):
    setattr(_scopes.VariableScope, _attribute, None)
    setattr(_scopes.VariableScope, f"set_{_attribute}", _setter(_attribute))
_scopes.VariableScope.constraint = None  # type: ignore[attr-defined]  # as of those above


def _around(inner: Any, outer: Any) -> Any:
    """Combine the getters of nested scopes: the inner one is called, with the outer one as its ``getter``."""
    if inner is None or outer is None:
        return outer if inner is None else inner

    def both(getter: Any, *args: Any, **kwargs: Any) -> Any:
        return inner(functools.partial(outer, getter), *args, **kwargs)

    return both


def variable_op_scope(
    values: Any, name_or_scope: Any, default_name: str | None = None, *args: Any, **options: Any
) -> variable_scope:
    """Return ``variable_scope`` with the arguments in TensorFlow's old order."""
    return variable_scope(name_or_scope, default_name, values, *args, **options)


def op_scope(values: Any, name: str | None, default_name: str | None = None) -> name_scope:
    """Return ``name_scope`` with the arguments in TensorFlow's old order."""
    return name_scope(name, default_name, values)


def control_dependencies(control_inputs: Any) -> Any:
    """Run operations before any node that is made inside ``with``; None forgets those of outside.

    Source: ``tf.control_dependencies``.
    """
    if executing_eagerly():
        for item in control_inputs or ():
            if callable(item):
                item()
        return ExitStack()
    return get_default_graph().control_dependencies(control_inputs)


def device(device_name_or_function: Any) -> Any:
    """Record a device on the nodes that are made inside ``with``; everything runs on the CPU."""
    return get_default_graph().device(device_name_or_function)


def colocate_with(op: Any, ignore_existing: bool = False) -> Any:
    """Record what the nodes made inside ``with`` are to be near to; everything runs on the CPU."""
    return get_default_graph().colocate_with(op, ignore_existing)


@contextmanager
def init_scope() -> Iterator[None]:
    """Make nodes outside of branches and control dependencies, as initial values need it, and of functions' graphs."""
    graph = None if executing_eagerly() else outside_of_functions()
    if graph is None:
        with default_graphs_set_aside(), lifted(get_default_graph()):
            yield
        return
    places, inner = graph._places, get_default_graph()._places
    before = places.devices
    with graph.as_default(), lifted(graph), graph._collections_outside():
        if inner.devices:  # what the program says nearest to what is made counts
            places.devices = inner.devices
        try:
            yield
        finally:
            places.devices = before


def container(container_name: str) -> Any:
    """Accept a container for variables; a session has its own."""
    return get_default_graph().container(container_name)
