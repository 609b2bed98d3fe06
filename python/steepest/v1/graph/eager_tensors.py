"""What tensors have in eager mode beside their operators: TensorFlow's shapes, types, texts and errors."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ops.dispatch import gives_tensors
from ...ops.tensor import Tensor
from .devices import LOCAL_CPU
from .dtypes import of_array
from .eager_indices import as_index
from .eager_operands import CHECKED
from .eager_shapes import EagerShape
from .errors import InvalidArgumentError
from .located_errors import of_eager_call
from .reference import Reference

__all__ = ["give_tensors_their_methods", "note"]

_OF_NODES = ("op", "graph", "name", "value_index", "consumers")
_OWN = (
    *("shape", "dtype", "get_shape", "set_shape", "_id", "_numpy", "ref", "experimental_ref"),
    *("device", "backing_device", "_shape_tuple", "_shape_as_list", "cpu"),
    *("__bool__", "__getitem__", "__iter__", "__len__", "__setattr__", "__getattr__", "__format__", "eval"),
)
_CORE_ITEM, _CORE_ITER, _CORE_BOOL = Tensor.__getitem__, Tensor.__iter__, Tensor.__bool__
_CORE = {name: getattr(Tensor, name) for name in ("__eq__", "__ne__", "__repr__", "__str__", "numpy")}


def _of_nodes(name: str) -> property:
    """Return the property that raises TensorFlow's error for what only nodes have."""

    def fail(self: Any) -> Any:
        raise AttributeError(_meaningless(name))

    return property(fail)


def _meaningless(name: str) -> str:
    return f"Tensor.{name} is meaningless when eager execution is enabled."


def _tensor_str(self: Any) -> str:
    shown = str(self.value)
    line = "\n" if "\n" in shown else ""
    return f"tf.Tensor({line}{shown}, shape={self.shape}, dtype={self.dtype.name})"


def _tensor_repr(self: Any) -> str:
    array = self.value
    if _holds_lists(array):
        return f"<tf.Tensor: shape={self.shape}, dtype={self.dtype.name}, value={array}>"
    shown = str(array) if np.ndim(array) == 0 and np.asarray(array).dtype.kind != "O" else repr(array)
    if np.ndim(array) == 0 and np.asarray(array).dtype.kind == "O":
        shown = repr(np.asarray(array).item())
    line = "\n" if "\n" in shown else ""
    return f"<tf.Tensor: shape={self.shape}, dtype={self.dtype.name}, numpy={line}{shown}>"


# While `tf.py_function` runs, other threads have the core's own answers.


def _tensor_dtype(self: Any) -> Any:
    array = self.value
    if not gives_tensors():
        return array.dtype
    return of_array(array.flat[0].dtype if _holds_lists(array) else array.dtype)


def _holds_lists(array: Any) -> bool:
    """Tell whether the elements of an array are lists of tensors, not strings."""
    return array.dtype.kind == "O" and array.size > 0 and hasattr(array.flat[0], "element_dtype")


def _tensor_item(self: Any, index: Any) -> Any:
    if not gives_tensors():
        return _CORE_ITEM(self, index)
    index = as_index(index)
    try:
        return _of_strings(_CORE_ITEM(self, index))
    except (IndexError, ValueError) as error:
        raise (TypeError(str(error)) if "valid indices" in str(error) else of_eager_call(error)) from error


def _tensor_iter(self: Any) -> Any:
    if not np.ndim(self.value):
        raise TypeError("Cannot iterate over a scalar tensor.")
    return map(_of_strings, _CORE_ITER(self)) if self.value.dtype.kind == "O" else _CORE_ITER(self)


def _of_strings(item: Any) -> Any:
    """Return a tensor for a string or list, which NumPy gives as the element itself; anything else as it is."""
    is_element = isinstance(item, (bytes, str)) or hasattr(item, "element_dtype")
    return Tensor(np.array(item, object)) if is_element else item


def _tensor_bool(self: Any) -> bool:
    return bool(self.value.size) and _CORE_BOOL(self)


def _tensor_len(self: Any) -> int:
    if not np.ndim(self.value):
        raise TypeError("Scalar tensor has no `len()`")
    return len(self.value)


def note(self: Any, name: str, value: Any) -> None:
    """Keep a value under a name as an attribute of a tensor, as masks of layers are."""
    if hasattr(Tensor, name):
        object.__setattr__(self, name, value)
    else:
        if (noted := _notes_of(self)) is None:
            object.__setattr__(self, "_notes", noted := {})
        noted[name] = value


def _notes_of(self: Any) -> dict[str, Any] | None:
    """Return what a program has noted on a tensor, None for nothing: as long as nothing is, there is no value."""
    try:
        found: dict[str, Any] = object.__getattribute__(self, "_notes")
    except AttributeError:
        return None
    return found


def _noted_before(self: Any, name: str) -> Any:
    """Return what was noted under a name that no tensor has by itself."""
    if name in _OF_NODES:  # the property has failed
        raise AttributeError(_meaningless(name))
    noted = None if name == "_notes" else _notes_of(self)
    if noted is None or name not in noted:
        raise AttributeError(f"'Tensor' object has no attribute {name!r}")
    return noted[name]


def _tensor_numpy(self: Any) -> Any:
    """Return the value as an array; of a scalar the NumPy scalar, of one string the bytes."""
    if _holds_lists(self.value):
        raise InvalidArgumentError(None, None, "Cannot convert a Tensor of dtype variant to a NumPy array.")
    return _CORE["numpy"](self) if self.value.ndim else self.value[()]


def _no_session(self: Any, *args: Any, **kwargs: Any) -> None:
    raise NotImplementedError(
        "eval is not supported when eager execution is enabled, is .numpy() what you're looking for?"
    )


def _tensor_view(self: Any) -> Any:
    """Return the value's own memory: libraries ask."""
    return _tensor_numpy(self) if _holds_lists(self.value) else self.value


def give_tensors_their_methods(on: bool) -> None:
    """Let the core's tensors have TensorFlow 1's shapes and checks, as eager execution is enabled, or no longer."""
    tensor: Any = Tensor
    if on:
        tensor.shape = property(lambda self: EagerShape(self.value.shape))
        tensor.dtype = property(_tensor_dtype)
        tensor.get_shape = lambda self: self.shape
        tensor.__repr__, tensor.__str__, tensor.__iter__ = _tensor_repr, _tensor_str, _tensor_iter
        tensor.numpy, tensor._numpy = _tensor_numpy, _tensor_view
        tensor.__format__ = lambda self, spec: format(self.value[()], spec)
        tensor.eval = _no_session
        tensor.__getitem__, tensor.__len__, tensor._id = _tensor_item, _tensor_len, property(id)
        tensor.__bool__ = _tensor_bool
        tensor.__setattr__, tensor.__getattr__ = note, _noted_before
        tensor.device = tensor.backing_device = property(lambda self: LOCAL_CPU)
        tensor._shape_as_list = lambda self: list(self.value.shape)
        tensor._shape_tuple, tensor.cpu = lambda self: self.value.shape, lambda self: self[...]
        tensor.ref = tensor.experimental_ref = lambda self: Reference(self)
        for name in _OF_NODES:
            setattr(tensor, name, _of_nodes(name))
        tensor.set_shape = lambda self, shape: self.shape.assert_is_compatible_with(shape)
        for name, method in CHECKED.items():
            setattr(tensor, name, method)
    else:
        for name, method in _CORE.items():
            setattr(tensor, name, method)
        for name in (*_OWN, *_OF_NODES, *CHECKED):
            if name in vars(tensor):
                delattr(tensor, name)
