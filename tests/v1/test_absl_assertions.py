"""The assertions that ``tf.test.TestCase`` has from absltest pass what holds, and fail what does not."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import pytest

import steepest.v1 as tf

CASES: dict[str, tuple[tuple[Any, ...], tuple[Any, ...]]] = {
    "assertContainsSubset": (({1}, [1, 2]), ({3}, [1, 2])),
    "assertNoCommonElements": (([1], [2]), ([1, 2], [2])),
    "assertContainsSubsequence": (([1, 5, 2], [1, 2]), ([2, 1], [1, 2])),
    "assertContainsExactSubsequence": (([0, 1, 2], [1, 2]), ([1, 0, 2], [1, 2])),
    "assertContainsInOrder": ((["a", "b"], "a-b"), (["b", "a"], "a-b")),
    "assertSequenceStartsWith": (([1], [1, 2]), ([2], [1, 2])),
    "assertNotStartsWith": (("ab", "b"), ("ab", "a")),
    "assertNotEndsWith": (("ab", "a"), ("ab", "b")),
    "assertTotallyOrdered": (([1, 1.0], [2]), ([2], [1])),
    "assertIsSubclass": ((bool, int), (int, bool)),
    "assertDictAlmostEqual": (({"a": 1.0}, {"a": 1.0 + 1e-9}), ({"a": 1.0}, {"a": 1.1})),
    "assertJsonEqual": (('{"a": 1}', '{ "a":1 }'), ('{"a": 1}', '{"a": 2}')),
}


class Case(tf.test.TestCase):
    """A case without tests of its own."""

    __test__ = False

    def runTest(self) -> None:
        """Do nothing."""


@pytest.mark.parametrize("name", CASES)
def test_what_holds_passes_and_what_does_not_fails(name: str) -> None:
    check: Callable[..., None] = getattr(Case(), name)
    holds, fails = CASES[name]
    check(*holds)
    with pytest.raises(AssertionError):
        check(*fails)


def test_the_whole_text_of_an_error_is_compared() -> None:
    case = Case()
    with case.assertRaisesWithLiteralMatch(ValueError, "all of it"):
        raise ValueError("all of it")
    with pytest.raises(AssertionError), case.assertRaisesWithLiteralMatch(ValueError, "all"):
        raise ValueError("all of it")


def test_files_go_with_the_test() -> None:
    case = Case()
    file = case.create_tempfile("part/a.txt", content="text")
    folder = case.create_tempdir("b")
    assert file.read_text() == "text"
    assert os.path.isdir(folder)
    file.write_text("more")
    assert file.read_bytes() == b"more"
    case.doCleanups()
    assert not os.path.exists(file)
    assert not os.path.exists(folder)
