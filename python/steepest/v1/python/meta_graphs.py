"""What ``framework.meta_graph`` has beside the public functions: parts of graphs by scopes, and what they hold."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import Any

from ...base.errors import must
from ..graph.graph import Graph, get_default_graph
from ..graph.graph_def import GraphDef
from ..graph.op_defs import OpList
from ..saving.graph_making import content_in
from ..saving.graph_writing import meta_graph_of
from ..saving.meta_graph import UNBOUND_COLLECTION, described, export_scoped_meta_graph, import_scoped
from ..saving.meta_graph_messages import CollectionDef, MetaGraphDef, MetaInfoDef, info_of, ops_of, stripped
from ..saving.scoped_graphs import exported, put_collection

__all__ = [
    "CollectionDef",
    "MetaGraphDef",
    "add_collection_def",
    "copy_scoped_meta_graph",
    "create_meta_graph_def",
    "export_scoped_meta_graph",
    "import_scoped_meta_graph",
    "import_scoped_meta_graph_with_return_elements",
    "ops_used_by_graph_def",
    "read_meta_graph_file",
    "strip_graph_default_valued_attrs",
    "stripped_op_list_for_graph",
]


def read_meta_graph_file(filename: Any) -> MetaGraphDef:
    """Return the message of a file; OSError where there is none, ValueError for a file that is not ours."""
    if not os.path.exists(filename):
        raise OSError(f"File {filename} does not exist.")
    with open(filename, "rb") as file:
        return MetaGraphDef(content_in(file.read(), filename))


def import_scoped_meta_graph(
    meta_graph_or_file: Any,
    clear_devices: bool = False,
    graph: Graph | None = None,
    import_scope: str | None = None,
    input_map: Any = None,
    unbound_inputs_col_name: str | None = UNBOUND_COLLECTION,
    restore_collections_predicate: Callable[[str], bool] = lambda key: True,
) -> dict[str, Any]:
    """Make the nodes of a file or a message in a graph; return its variables by their names without the scope's.

    Raises ValueError in eager mode, and where ``input_map`` lacks what the nodes take from outside.
    """
    return import_scoped_meta_graph_with_return_elements(
        meta_graph_or_file,
        clear_devices,
        graph,
        import_scope,
        input_map,
        unbound_inputs_col_name,
        restore_collections_predicate,
    )[0]


def import_scoped_meta_graph_with_return_elements(
    meta_graph_or_file: Any,
    clear_devices: bool = False,
    graph: Graph | None = None,
    import_scope: str | None = None,
    input_map: Any = None,
    unbound_inputs_col_name: str | None = UNBOUND_COLLECTION,
    restore_collections_predicate: Callable[[str], bool] = lambda key: True,
    return_elements: Iterable[str] | None = None,
) -> tuple[dict[str, Any], list[Any] | None]:
    """Do what `import_scoped_meta_graph` does; return besides what these names of the message have become."""
    variables, elements = import_scoped(
        meta_graph_or_file,
        clear_devices,
        graph,
        import_scope,
        input_map=input_map,
        unbound_inputs_col_name=unbound_inputs_col_name,
        restore_collections_predicate=restore_collections_predicate,
        return_elements=return_elements,
    )
    return variables, None if return_elements is None else elements


def copy_scoped_meta_graph(
    from_scope: str, to_scope: str, from_graph: Graph | None = None, to_graph: Graph | None = None
) -> dict[str, Any]:
    """Make the nodes of a scope again in another one; return their variables. Raises ValueError for the same scope."""
    from_graph = get_default_graph() if from_graph is None else from_graph
    to_graph = get_default_graph() if to_graph is None else to_graph
    if from_graph is to_graph and from_scope == to_scope:
        raise ValueError("'from_scope' and 'to_scope' need to be different when performing copy in the same graph.")
    message, _ = export_scoped_meta_graph(export_scope=from_scope, graph=from_graph)
    return import_scoped_meta_graph(message, graph=to_graph, import_scope=to_scope)


def create_meta_graph_def(
    meta_info_def: MetaInfoDef | None = None,
    graph_def: GraphDef | None = None,
    saver_def: Any = None,
    collection_list: Any = None,
    graph: Graph | None = None,
    export_scope: str | None = None,
    exclude_nodes: Any = None,
    clear_extraneous_savers: bool = False,
    strip_default_attrs: bool = False,
) -> MetaGraphDef:
    """Return the message of a graph's nodes, or of those of ``graph_def``, and of its collections.

    Raises TypeError for messages of other kinds.
    """
    for name, given, kind in (("meta_info_def", meta_info_def, MetaInfoDef), ("graph_def", graph_def, GraphDef)):
        if given is not None and not isinstance(given, kind):
            raise TypeError(f"{name} must be of type {kind.__name__}, not {type(given)}")
    if exclude_nodes is not None:
        raise ValueError(must("create_meta_graph_def", "exclude_nodes", "be None", exclude_nodes))
    graph = get_default_graph() if graph is None else graph
    if graph_def is not None and graph_def.content() is None:  # of nodes that may be of no known type
        nodes = GraphDef()
        nodes.CopyFrom(graph_def)
        items = MetaGraphDef(meta_graph_of(graph, saver_def, collection_list, only=())).collection_def
        message = MetaGraphDef(meta_info_def=info_of(nodes), graph_def=nodes, collection_def=items)
        if strip_default_attrs:
            strip_graph_default_valued_attrs(message)
    else:
        content = None if graph_def is None else described(graph, graph_def, saver_def, collection_list)
        message = exported(graph, saver_def, collection_list, None, export_scope, False, content)
        if strip_default_attrs:
            message.strip_defaults()
    if meta_info_def is not None:
        message.meta_info_def.MergeFrom(meta_info_def)
    return message


def add_collection_def(
    meta_graph_def: MetaGraphDef,
    key: str,
    graph: Graph | None = None,
    export_scope: str | None = None,
    exclude_nodes: Any = None,
    override_contents: Any = None,
) -> None:
    """Put a collection of a graph into a message. Raises TypeError for what is no graph."""
    if graph is not None and not isinstance(graph, Graph):
        raise TypeError(f"graph must be of type Graph, not {type(graph)}")
    for name, given in (("exclude_nodes", exclude_nodes), ("override_contents", override_contents)):
        if given is not None:
            raise ValueError(must("add_collection_def", name, "be None", given))
    graph = get_default_graph() if graph is None else graph
    put_collection(meta_graph_def, graph, key, export_scope)


def stripped_op_list_for_graph(graph_def: GraphDef) -> OpList:
    """Return the definitions of the types of a graph's operations, those of its functions included."""
    return ops_of(graph_def)


def ops_used_by_graph_def(graph_def: GraphDef) -> set[str]:
    """Return the types of a graph's operations, those of its functions included."""
    return {op_def.name for op_def in ops_of(graph_def).op}


def strip_graph_default_valued_attrs(meta_graph_def: MetaGraphDef) -> None:
    """Take attributes out of the messages of nodes that have the values of their types' definitions."""
    graph_def = meta_graph_def.graph_def
    for node in [*graph_def.node, *(node for each in graph_def.library.function for node in each.node_def)]:
        stripped(node)
    meta_graph_def.meta_info_def.stripped_default_attrs = True
