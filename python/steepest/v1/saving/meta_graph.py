"""``tf.train.export_meta_graph`` and ``import_meta_graph``: a graph in a file; docs/graphs.md has the file's form."""

from __future__ import annotations

import base64
import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ...variables.collections import GraphKeys
from ..graph.graph import Graph, get_default_graph
from ..graph.graph_def import GraphDef
from ..graph.mode import executing_eagerly
from ..graph.scopes import name_scope
from ..variables.variables import Variable
from .edited_nodes import as_edited
from .graph_defs import check_returned, content_of, element
from .graph_making import content_in, made_from
from .graph_writing import meta_graph_of
from .input_maps import forget_shapes, instead_of
from .meta_graph_messages import MetaGraphDef
from .saver import Saver
from .saver_def import SaverDef
from .scoped_graphs import exported, in_scope, without_scope

__all__ = ["described", "export_meta_graph", "export_scoped_meta_graph", "import_meta_graph", "import_scoped"]

UNBOUND_COLLECTION = "unbound_inputs"


def export_meta_graph(
    filename: Any = None,
    meta_info_def: Any = None,
    graph_def: GraphDef | None = None,
    saver_def: SaverDef | None = None,
    collection_list: Any = None,
    as_text: bool = False,
    graph: Graph | None = None,
    export_scope: str | None = None,
    clear_devices: bool = False,
    clear_extraneous_savers: bool = False,
    strip_default_attrs: bool = False,
    save_debug_info: bool = False,
    **kwargs: Any,
) -> MetaGraphDef:
    """Return a graph as it can be in a file, and write the file where its name is given.

    Args:
        filename: the file.
        meta_info_def: what is told of the graph besides, as its tags.
        graph_def: the operations that go along, by default all.
        saver_def: the settings of the saver that `import_meta_graph` returns, and with them its variables.
        collection_list: the names of the collections that go along, by default all.
        graph: the graph, by default the default graph.
        export_scope: the name scope whose operations go along, by default all; it is taken off their names. What they
            take from outside is called ``$unbound_inputs_`` and its name; the collection ``"unbound_inputs"`` has these
            names, and `import_meta_graph` needs them in ``input_map``.
        clear_devices: forget where nodes were asked to run.
        strip_default_attrs: leave attributes out of the message that have the values of their definitions.
        as_text, clear_extraneous_savers, save_debug_info: accepted for TensorFlow's sake: the file has one form, and no
            operations of savers.
        **kwargs: ``unbound_inputs_col_name``, another name of that collection, None for none.

    Raises:
        ValueError: for a graph that cannot be in a file: with functions of the program's own in it, such as those of
            ``py_func``. TypeError: for messages of other kinds, and for other arguments. RuntimeError: in eager mode.

    Source: ``tf.train.export_meta_graph``.
    """
    unbound = kwargs.pop("unbound_inputs_col_name", UNBOUND_COLLECTION)
    if kwargs:
        names = ", ".join(sorted(kwargs))
        raise TypeError(f"export_meta_graph() got unexpected keyword arguments: {names}")
    graph = get_default_graph() if graph is None else graph
    content = None if graph_def is None else described(graph, graph_def, saver_def, collection_list)
    message = exported(graph, saver_def, collection_list, filename, export_scope, clear_devices, content, unbound)
    if strip_default_attrs:
        message.strip_defaults()
    if meta_info_def is not None:
        message.meta_info_def.MergeFrom(meta_info_def)
    return message


def described(graph: Graph, graph_def: GraphDef, saved: SaverDef | None, keys: Any) -> dict[str, Any]:
    """Return the content of a message of nodes, with a graph's collections."""
    content, _ = content_of(graph_def)
    names = {entry["name"] for entry in content["operations"]}
    others = meta_graph_of(graph, saved, keys, only=(), outside=names)
    return {**content, **{key: others[key] for key in ("collections", "saver", "settings") if key in others}}


def import_meta_graph(
    meta_graph_or_file: Any, clear_devices: bool = False, import_scope: str | None = None, **kwargs: Any
) -> Saver | None:
    """Make the nodes of a file in the default graph; return the saver of its variables, None where it has none.

    The file is one that `export_meta_graph` or ``Saver.save`` wrote, with the same Python and this version of steepest:
    no code is in it, only names of this library's functions and plain values (docs/graphs.md). Names that are in the
    graph already get a number behind; a variable whose name is there is the one that is there.

    Args:
        meta_graph_or_file: the path, or what `export_meta_graph` returned.
        clear_devices: forget where nodes were asked to run.
        import_scope: put this before all names, with a number where it is taken, inside the name scope in force.
        **kwargs: ``input_map``, what stands for tensors of the file, as for ``tf.import_graph_def``;
            ``restore_collections_predicate``, which tells by their names which collections go along; ``graph``, by
            default the default graph; arguments of the saver, by default those of the saver that wrote the file.

    Raises:
        OSError: where there is no such file. ValueError: for a file of TensorFlow's or of another version, for a
        damaged one, for a graph that could not be written, and where ``input_map`` lacks what a scope's operations
        take from outside.

    Source: ``tf.train.import_meta_graph``.
    """
    own = ("input_map", "unbound_inputs_col_name", "restore_collections_predicate")
    options = {name: kwargs.pop(name) for name in own if kwargs.get(name) is not None}
    made = _Imported(meta_graph_or_file, clear_devices, kwargs.pop("graph", None), import_scope, **options)
    content, prefix = made.content, made.prefix
    by_name = {variable.op.name: variable for variable in made.variables}
    if content.get("saver") is None:  # all that the default graph has, where some of it is in the scope
        keys = (GraphKeys.GLOBAL_VARIABLES, GraphKeys.SAVEABLE_OBJECTS)
        there = any(get_default_graph().get_collection(key, import_scope) for key in keys)
        return Saver(**kwargs) if there else None
    chosen: dict[str, Any] = {}
    for name, ops in content["saver"].items():
        chosen[name] = by_name[prefix + ops] if isinstance(ops, str) else [by_name[prefix + op] for op in ops]
    return Saver(chosen, **{**content.get("settings", {}), **kwargs}) if chosen else None


