"""`steepest words` under mpiexec: all ranks train, one speaks, and the vectors are those of one rank."""

from __future__ import annotations

from pathlib import Path

import pytest
from mpiexec import mpiexec

TEXT = " ".join(f"the {a} of {b} is {c}" for a in "abcdefgh" for b in "klmn" for c in "rstuv")
SMALL = ["--epochs", "2", "--size", "8", "--min-count", "1", "--batch", "64", "--subsample", "0"]


@pytest.fixture(scope="module")
def text(tmp_path_factory):
    path = tmp_path_factory.mktemp("text") / "text.txt"
    path.write_text(TEXT)
    return path


def words(ranks: int, text: Path, out: Path, *more: str) -> str:
    done = mpiexec(ranks, "-m", "steepest", "words", str(text), *SMALL, "--save", str(out), *more)
    assert done.returncode == 0, done.stderr
    assert not any(done.stdout[1:])
    assert not any(done.stderr)
    return done.stdout[0]


def test_two_ranks_say_so_and_have_the_vectors_of_one(text, tmp_path):
    alone, two, plain = (tmp_path / name for name in ("1.txt", "2.txt", "plain.txt"))
    assert "mpiexec" not in words(1, text, alone)
    assert "2 ranks of mpiexec train together, on 4 micro-batches in each batch of words" in words(2, text, two)
    assert alone.read_bytes() == two.read_bytes()
    words(1, text, plain, "--micro-batches", "1")
    assert plain.read_bytes() != alone.read_bytes()  # the sums of a batch are others, in the last bits


def test_a_run_of_three_ranks_resumes_on_two(text, tmp_path):
    whole, half, resumed = (tmp_path / name for name in ("whole.txt", "half.txt", "resumed.txt"))
    folder = str(tmp_path / "run")
    words(2, text, whole)
    words(3, text, half, "--epochs", "1", "--checkpoint", folder)
    done = mpiexec(2, "-m", "steepest", "words", str(text), *SMALL, "--checkpoint", folder, "--resume")
    assert "must be the same as before" in "".join(done.stderr)  # the epochs are part of the rates
    words(3, text, half, "--checkpoint", str(tmp_path / "other"))
    words(2, text, resumed, "--checkpoint", str(tmp_path / "other"), "--resume")
    assert resumed.read_bytes() == whole.read_bytes()


def test_mistakes_are_said_once_for_each_rank(text, tmp_path):
    done = mpiexec(3, "-m", "steepest", "words", str(text), *SMALL, "--micro-batches", "2")
    assert done.returncode == 1
    remedy = "steepest words: --micro-batches must be at least 3, one for each rank, got 2; add --micro-batches 3\n"
    assert done.stderr == [remedy] * 3
    done = mpiexec(2, "-m", "steepest", "words", str(text), *SMALL, "--save", str(tmp_path / "none" / "x.txt"))
    assert done.returncode == 1
    assert done.stderr[0].startswith("steepest words: --save must")
    assert done.stderr[1] == "steepest words: another rank has raised an error, which it prints\n"
