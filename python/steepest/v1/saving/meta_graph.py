"""``tf.train.export_meta_graph`` and ``import_meta_graph``: a graph in a file; docs/graphs.md has the file's form."""

from __future__ import annotations

import itertools
import json
import os
from typing import Any

from ...base.errors import must
from ..functions.graph_functions import NotForFilesError
from ..graph.branches import Branch
from ..graph.dtypes import as_dtype
from ..graph.graph import Graph, get_default_graph
from ..graph.graph_def import NodeDef
from ..graph.node import Operation
from ..graph.op_registry import defined, python_value
from ..graph.scopes import name_scope
from ..variables.variable_slices import set_slice, slice_of
from ..variables.variables import Variable
from .graph_values_read import Reading
from .graph_writing import FLAGS, FORMAT, MetaGraph, exported
from .input_maps import Instead, forget_shapes, instead_of
from .saved_variables import variables_by_name
from .saver import Saver

__all__ = ["content_in", "export_meta_graph", "import_meta_graph", "made_from"]


def export_meta_graph(
    filename: Any = None,
    meta_info_def: Any = None,
    graph_def: Any = None,
    saver_def: Any = None,
    collection_list: Any = None,
    as_text: bool = False,
    graph: Graph | None = None,
    export_scope: Any = None,
    **accepted: Any,
) -> MetaGraph:
    """Return a graph as it can be in a file, and write the file where its name is given.

    Args:
        filename: the file.
        collection_list: the names of the collections that go along, by default all.
        graph: the graph, by default the default graph.
        meta_info_def, graph_def, saver_def, as_text, export_scope: accepted for TensorFlow's sake; a scope is refused.

    Raises:
        ValueError: for a graph that cannot be in a file: with functions of the program's own in it, such as those of
            ``py_func``. RuntimeError: in eager mode.

    Source: ``tf.train.export_meta_graph``.
    """
    graph = get_default_graph() if graph is None else graph
    return exported(graph, None, collection_list, filename, export_scope)


def import_meta_graph(
    meta_graph_or_file: Any, clear_devices: bool = False, import_scope: str | None = None, **kwargs: Any
) -> Saver | None:
    """Make the nodes of a file in the default graph; return the saver of its variables, None where it has none.

    The file is one that `export_meta_graph` or ``Saver.save`` wrote, with the same Python and this version of steepest:
    no code is in it, only names of this library's functions and plain values (docs/graphs.md).

    Args:
        meta_graph_or_file: the path, or what `export_meta_graph` returned.
        clear_devices: forget where nodes were asked to run.
        import_scope: put this before all names, with a number where it is taken, inside the name scope in force.
        **kwargs: ``input_map``, what stands for tensors of the file, as for ``tf.import_graph_def``;
            ``restore_collections_predicate``, which tells by their names which collections go along; arguments of the
            saver.

    Raises:
        OSError: where there is no such file. ValueError: for a file of TensorFlow's or of another version, for a
        damaged one, for a graph that could not be written, and for names that are in the graph already.

    Source: ``tf.train.import_meta_graph``.
    """
    graph, content = get_default_graph(), _content(meta_graph_or_file)
    input_map, restored = kwargs.pop("input_map", None), kwargs.pop("restore_collections_predicate", None)
    if restored is not None:
        kept = {key: items for key, items in content["collections"].items() if restored(key)}
        content = {**content, "collections": kept}
    inside = graph.get_name_scope()
    with name_scope(import_scope or (f"{inside}/" if inside else "")) as prefix:
        instead = instead_of(content, {} if input_map is None else input_map, prefix)
        operations, variables = made_from(graph, content, prefix, clear_devices, instead)
        forget_shapes(content, instead, operations)
    by_name = {variable.op.name: variable for variable in variables}
    if content.get("saver") is not None:
        chosen: dict[str, Any] = {}
        for name, ops in content["saver"].items():
            chosen[name] = by_name[prefix + ops] if isinstance(ops, str) else [by_name[prefix + op] for op in ops]
    else:
        chosen = {name.removeprefix(prefix): each for name, each in variables_by_name(variables, True).items()}
    return Saver(chosen, **kwargs) if chosen else None


