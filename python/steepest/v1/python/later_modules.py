"""Internal modules of TensorFlow 2, which took over what modules of TensorFlow 1 had."""

from __future__ import annotations

__all__ = ["EMPTY_LATER", "LATER_MODULES"]

# For each module of TensorFlow 1, those that have its contents, or a part of them, in TensorFlow 2: tests of the API of
# TensorFlow 1, and programs that were moved to ``tf.compat.v1``, import them.
LATER_MODULES: dict[str, str] = {
    "eager.backprop": "eager.backprop_util",
    "eager.def_function": (
        "eager.polymorphic_function.concrete_function eager.polymorphic_function.polymorphic_function"
    ),
    "eager.tape": "eager.record",
    "framework.constant_op": "framework.constant_tensor_conversion",
    "framework.ops": (
        "framework.tensor framework.tensor_conversion framework.tensor_conversion_registry types.core types.internal "
        "framework.stack"
    ),
    "framework.tensor_util": "ops.shape_util",
    "ops.array_ops": "ops.array_ops_stack ops.tensor_getitem_override",
    "ops.check_ops": "ops.control_flow_assert",
    "ops.control_flow_ops": ("ops.cond ops.control_flow_case ops.control_flow_switch_case ops.map_fn ops.while_loop"),
    "ops.math_ops": "ops.bincount_ops ops.gen_special_math_ops ops.tensor_math_operator_overrides",
    "ops.nn_grad": "ops.nn_fused_batch_norm_grad",
    "ops.nn_impl": "ops.nn_impl_distribute",
    "ops.parsing_ops": "ops.parsing_config ops.parsing_grad",
    "ops.random_ops": "ops.random_crop_ops",
    "ops.variable_scope": "ops.resource_variables_toggle",
    "ops.variables": "ops.ref_variable ops.variable_v1",
    "training.tracking.base": "trackable.base trackable.constants",
    "training.tracking.data_structures": "trackable.data_structures",
    "training.tracking.graph_view": "checkpoint.graph_view checkpoint.save_util",
    "training.tracking.python_state": "trackable.python_state",
    "training.tracking.tracking": "trackable.autotrackable trackable.resource",
    "training.tracking.util": "checkpoint.checkpoint",
    "util.nest": "util.custom_nest_protocol util.nest_util",
}

# Those of TensorFlow 2 that can be imported, and of which nothing is here.
EMPTY_LATER: dict[str, str] = {
    "core": (
        "config.flags framework.dataset_metadata_pb2 framework.dataset_options_pb2 framework.dataset_pb2 "
        "framework.graph_debug_info_pb2 framework.model_pb2 "
        "framework.optimized_function_graph_pb2 profiler.profile_pb2 profiler.profiler_options_pb2 "
        "protobuf.bfc_memory_map_pb2 protobuf.composite_tensor_variant_pb2 protobuf.core_platform_payloads_pb2 "
        "protobuf.data_service_pb2 protobuf.debug_event_pb2 protobuf.device_filters_pb2 protobuf.fingerprint_pb2 "
        "protobuf.remote_tensor_handle_pb2 protobuf.rpc_options_pb2 protobuf.service_config_pb2 protobuf.snapshot_pb2 "
        "protobuf.status_pb2 util.quantization.uniform_quant_ops_attr_pb2"
    ),
    "checkpoint": "async_checkpoint_helper checkpoint_adapter checkpoint_context util",
    "eager": (
        "forwardprop_util polymorphic_function.atomic_function polymorphic_function.attributes "
        "polymorphic_function.autograph_util polymorphic_function.compiler_ir "
        "polymorphic_function.composite_tensor_utils polymorphic_function.eager_function_run "
        "polymorphic_function.function_context polymorphic_function.function_type_utils "
        "polymorphic_function.saved_model_exported_concrete polymorphic_function.saved_model_utils "
        "polymorphic_function.tf_method_target polymorphic_function.tracing_compilation polymorphic_function.transform"
    ),
    "framework": (
        "auto_control_deps_utils byte_swap_tensor flexible_dtypes "
        "op_def_library_pybind override_binary_operator weak_tensor"
    ),
    "ops": (
        "autograph_ops composite_tensor_ops filesystem_ops gen_composite_tensor_ops gen_filesystem_ops "
        "gen_optional_ops gen_rnn_ops "
        "gen_sync_ops gen_uniform_quant_ops weak_tensor_ops "
        "image_grad_test_base linalg.property_hint_util "
        "weak_tensor_test_util"
    ),
    "saved_model": "fingerprinting fingerprinting_utils path_helpers pywrap_saved_model.metrics tracing_utils",
    "trackable": "converter layer_utils",
    "training": "saving.trace_saveable_util",
    "types": "data distribute doc_typealias trace",
    "util": ("_pywrap_nest _pywrap_tensor_float_32_execution _pywrap_utils deprecated_module_new tf_decorator_export"),
}
