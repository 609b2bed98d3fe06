"""Savers of tensors by name: operations that write them, and give them back to the objects that they are of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import nullcontext
from typing import Any

from ..graph.graph import get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.scopes import device
from ..ops.array_ops import identity
from ..ops.creation_ops import placeholder
from .checkpoint_ops import restore_v2, save_v2
from .checkpoint_options import CheckpointOptions
from .saveable_forms import SaveableCompatibilityConverter, local_name
from .saveables import SaveableObject, SaveSpec
from .saver_def import SaverDef

__all__ = ["MultiDeviceSaver"]


class MultiDeviceSaver:
    """Saves and restores what objects gave: tensors, or `SaveSpec`, by name, or by name and part.

    Source: ``tensorflow/python/checkpoint/functional_saver.py``.
    """

    def __init__(self, serialized_tensors: Mapping[Any, Mapping[str, Any]]) -> None:
        self._saved: dict[tuple[str, str], tuple[Any, Any]] = {}  # by name and part: whose it is, and what
        for value, tensors in serialized_tensors.items():
            for key, whole in tensors.items():
                for part, tensor in whole.items() if isinstance(whole, dict) else [("", whole)]:
                    if (key, part) in self._saved:
                        raise ValueError(
                            "Received multiple tensors with the same checkpoint key and slice spec. This is invalid "
                            "because one will overwrite the other in the checkpoint. This indicates a bug in the "
                            "Checkpoint key-generation."
                        )
                    self._saved[key, part] = (value, tensor)

    @classmethod
    def from_saveables(cls, saveables: Iterable[SaveableObject]) -> MultiDeviceSaver:
        """Return a saver of what each of ``saveables`` saves."""
        converters = [SaveableCompatibilityConverter(each, [each]) for each in saveables]
        return cls({each: each._serialize_to_tensors() for each in converters})

    def save(self, file_prefix: Any, options: CheckpointOptions | None = None) -> Any:
        """Return the operation that writes the checkpoint ``file_prefix``; in eager mode it is written."""
        tensors = [each.tensor if isinstance(each, SaveSpec) else each for _, each in self._saved.values()]
        with _placed(options):
            return save_v2(file_prefix, [key for key, _ in self._saved], [part for _, part in self._saved], tensors)

    def restore(self, file_prefix: Any, options: CheckpointOptions | None = None) -> dict[str, Any]:
        """Return by name the operations that give the objects their tensors; in eager mode they have them."""
        with _placed(options):
            values = restore_v2(
                file_prefix,
                [key for key, _ in self._saved],
                [part for _, part in self._saved],
                [each.dtype for _, each in self._saved.values()],
            )
        given: dict[int, tuple[Any, dict[str, Any]]] = {}
        for ((key, part), (value, _)), tensor in zip(self._saved.items(), values, strict=True):
            tensors = given.setdefault(id(value), (value, {}))[1]
            if part:
                tensors.setdefault(local_name(key), {})[part] = tensor
            else:
                tensors[local_name(key)] = tensor
        made: dict[str, Any] = {}
        for value, tensors in given.values():
            done = None if value is None else value._restore_from_tensors(tensors)
            if isinstance(done, dict):
                made.update(done)
            elif done is not None:
                made.update(dict.fromkeys(tensors, done))
        return made

    def to_proto(self) -> SaverDef:
        """Return the names of operations of the default graph, made anew, that save and restore."""
        path = placeholder("string", shape=(), name="saver_filename")
        graph = get_default_graph()
        with graph.control_dependencies([self.save(path)]):
            saved = identity(path)
        with graph.control_dependencies(list(self.restore(path).values())):
            restored = identity(path)
        names = (path.name, saved.name, restored.op.name)
        return SaverDef(operations=lambda: names)


def _placed(options: CheckpointOptions | None) -> Any:
    where = None if options is None else options.experimental_io_device
    return nullcontext() if where is None or executing_eagerly() else device(where)
