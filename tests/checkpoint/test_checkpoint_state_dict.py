"""``state_dict``, ``load_state_dict``, ``pickle`` and ``copy`` of optimizers."""

from __future__ import annotations

import copy
import gc
import pickle

import numpy as np
import pytest
from catalogue import ROWS, Row

import steepest as st
import steepest.v1 as tf


def step(opt, *parameters):
    rng = np.random.default_rng(7)
    opt.apply_gradients([(rng.normal(size=parameter.shape), parameter) for parameter in parameters])


def trained(row: Row, kind=np.array):
    opt, parameters = row.make(), [kind(np.ones((4, 3))), kind(np.full((4, 3), 2.0)), kind(np.ones(5))]
    for _ in range(3):
        step(opt, *parameters)
    return opt, parameters


def values(parameters):
    return [np.array(getattr(p, "value", p)).tobytes() for p in parameters]


def shown(state):
    return repr(pickle.dumps(state))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_arrays_are_matched_by_order_before_the_first_step(row: Row):
    opt, arrays = trained(row)
    state, copies, new = (
        opt.state_dict(),
        [array.copy() for array in arrays],
        row.make(learning_rate=9.0) if 0 else row.make(),
    )
    new.load_state_dict(state)
    for _ in range(2):
        step(opt, *arrays)
        step(new, *copies)
    assert values(arrays) == values(copies)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_variables_are_matched_by_name_in_any_order(row: Row):
    opt, variables = trained(row, st.Variable)
    state, kept = opt.state_dict(), [variable.numpy() for variable in variables]
    names = [entry["name"] for entry in state["parameters"]]
    assert names == [variable.name for variable in variables]
    st.reset_default_store()
    new, others = row.make(), [st.Variable(value) for value in kept]
    new.load_state_dict(state)
    rng = np.random.default_rng(7)
    gradients = [rng.normal(size=other.shape) for other in others]
    new.apply_gradients(list(zip(gradients, others, strict=True))[::-1])
    step(opt, *variables)
    assert values(variables) == values(others)


def test_given_parameters_are_matched_at_once():
    row = ROWS[1]
    opt, arrays = trained(row)
    copies, new = [array.copy() for array in arrays], row.make()
    new.load_state_dict(opt.state_dict(), parameters=copies)
    assert [new.get_slot(a, "momentum").value.tobytes() for a in copies] == [
        opt.get_slot(a, "momentum").value.tobytes() for a in arrays
    ]
    with pytest.raises(ValueError, match="parameters has 2 members for 3 entries"):
        row.make().load_state_dict(opt.state_dict(), parameters=copies[:2])
    with pytest.raises(ValueError, match=r"parameter 'array' has shape \(5,\), where the state is of shape \(4, 3\)"):
        row.make().load_state_dict(opt.state_dict(), parameters=copies[::-1])


def test_state_that_waits_is_not_given_to_what_does_not_fit():
    opt, _ = trained(ROWS[1])
    new, other = ROWS[1].make(), np.ones(7)
    new.load_state_dict(opt.state_dict())
    with pytest.raises(ValueError, match=r"must fit the loaded state, got shape \(7,\), where .* \(4, 3\); .*order"):
        step(new, other)
    assert other.tolist() == [1] * 7
    variable = st.Variable(np.ones((4, 3)), name="w")
    for _ in range(2):  # it is refused again: nothing was remembered
        with pytest.raises(ValueError, match=r"must be one that the loaded state is of .*, got 'w'"):
            step(new, variable)
    new.load_state_dict(opt.state_dict(), partial=True)
    step(new, variable)


def test_state_that_waits_can_be_saved_again(tmp_path):
    opt, arrays = trained(ROWS[6])
    new, third = ROWS[6].make(), ROWS[6].make()
    new.load_state_dict(opt.state_dict())
    st.save(tmp_path / "a", opt=new)
    st.restore(tmp_path / "a", opt=third)
    copies = [array.copy() for array in arrays]
    step(third, *copies)
    step(opt, *arrays)
    assert values(arrays) == values(copies)


