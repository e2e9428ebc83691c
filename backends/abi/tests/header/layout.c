/* SPDX-License-Identifier: Apache-2.0 */
/* Prints size and offsets of every struct of the contract, for comparison with layout.golden. */
#include <stdio.h>

#include "device_api/backend.h"

#define SIZE(type) printf("%s %zu\n", #type, sizeof(type))
#define AT(type, member)                                                                           \
    printf("%s.%s %zu %zu\n", #type, #member, offsetof(type, member), sizeof(((type*)0)->member))

static void values(void) {
    SIZE(da_value);
    SIZE(da_tensor);
    AT(da_tensor, data);
    AT(da_tensor, storage);
    AT(da_tensor, storage_bytes);
    AT(da_tensor, shape);
    AT(da_tensor, strides);
    AT(da_tensor, rank);
    AT(da_tensor, dtype);
    AT(da_tensor, flags);
}

static void records(void) {
    SIZE(dab_config);
    AT(dab_config, size);
    AT(dab_config, abi_major);
    AT(dab_config, abi_minor);
    AT(dab_config, options);
    AT(dab_config, n_options);
    SIZE(dab_error);
    AT(dab_error, size);
    AT(dab_error, status);
    AT(dab_error, vendor_code);
    AT(dab_error, message);
    AT(dab_error, remedy);
    AT(dab_error, vendor_text);
    SIZE(dab_properties);
    AT(dab_properties, size);
    AT(dab_properties, flags);
    AT(dab_properties, total_memory);
    AT(dab_properties, alignment);
    AT(dab_properties, compute_units);
    AT(dab_properties, max_threads_per_unit);
    AT(dab_properties, max_threads_per_block);
    AT(dab_properties, max_grid);
    AT(dab_properties, capability_major);
    AT(dab_properties, capability_minor);
    AT(dab_properties, stream_priority_least);
    AT(dab_properties, stream_priority_greatest);
    AT(dab_properties, driver_version);
    AT(dab_properties, runtime_version);
    AT(dab_properties, dlpack_type);
    AT(dab_properties, name);
    AT(dab_properties, arch);
    AT(dab_properties, uuid);
    AT(dab_properties, pci_bus_id);
    AT(dab_properties, driver);
    AT(dab_properties, runtime);
}

static void ops(void) {
    SIZE(dab_call);
    AT(dab_call, size);
    AT(dab_call, op);
    AT(dab_call, n_inputs);
    AT(dab_call, n_outputs);
    AT(dab_call, tensors);
    AT(dab_call, attributes);
    AT(dab_call, stream);
    AT(dab_call, device);
    SIZE(dab_plan);
    AT(dab_plan, opaque);
    AT(dab_plan, workspace_bytes);
    SIZE(dab_op);
    AT(dab_op, size);
    AT(dab_op, op);
    AT(dab_op, version);
    AT(dab_op, flags);
    AT(dab_op, dtypes);
    AT(dab_op, others);
    AT(dab_op, run);
    AT(dab_op, plan);
    AT(dab_op, launch);
    AT(dab_op, abandon);
}

static void table(void) {
    SIZE(dab_backend);
    AT(dab_backend, size);
    AT(dab_backend, abi_major);
    AT(dab_backend, abi_minor);
    AT(dab_backend, type);
    AT(dab_backend, vendor);
    AT(dab_backend, version);
    AT(dab_backend, op_count);
    AT(dab_backend, op_hashes);
    AT(dab_backend, create);
    AT(dab_backend, destroy);
    AT(dab_backend, last_error);
    AT(dab_backend, device_count);
    AT(dab_backend, device_properties);
    AT(dab_backend, device_open);
    AT(dab_backend, device_synchronize);
    AT(dab_backend, device_reset);
    AT(dab_backend, alloc);
    AT(dab_backend, free);
    AT(dab_backend, memory_info);
    AT(dab_backend, host_alloc);
    AT(dab_backend, host_free);
    AT(dab_backend, copy);
    AT(dab_backend, copy_peer);
    AT(dab_backend, fill);
    AT(dab_backend, stream_create);
    AT(dab_backend, stream_destroy);
    AT(dab_backend, stream_synchronize);
    AT(dab_backend, stream_query);
    AT(dab_backend, stream_wait_event);
    AT(dab_backend, stream_callback);
    AT(dab_backend, event_create);
    AT(dab_backend, event_destroy);
    AT(dab_backend, event_record);
    AT(dab_backend, event_query);
    AT(dab_backend, event_synchronize);
    AT(dab_backend, event_elapsed);
    AT(dab_backend, op_table);
    AT(dab_backend, telemetry);
    AT(dab_backend, comm_id);
    AT(dab_backend, comm_create);
    AT(dab_backend, comm_destroy);
    AT(dab_backend, collective);
    AT(dab_backend, comm_query);
    AT(dab_backend, comm_abort);
    AT(dab_backend, comm_group_begin);
    AT(dab_backend, comm_group_end);
}

static void since_0_2(void) {
    SIZE(dab_telemetry);
    AT(dab_telemetry, size);
    AT(dab_telemetry, known);
    AT(dab_telemetry, health);
    AT(dab_telemetry, throttle);
    AT(dab_telemetry, temperature);
    AT(dab_telemetry, memory_temperature);
    AT(dab_telemetry, power);
    AT(dab_telemetry, power_limit);
    AT(dab_telemetry, utilization);
    AT(dab_telemetry, bandwidth_utilization);
    AT(dab_telemetry, memory_used);
    AT(dab_telemetry, memory_total);
    AT(dab_telemetry, ecc_corrected);
    AT(dab_telemetry, ecc_uncorrected);
    AT(dab_telemetry, clock_mhz);
    AT(dab_telemetry, memory_clock_mhz);
    AT(dab_telemetry, health_text);
    AT(dab_telemetry, source);
    SIZE(dab_collective);
    AT(dab_collective, size);
    AT(dab_collective, kind);
    AT(dab_collective, dtype);
    AT(dab_collective, reduction);
    AT(dab_collective, peer);
    AT(dab_collective, source);
    AT(dab_collective, target);
    AT(dab_collective, count);
}

int main(void) {
    values();
    records();
    ops();
    table();
    since_0_2();
    return 0;
}
