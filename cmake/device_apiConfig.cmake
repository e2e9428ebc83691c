# SPDX-License-Identifier: Apache-2.0
# find_package(device_api CONFIG): the target device_api::core of an installed device-api wheel.
# The package device_api_abi is found first, for its headers.
include(CMakeFindDependencyMacro)
find_dependency(device_api_abi CONFIG)

get_filename_component(_device_api_root "${CMAKE_CURRENT_LIST_DIR}/.." ABSOLUTE)
if(NOT TARGET device_api::core)
    add_library(device_api::core SHARED IMPORTED)
    set_target_properties(
        device_api::core
        PROPERTIES IMPORTED_LOCATION "${_device_api_root}/lib/libdevice_api.so"
                   IMPORTED_SONAME "libdevice_api.so"
                   INTERFACE_INCLUDE_DIRECTORIES "${_device_api_root}/include"
                   INTERFACE_LINK_LIBRARIES device_api::abi)
endif()
unset(_device_api_root)
