"""`state_dict` and `load_state_dict` of a `DistributedOptimizer`: what one process has, on any number of ranks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from mpi_worlds import World, errors_of, gradients
from thread_comm import on_ranks

import steepest as st
from steepest.mpi import DistributedOptimizer, ShardedVariable, share

LEAVES = 4
RULES: dict[str, Any] = {
    "adam": lambda: st.AdamOptimizer(0.1),
    "lamb": lambda: st.LAMBOptimizer(0.1),
    "async": lambda: st.AdamAsyncOptimizer(0.1),
    "sums": lambda: st.MomentumOptimizer(0.1, 0.9, hooks=[st.Accumulate(3), st.ClipByGlobalNorm(2.0)]),
    "groups": lambda: st.MultiOptimizer(
        [(st.AdagradOptimizer(0.1), lambda w: w.ndim < 2), (st.LAMBOptimizer(0.1, hooks=[st.Accumulate(3)]), None)]
    ),
    "around": lambda: st.ExponentialMovingAverage(
        st.MultiOptimizer([(st.AdagradOptimizer(0.1), lambda w: w.shape[0] % 2), (st.AdamOptimizer(), None)])
    ),
    "slow": lambda: st.Lookahead(st.AdamOptimizer(0.1), 2),
    "sums of groups": lambda: st.MultiOptimizer(
        [(st.AdagradOptimizer(0.1), lambda w: w.ndim < 2), (st.AdamOptimizer(), None)],
        hooks=[st.Accumulate(3), st.ClipByGlobalNorm(2.0)],
    ),
}


def train(opt: Any, world: World, comm: Any, steps: range) -> None:
    for step in steps:
        for leaf in share(LEAVES, comm):
            opt.apply_gradients(list(zip(gradients(step, leaf), world.parameters, strict=True)))


def flat(state: Any) -> list[Any]:
    """Everything in a state, in order, arrays as bytes."""
    if isinstance(state, dict):
        return [part for key in state for part in (key, *flat(state[key]))]
    if isinstance(state, (list, tuple)):
        return [part for member in state for part in flat(member)]
    return [(state.dtype, state.shape, state.tobytes())] if isinstance(state, np.ndarray) else [state]


def on(ranks: int, rule: str, program: Any) -> list[Any]:
    worlds = [World() for _ in range(ranks)]

    def run(comm: Any) -> Any:
        opt = DistributedOptimizer(RULES[rule](), comm, micro_batches=len(share(LEAVES, comm)))
        return program(opt, worlds[comm.Get_rank()], comm)

    return on_ranks(ranks, run)


@pytest.mark.parametrize("rule", RULES)
def test_a_state_goes_on_on_another_number_of_ranks_with_the_same_bits(rule):
    def whole(opt: Any, world: World, comm: Any) -> tuple[Any, Any, Any]:
        train(opt, world, comm, range(2))
        state, values = opt.state_dict(), world.values()
        train(opt, world, comm, range(2, 4))
        return state, values, world.values()

    ((state, values, expected),) = on(1, rule, whole)
    if "sums" in rule or rule == "groups":  # one rank keeps rows in the order in which they came
        state = on(3, rule, whole)[0][0]
    for ranks in (2, 4):
        for other, _, _ in on(ranks, rule, whole):
            assert flat(other) == flat(state)

    def resumed(opt: Any, world: World, comm: Any) -> Any:
        for w, value in zip(world.parameters, values, strict=True):
            (w.value if isinstance(w, st.Variable) else w)[...] = value
        named = {w.name if isinstance(w, st.Variable) else k: w for k, w in enumerate(world.parameters)}
        arrays = iter([w for w in world.parameters if not isinstance(w, st.Variable)])
        entries = state["parameters"] or [e for inner in state["inner"] for e in inner["parameters"]]
        targets = [named[e["name"]] if e["name"] else next(arrays) for e in entries]
        opt.load_state_dict(state, targets or None)
        train(opt, world, comm, range(2, 4))
        return world.values()

    for ranks in (1, 2, 4):
        for found in on(ranks, rule, resumed):
            assert [a.tobytes() for a in found] == [a.tobytes() for a in expected], ranks


def test_the_state_of_one_optimizer_without_ranks():
    w = st.Variable(np.ones(9000, np.float32), name="w")
    w._name = "w"
    plain = st.AdamOptimizer(0.1)
    for _ in range(2):
        plain.apply_gradients([(w.value * 0.5, w)])
    state, start = plain.state_dict(), w.numpy()
    plain.apply_gradients([(w.value * 0.5, w)])

    def program(comm: Any) -> bytes:
        mine = st.Variable._unlisted(start.copy(), True, "w")
        opt = DistributedOptimizer(st.AdamOptimizer(0.1), comm)
        opt.load_state_dict(state, [mine])
        assert flat(opt.state_dict()) == flat(state)
        opt.load_state_dict(state)  # known by its name now
        opt.apply_gradients([(mine.value * 0.5, mine)])
        return mine.value.tobytes()

    for ranks in (1, 3):
        assert set(on_ranks(ranks, program)) == {w.value.tobytes()}


def test_parameters_that_groups_list_are_found_by_their_names():
    def trained(ranks: int, state: Any, start: list[Any]) -> list[Any]:
        worlds = [[st.Variable._unlisted(a.copy(), True, name) for a, name in zip(start, "ab", strict=True)]] * ranks
        worlds = [[st.Variable._unlisted(w.numpy(), True, w.name) for w in world] for world in worlds]

        def program(comm: Any) -> Any:
            a, b = worlds[comm.Get_rank()]
            groups = [(st.AdamOptimizer(0.1), [a]), (st.AdagradOptimizer(0.1), [b])]
            opt = DistributedOptimizer(st.MultiOptimizer(groups), comm)
            if state is not None:
                opt.load_state_dict(state)
            opt.apply_gradients([(w.value * 0.5, w) for w in (a, b)])
            return opt.state_dict(), [a.numpy(), b.numpy()]

        return on_ranks(ranks, program)

    ((state, values),) = trained(1, None, [np.ones(9000), np.ones((5, 2))])
    ((expected, _),) = trained(1, state, values)
    for ranks in (2, 3):
        for found, _ in trained(ranks, state, values):
            assert flat(found) == flat(expected)


def test_what_is_refused_is_refused_on_every_rank():
    state = st.AdamOptimizer().state_dict()
    entry = {"name": "w", "shape": [3], "dtype": "float32", "slots": {}, "accumulated": {}}
    attempts: list[tuple[Any, str, Any]] = [
        (lambda opt: opt.load_state_dict({**state, "parameters": [entry]}), "ValueError", "parameters must be given"),
        (lambda opt: opt.load_state_dict({**state, "parameters": [entry]}, []), "ValueError", "have 1 members"),
        (lambda opt: opt.load_state_dict({**state, "class": "Other"}), "ValueError", "it is Other's"),
        (lambda opt: opt.load_state_dict([]), "TypeError", "state must be what state_dict() returned, got []"),
        (lambda opt: opt.load_state_dict({}), "TypeError", "state must be what state_dict() returned, got {}"),
    ]
    for attempt, kind, message in attempts:

        def program(comm: Any, attempt: Any = attempt) -> None:
            attempt(DistributedOptimizer(st.AdamOptimizer(), comm))

        for text in errors_of(2, program):
            assert text.startswith(kind)
            assert message in text

    def between(comm: Any) -> None:
        opt = DistributedOptimizer(st.AdamOptimizer(), comm, micro_batches=2)
        opt.apply_gradients([(np.ones(3), np.ones(3))])
        opt.state_dict()

    for text in errors_of(2, between):
        assert text == "RuntimeError: state_dict: optimizer must have taken all micro-batches of a step, got 1 of them"


# Several optimizers ------------------------------------------------------------------------------


def test_a_distributed_optimizer_goes_around_others_not_into_them():
    def program(comm: Any) -> None:
        opt = DistributedOptimizer(st.AdamOptimizer(), comm)
        with pytest.raises(TypeError, match=r"got DistributedOptimizer\(.*; give it this MultiOptimizer instead"):
            st.MultiOptimizer([(opt, None)])
        with pytest.raises(TypeError, match="be one that is not distributed yet"):
            DistributedOptimizer(opt, comm)

    on_ranks(2, program)


def test_two_optimizers_side_by_side():
    """Adagrad for a table that is shared out, Adam for the rest, from one pass backward."""

    def trained(ranks: int) -> set[bytes]:
        dense = [st.Variable._unlisted(np.ones((8, 2), np.float32), True, "dense") for _ in range(ranks)]

        def program(comm: Any) -> bytes:
            w, table = dense[comm.Get_rank()], ShardedVariable(9000, 2, 1.0, comm=comm)
            mine = share(LEAVES, comm)
            adagrad = DistributedOptimizer(st.AdagradOptimizer(0.1), comm, micro_batches=len(mine))
            adam = DistributedOptimizer(st.AdamOptimizer(0.1), comm, micro_batches=len(mine))
            for step in range(3):
                for leaf in mine:
                    ids = np.random.default_rng([step, leaf]).integers(0, 9000, 20)
                    with st.GradientTape() as tape:
                        loss = np.sum(np.tanh(table.lookup(ids))) + np.sum(w * w) * np.float32(leaf + 1)
                    (page,) = (v for v in tape.watched_variables() if v is not w)
                    rows, dense_part = tape.gradient(loss, [page, w])
                    adagrad.apply_gradients([(rows, page)])
                    adam.apply_gradients([(dense_part, w)])
            return np.asarray(table.lookup(np.arange(9000))).tobytes() + w.value.tobytes()

        return set(on_ranks(ranks, program))

    assert len(trained(1) | trained(2) | trained(4)) == 1
