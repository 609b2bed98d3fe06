"""TensorFlow's internal modules: where the names of each are searched, and those whose contents are left out."""

from __future__ import annotations

from .empty_modules import EMPTY_MODULES, OPEN
from .later_modules import EMPTY_LATER, LATER_MODULES

__all__ = ["EMPTY", "OPEN", "SPACES", "WHOLE"]

# What is searched for the names of each module: namespaces of steepest.v1, "tf" for its top level.
_MODULES: dict[str, str] = {
    # Their functions take arguments in another order than the public ones.
    "ops python.generated_names python.generated_arrays": (
        "gen_array_ops gen_image_ops gen_linalg_ops gen_math_ops gen_nn_ops gen_random_ops gen_spectral_ops "
        "gen_string_ops"
    ),
    "ops python.gradient_kernels": "gen_array_ops gen_linalg_ops gen_math_ops gen_nn_ops linalg_ops math_ops",
    "ops python.gradient_sources": "tensor_array_grad",
    "ops python.inplace_arrays": "array_ops gen_array_ops inplace_ops",
    "framework python.constant_forms": "constant_op",
    "ops python.generated_forms python.generated_counts": "gen_linalg_ops gen_math_ops gen_nn_ops",
    "framework": "constant_op importer indexed_slices random_seed sparse_tensor tensor_like",
    "framework graph.devices version": "device device_spec versions",
    "framework python.framework_ops python.made_operations python.registrations python.eager_core": "ops",
    "framework python.framework_config config": "config",
    "framework ops.random_ops": "random_seed",
    "framework graph.shape_broadcasts python.registrations": "common_shapes",
    "framework graph.tensor_protos contrib.framework": "tensor_util",
    "framework python.private_functions contrib.framework": "smart_cond",
    "core graph.array_protos graph.shape_protos": "framework.tensor_pb2 framework.tensor_shape_pb2",
    "framework autodiff.composite_gradients": "composite_tensor_gradient",
    "framework ops.extension_types": "extension_type",
    "framework ops.type_specs ops.type_spec": "composite_tensor tensor_spec type_spec",
    "framework functions.defined_functions functions.body_inputs saving.function_protos": "function",
    "framework functions.function_defs saving.function_protos": "function_def_to_graph graph_to_function_def",
    "framework functions.function_graphs functions.control_dependencies": "auto_control_deps func_graph",
    "framework python.reference_types": "_dtypes dtypes",
    "framework graph.errors errors graph.no_values": "errors errors_impl",
    "framework python.subscriptions python.op_def_library": "op_def_library subscribe",
    "framework graph.op_registry": "op_def_registry",
    "framework graph_util python.graph_comparison": "graph_util graph_util_impl",
    "framework python.meta_graphs train": "graph_io meta_graph",
    "framework python.registrations": "registry",
    "framework testing.mode_combinations testing.argument_combinations": "combinations test_combinations",
    "framework test testing.test_modes testing.test_helpers testing.later_helpers": "test_util",
    "ops": (
        "array_grad array_ops check_ops clip_ops confusion_matrix control_flow_grad control_flow_ops data_flow_grad "
        "data_flow_ops gen_array_ops gen_bitwise_ops gen_linalg_ops gen_resource_variable_ops gen_sparse_ops "
        "gen_string_ops gradients_util custom_gradient histogram_ops sort_ops image_ops image_ops_impl bitwise_ops "
        "gen_control_flow_ops gen_data_flow_ops gen_math_ops gen_random_ops gen_state_ops gradients gradients_impl "
        "linalg_grad linalg_ops linalg_ops_impl logging_ops math_grad math_ops nn_grad numerics "
        "partitioned_variables random_ops resource_variable_ops script_ops session_ops sparse_grad sparse_ops "
        "special_math_ops standard_ops state_grad state_ops stateless_random_ops string_ops template "
        "tensor_array_grad tensor_array_ops unconnected_gradients variables"
    ),
    "framework graph.shape_makers": "tensor_shape",
    "ops ops.session_ops": "session_ops",
    "ops python.parallel_for": "parallel_for.control_flow_ops parallel_for.gradients parallel_for.pfor",
    "ops python.parallel_for_test": "parallel_for.test_util",
    "ops ops.bitwise_ops": "bitwise_ops gen_bitwise_ops math_ops",
    "ops python.resources": "resources",
    "ops ops.own_flow_ops ops.reference_ops ops.switch_ops ops.control_flow_case": "control_flow_ops",
    "ops ops.switch_ops ops.reference_ops": "gen_control_flow_ops",
    "ops ops.reference_ops": "gen_array_ops",
    "ops ops.control_flow_toggles": "control_flow_util control_flow_v2_toggles",
    "ops python.image_names image": "gen_image_ops image_ops image_ops_impl",
    "ops math": "gen_math_ops math_ops special_math_ops",
    "ops manip": "gen_manip_ops manip_ops",
    "ops random": "random_ops",
    "ops ops.stateless_draw_ops random": "gen_stateless_random_ops stateless_random_ops",
    "ops test": "gradient_checker",
    "ops variables.variable_stores": "variable_scope",
    "ops variables.templates": "template",
    "ops nn": (
        "candidate_sampling_ops embedding_ops gen_candidate_sampling_ops gen_nn_ops nn nn_grad nn_impl nn_ops "
        "sparse_ops"
    ),
    "ops ops.data_format_ops": "gen_nn_ops nn_ops",
    "ops signal spectral": (
        "gen_spectral_ops signal.dct_ops signal.fft_ops signal.mel_ops signal.mfcc_ops signal.reconstruction_ops "
        "signal.shape_ops signal.signal signal.spectral_ops signal.window_ops spectral_ops"
    ),
    "ops testing.test_helpers": "spectral_ops_test_util",
    "ops initializers": "init_ops",
    "ops variables.initializers_v2": "init_ops_v2",
    "ops ops.embedding_ops": "embedding_ops",
    "ops ops.squeezing_ops": "confusion_matrix",
    "ops ops.weights_broadcast_ops": "weights_broadcast_ops",
    "ops debugging": "check_ops",
    "kernel_tests python.random_tests": "random.util",
    "ops python.signal_names": "random_grad signal.util_ops",
    "ops ops.bounded_normal_ops ops.random_ops": "gen_random_ops random_ops",
    "ops sets": "gen_set_ops sets sets_impl",
    "ops contrib.lookup lookup python.lookup_names": "lookup_ops",
    "ops ops.functional_ops ops.function_flow_ops functions.symbolic_gradients": "functional_ops",
    "ops functions.symbolic_gradients ops.function_flow_ops": "gen_functional_ops",
    "ops ops.functional_ops": "map_fn",
    "ops ops.critical_section_ops": "critical_section_ops",
    "ops ops.list_ops": "list_ops",
    "ops python.generated_lists ops.list_ops": "gen_list_ops",
    "ops autodiff.gradient_checker_v2": "gradient_checker_v2",
    "ops ops.data_flow_ops": "data_flow_ops gen_data_flow_ops",
    "ops ops.staging_ops ops.map_staging_ops ops.barrier_ops": "data_flow_ops",
    "ops ops.stack_ops": "gen_data_flow_ops",
    "ops python.second_flow": "cond_v2 while_v2",
    "training pipelines.producers train": "input",
    "ops linalg ops.decomposition_ops": "gen_linalg_ops linalg.linalg linalg.linalg_impl linalg_ops linalg_ops_impl",
    "ops linalg": (
        "linalg.linear_operator linalg.linear_operator_adjoint linalg.linear_operator_block_diag "
        "linalg.linear_operator_composition linalg.linear_operator_diag linalg.linear_operator_full_matrix "
        "linalg.linear_operator_householder linalg.linear_operator_identity linalg.linear_operator_inversion "
        "linalg.linear_operator_kronecker linalg.linear_operator_low_rank_update "
        "linalg.linear_operator_lower_triangular linalg.linear_operator_toeplitz linalg.linear_operator_zeros"
    ),
    "ops linalg ops.linear_operator_circulant": "linalg.linear_operator_circulant",
    "ops ops.linear_operator_algebra": "linalg.linear_operator_algebra",
    "ops ops.linear_operator_util": "linalg.linear_operator_util",
    "ops testing.bijectors": "distributions.bijector_test_util",
    "ops testing.linear_operators testing.random_matrices": "linalg.linear_operator_test_util",
    # `sparse_dense_cwise_add` takes a sparse tensor in the one, its parts in the other.
    "ops sparse ops.sparse_making_ops ops.sparse_serial_ops python.sparse_names": "gen_sparse_ops",
    "ops sparse ops.sparse_making_ops ops.sparse_serial_ops ops.internal_array_ops python.sparse_names": "sparse_ops",
    "ops strings ops.string_ops ops.string_split_ops ops.string_code_ops ops.string_hash_ops ops.string_unit_ops "
    "ops.string_encoding_ops ops.string_format_ops": ("gen_string_ops string_ops"),
    "ops losses ops.squeezing_ops": "losses.loss_reduction losses.losses losses.losses_impl losses.util",
    "ops metrics metrics.internal": "metrics metrics_impl",
    "ops summary": "gen_logging_ops summary_ops",
    "ops summaries.op_util summary": "summary_op_util",
    "ops summaries.recording summaries.resource_writers summaries.written summaries.written_tensors": "summary_ops_v2",
    "ops distributions": (
        "distributions.bernoulli distributions.beta distributions.categorical distributions.dirichlet "
        "distributions.dirichlet_multinomial distributions.multinomial distributions.distribution "
        "distributions.distributions distributions.exponential distributions.gamma distributions.laplace "
        "distributions.normal distributions.student_t distributions.uniform"
    ),
    "ops distributions contrib.distributions distributions.kullback_leibler": "distributions.kullback_leibler",
    "ops distributions distributions.location_scale distributions.softplus_parameters": (
        "distributions.beta distributions.exponential distributions.gamma distributions.laplace distributions.normal "
        "distributions.student_t"
    ),
    "ops distributions.special_math": "distributions.special_math",
    "ops distributions.util distributions.value_checks distributions.function_parts contrib.distributions": (
        "distributions.util"
    ),
    "ops contrib.distributions.bijectors contrib.distributions": (
        "distributions.bijector distributions.bijector_impl distributions.identity_bijector "
        "distributions.transformed_distribution"
    ),
    "training train": (
        "adadelta adagrad adagrad_da adam basic_loops basic_session_run_hooks checkpoint_state_pb2 checkpoint_utils "
        "coordinator ftrl gradient_descent learning_rate_decay learning_rate_decay_v2 momentum monitored_session "
        "optimizer proximal_adagrad proximal_gradient_descent queue_runner queue_runner_impl rmsprop saver "
        "session_manager session_run_hook summary_io supervisor sync_replicas_optimizer training training_util "
        "warm_starting_util"
    ),
    "training training.wrapped_sessions train": "monitored_session",
    "training summaries.profiler_hook train summary": "basic_session_run_hooks",
    "training contrib.evaluation train": "evaluation",
    "training testing.checkpointed_op": "saver_test_utils",
    "training saving.vocabularies": "checkpoint_ops",
    "training saving.warm_start train": "warm_starting_util",
    "ops saving.vocabularies": "gen_checkpoint_ops",
    "training training.clusters": "device_setter",
    "training training.clusters training.servers": "server_lib",
    "core training.clusters": "protobuf.cluster_pb2",
    "training optim.training_ops": "gen_training_ops training_ops",
    "ops optim.training_ops": "gen_training_ops",
    "ops variables.raw_variables variables.scatter_ops": "gen_state_ops state_ops",
    "ops variables.resource_ops": "gen_resource_variable_ops resource_variable_ops",
    "ops variables.resource_variable variables.variable_spec graph.handle_data": "resource_variable_ops",
    "ops variables.variable_spec": "handle_data_util",
    "ops variables.second_variable": "ref_variable variable_v1 variables",
    "core graph.handle_data": "framework.cpp_shape_inference_pb2 framework.full_type_pb2",
    "framework graph.handle_data": "cpp_shape_inference_pb2",
    "training optim.slots train": "slot_creator",
    "training saving.init_from_checkpoint train": "checkpoint_utils",
    "checkpoint saving.checkpoint_options": "checkpoint_options",
    "training saving.checkpoint_options": "saving.checkpoint_options",
    "training saving.checkpoint_state": "py_checkpoint_reader",
    "training saving.saveables": "saving.saveable_object",
    "training saving.trackable saving.data_structures saving.second_checkpoint python.trackable_names": (
        "checkpointable.base checkpointable.data_structures checkpointable.tracking checkpointable.util "
        "tracking.base tracking.data_structures tracking.graph_view tracking.python_state tracking.tracking "
        "tracking.util"
    ),
    "training python.identity_sets": "tracking.object_identity",
    "training training.loss_scales": "experimental.loss_scale experimental.loss_scale_optimizer",
    "training training.mixed_precision": "experimental.mixed_precision",
    "training graph.graph_rewrites": "experimental.mixed_precision_global_state",
    "training distribute": "distribute distribution_strategy_context",
    "distribute distribute": "distribute_lib distribution_strategy_context",
    "training saving.checkpoint_management": "checkpoint_management",
    "training saving.saveables train": "saver saving.saveable_object",
    "training train optim.moving_average": "moving_averages",
    "saved_model saved_model.builder": "builder builder_impl",
    "saved_model saved_model.constants": "constants",
    "saved_model saved_model.loader": "loader loader_impl",
    "saved_model saved_model.main_op": "main_op main_op_impl",
    "saved_model saved_model.signature_constants": "signature_constants",
    "saved_model saved_model.signature_def_utils": "signature_def_utils signature_def_utils_impl",
    "saved_model saved_model.tag_constants": "tag_constants",
    "saved_model saved_model.utils": "utils utils_impl",
    "saved_model saved_model": "saved_model simple_save",
    "client graph.run_conversions python.client_names": "session",
    "client python.client_names": "device_lib timeline",
    "module training.modules": "module",
    "platform resource_loader": "resource_loader",
    "compat ops.v2_behavior": "v2_compat",
    "platform gfile": "gfile",
    "profiler profiler": "model_analyzer option_builder",
    "platform flags": "flags",
    "platform app": "app",
    "platform test testing.later_helpers": "benchmark googletest test",
    "layers layers": "base core layers normalization",
    "layers python.private_functions layers.utils": "utils",
    "keras layers": "engine.base_layer engine.input_spec",
    "summary train": "summary_iterator",
    "summary summaries.plugin_assets": "plugin_asset",
    "summary summary summaries.writer": "writer.writer writer.writer_cache",
    "summary summary": "summary",
    "util compat": "compat",
    "util python.utilities": (
        "all_util dispatch function_utils keyword_args lazy_loader serialization tf_contextlib tf_export "
        "tf_should_use tf_stack"
    ),
    "util python.decorators": "tf_decorator",
    "util python.deprecations": "decorator_utils deprecation",
    "util python.identity_sets": "object_identity",
    "util python.signatures": "tf_inspect",
    "util nest python.nest_paths python.nest_kinds python.nest_messages": "nest",
    "compat compat": "compat",
    "eager": "custom_gradient graph_only_ops tape",
    "eager python.variable_watching": "tape",
    "ops autodiff.custom_gradients": "custom_gradient",
    "eager python.eager_core": "core",
    "eager functions.traced_functions functions.concrete_functions": "def_function function",
    "eager functions.wrapped_functions saving.graph_def_functions saving.graph_lifting": "lift_to_graph wrap_function",
    "eager python.eager_test test": "test",
    "eager contrib.eager autodiff.tapes": "backprop",
    "eager python.execution_callbacks": "execution_callbacks",
    "eager python.eager_context testing.test_modes config": "context",
    "eager python.eager_execute": "execute",
    "eager python.eager_executor": "executor",
    "lib python.file_functions gfile": "io.file_io",
    "core graph.options": "protobuf.config_pb2 protobuf.rewriter_config_pb2",
    "core ops.example_messages ops.sequence_messages": "example.example_pb2 example.feature_pb2",
    "lib io.records": "io.python_io io.tf_record",
    "ops io io.reader_ops ops.byte_ops saving.checkpoint_ops": "gen_io_ops io_ops parsing_ops",
    "ops ops.byte_ops ops.string_code_ops": "gen_array_ops gen_math_ops gen_parsing_ops math_ops",
    "core graph.graph_def graph.op_defs": (
        "framework.function_pb2 framework.graph_pb2 framework.node_def_pb2 framework.versions_pb2"
    ),
    "core variables.variable_defs": "framework.variable_pb2",
    "core graph.attr_values graph.op_defs": "framework.attr_value_pb2 framework.op_def_pb2",
    "core summary": "framework.summary_pb2 util.event_pb2",
    "core saved_model.utils saved_model.signature_def_utils saved_model.assets python.meta_graphs": (
        "protobuf.meta_graph_pb2"
    ),
    "core train": "protobuf.queue_runner_pb2 protobuf.saver_pb2",
    "core python.numbered_types": "framework.types_pb2",
    "core python.numbered_errors": "lib.core.error_codes_pb2 protobuf.error_codes_pb2",
    ". testing.later_helpers": "pywrap_sanitizers",
    ". train python.private_functions python.eager_entries": "pywrap_tensorflow pywrap_tfe",
    "tools python.checkpoint_printing": "inspect_checkpoint",
} | {f"keras keras.{name}": name for name in ("activations", "constraints", "initializers", "regularizers")}

