# SPDX-License-Identifier: Apache-2.0
"""Training by two ranks, each with half of each batch, is training by one with all of it."""

from __future__ import annotations

from pathlib import Path

from rank_processes import run_ranks

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"

# Handwritten digits, two layers with tanh between them, gradient descent.
PROGRAM = """
sys.path.insert(0, os.environ["EXAMPLES"])
import digits
start()
size = dist.get_world_size()
data = digits.load(digits.data_file(), 0, "npu:0")
drawn = xp.random.Generator(1)
parameters = [p.to_device("npu:0") for p in (
    drawn.normal((64, 32), std=0.125, device="cpu"), xp.zeros(32, device="cpu"),
    drawn.normal((32, 10), std=0.175, device="cpu"), xp.zeros(10, device="cpu"))]
if RANK:  # only rank 0's count
    parameters = [p * 7 for p in parameters]
for p in parameters:
    dist.broadcast(p, 0)

def gradients(images, targets):
    w1, b1, w2, b2 = parameters
    hidden = xp.tanh(images @ w1 + b1)
    scores = hidden @ w2 + b2
    powers = xp.exp(scores - xp.max(scores, axis=1, keepdims=True))
    shares = powers / xp.sum(powers, axis=1, keepdims=True)
    loss = -xp.sum(targets * xp.log(shares)) / images.shape[0]
    d_scores = (shares - targets) / float(images.shape[0])
    d_hidden = (d_scores @ w2.T) * (1.0 - hidden * hidden)
    return loss, [images.T @ d_hidden, xp.sum(d_hidden, axis=0), hidden.T @ d_scores,
                  xp.sum(d_scores, axis=0)]

losses, BATCH = [], 64
for at in range(0, 20 * BATCH, BATCH):
    part = BATCH // size
    rows = slice(at + RANK * part, at + (RANK + 1) * part)
    loss, found = gradients(data.images[rows, :], data.targets[rows, :])
    works = [dist.all_reduce(g, dist.ReduceOp.AVG, sync_op=False) for g in [*found, loss]]
    for work in works:
        work.wait()
    parameters = [p - g * 0.5 for p, g in zip(parameters, found)]
    losses.append(float(loss))
assert simulation.control("npu").misuse() == []
print(*losses, float(xp.sum(parameters[2] * parameters[2])))
dist.destroy_process_group()
"""


def test_two_ranks_train_as_one(port: str) -> None:
    told = {"MASTER_ADDR": "127.0.0.1", "EXAMPLES": str(EXAMPLES)}
    (alone,) = run_ranks(1, PROGRAM, MASTER_PORT=port, **told)
    first, second = run_ranks(2, PROGRAM, MASTER_PORT=port, **told)
    assert first == second  # bit by bit: reductions go in the order of ranks
    expected = [float(v) for v in alone.split()]
    found = [float(v) for v in first.split()]
    assert len(found) == 21
    assert expected[-2] < 0.7 * expected[0]  # it learns
    assert all(abs(a - b) <= 2e-5 * abs(a) for a, b in zip(expected, found, strict=True))
