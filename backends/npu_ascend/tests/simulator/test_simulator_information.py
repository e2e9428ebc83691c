# SPDX-License-Identifier: Apache-2.0
"""What the simulated runtime says of itself: counts, names, versions, chips, modes."""

import ctypes as C


def test_device_count_and_no_device(fresh):
    fresh.setup(devices=3)
    assert fresh.out(fresh.aclrtGetDeviceCount, kind=C.c_uint32) == 3
    fresh.reset()
    fresh.setup(devices=-1)
    fresh.fails(fresh.aclrtGetDeviceCount(C.byref(C.c_uint32())), 207004)


def test_visible_devices(fresh, monkeypatch):
    fresh.setup(devices=4)
    fresh.ok(fresh.aclInit(None))
    monkeypatch.setenv("ASCEND_RT_VISIBLE_DEVICES", "1,3,x,0")  # ends at the first bad character
    assert fresh.out(fresh.aclrtGetDeviceCount, kind=C.c_uint32) == 2
    physical = C.c_int32()
    fresh.ok(fresh.aclrtGetPhyDevIdByUserDevId(1, C.byref(physical)))
    assert physical.value == 3
    fresh.fails(fresh.aclrtSetDevice(2), 107001)
    monkeypatch.setenv("ASCEND_RT_VISIBLE_DEVICES", "1,1")
    fresh.fails(fresh.aclrtGetDeviceCount(C.byref(C.c_uint32())), 207004, says="twice")


def test_names_and_versions(fresh):
    assert fresh.aclrtGetSocName() == b"Ascend910B3"  # a name that clients know
    numbers = [C.c_int32() for _ in range(3)]
    fresh.ok(fresh.aclrtGetVersion(*[C.byref(n) for n in numbers]))
    assert [n.value for n in numbers] == [1, 17, 0]
    version = C.create_string_buffer(512)
    fresh.ok(fresh.aclsysGetCANNVersion(0, version))
    assert b"simulated" in version.raw
    fresh.fails(fresh.aclsysGetCANNVersion(99, version), 100003)


def test_chip_profiles(on_chip):
    cann = on_chip("Ascend910A")
    assert cann.aclrtGetSocName() == b"Ascend910A"
    value = C.c_int32(-1)
    cann.ok(cann.aclGetCannAttribute(1, C.byref(value)))
    assert value.value == 0  # no bf16
    cann = on_chip("Ascend310P3")
    free, total = C.c_size_t(), C.c_size_t()
    cann.ok(cann.aclrtGetMemInfo(1, C.byref(free), C.byref(total)))
    assert total.value > 0  # a query for HBM is answered with its DDR


def test_unknown_chip_is_refused_with_the_list(fresh, monkeypatch):
    monkeypatch.setenv("DEVICE_API_SIM_NPU_CHIP", "Ascend1")
    fresh.reset()
    fresh.fails(fresh.aclInit(None), 100000, says="Ascend910B3")


def test_device_information(cann):
    value = C.c_int64()
    cann.ok(cann.aclGetDeviceCapability(0, 0, C.byref(value)))
    assert value.value > 0
    cann.ok(cann.aclrtGetDeviceInfo(0, 301, C.byref(value)))
    assert value.value == 64 << 20
    cann.fails(cann.aclrtGetDeviceInfo(0, 202, C.byref(value)), 207000)
    bus = C.create_string_buffer(13)
    cann.ok(cann.aclrtDeviceGetPCIBusId(0, bus, 13))
    assert bus.value == b"0000:3d:00.0"
    cann.fails(cann.aclrtDeviceGetPCIBusId(0, bus, 12), 100000)
    assert cann.out(cann.aclrtGetRunMode, kind=C.c_int) == 1
    status = C.c_int(-1)
    cann.ok(cann.aclrtQueryDeviceStatus(0, C.byref(status)))
    assert status.value == 0


def test_modes_and_options(cann):
    assert cann.out(cann.aclrtGetDeviceSatMode, kind=C.c_int) == 1
    cann.ok(cann.aclrtSetDeviceSatMode(0))
    assert cann.out(cann.aclrtGetDeviceSatMode, kind=C.c_int) == 0
    cann.fails(cann.aclrtSetDeviceSatMode(5), 100000)
    cann.ok(cann.aclrtSetSysParamOpt(0, 1))
    cann.ok(cann.aclrtCtxSetSysParamOpt(0, 1))
    cann.fails(cann.aclrtSetSysParamOpt(0, 9), 100000)
    cann.fails(cann.aclrtCtxSetSysParamOpt(9, 0), 100000)
