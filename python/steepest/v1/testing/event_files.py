"""What TensorFlow's tests of summaries read of the files that were written."""

from __future__ import annotations

import os
from typing import Any
from unittest import SkipTest

from ..summaries.reader import summary_iterator
from ..test import TestCase

__all__ = ["SummaryDbTest", "events_from_file", "events_from_logdir", "get_all", "get_one"]


def events_from_file(filepath: str) -> list[Any]:
    """Return the events of a file."""
    return list(summary_iterator(filepath))


def events_from_logdir(logdir: str) -> list[Any]:
    """Return the events of the one file in a folder. Raises AssertionError where there is another number of files."""
    files = os.listdir(logdir)
    if len(files) != 1:
        raise AssertionError(f"Found not exactly one file in logdir: {files}")
    return events_from_file(os.path.join(logdir, files[0]))


def get_all(db: Any, q: str, *p: Any) -> tuple[Any, ...]:
    """Return what a query of a database gives, one row after the other."""
    return tuple(item for row in db.execute(q, p).fetchall() for item in row)


def get_one(db: Any, q: str, *p: Any) -> Any:
    """Return the first thing that a query of a database gives."""
    return db.execute(q, p).fetchone()[0]


class SummaryDbTest(TestCase):
    """Skips what it is about: summaries are not written to databases."""

    def setUp(self) -> None:
        """Skip the test."""
        raise SkipTest("summaries are not written to databases")
