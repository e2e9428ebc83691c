// SPDX-License-Identifier: Apache-2.0
// Streams and events of a device that does everything at once.
#pragma once

#include "instance.hpp"

namespace device_api::cpu {

da_status copy(dab_instance*, dab_stream, void* target, const void* source, uint64_t bytes,
               dab_copy_kind kind);
da_status copy_peer(dab_instance*, dab_stream, int32_t target_device, void* target,
                    int32_t source_device, const void* source, uint64_t bytes);
da_status fill(dab_instance*, dab_stream, void* target, uint8_t value, uint64_t bytes);

da_status stream_create(dab_instance*, int32_t device, int32_t priority, dab_stream* stream);
da_status stream_destroy(dab_instance*, dab_stream stream);
da_status stream_synchronize(dab_instance*, dab_stream stream, int32_t timeout_ms);
da_status stream_query(dab_instance*, dab_stream stream);
da_status stream_wait_event(dab_instance*, dab_stream stream, dab_event event);
da_status stream_callback(dab_instance*, dab_stream stream, void (*fn)(void*), void* data);

da_status event_create(dab_instance*, int32_t device, uint32_t flags, dab_event* event);
da_status event_destroy(dab_instance*, dab_event event);
da_status event_record(dab_instance*, dab_event event, dab_stream stream);
da_status event_query(dab_instance*, dab_event event);
da_status event_synchronize(dab_instance*, dab_event event, int32_t timeout_ms);
da_status event_elapsed(dab_instance*, dab_event start, dab_event end, float* milliseconds);

} // namespace device_api::cpu
