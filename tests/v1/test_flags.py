"""``tf.app.flags``: what a command line makes of them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

PROGRAM = """
import steepest.v1 as tf
flags = tf.flags
flags.DEFINE_integer("steps", 3, "")
flags.DEFINE_multi_integer("sizes", [4, 5], "")
flags.DEFINE_multi_string("names", None, "")
flags.DEFINE_multi_float("rates", 0.5, "")
flags.DEFINE_multi_enum("kinds", ["a"], ["a", "b"], "")
flags.DEFINE_spaceseplist("words", "one two", "")
flags.DEFINE_list("parts", "x,y", "")
flags.DEFINE_enum("mode", "train", ["train", "test"], "")
flags.DEFINE_string("where", None, "")
flags.mark_flags_as_required(["where"])
flags.register_validator("steps", lambda n: n > 0, message="must be positive")

@flags.validator("sizes")
def few(sizes):
    return len(sizes) < 4

def main(argv):
    F = flags.FLAGS
    print(argv[1:], F.steps, F.sizes, F.names, F.rates, F.kinds, F.words, F.parts, F.mode, F.where)

tf.app.run(main)
"""


# Both are installed with the tests: what is tried without absl cannot see it.
HIDDEN = """
import importlib.util
found = importlib.util.find_spec
importlib.util.find_spec = lambda name, package=None: None if name == "absl" else found(name, package)
"""
OF = {"absl": "", "own": HIDDEN}


def run(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", program, *arguments], text=True, capture_output=True, timeout=120)


@pytest.fixture(params=list(OF))
def ran(request: pytest.FixtureRequest) -> Callable[..., subprocess.CompletedProcess[str]]:
    return partial(run, OF[request.param] + PROGRAM)


def test_flags_have_their_defaults(ran: Any):
    shown = "[] 3 [4, 5] None [0.5] ['a'] ['one', 'two'] ['x', 'y'] train here\n"
    assert ran("--where=here").stdout == shown


def test_what_is_given_replaces_the_defaults(ran: Any):
    done = ran(
        *["--where", "there", "--sizes=1", "--sizes", "2", "--names=n", "--rates=1e-3", "--kinds=b", "--kinds=a"],
        *["--words=a b c", "--parts=p", "--mode=test", "--steps=7"],
    )
    assert done.stdout == "[] 7 [1, 2] ['n'] [0.001] ['b', 'a'] ['a', 'b', 'c'] ['p'] test there\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "--where must have a value other than None"),
        (["--where=x", "--steps=0"], "--steps=0: must be positive"),
        (["--where=x", *["--sizes=1"] * 4], "--sizes=[1, 1, 1, 1]: Flag validation failed"),
        (["--where=x", "--kinds=c"], "kinds"),
        (["--where=x", "--steps=many"], "steps"),
    ],
)
def test_what_is_wrong_ends_the_program_with_a_message(ran: Any, arguments: list[str], said: str):
    done = ran(*arguments)
    assert done.returncode != 0
    assert said in done.stderr
    assert not done.stdout


def test_flags_without_absl_are_as_absls():
    session = Path(__file__).parents[1] / "support" / "v1" / "flags_session.py"
    with_absl, without = (run(hidden + session.read_text(), "--level=1") for hidden in OF.values())
    assert not with_absl.stderr.count("Error")
    assert len(with_absl.stdout.splitlines()) > 45
    assert without.stdout.splitlines() == with_absl.stdout.splitlines()


def test_flags_of_absl_and_of_tensorflow_are_one_set():
    program = "import steepest.v1 as tf\nfrom absl import flags\nflags.DEFINE_integer('steps', 3, '')\n"
    program += "tf.flags.DEFINE_string('where', 'here', '')\n"
    program += "tf.app.run(lambda argv: print(argv[1:], tf.flags.FLAGS.steps, flags.FLAGS.where))"
    assert run(program, "--steps=5", "--where=there", "--unknown=1").stdout == "['--unknown=1'] 5 there\n"


@pytest.mark.parametrize("of", list(OF))
def test_help_says_what_flags_are_for(of: str):
    program = (
        OF[of] + "import steepest.v1 as tf\ntf.flags.DEFINE_integer('steps', 3, 'how many steps')\ntf.app.run(print)"
    )
    done = run(program, "--help")
    assert done.returncode == 1
    assert "--steps: how many steps" in done.stdout
    assert "(default: '3')" in done.stdout
