"""The record of which checkpoints a folder has, and what is in one."""

from __future__ import annotations

import contextlib
import os
import re
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ...checkpoint import SUFFIX, load_arrays
from ...checkpoint.foreign.tensor_bundle import INDEX, TensorBundle, bundle_files, is_bundle
from ...checkpoint.foreign.tensorflow import escaped, read_record
from ..graph import log
from ..graph.dtypes import DType, as_dtype
from ..graph.errors import NotFoundError
from ..graph.messages import Field, Message
from .checkpoint_writing import is_index
from .text_arrays import with_texts

__all__ = [
    "CheckpointState",
    "NewCheckpointReader",
    "checkpoint_exists",
    "generate_checkpoint_state_proto",
    "get_checkpoint_mtimes",
    "get_checkpoint_state",
    "latest_checkpoint",
    "list_variables",
    "load_checkpoint",
    "load_variable",
    "remove_checkpoint",
    "update_checkpoint_state",
]


OLD_SUFFIX = ".npz"


class CheckpointState(Message):
    """What the file ``checkpoint`` says: ``model_checkpoint_path``, the newest, and ``all_model_checkpoint_paths``.

    ``all_model_checkpoint_timestamps``, in seconds, and ``last_preserved_timestamp`` are those of a manager.
    """

    FIELDS = (
        Field("model_checkpoint_path", 1, "string"),
        Field("all_model_checkpoint_paths", 2, "string", repeated=True),
        Field("all_model_checkpoint_timestamps", 3, "double", repeated=True),
        Field("last_preserved_timestamp", 4, "double"),
    )


def record(file: Path, paths: list[str], times: Sequence[float] = (), preserved: float | None = None) -> None:
    """Write the record of checkpoints, newest last, and of when they were made, whole or not at all."""

    def relative(path: str) -> bytes:
        if file.parent.is_absolute() and not os.path.isabs(path):
            return escaped(path)  # of the folder already: that is how a path without a root is read
        within = os.path.relpath(path, file.parent)
        outside = os.path.isabs(path) and within.split(os.sep, 1)[0] == os.pardir
        return escaped(path if outside else within)  # relative below the folder, so that the folder can move

    lines = [b'model_checkpoint_path: "%b"\n' % relative(paths[-1])]
    lines += [b'all_model_checkpoint_paths: "%b"\n' % relative(path) for path in paths]
    lines += [f"all_model_checkpoint_timestamps: {float(moment)!r}\n".encode() for moment in times]
    lines += [] if preserved is None else [f"last_preserved_timestamp: {float(preserved)!r}\n".encode()]
    temporary = file.with_name(f".{file.name}.{os.getpid()}.{time.monotonic_ns()}")
    try:
        temporary.write_bytes(b"".join(lines))
        os.replace(temporary, file)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def update_checkpoint_state(
    save_dir: str,
    model_checkpoint_path: str,
    all_model_checkpoint_paths: list[str] | None = None,
    latest_filename: str | None = None,
    all_model_checkpoint_timestamps: Sequence[float] | None = None,
    last_preserved_timestamp: float | None = None,
) -> None:
    """Write the file ``checkpoint`` of a folder, with ``model_checkpoint_path`` as the newest."""
    file = Path(save_dir) / (latest_filename or "checkpoint")
    if file.is_absolute() and os.fspath(file) == model_checkpoint_path:
        raise RuntimeError(
            f"Save path '{model_checkpoint_path}' conflicts with path used for checkpoint state.  Please use a "
            "different save path."
        )
    paths = _ending_with(model_checkpoint_path, all_model_checkpoint_paths)
    _check_times(all_model_checkpoint_timestamps, paths)
    record(file, paths, all_model_checkpoint_timestamps or (), last_preserved_timestamp)


def generate_checkpoint_state_proto(
    save_dir: str,
    model_checkpoint_path: str,
    all_model_checkpoint_paths: list[str] | None = None,
    all_model_checkpoint_timestamps: Sequence[float] | None = None,
    last_preserved_timestamp: float | None = None,
) -> CheckpointState:
    """Return what `update_checkpoint_state` writes: the paths, newest last, as seen from a relative ``save_dir``."""
    paths = _ending_with(model_checkpoint_path, all_model_checkpoint_paths)
    _check_times(all_model_checkpoint_timestamps, paths)
    if not os.path.isabs(save_dir):
        paths[:] = [path if os.path.isabs(path) else os.path.relpath(path, save_dir) for path in paths]
    return CheckpointState(paths[-1], paths, all_model_checkpoint_timestamps or (), last_preserved_timestamp or 0.0)


