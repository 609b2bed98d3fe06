"""``get_variable``: variables that are shared by name, and how a scope's getter takes part."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...variables import get_variable as _shared
from ...variables import scopes as _scopes
from ...variables.collections import GraphKeys
from ...variables.names import get_default_store
from ...variables.scopes import VariableScope, collection_keys
from ..graph.constants import constant_array
from ..graph.dtypes import DType, as_dtype
from ..graph.graph import get_default_graph
from ..graph.mode import executing_eagerly, resource_variables_enabled
from ..graph.node import Node
from ..graph.options import VariableAggregation, VariableSynchronization, trained_by_default
from ..graph.scopes import get_variable_scope, name_scope, variable_scope
from ..graph.session_values import lifted
from ..graph.shapes import as_shape, compatible
from .initializer_calls import ValueFunction, initial_value, initializer_of, takes_nothing
from .initializers import GlorotUniform
from .partitioned_variable import new_parts, shared_parts
from .variables import Variable

__all__ = ["get_variable", "get_variable_by_full_name", "no_partitioner", "no_regularizer"]


def get_variable(
    name: str,
    shape: Any = None,
    dtype: Any = None,
    initializer: Any = None,
    regularizer: Callable[[Any], Any] | None = None,
    trainable: bool | None = None,
    collections: Sequence[str] | None = None,
    caching_device: Any = None,
    partitioner: Any = None,
    validate_shape: bool = True,
    use_resource: Any = None,
    custom_getter: Any = None,
    constraint: Callable[[Any], Any] | None = None,
    synchronization: Any = None,
    aggregation: Any = None,
) -> Any:
    """Return the variable ``name`` of the current variable scope: a new one, or the shared one under reuse.

    As `steepest.get_variable`; ``initializer`` may also be one of ``tf.*_initializer`` or a node, and what
    ``regularizer`` makes of a new variable is put into ``GraphKeys.REGULARIZATION_LOSSES`` as a node.
    ``custom_getter(getter, full name, **arguments)``, also the scope's, is called instead and gives what it likes,
    usually what ``getter`` gives it. ``partitioner``, also the scope's, tells into how many parts a variable of a graph
    is cut, which is then a `PartitionedVariable`; ``caching_device``, also the scope's, is where its value is read.
    ``use_resource``, ``synchronization`` and ``aggregation`` are accepted for TensorFlow's sake. A variable that is
    synchronized ``ON_READ`` is not trained unless ``trainable`` is given.

    Source: ``tf.get_variable``.
    """
    scope = get_variable_scope()
    getter = getattr(scope, "custom_getter", None) if custom_getter is None else custom_getter
    if getter is not None and not callable(getter):
        raise ValueError(f"Passed a custom_getter which is not callable: {getter}")
    trained = trained_by_default(trainable, synchronization)
    partitioner = getattr(scope, "partitioner", None) if partitioner is None else partitioner
    partitioner = None if partitioner is no_partitioner else partitioner
    caching_device = getattr(scope, "caching_device", None) if caching_device is None else caching_device
    dtype = None if dtype is None else as_dtype(dtype).base_dtype
    if dtype is not None and _is_value(initializer) and dtype != (value_dtype := _dtype_of(initializer)):
        raise ValueError(f"Initializer type '{value_dtype!s}' and explicit dtype '{dtype!s}' don't match.")
    if getter is not None:
        with name_scope(None):
            return getter(
                getter=get_variable_by_full_name,
                name=scope.full_name(name),
                shape=shape,
                dtype=dtype or as_dtype(scope.dtype or "float32"),
                initializer=scope.initializer if initializer is None else initializer,
                regularizer=scope.regularizer if regularizer is None else regularizer,
                reuse=scope.reuse or False,
                trainable=trained,
                collections=collections,
                caching_device=caching_device,
                partitioner=partitioner,
                validate_shape=validate_shape,
                use_resource=use_resource,
                constraint=constraint or getattr(scope, "constraint", None),
                synchronization=synchronization or VariableSynchronization.AUTO,
                aggregation=aggregation or VariableAggregation.NONE,
            )
    initializer = initializer_of(initializer)
    if shape is None and callable(initializer) and takes_nothing(initializer):
        initializer = ValueFunction(initializer)
    elif shape is None and callable(initializer) and not scope.reuse:
        raise ValueError(
            "The initializer passed is not valid. It should be a callable with no arguments and the shape should not "
            "be provided or an instance of `tf.keras.initializers.*' and `shape` should be fully defined."
        )
    sizes = None if shape is None else list(np.atleast_1d(np.asarray(shape, object)).tolist())
    if sizes is not None and None in [getattr(size, "value", size) for size in sizes]:
        sizes = _shared_sizes(scope, name, sizes)
    numpy_dtype = None if dtype is None else dtype.dtype
    graph = get_default_graph()
    resource = getattr(scope, "use_resource", None) or None if use_resource is None else use_resource
    full_name = scope.full_name(name) if isinstance(name, str) else ""
    eager = executing_eagerly()
    shared = partitioner is None and scope.reuse is True and full_name in graph._partitioned and not eager
    if shared or (partitioner is not None and sizes != []):
        start = initializer_of(initializer, scope)
        part_dtype = (
            start._tensor().dtype.base_dtype if isinstance(start, Node) else as_dtype(dtype or scope.dtype or "float32")
        )
        if start is None and part_dtype.is_floating:
            start = GlorotUniform()

        def new_part(part_name: str, part_shape: Any, first: Any) -> Any:
            rule = regularizer or scope.regularizer
            arguments = (part_name, part_shape, part_dtype, first, rule, scope.reuse)
            limits = constraint or getattr(scope, "constraint", None)
            return get_variable_by_full_name(
                *arguments,
                trainable=trained,
                collections=collections,
                caching_device=caching_device,
                constraint=limits,
                use_resource=resource,
                synchronization=synchronization,
            )

        if eager:
            return new_parts(full_name, sizes, part_dtype, partitioner, start, new_part)
        return shared_parts(graph, full_name, scope.reuse, sizes, part_dtype, partitioner, start, new_part)
    if eager:
        kept = {"collections": collections, "synchronization": synchronization, "aggregation": aggregation}
        return _eager_variable(scope, name, sizes, dtype, initializer, regularizer, trained, constraint, kept)
    if f"{full_name}/part_0" in graph._store.named:
        raise ValueError(
            f"No partitioner was provided, but a partitioned version of the variable was found: {full_name}/part_0. "
            "Perhaps a variable of the same name was already created with partitioning?"
        )

    def new_variable(full_name: str, shape: Any, default_dtype: Any, initializer: Any) -> Variable:
        value, made_dtype = initial_value(initializer, shape, dtype, default_dtype)
        scope_constraint = getattr(_scopes.get_variable_scope(), "constraint", None)
        with graph.name_scope(None):
            return Variable(
                value,
                trained,
                collections,
                validate_shape,
                caching_device,
                name=full_name,
                dtype=made_dtype,
                constraint=constraint or scope_constraint,
                use_resource=resource_variables_enabled() if resource is None else resource,
                synchronization=synchronization,
                aggregation=aggregation,
            )

    with graph._store.as_default():
        variable, regularizer = _shared.shared_variable(
            name, sizes, numpy_dtype, initializer, regularizer, new_variable
        )
        if regularizer is not None:
            with graph.name_scope(f"{variable.op.name}/Regularizer/"), lifted(graph):
                loss = regularizer(variable)
            if loss is not None:
                graph.add_to_collection(GraphKeys.REGULARIZATION_LOSSES, loss)
    return variable


def _is_value(initializer: Any) -> bool:
    return initializer is not None and not callable(initializer)


def _dtype_of(value: Any) -> DType:
    """Return the type that a value begins a variable with where none is asked for."""
    if isinstance(value, Node):
        return value._tensor().dtype.base_dtype
    return as_dtype(value.dtype if hasattr(value, "dtype") else constant_array(value, None).dtype)


def _eager_variable(
    scope: VariableScope,
    name: str,
    sizes: Any,
    dtype: DType | None,
    initializer: Any,
    regularizer: Any,
    trainable: bool,
    constraint: Any,
    kept: dict[str, Any],
) -> Any:
    """Return a new variable: eager ones are not shared by name, as in TensorFlow, but within a template."""
    full_name, shares, store = scope.full_name(name), getattr(scope, "shares_variables", False), get_default_store()
    if shares and full_name in store.named:
        return store.named[full_name]
    start = initializer_of(initializer, scope)
    if sizes is None and (start is None or callable(start)) and not isinstance(start, ValueFunction):
        raise ValueError(f"Shape of a new variable ({full_name}) must be fully defined, but instead was None.")
    if sizes is not None and start is not None and not callable(start):
        raise ValueError("If initializer is a constant, do not specify shape.")
    value, made_dtype = initial_value(start, sizes, dtype, scope.dtype if dtype is None else dtype)
    with name_scope(None):
        variable = Variable(value, trainable, name=full_name, dtype=made_dtype, constraint=constraint, **kept)
    if shares:
        store.named[full_name] = variable
        for key in collection_keys(kept.get("collections"), trainable):
            store.enter(key, variable)
    rule = scope.regularizer if regularizer is None else regularizer
    if rule is not None and rule is not no_regularizer:
        store.collection(GraphKeys.REGULARIZATION_LOSSES).append(lambda: rule(variable))
    return variable


def _shared_sizes(scope: VariableScope, name: str, sizes: list[Any]) -> list[Any]:
    """Return the shape of the shared variable that a shape with unknown sizes asks for; ValueError where none is."""
    full_name = scope.full_name(name)
    variable = get_default_graph()._store.named.get(full_name) if scope.reuse and not executing_eagerly() else None
    if variable is not None and compatible(variable._tensor()._shape, as_shape(sizes)):
        return list(variable._tensor()._shape)
    raise ValueError(f"Shape of a new variable ({full_name}) must be fully defined, but instead was {sizes}.")


def get_variable_by_full_name(
    name: str,
    shape: Any = None,
    dtype: Any = None,
    initializer: Any = None,
    regularizer: Any = None,
    reuse: Any = None,
    **options: Any,
) -> Any:
    """Do what `get_variable` does without a scope: the getter that a ``custom_getter`` is given.

    A value has a type of its own: the one that the getter is given, the scope's by default, is that of other variables.
    """
    dtype = None if _is_value(initializer) else dtype
    shares = getattr(get_variable_scope(), "shares_variables", False)
    with variable_scope(VariableScope("", reuse=reuse), auxiliary_name_scope=False) as scope:
        scope.shares_variables = shares
        accepted = {key: value for key, value in options.items() if key in _OPTIONS}
        return get_variable(name, shape, dtype, initializer, regularizer, **accepted)


def no_regularizer(_: Any) -> None:
    """Stand for no regularizer, where None would mean that of the scope."""


def no_partitioner(**_: Any) -> None:
    """Stand for no partitioner, where None would mean that of the scope."""


_OPTIONS = tuple(inspect.signature(get_variable).parameters)
