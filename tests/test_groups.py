"""Groups of parameters with optimizers of their own take one step together; some parameters do not decay."""

from __future__ import annotations

import copy
import threading
from typing import Any

import numpy as np
import pytest
from state_order import variables_in_order

import steepest as st
from test_interrupts import InPython, Interrupt

RNG = np.random.default_rng(0)


def gradients() -> list[Any]:
    rng = np.random.default_rng(1)
    slices = st.IndexedSlices(rng.normal(size=(4, 3)), np.array([2, 0, 2, 4]))
    return [rng.normal(size=(3, 2)), slices, rng.normal(size=2), rng.normal(size=(2, 2))]


def parameters() -> list[Any]:
    return [np.ones((3, 2)), st.Variable(np.ones((5, 3)), name="table"), st.Variable(np.ones(2)), np.ones((2, 2)).T]


MAKERS = {
    "native": (lambda: st.AdamOptimizer(0.1), lambda: st.MomentumOptimizer(0.2, 0.9)),
    "deferred": (lambda: st.MomentumOptimizer(0.2, 0.9), lambda: st.AdamOptimizer(0.1, sparse_update="deferred")),
    "locked": (
        lambda: st.AdamOptimizer(0.1, use_locking=True),
        lambda: st.MomentumOptimizer(0.2, 0.9, use_locking=True),
    ),
    "in Python": (lambda: st.AdamOptimizer(0.1), lambda: InPython(0.25)),
    "all in Python": (lambda: InPython(0.5), lambda: InPython(0.25)),
}


def groups(name: str, arrays: list[Any], how: str, hooks: Any = ((), ())) -> st.MultiOptimizer:
    first, second = (make() for make in MAKERS[name])
    first.hooks, second.hooks = hooks
    choices: dict[str, Any] = {
        "lists": (arrays[::2], arrays[1::2]),
        "rest": (arrays[::2], None),
        "function": (lambda v: v is arrays[0] or v is arrays[2], None),
    }
    return st.MultiOptimizer(list(zip((first, second), choices[how], strict=True)))


@pytest.mark.parametrize("how", ["lists", "rest", "function"])
@pytest.mark.parametrize("name", MAKERS)
def test_groups_are_trained_as_if_alone(name: str, how: str):
    together, apart = parameters(), parameters()
    own = ([st.ClipByGlobalNorm(0.5), st.WeightDecay(0.1)], [st.WeightDecay(0.2, decoupled=True), st.ClipByNorm(0.25)])
    opt = groups(name, together, how, own)
    alone = [make() for make in MAKERS[name]]
    for optimizer, hooks in zip(alone, own, strict=True):
        optimizer.hooks = copy.deepcopy(hooks)
    step = st.Variable(np.int64(0))
    for number in range(1, 4):
        opt.apply_gradients(zip(gradients(), together, strict=True), step)
        for group, optimizer in enumerate(alone):
            optimizer.apply_gradients(list(zip(gradients(), apart, strict=True))[group::2])
        assert step.numpy() == number
    for a, b in zip(together, apart, strict=True):
        np.testing.assert_array_equal(np.asarray(a), np.asarray(b))
    assert len(opt.variables()) == sum(len(optimizer.variables()) for optimizer in alone)
    assert opt.get_slot_names() == sorted({n for optimizer in alone for n in optimizer.get_slot_names()})
    slots = [(p, q, name) for p, q in zip(together, apart, strict=True) for name in opt.get_slot_names()]
    for p, q, slot_name in slots:
        slot = opt.get_slot(p, slot_name)
        other = next((s for optimizer in alone if (s := optimizer.get_slot(q, slot_name)) is not None), None)
        assert (slot is None) == (other is None)
        if slot is not None and other is not None:
            np.testing.assert_array_equal(slot.numpy(), other.numpy())
    assert own[0][0].last_norm == alone[0].hooks[0].last_norm


