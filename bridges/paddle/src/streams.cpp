// SPDX-License-Identifier: Apache-2.0
// Streams, events and host callbacks. Paddle's handles are the host API's own.
#include <memory>

#include "host.hpp"
#include "runtime.hpp"

namespace bridge {
namespace {

C_Status create_stream(const C_Device device, C_Stream* out) {
    dah_stream* stream = nullptr;
    const da_status status = dah_stream_create(device_at(device->id), 0, &stream);
    if (status == DA_OK) *out = reinterpret_cast<C_Stream>(stream);
    return translate(status, "creating a stream");
}

C_Status destroy_stream(const C_Device, C_Stream stream) {
    dah_stream_release(stream_of(stream));
    return C_SUCCESS;
}

C_Status query_stream(const C_Device, C_Stream stream) {
    return translate_query(dah_stream_query(stream_of(stream)), "asking a stream");
}

C_Status synchronize_stream(const C_Device, C_Stream stream) {
    return translate(dah_stream_synchronize(stream_of(stream), -1), "synchronizing a stream");
}

C_Status stream_wait_event(const C_Device, C_Stream stream, C_Event event) {
    return translate(dah_stream_wait_event(stream_of(stream), event_of(event)),
                     "making a stream wait");
}

struct Callback {
    C_Device_st device;
    C_Stream stream;
    C_Callback function;
    void* data;
};

void call_back(void* data) {
    const std::unique_ptr<Callback> callback(static_cast<Callback*>(data));
    C_Status ignored = C_SUCCESS; // Paddle's own callbacks leave it alone
    callback->function(&callback->device, callback->stream, callback->data, &ignored);
}

C_Status add_callback(const C_Device device, C_Stream stream, C_Callback function, void* data) {
    auto callback = std::make_unique<Callback>(Callback{*device, stream, function, data});
    const da_status status = dah_stream_callback(stream_of(stream), call_back, callback.get());
    if (status == DA_OK) callback.release();
    return translate(status, "adding a stream callback");
}

C_Status create_event(const C_Device device, C_Event* out) {
    dah_event* event = nullptr;
    const da_status status = dah_event_create(device_at(device->id), DAB_EVENT_TIMING, &event);
    if (status == DA_OK) *out = reinterpret_cast<C_Event>(event);
    return translate(status, "creating an event");
}

C_Status destroy_event(const C_Device, C_Event event) {
    dah_event_destroy(event_of(event));
    return C_SUCCESS;
}

C_Status record_event(const C_Device, C_Stream stream, C_Event event) {
    return translate(dah_event_record(event_of(event), stream_of(stream)), "recording an event");
}

C_Status query_event(const C_Device, C_Event event) {
    return translate_query(dah_event_query(event_of(event)), "asking an event");
}

C_Status synchronize_event(const C_Device, C_Event event) {
    return translate(dah_event_synchronize(event_of(event), -1), "synchronizing an event");
}

} // namespace

void fill_streams(C_DeviceInterface* interface) {
    interface->create_stream = create_stream;
    interface->destroy_stream = destroy_stream;
    interface->query_stream = query_stream;
    interface->synchronize_stream = synchronize_stream;
    interface->stream_wait_event = stream_wait_event;
    interface->stream_add_callback = add_callback;
    interface->create_event = create_event;
    interface->destroy_event = destroy_event;
    interface->record_event = record_event;
    interface->query_event = query_event;
    interface->synchronize_event = synchronize_event;
}

} // namespace bridge
