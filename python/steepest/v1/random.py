"""``tf.random``: the random values of the top level under their newer names."""

from typing import Any

from .graph.missing import namespace
from .ops.candidate_sampling_ops import (
    all_candidate_sampler,
    fixed_unigram_candidate_sampler,
    learned_unigram_candidate_sampler,
    log_uniform_candidate_sampler,
    uniform_candidate_sampler,
)
from .ops.random_gamma_ops import random_gamma
from .ops.random_ops import (
    get_seed,
    multinomial,
    random_normal,
    random_poisson,
    random_shuffle,
    random_uniform,
    set_random_seed,
    truncated_normal,
)
from .ops.stateless_random_ops import (
    stateless_categorical,
    stateless_multinomial,
    stateless_normal,
    stateless_truncated_normal,
    stateless_uniform,
)

__all__ = [
    "all_candidate_sampler",
    "categorical",
    "fixed_unigram_candidate_sampler",
    "gamma",
    "get_seed",
    "learned_unigram_candidate_sampler",
    "log_uniform_candidate_sampler",
    "multinomial",
    "normal",
    "poisson",
    "set_random_seed",
    "shuffle",
    "stateless_categorical",
    "stateless_multinomial",
    "stateless_normal",
    "stateless_truncated_normal",
    "stateless_uniform",
    "truncated_normal",
    "uniform",
    "uniform_candidate_sampler",
]

normal, uniform, shuffle = random_normal, random_uniform, random_shuffle
gamma, poisson = random_gamma, random_poisson

__getattr__, __dir__ = namespace(__name__)


def categorical(
    logits: Any, num_samples: Any, dtype: Any = "int64", seed: int | None = None, name: str | None = None
) -> Any:
    """Return for each row of logits ``num_samples`` draws of a class."""
    return multinomial(logits, num_samples, seed, name, "int64" if dtype is None else dtype)
