"""docs/checkpoints.md states promises, each with its test, and the tests that it names exist."""

from __future__ import annotations

import re
from pathlib import Path

HERE = Path(__file__).parent
PAGE = (HERE.parents[1] / "docs" / "checkpoints.md").read_text("utf-8")
TESTS = {
    name
    for file in HERE.parent.rglob("test_*.py")
    for name in re.findall(r"^def (test_\w+)", file.read_text("utf-8"), re.M)
}


def test_the_tests_that_the_page_names_exist() -> None:
    named = set(re.findall(r"`(test_\w+)`", PAGE))
    assert named <= TESTS
    assert len(named) > 25
