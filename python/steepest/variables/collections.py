"""The standard collection keys, and the functions that read and fill collections."""

from __future__ import annotations

from collections.abc import Iterable, MutableSequence
from typing import TYPE_CHECKING, Any

from ..base.errors import describe, must
from .names import get_default_store

if TYPE_CHECKING:
    from .variable import Variable

__all__ = [
    "GraphKeys",
    "add_to_collection",
    "add_to_collections",
    "get_collection",
    "get_collection_ref",
    "global_variables",
    "trainable_variables",
]


class GraphKeys:
    """Names of the standard collections, with TensorFlow 1's values (plain strings).

    Source: ``tf.GraphKeys``.
    """

    GLOBAL_VARIABLES = "variables"
    LOCAL_VARIABLES = "local_variables"
    MODEL_VARIABLES = "model_variables"
    TRAINABLE_VARIABLES = "trainable_variables"
    MOVING_AVERAGE_VARIABLES = "moving_average_variables"
    REGULARIZATION_LOSSES = "regularization_losses"
    LOSSES = "losses"
    WEIGHTS = "weights"
    BIASES = "biases"
    ACTIVATIONS = "activations"
    UPDATE_OPS = "update_ops"
    TRAIN_OP = "train_op"
    GLOBAL_STEP = "global_step"
    EVAL_STEP = "eval_step"
    TRAINABLE_RESOURCE_VARIABLES = "trainable_resource_variables"
    METRIC_VARIABLES = "metric_variables"
    CONCATENATED_VARIABLES = "concatenated_variables"
    SAVEABLE_OBJECTS = "saveable_objects"
    READY_OP = "ready_op"
    TABLE_INITIALIZERS = "table_initializer"
    QUEUE_RUNNERS = "queue_runners"
    SUMMARIES = "summaries"
    SAVERS = "savers"
    INIT_OP = "init_op"
    LOCAL_INIT_OP = "local_init_op"
    READY_FOR_LOCAL_INIT_OP = "ready_for_local_init_op"
    SUMMARY_OP = "summary_op"
    RESOURCES = "resources"
    LOCAL_RESOURCES = "local_resources"
    ASSET_FILEPATHS = "asset_filepaths"
    COND_CONTEXT = "cond_context"
    WHILE_CONTEXT = "while_context"
    VARIABLES = GLOBAL_VARIABLES  # the old name


def _checked(who: str, key: Any) -> str:
    if not isinstance(key, str):
        raise TypeError(must(who, "name", "be a string", key, "the standard ones are in GraphKeys"))
    return key


def add_to_collection(name: str, value: Any) -> None:
    """Append any object to the collection ``name``, which keeps it alive.

    Variables enter their standard collections by themselves, and only weakly: a variable that the
    program drops leaves them. What is added here stays until it is removed.

    Raises:
        TypeError: when ``name`` is not a string.

    Example:
        >>> st.add_to_collection("losses", 0.5)
        >>> st.get_collection("losses")
        [0.5]
    """
    get_default_store().collection(_checked("add_to_collection", name)).append(value)


def add_to_collections(names: str | Iterable[str], value: Any) -> None:
    """Append ``value`` to each of several collections, once where a name repeats.

    Raises:
        TypeError: when a name is not a string; then nothing is added.
    """
    if not isinstance(names, Iterable):
        raise TypeError(must("add_to_collections", "names", "be a string or a list of strings", describe(names)))
    keys = [names] if isinstance(names, str) else list(names)
    for key in keys:
        _checked("add_to_collections", key)
    for key in dict.fromkeys(keys):
        add_to_collection(key, value)


def get_collection(key: str, scope: str | None = None) -> list[Any]:
    """Return a new list of the collection's items, empty when there is no such collection.

    ``scope`` is a regular expression that ``re.match`` tries on each item's ``name``, so a plain
    prefix selects a scope; items without a name are then left out. Changing the list changes
    nothing else.

    Raises:
        TypeError: when ``key`` is not a string.
        re.error: for a malformed ``scope``.
    """
    return get_default_store().collected(_checked("get_collection", key), scope)


def get_collection_ref(key: str) -> MutableSequence[Any]:
    """Return the collection itself: what is appended to it or deleted from it changes the collection.

    Raises:
        TypeError: when ``key`` is not a string.
    """
    return get_default_store().collection(_checked("get_collection_ref", key))


def global_variables(scope: str | None = None) -> list[Variable]:
    """Return every living variable, slots included, in creation order; ``scope`` as in :func:`get_collection`."""
    return get_collection(GraphKeys.GLOBAL_VARIABLES, scope)


def trainable_variables(scope: str | None = None) -> list[Variable]:
    """Return the living trainable variables in creation order; ``scope`` as in :func:`get_collection`."""
    variables = get_collection(GraphKeys.TRAINABLE_VARIABLES, scope)
    return [variable for variable in variables if getattr(variable, "trainable", True)]  # but for frozen ones
