"""Graphs and functions of messages of functions: ``function_def_to_graph``, and functions of a library."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..functions.defined_functions import _DefinedFunction
from ..functions.function_graphs import FunctionGraph
from ..graph.attr_values import AttrValue
from ..graph.dtypes import as_dtype
from ..graph.graph_def import FunctionDef, FunctionDefLibrary, GraphDef, NodeDef
from ..graph.op_registry import defined
from ..graph.shapes import TensorShape
from .graph_defs import import_graph_def

__all__ = ["_from_definition", "from_library", "function_def_to_graph", "function_def_to_graph_def"]


def function_def_to_graph(
    fdef: FunctionDef,
    input_shapes: Sequence[Any] | None = None,
    structured_input_signature: Any = None,
    structured_outputs: Any = None,
    **accepted: Any,
) -> FunctionGraph:
    """Return the graph of the message of a function: ``inputs`` stand for its arguments, ``outputs`` are its results.

    Args:
        fdef: the message.
        input_shapes: what is known of the arguments' shapes, None for nothing.
        structured_input_signature, structured_outputs: what the graph is to tell of them.

    Raises ValueError for another number of shapes than of arguments.

    Source: ``tensorflow/python/framework/function_def_to_graph.py``.
    """
    del accepted
    graph_def, names = function_def_to_graph_def(fdef, input_shapes)
    graph = FunctionGraph(fdef.signature.name)
    graph.structured_input_signature, graph.structured_outputs = structured_input_signature, structured_outputs
    with graph.as_default():
        import_graph_def(graph_def, name="")
    graph.inputs = [graph.get_tensor_by_name(f"{arg.name}:0") for arg in fdef.signature.input_arg]
    results = [names.get(fdef.ret[arg.name], fdef.ret[arg.name]) for arg in fdef.signature.output_arg]
    graph.outputs = [graph.get_tensor_by_name(each) for each in results]
    graph.control_outputs = [graph.get_operation_by_name(each) for each in fdef.control_ret.values()]
    return graph


def function_def_to_graph_def(
    fdef: FunctionDef, input_shapes: Sequence[Any] | None = None, **accepted: Any
) -> tuple[GraphDef, dict[str, str]]:
    """Return the message of a graph for that of a function, with placeholders for its arguments, and new names.

    What a body calls ``"node:result:0"`` is ``"node:0"`` in a graph; the map tells it for all tensors, and ``"^node"``.

    Raises ValueError for another number of shapes than of arguments.
    """
    del accepted
    arguments = fdef.signature.input_arg
    if input_shapes is not None and len(input_shapes) != len(arguments):
        raise ValueError(
            f"Length of `input_shapes` must match the number of `input_arg`s in `fdef`. Got {len(input_shapes)} "
            f"`input_shapes` and {len(arguments)} `input_arg`s."
        )
    nodes, names = [], {}
    for place, arg in enumerate(arguments):
        node = NodeDef(arg.name, "Placeholder", attr={"dtype": AttrValue(type=arg.type)})
        if input_shapes is not None and input_shapes[place] is not None:
            node.attr["shape"].shape.CopyFrom(TensorShape(input_shapes[place]).as_proto())
        nodes.append(node)
        names.update({arg.name: f"{arg.name}:0", f"^{arg.name}": f"^{arg.name}"})
    for each in fdef.node_def:
        names[f"^{each.name}"] = f"^{each.name}"
        names.update({inside: f"{each.name}:{k}" for k, inside in enumerate(_results(each))})
    for each in fdef.node_def:
        made = NodeDef()
        made.CopyFrom(each)
        made.operation = None
        made.input[:] = [names.get(name, name) for name in each.input]
        nodes.append(made)
    graph_def = GraphDef(nodes)
    graph_def.versions.producer = 27
    return graph_def, names


def _results(node: NodeDef) -> list[str]:
    """Return what a body calls the results of a node."""
    definition = defined(node.op)
    found: list[str] = []
    for arg in () if definition is None else definition.output_arg:
        count = 1
        if arg.number_attr:
            count = node.attr[arg.number_attr].i
        elif arg.type_list_attr:
            count = len(node.attr[arg.type_list_attr].list.type)
        found += [f"{node.name}:{arg.name}:{k}" for k in range(count)]
    return found


def _from_definition(fdef: FunctionDef, grad_func: Any = None) -> _DefinedFunction:
    """Return the function of a message: calls make its body's nodes. Source: ``function._from_definition``."""
    graph_def, names = function_def_to_graph_def(fdef)
    arguments, results = fdef.signature.input_arg, fdef.signature.output_arg
    returned = [names.get(fdef.ret[arg.name], fdef.ret[arg.name]) for arg in results]

    def body(*given: Any) -> Any:
        known = {f"{arg.name}:0": tensor for arg, tensor in zip(arguments, given, strict=True)}
        return import_graph_def(graph_def, known, returned)

    types = tuple(as_dtype(arg.type) for arg in arguments)
    made = _DefinedFunction(body, types, fdef.signature.name, grad_func, out_names=[arg.name for arg in results])
    made._definition = fdef
    return made


def from_library(lib: FunctionDefLibrary) -> list[_DefinedFunction]:
    """Return the functions of a library, with the gradients that it says.

    Raises ValueError where it lacks one of them, and for functions that are each other's gradients.

    Source: ``function.from_library``.
    """
    functions = {each.signature.name: each for each in lib.function}
    gradients = {each.function_name: each.gradient_func for each in lib.gradient}
    for name in [name for pair in gradients.items() for name in pair]:
        if name not in functions:
            raise ValueError(f"FunctionDefLibrary missing '{name}' FunctionDef\n{lib}")
    made: dict[str, _DefinedFunction] = {}
    while len(made) < len(functions):
        ready = [name for name in functions if name not in made and gradients.get(name) in (None, *made)]
        if not ready:
            raise ValueError(f"FunctionDefLibrary contains cyclic gradient functions!\n{lib}")
        for name in ready:
            made[name] = _from_definition(functions[name], made.get(gradients.get(name, "")))
    return list(made.values())
