"""``tf.contrib.text``: pairs of tokens and tokens near them, as skip-gram models learn from.

Source: Mikolov et al., Efficient Estimation of Word Representations in Vector Space, 2013; Mikolov et al., Distributed
Representations of Words and Phrases and their Compositionality, 2013, equation 5 (frequent tokens are left out).
"""

from __future__ import annotations

import csv
from typing import Any

import numpy as np

from ..gfile import GFile
from ..graph.build import call, dtype_of, shape_of
from ..graph.dtypes import as_dtype
from ..graph.eager_call import RunSession
from ..graph.missing import namespace
from ..graph.run_values import array_of
from ..graph.scopes import name_scope
from ..ops.array_ops import shape
from ..ops.cast_ops import cast
from ..ops.gather_ops import boolean_mask
from ..ops.math_ops import greater_equal, less_equal, logical_and, not_equal, sqrt
from ..ops.random_ops import random_uniform
from ..ops.random_sequences import Sequence
from ..ops.sparse_ops import convert_to_tensor
from ..pipelines.batches import batch
from ..tables.lookup_tables import HashTable
from ..tables.table_initializers import TextFileInitializer

__all__ = ["skip_gram_sample", "skip_gram_sample_with_text_vocab"]

__getattr__, __dir__ = namespace(__name__, "skip_gram_ops")


