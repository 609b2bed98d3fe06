"""``tf.saved_model.load`` of TensorFlow 2 for a model of a graph: an object with the functions of the graph."""

from __future__ import annotations

import inspect
from keyword import iskeyword
from typing import Any

from ...variables.collections import GraphKeys
from ..functions.concrete_functions import ConcreteFunction
from ..functions.forms import Form
from ..functions.function_internals import Options
from ..functions.function_types import FunctionType, Parameter
from ..functions.traced_functions import Function
from ..graph.graph import Graph, get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.node import Operation
from ..graph.scopes import init_scope
from ..graph.session import Session
from ..ops.cast_ops import cast
from ..ops.control_flow_ops import group
from ..ops.loop_ops import leaves, rebuilt
from ..ops.script_ops import ensure_shape
from ..ops.sparse_ops import SparseTensor, convert_to_tensor
from ..ops.type_specs import TensorSpec
from ..saving.assets import Asset
from ..saving.checkpoint_ops import restore_v2
from ..saving.checkpoint_state import load_checkpoint
from ..saving.data_structures import AutoTrackable
from ..saving.graph_lifting import UnliftableError
from ..saving.saver import Saver
from ..variables.eager_variable import eager_variable
from ..variables.variable_slices import slice_of
from ..variables.variables import Variable
from ..variables.variables_initializer import (
    all_variables,
    local_variables,
    local_variables_initializer,
    tables_initializer,
)
from .assets import paths_of
from .loader import LoadedModel, SavedModelLoader
from .saved_functions import function_body
from .signature_maps import SignatureMap
from .utils import get_tensor_from_tensor_info

__all__ = ["GraphFunction", "load"]

_HELD = (
    GraphKeys.GLOBAL_VARIABLES,
    GraphKeys.LOCAL_VARIABLES,
    GraphKeys.MODEL_VARIABLES,
    GraphKeys.MOVING_AVERAGE_VARIABLES,
)
_PARTS = ("indices", "values", "dense_shape")


def load(export_dir: Any, tags: Any, skip_restoring_checkpoint: bool = False) -> AutoTrackable:
    """Return an object of a graph's model: ``variables``, ``signatures``, ``prune``, ``restore`` and ``graph``.

    ``prune(feeds, fetches)`` gives the function from some of the graph's tensors to others, by their names too;
    ``restore(path)`` gives the variables the values of another checkpoint. ``variables`` has those that were made with
    ``use_resource``. In graph mode they are variables of the default graph, and get the values of the model when their
    initializers run; so do those of the collection ``"saved_model_initializers"``, which are all others.

    Raises:
        OSError: where there is no saved model. ValueError: without tags where the model has several graphs.
        RuntimeError: for tags that none has. UnliftableError: for a signature whose results need a placeholder that it
            does not take.

    Source: ``tensorflow/python/saved_model/load_v1_in_v2.py``.
    """
    model = _Model(export_dir, tags, skip_restoring_checkpoint)
    root = AutoTrackable()
    told: dict[str, Any] = {
        "variables": [made for variable, made in model.twins.items() if variable._is_resource],
        "_others": [made for variable, made in model.twins.items() if not variable._is_resource],  # saved along
        "signatures": SignatureMap({key: model.signature(key) for key in model.description.signature_def}),
        "asset_paths": [Asset(path) for path in model.files.values()],
        "graph": model.graph,
        "prune": model.prune,
        "restore": model.restore,
    }
    for name, value in told.items():
        setattr(root, name, value)
    return root


