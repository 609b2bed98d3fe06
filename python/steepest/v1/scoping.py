"""Scopes and shared variables of the default graph: the core's, with TensorFlow's arguments."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import numpy as np

from .. import scopes as _scopes
from .. import shared_variables as _shared
from ..graph_keys import GraphKeys
from .build import convert
from .dtypes import as_dtype
from .graph import get_default_graph, in_graph_store
from .holding import lifted
from .initial_values import GlorotUniform, Zeros
from .mode import executing_eagerly
from .node import Node
from .shapes import as_shape, compatible
from .variables import Variable

__all__ = [
    "colocate_with",
    "control_dependencies",
    "device",
    "get_local_variable",
    "get_variable",
    "get_variable_scope",
    "init_scope",
    "name_scope",
    "no_regularizer",
    "op_scope",
    "variable_op_scope",
    "variable_scope",
]

get_variable_scope = in_graph_store(_scopes.get_variable_scope)


@contextmanager
def _opened(make: Callable[[], Any]) -> Iterator[Any]:
    """Open one of the core's scopes in the default graph's store; the store is left again before the body runs."""
    with ExitStack() as stack:
        if executing_eagerly():
            yield stack.enter_context(make())
            return
        with get_default_graph()._store.as_default():
            scope = stack.enter_context(make())
        yield scope


class name_scope:  # TensorFlow's name
    """Put ``name/`` before the names of what is made inside; ``with`` gives that prefix.

    Raises ValueError where neither ``name`` nor ``default_name`` is given while there are ``values``.
    Source: ``tf.name_scope``.
    """

    def __init__(self, name: str | None = None, default_name: str | None = None, values: Any = None) -> None:
        if name is None and default_name is None and values is not None:
            raise TypeError(f"At least one of name ({name}) and default_name ({default_name}) must be provided.")
        self._name = default_name if name is None else name

    @property
    def name(self) -> str | None:
        """The name of the scope."""
        return self._name

    def __enter__(self) -> str:
        self._context = _opened(lambda: _scopes.name_scope(self._name))
        opened: str = self._context.__enter__()
        return opened

    def __exit__(self, *error: Any) -> Any:
        return self._context.__exit__(*error)


class variable_scope:  # TensorFlow's name
    """Open a scope for `get_variable`; ``with`` gives the scope object. See `steepest.variable_scope`.

    ``caching_device``, ``partitioner``, ``custom_getter``, ``use_resource`` and ``constraint`` are accepted; the last
    is the default constraint of variables that are made inside. Source: ``tf.variable_scope``.
    """

    def __init__(
        self,
        name_or_scope: Any,
        default_name: str | None = None,
        values: Any = None,
        initializer: Any = None,
        regularizer: Any = None,
        caching_device: Any = None,
        partitioner: Any = None,
        custom_getter: Any = None,
        reuse: Any = None,
        dtype: Any = None,
        use_resource: Any = None,
        constraint: Any = None,
        auxiliary_name_scope: bool = True,
    ) -> None:
        del values, caching_device, partitioner, custom_getter, use_resource
        kind = None if dtype is None else as_dtype(dtype).dtype
        self._constraint = constraint

        def make() -> Any:
            return _scopes.variable_scope(
                name_or_scope,
                default_name,
                None,
                initializer,
                regularizer,
                reuse=reuse,
                dtype=kind,
                auxiliary_name_scope=auxiliary_name_scope,
            )

        self._make = make

    def __enter__(self) -> Any:
        self._context = _opened(self._make)
        scope = self._context.__enter__()
        if self._constraint is not None:
            scope.constraint = self._constraint
        return scope

    def __exit__(self, *error: Any) -> Any:
        return self._context.__exit__(*error)


def variable_op_scope(
    values: Any, name_or_scope: Any, default_name: str | None = None, **options: Any
) -> variable_scope:
    """Return ``variable_scope`` with the arguments in TensorFlow's old order."""
    return variable_scope(name_or_scope, default_name, values, **options)


def op_scope(values: Any, name: Any, default_name: str | None = None) -> name_scope:
    """Return ``name_scope`` with the arguments in TensorFlow's old order."""
    return name_scope(name, default_name, values)


