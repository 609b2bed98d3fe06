"""Run test files that were written for TensorFlow 1 with TensorFlow and with `steepest.v1`, and say what differs.

    python tests/v1/compare_with_tensorflow.py --tensorflow PYTHON FILE... [-k EXPRESSION] [--eager | --v2] [--show]

``PYTHON`` has TensorFlow and pytest: Python 3.7 with ``tensorflow==1.15 "protobuf<3.21" pytest`` runs the first one
itself. The tests that it passes are those that apply. Beside each file, ``FILE.json`` keeps which tests TensorFlow
passed, which passed here when the file was first run, and which do now. ``--record AREA`` adds these numbers to
``tests/data/v1_tensorflow_tests.json``, from which docs/v1.md has a table; nothing is run then.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from xml.etree import ElementTree

RECORDED = Path(__file__).parents[1] / "data" / "v1_tensorflow_tests.json"

_RUN = """
import sys
mode, ours, *arguments = sys.argv[1:]
if ours == "steepest":
    from steepest.v1 import as_tensorflow
    as_tensorflow.install()
import tensorflow as tf
tf = tf.compat.v1 if not tf.__version__.startswith("1.") else tf
if mode == "v2":
    tf.enable_v2_behavior()
elif mode == "eager":
    tf.enable_eager_execution()
elif not tf.__version__.startswith("1."):
    tf.disable_v2_behavior()
import pytest
sys.exit(pytest.main(arguments))
"""


def results(python: str, ours: str, file: Path, args: argparse.Namespace) -> tuple[dict[str, bool], str]:
    """Return which tests of a file passed, skipped ones left out, and what pytest wrote."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [python, "-c", _RUN, args.mode, ours, str(file), f"--junitxml={report}", "-p", "no:cacheprovider"]
        command += [
            "-q",
            "--tb=short",
            "--rootdir",
            str(file.parent),
            "-c",
            os.devnull,
            *(["-k", args.k] if args.k else []),
        ]
        if args.timeout:
            command += [f"--timeout={args.timeout}"]
        paths = [os.path.abspath(path) for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
        env = {**os.environ, "PYTHONPATH": os.pathsep.join(paths if ours == "steepest" else [])}
        ran = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=folder, env=env)
        output = ran.stdout.decode("utf-8", "replace")  # a test may print any bytes
        if not report.exists():
            return {}, output
        cases = ElementTree.parse(report).iter("testcase")
        found = {
            f"{case.get('classname', '').rpartition('.')[2]}.{case.get('name')}": all(
                case.find(kind) is None for kind in ("failure", "error")
            )
            for case in cases
            # pytest takes the old name of TestCase.session for a test.
            if case.find("skipped") is None and case.get("name") != "test_session"
        }
        return found, output


def compare(file: Path, args: argparse.Namespace) -> tuple[int, int, int]:
    """Print what differs in one file; return how many tests apply, passed at first, and pass now."""
    kept = file.with_suffix(file.suffix + ".json")
    answers = json.loads(kept.read_text()) if kept.exists() else {}
    if args.k or "tensorflow" not in answers or kept.stat().st_mtime < file.stat().st_mtime:
        theirs, output = results(args.tensorflow, "tensorflow", file, args)
        if args.show or not theirs:
            print(output)
        answers["tensorflow"] = [name for name, passed in theirs.items() if passed]
    applicable = answers["tensorflow"]
    ours, output = results(sys.executable, "steepest", file, args)
    passed = [name for name in applicable if ours.get(name)]
    print(f"{file.name}: {len(passed)} of {len(applicable)}")
    for name in applicable:
        if name not in passed:
            print(f"  {name}{'' if name in ours else ' (did not run)'}")
    if args.show or not ours:
        print(output)
    if not args.k:
        answers["first"] = [name for name in answers.get("first", passed) if name in applicable]
        answers["now"] = passed
        kept.write_text(json.dumps(answers))
    return len(applicable), len(answers.get("first", passed)), len(passed)


def record(area: str, files: list[Path]) -> None:
    """Write how many tests of each file apply, passed when it was first run, and pass now."""
    table = json.loads(RECORDED.read_text()) if RECORDED.exists() else {}
    rows = table.setdefault(area, {})
    for file in files:
        kept = json.loads(file.with_suffix(file.suffix + ".json").read_text())
        names = (kept[key] for key in ("tensorflow", "first", "now"))
        rows[file.name] = [sum(not name.endswith(".test_session") for name in each) for each in names]
    areas = (f'"{key}": {json.dumps(dict(sorted(value.items())))}' for key, value in sorted(table.items()))
    RECORDED.write_text("{\n" + ",\n".join(areas) + "\n}\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--tensorflow", metavar="PYTHON", help="a Python that has TensorFlow and pytest")
    parser.add_argument("--record", metavar="AREA", help="only write the numbers that are kept")
    parser.add_argument("-k", metavar="EXPRESSION", help="only these tests; nothing is kept")
    parser.add_argument("--timeout", type=int, default=0, metavar="SECONDS", help="for one test; needs pytest-timeout")
    parser.add_argument("--show", action="store_true", help="also print what pytest wrote")
    modes = parser.add_mutually_exclusive_group()
    modes.add_argument("--eager", dest="mode", action="store_const", const="eager", default="graph")
    modes.add_argument("--v2", dest="mode", action="store_const", const="v2", help="as TensorFlow 2 behaves")
    args = parser.parse_args()
    if args.record:
        record(args.record, args.files)
        return
    if not args.tensorflow:
        parser.error("--tensorflow must be given")
    totals = [compare(file.absolute(), args) for file in args.files]
    print("applicable {}, at first {}, now {}".format(*map(sum, zip(*totals, strict=True))))


main()
