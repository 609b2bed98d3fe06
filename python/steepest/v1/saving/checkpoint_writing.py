"""The files of one checkpoint: its values, and the file by which programs for TensorFlow look for them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from ...checkpoint import SUFFIX, save_arrays
from ...checkpoint.foreign.tensor_bundle import INDEX
from .graph_writing import write_text
from .text_arrays import as_numbers

__all__ = ["is_index", "write_checkpoint"]

_SAYS = "steepest: the values are in "


def write_checkpoint(prefix: str, arrays: Mapping[str, Any]) -> None:
    """Write arrays to ``<prefix>.safetensors``, then ``<prefix>.index``, a line that names that file.

    Programs for TensorFlow ask whether ``<prefix>.index`` is there before they restore. Where one is, it stays.
    """
    save_arrays(prefix + SUFFIX, as_numbers(arrays))
    if not os.path.exists(prefix + INDEX):
        write_text(prefix + INDEX, f"{_SAYS}{os.path.basename(prefix)}{SUFFIX}\n")


def is_index(prefix: str) -> bool:
    """Tell whether ``<prefix>.index`` is what `write_checkpoint` makes, not TensorFlow's."""
    try:
        with open(prefix + INDEX, "rb") as file:
            return file.read(len(_SAYS)) == _SAYS.encode()
    except OSError:
        return False