class _Imported:
    """The nodes of a file, made in a graph: its content, what they are now, and the variables among them."""

    def __init__(
        self,
        given: Any,
        clear_devices: bool,
        graph: Graph | None,
        import_scope: str | None,
        input_map: Any = None,
        unbound_inputs_col_name: str | None = UNBOUND_COLLECTION,
        restore_collections_predicate: Callable[[str], bool] = lambda key: True,
        return_elements: Iterable[str] | None = None,
    ) -> None:
        graph = get_default_graph() if graph is None else graph
        with graph.as_default():
            content = self.content = _content(given)
            _check_bound(content, input_map, unbound_inputs_col_name)
            kept = {
                key: items
                for key, items in content["collections"].items()
                if key != unbound_inputs_col_name and restore_collections_predicate(key)
            }
            content = {**content, "collections": kept}
            elements = [] if return_elements is None else list(return_elements)
            for each in elements:
                check_returned(content, each)
            inside = graph.get_name_scope()
            with name_scope(import_scope or (f"{inside}/" if inside else "")) as prefix:
                self.prefix: str = prefix or ""
                self.instead = instead_of(content, {} if input_map is None else input_map, self.prefix)
                self.operations, self.variables = made_from(graph, content, self.prefix, clear_devices, self.instead)
                forget_shapes(content, self.instead, self.operations)
        self.elements = [element(self.operations, self.instead, each) for each in elements]
        self.graph = graph


def import_scoped(given: Any, clear_devices: bool, graph: Graph | None, scope: str | None, **options: Any) -> Any:
    """Make the nodes of a file in a graph; return its variables by their names there, and elements of these names.

    For arguments see `import_meta_graph`; ``return_elements``: names of operations and tensors. Raises ValueError in
    eager mode.
    """
    _check_mode("eager execution")
    made = _Imported(given, clear_devices, graph, scope, **options)
    prefix = made.prefix.rstrip("/")
    variables = made.graph.get_collection(GraphKeys.GLOBAL_VARIABLES, prefix or None)
    return {without_scope(each.name, prefix): each for each in variables}, made.elements


def export_scoped_meta_graph(
    filename: Any = None,
    graph_def: GraphDef | None = None,
    graph: Graph | None = None,
    export_scope: str | None = None,
    as_text: bool = False,
    unbound_inputs_col_name: str | None = UNBOUND_COLLECTION,
    clear_devices: bool = False,
    saver_def: SaverDef | None = None,
    clear_extraneous_savers: bool = False,
    strip_default_attrs: bool = False,
    save_debug_info: bool = False,
    **kwargs: Any,
) -> tuple[MetaGraphDef, dict[str, Variable]]:
    """Do what `export_meta_graph` does; return the variables too, by their names without the scope's."""
    if graph is None or graph_def is None:
        _check_mode("Eager Execution")
    graph = get_default_graph() if graph is None else graph
    keys, info = kwargs.pop("collection_list", None), kwargs.pop("meta_info_def", None)
    given = (filename, info, graph_def, saver_def, keys, as_text, graph, export_scope, clear_devices)
    kwargs.update(strip_default_attrs=strip_default_attrs, unbound_inputs_col_name=unbound_inputs_col_name)
    message = export_meta_graph(*given, **kwargs)
    variables = graph.get_collection(GraphKeys.GLOBAL_VARIABLES, export_scope)
    return message, {without_scope(v.name, export_scope): v for v in variables if in_scope(v.name, export_scope)}


def _check_mode(mode: str) -> None:
    if executing_eagerly():
        raise ValueError(f"Exporting/importing meta graphs is not supported when {mode} is enabled.")


def _check_bound(content: Mapping[str, Any], input_map: Any, key: str | None) -> None:
    """Raise ValueError where not all is given that a scope's operations take from outside."""
    items = content["collections"].get(key, ()) if key else ()
    names = [base64.b64decode(each["bytes"]).decode() for each in items]
    given = {} if input_map is None else input_map
    if names and sorted(names) != sorted(given):
        lacking = ",".join(name for name in names if name not in given)
        raise ValueError(f"Graph contains unbound inputs: {lacking}. Must provide these inputs through input_map.")


def _content(given: Any) -> dict[str, Any]:
    if isinstance(given, MetaGraphDef):
        content = given.content()
        if "graph_def" not in vars(given):
            assert content is not None
            return content
        if content is None:
            made, _ = content_of(given.graph_def)
            by_hand = MetaGraphDef({**made, "collections": {}}, collection_def=given.collection_def)
            return by_hand.content() or made
        return as_edited(given.graph_def, content)
    path = os.fspath(given)
    path = path.decode() if isinstance(path, bytes) else path
    if not os.path.exists(path):
        raise OSError(f"File {path} does not exist.")
    with open(path, "rb") as file:
        return content_in(file.read(), path)
