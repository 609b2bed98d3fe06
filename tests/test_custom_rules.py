"""What users write in a rule of their own, and what they forget."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import steepest as st


class RMSProp(st.Optimizer):
    """The README's rule."""

    def __init__(self, learning_rate: Any, decay: float = 0.9, name: str = "RMSProp", **more: Any) -> None:
        super().__init__(name=name, **more)
        self._learning_rate, self._decay = learning_rate, decay

    def _apply_dense(self, grad: Any, var: Any) -> None:
        rms = self._zeros_slot(var, "rms", self._name)
        rms += (grad * grad - rms) * (1 - self._decay)
        var -= self._learning_rate * grad / np.sqrt(rms + 1e-10)


def by_hand(w: np.ndarray, rms: np.ndarray, grad: np.ndarray, rate: float, rows: Any = ...) -> None:
    rms[rows] += (grad * grad - rms[rows]) * (1 - 0.9)
    w[rows] -= rate * grad / np.sqrt(rms[rows] + 1e-10)


@pytest.mark.parametrize("kind", ["variable", "array", "strided"])
@pytest.mark.parametrize("sparse", [False, True], ids=["dense", "sparse"])
def test_the_readmes_rule_in_place_with_a_slot_of_its_own(kind: str, sparse: bool):
    rng = np.random.default_rng(0)
    start = rng.normal(size=(6, 3))
    w: Any = {"variable": st.Variable(start), "array": start.copy(), "strided": np.repeat(start, 2, 1)[:, ::2]}[kind]
    want, rms = start.copy(), np.zeros((6, 3))
    opt = RMSProp(st.exponential_decay(0.1, None, 1, 0.5))
    for step in range(4):
        rows = np.array([4, 1, 3]) if sparse else ...
        grad = rng.normal(size=want[rows].shape)
        opt.apply_gradients([(st.IndexedSlices(grad, rows) if sparse else grad, w)])
        by_hand(want, rms, grad, 0.1 * 0.5**step, rows)
    np.testing.assert_allclose(np.asarray(w), want, rtol=1e-12)
    np.testing.assert_allclose(opt.get_slot(w, "rms").value, rms, rtol=1e-12)
    assert opt.get_slot_names() == ["rms"]


@pytest.mark.parametrize("kind", [np.asarray, st.Variable])
def test_other_operators_in_place_are_refused_alike(kind: Any):
    class Times(st.Optimizer):
        def _apply_dense(self, grad: Any, var: Any) -> None:
            var *= 0.5

    w = kind(np.ones(2))
    with pytest.raises(TypeError, match=r"in-place operator must be \+= or -=.*v.assign\(v \* x\)"):
        Times(name="Times").apply_gradients([(np.ones(2), w)])
    np.testing.assert_array_equal(np.asarray(w), 1)


def test_a_ufunc_may_write_into_an_arrays_parameter():
    class Out(st.Optimizer):
        def _apply_dense(self, grad: Any, var: Any) -> None:
            np.subtract(var, grad, out=var)

    w = np.ones(2)
    Out(name="Out").apply_gradients([(np.ones(2), w)])
    assert w.tolist() == [0, 0]


def test_operators_in_place_keep_the_parameter_and_its_type():
    class InPlace(st.Optimizer):
        def _apply_dense(self, grad: Any, var: Any) -> None:
            same = var
            same -= grad.astype(np.float64)
            same += np.ones(2)
            assert same is var

    w = np.ones(2, np.float32)
    InPlace(name="InPlace").apply_gradients([(np.ones(2), w)])
    assert w.tolist() == [1, 1]


def test_slots_of_rows_begin_with_their_value_in_every_row():
    class Filled(st.Optimizer):
        def __init__(self, differ: bool) -> None:
            super().__init__(name="Filled")
            self.differ = differ

        def _apply_dense(self, grad: Any, var: Any) -> None:
            values = np.arange(grad.size, dtype=float).reshape(grad.shape) if self.differ else np.full(grad.shape, 7.0)
            a = self._get_or_make_slot(var, values, "a", self._name)
            b = self._get_or_make_slot_with_initializer(var, 3, grad.shape[:1], np.int64, "b", self._name)
            a += grad
            b += np.ones(len(grad), np.int64)

    w, opt = np.zeros((4, 2)), Filled(False)
    for _ in range(2):
        opt.apply_gradients([(st.IndexedSlices(np.ones((2, 2)), [2, 0]), w)])
    assert opt.get_slot(w, "a").value[:, 0].tolist() == [9, 7, 9, 7]
    assert opt.get_slot(w, "b").value.tolist() == [5, 3, 5, 3]
    opt = Filled(True)
    with pytest.raises(ValueError, match="slot 'a' must be made in _create_slots where its values differ"):
        opt.apply_gradients([(st.IndexedSlices(np.ones((2, 2)), [2, 0]), w)])
    assert opt.get_slot_names() == []
    assert opt.get_slot(w, "a") is None


def test_a_slot_made_by_a_step_that_raises_is_forgotten():
    class Fragile(RMSProp):
        def _apply_dense(self, grad: Any, var: Any) -> None:
            super()._apply_dense(grad, var)
            raise RuntimeError("no")

    w, opt = np.zeros((4, 2)), Fragile(0.1)
    for gradient in (np.ones((4, 2)), st.IndexedSlices(np.ones((1, 2)), [2])):
        with pytest.raises(RuntimeError, match="no"):
            opt.apply_gradients([(gradient, w)])
        assert opt.get_slot_names() == []
        assert not w.any()


@pytest.mark.parametrize("base", [st.Optimizer, st.AdamOptimizer])
def test_a_forgotten_constructor_is_named(base: Any):
    class Forgetful(base):
        def __init__(self) -> None:
            self._learning_rate = 0.1

    w, v = np.zeros(2), st.Variable(np.ones(2))
    match = r"Forgetful: Optimizer.__init__ must have been called, got .*; call super\(\).__init__"
    for use in (
        lambda opt: opt.apply_gradients([(np.ones(2), w)]),
        lambda opt: opt.minimize(lambda: np.sum(v * v)),
    ):
        with pytest.raises(AttributeError, match=match):
            use(Forgetful())
    assert repr(Forgetful()).startswith("Forgetful(")
    assert not w.any()


@pytest.mark.parametrize("sparse", [False, True])
def test_a_returned_update_is_an_error_that_says_how(sparse: bool):
    class Returns(st.Optimizer):
        def _apply_dense(self, grad: Any, var: Any) -> Any:
            return var - 0.1 * grad

    w, gradient = np.ones((3, 2)), st.IndexedSlices(np.ones((1, 2)), [1]) if sparse else np.ones((3, 2))
    match = (
        r"Returns: _apply_dense must change var in place, got a returned float64 array of shape .*; write var.assign"
    )
    with pytest.raises(TypeError, match=match):
        Returns(name="Returns").apply_gradients([(gradient, w)])
    np.testing.assert_array_equal(w, 1)


def test_what_assignments_return_may_be_returned():
    class Returns(st.Optimizer):
        def _apply_dense(self, grad: Any, var: Any) -> Any:
            return var.assign_sub(grad)

    w = np.ones(2)
    Returns(name="Returns").apply_gradients([(np.ones(2), w)])
    assert w.tolist() == [0, 0]


def test_a_value_in_the_place_of_a_method_is_an_error():
    opt = RMSProp(0.1)
    with pytest.raises(AttributeError, match="attribute must not hide a method of the same name, got '_prepare' = 3"):
        opt._prepare = 3
    opt._momentum, opt._epsilon, opt._decay_tensor = 0.9, 1e-10, None  # TensorFlow's names
