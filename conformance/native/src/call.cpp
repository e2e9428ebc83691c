// SPDX-License-Identifier: Apache-2.0
// Ops with the defect: the host's call becomes one whose descriptors may be changed; the result is
// changed on the host after the plugin's work, in the stream's order.
#include "call.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace device_api::planted {

namespace {

std::mutex lock; // of natives: what the plugin said of each op of each device
std::unordered_map<std::uint64_t, dab_op>& natives() {
    static auto* found = new std::unordered_map<std::uint64_t, dab_op>;
    return *found;
}

std::uint64_t key_of(std::int32_t device, std::uint16_t op) {
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(device)) << 16 | op;
}

dab_op native(const dab_call& call) {
    std::lock_guard<std::mutex> guard(lock);
    return natives()[key_of(call.device, call.op)];
}

Call opened(const dab_call& from) {
    Call c;
    c.op = from.op;
    c.device = from.device;
    c.name = op_name(from.op);
    c.inputs = from.n_inputs;
    const std::size_t n = from.n_inputs + from.n_outputs;
    c.tensors.assign(from.tensors, from.tensors + n);
    for (const da_tensor& t : c.tensors) {
        c.shapes.emplace_back(t.shape, t.shape + t.rank);
        c.strides.emplace_back(t.strides, t.strides + t.rank);
    }
    if (from.attributes)
        c.attributes.assign(from.attributes, from.attributes + attributes_of(from.op));
    c.settle();
    return c;
}

dab_call closed(const dab_call& from, const Call& c) {
    dab_call call = from;
    call.tensors = c.tensors.data();
    call.attributes = c.attributes.empty() ? from.attributes : c.attributes.data();
    return call;
}

/// One call with its defect, from the plan to the end of the launch.
struct Flight {
    dab_op op{}; // the plugin's own
    Call call;
    bool strikes = false;
    Work work;
    bool fetched = false;
    dab_plan plan{};
    da_status answer = go_on; // in place of the plugin's work
};

void begin(Flight& f, dab_instance* self, const dab_call& from) {
    const Plant& p = plant();
    f.op = native(from);
    f.call = opened(from);
    f.strikes = (p.after || p.before || p.answer) && strikes(p, f.call);
    if (!f.strikes) return;
    if (p.answer) {
        f.answer = p.answer(f.call);
        struck();
    }
    if (p.before) {
        p.before(f.call);
        f.call.settle();
        struck();
    }
    if (!p.after) return;
    f.fetched = true;
    for (std::size_t i = 0; i < f.call.inputs; ++i) {
        bool ok = false;
        f.work.inputs.push_back(download(inner(), self, from.stream, from.tensors[i], &ok));
        f.fetched = f.fetched && ok;
    }
}

da_status end(Flight& f, dab_instance* self, const dab_call& from) {
    if (!f.strikes || !plant().after || !f.fetched) return DA_OK;
    const da_tensor& out = from.tensors[from.n_inputs];
    bool ok = false;
    f.work.call = &f.call;
    f.work.output = download(inner(), self, from.stream, out, &ok);
    if (!ok) return DA_OK; // the work failed by itself: its error comes with the next wait
    const Values right = f.work.output;
    plant().after(f.work);
    if (f.work.output == right) return DA_OK; // this time nothing is wrong
    struck();
    upload(inner(), self, from.stream, out, f.work.output);
    return DA_OK;
}

da_status run(dab_instance* self, const dab_call* call) {
    Flight f;
    begin(f, self, *call);
    if (f.answer != go_on) return f.answer;
    const dab_call changed = closed(*call, f.call);
    const da_status status = f.op.run(self, &changed);
    return status == DA_OK ? end(f, self, *call) : status;
}

da_status plan_(dab_instance* self, const dab_call* call, dab_plan* plan) {
    auto f = std::make_unique<Flight>();
    begin(*f, self, *call);
    if (f->answer != go_on && f->answer != DA_OK) return f->answer;
    const dab_call changed = closed(*call, f->call);
    const da_status status = f->op.plan(self, &changed, &f->plan);
    if (status != DA_OK) return status;
    plan->workspace_bytes = f->plan.workspace_bytes;
    plan->opaque = f.release();
    return DA_OK;
}

da_status launch(dab_instance* self, const dab_call* call, dab_plan* plan, void* workspace) {
    std::unique_ptr<Flight> f(static_cast<Flight*>(plan->opaque));
    if (f->answer == DA_OK) { // says that it is done, and does nothing
        f->op.abandon(self, &f->plan);
        return DA_OK;
    }
    const dab_call changed = closed(*call, f->call);
    const da_status status = f->op.launch(self, &changed, &f->plan, workspace);
    return status == DA_OK ? end(*f, self, *call) : status;
}

void abandon(dab_instance* self, dab_plan* plan) {
    std::unique_ptr<Flight> f(static_cast<Flight*>(plan->opaque));
    f->op.abandon(self, &f->plan);
}

} // namespace

void Call::settle() {
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        tensors[i].shape = shapes[i].data();
        tensors[i].strides = strides[i].data();
        tensors[i].rank = static_cast<std::int32_t>(shapes[i].size());
    }
}

std::vector<dab_op> wrapped(std::int32_t device, const dab_op* ops, std::uint32_t count,
                            std::uint32_t stride) {
    std::vector<dab_op> found;
    for (std::uint32_t i = 0; i < count; ++i) {
        dab_op op{};
        const auto* from = reinterpret_cast<const dab_op*>(reinterpret_cast<const char*>(ops) +
                                                           static_cast<std::size_t>(i) * stride);
        std::memcpy(&op, from, std::min<std::size_t>({from->size, sizeof op, stride}));
        op.size = sizeof op;
        if (op.op == DA_OP_NONE || op.op > DA_OP_COUNT) continue;
        {
            std::lock_guard<std::mutex> guard(lock);
            natives()[key_of(device, op.op)] = op;
        }
        if (op.run) op.run = &run;
        if (op.plan) {
            op.plan = &plan_;
            op.launch = &launch;
            op.abandon = &abandon;
        }
        if (plant().declare && names_op(plant().gate, op_name(op.op))) {
            plant().declare(op);
            struck();
        }
        found.push_back(op);
    }
    return found;
}

} // namespace device_api::planted
