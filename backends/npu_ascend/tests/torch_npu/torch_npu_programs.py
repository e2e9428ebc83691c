# SPDX-License-Identifier: Apache-2.0
"""The programs: each runs in a process of its own, after torch_npu_prelude.py."""

STEPS = {
    "import, device list": """
assert torch.npu.is_available()
assert torch.npu.device_count() == 1
assert torch.npu.get_device_name(0) == "Ascend910B3"
p = torch.npu.get_device_properties(0)  # before any device is set
assert (p.cube_core_num, p.vector_core_num) == (20, 40)
assert p.total_memory == torch.npu.mem_get_info()[1]
""",
    "allocation": """
x = torch.empty(1 << 20, dtype=torch.float32, device="npu")
assert (x.device.type, x.device.index, x.numel()) == ("npu", 0, 1 << 20)
taken = torch.npu.memory_allocated()
assert 4 << 20 <= taken <= (4 << 20) + 512  # 32 bytes of padding, in blocks of 512
assert torch.npu.memory_reserved() >= 4 << 20
del x
assert torch.npu.memory_allocated() == 0
assert torch.npu.max_memory_allocated() == taken
torch.npu.empty_cache()
assert torch.npu.memory_reserved() == 0
try:
    torch.empty(1 << 42, device="npu")
except torch.OutOfMemoryError as error:
    assert "Tried to allocate" in str(error)
else:
    raise AssertionError("16 TiB were allocated")
""",
    "copies": """
for dtype in (torch.float32, torch.float16, torch.bfloat16, torch.int8, torch.int64, torch.bool):
    x = (torch.arange(24).reshape(2, 3, 4) % 2).to(dtype)
    assert torch.equal(x.npu().cpu(), x)
    assert torch.equal(x.npu().permute(2, 0, 1).contiguous().cpu(), x.permute(2, 0, 1))
x = torch.arange(1000.0).pin_memory()
assert x.is_pinned()
y = x.to("npu", non_blocking=True)
z = torch.empty(1000).pin_memory()
z.copy_(y, non_blocking=True)
torch.npu.synchronize()
assert torch.equal(z, x)
""",
    "add and matmul": """
a, b = torch.randn(64, 32), torch.randn(64, 32)
same(lambda a, b: a + b, a, b)
same(lambda a, b: a @ b.T, a, b, tolerance=1e-4)
same(lambda a, b: a @ b.T, a.half(), b.half(), tolerance=2e-2)
same(lambda a: torch.bmm(a.reshape(2, 32, 32), a.reshape(2, 32, 32)), a, tolerance=1e-4)
""",
    "streams and events": """
x = torch.full((1000,), 2.0, device="npu")
torch.npu.synchronize()
side = torch.npu.Stream()
begin, end = (torch.npu.Event(enable_timing=True) for _ in range(2))
with torch.npu.stream(side):
    assert torch.npu.current_stream() == side
    begin.record()
    for _ in range(20):
        x = x * 1.0
    y = x + x
    end.record()
torch.npu.current_stream().wait_event(end)
z = y + 1.0
end.synchronize()
assert begin.query() and end.query()
assert begin.elapsed_time(end) > 0
assert z.cpu().tolist() == [5.0] * 1000
side.synchronize()
assert side.query()
""",
    "blocking launches": """
import os
assert os.environ["ASCEND_LAUNCH_BLOCKING"] == "1"
a = torch.randn(8, 8)
same(lambda a: (a @ a).softmax(-1), a)
""",
    "threads": """
import threading
results = []
def work(seed):
    a = torch.randn(16, 16, generator=torch.Generator().manual_seed(seed))
    with torch.npu.stream(torch.npu.Stream()):
        got = a.npu()
        for _ in range(10):
            got = (got @ got).tanh()
        got = got.cpu()
    want = a
    for _ in range(10):
        want = (want @ want).tanh()
    results.append(torch.allclose(got, want, atol=1e-3))
torch.npu.init()
threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
for t in threads: t.start()
for t in threads: t.join()
assert results == [True] * 4, results
""",
}

