"""Functions in a saved model: a body's nodes and what it takes from outside, and functions made of these again."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from ...variables.variable import Variable as CoreVariable
from ..functions.captures import CapturingGraph
from ..functions.concrete_functions import ConcreteFunction
from ..functions.forms import Form
from ..functions.function_graphs import FunctionGraph
from ..functions.function_internals import Options
from ..functions.graph_functions import NotForFilesError
from ..functions.traced_functions import Function
from ..graph.attr_values import AttrValue
from ..graph.constants import constant
from ..graph.graph import Graph, default_graphs_set_aside, get_default_graph
from ..graph.mode import eagerly
from ..graph.node import Node, Operation
from ..graph.walks import needs_of, reached
from ..ops.loop_ops import leaves, rebuilt
from ..saving.graph_lifting import UnliftableError
from ..saving.graph_making import made_from
from ..saving.graph_writing import meta_graph_of
from ..saving.input_maps import Instead
from ..variables.handles import variable_of
from ..variables.variable_spec import VariableSpec, with_variable_specs
from ..variables.variables import Variable
from . import structures

__all__ = ["concrete_described", "concrete_made", "function_body", "signature_described", "signature_made"]


def signature_described(signature: inspect.Signature) -> list[Any]:
    """Return the parameters of a function as JSON has them; a default that cannot be in a file is None."""
    return [
        [each.name, int(each.kind), None if each.default is each.empty else [_default(each.default)]]
        for each in signature.parameters.values()
    ]


def _default(value: Any) -> Any:
    try:
        return structures.described(value)
    except NotForFilesError:
        return structures.described(None)


def signature_made(described: list[Any]) -> inspect.Signature:
    """Return the signature that was described."""
    return inspect.Signature(
        [
            inspect.Parameter(
                name,
                inspect._ParameterKind(kind),
                default=inspect.Parameter.empty if default is None else structures.made(default[0]),
            )
            for name, kind, default in described
        ]
    )


def concrete_described(concrete: ConcreteFunction, number_of: Callable[[Any], Any]) -> dict[str, Any]:
    """Return a function as JSON has it.

    ``number_of`` gives what stands in the file for a value that the function takes from outside. NotForFilesError for
    a body of which a file cannot hold all.
    """
    graph, inputs, results, captures, names = _parts(concrete)
    variables = _distinct(concrete._form)
    nodes = {id(value): _form_of(node)[1:] for value, node in captures}
    given = [nodes.get(id(variable), []) for variable in variables]
    own = {id(variable) for variable in variables}
    held = [[_form_of(node), number_of(value)] for value, node in captures if id(value) not in own]
    return {
        "name": concrete.name.decode().removeprefix("__inference_"),
        "form": structures.described(with_variable_specs([list(concrete._form.positional), concrete._form.named])),
        **_nodes_described(graph, inputs, results, names, held, given),
        "signature": signature_described(concrete._signature),
        "defaults": {name: structures.described(value) for name, value in getattr(concrete, "_defaults", {}).items()},
        "attributes": {name: value.SerializeToString().hex() for name, value in concrete._attributes.items()},
    }


def _nodes_described(
    graph: Graph, inputs: Sequence[Any], results: Any, names: set[str], held: list[Any], given: list[list[str]]
) -> dict[str, Any]:
    """Return nodes of a graph as JSON has them: what is ``held`` from outside, and which variables are ``given``."""
    known = [node.op.name for node in inputs]
    outside = {*known, *(name for form, _ in held for name in form[1:]), *(name for each in given for name in each)}
    body = meta_graph_of(graph, None, (), only=names - outside, outside=outside)
    shown = structures.described(_bare(results))
    return {"inputs": known, "variables": given, "captures": held, "body": _whole(body), "results": shown}


def function_body(
    graph: Graph, inputs: Sequence[Any], results: Any, variables: Mapping[Any, Any]
) -> Callable[[Sequence[Any]], Any]:
    """Return a function that makes the nodes between inputs and results of a graph where it is called.

    ``variables`` are those that are taken there for the variables of the graph. UnliftableError where the results need
    a placeholder that is no input; NotForFilesError where a file could not hold all of the nodes.
    """
    ends = {node.op for node in inputs}
    owners = {variable.op: variable for variable in variables}
    starts = [leaf if isinstance(leaf, Operation) else leaf._tensor().op for leaf in leaves(results)]

    def before(op: Operation) -> list[Operation]:
        return [] if op in ends or op in owners else needs_of(op)

    needed = reached(starts, before)
    if lacking := [op for op in needed - ends if op.type == "Placeholder"]:
        raise UnliftableError(
            f"Unable to lift tensor {starts[0]!r} because it depends transitively on placeholder {lacking[0]!r} via at "
            "least one path"
        )
    used = [variable for op, variable in owners.items() if op in needed or op in _targets(needed)]
    held = [[_form_of(variable), number] for number, variable in enumerate(used)]
    names = {op.name for op in needed if op not in owners}
    body = _Body(_nodes_described(graph, inputs, results, names, held, []), lambda number: variables[used[number]])
    return lambda tensors: body(tensors, ())


def _parts(concrete: ConcreteFunction) -> tuple[Graph, list[Any], Any, list[tuple[Any, Any]], set[str]]:
    """Return graph, inputs, results, what is taken from outside with its nodes, and the names of the body's nodes."""
    graph, inputs, results = concrete._traced()
    if isinstance(graph, FunctionGraph):
        if not graph.saveable:
            raise ValueError(
                f"Unable to save function {concrete.name!r} for the following reason(s):\n"
                + "\n".join(sorted(graph._saving_errors))
            )
        captures = list(graph._captures.values())
        return graph, inputs[: len(concrete._specs)], results, captures, set(graph._operations)
    begin = graph.version
    graph, inputs, results = concrete._in(graph)
    body = graph.get_operations()[begin:]
    within = set(body)
    needed = reached(
        body, lambda op: [] if "owner" in op._attributes else [*(t.op for t in op.operands), *op.control_inputs]
    )
    owned = {op: op._attributes["owner"] for op in [*needed, *_targets(body)] if "owner" in op._attributes}
    held = [(owner, owner) for owner in dict.fromkeys(owned.values())]
    return graph, inputs, results, held, {op.name for op in [*needed, *within] if op not in owned}