@pytest.mark.parametrize("called", [False, True], ids=["fused", "called"])
@pytest.mark.parametrize("name", MAKERS)
def test_a_common_norm_is_of_all_groups(name: str, called: bool):
    arrays, clip = parameters(), st.ClipByGlobalNorm(0.5)
    one_by_one = parameters()
    opt = groups(name, arrays, "rest")
    opt.hooks = [clip, *([lambda pairs: pairs] if called else [])]
    alone = groups(name, one_by_one, "rest")
    for _ in range(3):
        opt.apply_gradients(zip(gradients(), arrays, strict=True))
        clipped, norm = st.clip_by_global_norm(gradients(), 0.5)
        np.testing.assert_allclose(clip.last_norm, norm, rtol=1e-12)
        alone.apply_gradients(zip(clipped, one_by_one, strict=True))
    for a, b in zip(arrays, one_by_one, strict=True):
        np.testing.assert_allclose(np.asarray(a), np.asarray(b), rtol=1e-12)


def bits(opt: Any, arrays: list[Any]) -> Any:
    return [np.asarray(a).tolist() for a in arrays], [v.numpy().tolist() for v in variables_in_order(opt)]


@pytest.mark.parametrize("where", ["common", "first", "second"])
@pytest.mark.parametrize("name", MAKERS)
def test_a_refused_step_changes_no_group(name: str, where: str):
    arrays, check = parameters(), st.CheckFinite("skip")
    opt, step = groups(name, arrays, "lists"), st.Variable(np.int64(0))
    opt.apply_gradients(zip(gradients(), arrays, strict=True), step)
    ({"common": opt, "first": opt.optimizers[0], "second": opt.optimizers[1]}[where]).hooks.append(check)
    before, bad = bits(opt, arrays), gradients()
    bad[0 if where != "second" else 3][0, 0] = np.nan
    opt.apply_gradients(zip(bad, arrays, strict=True), step)
    assert (check.skipped, step.numpy(), bits(opt, arrays)) == (1, 1, before)
    check.action = "raise"
    with pytest.raises(ValueError, match="must be finite"):
        opt.apply_gradients(zip(bad, arrays, strict=True), step)
    assert (step.numpy(), bits(opt, arrays)) == (1, before)


def test_a_gradient_is_refused_as_its_own_group_says():
    """Fused checks of two groups: at a first step, and at one that is repeated natively."""
    a, b, skips, raises = np.ones(3), np.ones(4), st.CheckFinite("skip"), st.CheckFinite("raise")
    first, second = (st.GradientDescentOptimizer(0.5, hooks=[check]) for check in (skips, raises))
    opt = st.MultiOptimizer([(first, [a]), (second, [b])])
    for _ in range(2):
        with pytest.raises(ValueError, match=r"gradient of 'ndarray_.*' must be finite"):
            opt.apply_gradients([(np.ones(3), a), (np.full(4, np.nan), b)])
        assert (a.tolist(), b.tolist(), skips.skipped) == ([1] * 3, [1] * 4, 0)
        opt.apply_gradients([(np.zeros(3), a), (np.zeros(4), b)])
    opt.apply_gradients([(np.full(3, np.inf), a), (np.ones(4), b)])
    assert (a.tolist(), b.tolist(), skips.skipped) == ([1] * 3, [1] * 4, 1)


@pytest.mark.parametrize("own", [[st.Accumulate(1)], [st.ClipByValue(-1, 1)]])
@pytest.mark.parametrize("make", [st.GradientDescentOptimizer, st.Muon])
def test_a_group_that_has_gradients_only_after_a_common_hook(make, own):
    """It has none in the call that ends the sum, but some that were summed up before."""
    a, b = np.ones(3), np.ones((2, 2))
    opt = st.MultiOptimizer(
        [(st.GradientDescentOptimizer(0.5), [a]), (make(0.5, hooks=own), [b])],
        hooks=[st.Accumulate(2), st.WeightDecay(0.0)],
    )
    opt.apply_gradients([(np.ones(3), a), (np.eye(2), b)])
    opt.apply_gradients([(np.ones(3), a), (None, b)])
    assert a.tolist() == [0.5] * 3
    assert (b != 1).any()


def locks_of(opt: st.MultiOptimizer) -> list[Any]:
    holders = [holder for each in opt.optimizers for holder in (each._cache, each._updater)]
    return [holder.lock for holder in holders if hasattr(getattr(holder, "lock", None), "acquire")]


def are_free(locks: list[Any]) -> bool:
    """Tell whether another thread can take each lock."""
    taken = []

    def take() -> None:
        for lock in locks:
            taken.append(lock.acquire(timeout=1))
            if taken[-1]:
                lock.release()

    thread = threading.Thread(target=take)
    thread.start()
    thread.join()
    return all(taken)


