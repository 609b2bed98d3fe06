"""A step of groups is repeated natively where it is like the last one; its state is saved, copied and wrapped whole."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

import steepest as st
from steepest.optim import multi
from test_groups import bits, gradients, groups, parameters


def values_of(arrays: list[Any]) -> list[Any]:
    return [np.asarray(array).tolist() for array in arrays]


@pytest.fixture
def checked_steps(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Grow with every step that is checked in full."""
    steps: list[int] = []
    take_step = multi.take_step

    def counted(*args: Any) -> Any:
        steps.append(1)
        return take_step(*args)

    monkeypatch.setattr(multi, "take_step", counted)
    return steps


HOOKS: dict[str, Any] = {
    "none": lambda arrays: ([], [], []),
    "own": lambda arrays: ([], [st.ClipByNorm(0.5), st.WeightDecay(0.1)], [st.ClipByValue(-0.2, 0.3)]),
    "common": lambda arrays: ([st.ClipByGlobalNorm(0.5)], [], []),
    "all": lambda arrays: (
        [st.CheckFinite(), st.WeightDecay(0.1, exclude=[arrays[1], arrays[2]]), st.ClipByGlobalNorm(0.5)],
        [st.ClipByNorm(0.1), st.WeightDecay(0.1, decoupled=True, exclude=[arrays[0]])],
        [st.WeightDecay(0.2, decoupled=True)],
    ),
}


def world(hooks: str, how: str = "lists") -> tuple[Any, Any, list[Any], Any]:
    arrays = [np.ascontiguousarray(a) if isinstance(a, np.ndarray) else a for a in parameters()]
    common, first, second = HOOKS[hooks](arrays)
    opt = groups("native", arrays, how, (first, second))
    opt.hooks = common
    return opt, st.Variable(np.int64(0)), arrays, [h for h in (*common, *first, *second) if hasattr(h, "last_norm")]


@pytest.mark.parametrize("hooks", HOOKS)
@pytest.mark.parametrize("how", ["lists", "rest"])
def test_a_repeated_step_has_the_bits_of_a_checked_one(hooks: str, how: str, checked_steps: list[int]):
    opt, step, arrays, measured = world(hooks, how)
    twin, twin_step, twin_arrays, twin_measured = world(hooks, how)
    rng = np.random.default_rng(5)
    for number in range(5):
        values = [rng.normal(size=np.shape(array)) for array in arrays]
        ids = rng.integers(0, 5, 7)
        values[1] = st.IndexedSlices(rng.normal(size=(7, 3)), ids)
        if number == 3:  # the sources are others
            for each in (opt, twin):
                each.optimizers[0].learning_rate, each.optimizers[1].learning_rate = 0.3, lambda: 0.7
        opt.apply_gradients(zip(values, arrays, strict=True), step)
        twin._cache.forget()
        twin.apply_gradients(zip(values, twin_arrays, strict=True), twin_step)
        assert bits(opt, arrays) == bits(twin, twin_arrays), number
        assert [h.last_norm for h in measured] == [h.last_norm for h in twin_measured]
        assert step.numpy() == number + 1
    assert len(checked_steps) == 1 + 5


def test_another_step_is_checked(checked_steps: list[int]):
    opt, step, arrays, _ = world("all")

    def take(values: list[Any]) -> int:
        before = len(checked_steps)
        opt.apply_gradients(zip(values, arrays, strict=True), step)
        return len(checked_steps) - before

    assert [take(gradients()) for _ in range(2)] == [1, 0]
    assert [take([None, *gradients()[1:]]) for _ in range(2)] == [1, 0]  # one parameter less
    only_first = [gradients()[0], None, gradients()[2], None]  # one group alone
    assert [take(only_first) for _ in range(2)] == [1, 0]
    opt.hooks.append(lambda pairs: pairs)
    assert [take(gradients()) for _ in range(2)] == [1, 1]
    opt.hooks.pop()
    assert [take(gradients()) for _ in range(2)] == [1, 0]
    arrays[0] = np.ones((3, 2))
    opt._choices[0].members[0] = arrays[0]
    assert [take(gradients()) for _ in range(2)] == [1, 0]
    bad = gradients()
    bad[1].values[0, 0] = np.inf
    before = bits(opt, arrays), step.numpy().item()
    with pytest.raises(ValueError, match=r"gradient of 'table'.* must be finite"):
        take(bad)
    bad[1] = st.IndexedSlices(np.ones((1, 3)), [5])
    with pytest.raises(IndexError, match="table"):
        take(bad)
    assert (bits(opt, arrays), step.numpy().item()) == before


