// SPDX-License-Identifier: Apache-2.0
// Private: the simulated clock. What tasks cost on the chip, and what they share. Results never
// depend on it. The equations are in docs/chips.md.
#pragma once

#include "device_api/engine/chip.hpp"
#include "device_api/engine/kernels.hpp"
#include "device_api/engine/tensor.hpp"

namespace device_api::engine {

/// What one copy goes over. -1: the host.
struct Route {
    int to = -1, from = -1;
    bool pageable = false; // on the host's side
};

struct Access2 {
    bool near = false, access = false;
};
/// Whether two devices are near to each other, and whether the chip gives them peer access.
Access2 peer_access(int device, int peer) noexcept;

/// Simulated nanoseconds of this many operations, by unit and data type.
double operations_ns(Unit unit, DType dtype, double operations) noexcept;

/// A kernel or a fill that the stream reaches at `from`: when it ends. It shares the device's
/// compute engine. `operations`: from operations_ns; `slow`: how many times slower than it would
/// be.
double end_of_kernel(int device, double from, double bytes, double operations,
                     double slow) noexcept;
/// A copy: it shares the link's direction and the device's copy engines.
double end_of_copy(const Route& route, double from, double bytes, double slow) noexcept;

/// Forget what a device (-1: every) is busy with.
void model_reset(int device) noexcept;

/// Tasks that a stream holds before a launch blocks; events of a device.
std::size_t queue_limit() noexcept;
std::size_t event_limit() noexcept;

/// The host's simulated time: the real one, less what it spent waiting for the simulator, plus what
/// it would have waited for the chip.
double host_now_ns() noexcept;

/// One wait of the host. until(t): it has waited until the simulated time t, however long it took.
/// Without: the time that passed counts. Does nothing on the thread of a stream.
class HostWait {
  public:
    HostWait() noexcept;
    void until(double ns) noexcept;
    double begin() const { return begin_; }

  private:
    double begin_;
};

} // namespace device_api::engine
