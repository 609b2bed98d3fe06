"""Files that go along with a saved model: the names of them that a graph has as constants, and the copies."""

from __future__ import annotations

import dataclasses
import filecmp
import os
import shutil
from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any

from ..graph.file_errors import translated
from ..graph.node import Tensor
from ..graph.static_values import constant_value
from . import constants
from .utils import TensorInfo

__all__ = ["AssetFileDef", "collection_of", "copied_assets", "copied_files", "files_of", "paths_of"]


@dataclasses.dataclass
class AssetFileDef:
    """A file in the folder of a model, and the tensor that is its name. Source: ``AssetFileDef``."""

    tensor_info: TensorInfo = dataclasses.field(default_factory=TensorInfo)
    filename: str = ""


@dataclasses.dataclass
class _Packed:
    """What a collection of any messages holds."""

    value: AssetFileDef

    def Unpack(self, msg: AssetFileDef) -> bool:
        """Give another message what this one has; tell whether it could."""
        msg.tensor_info, msg.filename = self.value.tensor_info, self.value.filename
        return True


def copied_assets(tensors: Iterable[Any], folder: str) -> list[list[str]]:
    """Copy the files that tensors name into the folder of a model; return their names there, and the tensors'.

    Files of one name with other content get numbers. A file that is there from another graph of the model stays.

    Raises TypeError for a tensor that is no constant string, ValueError for no name, NotFoundError for no file.
    """
    given = list(tensors)
    names = copied_files([_path(tensor) for tensor in given], folder)
    return [[name, tensor.name] for name, tensor in zip(names, given, strict=True)]


def copied_files(paths: Iterable[str], folder: str) -> list[str]:
    """Copy files into the folder of a model; return their names there. NotFoundError for a file that is not there."""
    sources: dict[str, str] = {}
    names = [_name(path, sources) for path in paths]
    if sources:
        os.makedirs(os.path.join(folder, constants.ASSETS_DIRECTORY), exist_ok=True)
    for name, path in sources.items():
        there = os.path.join(folder, constants.ASSETS_DIRECTORY, name)
        if not os.path.exists(there):
            translated(shutil.copyfile)(path, there)
    return names


def _path(tensor: Any) -> str:
    if not isinstance(tensor, Tensor):
        raise TypeError(f"Asset tensor must be a Tensor, got {tensor!r}.")
    value = constant_value(tensor)
    if tensor.op.type != "Const" or value is None:
        raise TypeError(f"Asset tensor must be a constant tensor, got {tensor!r}.")
    if tensor.dtype != "string":
        raise TypeError(f"Asset tensor must be of dtype string, got {tensor!r}.")
    if value.size != 1:
        raise TypeError(f"Asset tensor must be a scalar, got {tensor!r}.")
    path = os.fsdecode(value.item())
    if not path:
        raise ValueError(f"Asset filepath tensor {tensor!r} is invalid: it is empty.")
    return path


def _name(path: str, sources: dict[str, str]) -> str:
    """Return the name of a file's copy; it is noted."""
    base = name = os.path.basename(path)
    number = 0
    while name in sources and sources[name] != path and not filecmp.cmp(path, sources[name], shallow=False):
        number += 1
        name = f"{base}_{number}"
    sources.setdefault(name, path)
    return name


def collection_of(assets: list[list[str]]) -> Any:
    """Return files as the description of a graph has them."""
    return SimpleNamespace(any_list=SimpleNamespace(value=[_Packed(each) for each in files_of(assets)]))


def files_of(assets: list[list[str]]) -> list[AssetFileDef]:
    """Return files as messages."""
    return [AssetFileDef(TensorInfo(tensor), name) for name, tensor in assets]


def paths_of(assets: list[list[str]], folder: str, scope: str | None) -> dict[str, str]:
    """Return where the copies are, by the names of the tensors below a scope: what is fed."""
    prefix = f"{scope}/" if scope else ""
    return {prefix + tensor: os.path.join(folder, constants.ASSETS_DIRECTORY, name) for name, tensor in assets}
