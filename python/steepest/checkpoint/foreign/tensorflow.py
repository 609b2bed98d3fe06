"""Reading checkpoints of TensorFlow 1 without TensorFlow."""

from __future__ import annotations

import os
import re
from pathlib import Path

from ...base.errors import must
from ...base.typing import Array
from ..atomic import checked_path
from .sorted_table import is_table
from .tensor_bundle import INDEX, TensorBundle, is_bundle

__all__ = ["escaped", "from_tensorflow", "read_record"]

_ESCAPE = re.compile(rb"\\([0-7]{1,3}|.)")
_CONTROLS = {b"n": b"\n", b"r": b"\r", b"t": b"\t"}


def from_tensorflow(path: str | os.PathLike[str]) -> dict[str, Array]:
    """Return the variables in a checkpoint that TensorFlow wrote, by their names there; TensorFlow is not needed.

    Slots are under the names that TensorFlow 1 gives them (``w/Adam``, ``w/Adam_1``, ``beta1_power``); a variable that
    was saved in parts is whole. Every tensor's checksum is compared. `slots_from_tensorflow` gives an optimizer its
    slots.

    Args:
        path: what ``tf.train.Saver.save`` returned: the path of the ``.index`` file, with or without that ending; or a
            folder, of which the newest checkpoint is read.

    Returns:
        New arrays by name, in their own types; bfloat16 needs ml_dtypes. Strings are bytes in an array of objects.

    Raises:
        FileNotFoundError: where there is none.
        ValueError: for a file that is damaged; the message names the tensor. For a file of before TensorFlow 1.0.

    Example:
        >>> tensors = st.checkpoint.from_tensorflow("tests/data/tensorflow/adam")  # a folder of this project's
        >>> tensors["global_step"].item(), tensors["layer/w/Adam"].shape
        (4, (3, 2))

    Source: ``tensorflow/core/util/tensor_bundle``.
    """
    who, prefix = "from_tensorflow", checked_path("from_tensorflow", path)
    if os.path.isdir(prefix) and not is_bundle(prefix):
        newest, _ = read_record(Path(prefix) / "checkpoint")
        if newest is None:
            got, remedy = f"{prefix!r}, a folder without it", "give the checkpoint's own path"
            raise FileNotFoundError(must(who, "path", "have a file 'checkpoint' that names the newest", got, remedy))
        prefix = newest
    prefix = prefix.removesuffix(INDEX)
    if not is_bundle(prefix):
        _check_version(who, prefix)
        raise FileNotFoundError(must(who, "path", f"be a checkpoint of TensorFlow's ({INDEX}, .data-*)", repr(prefix)))
    return dict(TensorBundle(who, prefix))


def _check_version(who: str, path: str) -> None:
    """Raise ValueError for a single file of the format that TensorFlow wrote before 1.0."""
    if os.path.isfile(path):
        with open(path, "rb") as file:
            file.seek(max(0, os.path.getsize(path) - 48))
            if is_table(file.read()):
                got, remedy = f"{path!r}, of V1", "save it anew with TensorFlow 1's tf.train.Saver"
                raise ValueError(must(who, "path", "be of TensorFlow's format V2", got, remedy))


def read_record(file: Path, folder: str | None = None) -> tuple[str | None, list[str]]:
    """Return what the text file ``checkpoint`` says: the path of the newest, None without one, and all paths.

    ``folder`` is how the caller spells the file's folder: paths below it begin with just that.
    """
    if not file.is_file():
        return None, []
    lines = re.findall(rb'^[ \t]*(\w+):[ \t]*"((?:[^"\\\n]|\\.)*)"', file.read_bytes(), re.MULTILINE)
    folder = os.fspath(file.parent) if folder is None else folder
    paths = [(key, os.path.join(folder, _unescaped(path))) for key, path in lines]
    newest = [path for key, path in paths if key == b"model_checkpoint_path"]
    return newest[0] if newest else None, [path for key, path in paths if key == b"all_model_checkpoint_paths"]


def _unescaped(text: bytes) -> str:
    """Return the text between quotes, in the format of protocol buffers."""

    def plain(match: re.Match[bytes]) -> bytes:
        mark = match[1]
        return bytes([int(mark, 8) & 255]) if mark[:1].isdigit() else _CONTROLS.get(mark, mark)

    return os.fsdecode(_ESCAPE.sub(plain, text))


def escaped(path: str) -> bytes:
    """Return a path as it stands between quotes in the file ``checkpoint``."""
    return os.fsencode(path).replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n")