def test_a_step_in_python_is_not_repeated(checked_steps: list[int]):
    arrays = parameters()
    opt = groups("in Python", arrays, "rest")
    for _ in range(3):
        opt.apply_gradients(zip(gradients(), arrays, strict=True))
    assert len(checked_steps) == 3


def half_way(opt: Any, arrays: list[Any]) -> None:
    opt.hooks = [st.Accumulate(2), st.GradientNoise(0.1, seed=3)]
    for _ in range(3):
        opt.apply_gradients(zip(gradients(), arrays, strict=True))


@pytest.mark.parametrize("name", ["native", "deferred", "in Python"])
def test_groups_are_saved_with_the_hooks_of_all(name: str, tmp_path: Any):
    arrays = parameters()
    opt = groups(name, arrays, "lists")
    half_way(opt, arrays)
    st.save(tmp_path / "groups.safetensors", arrays=arrays, opt=opt)
    others = parameters()
    new = groups(name, others, "lists")
    new.hooks = [st.Accumulate(2), st.GradientNoise(0.1, seed=8)]
    st.restore(tmp_path / "groups.safetensors", arrays=others, opt=new)
    for each, its in ((opt, arrays), (new, others)):
        for _ in range(3):
            each.apply_gradients(zip(gradients(), its, strict=True))
    assert values_of(arrays) == values_of(others)
    with pytest.raises(ValueError, match="2 inner optimizers, not 1"):
        st.restore(tmp_path / "groups.safetensors", arrays=others, opt=st.MultiOptimizer([(st.SGD(0.1), None)]))


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda pair: pickle.loads(pickle.dumps(pair))])
def test_a_copy_of_groups_trains_the_copy_of_the_model(copied: Any):
    arrays = [np.ascontiguousarray(a) if isinstance(a, np.ndarray) else a for a in parameters()]
    opt = groups("native", arrays, "lists")
    half_way(opt, arrays)
    before = values_of(arrays)
    others, new = copied((arrays, opt))
    for _ in range(3):
        new.apply_gradients(zip(gradients(), others, strict=True))
    assert values_of(arrays) == before
    for _ in range(3):
        opt.apply_gradients(zip(gradients(), arrays, strict=True))
    assert values_of(others) == values_of(arrays)


def test_a_wrapper_goes_around_the_groups():
    arrays, plain = parameters(), parameters()
    opt, twin = st.Lookahead(groups("native", arrays, "lists"), 2), groups("native", plain, "lists")
    for _ in range(2):
        opt.apply_gradients(zip(gradients(), arrays, strict=True))
        twin.apply_gradients(zip(gradients(), plain, strict=True))
    expected = [np.asarray(start) + 0.5 * (np.asarray(a) - start) for start, a in zip(parameters(), plain, strict=True)]
    for a, b in zip(arrays, expected, strict=True):
        np.testing.assert_allclose(np.asarray(a), b, rtol=1e-14)
    rule = "leaves its steps to this one"
    with pytest.raises(TypeError, match=f"{rule}, got Lookahead.*; give it this MultiOptimizer instead"):
        st.MultiOptimizer([(st.Lookahead(st.SGD(0.1)), None)])

    class Logged(st.GradientDescentOptimizer):
        def apply_gradients(self, *args: Any, **kwargs: Any) -> None:
            raise AssertionError

    with pytest.raises(TypeError, match=f"{rule}, got Logged.*; override other methods"):
        st.MultiOptimizer([(Logged(0.1), None)])


def test_signs_decay_by_the_step_of_all():
    w, other = np.ones(2), np.ones(2)
    step, own = st.Variable(np.int64(4)), st.Variable(np.int64(4))

    def decay(global_step: Any) -> float:
        return 1 / (1.0 + global_step.numpy())

    make = [st.v1.contrib.opt.AddSignOptimizer(0.1, sign_decay_fn=decay) for _ in range(2)]
    opt = st.MultiOptimizer([(make[0], None)])
    for _ in range(3):
        opt.apply_gradients([(np.array([1.0, -2.0]), w)], step)
        make[1].apply_gradients([(np.array([1.0, -2.0]), other)], own)
    assert w.tolist() == other.tolist()
    assert step.numpy() == own.numpy() == 7
