"""The nodes of a graph that is in a file, made again in a graph; docs/graphs.md has the file's form."""

from __future__ import annotations

import itertools
import json
from io import UnsupportedOperation
from typing import Any

from ...base.errors import must
from ..functions.graph_functions import NotForFilesError
from ..graph.branches import Branch
from ..graph.dtypes import as_dtype
from ..graph.graph import Graph
from ..graph.graph_def import GraphDef, NodeDef, graph_def_of
from ..graph.node import Operation
from ..graph.op_registry import defined, python_value
from ..variables.variable_slices import set_slice, slice_of
from ..variables.variables import Variable
from .collection_items import made_of
from .graph_values_read import Reading
from .graph_writing import FLAGS, FORMAT
from .input_maps import Instead
from .meta_graph_messages import graphs_from
from .saver import Saver

__all__ = ["content_in", "made_from"]


def made_from(
    graph: Graph,
    content: dict[str, Any],
    prefix: str = "",
    clear_devices: bool = False,
    instead: Instead | None = None,
    apart: bool = False,
) -> tuple[dict[str, Operation], list[Variable]]:
    """Make the nodes of a file's content in a graph; return operations by their names in the file, and variables.

    They wait for the control dependencies in force, and are put at the devices in force. ``instead``: what stands for
    tensors of the file. Names that are in the graph already get a number behind, and collections mean by such a name
    what has it, as they do in TensorFlow. ``apart``: a variable whose name is there is another one; otherwise it is the
    one that is there. On any error the graph is as it was.
    """
    made: dict[str, Operation] = {}
    instead = instead or Instead()
    try:
        there = {} if apart else _variables_of(graph)
        variables = _made(graph, content, _Names(graph, content, prefix), clear_devices, made, instead, there)
        for op in made.values():
            _joined(graph, op)
        _put(graph, made)
        return made, variables
    except (NotForFilesError, KeyError, TypeError, IndexError, AttributeError) as error:
        _forget(graph, made)
        rule = "be a whole file of a graph, written by this version of steepest"
        raise ValueError(_refused(rule, f"one with {type(error).__name__}: {error}")) from error
    except BaseException:
        _forget(graph, made)
        raise


def _refused(rule: str, got: str) -> str:
    remedy = "build the graph in Python and restore its variables with tf.train.Saver"
    return must("import_meta_graph", "meta_graph_or_file", rule, got, remedy)


def content_in(data: bytes | None, path: str) -> dict[str, Any]:
    """Return the content of a graph's file, from its bytes; ValueError for what is none of this version."""
    try:
        if data is None:
            raise ValueError
        content = json.loads(data)
    except ValueError:
        content = None
    if not isinstance(content, dict) or content.get("format") != FORMAT["format"]:
        why = _refused("be a graph that steepest has written", f"another kind of file, {path}")
        raise UnsupportedOperation(f"Cannot parse file {path}: {why}")  # an OSError, and a ValueError
    if any(content.get(key) != value for key, value in FORMAT.items()):
        rule = f"be written by Python {FORMAT['python']} in version {FORMAT['version']} of the format"
        raise ValueError(_refused(rule, f"one of Python {content.get('python')}, version {content.get('version')}"))
    if "refused" in content:
        raise ValueError(_refused("hold a graph", f"one that says why it could not: {content['refused']}"))
    return content


def _made(
    graph: Graph,
    content: dict[str, Any],
    names: _Names,
    clear_devices: bool,
    operations: dict[str, Operation],
    instead: Instead,
    there: dict[str, Variable],
) -> list[Variable]:
    variables: dict[str, Variable] = {}
    new: dict[str, Variable] = {}
    for entry in content["operations"]:
        name = entry["name"]
        operations[name] = _shell(graph, entry, names.of(name))
        if "variable" in entry:
            standing = there.get(names.prefix + name)
            if standing is None:
                new[name] = Variable.__new__(Variable)
            variables[name] = new[name] if standing is None else standing
    shared = {name: variable.op for name, variable in variables.items() if name not in new}
    known = {**instead.waited, **operations, **shared}
    reading = Reading(graph, known, {**instead.variables, **variables}, instead.tensors)
    reading.branches = [Branch(graph._context.branch) for _ in content["branches"]]
    for branch, (outer, *parts) in zip(reading.branches, content["branches"], strict=True):
        branch.outer = branch.outer if outer < 0 else reading.branches[outer]
        branch.results, branch.entries, branch.effects = map(reading.decode, parts)
    for name, variable in new.items():
        variable.op = operations[name]
    waited = {**operations, **instead.waited}  # what is put instead of an operation is waited for
    for entry in content["operations"]:
        _filled(reading, operations[entry["name"]], entry, waited, clear_devices)
        if entry["name"] in new:
            trainable, initial, initializer, constraint, *kinds = entry["variable"]
            variables[entry["name"]]._restore(
                trainable, reading.decode(initial), operations[initializer], reading.decode(constraint), *kinds
            )
            if (info := slice_of(variables[entry["name"]])) is not None:
                info.full_name = names.prefix + info.full_name
                set_slice(variables[entry["name"]], info)
    reading.named = True
    known.update({name: graph._operations[names.prefix + name] for name in operations if names.taken(name)})
    for key, items in content["collections"].items():
        for item in items:
            graph.add_to_collection(key, _item(reading, item))
    graph.seed = content["seed"] if graph.seed is None else graph.seed
    return list(variables.values())


