"""``state_dict`` and ``load_state_dict`` of optimizers: before the first step, in between, and what does not fit."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from catalogue import ROWS, Row
from trained_world import step, trained, values

import steepest as st


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


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda opt: pickle.loads(pickle.dumps(opt))])
def test_a_copy_waits_for_some_parameters_where_the_optimizer_did(copied):
    opt, arrays = trained(ROWS[6])
    new = ROWS[6].make()
    new.load_state_dict(opt.state_dict(), partial=True)
    other = st.Variable(np.ones(3), name="not_among_them")
    again = copied(new)
    for each in (again, opt):
        each.apply_gradients([(np.ones(3), other)])
    copies = [array.copy() for array in arrays]
    step(again, *copies)
    step(opt, *arrays)
    assert values(arrays) == values(copies)


def test_state_that_waits_for_a_variable_finds_it_among_what_is_restored(tmp_path):
    v, array = st.Variable(np.zeros(3), name="v"), np.zeros(2)
    opt, new, third = (st.MomentumOptimizer(0.5, 0.5) for _ in range(3))
    opt.apply_gradients([(np.ones(3), v)])
    new.load_state_dict(opt.state_dict())  # waits for a variable of the name
    st.save(tmp_path / "a", opt=new, parameters=[array, v])
    st.restore(tmp_path / "a", opt=third, parameters=[array, v])
    third.apply_gradients([(np.ones(2), array)])  # another parameter may come first
    third.apply_gradients([(np.ones(3), v)])
    opt.apply_gradients([(np.ones(3), v)])
    np.testing.assert_array_equal(third.get_slot(v, "momentum").value, opt.get_slot(v, "momentum").value)


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


def test_deferred_rows_go_back_to_an_earlier_state():
    table, opt = st.Variable(np.ones((9, 2)), name="table"), st.AdamOptimizer(0.1, sparse_update="deferred")

    def train():
        rng = np.random.default_rng(3)
        for _ in range(4):
            opt.apply_gradients([(st.IndexedSlices(rng.normal(size=(2, 2)), rng.integers(0, 9, 2)), table)])

    train()
    state, kept = opt.state_dict(), table.numpy()
    train()
    after = table.numpy()
    train()  # leaves moves pending, which must not be made on what is loaded
    opt.load_state_dict(state)
    table.assign(kept)
    train()
    assert table.numpy().tobytes() == after.tobytes()


def test_sums_of_hooks_that_are_gone_are_left_out_when_a_part_is_asked_for():
    opt, w = st.MomentumOptimizer(0.5, 0.5, hooks=[st.CheckFinite(), st.Accumulate(2)]), np.zeros(2)
    step(opt, w)
    new, v = st.MomentumOptimizer(0.5, 0.5), np.zeros(2)
    new.load_state_dict(opt.state_dict(), parameters=[v], partial=True)
    step(new, v)
    assert (v != 0).all()


def test_what_a_schedule_counts_by_itself_is_part_of_the_state():
    def make():
        return st.MomentumOptimizer(st.exponential_decay(0.5, None, 2, 0.5), 0.5)

    opt, w = make(), np.ones(3)
    for _ in range(5):
        step(opt, w)
    new, v = make(), w.copy()
    new.load_state_dict(opt.state_dict())
    for _ in range(3):
        step(opt, w)
        step(new, v)
    assert values([w]) == values([v])
    assert new.learning_rate.steps == opt.learning_rate.steps == 8
