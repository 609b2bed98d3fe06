"""``tf.contrib``: the parts of it that belong to optimizers, layers, losses, distributions and eager execution."""

from typing import TYPE_CHECKING

from ..graph.missing import namespace

if TYPE_CHECKING:
    from . import (
        bayesflow,
        checkpoint,
        deprecated,
        distributions,
        eager,
        framework,
        image,
        integrate,
        layers,
        learn,
        linalg,
        lookup,
        losses,
        metrics,
        mixed_precision,
        nn,
        opt,
        optimizer_v2,
        resampler,
        signal,
        slim,
        solvers,
        sparsemax,
        staging,
        stateless,
        summary,
        tensorboard,
        testing,
        training,
        util,
    )

__all__ = [
    "bayesflow",
    "checkpoint",
    "deprecated",
    "distributions",
    "eager",
    "framework",
    "image",
    "integrate",
    "layers",
    "learn",
    "linalg",
    "lookup",
    "losses",
    "metrics",
    "mixed_precision",
    "nn",
    "opt",
    "optimizer_v2",
    "resampler",
    "signal",
    "slim",
    "solvers",
    "sparsemax",
    "staging",
    "stateless",
    "summary",
    "tensorboard",
    "testing",
    "training",
    "util",
]

__getattr__, __dir__ = namespace(__name__, late=__all__)
