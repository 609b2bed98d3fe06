"""TensorFlow's ``dispatch``: functions of a program's own that others handle for their types."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from steepest.v1.python.util import dispatch

import steepest.v1 as tf


class Marked:
    def __init__(self, value: int) -> None:
        self.value = value


@dispatch.add_dispatch_support
def mixed(x, y, more=None):
    """The sum."""
    return x + y


@pytest.fixture(autouse=True)
def _clean() -> Iterator[None]:
    yield
    del mixed._tf_fallback_dispatchers[:], dispatch._GLOBAL_DISPATCHERS[:]


def test_a_function_is_handled_where_an_argument_is_of_a_type_or_holds_one():
    @dispatch.dispatch_for_types(mixed, Marked)
    def of_marked(x, y):
        return "marked", getattr(x, "value", x), y

    assert of_marked(1, 2) == ("marked", 1, 2)
    assert mixed(Marked(1), 2) == ("marked", 1, 2)
    assert mixed(x=[5], y=[Marked(1)])[0] != "marked"  # the function itself takes lists
    assert mixed(5, [Marked(1)])[:2] == ("marked", 5)
    assert mixed(1, 2, more=3) == 3
    with pytest.raises(TypeError, match="unsupported operand"):
        mixed(1, "a")
    with pytest.raises(AssertionError, match="`more` set to a non-default value"):
        mixed(Marked(1), 2, more=3)
    assert (mixed.__name__, mixed.__doc__) == ("mixed", "The sum.")


def test_handlers_that_do_not_fit_are_refused():
    with pytest.raises(AssertionError, match="must be identical"):
        dispatch.dispatch_for_types(mixed, Marked)(lambda y, x: x)
    with pytest.raises(AssertionError, match="Dispatching not enabled for"):
        dispatch.dispatch_for_types(len, Marked)(lambda obj: 1)
    with pytest.raises(AssertionError, match="already has a dispatch list"):
        dispatch.add_dispatch_list(mixed)
    with pytest.raises(TypeError, match="list or tuple of string"):
        dispatch.add_dispatch_support(iterable_parameters="x")


def test_handlers_of_all_functions_are_asked_last():
    class OfAll(dispatch.GlobalOpDispatcher):
        def handle(self, op, args, kwargs):
            return (op.__name__, args) if any(isinstance(each, Marked) for each in args) else self.NOT_SUPPORTED

    OfAll().register()
    marked = Marked(1)
    assert mixed(marked, 2) == ("mixed", (marked, 2))
    dispatch.dispatch_for_types(mixed, Marked)(lambda x, y: "nearer")
    assert mixed(marked, 2) == "nearer"
    with pytest.raises(TypeError):
        mixed(None, 2)


def test_iterators_are_lists_for_handlers():
    @dispatch.add_dispatch_support(iterable_parameters=["inputs"])
    def total(inputs, start=0):
        return sum(inputs, start)

    dispatch.dispatch_for_types(total, Marked)(lambda inputs: [each.value for each in inputs])
    assert total(iter([1, 2]), start=4) == 7
    assert total(Marked(k) for k in range(3)) == [0, 1, 2]
    assert total(inputs=[tf.constant(1)]).dtype == tf.int32
