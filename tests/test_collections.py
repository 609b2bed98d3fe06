"""Collections and the global step."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import steepest as st


def names(key: str, scope: str | None = None) -> list[str]:
    return [item.name for item in st.get_collection(key, scope)]


def test_collections_hold_all_and_trainable_variables_in_order() -> None:
    a, b = st.Variable(0.0, name="a"), st.Variable(0.0, name="b", trainable=False)
    assert st.global_variables()[0] is a
    assert st.global_variables()[1] is b
    assert names(st.GraphKeys.TRAINABLE_VARIABLES) == ["a"] == [v.name for v in st.trainable_variables()]


def test_own_collections_replace_the_global_one() -> None:
    v = st.Variable(0.0, name="v", collections=["deep"])
    assert (names("deep"), st.global_variables(), names(st.GraphKeys.TRAINABLE_VARIABLES)) == ([v.name], [], ["v"])


@pytest.mark.parametrize("bad", ["deep", 7, [1]])
def test_collections_must_be_a_list_of_strings(bad: Any) -> None:
    with pytest.raises(TypeError, match="Variable: collections must"):
        st.Variable(0.0, collections=bad)
    assert st.global_variables() == []


def test_get_collection_filters_by_a_pattern_at_the_start_of_the_name() -> None:
    with st.variable_scope("a"):
        kept = [st.Variable(0.0, name="w"), st.Variable(0.0, name="v")]
    kept.append(st.Variable(0.0, name="b"))
    st.add_to_collection(st.GraphKeys.GLOBAL_VARIABLES, "has no name")
    assert names(st.GraphKeys.GLOBAL_VARIABLES, "a/") == ["a/w", "a/v"]
    assert names(st.GraphKeys.GLOBAL_VARIABLES, ".*w") == ["a/w"]
    assert [v.name for v in st.trainable_variables("b")] == ["b"]


def test_a_collection_is_copied_and_its_reference_is_not() -> None:
    st.add_to_collections(["k", "l", "k"], 1)
    st.get_collection("k").append(2)
    st.get_collection_ref("l").append(3)
    assert (st.get_collection("k"), st.get_collection("l"), st.get_collection("none")) == ([1], [1, 3], [])
    del st.get_collection_ref("l")[:]
    assert st.get_collection("l") == []


def test_a_reference_finds_and_removes_arrays_and_variables_by_identity() -> None:
    v, w, array = st.Variable(np.zeros(2)), st.Variable(np.zeros(2)), np.zeros(2)
    for item in (v, w, array):
        st.add_to_collection("k", item)
    ref = st.get_collection_ref("k")
    assert w in ref
    assert np.zeros(2) not in ref
    ref.remove(w)
    assert [ref.index(v), ref.index(array), len(ref)] == [0, 1, 2]
    with pytest.raises(ValueError, match="is not in the collection"):
        ref.remove(w)
    ref[0] = 5
    ref.insert(0, 4)
    assert (ref[0], ref[1]) == (4, 5)


@pytest.mark.parametrize("call", [st.add_to_collection, lambda k, v: st.get_collection(k)])
def test_a_collection_key_is_a_string(call: Any) -> None:
    with pytest.raises(TypeError, match="name must be a string, got 7"):
        call(7, 1)


def test_the_global_step_is_one_int64_counter() -> None:
    assert st.get_global_step() is None
    with st.variable_scope("s", reuse=st.AUTO_REUSE):
        step = st.get_or_create_global_step()
    assert (step.name, step.dtype, step.shape, step.trainable) == ("global_step", np.int64, (), False)
    assert int(step.numpy()) == 0
    assert st.get_or_create_global_step() is step is st.get_global_step()
    assert (names(st.GraphKeys.GLOBAL_STEP), names("variables")) == (["global_step"], ["global_step"])
    with pytest.raises(ValueError, match='"global_step" already exists'):
        st.create_global_step()


@pytest.mark.parametrize(
    ("value", "text"), [(np.float32(0), "integer type: float32"), (np.zeros(2, int), "not scalar")]
)
def test_a_global_step_of_another_kind_is_refused(value: Any, text: str) -> None:
    st.add_to_collection(st.GraphKeys.GLOBAL_STEP, st.Variable(value, trainable=False))
    with pytest.raises(TypeError, match=text):
        st.get_global_step()
