"""``tf.train.warm_start``: variables that begin with those of another program's checkpoint, by pattern."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from ...variables.collections import GraphKeys
from ..graph.build import convert
from ..graph.graph import get_default_graph
from ..variables.partitioned_variable import PartitionedVariable, PartitionInfo
from ..variables.variable_slices import slice_of
from ..variables.variables import Variable
from .checkpoint_state import existing_arrays, newest_checkpoint
from .full_names import keys_by_full_names
from .init_from_checkpoint import init_from_checkpoint
from .vocabularies import _load_and_remap_matrix_initializer

__all__ = ["VocabInfo", "_get_var_info", "_infer_var_name", "_warm_start_var_with_vocab", "warm_start"]


class _Fields(NamedTuple):
    new_vocab: str
    new_vocab_size: int
    num_oov_buckets: int
    old_vocab: str
    old_vocab_size: int = -1
    backup_initializer: Any = None
    axis: int = 0


class VocabInfo(_Fields):
    """Which words the rows of a variable are for, and which they were for in a checkpoint.

    Args:
        new_vocab, new_vocab_size: the file with a word in each line, and how many of them count.
        num_oov_buckets: how many rows there are for words of no vocabulary.
        old_vocab, old_vocab_size: the same of the checkpoint; -1 are all words.
        backup_initializer: the first value of rows for other words, by default zeros.
        axis: 0 for rows; 1 where the words are those of columns.

    Raises:
        ValueError: for another axis.

    Source: ``tf.train.VocabInfo``.
    """

    __slots__ = ()

    def __new__(cls, *args: Any, **kwargs: Any) -> VocabInfo:
        """Return the fields, once ``axis`` is checked."""
        made = super().__new__(cls, *args, **kwargs)
        if made.axis not in (0, 1):
            raise ValueError(
                f"The only supported values for the axis argument are 0 and 1.  Provided axis: {made.axis}"
            )
        return made


def warm_start(
    ckpt_to_initialize_from: str,
    vars_to_warm_start: Any = ".*",
    var_name_to_vocab_info: Mapping[str, VocabInfo] | None = None,
    var_name_to_prev_var_name: Mapping[str, str] | None = None,
) -> None:
    """Let the initializers of variables give them the values of a checkpoint.

    Args:
        ckpt_to_initialize_from: a checkpoint, or a folder, whose newest is taken.
        vars_to_warm_start: a pattern for the names of trainable variables, or a list of variables, or a list of
            patterns for the names of all variables; None for those of ``var_name_to_vocab_info`` alone.
        var_name_to_vocab_info: for variables whose rows are words: the vocabularies of now and of the checkpoint.
        var_name_to_prev_var_name: the names that variables have in the checkpoint, where they are others. Without any,
            a checkpoint of objects is searched for the names that its variables had.

    Raises:
        ValueError: for a variable that the checkpoint does not have, another shape, a list of anything else, or a name
            in ``var_name_to_prev_var_name`` or ``var_name_to_vocab_info`` that is not taken.

    Source: ``tf.train.warm_start``.
    """
    before, words = dict(var_name_to_prev_var_name or {}), dict(var_name_to_vocab_info or {})
    grouped = _chosen(vars_to_warm_start)
    if not before:
        before = _renamed(ckpt_to_initialize_from, grouped)
    plain: list[tuple[str, Any]] = []
    for name, parts in grouped.items():
        previous, info = before.pop(name, name), words.pop(name, None)
        if info is not None:
            _warm_start_var_with_vocab(
                parts,
                info.new_vocab,
                info.new_vocab_size,
                ckpt_to_initialize_from,
                info.old_vocab,
                info.old_vocab_size,
                info.num_oov_buckets,
                previous,
                info.backup_initializer,
                info.axis,
            )
        elif vars_to_warm_start:
            plain.append((previous, parts[0] if len(parts) == 1 else parts))
    init_from_checkpoint(ckpt_to_initialize_from, plain)
    for argument, unused in (("var_name_to_prev_var_name", before), ("var_name_to_vocab_info", words)):
        if unused:
            raise ValueError(
                f"You provided the following variables in {argument} that were not used: {sorted(unused)}.  Perhaps "
                f"you misspelled them?  Here is the list of viable variable names: {sorted(grouped)}"
            )


def _renamed(path: str, names: Iterable[str]) -> dict[str, str]:
    """Return the names of arrays by names of variables in a checkpoint of objects, of any other checkpoint none."""
    keys = keys_by_full_names(existing_arrays(newest_checkpoint(path)))
    if keys and (missing := {name for name in names if name not in keys}):
        raise ValueError(
            "Attempting to warm-start from an object-based checkpoint, but found that the checkpoint did not contain "
            f"values for all variables. The following variables were missing: {missing}"
        )
    return {name: keys[name] for name in names} if keys else {}


def _chosen(wanted: Any) -> dict[str, list[Any]]:
    """Return variables, or the parts of one, by name."""
    graph = get_default_graph()
    if isinstance(wanted, str) or wanted is None:
        found = graph.get_collection(GraphKeys.TRAINABLE_VARIABLES, wanted)
    elif not isinstance(wanted, list):
        raise ValueError(f"`vars_to_warm_start must be a `list` or `str`.  Given type is {type(wanted)}")
    elif all(isinstance(item, str) for item in wanted):
        found = [each for item in wanted for each in graph.get_collection(GraphKeys.GLOBAL_VARIABLES, item)]
    elif all(isinstance(item, Variable) for item in wanted):
        found = wanted
    else:
        raise ValueError(
            "If `vars_to_warm_start` is a list, it must be all `Variable` or all `str`.  Given types are "
            f"{[type(item) for item in wanted]}"
        )
    grouped: dict[str, list[Any]] = {}
    for variable in {id(each): each for each in found}.values():
        grouped.setdefault(_infer_var_name([variable]), []).append(variable)
    return grouped


def _infer_var_name(var: list[Any]) -> str:
    """Return the name of a variable or of the whole whose parts are given; TypeError for parts of several."""
    parts = [part for each in var for part in (each if isinstance(each, PartitionedVariable) else [each])]
    names = {part.op.name if (info := slice_of(part)) is None else info.full_name for part in parts}
    if len(names) > 1:
        raise TypeError(f"`var` = {var} passed as arg violates the constraints.  name_to_var_dict = {sorted(names)}")
    return str(names.pop())


def _parts(var: Any) -> list[Any]:
    """Return a variable, or parts of one, as a list; TypeError for anything else."""
    if isinstance(var, Variable):
        return [var]
    if isinstance(var, PartitionedVariable):
        return list(var)
    if isinstance(var, list) and all(isinstance(part, Variable) for part in var):
        return var
    raise TypeError(
        f"var MUST be one of the following: a Variable, list of Variable or PartitionedVariable, but is {type(var)}"
    )


def _get_var_info(var: Any, prev_tensor_name: str | None = None) -> tuple[str, Any]:
    """Return the name that a variable has in a checkpoint, and the variable or its parts."""
    parts = _parts(var)
    return prev_tensor_name or _infer_var_name(parts), var if isinstance(var, Variable) else parts


def _warm_start_var_with_vocab(
    var: Any,
    current_vocab_path: str,
    current_vocab_size: int,
    prev_ckpt: str,
    prev_vocab_path: str,
    previous_vocab_size: int = -1,
    current_oov_buckets: int = 0,
    prev_tensor_name: str | None = None,
    initializer: Any = None,
    axis: int = 0,
) -> None:
    """Let a variable's initializer give it a checkpoint's rows (with ``axis`` 1 columns) for its own words.

    Raises ValueError where a path or a size is missing, or for another axis. TypeError for what is no variable.
    """
    if not (current_vocab_path and current_vocab_size and prev_ckpt and prev_vocab_path):
        raise ValueError(
            "Invalid args: Must provide all of [current_vocab_path, current_vocab_size, prev_ckpt, prev_vocab_path}."
        )
    parts = _parts(var)
    if axis not in (0, 1):
        raise ValueError(f"The only supported values for the axis argument are 0 and 1.  Provided axis: {axis}")
    name = prev_tensor_name or _infer_var_name(parts)
    shapes = [part.get_shape().as_list() for part in parts]
    what, sizes = ("row", "col")[axis], [sum(shape[0] for shape in shapes), shapes[0][1]]
    sizes[axis] = current_vocab_size
    given: dict[str, Any] = {f"old_{what}_vocab_file": prev_vocab_path, f"new_{what}_vocab_file": current_vocab_path}
    given[f"num_{what}_oov_buckets"] = current_oov_buckets
    first = _load_and_remap_matrix_initializer(
        prev_ckpt,
        name,
        sizes[0],
        sizes[1],
        old_row_vocab_size=previous_vocab_size if axis == 0 else -1,
        initializer=initializer,
        **given,
    )
    for part, shape in zip(parts, shapes, strict=True):
        info = slice_of(part)
        place = None if info is None else PartitionInfo(info.full_shape, info.var_offset)
        with part.graph.as_default(), part.graph.control_dependencies(None):
            value = convert(first(shape, partition_info=place))
            part._begin_with(value, f"{part.op.name}/warm_start/Assign")
