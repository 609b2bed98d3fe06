"""Variables that are shared by name."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import steepest as st


def names(key: str, scope: str | None = None) -> list[str]:
    return [item.name for item in st.get_collection(key, scope)]


def test_get_variable_shares_by_name_under_reuse() -> None:
    with st.variable_scope("s"):
        w = st.get_variable("w", [2, 3])
    with st.variable_scope("s", reuse=True):
        assert st.get_variable("w", [2, 3]) is w
        assert st.get_variable("w") is w
        with (
            st.variable_scope("inner"),
            pytest.raises(ValueError, match="s/inner/w does not exist, or was not created"),
        ):
            st.get_variable("w", [1])  # reuse is inherited
    with st.variable_scope("s", reuse=st.AUTO_REUSE):
        assert st.get_variable("w") is w
        assert st.get_variable("new", [1]) is st.get_variable("new", [1])
    with pytest.raises(ValueError, match="Variable s/w already exists, disallowed"), st.variable_scope("s"):
        st.get_variable("w", [2, 3])


def test_get_variable_checks_what_it_shares() -> None:
    st.get_variable("w", [2], np.float32)
    st.get_variable_scope().reuse_variables()
    with pytest.raises(
        ValueError, match=r"Trying to share variable w, but specified shape \(3,\) and found shape \(2,\)"
    ):
        st.get_variable("w", [3])
    with pytest.raises(ValueError, match="specified dtype float64 and found dtype float32"):
        st.get_variable("w", [2], np.float64)


def test_get_variable_starts_from_arrays_numbers_and_callables() -> None:
    assert st.get_variable("a", initializer=np.arange(3.0)).dtype == np.float64
    assert st.get_variable("b", initializer=2.5).dtype == np.float32
    assert st.get_variable("i", initializer=3).dtype == np.int32
    c = st.get_variable("c", 4, initializer=np.ones)
    assert (c.shape, c.dtype, c.numpy().sum()) == ((4,), np.float32, 4.0)
    assert st.get_variable("d", [2], np.int64).numpy().tolist() == [0, 0]
    assert st.get_variable("e", [], np.float64, lambda shape, dtype: np.full(shape, 7, dtype)).numpy() == 7.0
    source = np.zeros(2)
    st.get_variable("f", initializer=source).assign([1.0, 1.0])
    assert source.tolist() == [0.0, 0.0]


def test_a_scope_passes_its_defaults_down() -> None:
    with st.variable_scope("s", initializer=np.ones, dtype=np.float64), st.variable_scope("t"):
        v = st.get_variable("v", [3])
    assert (v.name, v.dtype, v.numpy().tolist()) == ("s/t/v", np.float64, [1.0] * 3)


@pytest.mark.parametrize(
    ("shape", "reach"), [((30, 20), 6 / 50), ((50,), 6 / 100), ((3, 3, 8, 16), 6 / (9 * 24)), ((), 3)]
)
def test_the_default_start_is_glorot_uniform(shape: tuple[int, ...], reach: float) -> None:
    st.set_random_seed(3)
    drawn = np.concatenate([st.get_variable(f"v{i}", shape).numpy().ravel() for i in range(max(1, 2000 // 50))])
    assert np.all(np.abs(drawn) <= np.sqrt(reach))
    assert drawn.std() == pytest.approx(np.sqrt(reach / 3), rel=0.3)
    st.set_random_seed(3)
    np.testing.assert_array_equal(st.get_variable("again", shape).numpy().ravel(), drawn[: max(1, int(np.prod(shape)))])


def test_a_regularizer_is_kept_as_a_loss_of_now() -> None:
    with st.variable_scope("s", regularizer=lambda v: 0.5 * np.sum(np.square(v.value))):
        w = st.get_variable("w", initializer=np.array([3.0, 4.0]))
    (loss,) = st.get_collection(st.GraphKeys.REGULARIZATION_LOSSES)
    assert loss() == 12.5
    w.assign([0.0, 2.0])
    assert loss() == 2.0


def test_get_variable_puts_variables_into_collections() -> None:
    a = st.get_variable("a", [1], trainable=False, collections=["mine"])
    assert (names("mine"), st.global_variables(), st.trainable_variables()) == ([a.name], [], [])


BAD: list[tuple[Any, type[Exception], str]] = [
    (lambda: st.get_variable("w"), ValueError, "must be fully defined"),
    (lambda: st.get_variable("w", [2], initializer=np.zeros(2)), ValueError, "constant, do not specify shape"),
    (lambda: st.get_variable(7, [2]), TypeError, "get_variable: name must be a string, got 7"),
    (lambda: st.get_variable("w", [2.5]), TypeError, "get_variable: shape must be an integer or a list of integers"),
    (lambda: st.get_variable("w", -1), ValueError, "get_variable: shape must have no negative size"),
    (
        lambda: st.get_variable("w", [2], initializer=lambda shape, dtype: 0),
        ValueError,
        "initializer must return shape",
    ),
    (lambda: st.variable_scope("s", reuse="yes").__enter__(), ValueError, "variable_scope: reuse must be True, False"),
    (lambda: st.variable_scope(None).__enter__(), TypeError, "default_name is not given"),
    (lambda: st.variable_scope(7).__enter__(), TypeError, "name_or_scope must be a string, a scope or None, got 7"),
    (lambda: st.variable_scope(None, "d", reuse=True).__enter__(), ValueError, "reuse must be off without a name"),
]


@pytest.mark.parametrize(("call", "kind", "text"), BAD)
def test_bad_arguments_change_nothing(call: Any, kind: type[Exception], text: str) -> None:
    with pytest.raises(kind, match=text):
        call()
    assert st.global_variables() == []
    assert st.get_variable("w", [2]).name == "w"


def test_a_scope_knows_its_variables() -> None:
    with st.variable_scope("s") as s:
        st.get_variable("w", [1])
        st.get_variable("c", [1], trainable=False)
    st.get_variable("s2", [1])
    assert [v.name for v in s.global_variables()] == ["s/w", "s/c"]
    assert [v.name for v in s.trainable_variables()] == ["s/w"]
    assert len(st.get_variable_scope().global_variables()) == 3
