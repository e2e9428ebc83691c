# SPDX-License-Identifier: Apache-2.0
"""A worker whose cases take longer than the limit; it may say that the device is done before."""

from __future__ import annotations

import os
import time
from dataclasses import asdict

from device_api_conformance.handle import Identity
from device_api_conformance.worker import serve


def work(job, send):
    identity = Identity("fake:0", "Slow", "nobody", simulated=True)
    send({"ready": asdict(identity), "capabilities": {}})
    for case_id in job["ids"]:
        send({"start": case_id})
        if os.environ["SLOW_WORKER"]:
            send({os.environ["SLOW_WORKER"]: True})
        time.sleep(3.0)
        send({"done": case_id, "seconds": 3.0, "observations": {}})
    send({"end": True, "notes": {}})


if __name__ == "__main__":
    serve(work)