def _item(reading: Reading, item: Any) -> Any:
    """Return an item of a collection."""
    if isinstance(item, dict) and "saver" in item:
        return Saver(reading.decode(item["saver"]), **item.get("settings", {}))
    if isinstance(item, dict) and "item" in item:
        return made_of(*reading.decode(item["item"]))
    return reading.decode(item)


class _Names:
    """The names that operations of a file get in a graph."""

    def __init__(self, graph: Graph, content: dict[str, Any], prefix: str) -> None:
        self.prefix = prefix
        own = {prefix + entry["name"] for entry in content["operations"]}
        there = set(graph._operations)
        # scopes in which operations are, too
        there.update(name[:at] for name in graph._operations for at, mark in enumerate(name) if mark == "/")
        self._taken = own & there
        self._standing = own & set(graph._operations)
        self._used = own | there if self._taken else set()

    def taken(self, given: str) -> bool:
        """Return whether an operation in the graph has had the name before."""
        return self.prefix + given in self._standing

    def of(self, given: str) -> str:
        """Return the name of an operation."""
        name = self.prefix + given
        if name not in self._taken:
            return name
        free = next(each for each in (f"{name}_{k}" for k in itertools.count(1)) if each not in self._used)
        self._used.add(free)
        return free


def _variables_of(graph: Graph) -> dict[str, Variable]:
    """Return the variables in a graph's collections by their names."""
    kept = (each for key in graph.get_all_collection_keys() for each in graph.get_collection(key))
    return {each.op.name: each for each in kept if isinstance(each, Variable)}


def _joined(graph: Graph, op: Operation) -> None:
    """Put an operation of a file to the control dependencies in whose blocks it is made."""
    awaited = dict.fromkeys(each for controller in graph._context.controllers for each in controller.inputs)
    op.control_inputs += [each for each in awaited if each not in op.control_inputs]


def _put(graph: Graph, made: dict[str, Operation]) -> None:
    """Put operations of a file at the devices in force; one that is near to others has the device of one of them."""
    near: dict[Operation, list[Operation]] = {}
    for op in made.values():
        names = [text.decode().removeprefix("loc:@") for text in op._attributes.get("_class", ())]
        if names:
            groups = [made[name].name if name in made else name for name in names]
            op._attributes["_class"] = [f"loc:@{name}".encode() for name in groups]
            near[op] = [graph._operations[name] for name in groups if name in graph._operations and name != op.name]
        if near.get(op):
            op._attributes.pop("_device", None)
        else:
            graph._places.put(op)
    for op, others in near.items():
        if device := next((other.device for other in others if other.device), ""):
            op._attributes["_device"] = device


def _shell(graph: Graph, entry: dict[str, Any], name: str) -> Operation:
    """Return the operation of an entry with its outputs; what it takes and does comes later."""
    results = [(as_dtype(dtype), None if shape is None else tuple(shape)) for dtype, shape in entry["outputs"]]
    with graph.control_dependencies(None), graph.device(None):
        op = Operation(graph, entry["type"], name, None, (), results)
    graph._store.take(name)
    return op


def _filled(
    reading: Reading, op: Operation, entry: dict[str, Any], waited: dict[str, Operation], clear_devices: bool
) -> None:
    op.operands = [reading.tensor(name, position) for name, position in entry["inputs"]]
    op.control_inputs = [waited[name] for name in entry["control"]]
    for flag, value in zip(FLAGS, entry["flags"], strict=True):
        setattr(op, flag, value)
    op.rows_of, op.folded_calls, branch = entry["rest"]
    op.branch = op.branch if branch < 0 else reading.branches[branch]
    op._attributes = reading.decode(entry["attributes"])
    if "definition" in entry:
        messages = dict(NodeDef.FromString(bytes.fromhex(entry["definition"])).attr)
        op.definition = defined(op.type), messages
        op._attributes.update((name, python_value(value)) for name, value in messages.items())
    if entry["branches"]:
        op._attributes["branches"] = tuple(reading.branches[number] for number in entry["branches"])
    if clear_devices:
        op._attributes.pop("_device", None)
    if "variable" in entry:
        op._attributes["owner"] = reading.decode({"variable": entry["name"]})
    else:
        op.function = reading.decode(entry["function"])


def _forget(graph: Graph, made: dict[str, Operation]) -> None:
    """Take nodes out again, of a file that was not whole."""
    for op in made.values():
        graph._operations.pop(op.name, None)


@graphs_from
def _message_of(content: dict[str, Any]) -> GraphDef:
    """Return the message of a content's nodes, of those that take something from outside too."""
    graph, instead = Graph(), Instead()
    with graph.as_default():
        for entry in content.get("unbound", ()):
            outside = _shell(graph, entry, entry["name"])
            instead.waited[entry["name"]] = outside
            instead.tensors.update({(entry["name"], k): tensor for k, tensor in enumerate(outside.outputs)})
        operations, _ = made_from(graph, {**content, "collections": {}}, instead=instead)
    return graph_def_of(operations.values(), graph, add_shapes=True)
