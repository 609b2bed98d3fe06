"""What TensorFlow's modules of tracked objects have beside the objects: lists of them, variables made for them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from ..graph.constants import constant
from ..graph.dtypes import as_dtype
from ..graph.mode import executing_eagerly
from ..saving.checkpoint import write_objects
from ..saving.object_graphs import OBJECT_GRAPH, encoded, listed_objects, objects_by_saver, saved_graph
from ..saving.object_metadata import ObjectGraph, graph_of_nodes, list_objects, object_metadata
from ..saving.restore_statuses import Status, restored
from ..saving.saver import Saver
from ..saving.trackable import Trackable
from ..variables.initializers import GlorotUniform, Zeros
from ..variables.templates import dependencies_captured
from ..variables.variables import Variable
from .identity_sets import ObjectIdentityDictionary
from .resource_creators import MadeByCreators

__all__ = [
    "ObjectGraphView",
    "ResourceTracker",
    "TrackableResource",
    "TrackableSaver",
    "add_variable",
    "capture_dependencies",
    "frozen_saver",
    "gather_initializers",
    "list_objects",
    "object_metadata",
    "resource_tracker_scope",
    "serialize_graph_view",
    "streaming_restore",
]


def _variable(name: str, shape: Any, dtype: Any, initializer: Any, trainable: bool = True) -> Any:
    if shape is not None and initializer is not None and not callable(initializer):
        raise ValueError("If initializer is a constant, do not specify shape.")
    if initializer is None:
        initializer = GlorotUniform() if as_dtype(dtype).is_floating else Zeros()
    made = initializer() if isinstance(initializer, type) else initializer
    first = made if not callable(made) else (lambda: made([] if shape is None else shape, dtype=dtype))
    return Variable(first, trainable=trainable, name=name, dtype=dtype)


def add_variable(
    trackable: Trackable,
    name: str,
    shape: Any = None,
    dtype: Any = "float32",
    initializer: Any = None,
    trainable: bool = True,
) -> Any:
    """Return a variable that is made and declared as a dependency of an object.

    Raises ValueError for a constant with a shape, and for a name that is declared already.
    """
    more: dict[str, Any] = {"trainable": trainable}
    return trackable._add_variable_with_custom_getter(name, shape, dtype, initializer, _variable, **more)


@contextmanager
def capture_dependencies(template: Trackable) -> Iterator[None]:
    """Declare the variables that are made inside, below the object's ``variable_scope``, as its dependencies.

    Source: ``capture_dependencies`` of ``tensorflow/python/checkpoint/checkpoint.py``.
    """
    scope: Any = getattr(template, "variable_scope")  # noqa: B009 - a program's class sets it

    def note(name: str, value: Any) -> None:
        template._track_trackable(value, name, overwrite=True)

    with dependencies_captured(str(scope.name).rstrip("/"), template, note):
        yield


def gather_initializers(root_trackable: Any) -> list[Any]:
    """Return the initializers of the variables that an object depends on; in eager mode there are none."""
    found = [getattr(each, "initializer", None) for each in listed_objects(root_trackable)]
    return [each for each in found if each is not None and not callable(each)]


class _Saved(NamedTuple):
    name: str
    full_name: str
    op: Any


class ObjectGraphView:
    """An object and all that it depends on, as they would be in a file."""

    def __init__(self, root: Any) -> None:
        self.root = root

    def list_objects(self) -> list[Any]:
        """Return the objects."""
        return listed_objects(self.root)

    def serialize_object_graph(self) -> tuple[list[_Saved], ObjectGraph, dict[Any, Any]]:
        """Return what is saved under which name, the objects, and feeds, of which there are none."""
        nodes, values = saved_graph(self.root)
        full = {key: name for node in nodes for name, key in node.attributes.values()}
        return [_Saved(key, full[key], value) for key, value in values.items()], graph_of_nodes(nodes), {}


def serialize_graph_view(
    graph_view: ObjectGraphView, saveables_cache: Any = None
) -> tuple[Any, dict[Any, Any], dict[Any, Any], ObjectGraph]:
    """Return by object what is saved of it by key; feeds, of which there are none; by registered saver the
    objects of it by name; and the objects.

    Source: ``tensorflow/python/checkpoint/save_util.py``.
    """
    del saveables_cache
    nodes, values = saved_graph(graph_view.root)
    objects = listed_objects(graph_view.root)
    found = ObjectIdentityDictionary()
    for value, node in zip(objects, nodes, strict=True):
        if node.attributes:
            found[value] = {key: values[key] for _, key in node.attributes.values() if key in values}
    return found, {}, objects_by_saver(nodes, objects), graph_of_nodes(nodes)


class TrackableSaver:
    """Saves an object and all that it depends on, and restores them.

    Source: ``TrackableSaver`` of ``tensorflow/python/training/tracking/util.py``.
    """

    def __init__(self, graph_view: ObjectGraphView) -> None:
        self._root = graph_view.root

    def save(self, file_prefix: str, checkpoint_number: Any = None, session: Any = None) -> str:
        """Write the values to ``<file_prefix>[-<number>].safetensors``; return that path without suffix."""
        return write_objects(
            self._root, file_prefix if checkpoint_number is None else f"{file_prefix}-{checkpoint_number}", session
        )

    def _gather_serialized_tensors(self, object_graph_tensor: Any = None) -> tuple[Any, Any, Any, ObjectGraph]:
        """Return what `serialize_graph_view` does; the message of the objects, too, is saved."""
        found, feeds, savers, graph = serialize_graph_view(ObjectGraphView(self._root))
        told = constant(encoded(saved_graph(self._root)[0])) if object_graph_tensor is None else object_graph_tensor
        found[None] = {OBJECT_GRAPH: told}
        return found, feeds, savers, graph

    def restore(self, save_path: str | None) -> Status:
        """Return what `Checkpoint.restore` does."""
        return restored(self._root, save_path)


def frozen_saver(root_trackable: Any) -> Saver:
    """Return a saver of what an object depends on now."""
    return Saver(saved_graph(root_trackable)[1])


class ResourceTracker:
    """A list of the resources that are made in its scope."""

    def __init__(self) -> None:
        self._resources: list[Any] = []

    @property
    def resources(self) -> list[Any]:
        """The resources."""
        return self._resources

    def add_resource(self, resource: Any) -> None:
        """Append one."""
        self._resources.append(resource)


_trackers: list[ResourceTracker] = []


@contextmanager
def resource_tracker_scope(resource_tracker: ResourceTracker) -> Iterator[None]:
    """Let a tracker list the resources that are made inside."""
    _trackers.append(resource_tracker)
    try:
        yield
    finally:
        _trackers.pop()


class TrackableResource(Trackable, metaclass=MadeByCreators):
    """Base of objects with a resource of their own, which is made when it is first asked for."""

    def __init__(self) -> None:
        for tracker in _trackers:
            tracker.add_resource(self)
        self._resource_handle: Any = None

    def _create_resource(self) -> Any:
        """Return the resource."""
        raise NotImplementedError("TrackableResource._create_resource not implemented.")

    def _initialize(self) -> Any:
        """Fill the resource; without a function of a subclass nothing is done."""

    @property
    def resource_handle(self) -> Any:
        """The resource."""
        if self._resource_handle is None:
            self._resource_handle = self._create_resource()
        return self._resource_handle


def streaming_restore(status: Any, session: Any = None) -> None:
    """Give the variables of a session what a restored checkpoint has for them; in eager mode they have it."""
    if not executing_eagerly():
        status.run_restore_ops(session)
