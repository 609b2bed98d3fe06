"""``tf.contrib.slim.evaluation``: metrics of a checkpoint, or of each new one, with summaries of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...graph.missing import namespace
from ...saving.init_from_checkpoint import checkpoints_iterator, wait_for_new_checkpoint
from ...saving.saver import Saver
from ...summaries.nodes import merge_all
from ...training.session_creators import Scaffold
from ..evaluation import StopAfterNEvalsHook, SummaryAtEndHook
from ..evaluation import evaluate_once as _once
from ..evaluation import evaluate_repeatedly as _repeatedly

__all__ = ["checkpoints_iterator", "evaluate_once", "evaluation_loop", "wait_for_new_checkpoint"]

__getattr__, __dir__ = namespace(__name__)

_DEFAULT: Any = 0


def _hooks(num_evals: int, logdir: str | None, summary_op: Any, feed: Any, hooks: Sequence[Any] | None) -> list[Any]:
    every: list[Any] = [StopAfterNEvalsHook(num_evals)]
    summaries = merge_all() if summary_op is _DEFAULT else summary_op
    if summaries is not None and logdir:
        every.append(SummaryAtEndHook(logdir, summary_op=summaries, feed_dict=feed))
    return [*every, *(hooks or ())]


def _scaffold(initial_op: Any, feed: Any, variables: Any) -> Scaffold:
    return Scaffold(initial_op, feed, saver=None if variables is None else Saver(variables))


def evaluate_once(
    master: str,
    checkpoint_path: str,
    logdir: str | None,
    num_evals: int = 1,
    initial_op: Any = None,
    initial_op_feed_dict: Any = None,
    eval_op: Any = None,
    eval_op_feed_dict: Any = None,
    final_op: Any = None,
    final_op_feed_dict: Any = None,
    summary_op: Any = _DEFAULT,
    summary_op_feed_dict: Any = None,
    variables_to_restore: Any = None,
    session_config: Any = None,
    hooks: Sequence[Any] | None = None,
) -> Any:
    """Run ``eval_op`` so many times with the variables of a checkpoint, and return the value of ``final_op``.

    Source: ``tf.contrib.slim.evaluation.evaluate_once``.
    """
    return _once(
        checkpoint_path,
        master,
        _scaffold(initial_op, initial_op_feed_dict, variables_to_restore),
        eval_op,
        eval_op_feed_dict,
        final_op,
        final_op_feed_dict,
        _hooks(num_evals, logdir, summary_op, summary_op_feed_dict, hooks),
        session_config,
    )


def evaluation_loop(
    master: str,
    checkpoint_dir: str,
    logdir: str | None,
    num_evals: int = 1,
    initial_op: Any = None,
    initial_op_feed_dict: Any = None,
    init_fn: Callable[..., Any] | None = None,
    eval_op: Any = None,
    eval_op_feed_dict: Any = None,
    final_op: Any = None,
    final_op_feed_dict: Any = None,
    summary_op: Any = _DEFAULT,
    summary_op_feed_dict: Any = None,
    variables_to_restore: Any = None,
    eval_interval_secs: float = 60,
    max_number_of_evaluations: int | None = None,
    session_config: Any = None,
    timeout: float | None = None,
    timeout_fn: Callable[[], bool] | None = None,
    hooks: Sequence[Any] | None = None,
) -> Any:
    """Do what `evaluate_once` does for each new checkpoint of a folder, and return the value of the last.

    Source: ``tf.contrib.slim.evaluation.evaluation_loop``.
    """
    scaffold = _scaffold(initial_op, initial_op_feed_dict, variables_to_restore)
    scaffold.init_fn = init_fn
    return _repeatedly(
        checkpoint_dir,
        master,
        scaffold,
        eval_op,
        eval_op_feed_dict,
        final_op,
        final_op_feed_dict,
        eval_interval_secs,
        _hooks(num_evals, logdir, summary_op, summary_op_feed_dict, hooks),
        session_config,
        max_number_of_evaluations,
        timeout,
        timeout_fn,
    )
