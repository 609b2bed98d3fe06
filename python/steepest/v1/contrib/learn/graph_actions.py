"""Runs of a graph without the steps around them: a session, first values of variables, and threads that fill queues."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import repeat
from typing import Any

from ...graph.same_graph import _get_graph_from_inputs
from ...graph.session import Session
from ...saving.saver import Saver
from ...training.coordinator import Coordinator
from ...training.queue_runner import start_queue_runners
from ...variables.variables_initializer import (
    global_variables_initializer,
    local_variables_initializer,
    tables_initializer,
)

__all__ = ["run_feeds", "run_n"]


def run_feeds(
    output_dict: Mapping[str, Any], feed_dicts: Iterable[Any], restore_checkpoint_path: Any = None
) -> list[dict[str, Any]]:
    """Return the values of tensors of one graph, once for each dictionary of fed values.

    Variables have their first values, or those of the checkpoint ``restore_checkpoint_path``; threads fill the graph's
    queues as long as the runs take. ``None`` in ``feed_dicts`` feeds nothing. Raises ValueError where there is nothing
    to run. See: ``tf.contrib.learn.run_feeds``.
    """
    if not output_dict:
        raise ValueError(f"output_dict is invalid: {output_dict}.")
    if not feed_dicts:
        raise ValueError(f"feed_dicts is invalid: {feed_dicts}.")
    with _get_graph_from_inputs(list(output_dict.values())).as_default(), Session() as session:
        if restore_checkpoint_path:
            Saver().restore(session, restore_checkpoint_path)
        else:
            session.run(global_variables_initializer())
        session.run([local_variables_initializer(), tables_initializer()])
        coordinator = Coordinator()
        threads = start_queue_runners(session, coord=coordinator)
        try:
            return [session.run(dict(output_dict), each) for each in feed_dicts]
        finally:
            coordinator.request_stop()
            coordinator.join(threads, stop_grace_period_secs=120)


def run_n(
    output_dict: Mapping[str, Any], feed_dict: Any = None, restore_checkpoint_path: Any = None, n: int = 1
) -> list[dict[str, Any]]:
    """Return the values of tensors in ``n`` runs that are fed the same, as ``run_feeds``.

    See: ``tf.contrib.learn.run_n``.
    """
    return run_feeds(output_dict, repeat(feed_dict, n), restore_checkpoint_path)
