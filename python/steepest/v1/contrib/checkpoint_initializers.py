"""First values of variables from a checkpoint whose rows were those of other vocabularies: ``tf.contrib.framework``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..saving.vocabularies import _load_and_remap_matrix_initializer, _load_embedding_initializer

__all__ = [
    "load_and_remap_matrix_initializer",
    "load_embedding_initializer",
    "load_linear_multiclass_bias_initializer",
    "load_variable_slot_initializer",
]

Initializer = Callable[..., Any]


def load_and_remap_matrix_initializer(
    ckpt_path: Any,
    old_tensor_name: str,
    new_row_vocab_size: int,
    new_col_vocab_size: int,
    old_row_vocab_size: int = -1,
    old_row_vocab_file: Any = None,
    new_row_vocab_file: Any = None,
    old_col_vocab_file: Any = None,
    new_col_vocab_file: Any = None,
    num_row_oov_buckets: int = 0,
    num_col_oov_buckets: int = 0,
    initializer: Initializer | None = None,
    max_rows_in_memory: int = -1,
) -> Initializer:
    """Return the initializer of a matrix, whole or in parts, by a checkpoint's, for other words in other places.

    Args:
        ckpt_path, old_tensor_name: which matrix.
        new_row_vocab_size, new_col_vocab_size: how many rows and columns are for words.
        old_row_vocab_size: how many lines of the old file of rows count, all with -1.
        old_row_vocab_file, new_row_vocab_file: files with a word in each line, both or neither.
        old_col_vocab_file, new_col_vocab_file: the same for columns.
        num_row_oov_buckets, num_col_oov_buckets: how many rows and columns are for other words.
        initializer: of new elements, from a shape; by default zeros.
        max_rows_in_memory: ignored.

    Raises:
        TypeError: for an initializer that cannot be called.

    Source: ``tf.contrib.framework.load_and_remap_matrix_initializer``.
    """
    return _load_and_remap_matrix_initializer(
        ckpt_path,
        old_tensor_name,
        new_row_vocab_size,
        new_col_vocab_size,
        old_row_vocab_size,
        num_row_oov_buckets,
        num_col_oov_buckets,
        initializer,
        old_row_vocab_file=old_row_vocab_file,
        new_row_vocab_file=new_row_vocab_file,
        old_col_vocab_file=old_col_vocab_file,
        new_col_vocab_file=new_col_vocab_file,
        max_rows_in_memory=max_rows_in_memory,
    )


def load_embedding_initializer(
    ckpt_path: Any,
    embedding_tensor_name: str,
    new_vocab_size: int,
    embedding_dim: int,
    old_vocab_file: Any,
    new_vocab_file: Any,
    old_vocab_size: int = -1,
    num_oov_buckets: int = 0,
    initializer: Initializer | None = None,
    max_rows_in_memory: int = -1,
) -> Initializer:
    """Return the initializer of a table of embeddings by a checkpoint's, its rows in the order of other words.

    Args:
        ckpt_path, embedding_tensor_name: which table.
        new_vocab_size, embedding_dim: its shape, without the rows of buckets.
        old_vocab_file, new_vocab_file: files with a word in each line.
        old_vocab_size: how many lines of the old file count, all with -1.
        num_oov_buckets: how many rows are for other words.
        initializer: of new elements, from a shape; by default zeros.
        max_rows_in_memory: ignored.

    Source: ``tf.contrib.framework.load_embedding_initializer``.
    """
    return _load_embedding_initializer(
        ckpt_path,
        embedding_tensor_name,
        new_vocab_size,
        embedding_dim,
        old_vocab_file,
        new_vocab_file,
        old_vocab_size,
        num_oov_buckets,
        initializer,
        max_rows_in_memory,
    )


def load_linear_multiclass_bias_initializer(
    ckpt_path: Any,
    bias_tensor_name: str,
    new_class_vocab_size: int,
    old_class_vocab_file: Any,
    new_class_vocab_file: Any,
    num_class_oov_buckets: int = 0,
    initializer: Initializer | None = None,
    max_rows_in_memory: int = -1,
) -> Initializer:
    """Return the initializer of one number for each class by a checkpoint's, for classes in another order.

    Args:
        ckpt_path, bias_tensor_name: which column of numbers.
        new_class_vocab_size: how many classes there are.
        old_class_vocab_file, new_class_vocab_file: files with a class in each line.
        num_class_oov_buckets: how many rows are for other classes.
        initializer: of new elements, from a shape; by default zeros.
        max_rows_in_memory: ignored.

    Source: ``tf.contrib.framework.load_linear_multiclass_bias_initializer``.
    """
    files = {"old_row_vocab_file": old_class_vocab_file, "new_row_vocab_file": new_class_vocab_file}
    return load_and_remap_matrix_initializer(
        ckpt_path,
        bias_tensor_name,
        new_class_vocab_size,
        1,
        num_row_oov_buckets=num_class_oov_buckets,
        initializer=initializer,
        max_rows_in_memory=max_rows_in_memory,
        **files,
    )


def load_variable_slot_initializer(
    ckpt_path: Any,
    old_tensor_name: str,
    primary_partition_info: Any,
    new_row_vocab_size: int,
    new_col_vocab_size: int,
    old_row_vocab_file: Any = None,
    new_row_vocab_file: Any = None,
    old_col_vocab_file: Any = None,
    new_col_vocab_file: Any = None,
    num_row_oov_buckets: int = 0,
    num_col_oov_buckets: int = 0,
    initializer: Initializer | None = None,
    max_rows_in_memory: int = -1,
) -> Initializer:
    """Return `load_and_remap_matrix_initializer` for an optimizer's slot: as the part that its variable is.

    Args:
        ckpt_path, old_tensor_name: which matrix.
        primary_partition_info: which part of the whole the slot's variable is.
        new_row_vocab_size, new_col_vocab_size: how many rows and columns are for words.
        old_row_vocab_file, new_row_vocab_file: files with a word in each line, both or neither.
        old_col_vocab_file, new_col_vocab_file: the same for columns.
        num_row_oov_buckets, num_col_oov_buckets: how many rows and columns are for other words.
        initializer: of new elements, from a shape; by default zeros.
        max_rows_in_memory: ignored.

    Raises:
        TypeError: for an initializer that cannot be called.

    Source: ``tf.contrib.framework.load_variable_slot_initializer``.
    """
    whole = load_and_remap_matrix_initializer(
        ckpt_path,
        old_tensor_name,
        new_row_vocab_size,
        new_col_vocab_size,
        -1,
        old_row_vocab_file,
        new_row_vocab_file,
        old_col_vocab_file,
        new_col_vocab_file,
        num_row_oov_buckets,
        num_col_oov_buckets,
        initializer,
        max_rows_in_memory,
    )

    def initial(shape: Any, dtype: Any = "float32", partition_info: Any = None) -> Any:
        del partition_info
        return whole(shape, dtype, partition_info=primary_partition_info)

    return initial
