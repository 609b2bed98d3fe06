"""docs/mpi.md: its tests are there, and its programs run."""

from __future__ import annotations

import re
from pathlib import Path

from mpiexec import mpiexec

TOP = Path(__file__).parents[2]
PAGE = (TOP / "docs" / "mpi.md").read_text("utf-8")


def test_every_promise_has_a_test_that_is_there():
    table = PAGE[PAGE.index("| promise | test |") :]
    rows = [line for line in table.splitlines()[2:] if line.startswith("|")]
    assert len(rows) > 15
    for row in rows:
        tests = re.findall(r"`(tests/\w+/\w+\.py)::(\w+)`", row)
        assert tests, row
        for file, name in tests:
            assert f"def {name}(" in (TOP / file).read_text("utf-8"), row


def test_the_programs_of_the_page_print_the_same_on_any_number_of_ranks():
    first, second = re.findall(r"```python\n(.*?)```", PAGE, re.S)
    alone, two, four = (mpiexec(ranks, f"{first}\n{second}") for ranks in (1, 2, 4))
    assert (alone.returncode, alone.stderr) == (0, [""])
    assert alone.stdout[0].count("loss") == 10
    for done in (two, four):
        assert done.returncode == 0, done.stderr
        assert done.stdout[0] == alone.stdout[0]
        assert not any(done.stdout[1:])
