# SPDX-License-Identifier: Apache-2.0
"""Train a two-layer network on handwritten digits, on any device, with device_api alone.

    python examples/digits.py                  on the CPU and on a simulated NPU, compared
    python examples/digits.py --device cpu     on one device
    python examples/digits.py --device npu --real    on the machine's own chip

The data are the 1,797 digits of 8x8 pixels that scikit-learn ships. Weights are drawn on the CPU
from the seed and moved to the device, so that every device starts from the same numbers.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

import device_api as xp
from device_api import simulation
from device_api.devices import as_device

CLASSES, PIXELS, HIDDEN, BATCH, TESTED = 10, 64, 64, 64, 360
RATE, MOMENTUM = 0.2, 0.9
AGREEMENT = 1e-5  # relative difference of the losses of two devices at every step
ACCURACY = 0.95

console = Console(highlight=False)
Tensor = xp.Tensor


@dataclass
class Data:
    """Images of shape (n, 64) from 0 to 1 and labels one-hot (n, 10), float32, on one device."""

    images: Tensor
    targets: Tensor
    test_images: Tensor
    test_labels: Tensor


@dataclass
class Result:
    """What training on one device gave."""

    device: str
    name: str
    simulated: bool
    losses: list[float] = field(default_factory=list)
    accuracy: float = 0.0
    seconds_per_epoch: float = 0.0
    peak_bytes: int = 0
    native_ops: int = 0
    fallbacks: dict[str, int] = field(default_factory=dict)
    trained: int = 0  # images trained on
    launches: int | None = None  # kernels that the simulated chip saw
    copies: dict[str, int] = field(default_factory=dict)  # copies that it saw, by name


def data_file() -> Path:
    """Return where scikit-learn keeps the digits; raise DataNotFoundError if there are none."""
    spec = importlib.util.find_spec("sklearn")
    if spec is None or not spec.submodule_search_locations:
        raise xp.DataNotFoundError(
            "the digits come with scikit-learn, which is not installed", "pip install scikit-learn"
        )
    return Path(spec.submodule_search_locations[0]) / "datasets" / "data" / "digits.csv.gz"


def load(path: Path, seed: int, device: str) -> Data:
    """Read the digits, shuffle them by the seed, and move them to the device."""
    if not path.is_file():
        raise xp.DataNotFoundError(
            f"the file of digits is absent: {path}",
            "give its place with --data, or reinstall scikit-learn",
        )
    table = np.loadtxt(path, delimiter=",", dtype=np.float32)
    with xp.device_guard("cpu"):
        order = xp.random.Generator(seed).permutation(len(table))
        rows = xp.take(xp.asarray(table), order, axis=0)
        images = rows[:, :PIXELS] / 16.0
        labels = xp.astype(rows[:, PIXELS], xp.int64)
        targets = xp.astype(xp.expand_dims(labels, axis=1) == xp.arange(CLASSES), xp.float32)
    split = len(table) - TESTED
    parts = (images[:split], targets[:split], images[split:], labels[split:])
    return Data(*(xp.asarray(part, device=device, copy=True) for part in parts))


class Network:
    """Two layers with tanh between them, trained by gradient descent with momentum."""

    def __init__(self, seed: int, device: str) -> None:
        generator = xp.random.Generator(seed + 1)
        shapes = ((PIXELS, HIDDEN), (HIDDEN, CLASSES))
        weights = [
            generator.normal(shape, std=float(shape[0]) ** -0.5, device="cpu") for shape in shapes
        ]
        biases = [xp.zeros(shape[1], device="cpu") for shape in shapes]
        drawn = (weights[0], biases[0], weights[1], biases[1])
        self.parameters = [xp.asarray(p, device=device) for p in drawn]
        self.velocities = [xp.zeros_like(p) for p in self.parameters]

    def forward(self, images: Tensor) -> tuple[Tensor, Tensor]:
        """Return the hidden layer (n, 64) and the scores (n, 10) of images (n, 64)."""
        w1, b1, w2, b2 = self.parameters
        hidden = xp.tanh(images @ w1 + b1)
        return hidden, hidden @ w2 + b2

    def step(self, images: Tensor, targets: Tensor) -> Tensor:
        """Take one step downhill on a batch; return its mean cross-entropy, rank 0."""
        hidden, scores = self.forward(images)
        count = float(images.shape[0])
        shifted = scores - xp.max(scores, axis=1, keepdims=True)
        powers = xp.exp(shifted)
        total = xp.sum(powers, axis=1, keepdims=True)
        loss = -xp.sum(targets * (shifted - xp.log(total))) / count

        d_scores = (powers / total - targets) / count
        d_hidden = (d_scores @ self.parameters[2].T) * (1.0 - hidden * hidden)
        gradients = (
            images.T @ d_hidden,
            xp.sum(d_hidden, axis=0),
            hidden.T @ d_scores,
            xp.sum(d_scores, axis=0),
        )
        for i, gradient in enumerate(gradients):
            self.velocities[i] = self.velocities[i] * MOMENTUM - gradient * RATE
            self.parameters[i] = self.parameters[i] + self.velocities[i]
        return loss

    def accuracy(self, images: Tensor, labels: Tensor) -> float:
        """Return the share of images (n, 64) whose label (n,) is predicted."""
        predicted = xp.argmax(self.forward(images)[1], axis=1)
        right = xp.sum(xp.astype(predicted == labels, xp.float32))
        return float(right) / labels.shape[0]


def train(device: str, steps: int, seed: int, path: Path) -> Result:
    """Train on one device and account for everything that ran there."""
    properties = xp.get_device_properties(device)
    kind = as_device(device).type
    result = Result(device, str(properties.get("name", "")), simulation.active(kind))
    with xp.device_guard(device), xp.fallback_policy("allow"):
        data = load(path, seed, device)
        network = Network(seed, device)
        xp.synchronize()
        _start_accounts(result, kind)
        begin = time.perf_counter()
        losses = _steps(network, data, steps, seed, device)
        xp.synchronize()
        result.trained = data.images.shape[0]
        epochs = steps * BATCH / result.trained
        result.seconds_per_epoch = (time.perf_counter() - begin) / epochs
        result.losses = [float(loss) for loss in losses]
        result.accuracy = network.accuracy(data.test_images, data.test_labels)
        _close_accounts(result, kind, device)
    return result


def _steps(network: Network, data: Data, steps: int, seed: int, device: str) -> list[Tensor]:
    losses: list[Tensor] = []
    generator = xp.random.Generator(seed + 2)
    count = data.images.shape[0]
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(),
               TextColumn("loss {task.fields[loss]}"), TimeElapsedColumn())  # fmt: skip
    with Progress(*columns, console=console) as progress:
        task = progress.add_task(f"training on {device}", total=steps, loss="-")
        while len(losses) < steps:
            order = generator.permutation(count, device="cpu")
            for at in range(0, count - BATCH + 1, BATCH):
                if len(losses) == steps:
                    break
                chosen = order[at : at + BATCH]
                images = xp.take(data.images, chosen, axis=0)
                losses.append(network.step(images, xp.take(data.targets, chosen, axis=0)))
                progress.update(task, advance=1)
            progress.update(task, loss=f"{float(losses[-1]):.4f}")
    return losses


def _start_accounts(result: Result, kind: str) -> None:
    xp.reset_op_counts()
    xp.reset_peak_memory_stats()
    if result.simulated:
        simulation.control(kind).launch_clear()


def _close_accounts(result: Result, kind: str, device: str) -> None:
    xp.synchronize()
    result.peak_bytes = xp.max_memory_allocated()
    result.native_ops = sum(xp.native_op_counts(device).values())
    for record in xp.fallback_report():
        result.fallbacks[record["op"]] = result.fallbacks.get(record["op"], 0) + record["count"]
    if result.simulated:
        result.launches = simulation.launch_count(kind, "kernel")
        result.copies = dict(Counter(c.name for c in simulation.launch_log(kind, "copy")))


def show(results: list[Result]) -> None:
    """Print what was measured, a column for each device."""
    table = Table("", *(r.device for r in results), title="handwritten digits, two layers")
    rows = {
        "device": [r.name for r in results],
        "test accuracy": [f"{r.accuracy:.4f}" for r in results],
        "first loss": [f"{r.losses[0]:.7f}" for r in results],
        "last loss": [f"{r.losses[-1]:.7f}" for r in results],
        "seconds per epoch": [f"{r.seconds_per_epoch:.3f}" for r in results],
        "peak device memory": [f"{r.peak_bytes / 2**20:.2f} MiB" for r in results],
        "native ops": [str(r.native_ops) for r in results],
        "kernels the chip saw": ["-" if r.launches is None else str(r.launches) for r in results],
        "copies the chip saw": [_listed(r.copies) for r in results],
        "ops that fell back": [_listed(r.fallbacks) or "none" for r in results],
    }
    for label, cells in rows.items():
        table.add_row(label, *cells)
    console.print(table)


def _listed(counts: dict[str, int]) -> str:
    return ", ".join(f"{name} x{n}" for name, n in sorted(counts.items()))


def expected_copies(steps: int, count: int) -> dict[str, int]:
    """Return the copies that training asks for: indices of each batch there; losses back."""
    epochs = -(-steps // (count // BATCH))
    return {"memcpy_h2d": 2 * steps, "memcpy_d2h": epochs + steps + 1}


def verdicts(results: list[Result]) -> list[tuple[bool, str]]:
    """Return what must hold and whether it does."""
    found: list[tuple[bool, str]] = []
    for r in results:
        found.append((r.accuracy >= ACCURACY, f"{r.device}: test accuracy is {ACCURACY} or better"))
        if r.launches is not None:
            same = r.launches == r.native_ops
            found.append((same, f"{r.device}: the chip's launch log equals the native ops"))
            found.append((not r.fallbacks, f"{r.device}: nothing fell back"))
            asked = r.copies == expected_copies(len(r.losses), r.trained)
            found.append((asked, f"{r.device}: no copies but those asked for"))
    if len(results) == 2:
        worst = max(
            abs(a - b) / abs(a) for a, b in zip(results[0].losses, results[1].losses, strict=True)
        )
        text = f"the losses agree at every step to {worst:.1e} (allowed {AGREEMENT:.0e})"
        found.append((worst <= AGREEMENT, text))
    return found


def main(arguments: list[str] | None = None) -> int:
    """Run the example; return 0 when everything that must hold does."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--device", help="one device, as cpu or npu:0 (default: cpu and npu)")
    parser.add_argument("--steps", type=int, default=400, help="mini-batches (default 400)")
    parser.add_argument("--seed", type=int, default=0, help="of data, weights and batches")
    parser.add_argument("--real", action="store_true", help="do not simulate: use the real chip")
    parser.add_argument("--data", type=Path, help="digits.csv.gz (default: scikit-learn's)")
    options = parser.parse_args(arguments)
    if options.steps < 1:
        parser.error("--steps must be 1 or more")
    devices = ["cpu", "npu"] if options.device is None else [options.device]
    try:
        path = options.data or data_file()
        for device in devices:
            kind = as_device(device).type
            if kind != "cpu" and not options.real:
                simulation.enable(kind)
                console.print(f"{kind} is simulated: no chip is used (--real uses one)")
        results = [train(device, options.steps, options.seed, path) for device in devices]
    except xp.DeviceApiError as error:
        print(f"digits: {error}", file=sys.stderr)
        return 2
    show(results)
    outcome = verdicts(results)
    for holds, text in outcome:
        mark = "[green]yes[/]" if holds else "[red]NO[/] "
        console.print(f"  {mark}  {text}")
    return 0 if all(holds for holds, _ in outcome) else 1


if __name__ == "__main__":
    sys.exit(main())
