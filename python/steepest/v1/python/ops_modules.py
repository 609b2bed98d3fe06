"""TensorFlow's internal modules of operations, below ``python.ops``: where the names of each are searched."""

from __future__ import annotations

__all__ = ["OPS_MODULES"]

OPS_MODULES: dict[str, str] = {
    # Their functions take arguments in another order than the public ones.
    "ops python.generated_names python.generated_arrays": (
        "gen_array_ops gen_image_ops gen_linalg_ops gen_math_ops gen_nn_ops gen_random_ops gen_spectral_ops "
        "gen_string_ops"
    ),
    "ops python.gradient_kernels": "gen_array_ops gen_linalg_ops gen_math_ops gen_nn_ops linalg_ops math_ops",
    "ops python.gradient_sources": "tensor_array_grad",
    "ops python.inplace_arrays python.generated_slices": "array_ops gen_array_ops inplace_ops",
    "ops python.gradient_axes": "math_grad",
    "ops python.batch_norm_kernels": "gen_nn_ops nn_fused_batch_norm_grad",
    "ops python.generated_forms python.generated_counts": "gen_linalg_ops gen_math_ops gen_nn_ops",
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
    "ops ops.session_ops": "session_ops",
    "ops python.parallel_for": "parallel_for.control_flow_ops parallel_for.gradients parallel_for.pfor",
    "ops python.parallel_for_test": "parallel_for.test_util",
    "ops ops.bitwise_ops": "bitwise_ops gen_bitwise_ops math_ops",
    "ops python.resources": "resources",
    "ops ops.own_flow_ops ops.reference_ops ops.switch_ops ops.control_flow_case "
    "python.flow_contexts": "control_flow_ops",
    "ops ops.switch_ops ops.reference_ops": "gen_control_flow_ops",
    "ops ops.reference_ops": "gen_array_ops",
    "ops python.flow_questions": "control_flow_util control_flow_util_v2",
    "ops ops.control_flow_toggles": "control_flow_util control_flow_v2_toggles",
    "ops python.image_names image": "gen_image_ops image_ops image_ops_impl",
    "ops python.image_names": "random_crop_ops",
    "ops math": "gen_math_ops math_ops special_math_ops",
    "ops manip": "gen_manip_ops manip_ops",
    "ops random": "random_ops",
    "ops ops.stateless_draw_ops random": "gen_stateless_random_ops stateless_random_ops",
    "ops ops.index_shuffle_ops": "gen_random_index_shuffle_ops stateless_random_ops",
    "ops ops.philox_ops": "gen_stateless_random_ops_v2 random_ops_util stateless_random_ops",
    "ops variables.generator_state": "gen_stateful_random_ops",
    "ops python.generator_names random": "stateful_random_ops",
    "ops test": "gradient_checker",
    "ops variables.variable_stores": "variable_scope",
    "ops variables.templates": "template",
    "ops nn": (
        "candidate_sampling_ops embedding_ops gen_candidate_sampling_ops gen_nn_ops nn nn_grad nn_impl nn_ops "
        "sparse_ops"
    ),
    "ops ops.data_format_ops": "gen_nn_ops nn_ops",
    "ops signal spectral": (
        "signal.dct_ops signal.fft_ops signal.mel_ops signal.mfcc_ops signal.reconstruction_ops "
        "signal.shape_ops signal.signal signal.spectral_ops signal.window_ops spectral_ops"
    ),
    "ops python.generated_spectra signal spectral": "gen_spectral_ops",
    "ops testing.test_helpers": "spectral_ops_test_util",
    "ops initializers": "init_ops",
    "ops variables.initializers_v2": "init_ops_v2",
    "ops ops.embedding_ops": "embedding_ops",
    "ops ops.squeezing_ops": "confusion_matrix",
    "ops ops.weights_broadcast_ops": "weights_broadcast_ops",
    "ops debugging": "check_ops",
    "ops python.signal_names": "random_grad signal.util_ops",
    "ops ops.bounded_normal_ops ops.random_ops": "gen_random_ops random_ops",
    "ops python.generated_sets": "gen_set_ops",
    "ops sets": "gen_set_ops sets sets_impl",
    "ops python.lookup_names contrib.lookup lookup": "lookup_ops",
    "ops tables.table_handles tables.table_calls tables.table_initializers": "gen_lookup_ops",
    "ops ops.functional_ops ops.function_flow_ops functions.symbolic_gradients": "functional_ops",
    "ops python.generated_flow functions.symbolic_gradients ops.function_flow_ops": "gen_functional_ops",
    "ops ops.functional_ops": "map_fn",
    "ops ops.critical_section_ops": "critical_section_ops",
    "ops ops.list_ops python.generated_lists": "list_ops",
    "ops python.generated_lists ops.list_ops": "gen_list_ops",
    "ops ops.map_ops": "gen_map_ops map_ops",
    "ops autodiff.gradient_checker_v2": "gradient_checker_v2",
    "ops ops.data_flow_ops io.record_input": "data_flow_ops gen_data_flow_ops",
    "ops ops.staging_ops ops.map_staging_ops ops.barrier_ops": "data_flow_ops",
    "ops ops.stack_ops python.generated_queues python.generated_tensor_arrays python.generated_staging": (
        "gen_data_flow_ops"
    ),
    "ops python.second_flow": "cond_v2 while_v2",
    "ops linalg ops.decomposition_ops ops.eigen_ops ops.triangular_ops ops.tridiagonal_ops": (
        "gen_linalg_ops linalg.linalg linalg.linalg_impl linalg_ops linalg_ops_impl"
    ),
    "ops linalg": (
        "linalg.linear_operator linalg.linear_operator_adjoint linalg.linear_operator_block_diag "
        "linalg.linear_operator_block_lower_triangular "
        "linalg.linear_operator_composition linalg.linear_operator_diag linalg.linear_operator_full_matrix "
        "linalg.linear_operator_householder linalg.linear_operator_identity linalg.linear_operator_inversion "
        "linalg.linear_operator_kronecker linalg.linear_operator_low_rank_update "
        "linalg.linear_operator_lower_triangular linalg.linear_operator_permutation "
        "linalg.linear_operator_toeplitz linalg.linear_operator_tridiag linalg.linear_operator_zeros"
    ),
    "ops linalg ops.linear_operator_circulant": "linalg.linear_operator_circulant",
    "ops ops.linear_operator_algebra": "linalg.linear_operator_algebra",
    "ops ops.linear_operator_util ops.linear_operator_blockwise": "linalg.linear_operator_util",
    "ops linalg ops.linear_operator_specs": "linalg.linear_operator",
    "ops ops.linear_operator_slicing": "linalg.slicing",
    "ops testing.bijectors": "distributions.bijector_test_util",
    "ops testing.linear_operators testing.random_matrices": "linalg.linear_operator_test_util",
    # Operations take a sparse tensor in the one, its parts in the other.
    "ops python.generated_sparse sparse ops.sparse_making_ops ops.sparse_serial_ops python.sparse_names": (
        "gen_sparse_ops"
    ),
    "ops sparse ops.sparse_making_ops ops.sparse_serial_ops ops.internal_array_ops python.sparse_names "
    "ops.sparse_array_ops ops.sparse_counting_ops": "sparse_ops",
    "ops strings ops.string_ops ops.string_split_ops ops.string_code_ops ops.string_hash_ops ops.string_unit_ops "
    "ops.string_encoding_ops ops.string_format_ops": ("gen_string_ops string_ops"),
    # What has sparse results too; the rest is left out.
    "ops tf python.second_names python.ops.ragged": "ragged.ragged_string_ops",
    "ops losses ops.squeezing_ops": "losses.loss_reduction losses.losses losses.losses_impl losses.util",
    "ops metrics metrics.internal": "metrics metrics_impl",
    "ops summary": "gen_logging_ops summary_ops",
    "ops summaries.op_util summary": "summary_op_util",
    "ops summaries.recording summaries.resource_writers summaries.file_writers summaries.written "
    "summaries.written_tensors summaries.tracing": "summary_ops_v2",
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
    "ops saving.vocabularies": "gen_checkpoint_ops",
    "ops optim.training_ops": "gen_training_ops",
    "ops variables.raw_variables variables.scatter_ops": "gen_state_ops state_ops",
    "ops variables.resource_ops": "gen_resource_variable_ops gen_state_ops resource_variable_ops state_ops",
    "ops variables.resource_variable variables.variable_spec graph.handle_data": "resource_variable_ops",
    "ops variables.variable_spec": "handle_data_util",
    "ops variables.second_variable": "ref_variable variable_v1 variables",
    "ops autodiff.custom_gradients": "custom_gradient",
    "ops python.parsing_names": "parsing_ops",
    "ops io io.reader_ops ops.byte_ops saving.checkpoint_ops": "gen_io_ops io_ops parsing_ops",
    "ops ops.sparse_counting_ops": "gen_count_ops",
    "ops ops.byte_ops ops.string_code_ops": "gen_array_ops gen_math_ops gen_parsing_ops math_ops",
}