class GraphFunction(ConcreteFunction):
    """A function of a graph: it takes tensors by name, or in the order of their names."""

    @property
    def structured_input_signature(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The specs of the arguments by name."""
        return (), {str(spec.name): spec for spec in self._specs}

    @property
    def function_type(self) -> FunctionType:
        """The type, with the names of the arguments in their specs."""
        plain = super().function_type
        pairs = zip(plain.parameters.values(), self._specs, strict=True)
        parameters = [Parameter(each.name, each.kind, False, spec) for each, spec in pairs]
        return FunctionType(parameters, plain.captures, return_annotation=plain.return_annotation)


class _Model:
    """The graph of a model, the values of its variables, and the variables that stand for these where it is loaded."""

    def __init__(self, export_dir: Any, tags: Any, skip: bool) -> None:
        loader = SavedModelLoader(export_dir)
        there = [each["tags"] for each in loader._graphs]
        if tags is None and len(there) != 1:
            raise ValueError(
                "Importing a SavedModel with `tf.saved_model.load` requires a `tags=` argument if there is more than "
                f"one MetaGraph. Got `tags=None`, but there are {len(there)} MetaGraphs in the SavedModel with tag "
                f"sets: {there}. Pass a `tags=` argument to load this SavedModel."
            )
        self._tags = there[0] if tags is None else tags
        self._loader, self.graph = loader, Graph()
        self.description: LoadedModel = loader.get_meta_graph_def_from_tags(self._tags)
        content = self.description.content() or {}
        self.files = paths_of(content.get("assets", []), loader.export_dir, None)
        saver, _ = loader.load_graph(self.graph, self._tags)
        self._session = Session(graph=self.graph)
        if saver is not None and not skip:
            loader.restore_variables(self._session, saver)
        with self.graph.as_default():
            inside = list({each.op: each for each in [*all_variables(), *local_variables()]}.values())
            if content.get("first") is None:
                self._session.run([local_variables_initializer(), tables_initializer()])
        loader.run_init_ops(self._session, self._tags)
        self._keys = _keys(saver)
        with init_scope():
            self.variables = {each.op: self._outside(each) for each in inside if each.op in self._session._variables}
        self.twins = {each: self.variables[each.op] for each in inside if each.op in self.variables}

    def _outside(self, variable: Any) -> Any:
        """Return what stands for a variable of the graph: one of eager mode, or of the default graph."""
        name, trainable = variable.op.name, variable.trainable
        if executing_eagerly():
            held = eager_variable(self._session._variables[variable.op]._array, trainable, [], name=None)
            held._name = name
            return held
        saved = variable.op in self._keys
        first: Any = self._read(self._loader.variables_path, [variable.op])[0] if saved else self._session.run(variable)
        keys = [key for key in _HELD if any(each is variable for each in self.graph.get_collection(key))]
        lifted = variable._is_resource
        made = Variable(first, False, keys if lifted else [], name=name, use_resource=True)
        made._trainable = trainable  # though it is in no collection of those that are trained
        graph = get_default_graph()
        if not lifted:
            graph.add_to_collection("saved_model_initializers", made.initializer)
        elif not saved:
            graph.add_to_collection(GraphKeys.TABLE_INITIALIZERS, made.initializer)
        return made

    def restore(self, path: Any) -> Any:
        """Give the variables the values of a checkpoint; return the operation that does it in graph mode."""
        ops = [op for op in self._keys if op in self.variables]
        pairs = zip(ops, self._read(path, ops), strict=True)
        written = [self.variables[op].assign(value) for op, value in pairs]
        return convert_to_tensor(path) if executing_eagerly() else group(*written)

    def _read(self, path: Any, ops: list[Operation]) -> list[Any]:
        """Return values of variables in a checkpoint, where those of optimizers may be of another type."""
        types = load_checkpoint(path).get_variable_to_dtype_map()
        names, parts = ([self._keys[op][k] for op in ops] for k in (0, 1))
        values = restore_v2(path, names, parts, [types[name] for name in names], name="checkpoint_initializer")
        nodes = [op.outputs[0] for op in ops]
        return [ensure_shape(cast(v, each.dtype.base_dtype), each.shape) for v, each in zip(values, nodes, strict=True)]

    def signature(self, key: str) -> GraphFunction:
        """Return the function of a signature. UnliftableError where it lacks an input."""
        found = self.description.signature_def[key]
        inputs: dict[str, Any] = {}
        with self.graph.as_default():
            for name, info in sorted(found.inputs.items()):
                tensor = get_tensor_from_tensor_info(info)
                if isinstance(tensor, SparseTensor):
                    inputs.update({f"{name}_{part}": getattr(tensor, part) for part in _PARTS})
                else:
                    inputs[name] = tensor
            results = {name: get_tensor_from_tensor_info(info) for name, info in found.outputs.items()}
        try:
            return self._function(f"signature_wrapper_{key}", inputs, results)
        except UnliftableError as error:
            raise UnliftableError(
                "A SavedModel signature needs an input for each placeholder the signature's outputs use. An output for "
                f"signature '{key}' depends on a placeholder which is not an input (i.e. the placeholder is not fed a "
                f"value).\n\n{error}"
            ) from None

    def prune(self, feeds: Any, fetches: Any, name: str | None = None) -> GraphFunction:
        """Return the function from some tensors of the graph, or names of them, to others."""
        nodes = [self.graph.as_graph_element(each) for each in leaves(feeds)]
        results = rebuilt(fetches, [self.graph.as_graph_element(each) for each in leaves(fetches)])
        return self._function(name or "pruned", {node.op.name: node for node in nodes}, results)

    def _function(self, name: str, inputs: dict[str, Any], results: Any) -> GraphFunction:
        with self.graph.as_default():  # in which the parts of sparse tensors are put together again
            body = function_body(self.graph, list(inputs.values()), results, self.twins)
        specs = [TensorSpec(node.shape, node.dtype.base_dtype, key) for key, node in inputs.items()]

        def call(*given: Any) -> Any:
            return body(given)

        call.__name__ = call.__qualname__ = name
        call.__signature__ = inspect.Signature(  # type: ignore[attr-defined]  # inspect reads it
            [Parameter(_word(*each), Parameter.POSITIONAL_OR_KEYWORD, False, None) for each in enumerate(inputs)]
        )
        inner = Function(call, None, Options(False))
        return GraphFunction(name, Form(tuple(specs), {}), inner, inner._trace, inner._takes)


def _word(place: int, name: str) -> str:
    return name if name.isidentifier() and not iskeyword(name) else f"argument_{place}"


def _keys(saver: Saver | None) -> dict[Operation, tuple[str, str]]:
    """Return the names in a checkpoint, and which parts of the arrays they are, of the variables in a graph."""
    found = {}
    for name, each in ({} if saver is None else saver._named()).items():
        for part in each if isinstance(each, list) else [each]:
            info = slice_of(part)
            found[part.op] = (name, "" if info is None else info.spec)
    return found
