"""``tf.profiler``: how many parameters a graph has, and how many sums and products of floats its operations take."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..base.errors import must
from ..variables.collections import GraphKeys
from .graph.graph import get_default_graph
from .graph.missing import namespace

__all__ = ["GraphNodeProto", "ProfileOptionBuilder", "Profiler", "profile"]

__getattr__, __dir__ = namespace(__name__)

_TRAINABLE = "_trainable_variables"
_COUNTED = {"params": "parameters", "float_ops": "float_ops"}
_UNITS = {"params": "params", "float_ops": "flops"}
_FROM = {"params": "min_params", "float_ops": "min_float_ops"}
_DEFAULTS: dict[str, Any] = {
    "max_depth": 10000, "min_params": 0, "min_float_ops": 0, "order_by": "name", "account_type_regexes": [".*"],
    "start_name_regexes": [".*"], "trim_name_regexes": [], "show_name_regexes": [".*"], "hide_name_regexes": [],
    "account_displayed_op_only": True, "select": ["params"], "step": -1, "output": "stdout",
}  # fmt: skip


class ProfileOptionBuilder:
    """Options of `profile`, begun by one of the static methods and changed by the others; `build` returns them.

    Source: ``tf.profiler.ProfileOptionBuilder``. Time and memory are not measured here.
    """

    def __init__(self, options: Mapping[str, Any] | None = None) -> None:
        self._options = dict(_DEFAULTS if options is None else options)

    @staticmethod
    def trainable_variables_parameter() -> dict[str, Any]:
        """Return the options that count the elements of trainable variables."""
        return _DEFAULTS | {"account_type_regexes": [_TRAINABLE]}

    @staticmethod
    def float_operation() -> dict[str, Any]:
        """Return the options that count sums and products of floats."""
        return _DEFAULTS | {"min_float_ops": 1, "order_by": "float_ops", "select": ["float_ops"]}

    def _with(self, **options: Any) -> ProfileOptionBuilder:
        self._options |= options
        return self

    def build(self) -> dict[str, Any]:
        """Return the options."""
        return dict(self._options)

    def with_max_depth(self, max_depth: int) -> ProfileOptionBuilder:
        """Show scopes as deep as this."""
        return self._with(max_depth=max_depth)

    def with_min_parameters(self, min_params: int) -> ProfileOptionBuilder:
        """Show what has as many parameters at least."""
        return self._with(min_params=min_params)

    def with_min_float_operations(self, min_float_ops: int) -> ProfileOptionBuilder:
        """Show what takes as many operations at least."""
        return self._with(min_float_ops=min_float_ops)

    def with_accounted_types(self, account_type_regexes: list[str]) -> ProfileOptionBuilder:
        """Count operations whose type matches one of these patterns, or ``_trainable_variables``."""
        return self._with(account_type_regexes=list(account_type_regexes))

    def with_node_names(
        self,
        start_name_regexes: list[str] | None = None,
        show_name_regexes: list[str] | None = None,
        hide_name_regexes: list[str] | None = None,
        trim_name_regexes: list[str] | None = None,
    ) -> ProfileOptionBuilder:
        """Show operations by patterns of their names."""
        given = {"start": start_name_regexes, "show": show_name_regexes, "hide": hide_name_regexes}
        given["trim"] = trim_name_regexes
        return self._with(**{f"{key}_name_regexes": list(value) for key, value in given.items() if value is not None})

    def account_displayed_op_only(self, is_true: bool) -> ProfileOptionBuilder:
        """Let totals be of what is shown alone."""
        return self._with(account_displayed_op_only=is_true)

    def select(self, attributes: list[str]) -> ProfileOptionBuilder:
        """Count ``"params"`` or ``"float_ops"``."""
        return self._with(select=list(attributes))

    def order_by(self, attribute: str) -> ProfileOptionBuilder:
        """Show by ``"name"``, or the largest ``"params"`` or ``"float_ops"`` first."""
        return self._with(order_by=attribute)

    def with_file_output(self, outfile: str) -> ProfileOptionBuilder:
        """Write the report to a file."""
        return self._with(output=f"file:outfile={outfile}")

    def with_stdout_output(self) -> ProfileOptionBuilder:
        """Print the report."""
        return self._with(output="stdout")

    def with_empty_output(self) -> ProfileOptionBuilder:
        """Write no report."""
        return self._with(output="none")


@dataclass
class GraphNodeProto:
    """What a scope or an operation has, and in ``total_...`` what is shown of it and below it."""

    name: str
    parameters: int = 0
    float_ops: int = 0
    total_parameters: int = 0
    total_float_ops: int = 0
    shape: tuple[int, ...] | None = None
    children: list[GraphNodeProto] = field(default_factory=list)


def profile(
    graph: Any = None, run_meta: Any = None, op_log: Any = None, cmd: str = "scope", options: Any = None
) -> GraphNodeProto:
    """Count what a graph's operations have, by their scopes, and report it as the options say.

    ``options`` are those of `ProfileOptionBuilder`, by default ``trainable_variables_parameter()``. Operations of
    floats are counted where the graph knows the shapes; those of gradients and optimizers, which are one operation
    each, are not. Returns the root, whose ``total_parameters`` and ``total_float_ops`` are the sums.

    Raises:
        ValueError: for another ``cmd`` than "scope", for selections that are not "params" or "float_ops".

    Source: ``tf.profiler.profile``.
    """
    del run_meta, op_log  # of times and memory, which are not measured
    chosen = _DEFAULTS | dict(ProfileOptionBuilder.trainable_variables_parameter() if options is None else options)
    if cmd != "scope":
        raise ValueError(must("profile", "cmd", "be 'scope'", repr(cmd)))
    wanted = [name for name in chosen["select"] if name in _COUNTED]
    if not wanted:
        raise ValueError(must("profile", "select", "have 'params' or 'float_ops'", repr(chosen["select"])))
    root = _tree(graph or get_default_graph(), chosen)
    (shown,) = _shown(root, chosen, wanted, 0) or [root]
    if chosen["output"] != "none":
        report = _report(shown, chosen, wanted)
        kind, _, path = chosen["output"].partition(":outfile=")
        if kind == "file":
            Path(path).write_text(report)
        else:
            print(report)
    return shown


class Profiler:
    """`profile` of one graph, again and again. Source: ``tf.profiler.Profiler``, of which this has name scopes."""

    def __init__(self, graph: Any = None, op_log: Any = None) -> None:
        self._graph, self._op_log = get_default_graph() if graph is None else graph, op_log

    def add_step(self, step: int, run_meta: Any) -> None:
        """Accept what a run has told: time and memory are not measured."""

    def profile_name_scope(self, options: Mapping[str, Any]) -> GraphNodeProto:
        """Return, and write, what `profile` counts by name scopes."""
        return profile(self._graph, op_log=self._op_log, options=options)


def _tree(graph: Any, options: Mapping[str, Any]) -> GraphNodeProto:
    """Return all operations by their scopes."""
    trainable = {variable.op for variable in graph.get_collection(GraphKeys.TRAINABLE_VARIABLES)}
    root = GraphNodeProto("_TFProfRoot")
    nodes = {"": root}
    for op in graph.get_operations():
        types = [op.type, *([_TRAINABLE] if op in trainable else [])]
        if not any(re.fullmatch(pattern, kind) for pattern in options["account_type_regexes"] for kind in types):
            continue
        parts = op.name.split("/")
        for depth in range(1, len(parts) + 1):
            name, above = "/".join(parts[:depth]), "/".join(parts[: depth - 1])
            if name not in nodes:
                nodes[name] = GraphNodeProto(name)
                nodes[above].children.append(nodes[name])
        node = nodes[op.name]
        if op.type == "VariableV2":
            node.shape = tuple(op.outputs[0].shape.as_list())
            node.parameters = math.prod(node.shape)
        node.float_ops = _float_ops(op)
    return root


def _elements(shape: Any) -> int | None:
    return None if shape is None or None in shape else math.prod(shape)


def _of_product(op: Any, out: int) -> int | None:
    inner = op.operands[0]._shape
    turned = op.outputs[0]._shape
    if inner is None or None in inner or turned is None:
        return None
    summed: int = math.prod(inner) // max(math.prod(turned[:-1]), 1)
    return 2 * out * summed


def _per_element(count: int) -> Callable[[Any, int], int | None]:
    return lambda op, out: out * count


def _of_input(op: Any, out: int) -> int | None:
    size = _elements(op.operands[0]._shape)
    return None if size is None else size - (0 if op.type == "Mean" else out)


# As TensorFlow counts them: for each element of the result, or by a function.
_OF_ELEMENTS = {
    1: "Add AddV2 BiasAdd Equal Greater GreaterEqual Less LessEqual Log Maximum Minimum Mul Neg NotEqual Pow RealDiv",
    2: "Rsqrt SquaredDifference",
    5: "Softmax",
}
_OF_ELEMENTS[1] += " Reciprocal Square Sub"
_FLOAT_OPS: dict[str, Callable[[Any, int], int | None]] = {
    **{op_type: _per_element(count) for count, types in _OF_ELEMENTS.items() for op_type in types.split()},
    **dict.fromkeys(("ArgMax", "ArgMin", "Mean", "Sum"), _of_input),
    "L2Loss": lambda op, out: None if (size := _elements(op.operands[0]._shape)) is None else 3 * size - 1,
    "MatMul": _of_product,
}


def _float_ops(op: Any) -> int:
    count = _FLOAT_OPS.get(op.type)
    out = _elements(op.outputs[0]._shape) if op.outputs else None
    return 0 if count is None or out is None else count(op, out) or 0


def _shown(node: GraphNodeProto, options: Mapping[str, Any], wanted: list[str], depth: int) -> list[GraphNodeProto]:
    """Return a node with what is shown below it, or that alone where the node itself is not shown."""

    def matches(which: str, name: str) -> bool:
        return any(re.fullmatch(pattern, name) for pattern in options[f"{which}_name_regexes"])

    below: list[GraphNodeProto] = []
    if not matches("trim", node.name) and depth < options["max_depth"]:
        below = [each for child in node.children for each in _shown(child, options, wanted, depth + 1)]
    few = any(getattr(node, _COUNTED[name]) < options[_FROM[name]] for name in wanted)
    if depth and (few or not matches("show", node.name) or matches("hide", node.name)):
        return below
    if options["order_by"] in _COUNTED:
        below.sort(key=lambda each: -getattr(each, f"total_{_COUNTED[options['order_by']]}"))
    else:
        below.sort(key=lambda each: each.name)
    totals = {
        f"total_{key}": getattr(node, key) + sum(getattr(each, f"total_{key}") for each in below)
        for key in _COUNTED.values()
    }
    return [GraphNodeProto(node.name, node.parameters, node.float_ops, shape=node.shape, children=below, **totals)]


def _lines(node: GraphNodeProto, wanted: list[str], depth: int) -> Iterator[str]:
    parts = [] if node.shape is None or "params" not in wanted else ["x".join(map(str, node.shape)) or "scalar"]
    for name in wanted:
        own, total = (getattr(node, f"{which}{_COUNTED[name]}") for which in ("", "total_"))
        parts.append(f"{_number(own) if own else '--'}/{_number(total)} {_UNITS[name]}")
    yield f"{'  ' * depth}{node.name} ({', '.join(parts)})"
    for child in node.children:
        yield from _lines(child, wanted, depth + 1)


def _number(count: int) -> str:
    for size, unit in ((10**9, "b"), (10**6, "m"), (10**3, "k")):
        if count >= size:
            return f"{count / size:.2f}{unit}"
    return str(count)


def _report(root: GraphNodeProto, options: Mapping[str, Any], wanted: list[str]) -> str:
    heads = " | ".join({"params": "# parameters", "float_ops": "# float_ops"}[name] for name in wanted)
    shown = "\n".join(f"-{name:<27}{_option(value)}" for name, value in options.items())
    return "\n".join(
        [
            f"\n{' Options ':=^60}\n{shown}\n\n{' Model Analysis Report ':=^60}\n\nProfile:\nnode name | {heads}",
            *_lines(root, wanted, 0),
            f"\n{' End of Report ':=^60}",
        ]
    )


def _option(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
