"""Evaluations of checkpoints: steps counted, summaries at the end, one checkpoint or each new one."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Sequence
from typing import Any

from ...variables.collections import GraphKeys
from ..graph import log
from ..graph.graph import get_default_graph
from ..saving.init_from_checkpoint import checkpoints_iterator
from ..summaries.nodes import merge_all
from ..summaries.writer import FileWriterCache
from ..training.global_steps import get_global_step
from ..training.monitored_session import MonitoredSession
from ..training.session_creators import ChiefSessionCreator
from ..training.session_hooks import FinalOpsHook, SessionRunArgs, SessionRunHook
from ..variables.get_variable import get_variable
from ..variables.initializer_names import zeros_initializer
from ..variables.state_ops import assign_add

__all__ = [
    "StopAfterNEvalsHook",
    "SummaryAtEndHook",
    "evaluate_once",
    "evaluate_repeatedly",
    "get_or_create_eval_step",
]


def get_or_create_eval_step() -> Any:
    """Return the graph's counter of evaluation steps, a local variable of int64; ValueError where there are several."""
    graph = get_default_graph()
    found = graph.get_collection(GraphKeys.EVAL_STEP)
    if len(found) > 1:
        raise ValueError("Multiple tensors added to tf.GraphKeys.EVAL_STEP")
    if found:
        return found[0]
    kept = [GraphKeys.LOCAL_VARIABLES, GraphKeys.EVAL_STEP]
    return get_variable("eval_step", [], "int64", zeros_initializer(), trainable=False, collections=kept)


class StopAfterNEvalsHook(SessionRunHook):
    """Ask for the end after so many steps; None for never. Source: ``tf.contrib.training.StopAfterNEvalsHook``."""

    def __init__(self, num_evals: int | None, log_progress: bool = True) -> None:
        self._num_evals, self._log_progress, self._evals_completed = num_evals, log_progress, None

    def _set_evals_completed_tensor(self, updated_eval_step: Any) -> None:
        self._evals_completed = updated_eval_step

    def before_run(self, run_context: Any) -> SessionRunArgs:
        """Ask for the counter."""
        return SessionRunArgs({"evals_completed": self._evals_completed})

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Count, and stop at the number."""
        done = run_values.results["evals_completed"]
        if self._log_progress:
            log.info(f"Evaluation [{done}{'' if self._num_evals is None else f'/{self._num_evals}'}]")
        if self._num_evals is not None and done >= self._num_evals:
            run_context.request_stop()


class SummaryAtEndHook(SessionRunHook):
    """Write summaries when the session ends. Source: ``tf.contrib.training.SummaryAtEndHook``."""

    def __init__(
        self,
        log_dir: str | None = None,
        summary_writer: Any = None,
        summary_op: Any = None,
        feed_dict: Any = None,
    ) -> None:
        if (log_dir is None) == (summary_writer is None):
            raise ValueError("exactly one of log_dir and summary_writer should be provided")
        self._log_dir, self._summary_writer = log_dir, summary_writer
        self._summary_op, self._feed_dict, self._global_step = summary_op, feed_dict, None

    def begin(self) -> None:
        """Make what was not given."""
        if self._summary_op is None:
            self._summary_op = merge_all()
        if self._log_dir is not None and self._summary_writer is None:
            self._summary_writer = FileWriterCache.get(self._log_dir)
        self._global_step = get_global_step()

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Remember the step that the checkpoint says."""
        del coord
        self._at = None if self._global_step is None else session.run(self._global_step)

    def end(self, session: Any) -> None:
        """Write."""
        if self._summary_op is not None:
            self._summary_writer.add_summary(session.run(self._summary_op, self._feed_dict), self._at)
        self._summary_writer.flush()


def _counted(eval_ops: Any, hooks: Sequence[Any]) -> Any:
    """Return the fetches of a step with the counter among them, which the hooks are told."""
    step = get_or_create_eval_step()
    count = assign_add(step, 1, use_locking=True)
    fetches: Any
    if isinstance(eval_ops, dict):
        fetches = {**eval_ops, "update_eval_step": count}
    else:
        fetches = [*(eval_ops if isinstance(eval_ops, (list, tuple)) else [eval_ops]), count]
    every = list(fetches.values()) if isinstance(fetches, dict) else fetches
    with get_default_graph().control_dependencies(every):  # a program's own steps may count too
        done = step.read_value()
    for hook in hooks:
        if isinstance(hook, StopAfterNEvalsHook):
            hook._set_evals_completed_tensor(done)
    return fetches


def _one(path: str | None, fetches: Any, feed: Any, final: FinalOpsHook, hooks: Sequence[Any], given: Any) -> Any:
    scaffold, master, config = given
    creator = ChiefSessionCreator(scaffold, master, config, checkpoint_filename_with_path=path)
    log.info(f"Starting evaluation at {time.strftime('%Y-%m-%d-%H:%M:%S', time.gmtime())}")
    with MonitoredSession(creator, [*hooks, final]) as session:
        if fetches is not None:
            while not session.should_stop():
                session.run(fetches, feed)
    log.info(f"Finished evaluation at {time.strftime('%Y-%m-%d-%H:%M:%S', time.gmtime())}")
    return final.final_ops_values


def evaluate_once(
    checkpoint_path: str | None,
    master: str = "",
    scaffold: Any = None,
    eval_ops: Any = None,
    feed_dict: Any = None,
    final_ops: Any = None,
    final_ops_feed_dict: Any = None,
    hooks: Sequence[Any] | None = None,
    config: Any = None,
) -> Any:
    """Run ``eval_ops`` with the variables of a checkpoint until a hook stops, and return the values of ``final_ops``.

    Source: ``tf.contrib.training.evaluate_once``.
    """
    every = list(hooks or ())
    fetches = None if eval_ops is None else _counted(eval_ops, every)
    final = FinalOpsHook(final_ops, final_ops_feed_dict)
    return _one(checkpoint_path, fetches, feed_dict, final, every, (scaffold, master, config))


def evaluate_repeatedly(
    checkpoint_dir: str,
    master: str = "",
    scaffold: Any = None,
    eval_ops: Any = None,
    feed_dict: Any = None,
    final_ops: Any = None,
    final_ops_feed_dict: Any = None,
    eval_interval_secs: float = 60,
    hooks: Sequence[Any] | None = None,
    config: Any = None,
    max_number_of_evaluations: int | None = None,
    timeout: float | None = None,
    timeout_fn: Callable[[], bool] | None = None,
) -> Any:
    """Do what `evaluate_once` does for each new checkpoint of a folder, and return the values of the last.

    It ends after ``max_number_of_evaluations``, or where ``timeout`` seconds pass without a new one.

    Source: ``tf.contrib.training.evaluate_repeatedly``.
    """
    every = list(hooks or ())
    fetches = None if eval_ops is None else _counted(eval_ops, every)
    final = FinalOpsHook(final_ops, final_ops_feed_dict)
    paths = checkpoints_iterator(checkpoint_dir, eval_interval_secs, timeout, timeout_fn)
    for path in itertools.islice(paths, max_number_of_evaluations):
        _one(path, fetches, feed_dict, final, every, (scaffold, master, config))
    return final.final_ops_values