def get_variable(
    name: str,
    shape: Any = None,
    dtype: Any = None,
    initializer: Any = None,
    regularizer: Any = None,
    trainable: bool | None = None,
    collections: Any = None,
    caching_device: Any = None,
    partitioner: Any = None,
    validate_shape: bool = True,
    use_resource: Any = None,
    custom_getter: Any = None,
    constraint: Any = None,
    synchronization: Any = None,
    aggregation: Any = None,
) -> Any:
    """Return the variable ``name`` of the current variable scope: a new one, or the shared one under reuse.

    As `steepest.get_variable`; ``initializer`` may also be one of ``tf.*_initializer`` or a node, and what
    ``regularizer`` makes of a new variable is put into ``GraphKeys.REGULARIZATION_LOSSES`` as a node.
    ``caching_device``, ``partitioner``, ``use_resource``, ``custom_getter``, ``synchronization`` and ``aggregation``
    are accepted for TensorFlow's sake: a variable is never partitioned here.

    Source: ``tf.get_variable``.
    """
    del caching_device, partitioner, use_resource, custom_getter, synchronization, aggregation
    kind = None if dtype is None else as_dtype(dtype).base_dtype
    if isinstance(initializer, type):
        initializer = initializer()
    wanted = None if shape is None else list(np.atleast_1d(np.asarray(shape, object)).tolist())
    if wanted is not None and None in [getattr(size, "value", size) for size in wanted]:
        wanted = _known_sizes(name, wanted)
    if shape is None and callable(initializer) and not isinstance(initializer, Node) and _takes_nothing(initializer):
        initializer = convert(initializer())
    given = initializer._tensor().dtype if isinstance(initializer, Node) else getattr(initializer, "dtype", None)
    if kind is not None and given is not None and not callable(initializer) and kind != given:
        raise ValueError(f"Initializer type '{given}' and explicit dtype '{kind.name}' don't match.")
    trained = True if trainable is None else trainable
    if executing_eagerly():
        return _shared.get_variable(
            name, wanted, None if kind is None else kind.dtype, initializer, regularizer, trained, collections
        )
    graph = get_default_graph()

    def make(full_name: str, sizes: Any, element: Any, start: Any) -> Variable:
        type_ = as_dtype(element) if element is not None else None
        first = start
        if start is None or (callable(start) and not isinstance(start, Node)):
            number = as_dtype("float32" if type_ is None else type_)
            start = start or (GlorotUniform() if number.is_floating else Zeros())
            first = _calling(start, sizes, number)
        elif type_ is not None and not isinstance(start, Node):
            first = np.asarray(start, type_.dtype)
        with graph.name_scope(None):
            return Variable(
                first,
                trained,
                collections,
                validate_shape,
                name=full_name,
                constraint=constraint or getattr(_scopes.get_variable_scope(), "constraint", None),
            )

    with graph._store.as_default():
        variable, rule = _shared.shared_variable(
            name, wanted, None if kind is None else kind.dtype, initializer, regularizer, make
        )
        if rule is not None:
            with graph.name_scope(f"{variable.op.name}/Regularizer/"), lifted(graph):
                loss = rule(variable)
            if loss is not None:
                graph.add_to_collection(GraphKeys.REGULARIZATION_LOSSES, loss)
    return variable


def _takes_nothing(function: Callable[..., Any]) -> bool:
    """Tell whether a function is called without arguments, and so says the shape itself."""
    try:
        wanted = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return False
    return all(p.default is not p.empty or p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in wanted)


def _known_sizes(name: str, wanted: list[Any]) -> Any:
    """Return the shape of the shared variable that a shape with unknown sizes asks for; ValueError where none is."""
    scope = get_variable_scope()
    full_name = scope.full_name(name)
    found = get_default_graph()._store.named.get(full_name) if scope.reuse else None
    if found is not None and compatible(found._tensor()._shape, as_shape(wanted)):
        return found.shape.as_list()
    raise ValueError(f"Shape of a new variable ({full_name}) must be fully defined, but instead was {wanted}.")


def _calling(initializer: Any, shape: Any, dtype: Any) -> Callable[[], Any]:
    """Return the function that calls an initializer, also one that takes only a shape, or NumPy's types."""

    def call() -> Any:
        try:
            return initializer(shape, dtype=dtype)
        except TypeError as error:
            if "dtype" not in str(error):
                raise
            return initializer(shape)

    return call


def no_regularizer(_: Any) -> None:
    """Stand for no regularizer, where None would mean that of the scope."""


def get_local_variable(name: str, *args: Any, **options: Any) -> Any:
    """Return ``get_variable`` of a variable in LOCAL_VARIABLES that is not trained."""
    options["collections"] = [GraphKeys.LOCAL_VARIABLES]
    options["trainable"] = False
    return get_variable(name, *args, **options)


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
    """Accept a device; everything runs on the CPU."""
    return get_default_graph().device(device_name_or_function)


def colocate_with(op: Any, ignore_existing: bool = False) -> Any:
    """Accept an operation to be near to; everything runs on the CPU."""
    return get_default_graph().colocate_with(op, ignore_existing)


@contextmanager
def init_scope() -> Iterator[None]:
    """Make nodes outside of branches and control dependencies, as initial values need it."""
    with lifted(get_default_graph()):
        yield
