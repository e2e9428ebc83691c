// SPDX-License-Identifier: Apache-2.0
// The adapter through its table, on simulated chips, for tests.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "device_api/backend.h"
#include "device_api/simctl.h"

namespace harness {

using Options = std::vector<std::pair<std::string, std::string>>;

/// Paths, from the command line.
struct Paths {
    std::string library;   // libdevice_api_npu.so
    std::string simulator; // folder of the simulated CANN
    std::string strange;   // folder with toolkits that are not CANN's
};
Paths& paths();

const dab_backend* table();
Options simulated();
da_status create(const Options& options, dab_instance** out);
dab_error last_error();
/// The message, remedy and vendor's text of the last error, in one.
std::string last_words();
/// The simulator's control table.
const das_control* control();

/// An instance on simulated chips; set up before the first use.
class Npu {
  public:
    explicit Npu(int devices = 1, const Options& more = {}, std::uint64_t memory_bytes = 0);
    enum Kind { as_it_comes, real };
    explicit Npu(Kind); // only `create`: the simulated libraries, or by the rules for real ones
    ~Npu();
    Npu(const Npu&) = delete;
    Npu& operator=(const Npu&) = delete;

    const dab_backend* operator->() const { return table(); }
    operator dab_instance*() const { return self; }
    /// The capability table's entry; null when the op is missing.
    const dab_op* op(da_op id) const;

    dab_instance* self = nullptr;
};

/// A stream with memory that is freed with it.
class Stream {
  public:
    explicit Stream(Npu& npu, int device = 0);
    ~Stream();
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    operator dab_stream() const { return raw; }

    /// Device memory with these elements.
    template <class T>
    void* upload(const std::vector<T>& values) {
        return upload_bytes(values.data(), values.size() * sizeof(T));
    }
    void* upload_bytes(const void* data, std::size_t bytes);
    void* memory(std::size_t bytes);
    template <class T>
    std::vector<T> download(const void* from, std::size_t count) {
        std::vector<T> values(count);
        download_bytes(from, values.data(), count * sizeof(T));
        return values;
    }
    void download_bytes(const void* from, void* to, std::size_t bytes);
    void wait();
    /// The storage that an address lies in.
    std::pair<void*, std::size_t> storage(const void* address) const;

    Npu& npu;
    int device;
    dab_stream raw = nullptr;

  private:
    std::vector<std::pair<char*, std::size_t>> memories_;
};

/// A view with its own shape and strides; dense unless strides are given.
struct View {
    View(const Stream& stream, void* data, da_dtype dtype, std::vector<std::int64_t> shape,
         std::vector<std::int64_t> strides = {});
    da_tensor tensor() const;

    void* data;
    std::pair<void*, std::size_t> storage;
    da_dtype dtype;
    std::vector<std::int64_t> shape, strides;
    bool dense;
};

/// A host scalar as an operand.
struct Scalar {
    Scalar(float value);
    float value;
    da_tensor tensor() const;
};

da_value integer(std::int64_t i);
da_value real(double f);

/// One op: plan, workspace, launch. Returns the first failing status.
da_status run(Stream& stream, da_op op, const std::vector<da_tensor>& inputs, const View& out,
              const std::vector<da_value>& attributes = {});
/// The same; fails the test unless it is DA_OK.
void must(Stream& stream, da_op op, const std::vector<da_tensor>& inputs, const View& out,
          const std::vector<da_value>& attributes = {});

/// A fault to inject; returns its id.
int inject(das_fault_kind kind, const char* name = "", int code = 0, std::uint64_t count = 1);

} // namespace harness
