"""Names: TensorFlow 1's rules for scopes, and no memory of variables that are gone."""

from __future__ import annotations

import gc
import threading

import numpy as np
import pytest

import steepest as st
from steepest.variables.names import get_default_store


def names(key: str, scope: str | None = None) -> list[str]:
    return [item.name for item in st.get_collection(key, scope)]


def test_variables_are_named_and_numbered() -> None:
    kept = [st.Variable(0.0), st.Variable(0.0), st.Variable(0.0, name="w"), st.Variable(0.0, name="W")]
    assert [v.name for v in kept] == ["Variable", "Variable_1", "w", "W_1"]


def test_a_variable_follows_name_scope_and_variable_scope() -> None:
    with st.name_scope("a") as prefix, st.variable_scope("b"):
        assert prefix == "a/"
        made, shared = st.Variable(0.0, name="v"), st.get_variable("g", [1])
    assert (made.name, shared.name) == ("a/b/v", "b/g")


def test_name_scopes_are_numbered_unless_they_are_entered_again() -> None:
    with st.name_scope("a") as first:
        pass
    with st.name_scope("a") as second, st.name_scope(first) as again, st.name_scope(None) as root:
        assert (first, second, again, root) == ("a/", "a_1/", "a/", "")


def test_a_reopened_variable_scope_shares_its_prefix_but_not_its_name_scope() -> None:
    with st.variable_scope("s") as scope:
        first = st.Variable(0.0, name="u")
    with st.variable_scope(scope, reuse=True) as again:
        second = st.Variable(0.0, name="u")
        assert (again.name, again.original_name_scope) == ("s", "s/")
    assert (first.name, second.name) == ("s/u", "s_1/u")


def test_no_name_scope_is_opened_when_it_is_not_wanted() -> None:
    with st.name_scope("n"), st.variable_scope("s", auxiliary_name_scope=False):
        made, shared = st.Variable(0.0, name="u"), st.get_variable("w", [1])
    assert (made.name, shared.name) == ("n/u", "s/w")


def test_default_names_are_numbered_and_start_again_with_their_parent() -> None:
    def layers() -> list[str]:
        found = []
        with st.variable_scope("net", reuse=st.AUTO_REUSE):
            for _ in range(3):
                with st.variable_scope(None, default_name="layer") as scope:
                    found.append(scope.name)
        return found

    assert layers() == ["net/layer", "net/layer_1", "net/layer_2"] == layers()


@pytest.mark.parametrize("name", ["a b", "", "/", "-x", "é", "a\n"])
def test_a_variable_refuses_a_name_that_no_checkpoint_could_hold(name: str) -> None:
    with pytest.raises(ValueError, match="Variable: name must consist of letters"):
        st.Variable(0.0, name=name)
    assert st.global_variables() == []


def test_a_scope_refuses_a_bad_name() -> None:
    with pytest.raises(ValueError, match="name_scope: name must"), st.name_scope("a b"):
        pass
    with pytest.raises(TypeError, match="name_scope: name must be a string or None, got 7"), st.name_scope(7):  # type: ignore[arg-type]
        pass
    assert st.Variable(0.0, name="w").name == "w"  # the failed scopes are closed


def test_a_scope_is_left_when_its_body_raises() -> None:
    with pytest.raises(KeyError), st.variable_scope("s"):
        raise KeyError
    assert st.get_variable_scope().name == ""
    assert st.Variable(0.0, name="w").name == "w"


def test_variables_made_in_a_loop_are_not_kept() -> None:
    for _ in range(1000):
        st.Variable(np.zeros(10))
        with st.variable_scope("model", reuse=st.AUTO_REUSE):
            st.get_variable("w", [2])
            st.Variable(0.0, name="scratch")
    gc.collect()
    store = get_default_store()
    assert names(st.GraphKeys.GLOBAL_VARIABLES) == ["model/w"]
    assert len(store._names_in_use) < 10
    assert len(store.collection(st.GraphKeys.GLOBAL_VARIABLES)._entries) < 200


def test_what_a_user_adds_is_kept() -> None:
    st.add_to_collection("mine", st.Variable(0.0, name="w"))
    gc.collect()
    assert names("mine") == ["w"] == names(st.GraphKeys.GLOBAL_VARIABLES)


def test_get_variable_keeps_its_variables() -> None:
    start = st.get_variable("w", initializer=np.ones(2)).numpy()
    gc.collect()
    st.get_variable_scope().reuse_variables()
    np.testing.assert_array_equal(st.get_variable("w").numpy(), start)


def test_a_number_is_not_handed_out_while_its_variable_lives() -> None:
    first, second = st.Variable(0.0, name="w"), st.Variable(0.0, name="w")
    assert second.name == "w_1"
    del first
    gc.collect()
    assert st.Variable(0.0, name="w").name not in ("w", "w_1")


def test_threads_have_their_own_scopes_and_one_store() -> None:
    barrier = threading.Barrier(8)
    found: list[str] = []
    kept = []

    def work(number: int) -> None:
        barrier.wait()
        with st.variable_scope(f"thread{number}"):
            for _ in range(100):
                kept.append(st.Variable(0.0, name="v"))
            found.append(st.get_variable("w", [1]).name)

    with st.variable_scope("outer"):
        threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sorted(found) == [f"thread{number}/w" for number in range(8)]
    assert len({v.name for v in kept}) == 800


def test_threads_never_share_a_generated_name() -> None:
    barrier = threading.Barrier(8)
    kept = []

    def work() -> None:
        barrier.wait()
        kept.extend([st.Variable(0.0) for _ in range(200)])

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({v.name for v in kept}) == 1600 == len(st.global_variables())
