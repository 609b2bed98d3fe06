"""TensorFlow 1's programs on NumPy: ``import steepest.v1 as tf``.

Functions build nodes in a graph, and sessions evaluate them; optimizers, scopes and collections are those of
`steepest`. ``docs/v1.md`` lists the names.
"""

import importlib as _importlib
import sys as _sys
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from ..ops.indexed_slices import IndexedSlices as IndexedSlices
from ..variables.scopes import AUTO_REUSE as AUTO_REUSE
from ..variables.scopes import VariableScope as VariableScope
from .autodiff.custom_gradients import *
from .autodiff.gradients import AggregationMethod as AggregationMethod
from .autodiff.gradients import gradients as gradients
from .autodiff.gradients import hessians as hessians
from .autodiff.tapes import GradientTape as GradientTape
from .functions.traced_functions import function as function
from .functions.wrapped_functions import wrap_function as wrap_function
from .graph import left_out as _left_out  # its folders can be imported
from .graph import other_paths as _other_paths  # so can these
from .graph import shape_makers as _shape_makers  # under their paths below `python`
from .graph.attr_values import AttrValue as AttrValue
from .graph.attr_values import NameAttrList as NameAttrList
from .graph.build import convert as _convert
from .graph.collections import *
from .graph.constants import constant as constant
from .graph.conversion_registry import register_tensor_conversion_function as register_tensor_conversion_function
from .graph.default_session import get_default_session as get_default_session
from .graph.devices import DeviceSpec as DeviceSpec
from .graph.dtype_names import *
from .graph.dtypes import DType as DType
from .graph.dtypes import as_dtype as as_dtype
from .graph.errors import OpError as OpError
from .graph.fetches import IndexedSlicesValue as IndexedSlicesValue
from .graph.gradient_registry import *
from .graph.graph import Graph as Graph
from .graph.graph import get_default_graph as get_default_graph
from .graph.graph import reset_default_graph as reset_default_graph
from .graph.graph_def import GraphDef as GraphDef
from .graph.graph_def import NodeDef as NodeDef
from .graph.log import get_logger as get_logger
from .graph.missing import namespace as _namespace
from .graph.missing import public_names as _public_names
from .graph.mode import *
from .graph.node import Operation as Operation
from .graph.options import *
from .graph.run_messages import RunMetadata as RunMetadata
from .graph.run_messages import RunOptions as RunOptions
from .graph.scopes import *
from .graph.session import *
from .graph.shape_makers import dimension_at_index as dimension_at_index
from .graph.shapes import Dimension as Dimension
from .graph.shapes import TensorShape as TensorShape
from .graph.shapes import disable_v2_tensorshape as disable_v2_tensorshape
from .graph.shapes import enable_v2_tensorshape as enable_v2_tensorshape
from .graph.static_values import constant_value as constant_value
from .graph.tensor_kind import Tensor as Tensor
from .graph.tensor_protos import make_ndarray as make_ndarray
from .graph.tensor_protos import make_tensor_proto as make_tensor_proto
from .io.reader_ops import *
from .ops import internal_array_ops as _internal_array_ops  # found below `python` alone
from .ops import internal_names as _internal_names  # likewise below `python`
from .ops import operators as _operators  # gives nodes their operators
from .ops.accumulator_ops import *
from .ops.array_ops import *
from .ops.bessel_ops import bessel_i0e as bessel_i0e
from .ops.bessel_ops import bessel_i1e as bessel_i1e
from .ops.byte_ops import fingerprint as fingerprint
from .ops.cast_ops import *
from .ops.check_ops import *
from .ops.clip_ops import *
from .ops.compare_checks import *
from .ops.complex_ops import *
from .ops.composite_ops import *
from .ops.concat_ops import *
from .ops.control_flow_case import case as case
from .ops.control_flow_case import switch_case as switch_case
from .ops.control_flow_ops import cond as cond
from .ops.control_flow_ops import group as group
from .ops.control_flow_ops import no_op as no_op
from .ops.control_flow_ops import tuple_ as _tuple
from .ops.control_flow_toggles import *
from .ops.counting_ops import *
from .ops.creation_ops import *
from .ops.critical_section_ops import CriticalSection as CriticalSection
from .ops.csv_ops import decode_csv as decode_csv
from .ops.data_flow_ops import *
from .ops.decomposition_ops import cholesky as cholesky
from .ops.decomposition_ops import matrix_solve_ls as matrix_solve_ls
from .ops.decomposition_ops import qr as qr
from .ops.decomposition_ops import svd as svd
from .ops.diagonal_ops import *
from .ops.edit_distance_ops import edit_distance as edit_distance
from .ops.eigen_ops import self_adjoint_eig as self_adjoint_eig
from .ops.eigen_ops import self_adjoint_eigvals as self_adjoint_eigvals
from .ops.einsum_ops import einsum as einsum
from .ops.example_json_ops import decode_json_example as decode_json_example
from .ops.example_ops import *
from .ops.file_ops import *
from .ops.functional_ops import *
from .ops.gather_ops import *
from .ops.grid_ops import meshgrid as meshgrid
from .ops.histogram_ops import *
from .ops.image_geometry_ops import random_crop as random_crop
from .ops.image_patch_ops import extract_image_patches as extract_image_patches
from .ops.incomplete_gamma_ops import *
from .ops.linalg_ops import *
from .ops.loop_ops import while_loop as while_loop
from .ops.math_ops import *
from .ops.matmul_ops import *
from .ops.matrix_function_ops import matrix_square_root as matrix_square_root
from .ops.none_spec import NoneTensorSpec as NoneTensorSpec
from .ops.norm_ops import norm as norm
from .ops.old_names import *
from .ops.one_hot_ops import one_hot as one_hot
from .ops.pad_ops import *
from .ops.position_ops import *
from .ops.print_ops import print_ as _print
from .ops.quantization_ops import *
from .ops.quantized_ops import *
from .ops.queue_ops import *
from .ops.random_gamma_ops import random_gamma as random_gamma
from .ops.random_ops import *
from .ops.random_sequences import get_seed as get_seed
from .ops.random_sequences import set_random_seed as set_random_seed
from .ops.rearranging_ops import *
from .ops.reduce_ops import *
from .ops.regex_ops import regex_replace as regex_replace
from .ops.script_ops import *
from .ops.segment_ops import *
from .ops.sequence_example_ops import parse_single_sequence_example as parse_single_sequence_example
from .ops.session_ops import delete_session_tensor as delete_session_tensor
from .ops.session_ops import get_session_handle as get_session_handle
from .ops.session_ops import get_session_tensor as get_session_tensor
from .ops.slice_ops import strided_slice as strided_slice
from .ops.sort_ops import *
from .ops.space_ops import *
from .ops.sparse_array_ops import *
from .ops.sparse_dense_ops import *
from .ops.sparse_joining_ops import *
from .ops.sparse_making_ops import *
from .ops.sparse_math_ops import *
from .ops.sparse_ops import *
from .ops.sparse_reshape_ops import sparse_reshape as sparse_reshape
from .ops.sparse_segment_ops import *
from .ops.sparse_serial_ops import deserialize_many_sparse as deserialize_many_sparse
from .ops.sparse_serial_ops import serialize_many_sparse as serialize_many_sparse
from .ops.sparse_serial_ops import serialize_sparse as serialize_sparse
from .ops.special_math_ops import digamma as digamma
from .ops.special_math_ops import is_non_decreasing as is_non_decreasing
from .ops.special_math_ops import is_strictly_increasing as is_strictly_increasing
from .ops.special_math_ops import lbeta as lbeta
from .ops.special_math_ops import lgamma as lgamma
from .ops.spectral_ops import fft as fft
from .ops.spectral_ops import fft2d as fft2d
from .ops.spectral_ops import fft3d as fft3d
from .ops.spectral_ops import ifft as ifft
from .ops.spectral_ops import ifft2d as ifft2d
from .ops.spectral_ops import ifft3d as ifft3d
from .ops.string_code_ops import *
from .ops.string_hash_ops import *
from .ops.string_ops import as_string as as_string
from .ops.string_ops import reduce_join as reduce_join
from .ops.string_ops import string_join as string_join
from .ops.string_ops import string_strip as string_strip
from .ops.string_ops import string_to_number as string_to_number
from .ops.string_split_ops import string_split as string_split
from .ops.string_unit_ops import substr as substr
from .ops.tensor_array_ops import TensorArray as TensorArray
from .ops.tensor_scatter_ops import *
from .ops.tensor_text_ops import *
from .ops.timestamp_ops import timestamp as timestamp
from .ops.triangular_ops import cholesky_solve as cholesky_solve
from .ops.triangular_ops import matrix_triangular_solve as matrix_triangular_solve
from .ops.type_spec import TypeSpec as TypeSpec
from .ops.type_spec import type_spec_from_value as type_spec_from_value
from .ops.type_specs import IndexedSlicesSpec as IndexedSlicesSpec
from .ops.type_specs import SparseTensorSpec as SparseTensorSpec
from .ops.type_specs import TensorSpec as TensorSpec
from .ops.v2_behavior import *
from .optim import hyper_tensors as _hyper_tensors  # gives optimizers what subclasses of them compute with
from .optim import registration as _registration  # gives tensors and variables what optimizers call
from .optim import slots as _slots  # under their path below `python`
from .python import compat_v2 as _compat_v2
from .python import second_names as _second_names
from .saving.graph_defs import import_graph_def as import_graph_def
from .summaries.old_names import *
from .testing import test_modes as _test_modes  # for tests, under their path below `python`
from .training.modules import Module as Module
from .variables.get_variable import *
from .variables.initializer_names import *
from .variables.local_variables import *
from .variables.partitioners import *
from .variables.scatter_ops import *
from .variables.state_ops import *
from .variables.templates import make_template as make_template
from .variables.variable_creators import variable_creator_scope as variable_creator_scope
from .variables.variables import Variable as Variable
from .variables.variables_initializer import *