@pytest.mark.parametrize("name", MAKERS)
def test_an_interrupted_step_is_whole_or_not_at_all(name: str):
    def world(steps: int) -> Any:
        arrays, step = parameters(), st.Variable(np.int64(0))
        opt = groups(name, arrays, "rest", ([st.ClipByNorm(0.5)], []))

        def take() -> None:
            opt.apply_gradients(zip(gradients(), arrays, strict=True), step)

        for _ in range(steps):
            take()
        return take, lambda: (*bits(opt, arrays), step.numpy().item()), locks_of(opt)

    states, at = [world(steps)[1]() for steps in (1, 2)], 0
    outcomes = set()
    while True:
        take, state, locks = world(1)
        if not Interrupt(at).during(take):
            break
        assert are_free(locks), f"place {at}"
        assert state() in states, f"place {at}"
        outcomes.add(states.index(state()))
        at += 7
    assert outcomes == {0, 1}


def test_state_goes_to_other_parameters_and_all_or_nothing():
    arrays, others = parameters(), parameters()
    opt, other = groups("native", arrays, "lists"), groups("native", others, "lists")
    for _ in range(2):
        opt.apply_gradients(zip(gradients(), arrays, strict=True))
    for mine, theirs in zip(arrays, others, strict=True):
        np.asarray(theirs.value if isinstance(theirs, st.Variable) else theirs)[...] = np.asarray(mine)
    for mine, theirs in zip(arrays, others, strict=True):
        if isinstance(mine, st.Variable):
            mine._name = theirs._name
    wrong = opt.state_dict()
    wrong["inner"] = [wrong["inner"][0]] * 2
    with pytest.raises(ValueError, match="not MomentumOptimizer's"):
        other.load_state_dict(wrong)
    assert other.variables() == []
    other.load_state_dict(opt.state_dict())
    for each, with_arrays in ((opt, arrays), (other, others)):
        each.apply_gradients(zip(gradients(), with_arrays, strict=True))
    for mine, theirs in zip(arrays, others, strict=True):
        np.testing.assert_array_equal(np.asarray(mine), np.asarray(theirs))
    for bad, error in (({}, TypeError), (3, TypeError), ({**wrong, "inner": []}, ValueError)):
        with pytest.raises(error, match="load_state_dict"):
            other.load_state_dict(bad)


def test_bad_groups_are_refused():
    w, v, sgd, adam = np.ones(2), st.Variable(np.ones(3)), st.GradientDescentOptimizer(0.1), st.AdamOptimizer()
    for bad, error, message in [
        ([], ValueError, "at least one"),
        ([(sgd, None), (adam, [w])], TypeError, r"groups\[0\] must name its parameters"),
        ([(sgd, [w]), (adam, [v, w])], ValueError, "must be in one group, got one in groups 0 and 1"),
        ([(sgd, [w]), (sgd, None)], TypeError, "twice"),
        ([(3, [w])], TypeError, "begin with an optimizer"),
        ([sgd], TypeError, "pair"),
        ([(sgd, w)], TypeError, "list of Variables"),
        ([(sgd, ["w"])], TypeError, "list of Variables"),
    ]:
        with pytest.raises(error, match=message):
            st.MultiOptimizer(bad)
    with pytest.raises(TypeError, match="hooks"):
        st.MultiOptimizer([(sgd, None)], hooks=[3])
    opt = st.MultiOptimizer([(sgd, [w]), (adam, lambda x: x is w or x is v)])
    for pairs, error, message in [
        ([(np.ones(2), w)], ValueError, r"one in groups \[0, 1\]"),
        ([(np.ones(2), np.ones(2))], ValueError, "one in none; give the last group None"),
        ([(None, v)], ValueError, "at least one gradient"),
        ([(np.ones(2), v)], ValueError, "shape"),
    ]:
        with pytest.raises(error, match=message):
            opt.apply_gradients(pairs)
    opt.hooks = [st.WeightDecay(0.1, decoupled=True)]
    with pytest.raises(ValueError, match="decoupled WeightDecay; give it to the groups' optimizers"):
        opt.apply_gradients([(np.ones(3), v)])
    assert opt.variables() == []
    assert (opt.get_name(), repr(opt)[:16]) == ("MultiOptimizer", "MultiOptimizer([")
