"""Which objects a checkpoint says that there are: as messages of TensorFlow's, and as a picture."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from .checkpoint_state import arrays_of, load_checkpoint
from .object_graphs import OBJECT_GRAPH, SavedNode, listed_objects, nodes_in
from .trackable import VARIABLE_VALUE_KEY

__all__ = ["ObjectGraph", "dot_graph_from_checkpoint", "graph_of_nodes", "list_objects", "object_metadata"]


class _Child(NamedTuple):
    node_id: int
    local_name: str


class _Attribute(NamedTuple):
    name: str
    full_name: str
    checkpoint_key: str


class _Slot(NamedTuple):
    original_variable_node_id: int
    slot_name: str
    slot_variable_node_id: int


class _Node(NamedTuple):
    children: list[_Child]
    attributes: list[_Attribute]
    slot_variables: list[_Slot]


class ObjectGraph(NamedTuple):
    """The objects, whose numbers are their places."""

    nodes: list[_Node]


def list_objects(root_trackable: Any) -> list[Any]:
    """Return an object and all that it depends on."""
    return listed_objects(root_trackable)


def graph_of_nodes(nodes: list[SavedNode]) -> ObjectGraph:
    """Return objects of a file as the message that tells of them."""
    return ObjectGraph(
        [
            _Node(
                [_Child(number, name) for name, number in node.children.items()],
                [_Attribute(name, full, key) for name, (full, key) in node.attributes.items()],
                [_Slot(*each) for each in node.slots],
            )
            for node in nodes
        ]
    )


def object_metadata(save_path: str) -> ObjectGraph:
    """Return which objects a checkpoint says that there are; ValueError for one that does not say it."""
    load_checkpoint(save_path)
    arrays: Mapping[str, Any] = arrays_of(save_path)
    if OBJECT_GRAPH not in arrays:
        raise ValueError(
            f'The specified checkpoint "{save_path}" does not appear to be object-based (saved with TF2) since it is '
            f'missing the key "{OBJECT_GRAPH}".'
        )
    return graph_of_nodes(nodes_in(arrays))


def dot_graph_from_checkpoint(save_path: str) -> str:
    """Return the objects of a checkpoint, and what depends on what, in the language of ``dot``.

    Raises ValueError for a checkpoint that does not say which objects there are.

    Source: ``tf.contrib.checkpoint.dot_graph_from_checkpoint``.
    """
    reader, nodes = load_checkpoint(save_path), object_metadata(save_path).nodes
    shapes, types = reader.get_variable_to_shape_map(), reader.get_variable_to_dtype_map()
    slots = {each.slot_variable_node_id for node in nodes for each in node.slot_variables}
    lines = ["digraph {"]
    for number, node in enumerate(nodes):
        look = 'label="" width=.25'
        if [each.name for each in node.attributes] == [VARIABLE_VALUE_KEY]:
            color, what = ("orange", "Slot variable") if number in slots else ("blue", "Variable")
            (held,) = node.attributes
            told = f"{_quoted(held.full_name)} shape={shapes[held.checkpoint_key]} {types[held.checkpoint_key].name}"
            look = f'label="" color={color} width=.25 tooltip="{what} {told}"'
        elif node.slot_variables:
            look += ' color=red,tooltip="Optimizer"'
        lines += [f"N_{number} [shape=point {look}]", *_arrows(number, node)]
    return "\n".join([*lines, "}", ""])


def _arrows(number: int, node: _Node) -> Iterator[str]:
    for child in node.children:
        yield f'N_{number} -> N_{child.node_id} [label="{_quoted(child.local_name)}"]'
    for slot in node.slot_variables:
        yield f'N_{number} -> N_{slot.slot_variable_node_id} [label="{_quoted(slot.slot_name)}" style=dotted]'
        yield f"N_{slot.original_variable_node_id} -> N_{slot.slot_variable_node_id} [style=dotted]"


def _quoted(name: str) -> str:
    return name.replace('"', '\\"')