def test_a_step_that_fails_does_not_lose_what_was_loaded():
    opt, arrays = trained(ROWS[6])
    new, copies = ROWS[6].make(), [array.copy() for array in arrays]
    new.load_state_dict(opt.state_dict())
    with pytest.raises(ValueError, match="shape"):
        new.apply_gradients([(np.ones((4, 3)), copies[0]), (np.ones((4, 3)), copies[1]), (np.ones(6), copies[2])])
    step(new, *copies)
    step(opt, *arrays)
    assert values(arrays) == values(copies)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_an_optimizer_goes_back_to_an_earlier_state(row: Row):
    opt, arrays = trained(row)
    first, kept = opt.state_dict(), [array.copy() for array in arrays]
    step(opt, *arrays)
    after = values(arrays)
    opt.load_state_dict(first)
    for array, value in zip(arrays, kept, strict=True):
        array[...] = value
    step(opt, *arrays)
    assert values(arrays) == after
    opt.load_state_dict(row.make().state_dict())  # before the first step
    assert opt.get_slot_names() == [] or row.rule == "sgd"
    fresh, copies = row.make(), [array.copy() for array in arrays]
    step(opt, *arrays)
    step(fresh, *copies)
    assert values(arrays) == values(copies)


def test_numbers_are_taken_over_and_functions_stay():
    state = st.AdamOptimizer(0.5, beta1=0.25).state_dict()
    assert state["hyper"] == {"learning_rate": 0.5, "beta1": 0.25, "beta2": 0.999, "epsilon": 1e-8}
    opt = st.AdamOptimizer(lambda: 0.125)
    opt.load_state_dict(state)
    assert (opt._hyper()["beta1"], opt._hyper()["learning_rate"]()) == (0.25, 0.125)
    rate = st.Variable(0.5)
    opt = st.AdamOptimizer(rate)
    opt.load_state_dict(st.AdamOptimizer(st.Variable(0.75)).state_dict())
    assert rate.numpy() == 0.75
    with pytest.raises(ValueError, match=r"hyper.lr is a constant in the file, Variable here|hyper.*Variable"):
        opt.load_state_dict(state)


BAD = {
    "class": (lambda s: s | {"class": "MomentumOptimizer"}, "it is MomentumOptimizer's, not AdamOptimizer's"),
    "range": (lambda s: s | {"hyper": {"beta1": 2.0}}, r"beta1 must be in \[0, 1\)"),
    "name": (lambda s: s | {"hyper": {"gamma": 2.0}}, r"hyper-parameters \['gamma'\] are not known here"),
    "hooks": (lambda s: s | {"hooks": []}, r"hooks are \[\] in the state, \['CheckFinite'\] here"),
    "missing": (lambda s: changed(s, "v", None), "slot 'v' of an array is missing|slot 'v' of 'an array' is missing"),
    "extra": (lambda s: changed(s, "u", np.ones(2)), "slot 'u' of 'an array' is extra"),
    "shape": (lambda s: changed(s, "v", np.ones(3)), r"slot 'v' of 'an array' has shape \(3,\), not \(2,\)"),
    "dtype": (lambda s: changed(s, "v", np.ones(2, "f4")), "slot 'v' of 'an array' has dtype float32, not float64"),
    "power": (lambda s: s | {"own": {**s["own"], "beta1_power": np.ones(3)}}, r"beta1_power has shape \(3,\)"),
}


def changed(state, name, value):
    slots = {**state["parameters"][0]["slots"], name: value}
    slots = {key: slot for key, slot in slots.items() if slot is not None}
    return {**state, "parameters": [{**state["parameters"][0], "slots": slots}]}


@pytest.mark.parametrize("case", BAD)
def test_a_state_that_does_not_fit_is_refused_whole(case):
    change, message = BAD[case]
    opt, w = st.AdamOptimizer(0.1, hooks=[st.CheckFinite()]), np.ones(2)
    step(opt, w)
    state = change(opt.state_dict())
    step(opt, w)
    before = shown(opt.state_dict())
    with pytest.raises(
        ValueError, match=rf"AdamOptimizer.load_state_dict: state must fit this optimizer, .*({message})"
    ):
        opt.load_state_dict(state)
    assert shown(opt.state_dict()) == before


@pytest.mark.parametrize("state", [None, 3, {}, {"class": "AdamOptimizer"}, {"class": "AdamOptimizer", "hyper": 3}])
def test_what_is_no_state_is_a_type_error(state):
    with pytest.raises(TypeError, match=r"AdamOptimizer.load_state_dict: state must be what state_dict\(\) returned"):
        st.AdamOptimizer().load_state_dict(state)


def test_state_does_not_follow_the_optimizer():
    opt, arrays = trained(ROWS[6])
    state = opt.state_dict()
    before = shown(state)
    step(opt, *arrays)
    assert shown(state) == before


def test_the_state_of_a_subclass_in_python_comes_too():
    opt, w = Averaged(0.5), np.ones(2)
    step(opt, w)
    new, v = Averaged(0.25), w.copy()
    new.load_state_dict(opt.state_dict())
    step(opt, w)
    step(new, v)
    assert (values([w]), opt._count) == (values([v]), 2)
    assert new._count == 2


