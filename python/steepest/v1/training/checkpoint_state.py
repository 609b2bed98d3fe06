"""The record of which checkpoints a folder has, and what is in one."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path
from typing import Any

from ...checkpoint import SUFFIX, load_arrays
from ..graph.dtypes import as_dtype
from ..graph.errors import NotFoundError

__all__ = [
    "CheckpointState",
    "NewCheckpointReader",
    "checkpoint_exists",
    "get_checkpoint_state",
    "latest_checkpoint",
    "list_variables",
    "load_checkpoint",
    "load_variable",
]


OLD_SUFFIX = ".npz"


class CheckpointState:
    """What the file ``checkpoint`` says: ``model_checkpoint_path``, the newest, and ``all_model_checkpoint_paths``."""

    def __init__(self, model_checkpoint_path: str, all_model_checkpoint_paths: list[str]) -> None:
        self.model_checkpoint_path = model_checkpoint_path
        self.all_model_checkpoint_paths = all_model_checkpoint_paths

    def __repr__(self) -> str:
        return f"CheckpointState({self.model_checkpoint_path!r}, {len(self.all_model_checkpoint_paths)} files)"


def record(file: Path, paths: list[str]) -> None:
    """Write the record of checkpoints, newest last, whole or not at all."""

    def relative(path: str) -> str:
        return os.path.relpath(path, file.parent)

    lines = [f'model_checkpoint_path: "{relative(paths[-1])}"']
    lines += [f'all_model_checkpoint_paths: "{relative(path)}"' for path in paths]
    temporary = file.with_name(f".{file.name}.{os.getpid()}.{time.monotonic_ns()}")
    try:
        temporary.write_text("\n".join(lines) + "\n")
        os.replace(temporary, file)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def get_checkpoint_state(checkpoint_dir: str, latest_filename: str | None = None) -> CheckpointState | None:
    """Return what the file ``checkpoint`` in a folder says, None where there is none."""
    file = Path(checkpoint_dir) / (latest_filename or "checkpoint")
    if not file.is_file():
        return None
    entries = re.findall(r'^(\w+): "(.*)"$', file.read_text(), re.MULTILINE)
    paths = [path if os.path.isabs(path) else os.path.join(checkpoint_dir, path) for _, path in entries]
    if not paths:
        return None
    return CheckpointState(
        paths[0], [path for path, (key, _) in zip(paths, entries, strict=True) if key.startswith("all_")]
    )


def latest_checkpoint(checkpoint_dir: str, latest_filename: str | None = None) -> str | None:
    """Return the path of the newest checkpoint in a folder, None where there is none."""
    state = get_checkpoint_state(checkpoint_dir, latest_filename)
    return state.model_checkpoint_path if state and checkpoint_exists(state.model_checkpoint_path) else None


def file_of(path: str) -> str:
    """Return the file of a checkpoint's path: of today's format, or of before where only that is there."""
    if path.endswith((SUFFIX, OLD_SUFFIX)):
        return path
    old = path + OLD_SUFFIX
    return old if os.path.isfile(old) and not os.path.exists(path + SUFFIX) else path + SUFFIX


def checkpoint_exists(checkpoint_prefix: str) -> bool:
    """Tell whether there is a checkpoint of that path."""
    return os.path.isfile(file_of(checkpoint_prefix))


def _newest(path: str) -> str:
    checkpoint = latest_checkpoint(path) if os.path.isdir(path) else path
    if checkpoint is None:
        raise ValueError(f"Couldn't find 'checkpoint' file or checkpoints in given directory {path}")
    return checkpoint


def list_variables(ckpt_dir_or_file: str) -> list[tuple[str, list[int]]]:
    """Return names and shapes of what is in a checkpoint."""
    return [
        (name, list(array.shape)) for name, array in sorted(load_arrays(file_of(_newest(ckpt_dir_or_file))).items())
    ]


def load_variable(ckpt_dir_or_file: str, name: str) -> Any:
    """Return one array of a checkpoint; NotFoundError where there is none of that name."""
    return _array(load_arrays(file_of(_newest(ckpt_dir_or_file))), name.removesuffix(":0"))


def _array(arrays: dict[str, Any], key: str) -> Any:
    if key not in arrays:
        raise NotFoundError(None, None, f"Key {key} not found in checkpoint")
    return arrays[key]


class _Reader:
    """The arrays of a checkpoint by name."""

    def __init__(self, path: str) -> None:
        self._arrays = load_arrays(file_of(_newest(path)))

    def has_tensor(self, name: str) -> bool:
        """Tell whether there is an array of that name."""
        return name in self._arrays

    def get_tensor(self, name: str) -> Any:
        """Return an array; NotFoundError where there is none of that name."""
        return _array(self._arrays, name)

    def get_variable_to_shape_map(self) -> dict[str, list[int]]:
        """Return the shapes by name."""
        return {name: list(array.shape) for name, array in self._arrays.items()}

    def get_variable_to_dtype_map(self) -> dict[str, Any]:
        """Return the types by name."""
        return {name: as_dtype(array.dtype) for name, array in self._arrays.items()}


def NewCheckpointReader(filepattern: str) -> _Reader:
    """Return a reader of a checkpoint's arrays, as `load_checkpoint`; NotFoundError where there is no such file."""
    if not checkpoint_exists(filepattern):
        raise NotFoundError(None, None, f"Failed to find any matching files for {filepattern}")
    return _Reader(filepattern)


def load_checkpoint(ckpt_dir_or_file: str) -> _Reader:
    """Return a reader of a checkpoint's arrays."""
    return _Reader(ckpt_dir_or_file)
