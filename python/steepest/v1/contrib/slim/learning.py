"""``tf.contrib.slim.learning``: the training operation of a model made with slim."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from ....base.errors import must
from ...graph.constants import constant
from ...graph.errors import OutOfRangeError
from ...graph.graph import get_default_graph
from ...graph.log import log
from ...graph.missing import namespace
from ...graph.scopes import name_scope
from ...ops.math_ops import equal, greater_equal, mod
from ...summaries.supervisor import Supervisor
from ...training.global_steps import get_or_create_global_step
from ..training import clip_gradient_norms, multiply_gradients
from ..training import create_train_op as _create_train_op

__all__ = ["clip_gradient_norms", "create_train_op", "multiply_gradients", "train", "train_step"]

__getattr__, __dir__ = namespace(__name__)

_FROM_GRAPH: Any = object()
_DEFAULT: Any = 0
_INFO = 20


def create_train_op(
    total_loss: Any,
    optimizer: Any,
    global_step: Any = _FROM_GRAPH,
    update_ops: Any = None,
    variables_to_train: Any = None,
    clip_gradient_norm: float = 0,
    summarize_gradients: bool = False,
    gate_gradients: int = 1,
    aggregation_method: Any = None,
    colocate_gradients_with_ops: bool = False,
    gradient_multipliers: Any = None,
    check_numerics: bool = True,
) -> Any:
    """Return `tf.contrib.training.create_train_op`, with gradients multiplied first and then clipped, each by itself.

    Source: ``tf.contrib.slim.learning.create_train_op``.
    """

    def transformed(pairs: Any) -> Any:
        if gradient_multipliers:
            pairs = multiply_gradients(pairs, gradient_multipliers)
        return clip_gradient_norms(pairs, clip_gradient_norm) if clip_gradient_norm > 0 else pairs

    steps = {} if global_step is _FROM_GRAPH else {"global_step": global_step}
    return _create_train_op(
        total_loss,
        optimizer,
        update_ops=update_ops,
        variables_to_train=variables_to_train,
        transform_grads_fn=transformed,
        summarize_gradients=summarize_gradients,
        gate_gradients=gate_gradients,
        aggregation_method=aggregation_method,
        colocate_gradients_with_ops=colocate_gradients_with_ops,
        check_numerics=check_numerics,
        **steps,
    )


def train_step(sess: Any, train_op: Any, global_step: Any, train_step_kwargs: dict[str, Any]) -> tuple[Any, bool]:
    """Run one step and log its loss; return the loss, and whether training should stop.

    Source: ``tf.contrib.slim.learning.train_step``.
    """
    begin = time.time()
    loss, step = sess.run([train_op, global_step])
    if "should_log" in train_step_kwargs and sess.run(train_step_kwargs["should_log"]):
        log(_INFO, f"global step {step}: loss = {loss:.4f} ({time.time() - begin:.3f} sec/step)")
    return loss, bool("should_stop" in train_step_kwargs and sess.run(train_step_kwargs["should_stop"]))


def train(
    train_op: Any,
    logdir: str | None,
    train_step_fn: Callable[..., tuple[Any, Any]] = train_step,
    train_step_kwargs: Any = _DEFAULT,
    log_every_n_steps: int = 1,
    graph: Any = None,
    master: str = "",
    is_chief: bool = True,
    global_step: Any = None,
    number_of_steps: int | None = None,
    init_op: Any = _DEFAULT,
    init_feed_dict: Any = None,
    local_init_op: Any = _DEFAULT,
    init_fn: Callable[[Any], None] | None = None,
    ready_op: Any = _DEFAULT,
    summary_op: Any = _DEFAULT,
    save_summaries_secs: float = 600,
    summary_writer: Any = _DEFAULT,
    startup_delay_steps: int = 0,
    saver: Any = None,
    save_interval_secs: float = 600,
    sync_optimizer: Any = None,
    session_config: Any = None,
    session_wrapper: Callable[[Any], Any] | None = None,
    trace_every_n_steps: int | None = None,
    ignore_live_threads: bool = False,
) -> Any:
    """Train until ``number_of_steps`` are done, an input ends or the supervisor stops; return the last loss.

    Args:
        train_op: makes a step, and is the loss; see `create_train_op`.
        logdir: the folder of checkpoints and summaries, from whose newest checkpoint training goes on; None for none.
        train_step_fn: makes one step as `train_step` does, with ``train_step_kwargs``.
        master, is_chief, startup_delay_steps: ignored, for there is one process.
        sync_optimizer, trace_every_n_steps: must be None.

    Raises:
        ValueError: for no ``train_op``, a number of steps that is not positive, summaries or a saver without folder.

    Source: ``tf.contrib.slim.learning.train``.
    """
    del startup_delay_steps
    if train_op is None:
        raise ValueError("train_op cannot be None.")
    _check(logdir, summary_op, saver, {"sync_optimizer": sync_optimizer, "trace_every_n_steps": trace_every_n_steps})
    if number_of_steps is not None and number_of_steps <= 0:
        raise ValueError("`number_of_steps` must be either None or a positive number.")
    graph = graph or get_default_graph()
    with graph.as_default():
        step = get_or_create_global_step() if global_step is None else global_step
        told = _told(step, number_of_steps, log_every_n_steps) if train_step_kwargs is _DEFAULT else train_step_kwargs
    supervisor = Supervisor(
        graph,
        is_chief=is_chief,
        logdir=logdir,
        init_op=init_op,
        init_feed_dict=init_feed_dict,
        local_init_op=local_init_op,
        ready_op=ready_op,
        summary_op=summary_op,
        summary_writer=summary_writer,
        global_step=step,
        saver=_DEFAULT if saver is None else saver,
        save_summaries_secs=save_summaries_secs,
        save_model_secs=save_interval_secs,
        init_fn=init_fn,
    )
    loss = None
    with supervisor.managed_session(master, session_config, start_standard_services=False) as begun:
        session = begun if session_wrapper is None else session_wrapper(begun)
        if logdir:
            supervisor.start_standard_services(session)
        threads = supervisor.start_queue_runners(session)
        try:
            while not supervisor.should_stop():
                loss, stop = train_step_fn(session, train_op, step, told)
                if stop:
                    supervisor.request_stop()
        except OutOfRangeError as error:
            log(_INFO, f"Caught OutOfRangeError. Stopping training. {error}")
        if supervisor.save_path is not None and supervisor.saver is not None:
            supervisor.saver.save(session, supervisor.save_path, global_step=supervisor.global_step)
        supervisor.stop(threads, False, ignore_live_threads)  # the writer is closed behind the session
    return loss


def _check(logdir: str | None, summary_op: Any, saver: Any, absent: dict[str, Any]) -> None:
    for what, value in absent.items():
        if value is not None:
            raise ValueError(must("train", what, "be None: there is one process, and no trace", value))
    if logdir is None and summary_op is not _DEFAULT and summary_op is not None:
        raise ValueError("Cannot provide summary_op because logdir=None")
    if logdir is None and saver is not None:
        raise ValueError("Cannot provide saver because logdir=None")


def _told(step: Any, number_of_steps: int | None, log_every_n_steps: int) -> dict[str, Any]:
    """Return what `train_step` asks: whether to stop, and whether to log."""
    with name_scope("train_step"):
        told = {"should_stop": constant(False) if number_of_steps is None else greater_equal(step, number_of_steps)}
        if log_every_n_steps > 0:
            told["should_log"] = equal(mod(step, log_every_n_steps), 0)
    return told
