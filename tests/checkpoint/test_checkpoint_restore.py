"""Restore: everything that can be saved comes back, all of it or, on any error, nothing."""

from __future__ import annotations

import numpy as np
import pytest

import steepest as st
from steepest.checkpoint import load, load_arrays


class Counter:
    """Somebody's own class with a state; it refuses negative numbers."""

    def __init__(self, count):
        self.count = count

    def state_dict(self):
        return {"count": self.count}

    def load_state_dict(self, state):
        if state["count"] < 0:
            raise ValueError("negative")
        self.count = state["count"]


def everything(start):
    """One of each kind, its values depending on `start`."""
    st.reset_default_store()
    step = st.Variable(np.int64(start), trainable=False, name="step")
    rng = {name: np.random.Generator(kind(start)) for name, kind in BITS.items()}
    return {
        "variable": st.Variable(np.full((2, 3), start, np.float32), name="v"),
        "array": np.full(4, float(start)),
        "scalar": np.full((), start, np.int32),
        "opt": st.AdagradDecayOptimizer(0.1 + start, accumulator_decay_step=10 + start),
        "schedule": st.exponential_decay(0.5 + start, step, 10, 0.5),
        "rng": rng,
        "nest": {"a": [np.full(2, start), {"n": start, 3: "text" * start, (None): None}], "t": (start, 0.1 * start)},
        "number": np.float32(start),
        "flag": bool(start),
        "big": 10 ** (20 * start),
        "odd": float("inf") if start else float("-inf"),
        "own": Counter(start),
    }


BITS = {kind.__name__: kind for kind in (np.random.PCG64, np.random.MT19937, np.random.Philox, np.random.SFC64)}


def shown(objects):
    """What the objects are, in a form that can be compared."""
    if isinstance(objects, dict):
        return {key: shown(value) for key, value in objects.items()}
    if isinstance(objects, (list, tuple)):
        return [shown(value) for value in objects]
    if isinstance(objects, (np.ndarray, st.Variable)):
        return (str(objects.dtype), np.array(getattr(objects, "value", objects)).tolist())
    if isinstance(objects, st.Optimizer):
        return shown(objects.state_dict())
    if isinstance(objects, np.random.Generator):
        return shown(objects.bit_generator.state)
    return vars(objects)["count"] if isinstance(objects, Counter) else repr(objects)


def test_one_of_each_kind_comes_back(tmp_path):
    saved, here = everything(1), everything(0)
    assert shown(saved) != shown(here)
    st.save(tmp_path / "a", **saved)
    after = st.restore(tmp_path / "a", **here)
    assert shown(after) == shown(saved)
    for name in ("variable", "array", "scalar", "opt", "schedule", "rng", "own"):
        assert after[name] is here[name]
    assert shown(here["nest"]) == shown(saved["nest"])
    assert [rng.random() for rng in here["rng"].values()] == [rng.random() for rng in saved["rng"].values()]


def test_state_is_read_without_objects(tmp_path):
    st.save(tmp_path / "a", **everything(1))
    found = load(tmp_path / "a")
    assert found["variable"].tolist() == [[1.0] * 3] * 2
    assert found["own"] == {"count": 1}
    assert found["opt"]["hyper"]["accumulator_decay_step"] == 11
    assert found["nest"]["a"][1][3] == "text"
    with pytest.raises(ValueError, match="load_arrays: path must hold named arrays alone"):
        load_arrays(tmp_path / "a")


WRONG = {
    "missing": (lambda o: {**o, "more": np.zeros(1)}, r"'more' missing in the file"),
    "extra": (lambda o: {k: v for k, v in o.items() if k not in ("array", "own")}, r"'array', 'own' extra in the file"),
    "shape": (lambda o: {**o, "array": np.zeros(5)}, r"array has shape \(4,\) in the file, \(5,\) here"),
    "dtype": (lambda o: {**o, "array": np.zeros(4, "f4")}, r"array has dtype float64 in the file, float32 here"),
    "read-only": (lambda o: {**o, "array": read_only()}, r"array is read-only here"),
    "kind": (lambda o: {**o, "array": 3}, r"array is ndarray in the file, int here"),
    "nested": (lambda o: {**o, "nest": {**o["nest"], "t": (1,)}}, r"nest/t has 2 members in the file, 1 here"),
    "class": (lambda o: {**o, "opt": st.AdamOptimizer()}, r"opt: it is AdagradDecayOptimizer's, not AdamOptimizer's"),
    "schedule": (lambda o: {**o, "schedule": st.cosine_decay(1.0, 0, 5)}, r"exponential_decay in the file, cosine_dec"),
    "generator": (lambda o: {**o, "rng": {**o["rng"], "PCG64": o["rng"]["SFC64"]}}, r"rng/PCG64 is no state of SFC64"),
    "own": (lambda o: {**o, "own": 3}, r"own is object in the file, int here"),
    "text": (lambda o: {**o, "big": "text"}, r"big is int in the file, str here"),
}


def read_only():
    array = np.zeros(4)
    array.flags.writeable = False
    return array


@pytest.mark.parametrize("case", WRONG)
def test_what_does_not_fit_is_named_and_nothing_is_changed(case, tmp_path):
    change, message = WRONG[case]
    st.save(tmp_path / "a", **everything(1))
    here = change(everything(0))
    before = shown(here)
    with pytest.raises(ValueError, match=rf"^restore: path must hold the state of these objects, got '.*{message}"):
        st.restore(tmp_path / "a", **here)
    assert shown(here) == before


