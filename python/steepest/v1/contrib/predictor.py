"""``tf.contrib.predictor``: saved models as functions from dicts of arrays to dicts of arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...base.errors import must
from ..graph.graph import Graph
from ..graph.missing import namespace
from ..graph.session import Session
from ..saved_model import loader, signature_constants, tag_constants
from ..saved_model.signature_def_utils import SignatureDef

__all__ = ["from_saved_model"]

__getattr__, __dir__ = namespace(__name__, "predictor_factories saved_model_predictor")


class SavedModelPredictor:
    """A saved model in a graph and a session of its own: ``predictor({"x": array})`` gives a dict of arrays.

    Source: ``SavedModelPredictor`` of TensorFlow's ``contrib.predictor``.
    """

    def __init__(self, session: Session, feed_tensors: dict[str, Any], fetch_tensors: dict[str, Any]) -> None:
        self._session, self._feeds, self._fetches = session, feed_tensors, fetch_tensors

    @property
    def graph(self) -> Graph:
        """The model's graph."""
        return self._session.graph

    @property
    def session(self) -> Session:
        """The session that has the model's variables."""
        return self._session

    @property
    def feed_tensors(self) -> dict[str, Any]:
        """The tensors that are fed, by the keys of a call's dict."""
        return self._feeds

    @property
    def fetch_tensors(self) -> dict[str, Any]:
        """The tensors whose values a call returns, by key."""
        return self._fetches

    def __call__(self, input_dict: Mapping[str, Any]) -> dict[str, Any]:
        """Return the outputs for these inputs. Raises ValueError for a key that is no input."""
        if unexpected := set(input_dict) - set(self._feeds):
            raise ValueError(f"Got unexpected keys in input_dict: {unexpected}\nexpected: {set(self._feeds)}")
        feeds = {self._feeds[key]: value for key, value in input_dict.items()}
        found: dict[str, Any] = self._session.run(self._fetches, feeds)
        return found

    def __repr__(self) -> str:
        return f"SavedModelPredictor with feed tensors {self._feeds} and fetch_tensors {self._fetches}"


def from_saved_model(
    export_dir: Any,
    signature_def_key: str | None = None,
    signature_def: SignatureDef | None = None,
    input_names: Mapping[str, str] | None = None,
    output_names: Mapping[str, str] | None = None,
    tags: str | None = None,
    graph: Graph | None = None,
    config: Any = None,
) -> SavedModelPredictor:
    """Return a saved model as a function of a dict of arrays.

    Args:
        export_dir: the model's folder.
        signature_def_key: which of its signatures has the inputs and outputs; ``"serving_default"`` by default.
        signature_def: a signature in place of the model's.
        input_names, output_names: names of tensors by key, in place of a signature.
        tags: the tags of the graph, with commas between them; ``"serve"`` by default.
        graph: where the model's nodes are to be made; a new graph by default.
        config: the session's settings.

    Raises:
        ValueError: for a signature that the model does not have; where more than one of the three ways to say what goes
        in and out is taken; and as ``tf.saved_model.loader.load`` does.

    Source: ``tf.contrib.predictor.from_saved_model``.
    """
    names = input_names is not None or output_names is not None
    if [signature_def_key is not None, signature_def is not None, names].count(True) > 1:
        rule = "be given alone: a key, a signature, or names of inputs and outputs"
        raise ValueError(must("from_saved_model", "signature_def_key", rule, "several of them"))
    if (input_names is None) is not (output_names is None):
        rule = "be given with output_names"
        raise ValueError(must("from_saved_model", "input_names", rule, f"{input_names!r} and {output_names!r}"))
    with (graph or Graph()).as_default() as used:
        session = Session(graph=used, config=config)
        model = loader.load(session, (tags or tag_constants.SERVING).split(","), export_dir)
        if input_names is None or output_names is None:
            key = signature_def_key or signature_constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY
            if signature_def is None and key not in model.signature_def:
                raise ValueError(
                    f"Got signature_def_key {key!r}. Available signatures are {sorted(model.signature_def)}. "
                    f"Original error:\nNo SignatureDef with key {key!r} found in MetaGraphDef."
                )
            chosen = signature_def or model.signature_def[key]
            input_names = {key: info.name for key, info in chosen.inputs.items()}
            output_names = {key: info.name for key, info in chosen.outputs.items()}
        feeds = {key: used.get_tensor_by_name(name) for key, name in input_names.items()}
        fetches = {key: used.get_tensor_by_name(name) for key, name in output_names.items()}
        return SavedModelPredictor(session, feeds, fetches)
