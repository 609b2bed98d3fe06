"""``tf.contrib.framework``: scopes of arguments, and variables by their scopes and names."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from ...variables.collections import GraphKeys
from ..graph.devices import DeviceSpec
from ..graph.graph import get_default_graph
from ..graph.missing import namespace
from ..graph.same_graph import _get_graph_from_inputs as get_graph_from_inputs
from ..graph.scopes import device as _device
from ..ops.check_ops import assert_same_float_dtype, assert_scalar, is_tensor
from ..ops.internal_names import get_name_scope, prepend_name_scope, strip_name_scope
from ..ops.sort_ops import argsort, sort
from ..ops.sparse_ops import convert_to_tensor_or_sparse_tensor
from ..ops.type_specs import BoundedTensorSpec, TensorSpec
from ..python.deprecations import deprecated, deprecated_arg_values, deprecated_args
from ..python.private_functions import smart_case, smart_cond, smart_constant_value
from ..train import (
    assert_global_step,
    create_global_step,
    get_global_step,
    get_or_create_global_step,
    init_from_checkpoint,
    list_variables,
    load_checkpoint,
    load_variable,
)
from ..variables.get_variable import get_variable
from ..variables.variables import Variable
from .arg_scopes import (
    add_arg_scope,
    arg_scope,
    arg_scope_func_key,
    arg_scoped_arguments,
    current_arg_scope,
    has_arg_scope,
)
from .assigning import (
    assign_from_checkpoint,
    assign_from_checkpoint_fn,
    assign_from_values,
    assign_from_values_fn,
    get_unique_variable,
    get_variable_full_name,
    get_variables,
    zero_initializer,
)
from .checkpoint_initializers import (
    load_and_remap_matrix_initializer,
    load_embedding_initializer,
    load_linear_multiclass_bias_initializer,
    load_variable_slot_initializer,
)
from .graph_functions import assert_or_get_global_step, get_placeholders, py_func
from .layers.model_variables import with_models
from .tensor_checks import (
    assert_scalar_int,
    reduce_sum_n,
    remove_squeezable_dimensions,
    with_same_shape,
    with_shape,
)

__all__ = [
    "BoundedTensorSpec",
    "TensorSpec",
    "VariableDeviceChooser",
    "add_arg_scope",
    "add_model_variable",
    "arg_scope",
    "arg_scope_func_key",
    "arg_scoped_arguments",
    "argsort",
    "assert_global_step",
    "assert_or_get_global_step",
    "assert_same_float_dtype",
    "assert_scalar",
    "assert_scalar_int",
    "assign_from_checkpoint",
    "assign_from_checkpoint_fn",
    "assign_from_values",
    "assign_from_values_fn",
    "convert_to_tensor_or_sparse_tensor",
    "create_global_step",
    "current_arg_scope",
    "deprecated",
    "deprecated_arg_values",
    "deprecated_args",
    "filter_variables",
    "get_global_step",
    "get_graph_from_inputs",
    "get_local_variables",
    "get_model_variables",
    "get_name_scope",
    "get_or_create_global_step",
    "get_placeholders",
    "get_trainable_variables",
    "get_unique_variable",
    "get_variable_full_name",
    "get_variables",
    "get_variables_by_name",
    "get_variables_by_suffix",
    "get_variables_to_restore",
    "global_variable",
    "has_arg_scope",
    "init_from_checkpoint",
    "is_tensor",
    "list_variables",
    "load_and_remap_matrix_initializer",
    "load_checkpoint",
    "load_embedding_initializer",
    "load_linear_multiclass_bias_initializer",
    "load_variable",
    "load_variable_slot_initializer",
    "local_variable",
    "model_variable",
    "nest",
    "prepend_name_scope",
    "py_func",
    "reduce_sum_n",
    "remove_squeezable_dimensions",
    "smart_case",
    "smart_cond",
    "smart_constant_value",
    "sort",
    "strip_name_scope",
    "variable",
    "with_same_shape",
    "with_shape",
    "zero_initializer",
]

nest = import_module("..python.util.nest", __package__)  # tf.nest and more; a module made when asked for

__getattr__, __dir__ = namespace(
    __name__, "checkpoint_ops checkpoint_utils experimental ops script_ops sort_ops tensor_util variables"
)


def get_trainable_variables(scope: Any = None, suffix: str | None = None) -> list[Any]:
    """Return the trainable variables whose names begin with ``scope`` and end with ``suffix``."""
    return get_variables(scope, suffix, GraphKeys.TRAINABLE_VARIABLES)


def get_model_variables(scope: Any = None, suffix: str | None = None) -> list[Any]:
    """Return the variables of layers whose names begin with ``scope`` and end with ``suffix``."""
    return get_variables(scope, suffix, GraphKeys.MODEL_VARIABLES)


def get_local_variables(scope: Any = None, suffix: str | None = None) -> list[Any]:
    """Return the local variables whose names begin with ``scope`` and end with ``suffix``."""
    return get_variables(scope, suffix, GraphKeys.LOCAL_VARIABLES)


def get_variables_by_suffix(suffix: str, scope: Any = None) -> list[Any]:
    """Return the variables whose names end with ``suffix``."""
    return get_variables(scope, suffix)


def get_variables_by_name(given_name: str, scope: Any = None) -> list[Any]:
    """Return the variables with a name, within whatever scopes."""
    suffix = f"/{given_name}"
    return [v for v in get_variables(scope) if f"/{v.op.name}".endswith(suffix)]


def get_variables_to_restore(include: Sequence[str] | None = None, exclude: Sequence[str] | None = None) -> list[Any]:
    """Return the variables of the scopes ``include``, all by default, but those of the scopes ``exclude``.

    Raises TypeError for what is no list.
    """
    for what, scopes in (("include", include), ("exclude", exclude)):
        if scopes is not None and not isinstance(scopes, (list, tuple)):
            raise TypeError(f"{what} must be None or a list of scopes, got {scopes!r}")
    found = [v for scope in include for v in get_variables(scope)] if include else get_variables()
    left_out = {v for scope in exclude or () for v in get_variables(scope)}
    return [v for v in found if v not in left_out]


def filter_variables(
    var_list: Sequence[Any],
    include_patterns: Sequence[str] | None = None,
    exclude_patterns: Sequence[str] | None = None,
    reg_search: bool = True,
) -> list[Any]:
    """Return the variables whose names match one of some patterns, by default all, and none of others."""
    find = re.search if reg_search else re.match

    def fits(v: Any, patterns: Sequence[str]) -> bool:
        return any(find(pattern, v.op.name) for pattern in patterns)

    kept = var_list if include_patterns is None else [v for v in var_list if fits(v, include_patterns)]
    return [v for v in kept if not fits(v, exclude_patterns or ())]


@add_arg_scope
def variable(
    name: str,
    shape: Any = None,
    dtype: Any = None,
    initializer: Any = None,
    regularizer: Callable[[Any], Any] | None = None,
    trainable: bool = True,
    collections: Any = None,
    caching_device: Any = None,
    device: Any = None,
    partitioner: Any = None,
    custom_getter: Any = None,
    use_resource: bool | None = None,
) -> Any:
    """Return `tf.get_variable`; ``collections`` may be one name, and ``device`` is only what the variable says."""
    kept = [collections] if isinstance(collections, str) else collections
    options = {"partitioner": partitioner, "custom_getter": custom_getter, "use_resource": use_resource}
    with _device(device or ""):
        return get_variable(
            name, shape, dtype, initializer, regularizer, trainable, kept, caching_device=caching_device, **options
        )


@add_arg_scope
def model_variable(
    name: str,
    shape: Any = None,
    dtype: Any = "float32",
    initializer: Any = None,
    regularizer: Callable[[Any], Any] | None = None,
    trainable: bool = True,
    collections: Any = None,
    caching_device: Any = None,
    device: Any = None,
    partitioner: Any = None,
    custom_getter: Any = None,
    use_resource: bool | None = None,
) -> Any:
    """Return `variable` of one that is also in MODEL_VARIABLES."""
    options = {"partitioner": partitioner, "custom_getter": custom_getter, "use_resource": use_resource}
    kept = with_models(collections)
    return variable(name, shape, dtype, initializer, regularizer, trainable, kept, caching_device, device, **options)


def local_variable(
    initial_value: Any, validate_shape: bool = True, name: str | None = None, use_resource: bool | None = None
) -> Any:
    """Return a variable that is local: not trained, not saved."""
    return _untrained(GraphKeys.LOCAL_VARIABLES, initial_value, validate_shape, name, use_resource)


def global_variable(
    initial_value: Any, validate_shape: bool = True, name: str | None = None, use_resource: bool | None = None
) -> Any:
    """Return a variable that is saved and not trained."""
    return _untrained(GraphKeys.GLOBAL_VARIABLES, initial_value, validate_shape, name, use_resource)


def _untrained(key: str, initial_value: Any, validate_shape: bool, name: str | None, use_resource: Any) -> Any:
    return Variable(initial_value, False, [key], validate_shape, name=name, use_resource=use_resource)


class VariableDeviceChooser:
    """A function of operations that names devices: those of ``num_tasks`` tasks in turn, or always the same one."""

    def __init__(
        self,
        num_tasks: int = 0,
        job_name: str = "ps",
        device_type: str = "CPU",
        device_index: int = 0,
        replica: int | None = None,
    ) -> None:
        self._num_tasks, self._job_name, self._next_task = num_tasks, job_name, 0
        self._place = {"device_type": device_type, "device_index": device_index, "replica": replica}

    def __call__(self, op: Any) -> str:
        place: dict[str, Any] = dict(self._place)
        if self._num_tasks > 0:
            place |= {"job": self._job_name, "task": self._next_task}
            self._next_task = (self._next_task + 1) % self._num_tasks
        return DeviceSpec(**place).to_string()


def add_model_variable(var: Any) -> None:
    """Put a variable into MODEL_VARIABLES, once."""
    graph = get_default_graph()
    if var not in graph.get_collection(GraphKeys.MODEL_VARIABLES):
        graph.add_to_collection(GraphKeys.MODEL_VARIABLES, var)