# isort: split
# The namespaces; each has the names that belong to it.
from . import (
    app,
    autograph,
    bitwise,
    compat,
    config,
    debugging,
    distribute,
    distributions,
    dtypes,
    errors,
    flags,
    gfile,
    graph_util,
    image,
    initializers,
    io,
    keras,
    layers,
    linalg,
    logging,
    lookup,
    losses,
    manip,
    math,
    metrics,
    nest,
    nn,
    python_io,
    quantization,
    queue,
    random,
    resource_loader,
    saved_model,
    sets,
    signal,
    sparse,
    spectral,
    strings,
    summary,
    train,
    version,
)

GIT_VERSION, COMPILER_VERSION = version.GIT_VERSION, version.COMPILER_VERSION
GRAPH_DEF_VERSION, VERSION = version.GRAPH_DEF_VERSION, version.VERSION
GRAPH_DEF_VERSION_MIN_CONSUMER = version.GRAPH_DEF_VERSION_MIN_CONSUMER
GRAPH_DEF_VERSION_MIN_PRODUCER = version.GRAPH_DEF_VERSION_MIN_PRODUCER
newaxis, __version__ = None, VERSION
compat.v2 = _compat_v2

get_static_value = constant_value
tuple, print = _tuple, _print
_LATE = ("contrib", "experimental", "profiler", "test", "xla")  # what many programs do without
_NAMESPACES = (
    "app", "autograph", "bitwise", "compat", "config", "contrib", "debugging", "distribute", "distributions",
    "dtypes", "errors", "experimental", "flags", "gfile", "graph_util", "image", "initializers", "io", "keras",
    "layers", "linalg", "logging", "losses", "lookup", "manip", "math", "metrics", "nest", "nn", "profiler",
    "python_io", "quantization", "queue", "random", "resource_loader", "saved_model", "sets", "signal", "sparse",
    "spectral", "strings", "summary", "test", "train", "version", "xla",
)  # fmt: skip
__all__ = sorted({*_public_names(_sys.modules[__name__]), *_LATE})
_missing, __dir__ = _namespace(__name__, late=_LATE)

if _TYPE_CHECKING:
    from . import contrib, experimental, profiler, test, xla


def __getattr__(name: str) -> _Any:
    if name == "bfloat16":  # only where ml_dtypes is installed
        return as_dtype("bfloat16")
    if name in ("Event", "HistogramProto", "LogMessage", "SessionLog", "Summary", "SummaryMetadata"):
        return getattr(summary, name)  # classes of tensorboardX, where it is installed
    if name in ("MetaGraphDef", "TensorInfo"):
        return getattr(_importlib.import_module(f"{__name__}.python.core.protobuf.meta_graph_pb2"), name)
    if name == "raw_ops":
        return _importlib.import_module(f"{__name__}.python.raw_ops")
    if name == "python":  # its modules are made when they are asked for
        return _importlib.import_module(f"{__name__}.python")
    if name == "pywrap_tensorflow":  # TensorFlow 1 has this one at its top too
        return _importlib.import_module(f"{__name__}.python.{name}")
    return _missing(name)
