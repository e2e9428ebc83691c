# SPDX-License-Identifier: Apache-2.0
"""Environment variables that choose the device and the fallback policy of a process."""

from __future__ import annotations

import pytest
from plugin_site import Site


@pytest.mark.parametrize("policy", ["allow", "warn", "error"])
def test_the_environment_chooses_the_fallback_policy(site: Site, policy: str) -> None:
    told = site.python(
        "import device_api as xp; xp.zeros(1); print(xp.fallback_policy())",
        DEVICE_API_FALLBACK=policy,
    )
    assert told.strip() == policy


def test_a_policy_of_the_program_counts_more(site: Site) -> None:
    told = site.python(
        """
        import device_api as xp
        xp.fallback_policy("error")
        xp.zeros(1)
        print(xp.fallback_policy())
        """,
        DEVICE_API_FALLBACK="allow",
    )
    assert told.strip() == "error"


def test_an_unknown_policy_is_told_when_a_device_is_needed(site: Site) -> None:
    site.python("import device_api", DEVICE_API_FALLBACK="maybe")
    ended = site.run("-c", "import device_api as xp; xp.zeros(1)", DEVICE_API_FALLBACK="maybe")
    assert ended.returncode != 0
    assert "DEVICE_API_FALLBACK=maybe" in ended.stderr
    assert "error, warn, allow" in ended.stderr
