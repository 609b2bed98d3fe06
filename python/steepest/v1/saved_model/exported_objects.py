"""The objects of a saved model: found from the first one as checkpoints find them, functions too, and described."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ...variables.variable import Variable as CoreVariable
from ..functions.concrete_functions import ConcreteFunction
from ..functions.graph_functions import NotForFilesError
from ..functions.traced_functions import Function, function
from ..graph.default_session import get_default_session
from ..graph.mode import executing_eagerly
from ..graph.shapes import TensorShape
from ..python.trackable_names import TrackableResource
from ..saving.assets import Asset
from ..saving.data_structures import AutoTrackable
from ..saving.graph_values import Writing
from ..saving.trackable import Trackable, children_of
from ..tables.lookup_tables import HashTable, ResourceTable
from ..tables.mutable_tables import MutableHashTable
from ..variables.handles import variable_of
from ..variables.variables import Variable
from . import structures
from .dependency_order import check_order
from .saved_functions import concrete_described, signature_described
from .signature_maps import SignatureFunction, SignatureMap

__all__ = ["Exported"]

_logger = logging.getLogger("absl")  # to which TensorFlow tells these things


def _functions_of(value: Any) -> dict[str, Any]:
    """Return the functions among the attributes or items of an object, by name."""
    if isinstance(value, TrackableResource):
        return {
            name: function(getattr(value, name), input_signature=[]) for name in ("_create_resource", "_initialize")
        }
    return {name: item for name, item in _named(value) if isinstance(item, (Function, ConcreteFunction))}


def _named(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        yield from ((name, item) for name, item in value.items() if isinstance(name, str))
    elif isinstance(value, (list, tuple)):
        yield from ((str(place), item) for place, item in enumerate(value))
    elif isinstance(value, AutoTrackable):
        for name in dir(value):
            try:
                yield name, getattr(value, name, None)
            except Exception:  # a property of the program's that has no value now is no function
                continue


class Exported:
    """An object, and all that it depends on, as JSON has them.

    Args:
        root: the object.
    """

    def __init__(self, root: Any) -> None:
        self._root, self.signatures = root, SignatureMap({})
        self._functions: dict[int, dict[str, Any]] = {}
        self._children: dict[int, list[tuple[str, Any]]] = {}
        self._kept: list[Any] = []  # so that no identity is used again meanwhile
        self.functions: list[dict[str, Any]] = []
        self._places: dict[int, int] = {}  # of functions, by identity
        self.constants: list[Any] = []
        self._held: dict[int, int] = {}
        self.untraced: list[str] = []

    def functions_of(self, value: Any) -> dict[str, Any]:
        """Return the functions among the attributes or items of an object, by name; it is asked for them once."""
        if id(value) not in self._functions:
            self._kept.append(value)
            self._functions[id(value)] = _functions_of(value)
        return dict(self._functions[id(value)])

    def children(self, value: Any) -> list[tuple[str, Any]]:
        """Return what an object depends on, by name: what checkpoints save, and functions."""
        if id(value) not in self._children:
            found = self.functions_of(value)
            for each in found.values():
                if isinstance(each, Function):
                    each._list_all_concrete_functions_for_serialization()  # a body may make variables of the object's
            found.update(self._tracked(value))
            if value is self._root:
                found["signatures"] = self.signatures
            self._kept.append(value)
            self._children[id(value)] = list(found.items())
        return self._children[id(value)]

    @staticmethod
    def _tracked(value: Any) -> Mapping[str, Any]:
        if isinstance(value, SignatureMap):
            return dict(value)
        if isinstance(value, Trackable):
            return value._trackable_children(save_type="savedmodel", cache={})
        return {} if isinstance(value, (Function, ConcreteFunction)) else dict(children_of(value))

    def described(self, objects: Sequence[Any]) -> list[dict[str, Any]]:
        """Return the objects as JSON has them; each is known by its place."""
        self._objects = list(objects)
        self._numbers = {id(each): number for number, each in enumerate(objects)}
        for number, each in enumerate(objects):
            if isinstance(each, (ResourceTable, TrackableResource)):
                self._numbers[id(each.resource_handle)] = number
                self._numbers[id(variable_of(each.resource_handle))] = number
            elif isinstance(each, Asset):
                self._numbers[id(each.asset_path)] = number
        check_order(objects, self.children)
        for each in self.signatures.values():  # what these need has words of its own
            self.place_of(each)
        described = [self._described(each) for each in objects]
        if self.untraced:
            shown = ", ".join(self.untraced[:5])
            _logger.info(
                f"Found untraced functions such as {shown} while saving (showing {len(self.untraced[:5])} of "
                f"{len(self.untraced)}). These functions will not be directly callable after loading."
            )
        return described

    def _described(self, value: Any) -> dict[str, Any]:
        children = {name: self._numbers[id(each)] for name, each in self.children(value)}
        for kind, describe in _KINDS:
            if isinstance(value, kind):
                return {**describe(self, value), "children": children}
        return {"kind": "user", "children": children}

    def number_of(self, value: Any, concrete: ConcreteFunction) -> list[Any]:
        """Return what stands for a value that a function takes from outside: the number of an object, or a constant.

        Raises KeyError for a variable, or a resource, of which no object knows; for signatures AssertionError.
        """
        owner = variable_of(value)
        for each in (value, owner):
            if each is not None and id(each) in self._numbers:
                return ["object", self._numbers[id(each)]]
        if isinstance(owner, (CoreVariable, Variable)) or value.dtype.name in ("resource", "variant"):
            if isinstance(concrete, SignatureFunction):
                raise AssertionError(
                    "Tried to export a function which references an 'untracked' resource. TensorFlow objects (e.g. "
                    "tf.Variable) captured by functions must be 'tracked' by assigning them to an attribute of a "
                    "tracked object or assigned to an attribute of the main object directly. See the information "
                    f"below:\n\tFunction name = {concrete.name!r}\n\tCaptured Tensor = {value!r}\n\tTrackable "
                    f"referencing this tensor = {value if owner is None else owner!r}\n"
                )
            raise KeyError(
                f"Failed to add concrete function '{concrete.name.decode()}' to object-based SavedModel as it captures "
                f"tensor {value!r} which is unsupported or not reachable from root. One reason could be that a "
                "stateful object or a variable that the function depends on is not assigned to an attribute of the "
                "serialized trackable object (see SaveTest.test_captures_unreachable_variable)."
            )
        if id(value) not in self._held:
            self._held[id(value)] = len(self.constants)
            self._kept.append(value)
            self.constants.append([value.dtype.name, Writing().encode(value.numpy())])
        return ["constant", self._held[id(value)]]

    def place_of(self, concrete: ConcreteFunction) -> int:
        """Return where the description of a function is among those of all; it is made once."""
        if id(concrete) not in self._places:
            self._kept.append(concrete)
            self.functions.append(concrete_described(concrete, lambda value: self.number_of(value, concrete)))
            self._places[id(concrete)] = len(self.functions) - 1
        return self._places[id(concrete)]

    def _variable(self, value: Any) -> dict[str, Any]:
        shape = TensorShape(value.shape)
        return {
            "kind": "variable",
            "name": value.name.removesuffix(":0"),
            "dtype": value.dtype.base_dtype.name,
            "shape": None if shape.dims is None else shape.as_list(),
            "trainable": bool(value.trainable),
            "kinds": [value.synchronization.value, value.aggregation.value],
        }

    def _function(self, value: Function) -> dict[str, Any]:
        concretes = value._list_all_concrete_functions_for_serialization()
        if not concretes:
            self.untraced.append(value._name)
        places = []
        for each in concretes:
            try:
                if executing_eagerly() and each._own_trace is None:
                    raise NotForFilesError("it needs values, of which no graph can be made")
                places.append(self.place_of(each))
            except NotForFilesError as error:
                _logger.warning(f"{value._name}: a function is left out of the saved model: {error}")
        signature = None if value.input_signature is None else structures.described(list(value.input_signature))
        return {
            "kind": "function",
            "name": value._name,
            "concretes": places,
            "takes": signature_described(value._takes),
            "signature": signature,
            "jit_compile": value._jit_compile,
        }

    def _table(self, value: ResourceTable) -> dict[str, Any]:
        if not isinstance(value, (HashTable, MutableHashTable)):
            raise NotForFilesError(f"a {type(value).__name__} cannot be in a saved model")
        fixed = isinstance(value, HashTable)
        return {
            "kind": "table",
            "fixed": fixed,
            "types": [value.key_dtype.name, value.value_dtype.name],
            "default": Writing().encode(_values(value._default)),
            "entries": [Writing().encode(_values(each)) for each in value.export()] if fixed else None,
        }

    def _asset(self, value: Asset) -> dict[str, Any]:
        return {"kind": "asset", "path": os.fsdecode(np.asarray(_values(value.asset_path)).item())}

    def _tuple(self, value: tuple[Any, ...]) -> dict[str, Any]:
        names = [type(value).__name__, list(value._fields)] if hasattr(value, "_fields") else None
        return {"kind": "tuple", "length": len(value), "fields": names}


def _values(tensor: Any) -> Any:
    if executing_eagerly() or not hasattr(tensor, "op"):
        return np.asarray(tensor)
    session: Any = get_default_session()
    return session.run(tensor)


_KINDS: tuple[tuple[Any, Callable[[Exported, Any], dict[str, Any]]], ...] = (
    ((Variable, CoreVariable), Exported._variable),
    (Function, Exported._function),
    (ConcreteFunction, lambda own, value: {"kind": "concrete", "place": own.place_of(value)}),
    (SignatureMap, lambda own, value: {"kind": "signatures"}),
    (ResourceTable, Exported._table),
    (TrackableResource, lambda own, value: {"kind": "resource"}),
    (Asset, Exported._asset),
    (list, lambda own, value: {"kind": "list", "length": len(value)}),
    (dict, lambda own, value: {"kind": "dict"}),
    (tuple, Exported._tuple),
)