class Averaged(st.Optimizer):
    """A rule with a slot and a counter of its own."""

    def __init__(self, learning_rate):
        super().__init__(name="Averaged")
        self._learning_rate, self._count = learning_rate, 0

    def _create_slots(self, var_list):
        for variable in var_list:
            self._zeros_slot(variable, "mean", self._name)

    def _prepare(self):
        self._count += 1

    def _apply_dense(self, grad, var):
        mean = self.get_slot(var, "mean")
        mean.assign_add((grad - mean.value) / self._count)
        var.assign_sub(self._learning_rate * mean.value)


TAKE = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda thing: pickle.loads(pickle.dumps(thing)),
    "pickle-2": lambda thing: pickle.loads(pickle.dumps(thing, 2)),
}


@pytest.mark.parametrize("take", ["deepcopy", "pickle", "pickle-2"])
@pytest.mark.parametrize("kind", [np.array, st.Variable], ids=["array", "Variable"])
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_an_optimizer_is_copied_with_its_model(row: Row, kind, take: str):
    opt, parameters = trained(row, kind)
    first = values(parameters)
    for order in (1, -1):
        pair = TAKE[take]((opt, parameters)[::order])
        new, copies = pair[::order]
        step(new, *copies)
        assert values(parameters) == first  # the copy has its own
        mine = row.make()
        mine.load_state_dict(opt.state_dict())
        expected = [np.array(getattr(p, "value", p)) for p in parameters]
        mine.load_state_dict(opt.state_dict(), parameters=expected)
        step(mine, *expected)
        assert values(copies) == values(expected)


def test_an_optimizer_that_is_copied_alone_keeps_its_state():
    opt, arrays = trained(ROWS[6])
    for name, take in TAKE.items():
        new = take(opt)
        gc.collect()
        assert len(new.state_dict()["parameters"]) == len(arrays), name
        third, copies = ROWS[6].make(), [array.copy() for array in arrays]
        third.load_state_dict(new.state_dict())
        step(third, *copies)
        if name == "copy":  # the same parameters, and state of its own
            step(new, *arrays)
            assert values(arrays) == values(copies)


def test_sums_of_gradients_are_copied():
    opt, w = st.MomentumOptimizer(0.5, 0.5, hooks=[st.Accumulate(2)]), np.zeros(2)
    opt.apply_gradients([(np.ones(2), w)])
    new, v = copy.deepcopy((opt, w))
    for optimizer, parameter in ((opt, w), (new, v)):
        optimizer.apply_gradients([(np.full(2, 3.0), parameter)])
    assert w.tolist() == v.tolist() == [-1, -1]


def test_an_optimizer_of_views_is_not_copied_but_its_state_is():
    memory, opt = np.ones((4, 2)), st.MomentumOptimizer(0.5, 0.5)
    step(opt, memory[::2])
    with pytest.raises(TypeError, match=r"MomentumOptimizer: parameter must be a Variable or an array that owns"):
        copy.deepcopy(opt)
    assert opt.state_dict()["parameters"][0]["shape"] == [2, 2]


def test_an_optimizer_of_a_graph_has_its_state_in_a_session():
    w = tf.get_variable("w", initializer=[1.0])
    opt = tf.train.AdamOptimizer(0.1)
    opt.minimize(w * w)
    for take in (opt.state_dict, lambda: copy.deepcopy(opt)):
        with pytest.raises(TypeError, match=r"state_dict: optimizer must not be one of a graph.*tf.train.Saver"):
            take()


PUBLIC = [
    st.ClipByGlobalNorm(1.0),
    st.ClipByNorm(1.0),
    st.ClipByValue(-1.0, 1.0),
    st.WeightDecay(0.1, decoupled=True),
    st.CheckFinite("skip"),
    st.GradientNoise(0.1, seed=3),
    st.Accumulate(3),
    st.exponential_decay(0.1, 3, 5, 0.5),
    st.piecewise_constant(1, [2.0], [0.1, 0.2]),
    st.linear_warmup(0.1, 3, 5),
]


@pytest.mark.parametrize("thing", PUBLIC, ids=repr)
@pytest.mark.parametrize("take", TAKE)
def test_hooks_and_schedules_can_be_copied(thing, take):
    assert repr(TAKE[take](thing)) == repr(thing)


def test_sparse_gradients_and_variables_can_be_copied():
    rows, w = st.IndexedSlices(np.ones((2, 3)), [1, 4], (7, 3)), st.Variable(np.ones(3))
    for take in (TAKE["deepcopy"], TAKE["pickle"]):
        assert np.array_equal(take(rows).to_dense(), rows.to_dense())
        assert take(w).numpy().tolist() == [1, 1, 1]