def _check_times(times: Sequence[float] | None, paths: list[str]) -> None:
    """Raise ValueError where there is not a time for each path."""
    if times and len(times) != len(paths):
        raise ValueError(
            "Checkpoint timestamps, if provided, must match checkpoint paths (got paths "
            f"{paths} and timestamps {list(times)})"
        )


def _ending_with(newest: str, paths: list[str] | None) -> list[str]:
    """Return the caller's own list, to which TensorFlow, too, adds the newest path where it is not the last."""
    paths = [] if paths is None else paths
    if not paths or paths[-1] != newest:
        paths.append(newest)
    return paths


def get_checkpoint_mtimes(checkpoint_prefixes: list[str]) -> list[float]:
    """Return when the checkpoints of these paths were written, those that are there."""
    return [os.path.getmtime(_named_by(path)) for path in checkpoint_prefixes if checkpoint_exists(path)]


def remove_checkpoint(
    checkpoint_prefix: str, checkpoint_format_version: Any = None, meta_graph_suffix: str = "meta"
) -> None:
    """Delete the files of a checkpoint that are there."""
    del checkpoint_format_version, meta_graph_suffix
    for file in files_of(checkpoint_prefix):
        with contextlib.suppress(FileNotFoundError):  # another process may have been quicker
            os.unlink(file)


def get_checkpoint_state(checkpoint_dir: str, latest_filename: str | None = None) -> CheckpointState | None:
    """Return what the file ``checkpoint`` in a folder says, None without one; ValueError for a file without path."""
    file = Path(checkpoint_dir) / (latest_filename or "checkpoint")
    newest, paths = read_record(file, os.fspath(checkpoint_dir))
    if newest is None and file.is_file():
        if not re.fullmatch(rb"\s*((all_model|model|last)_\w+\s*:.*\s*|#.*\s*)*", file.read_bytes()):
            log.warning("%s: Checkpoint ignored", file)
            return None
        raise ValueError(f"Invalid checkpoint state loaded from {checkpoint_dir}")
    if newest is None:
        return None
    times: dict[bytes, list[float]] = {}
    for key, number in re.findall(rb"^[ \t]*(\w+):[ \t]*([-+.\w]+)[ \t]*$", file.read_bytes(), re.MULTILINE):
        with contextlib.suppress(ValueError):
            times.setdefault(key, []).append(float(number))
    preserved = times.get(b"last_preserved_timestamp", [0.0])[0]
    return CheckpointState(newest, paths, times.get(b"all_model_checkpoint_timestamps", ()), preserved)


def latest_checkpoint(checkpoint_dir: str, latest_filename: str | None = None) -> str | None:
    """Return the path of the newest checkpoint in a folder, None where there is none."""
    state = get_checkpoint_state(checkpoint_dir, latest_filename)
    return state.model_checkpoint_path if state and is_checkpoint(state.model_checkpoint_path) else None


def file_of(path: str) -> str:
    """Return the file of a checkpoint's path: of today's format; where there is none, of before or TensorFlow's."""
    if path.endswith((SUFFIX, OLD_SUFFIX)):
        return path
    if os.path.exists(path + SUFFIX):
        return path + SUFFIX
    if os.path.isfile(path + OLD_SUFFIX):
        return path + OLD_SUFFIX
    return path + (INDEX if is_bundle(path) and not is_index(path) else SUFFIX)


def files_of(path: str) -> list[str]:
    """Return the files of a checkpoint that are there, that of the graph among them."""
    file = file_of(path)
    if file.endswith(INDEX):
        return bundle_files(path)
    if not os.path.exists(file):
        return []
    beside = [f"{path}.meta", *([path + INDEX] if is_index(path) else [])]
    return [file, *(each for each in beside if os.path.exists(each))]


def arrays_of(path: str) -> Mapping[str, Any]:
    """Return the arrays of a checkpoint by name; of TensorFlow's each is read when it is asked for."""
    file = file_of(path)
    return TensorBundle("restore", path) if file.endswith(INDEX) else with_texts(load_arrays(file))


