"""Public functions take TensorFlow's arguments under TensorFlow's names, in TensorFlow's order."""

from __future__ import annotations

import inspect
import json
from functools import reduce
from pathlib import Path
from typing import Any

import pytest
from op_cases import words

import steepest.v1 as tf

RECORDED: dict[str, str] = json.loads((Path(__file__).parents[1] / "data" / "v1_signatures.json").read_text())[
    "arguments"
]

# Arguments that TensorFlow's functions got after 1.15; a program for it does not give them.
LATER = words(
    "alg align axis bad_indices_policy binary_output canonicalized_coordinates defaults "
    "ensure_minimum_range fn_output_signature grad_a grad_b index_type last_checkpoint_step layout narrow_range "
    "num_cols num_rows output_type padding_value perturb_singular return_index_map separator sorted_input "
    "sparse_gradient tile_size value_index_offset"
)
DIFFERENT = {
    "DType": "made by `as_dtype`; TensorFlow's takes its number",
    "dequantize": "of 1.15: the result is float32",
    "VariableScope": "made by `variable_scope`, with the core's arguments",
    "scatter_nd": "`name` is the fourth, as in 1.15",
    "manip.scatter_nd": "the same function",
    "train.export_meta_graph": "the rest of its keywords are accepted",
    "function": "keywords of TensorFlow 2 are accepted",
}


def _found(path: str) -> Any:
    try:
        value = reduce(getattr, path.split("."), tf)
    except (AttributeError, NotImplementedError):
        return None
    return None if "is not here" in repr(value) else value


def _arguments(value: Any) -> tuple[list[str], bool]:
    parameters = inspect.signature(value).parameters.values()
    names = [each.name for each in parameters if each.kind is each.POSITIONAL_OR_KEYWORD]
    return [name for name in names if name != "_sentinel"], any(each.kind is each.VAR_POSITIONAL for each in parameters)


HERE = {path: value for path in RECORDED if callable(value := _found(path))}


def test_most_functions_are_compared() -> None:
    assert len(HERE) > 900


@pytest.mark.parametrize("path", sorted(HERE))
def test_the_arguments_are_tensorflows(path: str) -> None:
    if path in DIFFERENT:
        return
    ours, any_number = _arguments(HERE[path])
    if any_number:  # they are forwarded
        return
    theirs = [name for name in RECORDED[path].split() if name in ours or name not in LATER]
    assert ours[: len(theirs)] == theirs