def made_from(
    graph: Graph,
    content: dict[str, Any],
    prefix: str = "",
    clear_devices: bool = False,
    instead: Instead | None = None,
    unique: bool = False,
) -> tuple[dict[str, Operation], list[Variable]]:
    """Make the nodes of a file's content in a graph; return operations by their names in the file, and variables.

    They wait for the control dependencies in force, and are put at the devices in force. ``instead``: what stands for
    tensors of the file. ``unique``: names that are in the graph already get a number behind. On any error the graph is
    as it was.
    """
    made: dict[str, Operation] = {}
    instead = instead or Instead()
    try:
        variables = _made(graph, content, _Names(graph, content, prefix, unique), clear_devices, made, instead)
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


def _content(given: Any) -> dict[str, Any]:
    if isinstance(given, MetaGraph):
        return given._content
    path = os.fspath(given)
    path = path.decode() if isinstance(path, bytes) else path
    if not os.path.exists(path):
        raise OSError(f"File {path} does not exist.")
    with open(path, "rb") as file:
        return content_in(file.read(), path)


def content_in(data: bytes | None, path: str) -> dict[str, Any]:
    """Return the content of a graph's file, from its bytes; ValueError for what is none of this version."""
    try:
        if data is None:
            raise ValueError
        content = json.loads(data)
    except ValueError:
        content = None
    if not isinstance(content, dict) or content.get("format") != FORMAT["format"]:
        raise ValueError(_refused("be a graph that steepest has written", f"another kind of file, {path}"))
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
) -> list[Variable]:
    variables: dict[str, Variable] = {}
    for entry in content["operations"]:
        operations[entry["name"]] = _shell(graph, entry, names.of(entry["name"]))
        if "variable" in entry:
            variables[entry["name"]] = Variable.__new__(Variable)
    reading = Reading(graph, operations, variables, instead.tensors)
    reading.branches = [Branch(graph._context.branch) for _ in content["branches"]]
    for branch, (outer, *parts) in zip(reading.branches, content["branches"], strict=True):
        branch.outer = branch.outer if outer < 0 else reading.branches[outer]
        branch.results, branch.entries, branch.effects = map(reading.decode, parts)
    for name, variable in variables.items():
        variable.op = operations[name]
    waited = {**operations, **instead.waited}
    for entry in content["operations"]:
        _filled(reading, operations[entry["name"]], entry, waited, clear_devices)
        if "variable" in entry:
            trainable, initial, initializer, constraint = entry["variable"]
            variables[entry["name"]]._restore(
                trainable, reading.decode(initial), operations[initializer], reading.decode(constraint)
            )
            if (info := slice_of(variables[entry["name"]])) is not None:
                info.full_name = names.prefix + info.full_name
                set_slice(variables[entry["name"]], info)
    reading.named = True
    for key, items in content["collections"].items():
        for item in items:
            saved = item.get("saver") if isinstance(item, dict) else None
            graph.add_to_collection(key, reading.decode(item) if saved is None else Saver(reading.decode(saved)))
    graph.seed = content["seed"] if graph.seed is None else graph.seed
    return list(variables.values())


class _Names:
    """The names that operations of a file get in a graph."""

    def __init__(self, graph: Graph, content: dict[str, Any], prefix: str, unique: bool) -> None:
        self.prefix, self._unique = prefix, unique
        own = {prefix + entry["name"] for entry in content["operations"]}
        there = set(graph._operations)
        if unique:  # scopes in which operations are, too
            there.update(name[:at] for name in graph._operations for at, mark in enumerate(name) if mark == "/")
        self._taken = own & there
        self._used = own | there if self._taken else set()

    def of(self, given: str) -> str:
        """Return the name of an operation; ValueError for one that is in the graph, where there is to be no other."""
        name = self.prefix + given
        if name not in self._taken:
            return name
        if not self._unique:
            got = f"{name!r} in both"
            raise ValueError(must("import_meta_graph", "the graph", "have other names than the file", got))
        free = next(each for each in (f"{name}_{k}" for k in itertools.count(1)) if each not in self._used)
        self._used.add(free)
        return free


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
