// SPDX-License-Identifier: Apache-2.0
// The bridge's hold on libdevice_api.
#include "host.hpp"

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <sstream>
#include <vector>

namespace bridge {
namespace {

struct State {
    std::string type, plugin, failure;
    int32_t count = 0;
    dah_device first = 0;
    std::mutex mutex; // of `failure`
};

// Never destroyed: Paddle calls in from static destructors.
State& state() {
    static State& instance = *new State;
    return instance;
}

std::string setting(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

std::vector<std::string> option_strings() {
    std::vector<std::string> parts;
    std::istringstream lines(setting("DEVICE_API_PADDLE_OPTIONS"));
    for (std::string line; std::getline(lines, line);) {
        const size_t equals = line.find('=');
        if (equals == std::string::npos) continue;
        parts.push_back(line.substr(0, equals));
        parts.push_back(line.substr(equals + 1));
    }
    return parts;
}

da_status load(const State& s) {
    const std::vector<std::string> parts = option_strings();
    std::vector<const char*> pointers;
    for (const auto& part : parts) pointers.push_back(part.c_str());
    return dah_backend_load(s.type.c_str(), s.plugin.c_str(), pointers.data(),
                            static_cast<uint32_t>(parts.size() / 2));
}

bool refuse(const std::string& text) {
    keep_failure(text, true);
    return false;
}

} // namespace

bool open_host() {
    State& s = state();
    s.type = setting("DEVICE_API_PADDLE_TYPE");
    s.plugin = setting("DEVICE_API_PADDLE_PLUGIN");
    if (s.type.empty() || s.plugin.empty())
        return refuse("no device type was chosen; call device_api_paddle.enable(\"npu\") before "
                      "`import paddle`");
    if (dah_version() >> 16 != DAH_API_MAJOR)
        return refuse("libdevice_api has another major version than this bridge was built for; "
                      "reinstall device-api and device-api-paddle together");
    if (load(s) != DA_OK) return refuse(host_failure("loading the backend"));
    if (dah_device_count(dah_type_find(s.type.c_str()), &s.count) != DA_OK)
        return refuse(host_failure("counting devices"));
    if (s.count == 0) return refuse("the backend " + s.plugin + " finds no " + s.type + " device");
    if (dah_device_get(s.type.c_str(), 0, &s.first) != DA_OK)
        return refuse(host_failure("finding device 0"));
    return true;
}

const char* device_type() {
    return state().type.c_str();
}
const char* plugin_library() {
    return state().plugin.c_str();
}
int32_t device_count() {
    return state().count;
}
dah_device device_at(int index) {
    return state().first + index;
}

void keep_failure(const std::string& text, bool loud) {
    {
        std::lock_guard<std::mutex> guard(state().mutex);
        state().failure = text;
    }
    if (loud) std::fprintf(stderr, "device_api_paddle: %s\n", text.c_str());
}

std::string host_failure(const char* what) {
    const dah_error& error = *dah_last_error();
    std::string text = std::string(what) + ": " + error.message;
    if (error.vendor_text[0]) text += std::string(" (") + error.vendor_text + ")";
    if (error.remedy[0]) text += std::string("; ") + error.remedy;
    return text;
}

const char* last_error() {
    thread_local std::string text;
    std::lock_guard<std::mutex> guard(state().mutex);
    text = state().failure;
    return text.c_str();
}

} // namespace bridge
