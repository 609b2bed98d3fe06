"""Variables that begin with the values of a checkpoint, and checkpoints as they come."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from ..graph import log
from ..graph.graph import get_default_graph
from ..graph.scopes import get_variable_scope
from ..graph.session_values import lifted
from ..variables.partitioned_variable import PartitionedVariable
from ..variables.variable_slices import slice_of
from .checkpoint_ops import restore_v2
from .checkpoint_state import latest_checkpoint, load_checkpoint
from .saved_variables import variables_by_name

__all__ = ["checkpoints_iterator", "init_from_checkpoint", "wait_for_new_checkpoint"]


def init_from_checkpoint(ckpt_dir_or_file: str, assignment_map: Mapping[str, Any] | Iterable[tuple[str, Any]]) -> None:
    """Let the initializers of variables give them values of a checkpoint, which is read when they run.

    Args:
        ckpt_dir_or_file: a checkpoint, or a folder, whose newest is taken.
        assignment_map: from names in the checkpoint to variables, lists of parts of one, or names of variables; or from
            scopes that end in ``/`` to scopes, for all variables below; ``"/"`` is the root. As a list of pairs, one
            name may begin several variables.

    Initializers that were asked for before, ``global_variables_initializer()`` among them, give the values of before.

    Raises:
        ValueError: for a name that one of the two sides does not have, or another shape. InvalidArgumentError: when an
            initializer runs, for another type.

    Source: ``tf.train.init_from_checkpoint``.
    """
    reader, graph = load_checkpoint(ckpt_dir_or_file), get_default_graph()
    file = latest_checkpoint(ckpt_dir_or_file) if os.path.isdir(ckpt_dir_or_file) else ckpt_dir_or_file
    prefix = get_variable_scope().name
    variables = list({id(variable): variable for variable in graph.get_collection("variables")}.values())
    by_name: dict[str, Any] = variables_by_name(variables, True)  # the parts of a variable under the name of the whole
    plans: list[tuple[Any, str]] = []
    for theirs, ours in assignment_map.items() if isinstance(assignment_map, Mapping) else assignment_map:
        if isinstance(ours, str) and theirs.endswith("/"):
            scope = f"{prefix}/{ours}".lstrip("/") if prefix else ours
            plans += _below((reader, ckpt_dir_or_file), by_name, theirs, scope)
            continue
        found = by_name.get(f"{prefix}/{ours}".lstrip("/"), by_name.get(ours)) if isinstance(ours, str) else ours
        if found is None:
            raise ValueError(f"Variable {ours} is not found in the graph")
        plans.append((found, theirs))
    parts = [(part, name) for each, name in plans for part in _parts_of(each)]
    slices = [(variable, name, _checked((reader, ckpt_dir_or_file), variable, name)) for variable, name in parts]
    for variable, name, part in slices:
        with lifted(graph), graph.device(variable.device):
            (first,) = restore_v2(file, [name], [part], [variable.dtype], name="checkpoint_initializer")
            first.set_shape(variable.shape)
            variable._begin_with(first, f"{first.op.name}/Assign")


def _below(read: tuple[Any, Any], by_name: dict[str, Any], theirs: str, ours: str) -> list[tuple[Any, str]]:
    scope, root = ours.strip("/"), theirs.strip("/")
    if not ours.endswith("/") and (not scope or scope in by_name):
        raise ValueError(
            f"Assignment map with scope only name {ours} should map to scope only {theirs}. "
            "Should be 'scope/': 'other_scope/'."
        )
    inside = {
        name[len(scope) :].strip("/"): v for name, v in by_name.items() if not scope or name.startswith(f"{scope}/")
    }
    pairs = {name: (variable, f"{root}/{name}".lstrip("/")) for name, variable in inside.items()}
    for name, (_, full) in pairs.items():
        if not read[0].has_tensor(full):
            raise ValueError(f"Tensor {full} ({name} in {theirs}) is not found in {read[1]} checkpoint")
    return list(pairs.values())


def _parts_of(variable: Any) -> list[Any]:
    return list(variable) if isinstance(variable, (list, tuple, PartitionedVariable)) else [variable]


def _checked(read: tuple[Any, Any], variable: Any, name: str) -> str:
    """Return which part of an array a variable takes, as `restore_v2` is told it. Raises ValueError where none fits."""
    reader, where = read
    shapes = reader.get_variable_to_shape_map()
    if name not in shapes:
        raise ValueError(f"Tensor {name} is not found in {where} checkpoint {shapes}")
    info = slice_of(variable)
    if info is not None and shapes[name] == list(info.full_shape):
        return info.spec
    if not variable.shape.is_compatible_with(shapes[name]):
        raise ValueError(
            f"Shape of variable {variable.name} ({variable.shape}) doesn't match with shape of tensor {name} "
            f"({shapes[name]}) from checkpoint reader."
        )
    return ""


def wait_for_new_checkpoint(
    checkpoint_dir: str, last_checkpoint: str | None = None, seconds_to_sleep: float = 1, timeout: float | None = None
) -> str | None:
    """Return the path of the newest checkpoint once it is not ``last_checkpoint``; None after ``timeout`` seconds.

    Source: ``wait_for_new_checkpoint`` of TensorFlow's ``checkpoint_utils``.
    """
    log.info("Waiting for new checkpoint at %s", checkpoint_dir)
    stop = None if timeout is None else time.time() + timeout
    while (newest := latest_checkpoint(checkpoint_dir)) is None or newest == last_checkpoint:
        if stop is not None and time.time() + seconds_to_sleep > stop:
            return None
        time.sleep(seconds_to_sleep)
    log.info("Found new checkpoint at %s", newest)
    return newest


def checkpoints_iterator(
    checkpoint_dir: str,
    min_interval_secs: float = 0,
    timeout: float | None = None,
    timeout_fn: Callable[[], bool] | None = None,
) -> Iterator[str]:
    """Give the path of each new checkpoint of a folder, waiting for it.

    It ends where ``timeout`` seconds pass without one, unless ``timeout_fn`` returns False then.

    Source: ``tf.train.checkpoints_iterator``.
    """
    seen = None
    pause = 0.05 if timeout is None else min(0.05, max(timeout / 4, 0.001))
    while True:
        newest = wait_for_new_checkpoint(checkpoint_dir, seen, pause, timeout)
        if newest is None:
            if timeout_fn is None:
                log.info("Timed-out waiting for a checkpoint.")
            if timeout_fn is None or timeout_fn():
                return
            continue
        seen, found_at = newest, time.time()
        yield newest
        time.sleep(max(0.0, found_at + min_interval_secs - time.time()))