# name -> function of the tensors whose letters it takes; each agrees with the CPU.
OPERATORS = """
add=lambda a,b:a+b; sub=lambda a,b:a-b; mul=lambda a,b:a*b; div=lambda a,b:a/b
add_scalar=lambda a:a+2.5; mul_scalar=lambda a:a*2.5; square=lambda a:a**2; neg=lambda a:-a
abs=lambda a:a.abs(); exp=lambda a:a.exp(); log=lambda a:a.abs().log()
sqrt=lambda a:a.abs().sqrt()
rsqrt=lambda a:(a.abs()+1).rsqrt(); sin=lambda a:a.sin(); cos=lambda a:a.cos()
tanh=lambda a:a.tanh()
sigmoid=lambda a:a.sigmoid(); erf=lambda a:a.erf(); floor=lambda a:a.floor()
sign=lambda a:a.sign()
isnan=lambda a:a.isnan(); isfinite=lambda a:a.isfinite(); relu=lambda a:a.relu()
silu=lambda a:F.silu(a); leaky_relu=lambda a:F.leaky_relu(a); elu=lambda a:F.elu(a)
softplus=lambda a:F.softplus(a); equal=lambda a,b:a==b; less=lambda a,b:a<b
maximum=lambda a,b:torch.maximum(a,b); sum=lambda a:a.sum(); sum_dim=lambda a:a.sum(1)
amax=lambda a:a.amax(1); argmax=lambda a:a.argmax(1); prod=lambda a:a.prod(1)
matmul=lambda a,m:a@m; vector=lambda a,v:a@v; linear=lambda a,m:F.linear(a,m.T.contiguous())
transpose=lambda a:a.T.contiguous(); slice=lambda a:a[1:3,::2].contiguous()
flip=lambda a:a.flip(1)
expand=lambda v:v.expand(3,5).contiguous(); cumsum=lambda a:a.cumsum(1)
cumprod=lambda a:a.cumprod(1)
sort=lambda a:tuple(a.sort(1)); topk=lambda a:tuple(a.topk(2)); softmax=lambda a:a.softmax(1)
log_softmax=lambda a:a.log_softmax(1); layer_norm=lambda a:F.layer_norm(a,(5,))
gather=lambda a:a.gather(1,torch.tensor([[0],[1],[2],[3]],device=a.device))
to_half=lambda a:a.half(); to_bfloat16=lambda a:a.bfloat16(); to_int=lambda a:(a*9).int()
int_add=lambda i:i+i; int_mul=lambda i:i*3; int_not=lambda i:~i
zeros=lambda a:torch.zeros(3,device=a.device); full=lambda a:torch.full((3,),2.5,device=a.device)
arange=lambda a:torch.arange(5,device=a.device); fill=lambda a:a.clone().fill_(3.0)
clone=lambda a:a.clone(); copy=lambda a,b:a.clone().copy_(b); outer=lambda v:torch.outer(v,v)
avg_pool2d=lambda a:F.avg_pool2d(a.reshape(1,1,4,5),2)
einsum=lambda a,b:torch.einsum('ij,kj->ik',a,b)
"""

# torch_npu's own way out for an operator that this CANN lacks: one compiled from a graph.
REFUSED = """
ones=lambda a:torch.ones(3,device=a.device); rsub=lambda a:1-a; gelu=lambda a:F.gelu(a)
greater_scalar=lambda a:a>0; clamp=lambda a:a.clamp(-1,1); mean=lambda a:a.mean(0)
max=lambda a:a.max(); std=lambda a:a.std(); cat=lambda a,b:torch.cat([a,b])
index_select=lambda a:a.index_select(0,torch.tensor([2,0],device=a.device)); tril=lambda a:a.tril()
inplace_add=lambda a,b:a.clone().add_(b); round=lambda a:a.round(); repeat=lambda a:a.repeat(2,1)
"""

TABLE = """
import re
F = torch.nn.functional
torch.manual_seed(0)
tensors = {"a": torch.randn(4, 5), "b": torch.randn(4, 5), "m": torch.randn(5, 3),
           "v": torch.randn(5), "i": torch.arange(20).reshape(4, 5)}
functions = {}
for entry in re.split(r";|\\n", rows):
    if entry.strip():
        name, function = entry.strip().split("=", 1)
        functions[name] = eval(function)
def operands(function):
    return [tensors[n] for n in function.__code__.co_varnames[:function.__code__.co_argcount]]
"""

ALL_AGREE = """
wrong = {}
for name, function in functions.items():
    try:
        same(function, *operands(function), tolerance=1e-4)
    except Exception as error:
        wrong[name] = str(error)[:300]
assert not wrong, wrong
assert len(functions) > 60
"""

ALL_REFUSED = """
for name, function in functions.items():
    on_chip = [x.npu() for x in operands(function)]
    try:
        function(*on_chip).cpu()
    except RuntimeError as error:
        assert "not simulated (operators compiled from graphs)" in str(error), (name, error)
    else:
        raise AssertionError(f"{name} is not refused any more: move it to OPERATORS")
assert torch.equal((tensors["a"].npu() + tensors["b"].npu()).cpu(), tensors["a"] + tensors["b"])
"""
