"""``tf.contrib.text`` skip-grams, and small names of ``tf.contrib.nn`` and ``tf.contrib.lookup``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import steepest.v1 as tf

text = tf.contrib.text
WORDS = ["the", "quick", "brown", "fox", "jumps"]


@pytest.fixture(autouse=True)
def session() -> Iterator[Any]:
    with tf.Graph().as_default(), tf.Session() as made:
        yield made


def pairs(session: Any, found: Any) -> list[tuple[Any, Any]]:
    session.run(tf.tables_initializer())
    tokens, labels = session.run(found)
    return list(zip(tokens.tolist(), labels.tolist(), strict=True))


def test_each_token_comes_with_those_around_it(session: Any) -> None:
    numbers = tf.constant([4, 5, 6, 7], tf.int16)
    tokens, labels = text.skip_gram_sample(numbers, 1, 1, emit_self_as_target=True)
    assert (tokens.dtype, labels.dtype) == (tf.int16, tf.int16)
    near = [(4, 4), (4, 5), (5, 4), (5, 5), (5, 6), (6, 5), (6, 6), (6, 7), (7, 6), (7, 7)]
    assert pairs(session, (tokens, labels)) == near
    part = text.skip_gram_sample(numbers, 2, tf.constant(2), start=1, limit=tf.constant(9))
    assert pairs(session, part) == [(5, 6), (5, 7), (6, 5), (6, 7), (7, 5), (7, 6)]
    assert pairs(session, text.skip_gram_sample(numbers, 0, 0)) == []


def test_the_size_of_a_window_is_drawn_for_each_token(session: Any) -> None:
    count = 3000
    tokens, _ = session.run(text.skip_gram_sample(tf.range(count), 1, 3, seed=2))
    sizes = np.bincount(tokens, minlength=count)[3:-3]
    assert set(sizes.tolist()) == {2, 4, 6}
    np.testing.assert_allclose([(sizes == size).mean() for size in (2, 4, 6)], 1 / 3, atol=0.05)


def test_what_a_table_does_not_have_or_seldom_is_left_out(session: Any, tmp_path: Path) -> None:
    file = tmp_path / "counts.csv"
    file.write_text("the,x,50\nquick,x,3\nfox,x,40\njumps,x,7\n")
    columns = {"vocab_freq_index": 2, "vocab_freq_dtype": tf.int64, "vocab_min_count": 5, "max_skips": 1}
    found = text.skip_gram_sample_with_text_vocab(tf.constant(WORDS), str(file), **columns)
    assert pairs(session, found) == [(b"the", b"fox"), (b"fox", b"the"), (b"fox", b"jumps"), (b"jumps", b"fox")]
    many = tf.constant(["the"] * 4000 + ["jumps"] * 1000)
    rare = text.skip_gram_sample_with_text_vocab(
        many, str(file), **{**columns, "min_skips": 0, "max_skips": 0}, vocab_subsampling=0.1, emit_self_as_target=True
    )
    kept = [token for token, _ in pairs(session, rare)]
    keep = (np.sqrt(50 / 10) + 1) * (10 / 50)  # of 100 tokens in the corpus
    assert kept.count(b"jumps") == 1000
    assert kept.count(b"the") / 4000 == pytest.approx(keep, abs=0.04)
    with pytest.raises(ValueError, match="greater than or equal to the sum"):
        text.skip_gram_sample_with_text_vocab(many, str(file), **columns, vocab_subsampling=0.1, corpus_size=99)
    with pytest.raises(ValueError, match="both must be provided"):
        text.skip_gram_sample(many, vocab_freq_table=object(), vocab_subsampling=0.1)
    with pytest.raises(ValueError, match="vocab_freq_table"):
        text.skip_gram_sample(many, vocab_min_count=2)


def test_pairs_come_in_batches_of_a_queue(session: Any) -> None:
    tokens, labels = text.skip_gram_sample(tf.constant(WORDS[:3]), 1, 1, batch_size=2)
    assert tokens.shape.as_list() == [2]
    threads = tf.train.start_queue_runners(session, tf.train.Coordinator())
    assert threads
    found = [pairs(session, (tokens, labels)) for _ in range(2)]
    assert found == [[(b"the", b"quick"), (b"quick", b"the")], [(b"quick", b"brown"), (b"brown", b"quick")]]


@pytest.mark.parametrize(("least", "most"), [(-1, 2), (2, 1)])
def test_windows_that_are_none_are_refused(session: Any, least: int, most: int) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="min_skips"):
        session.run(text.skip_gram_sample(tf.constant(WORDS), least, most))


def test_one_of_the_smallest_is_picked(session: Any) -> None:
    assert session.run(tf.contrib.nn.nth_element([[3, 1, 2]], 1)) == [2]


def test_texts_are_looked_up_under_the_old_names(session: Any, tmp_path: Path) -> None:
    lookup, file = tf.contrib.lookup, tmp_path / "words.txt"
    file.write_text("\n".join(WORDS))
    sought = tf.constant(["fox", "a", "the"])
    found = [
        lookup.string_to_index(sought, WORDS, default_value=-2),
        lookup.string_to_index_table_from_tensor(WORDS).lookup(sought),
        lookup.string_to_index_table_from_file(str(file), vocab_size=2).lookup(sought),
        lookup.index_to_string(tf.constant([3, 9], tf.int64), WORDS, "?"),
    ]
    session.run(tf.tables_initializer())
    assert [each.tolist() for each in session.run(found)] == [[3, -2, 0], [3, -1, 0], [-1, -1, 0], [b"fox", b"?"]]
    with pytest.raises(ValueError, match="requires string"):
        lookup.string_to_index_table_from_tensor([1, 2])
