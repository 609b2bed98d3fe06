"""What is in a checkpoint, printed: the functions of ``tensorflow.python.tools.inspect_checkpoint``."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

from ..graph.errors import OpError
from ..saving.checkpoint_state import NewCheckpointReader

__all__ = ["_count_total_params", "print_tensors_in_checkpoint_file"]


def print_tensors_in_checkpoint_file(
    file_name: str,
    tensor_name: str,
    all_tensors: bool,
    all_tensor_names: bool = False,
    count_exclude_pattern: str = "",
) -> None:
    """Print arrays of a checkpoint, and how many numbers are in all of them; of a missing one, why there is none.

    Args:
        tensor_name: the array that is printed; empty for the names, types and shapes of all.
        all_tensors: whether all arrays are printed, with their names.
        all_tensor_names: whether the names of all are printed.
        count_exclude_pattern: a regular expression of the names that are not counted.

    Source: ``tensorflow.python.tools.inspect_checkpoint.print_tensors_in_checkpoint_file``.
    """
    try:
        reader = NewCheckpointReader(file_name)
        shapes = reader.get_variable_to_shape_map()
        for name in sorted(shapes) if all_tensors or all_tensor_names else [tensor_name] if tensor_name else ():
            print("tensor_name: ", name)
            if all_tensors or not all_tensor_names:
                print(reader.get_tensor(name))
        if not (all_tensors or all_tensor_names or tensor_name):
            print(reader.debug_string().decode())
        print(f"# Total number of params: {_count_total_params(shapes, count_exclude_pattern)}")
    except OpError as error:
        print(error.message)


def _count_total_params(shapes: Mapping[str, Sequence[int]], count_exclude_pattern: str = "") -> int:
    """Return how many numbers are in arrays of these shapes, but for those whose names begin with the pattern."""
    sizes = {name: math.prod(shape) for name, shape in shapes.items()}
    if count_exclude_pattern:
        excluded = {name: size for name, size in sizes.items() if re.match(count_exclude_pattern, name)}
        print(
            f"# Excluding {len(excluded)} tensors ({sum(excluded.values())} params) that match "
            f"{count_exclude_pattern} when counting."
        )
        sizes = {name: size for name, size in sizes.items() if name not in excluded}
    return sum(sizes.values())
