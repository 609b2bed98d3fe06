"""Programs in TensorFlow 1's idiom give the numbers that they give under TensorFlow; one line of them differs."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from functools import cache
from pathlib import Path

import programs
import pytest
from programs import DATA, FOLDER, IMPORT, PROGRAMS, Answers, answers_of, assert_close, path_of

RECORDER = Path(__file__).parent / "record_programs.py"
RECORDED: dict[str, Answers] = json.loads(DATA.read_text())["programs"]
LIBRARIES = ["steepest", "tensorflow"] if importlib.util.find_spec("tensorflow") else ["steepest"]
each_program = pytest.mark.parametrize("name", PROGRAMS)


def printed(*command: str) -> str:
    done = subprocess.run([sys.executable, *command], capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@cache
def answers_under_tensorflow() -> dict[str, Answers]:
    """Return what the recorder finds now, under the TensorFlow that is installed."""
    found: dict[str, Answers] = json.loads(printed(str(RECORDER), "--all").splitlines()[-1])
    return found


def answers(library: str, name: str) -> Answers:
    if library == "tensorflow":
        return answers_under_tensorflow()[name]
    if not PROGRAMS[name].alone:
        return answers_of(name)
    found: Answers = json.loads(printed("-W", "error", programs.__file__, name).splitlines()[-1])
    return found


def test_every_program_is_listed_and_recorded() -> None:
    names = sorted(path.stem for path in FOLDER.glob("*.py"))
    assert names == sorted(PROGRAMS) == sorted(RECORDED), "record again: python tests/v1/record_programs.py"


@each_program
@pytest.mark.parametrize("library", LIBRARIES)
def test_a_program_gives_the_recorded_numbers(library: str, name: str) -> None:
    assert_close(answers(library, name), RECORDED[name], PROGRAMS[name], name)


@each_program
def test_only_the_import_line_is_ours(name: str) -> None:
    source = path_of(name).read_text("utf-8")
    assert source.count("steepest") == source.count(IMPORT) == 1
    assert len(source.splitlines()) < 80


def test_every_program_prints_a_summary() -> None:
    texts = json.loads(printed("-W", "error", programs.__file__))
    assert texts.keys() == PROGRAMS.keys()
    assert [name for name, text in texts.items() if len(text.split()) < 4] == []
    alone = "linear_regression"
    assert printed("-W", "error", str(path_of(alone))) == texts[alone]


def test_a_wrong_number_is_seen() -> None:
    program = PROGRAMS["linear_regression"]
    right = RECORDED["linear_regression"]
    assert_close(right, right, program, "right")
    for wrong in ({**right, "W": right["W"] * (1 + 1e-4)}, {**right, "costs": right["costs"][1:]}, {**right, "b": 1}):
        with pytest.raises(AssertionError):
            assert_close(wrong, right, program, "wrong")