# Modules that are one of ours: programs replace names in them, so that they see what is logged.
WHOLE = {
    "autograph.core.ag_ctx": "python.autograph_contexts",
    "framework.test_ops": "python.test_ops",  # importing it makes its operations known
    "platform.tf_logging": "graph.log",
    "checkpoint.checkpoint_management": "saving.checkpoint_management",
    "training.checkpoint_management": "saving.checkpoint_management",
}


def _table() -> dict[str, tuple[str, ...]]:
    """Return for each module, by its path below ``python``, the namespaces that are searched, the nearest first."""
    found: dict[str, tuple[str, ...]] = {}
    last = _LAST.split()
    for key, modules in _MODULES.items():
        package, *spaces = key.split()
        for module in modules.split():
            path = f"{package}.{module}".removeprefix("..")
            before = tuple(space for space in found.get(path, ()) if space not in last)
            found[path] = (*before, *spaces, *last)
            _with_folders(found, path)
    for path, later in LATER_MODULES.items():
        for each in later.split():
            found[each] = (*found.get(each, ()), *(space for space in found[path] if space not in found.get(each, ())))
            _with_folders(found, each)
    return found


def _with_folders(found: dict[str, tuple[str, ...]], path: str) -> None:
    parts = path.split(".")
    for k in range(1, len(parts)):
        if parts[0] not in OPEN:
            found.setdefault(".".join(parts[:k]), ("tf",))


_LAST = (
    "tf ops.internal_names ops.internal_array_ops python.second_names python.reordered_names "
    "python.private_functions python.whole_values python.later_functions python.later_kernels"
)
SPACES = _table()
EMPTY = {
    f"{package}.{name}"
    for table in (EMPTY_MODULES, EMPTY_LATER)
    for package, names in table.items()
    for name in names.split()
}
for _path in sorted(EMPTY):
    _with_folders(SPACES, _path)