def checkpoint_exists(checkpoint_prefix: str) -> bool:
    """Tell whether there is a checkpoint of that path, or any file that it names."""
    return os.path.exists(_named_by(checkpoint_prefix))


def _named_by(path: str) -> str:
    """Return the file of a checkpoint's path, or what is at the path itself."""
    file = file_of(path)
    return file if os.path.isfile(file) else path


def is_checkpoint(path: str) -> bool:
    """Tell whether there is a checkpoint of that path."""
    return os.path.isfile(file_of(path))


def newest_checkpoint(path: str) -> str:
    """Return a checkpoint, of a folder its newest one; ValueError where there is none."""
    checkpoint = latest_checkpoint(path) if os.path.isdir(path) else path
    if checkpoint is None:
        raise ValueError(f"Couldn't find 'checkpoint' file or checkpoints in given directory {path}")
    return checkpoint


def list_variables(ckpt_dir_or_file: str) -> list[tuple[str, list[int]]]:
    """Return names and shapes of what is in a checkpoint."""
    return sorted(load_checkpoint(ckpt_dir_or_file).get_variable_to_shape_map().items())


def load_variable(ckpt_dir_or_file: str, name: str) -> Any:
    """Return one array of a checkpoint; NotFoundError where there is none of that name."""
    return load_checkpoint(ckpt_dir_or_file).get_tensor(name.removesuffix(":0"))


_TYPES = {"float16": "HALF", "float32": "FLOAT", "float64": "DOUBLE"}


def existing_arrays(path: str) -> Mapping[str, Any]:
    """Return the arrays of a checkpoint by name, as `arrays_of` does. Raises NotFoundError where there is none."""
    if not is_checkpoint(path):
        raise NotFoundError(
            None, None, f"Unsuccessful TensorSliceReader constructor: Failed to find any matching files for {path}"
        )
    return arrays_of(path)


class _Reader:
    """The arrays of a checkpoint by name."""

    def __init__(self, path: str) -> None:
        self._arrays = existing_arrays(path)

    def has_tensor(self, name: str) -> bool:
        """Tell whether there is an array of that name."""
        return name in self._arrays

    def get_tensor(self, name: str) -> Any:
        """Return an array, of a scalar the value; NotFoundError where there is none of that name."""
        if name not in self._arrays:
            raise NotFoundError(None, None, f"Key {name} not found in checkpoint")
        return self._arrays[name][()]

    def debug_string(self) -> bytes:
        """Return the names with their types, as TensorFlow calls them, and shapes."""
        types, shapes = self.get_variable_to_dtype_map(), self.get_variable_to_shape_map()
        lines = (
            f"{name} (DT_{_TYPES.get(types[name].name, types[name].name.upper())}) [{','.join(map(str, shapes[name]))}]"
            for name in sorted(shapes)
        )
        return "\n".join([*lines, ""]).encode()

    def get_variable_to_shape_map(self) -> dict[str, list[int]]:
        """Return the shapes by name."""
        arrays = self._arrays
        shapes = arrays.shapes if isinstance(arrays, TensorBundle) else {name: a.shape for name, a in arrays.items()}
        return {name: list(shape) for name, shape in shapes.items()}

    def get_variable_to_dtype_map(self) -> dict[str, Any]:
        """Return the types by name."""
        arrays = self._arrays
        if isinstance(arrays, TensorBundle):
            return {name: _named(arrays.dtype(name)) for name in arrays}
        return {name: as_dtype(array.dtype) for name, array in arrays.items()}


def _named(dtype: Any) -> DType:
    """Return a type, of complex numbers too, which no operation here has."""
    return DType(dtype.name, dtype) if dtype.kind == "c" else as_dtype(dtype)


def NewCheckpointReader(filepattern: str) -> _Reader:
    """Return a reader of a checkpoint's arrays, whose path may be a folder's too; NotFoundError where none is there."""
    return _Reader(filepattern)


def load_checkpoint(ckpt_dir_or_file: str) -> _Reader:
    """Return a reader of the arrays of a checkpoint, of a folder its newest one."""
    return _Reader(newest_checkpoint(ckpt_dir_or_file))
