"""Internal modules of TensorFlow 1 of which nothing is here: they can be imported."""

from __future__ import annotations

__all__ = ["EMPTY_MODULES", "OPEN"]

# Modules that can be imported, so that a program that names them for one part of its work can do the rest: whatever is
# asked of them is an error that tells why it is left out.
EMPTY_MODULES: dict[str, str] = {
    "client": "client_lib notebook pywrap_tf_session",
    "compat": "compat_lib",
    "core": (
        "example.example_parser_configuration_pb2 "
        "framework.allocation_description_pb2 framework.api_def_pb2 framework.cost_graph_pb2 "
        "framework.device_attributes_pb2 "
        "framework.graph_transfer_info_pb2 framework.kernel_def_pb2 framework.log_memory_pb2 "
        "framework.reader_base_pb2 framework.remote_fused_graph_execute_info_pb2 "
        "framework.resource_handle_pb2 framework.tensor_description_pb2 "
        "framework.tensor_slice_pb2 profiler.tfprof_log_pb2 "
        "profiler.tfprof_options_pb2 profiler.tfprof_output_pb2 "
        "protobuf.control_flow_pb2 protobuf.device_properties_pb2 "
        "protobuf.master_pb2 protobuf.named_tensor_pb2 protobuf.replay_log_pb2 "
        "protobuf.saved_model_pb2 protobuf.saved_object_graph_pb2 protobuf.struct_pb2 "
        "protobuf.tensor_bundle_pb2 protobuf.tensorflow_server_pb2 protobuf.trackable_object_graph_pb2 "
        "protobuf.transport_options_pb2 protobuf.verifier_config_pb2 protobuf.worker_pb2 "
        "util.memmapped_file_system_pb2 util.saved_tensor_slice_pb2 util.test_log_pb2"
    ),
    "eager": ("cancellation forwardprop imperative_grad memory_trace monitoring profiler pywrap_tensor remote"),
    "framework": (
        "c_api_util composite_tensor_utils "
        "framework_lib "
        "gpu_util kernels load_library memory_checker "
        "op_callbacks python_memory_checker "
        "tensor_conversion_registry test_ops_2"
    ),
    "layers": "convolutional pooling",
    "ops": (
        "audio_ops batch_ops bincount_ops boosted_trees_ops clustering_ops collective_ops "
        "control_flow_state control_flow_v2_func_graphs ctc_ops "
        "cudnn_rnn_grad default_gradient distributions.bijector_test_util gen_audio_ops gen_batch_ops "
        "gen_boosted_trees_ops gen_clustering_ops gen_collective_ops gen_ctc_ops "
        "gen_cudnn_rnn_ops gen_dataset_ops gen_debug_ops gen_decode_proto_ops gen_encode_proto_ops "
        "gen_experimental_dataset_ops gen_nccl_ops "
        "gen_ragged_array_ops gen_ragged_conversion_ops gen_ragged_math_ops gen_rpc_ops "
        "gen_script_ops gen_sdca_ops gen_sendrecv_ops gen_summary_ops "
        "gen_tensor_forest_ops gen_tpu_ops gen_user_ops image_grad initializers_ns "
        "linalg.adjoint_registrations linalg.cholesky_registrations linalg.inverse_registrations "
        "linalg.linear_operator_addition linalg.matmul_registrations linalg.registrations_util "
        "linalg.solve_registrations lookup_grad manip_grad nccl_ops "
        "numpy_ops optional_grad proto_ops rnn rnn_cell "
        "rnn_cell_impl rnn_grad sdca_ops structured.structured_tensor "
        "tensor_forest_ops while_v2_indexed_slices_rewriter"
    ),
    "platform": ("analytics control_imports device_context remote_utils self_check stacktrace_handler status_bar"),
    "saved_model": (
        "function_deserialization function_serialization method_name_updater "
        "model_utils.export_output model_utils.export_utils model_utils.mode_keys nested_structure_coder "
        "revived_types save_context signature_serialization"
    ),
    "summary": "tb_summary text_summary writer.event_file_writer_v2",
    "training": (
        "device_util ftrl_test_util quantize_training saving.saveable_hook tracking.layer_utils tracking.resource"
    ),
    "util": (
        "deprecated_module example_parser_configuration is_in_graph_mode keras_deps "
        "memory module_wrapper protobuf.compare protobuf.compare_test_pb2 traceback_utils"
    ),
}

# Folders of TensorFlow that are left out as a whole: every module below can be imported, and is empty.
OPEN = (
    "autograph",
    "checkpoint.sharding",
    "compiler",
    "core.debug",
    "core.function",
    "core.grappler",
    "core.protobuf.tpu",
    "core.tpu",
    "data",
    "debug",
    "distribute",
    "dlpack",
    "estimator",
    "feature_column",
    "grappler",
    "keras",
    "kernel_tests",
    "ops.linalg.sparse",
    "ops.numpy_ops",
    "ops.ragged",
    "ops.structured",
    "profiler",
    "tools",
    "tpu",
    "user_ops",
)
