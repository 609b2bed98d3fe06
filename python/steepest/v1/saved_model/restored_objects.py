"""The objects of a saved model, made again: in eager mode with their values, in a graph with what begins with them."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

from ...variables.collections import GraphKeys
from ..functions.concrete_functions import ConcreteFunction
from ..graph.constants import constant
from ..graph.dtypes import as_dtype
from ..graph.graph import Graph, default_graphs_set_aside, get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.options import VariableAggregation, VariableSynchronization
from ..ops.creation_ops import zeros
from ..python.trackable_names import TrackableResource
from ..saving.assets import Asset
from ..saving.checkpoint_ops import restore_v2
from ..saving.checkpoint_state import arrays_of, checkpoint_exists
from ..saving.data_structures import AutoTrackable, ListWrapper, _DictWrapper
from ..saving.graph_values_read import Reading
from ..saving.object_graphs import SavedNode, nodes_in
from ..saving.restorations import Restoration
from ..saving.trackable import VARIABLE_VALUE_KEY, Trackable
from ..tables.lookup_tables import HashTable
from ..tables.mutable_tables import MutableHashTable
from ..tables.table_initializers import KeyValueTensorInitializer
from ..variables.variables import Variable
from . import constants, structures
from .restored_functions import RestoredFunction
from .saved_functions import concrete_made, signature_made
from .signature_maps import SignatureFunction, SignatureMap

__all__ = ["Restored"]


class _RestoredResource(TrackableResource):
    """A resource that the model's functions make and fill."""


def _call(instance: Any, *args: Any, **kwargs: Any) -> Any:
    return instance.__call__(*args, **kwargs)


def _user_object(is_callable: bool) -> AutoTrackable:
    """Return an object for one of a program's class: what is called on the class calls the attribute of the object."""
    kind: Any = type("_UserObject", (AutoTrackable,), {"__call__": _call} if is_callable else {})
    made: AutoTrackable = kind()
    return made


def _value(encoded: Any) -> Any:
    return Reading(Graph(), {}, {}).decode(encoded)


