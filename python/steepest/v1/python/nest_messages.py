"""What errors of nests that do not fit each other say: tests fill in the rest, under the names of either TensorFlow."""

from __future__ import annotations

__all__ = [
    "IF_SHALLOW_IS_SEQ_INPUT_MUST_BE_SEQ",
    "INPUT_TREE_SMALLER_THAN_SHALLOW_TREE",
    "SHALLOW_TREE_HAS_INVALID_KEYS",
    "STRUCTURES_HAVE_MISMATCHING_LENGTHS",
    "STRUCTURES_HAVE_MISMATCHING_TYPES",
    "_IF_SHALLOW_IS_SEQ_INPUT_MUST_BE_SEQ",
    "_INPUT_TREE_SMALLER_THAN_SHALLOW_TREE",
    "_SHALLOW_TREE_HAS_INVALID_KEYS",
    "_STRUCTURES_HAVE_MISMATCHING_LENGTHS",
    "_STRUCTURES_HAVE_MISMATCHING_TYPES",
]

SHALLOW_TREE_HAS_INVALID_KEYS = (
    "The shallow_tree's keys are not a subset of the input_tree's keys. The shallow_tree has the following keys that "
    "are not in the input_tree: {}."
)
STRUCTURES_HAVE_MISMATCHING_TYPES = (
    "The two structures don't have the same sequence type. Input structure has type {input_type}, while shallow "
    "structure has type {shallow_type}."
)
STRUCTURES_HAVE_MISMATCHING_LENGTHS = (
    "The two structures don't have the same sequence length. Input structure has length {input_length}, while shallow "
    "structure has length {shallow_length}."
)
INPUT_TREE_SMALLER_THAN_SHALLOW_TREE = (
    "The input_tree has fewer elements than the shallow_tree. Input structure has length {input_size}, while shallow "
    "structure has length {shallow_size}."
)
IF_SHALLOW_IS_SEQ_INPUT_MUST_BE_SEQ = (
    "If shallow structure is a sequence, input must also be a sequence. Input has type: {}."
)
_SHALLOW_TREE_HAS_INVALID_KEYS = SHALLOW_TREE_HAS_INVALID_KEYS
_STRUCTURES_HAVE_MISMATCHING_TYPES = STRUCTURES_HAVE_MISMATCHING_TYPES
_STRUCTURES_HAVE_MISMATCHING_LENGTHS = STRUCTURES_HAVE_MISMATCHING_LENGTHS
_INPUT_TREE_SMALLER_THAN_SHALLOW_TREE = INPUT_TREE_SMALLER_THAN_SHALLOW_TREE
_IF_SHALLOW_IS_SEQ_INPUT_MUST_BE_SEQ = IF_SHALLOW_IS_SEQ_INPUT_MUST_BE_SEQ
