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
    from .ops.index_shuffle_ops import index_shuffle
    from .ops.stateless_draw_ops import fold_in, split, stateless_parameterized_truncated_normal, stateless_shuffle
    from .ops.stateless_draw_ops import fold_in as stateless_fold_in
    from .ops.stateless_draw_ops import split as stateless_split
    from .ops.stateless_draw_ops import stateless_random_binomial as stateless_binomial
    from .ops.stateless_draw_ops import stateless_random_gamma as stateless_gamma
    from .ops.stateless_draw_ops import stateless_random_poisson as stateless_poisson
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
    "fold_in",
    "gamma",
    "get_global_generator",
    "get_seed",
    "index_shuffle",
    "learned_unigram_candidate_sampler",
    "log_uniform_candidate_sampler",
    "multinomial",
    "normal",
    "poisson",
    "set_global_generator",
    "set_random_seed",
    "shuffle",
    "split",
    "stateless_binomial",
    "stateless_categorical",
    "stateless_fold_in",
    "stateless_gamma",
    "stateless_multinomial",
    "stateless_normal",
    "stateless_parameterized_truncated_normal",
    "stateless_poisson",
    "stateless_shuffle",
    "stateless_split",
    "stateless_truncated_normal",
    "stateless_uniform",
    "truncated_normal",
    "uniform",
    "uniform_candidate_sampler",
]

normal, uniform, shuffle = random_normal, random_uniform, random_shuffle
gamma, poisson = random_gamma, random_poisson

_LATE = {
    "ops.index_shuffle_ops": ("index_shuffle",),
    "ops.stateless_draw_ops": (
        "fold_in",
        "split",
        "stateless_parameterized_truncated_normal",
        "stateless_random_binomial",
        "stateless_random_gamma",
        "stateless_random_poisson",
        "stateless_shuffle",
    ),
    "training.random_generator": (
        "Algorithm",
        "Generator",
        "create_rng_state",
        "get_global_generator",
        "set_global_generator",
    ),
}
_SECOND = {
    "stateless_binomial": "stateless_random_binomial",
    "stateless_fold_in": "fold_in",
    "stateless_gamma": "stateless_random_gamma",
    "stateless_poisson": "stateless_random_poisson",
    "stateless_split": "split",
}
_ASKED = {*_SECOND, *(name for names in _LATE.values() for name in names)}
_late = late_names(str(__package__), _LATE, _SECOND, __name__)
# TensorFlow has some of these in `tf.random.experimental` too: this module stands for it.
_missing, __dir__ = namespace(__name__, "experimental")


def __getattr__(name: str) -> Any:
    return (_late if name in _ASKED else _missing)(name)


def categorical(
    logits: Any, num_samples: Any, dtype: Any = "int64", seed: int | None = None, name: str | None = None
) -> Any:
    """Return for each row of logits ``num_samples`` draws of a class."""
    return multinomial(logits, num_samples, seed, name, "int64" if dtype is None else dtype)