def skip_gram_sample(
    input_tensor: Any,
    min_skips: Any = 1,
    max_skips: Any = 5,
    start: Any = 0,
    limit: Any = -1,
    emit_self_as_target: Any = False,
    vocab_freq_table: Any = None,
    vocab_min_count: Any = None,
    vocab_subsampling: float | None = None,
    corpus_size: Any = None,
    batch_size: int | None = None,
    batch_capacity: int | None = None,
    seed: int | None = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """Return tokens and labels: each token with each of those within a window around it, whose size is drawn.

    Args:
        input_tensor: the tokens, a vector.
        min_skips, max_skips: the least and the greatest number of places to each side, both included.
        start, limit: the first of the tokens that count, and how many do; all for a limit below 0.
        emit_self_as_target: whether a token is also a label of itself.
        vocab_freq_table: a table from tokens to how often they come; tokens that it does not have are left out first.
        vocab_min_count: tokens that come less often are left out.
        vocab_subsampling: the share of the corpus above which a token is left out by chance, from 0 to 1.
        corpus_size: the number of tokens of the corpus.
        batch_size: the size of batches by a queue, whose runner is to be started; None for all pairs at once.
        batch_capacity: how many pairs the queue holds; 100 batches by default.
        seed: of the draws.

    Returns:
        Two vectors of one length and the type of the tokens.

    Raises:
        ValueError: for tokens that are no vector; for what needs a table without one; for one of
            ``vocab_subsampling`` and ``corpus_size`` alone.
        InvalidArgumentError: in a run, unless ``0 <= min_skips <= max_skips``.

    See: ``tf.contrib.text.skip_gram_sample``.
    """
    of_table = {"vocab_min_count": vocab_min_count, "vocab_subsampling": vocab_subsampling, "corpus_size": corpus_size}
    if vocab_freq_table is None and any(each is not None for each in of_table.values()):
        told = ", ".join(f"{what}={each}" for what, each in of_table.items())
        raise ValueError(f"vocab_freq_table must be given for what is looked up in it, got none for {told}")
    if (vocab_subsampling is None) != (corpus_size is None):
        raise ValueError(
            f"vocab_subsampling is {vocab_subsampling} while corpus_size is {corpus_size} - both must be provided in "
            "order for subsampling to work."
        )
    with name_scope(name, "skip_gram_sample"):
        tokens = _filter_input(
            convert_to_tensor(input_tensor), vocab_freq_table, vocab_min_count, vocab_subsampling, corpus_size, seed
        )
        pairs = _pairs(tokens, (min_skips, max_skips, start, limit, emit_self_as_target), seed)
        if not batch_size or batch_size < 0:
            return pairs
        capacity = batch_capacity if batch_capacity and batch_capacity > 0 else 100 * batch_size
        first, second = batch(list(pairs), batch_size, capacity=capacity, enqueue_many=True)
        return first, second


def _pairs(tokens: Any, window: tuple[Any, ...], seed: int | None) -> tuple[Any, Any]:
    if (known := shape_of(tokens)) is not None and len(known) != 1:
        raise ValueError(f"Shape must be rank 1 but is rank {len(known)}: input_tensor of skip_gram_sample")
    sequence = Sequence("SkipGramGenerateCandidates", None, seed)

    def drawn(session: RunSession, values: Any, *numbers: Any) -> tuple[Any, Any]:
        words = array_of(values)
        least, most, begin, limit, itself = (array_of(number).item() for number in numbers)
        if least < 0 or most < 0:
            raise ValueError("Both min_skips and max_skips must be >= 0.")
        if least > most:
            raise ValueError("min_skips must be <= max_skips.")
        end = len(words) if limit < 0 else min(begin + limit, len(words))
        skips = sequence.draws(session).integers(least, most, size=max(end - begin, 0), endpoint=True)
        places = [
            (at, near)
            for at, skip in zip(range(begin, end), skips.tolist(), strict=True)
            for near in range(max(at - skip, begin), min(at + skip + 1, end))
            if itself or near != at
        ]
        at, near = np.array(places, np.int64).reshape(-1, 2).T
        return words[at], words[near]

    kinds = ("int32", "int32", "int32", "int32", "bool")
    numbers = [convert_to_tensor(number, kind) for number, kind in zip(window, kinds, strict=True)]
    first, second = call(
        "SkipGramGenerateCandidates",
        drawn,
        [tokens, *numbers],
        shape=[(None,), (None,)],
        dtype=[dtype_of(tokens)] * 2,
        outputs=2,
        same=False,
        contextual=True,
        differentiable=False,
    )
    return first, second


def _filter_input(
    input_tensor: Any,
    vocab_freq_table: Any,
    vocab_min_count: Any,
    vocab_subsampling: float | None,
    corpus_size: Any,
    seed: int | None,
) -> Any:
    """Return the tokens that a table has, often enough, and of the frequent ones some."""
    if vocab_freq_table is None:
        return input_tensor
    if not isinstance(vocab_freq_table, HashTable):
        raise ValueError(
            "vocab_freq_table must be a subclass of InitializableLookupTableBase (such as HashTable) instead of type "
            f"{type(vocab_freq_table)}."
        )
    if vocab_subsampling is not None and not 0 <= vocab_subsampling <= 1:
        raise ValueError(f"Invalid vocab_subsampling={vocab_subsampling} - it should be within range [0, 1].")
    with name_scope("filter_vocab"):
        counts = vocab_freq_table.lookup(input_tensor)
        known = not_equal(counts, vocab_freq_table.default_value)
        if vocab_min_count is not None:
            known = logical_and(known, greater_equal(counts, cast(vocab_min_count, counts.dtype)))
        tokens, counts = boolean_mask(input_tensor, known), boolean_mask(counts, known)
    if not vocab_subsampling:
        return tokens
    with name_scope("subsample_vocab"):
        counts, often = cast(counts, "float64"), vocab_subsampling * cast(corpus_size, "float64")
        keep = (sqrt(counts / often) + 1.0) * (often / counts)
        return boolean_mask(tokens, less_equal(random_uniform(shape(counts), dtype="float64", seed=seed), keep))


def skip_gram_sample_with_text_vocab(
    input_tensor: Any,
    vocab_freq_file: str,
    vocab_token_index: int = 0,
    vocab_token_dtype: Any = "string",
    vocab_freq_index: int = 1,
    vocab_freq_dtype: Any = "float64",
    vocab_delimiter: str = ",",
    vocab_min_count: Any = 0,
    vocab_subsampling: float | None = None,
    corpus_size: Any = None,
    min_skips: Any = 1,
    max_skips: Any = 5,
    start: Any = 0,
    limit: Any = -1,
    emit_self_as_target: Any = False,
    batch_size: int | None = None,
    batch_capacity: int | None = None,
    seed: int | None = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """Do what `skip_gram_sample` does, with a table of two columns of a file.

    Args:
        vocab_freq_file: its lines have columns with a token, and with how often it comes.
        vocab_token_index, vocab_freq_index: which columns these are, from 0.
        vocab_token_dtype, vocab_freq_dtype: their types.
        vocab_delimiter: what is between columns.
        corpus_size: at least the sum of the counts, which it is by default.

    The other arguments are those of `skip_gram_sample`.

    Raises:
        ValueError: for a column that is not there, or one for both; for counts below 0, or a smaller ``corpus_size``.

    See: ``tf.contrib.text.skip_gram_sample_with_text_vocab``.
    """
    columns, kind = (vocab_token_index, vocab_freq_index), as_dtype(vocab_freq_dtype)
    if min(columns) < 0:
        raise ValueError(f"vocab_token_index={columns[0]} and vocab_freq_index={columns[1]} must both be >= 0.")
    if columns[0] == columns[1]:
        raise ValueError(f"vocab_token_index and vocab_freq_index should be different, but are both {columns[0]}.")
    counts = []
    with GFile(vocab_freq_file, mode="r") as file:
        for row in csv.reader(file, delimiter=vocab_delimiter):
            if max(columns) >= len(row):
                raise ValueError(
                    f"Row in vocab file only has {len(row)} columns, so vocab_token_index={columns[0]} or "
                    f"vocab_freq_index={columns[1]} is out of bounds. Row content: {row}"
                )
            counts.append(kind.dtype.type(row[vocab_freq_index]))
            if counts[-1] < 0:
                raise ValueError(f"Row in vocab file has negative frequency of {counts[-1]}. Row content: {row}")
    total = float(sum(counts))
    if corpus_size and total - corpus_size > 1e-6:
        raise ValueError(
            f"`corpus_size`={corpus_size} must be greater than or equal to the sum of all the frequency counts "
            f"({total}) of `vocab_freq_file` ({vocab_freq_file})."
        )
    of_table = (vocab_token_dtype, vocab_token_index, kind, vocab_freq_index, len(counts), vocab_delimiter)
    table = HashTable(TextFileInitializer(vocab_freq_file, *of_table), -1)
    size = None if vocab_subsampling is None else corpus_size or total
    window = (min_skips, max_skips, start, limit, emit_self_as_target)
    rare = (table, vocab_min_count, vocab_subsampling, size)
    return skip_gram_sample(input_tensor, *window, *rare, batch_size, batch_capacity, seed, name)
