"""What a `Saver` saves beside variables: tensors under names, and an operation that takes them back."""

from __future__ import annotations

from collections.abc import Callable as Function
from collections.abc import Container, Mapping, Sequence
from typing import Any

from ..graph.dtypes import as_dtype
from ..graph.errors import NotFoundError
from ..graph.graph import get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.run_values import array_of
from ..graph.session_values import lifted
from ..ops.creation_ops import placeholder
from ..ops.sparse_ops import convert_to_tensor

__all__ = [
    "Callable",
    "SaveSpec",
    "SaveableObject",
    "Taken",
    "TensorsSaveable",
    "check_name",
    "escaped",
    "take_back",
    "taken",
]


def escaped(name: str) -> str:
    """Return a name as the paths in files have it: it has no slash, and is none of those that begin with a point."""
    return name.replace(".", "..").replace("/", ".S")


def check_name(name: Any) -> None:
    """Raise TypeError for a name in a file that is no text."""
    if not isinstance(name, str):
        raise TypeError(
            "names_to_saveables must be a dict mapping string names to trackable operations. "
            f"Name is not a string: {name}"
        )


class SaveSpec:
    """A tensor that is saved, or a function without arguments that returns it, and its name in the file.

    Source: ``SaveSpec`` of ``tensorflow/python/training/saving/saveable_object.py``.
    """

    def __init__(self, tensor: Any, slice_spec: str, name: str, dtype: Any = None, device: Any = None) -> None:
        self._tensor, self.slice_spec, self.name, self.device = tensor, slice_spec, name, device
        self._dtype = dtype

    @property
    def tensor(self) -> Any:
        """The tensor."""
        return self._tensor() if callable(self._tensor) else self._tensor

    @property
    def dtype(self) -> Any:
        """The type of an element."""
        return self.tensor.dtype if self._dtype is None else as_dtype(self._dtype)


class Callable(SaveSpec):
    """A function without arguments in place of a tensor: it is called when the object is saved.

    Source: ``tensorflow/python/checkpoint/tensor_callable.py``.
    """

    def __init__(self, tensor_callable: Function[[], Any], dtype: Any, device: Any) -> None:
        super().__init__(tensor_callable, "", "", dtype, device)


class SaveableObject:
    """Base of what is saved: ``specs`` are its tensors, `restore` makes the operation that takes them back.

    Source: ``SaveableObject`` of ``tensorflow/python/training/saving/saveable_object.py``.
    """

    def __init__(self, op: Any, specs: Sequence[SaveSpec], name: str) -> None:
        self.op, self.specs, self.name = op, specs, name

    @property
    def device(self) -> Any:
        """Where the first tensor is."""
        return self.specs[0].device

    def restore(self, restored_tensors: Sequence[Any], restored_shapes: Any) -> Any:
        """Return the operation that takes values back, in the order of ``specs``; ``restored_shapes`` is None."""
        del restored_tensors, restored_shapes
        raise ValueError("Calling an abstract method.")


class TensorsSaveable(SaveableObject):
    """The tensors of an object that gives them by name, and takes them back all together.

    Their names in the file begin with ``base``. ``among`` has the names of those that are restored, None all.
    """

    def __init__(self, value: Any, base: str, among: Container[str] | None = None) -> None:
        tensors = value._serialize_to_tensors()
        keys = {name: base + escaped(name) for name in tensors}
        self._value = value
        self.local_names: list[str] = [name for name, key in keys.items() if among is None or key in among]
        super().__init__(value, [_spec(tensors[name], keys[name]) for name in self.local_names], base)

    def restore(self, restored_tensors: Sequence[Any], restored_shapes: Any) -> Any:
        """Give the object its tensors."""
        return self._value._restore_from_tensors(dict(zip(self.local_names, restored_tensors, strict=True)))


def _spec(tensor: Any, key: str) -> SaveSpec:
    if not isinstance(tensor, SaveSpec):
        return SaveSpec(convert_to_tensor(tensor), "", key)
    tensor.name, tensor.slice_spec = key, ""
    return tensor


class Taken:
    """A `SaveableObject` that a saver has taken: its tensors, and the operation that values of a file are fed to."""

    def __init__(self, saveable: SaveableObject) -> None:
        graph = get_default_graph()
        with graph.name_scope("save"), lifted(graph):
            self._tensors = {spec.name: spec.tensor for spec in saveable.specs}
            self._fed = [placeholder(spec.dtype, name="restored") for spec in saveable.specs]
            self._restoring = saveable.restore(self._fed, None)

    def arrays(self, sess: Any) -> dict[str, Any]:
        """Return the values in a session, by their names in the file."""
        found: dict[str, Any] = sess.run(self._tensors)
        return found

    def names(self) -> list[str]:
        """Return the names of the values in the file."""
        return list(self._tensors)

    def found_in(self, arrays: Mapping[str, Any]) -> list[Any]:
        """Return the values in a file; NotFoundError where one is missing."""
        for name in self._tensors:
            if name not in arrays:
                raise NotFoundError(None, None, f"Key {name} not found in checkpoint")
        return [arrays[name] for name in self._tensors]


class _TakenEagerly(Taken):
    """The same in eager mode, where a `SaveableObject` is made anew each time: it holds what its tensors were."""

    def __init__(self, saveable: SaveableObject, make: Function[[], SaveableObject] | None) -> None:
        self._make = make or (lambda: saveable)

    def arrays(self, sess: Any) -> dict[str, Any]:
        """Return the values of now, by their names in the file."""
        return {spec.name: array_of(spec.tensor) for spec in self._make().specs}

    def names(self) -> list[str]:
        """Return the names of the values of now."""
        self._tensors = {spec.name: None for spec in self._make().specs}
        return super().names()

    def found_in(self, arrays: Mapping[str, Any]) -> list[Any]:
        """Return the values in a file; NotFoundError where one is missing."""
        self.names()
        return super().found_in(arrays)

    def restore(self, values: list[Any]) -> None:
        """Take the values back."""
        self._make().restore([convert_to_tensor(value) for value in values], None)


def taken(saveable: SaveableObject, make: Function[[], SaveableObject] | None = None) -> Taken:
    """Return what a saver takes of an object; in eager mode it holds values, and ``make`` makes it anew."""
    return _TakenEagerly(saveable, make) if executing_eagerly() else Taken(saveable)


def take_back(sess: Any, found: Sequence[tuple[Any, list[Any]]]) -> None:
    """Give a session the values of what savers have taken, all in one run: several may be parts of one."""
    feeds: dict[Any, Any] = {}
    for each, values in found:
        if isinstance(each, _TakenEagerly):
            each.restore(values)
        else:
            feeds.update(zip(each._fed, values, strict=True))
    if feeds:
        sess.run([each._restoring for each, _ in found], feeds)
