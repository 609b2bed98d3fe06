"""``tf.random``: the random values of the top level under their newer names."""

from typing import TYPE_CHECKING, Any

from ..base.late_names import late_names
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
    multinomial,
    random_normal,
    random_poisson,
    random_shuffle,
    random_uniform,
    truncated_normal,
)
from .ops.random_sequences import get_seed, set_random_seed
from .ops.stateless_random_ops import (
    stateless_categorical,
    stateless_multinomial,
    stateless_normal,
    stateless_truncated_normal,
    stateless_uniform,
)

if TYPE_CHECKING:
    from .training.random_generator import (
        Algorithm,
        Generator,
        create_rng_state,
        get_global_generator,
        set_global_generator,
    )

__all__ = [
    "Algorithm",
    "Generator",
    "all_candidate_sampler",
    "categorical",
    "create_rng_state",
    "fixed_unigram_candidate_sampler",
    "gamma",
    "get_global_generator",
    "get_seed",
    "learned_unigram_candidate_sampler",
    "log_uniform_candidate_sampler",
    "multinomial",
    "normal",
    "poisson",
    "set_global_generator",
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

_GENERATORS = ("Algorithm", "Generator", "create_rng_state", "get_global_generator", "set_global_generator")
_late = late_names(str(__package__), {"training.random_generator": _GENERATORS}, {}, __name__)
# TensorFlow has the generators in `tf.random.experimental` too: this module stands for it.
_missing, __dir__ = namespace(__name__, "experimental")


def __getattr__(name: str) -> Any:
    return (_late if name in _GENERATORS else _missing)(name)


def categorical(
    logits: Any, num_samples: Any, dtype: Any = "int64", seed: int | None = None, name: str | None = None
) -> Any:
    """Return for each row of logits ``num_samples`` draws of a class."""
    return multinomial(logits, num_samples, seed, name, "int64" if dtype is None else dtype)
