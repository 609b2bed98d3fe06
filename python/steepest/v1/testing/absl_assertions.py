"""Assertions that TensorFlow's ``TestCase`` has from ``absl.testing.absltest``."""

# ruff: noqa: PT009, PT027 - it is the base class of unittest's style
from __future__ import annotations

import json
import os
import pathlib
import tempfile
import unittest
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

__all__ = ["AbslAssertions"]


class AbslAssertions(unittest.TestCase):
    """What differs fails the test; ``msg`` is put behind the message."""

    def _fail_with(self, text: str, msg: str | None) -> None:
        self.fail(self._formatMessage(msg, text))

    def assertContainsSubset(self, expected_subset: Any, actual_set: Any, msg: str | None = None) -> None:
        """Check that all of the first are among the second."""
        missing = set(expected_subset) - set(actual_set)
        if missing:
            self._fail_with(f"Missing elements {sorted(missing, key=repr)} in {actual_set!r}", msg)

    def assertNoCommonElements(self, expected_seq: Any, actual_seq: Any, msg: str | None = None) -> None:
        """Check that no element is in both."""
        common = set(expected_seq) & set(actual_seq)
        if common:
            self._fail_with(f"Common elements {sorted(common, key=repr)}", msg)

    def assertContainsSubsequence(self, container: Any, subsequence: Any, msg: str | None = None) -> None:
        """Check that elements come in this order, with others between them or not."""
        rest = iter(container)
        for each in subsequence:
            if each not in rest:
                self._fail_with(f"{subsequence!r} no subsequence of {container!r}: {each!r} is missing", msg)

    def assertContainsExactSubsequence(self, container: Any, subsequence: Any, msg: str | None = None) -> None:
        """Check that elements come in this order with none between them."""
        whole, part = list(container), list(subsequence)
        if not any(whole[k : k + len(part)] == part for k in range(len(whole) - len(part) + 1)):
            self._fail_with(f"{subsequence!r} not an exact subsequence of {container!r}", msg)

    def assertContainsInOrder(self, strings: Iterable[str], target: str, msg: str | None = None) -> None:
        """Check that a text has these strings one behind another."""
        at = 0
        for string in [strings] if isinstance(strings, str) else strings:
            found = target.find(string, at)
            if found < 0:
                self._fail_with(f"Did not find {string!r} in {target[at:]!r}", msg)
            at = found + len(string)

    def assertSequenceStartsWith(self, prefix: Any, whole: Any, msg: str | None = None) -> None:
        """Check that a sequence begins with all elements of another."""
        self.assertNotEqual(len(prefix), 0, self._formatMessage(msg, "prefix length is 0"))
        self.assertSequenceEqual(
            list(prefix), list(whole)[: len(prefix)], self._formatMessage(msg, "another beginning")
        )

    def assertNotStartsWith(self, actual: str, unexpected_start: str, msg: str | None = None) -> None:
        """Check that a text begins otherwise."""
        if actual.startswith(unexpected_start):
            self._fail_with(f"{actual!r} starts with {unexpected_start!r}", msg)

    def assertNotEndsWith(self, actual: str, unexpected_end: str, msg: str | None = None) -> None:
        """Check that a text ends otherwise."""
        if actual.endswith(unexpected_end):
            self._fail_with(f"{actual!r} ends with {unexpected_end!r}", msg)

    def assertTotallyOrdered(self, *groups: Any, msg: str | None = None) -> None:
        """Check all six comparisons of groups of equal elements, which come from the smallest to the largest."""
        for k, group in enumerate(groups):
            for x in group:
                for y in group:
                    self.assertTrue(x == y and x <= y and x >= y and not (x != y or x < y or x > y), msg or f"{x}, {y}")
                for y in (each for later in groups[k + 1 :] for each in later):
                    self.assertTrue(x < y and x <= y and x != y and not (x == y or x > y or x >= y), msg or f"{x}, {y}")

    def assertIsSubclass(self, cls: type, superclass: type, msg: object = None) -> None:
        """Check that a class is one of another's."""
        self.assertTrue(issubclass(cls, superclass), msg or f"{cls!r} is not a subclass of {superclass!r}")

    def assertDictAlmostEqual(self, a: Any, b: Any, places: int | None = None, msg: str | None = None) -> None:
        """Check that two dicts have equal keys, and nearly equal numbers."""
        self.assertEqual(set(a), set(b), msg)
        for key in a:
            self.assertAlmostEqual(a[key], b[key], places, msg or f"of the key {key!r}")

    def assertJsonEqual(self, first: str, second: str, msg: str | None = None) -> None:
        """Check that two texts have the same value in JSON."""
        self.assertEqual(json.loads(first), json.loads(second), msg)

    @contextmanager
    def assertRaisesWithLiteralMatch(self, expected_exception: Any, expected_exception_message: str) -> Iterator[None]:
        """Check that an error is raised with exactly this text."""
        with self.assertRaises(expected_exception) as caught:
            yield
        self.assertEqual(str(caught.exception), expected_exception_message)

    def enter_context(self, manager: AbstractContextManager[Any]) -> Any:
        """Return what a context manager gives, which is left when the test ends."""
        entered = manager.__enter__()
        self.addCleanup(manager.__exit__, None, None, None)
        return entered

    def create_tempdir(self, name: str | None = None) -> _Path:
        """Return a new folder, which goes when the test ends."""
        above = pathlib.Path(self.enter_context(tempfile.TemporaryDirectory()))
        path = above / (name or "")
        path.mkdir(parents=True, exist_ok=True)
        return _Path(path)

    def create_tempfile(self, file_path: str | None = None, content: str | bytes | None = None) -> _Path:
        """Return a new file with ``content``, which goes when the test ends."""
        path = pathlib.Path(self.create_tempdir().full_path, file_path or "file")
        path.parent.mkdir(parents=True, exist_ok=True)
        data = b"" if content is None else content
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        return _Path(path)


class _Path(os.PathLike[str]):
    """A file or folder of a test."""

    def __init__(self, path: pathlib.Path) -> None:
        self.full_path = str(path)

    def __fspath__(self) -> str:
        return self.full_path

    def read_text(self) -> str:
        """Return the text of a file."""
        return pathlib.Path(self.full_path).read_text()

    def read_bytes(self) -> bytes:
        """Return the bytes of a file."""
        return pathlib.Path(self.full_path).read_bytes()

    def write_text(self, text: str) -> None:
        """Write the text of a file."""
        pathlib.Path(self.full_path).write_text(text)
