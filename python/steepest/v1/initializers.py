"""``tf.initializers``: initial values of variables."""

from .graph.missing import namespace
from .variables.initializers import (
    Constant,
    GlorotNormal,
    GlorotUniform,
    Identity,
    Ones,
    Orthogonal,
    RandomNormal,
    RandomUniform,
    TruncatedNormal,
    UniformUnitScaling,
    VarianceScaling,
    Zeros,
    he_normal,
    he_uniform,
    lecun_normal,
    lecun_uniform,
)
from .variables.initializers import Initializer as Initializer  # of ``init_ops``: programs subclass it
from .variables.variables_initializer import (
    global_variables_initializer,
    local_variables_initializer,
    tables_initializer,
    variables_initializer,
)

__all__ = [
    "constant",
    "global_variables",
    "glorot_normal",
    "glorot_uniform",
    "he_normal",
    "he_uniform",
    "identity",
    "lecun_normal",
    "lecun_uniform",
    "local_variables",
    "ones",
    "orthogonal",
    "random_normal",
    "random_uniform",
    "tables_initializer",
    "truncated_normal",
    "uniform_unit_scaling",
    "variables",
    "variance_scaling",
    "zeros",
]

zeros, ones, constant, identity = Zeros, Ones, Constant, Identity
random_normal, random_uniform, truncated_normal = RandomNormal, RandomUniform, TruncatedNormal
uniform_unit_scaling, variance_scaling, orthogonal = UniformUnitScaling, VarianceScaling, Orthogonal
glorot_uniform, glorot_normal = GlorotUniform, GlorotNormal
global_variables, local_variables = global_variables_initializer, local_variables_initializer
variables = variables_initializer

__getattr__, __dir__ = namespace(__name__)
