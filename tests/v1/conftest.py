"""Every test begins with an empty default graph."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import steepest.v1 as tf


@pytest.fixture(autouse=True)
def fresh_graph() -> Iterator[None]:
    tf.reset_default_graph()
    yield
    tf.reset_default_graph()
