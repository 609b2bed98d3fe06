"""What each run has of fuzzing: the corpus, and a few seconds of new inputs; `nox -s fuzz` takes ten minutes."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

FUZZ = Path(__file__).parent / "fuzz"
TARGETS = sorted(path.name for path in (FUZZ / "corpus").iterdir())


@pytest.mark.parametrize("target", TARGETS)
def test_the_corpus_is_taken_or_refused(target: str):
    files = sorted((FUZZ / "corpus" / target).iterdir())
    done = subprocess.run(
        [sys.executable, FUZZ / "fuzz.py", "--target", target, "--replay", *files], capture_output=True, text=True
    )
    assert done.returncode == 0, (done.stdout, done.stderr)
    assert "True" in done.stdout


def test_nothing_is_found_in_a_few_seconds():
    program = [sys.executable, FUZZ / "fuzz.py", "--seconds", "4"]
    done = subprocess.run(program, capture_output=True, text=True)
    assert done.returncode == 0, (done.stdout, done.stderr)
    assert done.stdout.count("inputs") == len(TARGETS)


def test_a_finding_ends_the_run(tmp_path: Path):
    program = f"""
import sys
sys.path.insert(0, {str(FUZZ)!r})
import fuzz, targets
from pathlib import Path
fuzz.FINDINGS = Path({str(tmp_path)!r})
def bad(source):
    import ctypes
    if source.byte() == 3:
        ctypes.string_at(0)
targets.TARGETS["norm"] = bad
fuzz.fuzz("norm", 60, 1)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 1
    assert re.search(r"norm: exit code (-11|1); the input is", done.stderr)  # 1: AddressSanitizer's
    (found,) = tmp_path.iterdir()
    assert found.read_bytes()[0] == 3