def _distinct(form: Form) -> list[Any]:
    """Return the variables among arguments, each once."""
    return list({id(leaf): leaf for leaf in form.leaves() if isinstance(leaf, CoreVariable)}.values())


def _targets(body: Iterable[Operation]) -> list[Operation]:
    return [op._attributes["target"] for op in body if isinstance(op._attributes.get("target"), Operation)]


def _form_of(node: Any) -> list[str]:
    """Return what stands for something from outside: its kind, and the names of its operations."""
    if not isinstance(node, Variable):
        return ["tensor", node.op.name]
    first = node.initial_value
    names = [node.op.name, node.initializer.name, *([first.op.name] if isinstance(first, Node) else [])]
    return ["variable", *names]


def _bare(nest: Any) -> Any:
    """Return results with the tensors of variables in place of these."""
    return rebuilt(nest, [leaf._tensor() if isinstance(leaf, Node) else leaf for leaf in leaves(nest)])


def _whole(body: dict[str, Any]) -> dict[str, Any]:
    """Return a body; NotForFilesError where a part of it cannot be in a file."""
    for name, reason in body.get("left out", {}).items():
        raise NotForFilesError(reason or name)
    return body


class _Body:
    """The nodes of a function, made in the graph in which it is called.

    Args:
        content: what `concrete_described` returned.
        outside: gives what a number of the file stands for.
    """

    def __init__(self, content: Mapping[str, Any], outside: Callable[[Any], Any]) -> None:
        self._content, self._outside = content, outside

    def __call__(self, tensors: Sequence[Any], variables: Sequence[Any]) -> Any:
        """Return the results for tensors and variables."""
        graph, content, instead = get_default_graph(), self._content, Instead()
        for name, tensor in zip(content["inputs"], tensors, strict=True):
            instead.tensors[name, 0] = tensor._tensor()
        taken = [(names, variable) for names, variable in zip(content["variables"], variables, strict=True) if names]
        for (kind, *names), number in content["captures"]:
            value = self._outside(number)
            if kind == "variable":
                taken.append((names, variable_of(value)))
            else:
                instead.tensors[names[0], 0] = _in_graph(value)._tensor()
        for names, variable in taken:
            inside = _in_graph(variable)
            instead.tensors[names[0], 0] = inside._tensor()
            instead.variables[names[0]] = inside
            instead.waited.update(zip(names, (inside.op, inside.initializer), strict=False))
        scope = graph.get_name_scope()
        operations, _ = made_from(graph, content["body"], f"{scope}/" if scope else "", instead=instead, apart=True)

        def found(name: str, position: int) -> Any:
            given = instead.tensors.get((name, position))
            return operations[name].outputs[position] if given is None else given

        return structures.made(content["results"], found)


def _in_graph(value: Any) -> Any:
    """Return what stands for a value in the graph that is made."""
    graph: Any = get_default_graph()
    if isinstance(value, Node) and value.graph is graph:
        return value
    return graph._captured(value) if isinstance(graph, CapturingGraph) else constant(value.numpy(), value.dtype)


def concrete_made(
    content: Mapping[str, Any], outside: Callable[[Any], Any], kind: type[ConcreteFunction] = ConcreteFunction
) -> ConcreteFunction:
    """Return the function that was described; ``outside`` gives what a number of the file stands for."""
    positional, named = _with_variables(structures.made(content["form"]))
    form, body = Form(tuple(positional), named), _Body(content, outside)
    own = [leaf for leaf in form.leaves() if isinstance(leaf, CoreVariable)]

    def call(*args: Any, **kwargs: Any) -> Any:
        tensors, variables = made._parameters.given(form, args, kwargs)
        distinct = {id(one): other for one, other in zip(own, variables, strict=True)}
        return body(tensors, list(distinct.values()))

    call.__name__ = call.__qualname__ = content["name"]
    call.__signature__ = signature_made(content["signature"])  # type: ignore[attr-defined]  # inspect reads it
    inner = Function(call, None, Options(False))
    made = kind(content["name"], form, inner, inner._trace, inner._takes)
    made._restored = True
    attributes = content["attributes"].items()
    made._attributes = {name: AttrValue.FromString(bytes.fromhex(text)) for name, text in attributes}
    return made


def _with_variables(nest: Any) -> Any:
    """Return a nest of arguments with variables for the specs of such: a function is made for variables like these."""
    made: dict[Any, Any] = {}

    def variable(leaf: Any) -> Any:
        if not isinstance(leaf, VariableSpec):
            return leaf
        if leaf.alias_id not in made:
            sizes = [size or 0 for size in leaf.shape.as_list()] if leaf.shape.ndims is not None else []
            with default_graphs_set_aside(), eagerly():
                first = np.zeros(sizes, leaf.dtype.as_numpy_dtype)
                made[leaf.alias_id] = Variable(first, leaf.trainable, [], shape=leaf.shape, dtype=leaf.dtype)
        return made[leaf.alias_id]

    return rebuilt(nest, [variable(leaf) for leaf in leaves(nest)])