class Restored:
    """The objects of a file.

    Args:
        content: their description.
        folder: that of the model.
        values: whether they get the values that the model has; else those of variables are zeros.
        saved: the objects as the checkpoint has them, by default read from it.
        given: objects that stand for some of the file, by number.
    """

    def __init__(
        self,
        content: Mapping[str, Any],
        folder: str,
        values: bool = True,
        saved: list[SavedNode] | None = None,
        given: Mapping[int, Any] | None = None,
    ) -> None:
        self._content, self._folder, self._values = content, folder, values
        self._nodes: list[dict[str, Any]] = content["nodes"]
        self._given = dict(given or {})
        self.objects: list[Any] = [None] * len(self._nodes)
        self.assets: list[list[str]] = []
        self._path = os.path.join(folder, constants.VARIABLES_DIRECTORY, constants.VARIABLES_FILENAME)
        if saved is None and (values or checkpoint_exists(self._path)):
            saved = nodes_in(arrays_of(self._path))
        self._saved = saved or []
        self._constants: dict[int, Any] = {}
        self._eager = executing_eagerly()
        self._functions: dict[tuple[int, Any], Any] = {}

    def root(self) -> Any:
        """Return the first object; all of them are made."""
        late = ("function", "concrete", "signatures", "tuple")
        for number, node in enumerate(self._nodes):
            if number in self._given:
                self.objects[number] = self._given[number]
            elif node["kind"] not in late:
                self.objects[number] = _MAKERS[node["kind"]](self, number, node)
        for kind in late:
            for number, node in enumerate(self._nodes):
                if node["kind"] == kind and self.objects[number] is None:
                    self.objects[number] = _MAKERS[kind](self, number, node)
        for number, node in enumerate(self._nodes):
            self._connect(self.objects[number], node)
        for each in self.objects:
            if isinstance(each, _RestoredResource):
                each._initialize()
        if self._values and executing_eagerly():
            restoration = Restoration(self._path)
            restoration.is_partial = True
            for number, each in enumerate(self.objects):
                if self._saved[number].attributes and not isinstance(each, Variable):
                    restoration.bind(each, number)
        return self.objects[0]

    def _connect(self, value: Any, node: Mapping[str, Any]) -> None:
        """Give an object what it depends on."""
        if node["kind"] == "list":
            items = {int(name): self.objects[number] for name, number in node["children"].items()}
            value.extend(items.get(place) for place in range(node["length"]))
        elif node["kind"] == "dict":
            value.update({name: self.objects[number] for name, number in node["children"].items()})
        elif node["kind"] in ("user", "resource"):
            for name, number in node["children"].items():
                setattr(value, name, self.objects[number])
        elif isinstance(value, Trackable) and node["kind"] == "table":
            for name, number in node["children"].items():
                value._track_trackable(self.objects[number], name)

    def outside(self, reference: list[Any]) -> Any:
        """Return what a function takes from outside: a variable, a constant, the handle of a resource, or a path."""
        kind, number = reference
        if kind == "constant":
            dtype, encoded = self._content["constants"][number]
            if not self._eager:
                return constant(_value(encoded), dtype)
            if number not in self._constants:
                with default_graphs_set_aside():
                    self._constants[number] = constant(_value(encoded), dtype)
            return self._constants[number]
        found = self.objects[number]
        if isinstance(found, Asset):
            return found.asset_path
        return found if isinstance(found, Variable) else found.resource_handle

    def aliases(self) -> dict[str, Any]:
        """Return functions by the other names that the program gave them."""
        return {
            name: self.objects[which]
            if kind == "object"
            else [self._concrete(each, ConcreteFunction) for each in which]
            for name, (kind, which) in self._content["aliases"].items()
        }

    def _concrete(self, place: int, kind: Any) -> Any:
        if (place, kind) not in self._functions:
            made = concrete_made(self._content["functions"][place], self.outside, kind)
            self._functions[place, kind] = made
        return self._functions[place, kind]

    # What is made of each kind -------------------------------------------------------------------

    def _variable(self, number: int, node: Mapping[str, Any]) -> Any:
        key = self._saved[number].attributes[VARIABLE_VALUE_KEY][1] if self._values else ""
        dtype, shape = as_dtype(node["dtype"]), node["shape"]
        known = None if shape is None or None in shape else shape
        first: Any
        if not self._values:
            first = zeros(known or (), dtype)
        elif executing_eagerly():
            first = constant(arrays_of(self._path)[key], dtype)
        else:
            first = restore_v2(self._path, [key], [""], [dtype])[0]
            first.set_shape(shape)
        synchronization, aggregation = node["kinds"]
        made: Any = Variable(
            first,
            trainable=node["trainable"],
            collections=[GraphKeys.GLOBAL_VARIABLES],
            name=node["name"],
            dtype=dtype,
            shape=shape if known is None else None,
            validate_shape=known is not None,
            use_resource=True,
            synchronization=VariableSynchronization(synchronization),
            aggregation=VariableAggregation(aggregation),
        )
        if not executing_eagerly():  # whoever builds on the model decides what is trained
            trained = get_default_graph().get_collection_ref(GraphKeys.TRAINABLE_VARIABLES)
            trained[:] = [each for each in trained if each is not made]
        return made

    def _function(self, number: int, node: Mapping[str, Any]) -> Any:
        concretes = [self._concrete(place, ConcreteFunction) for place in node["concretes"]]
        signature = None if node["signature"] is None else structures.made(node["signature"])
        options = {} if node["jit_compile"] is None else {"jit_compile": node["jit_compile"]}
        return RestoredFunction(concretes, signature_made(node["takes"]), signature, node["name"], options)

    def _bare(self, number: int, node: Mapping[str, Any]) -> Any:
        return self._concrete(node["place"], ConcreteFunction)

    def _signatures(self, number: int, node: Mapping[str, Any]) -> SignatureMap:
        functions = {}
        for name, child in node["children"].items():
            made = functions[name] = self._concrete(self._nodes[child]["place"], SignatureFunction)
            made._names = list(made._form.named)
            defaults = self._content["functions"][self._nodes[child]["place"]]["defaults"].items()
            made._defaults = {name: structures.made(value) for name, value in defaults}
        return SignatureMap(functions)

    def _table(self, number: int, node: Mapping[str, Any]) -> Any:
        keys, values = node["types"]
        default = constant(_value(node["default"]), values)
        if not node["fixed"]:
            return MutableHashTable(keys, values, default)
        entries = [constant(_value(each), dtype) for each, dtype in zip(node["entries"], node["types"], strict=True)]
        return HashTable(KeyValueTensorInitializer(*entries), default)

    def _asset(self, number: int, node: Mapping[str, Any]) -> Asset:
        made = Asset(os.path.join(self._folder, constants.ASSETS_DIRECTORY, node["path"]))
        if not executing_eagerly():
            self.assets.append([node["path"], made.asset_path.name])
        return made

    def _tuple(self, number: int, node: Mapping[str, Any]) -> Any:
        items: list[Any] = [None] * node["length"]
        for name, child in node["children"].items():
            if self.objects[child] is None and self._nodes[child]["kind"] == "tuple":
                self.objects[child] = self._tuple(child, self._nodes[child])
            place = node["fields"][1].index(name) if node["fields"] and not name.isdecimal() else int(name)
            items[place] = self.objects[child]
        return structures.with_fields(*node["fields"])(*items) if node["fields"] else tuple(items)


_MAKERS: dict[str, Callable[[Restored, int, dict[str, Any]], Any]] = {
    "asset": Restored._asset,
    "concrete": Restored._bare,
    "dict": lambda own, number, node: _DictWrapper({}),
    "function": Restored._function,
    "list": lambda own, number, node: ListWrapper([]),
    "resource": lambda own, number, node: _RestoredResource(),
    "signatures": Restored._signatures,
    "table": Restored._table,
    "tuple": Restored._tuple,
    "user": lambda own, number, node: _user_object("__call__" in node["children"]),
    "variable": Restored._variable,
}