def test_all_that_does_not_fit_is_named_at_once(tmp_path):
    st.save(tmp_path / "a", a=np.zeros(1), b=np.zeros(2), c=np.zeros(3))
    with pytest.raises(ValueError, match=r"'d' missing .*'c' extra .*a has shape .*b has shape .*partial=True"):
        st.restore(tmp_path / "a", a=np.zeros(2), b=np.zeros(3), d=1)


def test_a_list_of_numbers_may_have_grown_a_list_of_arrays_not(tmp_path):
    st.save(tmp_path / "a", losses=[0.5, 0.25, 0.125], weights=[np.ones(1), np.ones(2)])
    losses, weights = [], [np.zeros(1)]
    with pytest.raises(ValueError, match="weights has 2 members in the file, 1 here"):
        st.restore(tmp_path / "a", losses=losses, weights=weights)
    assert losses == []
    st.restore(tmp_path / "a", losses=losses, weights=[*weights, np.zeros(2)])
    assert (losses, weights[0].tolist()) == ([0.5, 0.25, 0.125], [1])


def test_a_damaged_file_changes_nothing(tmp_path):
    st.save(tmp_path / "a", **everything(1))
    content = bytearray((tmp_path / "a").read_bytes())
    content[-1] ^= 1
    (tmp_path / "a").write_bytes(content)
    here = everything(0)
    before = shown(here)
    with pytest.raises(ValueError, match=r"restore: path must be a whole checkpoint, got .*another checksum"):
        st.restore(tmp_path / "a", **here)
    assert shown(here) == before


def test_an_object_that_refuses_its_state_undoes_everything(tmp_path):
    st.save(tmp_path / "a", a=Counter(1), b=Counter(-1), w=np.ones(2))
    a, b, w = Counter(5), Counter(6), np.zeros(2)
    with pytest.raises(ValueError, match="negative"):
        st.restore(tmp_path / "a", a=a, b=b, w=w)
    assert (a.count, b.count, w.tolist()) == (5, 6, [0, 0])


def test_a_part_is_restored_only_when_asked(tmp_path):
    st.save(tmp_path / "a", a=np.ones(1), b=np.ones(2), model={"x": np.ones(1), "y": 3})
    here = {"a": np.zeros(1), "c": np.zeros(3), "model": {"x": np.zeros(1), "z": 4}}
    with pytest.raises(ValueError, match=r"'c' missing.*'b' extra.*'model/z' missing.*'model/y' extra"):
        st.restore(tmp_path / "a", **here)
    st.restore(tmp_path / "a", partial=True, **here)
    assert shown(here) == shown({"a": np.ones(1), "c": np.zeros(3), "model": {"x": np.ones(1), "z": 4}})
    with pytest.raises(ValueError, match="a has shape"):
        st.restore(tmp_path / "a", partial=True, a=np.zeros(2))


def test_what_cannot_be_saved_is_named(tmp_path):
    ring: list = []
    ring.append(ring)
    with pytest.raises(TypeError, match=r"save: model/f must be made of .*, got function; give its class state_dict"):
        st.save(tmp_path / "a", model={"f": lambda: 1})
    with pytest.raises(TypeError, match=r"save: model must have keys that are strings or numbers"):
        st.save(tmp_path / "a", model={(1, 2): 3})
    with pytest.raises(ValueError, match="nested at most 100 deep"):
        st.save(tmp_path / "a", ring=ring)
    assert list(tmp_path.iterdir()) == []


def test_state_finds_parameters_where_they_were_saved_whatever_their_names_and_order(tmp_path):
    a, b, opt = np.zeros(2), np.zeros(2), st.MomentumOptimizer(0.1, 0.9)
    opt.apply_gradients([(np.full(2, 1.0), b)])  # met first
    opt.apply_gradients([(np.full(2, 5.0), a)])
    st.save(tmp_path / "a", model=[a, b], opt=opt)
    c, d, new = np.zeros(2), np.zeros(2), st.MomentumOptimizer(0.1, 0.9)
    st.restore(tmp_path / "a", model=[c, d], opt=new)
    assert new.get_slot(c, "momentum").value.tolist() == [5, 5]
    assert new.get_slot(d, "momentum").value.tolist() == [1, 1]


def test_a_manager_keeps_the_newest_and_every_so_many(tmp_path):
    manager, w = st.CheckpointManager(tmp_path / "run", max_to_keep=2, keep_every=4), np.zeros(1)
    assert (manager.restore(w=w), manager.latest, manager.steps) == (None, None, [])
    for step in range(10):
        w[:] = step
        assert manager.save(step, w=w) == manager.path(step)
    assert manager.steps == [0, 4, 8, 9]
    assert (manager.restore(w=w), w[0]) == (9, 9)
    assert (manager.restore(4, w=w), w[0]) == (4, 4)
    with pytest.raises(FileNotFoundError, match="restore: path must be an existing file"):
        manager.restore(5, w=w)
    with pytest.raises(TypeError, match="epoch must be restorable in place, got 3; put it into a dict"):
        manager.restore(epoch=3)
    for bad in (-1, "1", True, 1.5):
        with pytest.raises(ValueError, match="step must be an integer of at least 0"):
            manager.save(bad, w=w)
    for bad in (0, -1, 2.5, True):
        with pytest.raises(ValueError, match="max_to_keep must be an integer of at least 1"):
            st.CheckpointManager(tmp_path, max_to_keep=bad)


def test_a_checkpoint_names_what_belongs_together(tmp_path):
    checkpoint = st.Checkpoint(w=np.ones(2), epoch=3)
    checkpoint.save(tmp_path / "a")
    other = st.Checkpoint(w=np.zeros(2), epoch=0)
    other.restore(tmp_path / "a")
    assert shown(other.objects) == shown(checkpoint.objects)
    assert repr(other) == "Checkpoint(epoch, w)"
