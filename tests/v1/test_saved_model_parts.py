"""What a saved model begins with, wherever its graph is, signatures of operations, and options."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from steepest.v1.python.saved_model import builder, loader_impl, signature_def_utils_impl

import steepest.v1 as tf


@pytest.fixture
def session() -> Any:
    with tf.Graph().as_default(), tf.Session() as made:
        yield made


@pytest.mark.parametrize("newer", [False, True])
def test_what_runs_first_is_found_by_name_or_as_one_of_the_graphs(tmp_path: Path, session: Any, newer: bool):
    v = tf.get_variable("v", initializer=1.0)
    session.run(v.initializer)
    made = (builder._SavedModelBuilder if newer else builder.SavedModelBuilder)(str(tmp_path / "model"))
    made.add_meta_graph_and_variables(session, ["a"], **{"init_op" if newer else "main_op": v.assign(2.0).op})
    made.save()
    assert [each.tags for each in loader_impl.parse_saved_model(tmp_path / "model").meta_graphs] == [["a"]]
    with tf.Graph().as_default(), tf.Session() as other:
        loading = loader_impl.SavedModelLoader(str(tmp_path / "model"))
        loading.load_graph(other.graph, ["a"], import_scope="below")
        if newer:
            with pytest.raises(tf.errors.NotFoundError):
                loading.run_init_ops(other, ["a"])
        loading.run_init_ops(other, ["a"], import_scope="below" if newer else None)
        assert other.run("below/v:0") == 2.0


def test_a_signature_may_be_of_an_operation(session: Any):
    made = tf.constant(1.0, name="one")
    of_tensor, of_operation = (signature_def_utils_impl.op_signature_def(each, "k") for each in (made, made.op))
    assert (of_tensor.outputs["k"].name, of_operation.outputs["k"].name) == ("one:0", "one")
    load = signature_def_utils_impl.load_op_from_signature_def
    assert (load(of_tensor, "k"), load(of_operation, "k")) == (made, made.op)
    with pytest.raises(tf.errors.NotFoundError, match='The key "q" could not be found in the graph'):
        load(of_tensor, "q")
    with tf.name_scope("below"):
        inside = tf.constant(2.0, name="one")
    assert load(of_tensor, "k", import_scope="below") is inside


def test_policies_are_told_by_name() -> None:
    policy = tf.saved_model.experimental.VariablePolicy
    made = tf.saved_model.SaveOptions(experimental_variable_policy="Save_Variable_Devices")
    assert made.experimental_variable_policy is policy.SAVE_VARIABLE_DEVICES
    with pytest.raises(ValueError, match="invalid VariablePolicy value"):
        policy.from_obj("other")
