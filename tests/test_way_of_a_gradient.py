"""An optimizer holds its parts: how many library classes stand above one, and who asks what a user has replaced."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from catalogue import ROWS

import steepest as st
import steepest.v1 as tf
from steepest.optim.overrides import foreign_methods

PACKAGE = Path(st.__file__).parent
OPTIMIZERS = {row.optimizer for row in ROWS} | {
    cls
    for cls in vars(tf.train).values()
    if isinstance(cls, type) and issubclass(cls, st.Optimizer) and cls._inner is st.Optimizer._inner  # no wrappers
}


@pytest.mark.parametrize("cls", sorted(OPTIMIZERS, key=lambda cls: cls.__name__))
def test_an_optimizer_has_at_most_three_library_classes(cls: type):
    assert len([base for base in cls.__mro__ if base.__module__.startswith("steepest.")]) <= 3


def test_no_optimizer_is_made_without_its_constructor():
    found = [
        f"{path.relative_to(PACKAGE)}:{node.lineno}"
        for room in ("optim", "v1")
        for path in (PACKAGE / room).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Attribute) and node.attr == "__new__" and getattr(node.value, "id", "") == "object"
    ]
    assert found == []


class Mixin:
    def _finish(self, update_ops, name_scope):
        return None


class Own(st.AdamOptimizer):
    def _apply_dense(self, grad, var):
        return super()._apply_dense(grad, var)

    def helper(self):
        """Nothing of the library's."""


def test_foreign_methods_are_those_a_users_class_has_put_in_place():
    assert foreign_methods(st.AdamOptimizer) == foreign_methods(st.Optimizer) == frozenset()
    assert foreign_methods(Own) == {"_apply_dense"}
    assert foreign_methods(type("First", (Mixin, st.AdamOptimizer), {})) == {"_finish"}
    assert foreign_methods(type("Last", (st.AdamOptimizer, Mixin), {})) == frozenset()  # the library's comes first
    assert foreign_methods(type("Below", (Own,), {"minimize": None})) == {"_apply_dense"}
