"""Pages that are written by programs agree with what the programs write now."""

from __future__ import annotations

import doctest
import importlib.util
import operator
import re
import sys
from pathlib import Path

import numpy as np
import pytest

PYTHONS_OWN = re.compile(r"missing 1 required positional argument|division by zero")
DOCS = Path(__file__).parent.parent / "docs"


def _program(name: str):
    spec = importlib.util.spec_from_file_location(f"docs_{name}", DOCS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _has_numpy(name: str) -> bool:
    try:
        operator.attrgetter(name)(np)
    except AttributeError:
        return False
    return True


def test_the_page_of_differentiable_functions_is_current():
    functions = _program("functions")
    # Not the whole text: NumPy's versions differ in which names they have.
    written, now = functions.PAGE.read_text(), functions.page()
    names, names_now = (set(re.findall(r"`((?:np|nn|scipy)\.[\w.]+)`", text)) for text in (written, now))
    known = {name for name in names if not name.startswith("np.") or _has_numpy(name.removeprefix("np."))}
    assert names_now == known, "run: python docs/functions.py"


def test_the_page_of_tensorflows_names_is_current():
    names = _program("v1")
    assert names.PAGE.read_text() == names.page(), "run: python docs/v1.py"


def _examples() -> list[doctest.DocTest]:
    parser, tests = doctest.DocTestParser(), []
    for page in sorted(DOCS.glob("*.md")):
        blocks = re.findall(r"```python\n(.*?)```", page.read_text("utf-8"), re.S)
        tests.append(
            parser.get_doctest("\n".join(block for block in blocks if ">>> " in block), {}, page.name, None, 0)
        )
    return [test for test in tests if test.examples]


@pytest.mark.parametrize("test", _examples(), ids=lambda test: test.name)
def test_the_examples_of_a_page_give_what_they_say(test: doctest.DocTest):
    report: list[str] = []
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    assert not doctest.DocTestRunner(optionflags=flags).run(test, out=report.append).failed, "".join(report)


def test_there_are_pages_with_examples():
    assert {test.name for test in _examples()} >= {"debugging.md", "numbers.md"}


def test_the_page_of_errors_is_current():
    errors = _program("errors")
    assert errors.PAGE.read_text("utf-8") == errors.page(), "run: python docs/errors.py"


def test_every_refused_call_of_the_catalogues_has_its_message_on_the_page():
    errors = _program("errors")
    found, examples = errors.messages(), list(errors.examples())
    own = [example for example in examples if not PYTHONS_OWN.search(example.text)]
    assert len(own) > 700
    for example in own:
        message = errors.place_of(found, example)
        assert message is not None, example
        assert re.match(message.pattern, example.text, re.S), (message, example)
        assert message.error == example.error, (message, example)
        assert not message.remedy or message.remedy.startswith("where it helps") or "; " in example.text, (
            message,
            example,
        )


def test_the_tests_that_a_page_names_exist():
    tests = {
        name
        for file in DOCS.parent.joinpath("tests").rglob("test_*.py")
        for name in re.findall(r"^def (test_\w+)", file.read_text("utf-8"), re.M)
    }
    for page in DOCS.glob("*.md"):
        assert set(re.findall(r"`(test_\w+)`", page.read_text("utf-8"))) <= tests, page.name
    assert len(re.findall(r"`(test_\w+)`", (DOCS / "numbers.md").read_text("utf-8"))) > 15
