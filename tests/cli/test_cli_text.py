"""From text to numbers, and the neighbours' words."""

from __future__ import annotations

import numpy as np
import pytest

from steepest.cli.cbow import NOTHING, Cbow
from steepest.cli.errors import CommandError
from steepest.cli.report import neighbours, telling_words
from steepest.cli.text import Corpus, default_text, make_corpus


def words_of(text: str) -> list[str]:
    corpus = make_corpus(text, 1)
    return [corpus.words[i] for i in corpus.ids]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The list, the TUPLE.", ["the", "list", "the", "tuple"]),
        (
            "don't use Python's x1 or __init__ in 3 ways",
            ["don't", "use", "python", "x1", "or", "__init__", "in", "ways"],
        ),
        ("See :ref:`the types <types-index>` and ``x``", ["see", "the", "types", "and", "x"]),
        (".. note::\n   Be *brave*\n\n.. _label:\n\nat https://x.org/a?b now", ["be", "brave", "at", "now"]),
        ("Größe übt Ærø naïve", ["größe", "übt", "ærø", "naïve"]),
        ("Title\n=====\n\n+---+\n| a |\n+---+ b", ["title", "a", "b"]),
    ],
)
def test_words_are_found_and_markup_is_not(text: str, words: list[str]) -> None:
    assert words_of(text) == words


def test_ids_are_ordered_by_count_and_paragraphs_are_kept_apart() -> None:
    corpus = make_corpus("b a a rare\n\na b  \n   \nc c a", 2)
    assert corpus.words == ["a", "b", "c"]
    assert corpus.counts.tolist() == [4, 2, 2]
    assert corpus.ids.tolist() == [1, 0, 0, 0, 1, 2, 2, 0]
    assert corpus.paragraphs.tolist() == [0, 0, 0, 1, 1, 2, 2, 2]


@pytest.mark.parametrize("text", ["", "...", "word", "same same same", "one two three"])
def test_too_little_text_is_an_error_that_says_how_little(text: str) -> None:
    with pytest.raises(CommandError, match="words: text must have at least 2 different words"):
        make_corpus(text, 2)


def test_words_that_all_stand_alone_cannot_be_trained() -> None:
    with pytest.raises(CommandError, match="must have paragraphs of two or more"):
        make_corpus("a\n\nb\n\na\n\nb", 1)


def test_pythons_documentation_has_enough_words() -> None:
    corpus = make_corpus(default_text(), 5)
    assert corpus.ids.size > 40_000
    assert {"list", "import", "class"} <= set(corpus.words)


def test_subsampling_thins_out_the_frequent_words_only() -> None:
    corpus = make_corpus("a " * 9000 + "b " * 10, 1)
    kept = corpus.subsampled(0.01, np.random.default_rng(0))
    left = np.bincount(kept.ids, minlength=2)
    share = np.sqrt(0.01 / 0.9989) + 0.01 / 0.9989
    assert left[0] == pytest.approx(9000 * share, rel=0.1)
    assert left[1] == 10
    assert corpus.subsampled(0.0, np.random.default_rng(0)) is corpus


def test_batches_hold_every_word_once_with_its_surroundings() -> None:
    corpus = make_corpus("a b c d e f\n\ng h\n\nlonely", 1)
    model = Cbow(corpus, 4, 2, 3, np.random.default_rng(0))
    order = {word: place for place, word in enumerate(["a", "b", "c", "d", "e", "f", ".", ".", ".", ".", "g", "h"])}
    seen = []
    for batch in model.batches(corpus, 3):
        for context, candidates, mask in zip(*batch, strict=True):
            word = corpus.words[candidates[0]]
            seen.append(word)
            around = [corpus.words[i] for i in context[context != NOTHING]]
            assert around
            assert all(0 < abs(order[other] - order[word]) <= 2 for other in around)
            assert mask[0] == 1
            assert np.array_equal(mask[1:] == 0, candidates[1:] == candidates[0])
    assert sorted(seen) == ["a", "b", "c", "d", "e", "f", "g", "h"]  # what stands alone has nothing to learn from


def test_words_are_drawn_with_the_three_quarter_power_of_their_counts() -> None:
    corpus = make_corpus("a b " * 800 + "b " * 14_400 + "\n\na b", 1)
    model = Cbow(corpus, 2, 1, 50, np.random.default_rng(1))
    drawn = np.concatenate([batch.candidates[:, 1:].ravel() for batch in model.batches(corpus, 1000)])
    weights = corpus.counts**0.75
    np.testing.assert_allclose(np.bincount(drawn) / drawn.size, weights / weights.sum(), atol=0.005)


def test_the_words_to_show_come_in_clusters() -> None:
    filler = "the of and with that this "
    text = "\n\n".join([filler + "neural neural gradient"] * 3 + [filler + "garden roses garden"] * 3 + [filler] * 20)
    corpus = make_corpus(text, 2)
    assert {corpus.words[i] for i in telling_words(corpus, 2)} == {"neural", "garden"}


def test_neighbours_are_ordered_by_cosine_without_the_word_itself() -> None:
    corpus = Corpus(["aaaa", "bb", "cc"], np.array([9, 9, 9]), np.zeros(1, np.int32), np.zeros(1, np.int32))
    vectors = np.array([[1, 0], [0.1, 5], [3, 1]], np.float32)
    assert neighbours(corpus, vectors, [0]) == "  aaaa  cc 0.95  bb 0.02"
    assert "nan" not in neighbours(corpus, np.zeros((3, 2), np.float32), [0])
