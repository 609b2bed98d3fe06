"""TensorFlow's internal modules: where the names of each are searched, and those whose contents are left out."""

from __future__ import annotations

from .empty_modules import EMPTY_MODULES, OPEN
from .later_modules import EMPTY_LATER, LATER_MODULES
from .ops_modules import OPS_MODULES

__all__ = ["EMPTY", "OPEN", "SPACES", "WHOLE"]

# What is searched for the names of each module: namespaces of steepest.v1, "tf" for its top level.
_MODULES: dict[str, str] = {
    "framework python.constant_forms": "constant_op",
    "framework": "constant_op importer indexed_slices random_seed sparse_tensor tensor_like",
    "framework graph.devices version": "device device_spec versions",
    "framework python.framework_ops python.made_operations python.registrations python.eager_core "
    "python.resource_creators": "ops",
    "framework python.framework_config config": "config",
    "framework ops.random_ops ops.random_sequences": "random_seed",
    "framework python.variable_values": "composite_tensor",
    "framework graph.shape_broadcasts python.registrations": "common_shapes",
    "framework graph.tensor_protos contrib.framework": "tensor_util",
    "framework python.private_functions contrib.framework": "smart_cond",
    "core graph.array_protos graph.shape_protos": "framework.tensor_pb2 framework.tensor_shape_pb2",
    "framework autodiff.composite_gradients": "composite_tensor_gradient",
    "framework ops.extension_types": "extension_type",
    "framework ops.extension_fields ops.extension_conversions": "extension_type_field",
    "framework ops.extension_conversions": "immutable_dict",
    "framework ops.type_specs ops.type_spec": "composite_tensor tensor_spec type_spec",
    "framework ops.spec_registry": "type_spec_registry",
    "framework ops.none_spec": "none_tensor",
    "framework saved_model.frozen_functions": "convert_to_constants",
    "framework python.trace_types": "type_utils",
    "framework python.traceable_stacks": "traceable_stack",
    "core python.trace_types": "function.trace_type",
    "core functions.captures": "function.capture.capture_container",
    "ops python.op_selection": "op_selector",
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
    "framework graph.shape_makers": "tensor_shape",
    "kernel_tests python.random_tests": "random.util",
    "kernel_tests testing.folded_graphs": "signal.test_util",
    "training pipelines.producers train": "input",
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
    "training training.clusters": "device_setter",
    "training training.clusters training.servers": "server_lib",
    "core training.clusters": "protobuf.cluster_pb2",
    "training optim.training_ops": "gen_training_ops training_ops",
    "core graph.handle_data": "framework.cpp_shape_inference_pb2 framework.full_type_pb2",
    "framework graph.handle_data": "cpp_shape_inference_pb2",
    "training optim.slots train": "slot_creator",
    "training saving.init_from_checkpoint train": "checkpoint_utils",
    "checkpoint saving.checkpoint_options": "checkpoint_options",
    "training saving.checkpoint_options": "saving.checkpoint_options",
    "training saving.checkpoint_state": "py_checkpoint_reader",
    "training saving.saveables": "saving.saveable_object",
    "training saving.saveable_forms saving.saveables": "saving.saveable_object_util",
    "training saving.functional_saver": "saving.functional_saver",
    "checkpoint saving.checkpoint_views": "checkpoint_view trackable_view",
    "checkpoint saving.functional_saver": "functional_saver",
    "checkpoint saving.restored_nodes": "restore",
    "checkpoint saving.saveable_names": "saveable_compat",
    "checkpoint saving.saveables": "tensor_callable",
    "checkpoint python.gathered_objects": "save_util_v1",
    "trackable python.dependency_order": "trackable_utils",
    "trackable saving.delegates": "base_delegate",
    "saved_model saving.registered_savers": "registration registration.registration",
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
    "training saving.saveable_forms saving.saveables saving.full_names train": "saver",
    "training train optim.moving_average": "moving_averages",
    "saved_model saved_model.builder": "builder builder_impl",
    "saved_model saved_model.constants": "constants",
    "saved_model saved_model.loader": "loader loader_impl",
    "saved_model saved_model.main_op": "main_op main_op_impl",
    "saved_model saved_model.signature_constants": "signature_constants",
    "saved_model saved_model.signature_def_utils": "signature_def_utils signature_def_utils_impl",
    "saved_model saved_model.tag_constants": "tag_constants",
    "saved_model saved_model.utils": "utils utils_impl",
    "saved_model saved_model.object_loading": "load",
    "saved_model saved_model.graph_models": "load_v1_in_v2",
    "saved_model saved_model.object_saving": "save",
    "saved_model saved_model.options": "load_options save_options",
    "saved_model saved_model": "saved_model simple_save",
    "trackable saving.assets": "asset",
    "client graph.run_conversions python.client_names": "session",
    "client python.client_names": "device_lib timeline",
    "client summaries.events_writer": "_pywrap_events_writer",
    "module training.modules": "module",
    "platform resource_loader": "resource_loader",
    "compat ops.v2_behavior": "v2_compat",
    "platform gfile": "gfile",
    "platform python.build_facts": "build_info sysconfig",
    "profiler profiler": "model_analyzer option_builder",
    "platform flags": "flags",
    "platform app": "app",
    "platform test testing.later_helpers": "benchmark googletest test",
    "layers layers": "base core layers normalization",
    "layers python.private_functions layers.utils": "utils",
    "keras keras.symbolic_tensors": "utils.tf_utils",
    "keras layers": "engine.base_layer engine.input_spec",
    "keras train": "optimizer_v2.legacy_learning_rate_decay",
    "summary train": "summary_iterator",
    "summary summaries.plugin_assets": "plugin_asset",
    "summary summary summaries.writer": "writer.writer writer.writer_cache",
    "summary summaries.event_file_writer": "writer.event_file_writer",
    "summary contrib.testing": "writer.fake_summary_writer",
    "summary summary": "summary",
    "util compat": "compat",
    "util python.utilities": "all_util function_utils keyword_args lazy_loader serialization tf_contextlib",
    "util python.call_stacks": "tf_stack",
    "util python.decorators": "tf_decorator",
    "util python.exported_names": "tf_export",
    "util python.group_locks": "lock_util",
    "util python.numpy_forms": "numpy_compat",
    "util python.type_hints": "type_annotations",
    "util python.unused_results": "tf_should_use",
    "util python.variable_values": "variable_utils",
    "util python.class_properties python.deprecations": "decorator_utils",
    "util python.deprecations": "deprecation",
    "util python.identity_sets": "object_identity",
    "util python.signatures": "tf_inspect",
    "util nest python.nest_paths python.nest_kinds python.nest_messages": "nest",
    "compat compat": "compat",
    "eager": "custom_gradient graph_only_ops tape",
    "types functions.concrete_functions": "core",
    "eager python.variable_watching": "tape",
    "eager python.eager_core": "core",
    "eager functions.traced_functions functions.concrete_functions config": "def_function function",
    "eager functions.wrapped_functions saving.graph_def_functions saving.graph_lifting": "lift_to_graph wrap_function",
    "eager python.eager_test test": "test",
    "eager contrib.eager autodiff.tapes": "backprop",
    "eager python.execution_callbacks": "execution_callbacks",
    "eager python.eager_context testing.test_modes config": "context",
    "eager python.eager_execute": "execute",
    "eager python.eager_executor": "executor",
    "lib python.file_functions gfile": "io.file_io",
    "core graph.options graph.run_messages": "protobuf.config_pb2 protobuf.rewriter_config_pb2",
    "core graph.run_messages": "framework.step_stats_pb2",
    "core graph.debug_messages": "protobuf.debug_pb2",
    "core ops.example_messages ops.sequence_messages": "example.example_pb2 example.feature_pb2",
    "lib io.records": "io.python_io io.tf_record",
    "lib io.record_input": "io.tf_record",
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
    ". train python.private_functions python.eager_entries summaries.events_writer": "pywrap_tensorflow pywrap_tfe",
    "tools python.checkpoint_printing": "inspect_checkpoint",
} | {f"keras keras.{name}": name for name in ("activations", "constraints", "initializers", "regularizers")}

# Modules that are one of ours: programs replace names in them, so that they see what is logged.
WHOLE = {
    "autograph.core.ag_ctx": "python.autograph_contexts",
    "framework.error_interpolation": "python.error_interpolation",
    "framework.strict_mode": "python.strict_mode",
    "framework.test_ops": "python.test_ops",  # importing it makes its operations known
    "platform.tf_logging": "graph.log",
    "util.dispatch": "python.api_dispatch",
    "checkpoint.checkpoint_management": "saving.checkpoint_management",
    "training.checkpoint_management": "saving.checkpoint_management",
}


def _table() -> dict[str, tuple[str, ...]]:
    """Return for each module, by its path below ``python``, the namespaces that are searched, the nearest first."""
    found: dict[str, tuple[str, ...]] = {}
    last = _LAST.split()
    for key, modules in (_MODULES | OPS_MODULES).items():
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
        if parts[0] not in OPEN and (folder := ".".join(parts[:k])) not in OPEN:
            found.setdefault(folder, ("tf",))


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
