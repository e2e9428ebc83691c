# SPDX-License-Identifier: Apache-2.0
"""Certificates: made from whole good runs only, and every change of a byte is found."""

from __future__ import annotations

import copy
import hashlib
import json
import zipfile
from datetime import date
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from device_api_conformance import cases, certificate, report, requirements
from device_api_conformance import cli as commands
from device_api_conformance.case import Case
from device_api_conformance.handle import Identity
from device_api_conformance.load import load
from device_api_conformance.runner import Runner
from device_api_conformance.selection import Selection

TODAY = date(2030, 1, 1)
CASES = (
    Case("S", "order"),
    Case("N", "numeric", "add", "int32", layout="contiguous", shape=(257,), values="ordinary"),
)
GOOD = {"kind": "exact", "count": 257, "mismatches": 0, "native": 1, "elements": 257}
CLEAN = [{"name": "x", "version": "1", "digest": "d", "changed": [], "unrecorded": False}]


@pytest.fixture(autouse=True)
def small_full_level(monkeypatch):
    """The certifying level with two cases."""
    monkeypatch.setattr(cases, "LEVELS", ("smoke", "full"))
    monkeypatch.setattr(cases, "generate", lambda level: CASES)


def make(seed: int = 0) -> dict:
    """The report of a whole good run on a real device."""
    facts = {"driver": "1", "uuid": f"u{seed}"}
    runner = Runner("x:0", "full", seed, identity=Identity("x:0", "chip", "maker", False,
                                                           facts=facts))  # fmt: skip
    rows = [
        runner.judged(CASES[0], {"expect": [], "values": {}}, 0.1),
        runner.judged(CASES[1], GOOD, 0.1),
    ]
    found = report.build(runner, rows, report.now(), "", Selection.of([c.id for c in CASES]))
    found["environment"]["installed"] = CLEAN
    return found


def write(folder: Path, data: dict, name: str = "report.json") -> Path:
    path = folder / name
    path.write_text(json.dumps(data))
    return path


def test_a_whole_good_run_certifies():
    assert requirements.objections(make(), TODAY) == []


def failing(r):
    r["cases"][1]["observations"]["mismatches"] = 3


WAIVER = {
    "id": "w", "cases": ["S/order"], "devices": ["chip"], "versions": {}, "kind": "driver-bug",
    "issue": "i", "reason": "r", "owner": "o", "expires": "2029-12-31", "expect": "C401",
    "expired": False,
}  # fmt: skip


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda r: r.update(kind="simulation report"), "simulation report"),
        (lambda r: r["device"].update(simulated=True), "simulation report"),
        (lambda r: r.update(level="smoke"), "reduced run"),
        (lambda r: r["selection"].update(whole=False), "a part"),
        (lambda r: r["selection"].update(fraction="1/2"), "a part"),
        (lambda r: r.update(interrupted="power"), "interrupted: power"),
        (lambda r: r.update(judged={"from": "x", "at": "y"}), "judged again"),
        (lambda r: r["counts"].update(PASS=5), "not those of its cases"),
        (lambda r: r["cases"][1].update(verdict="FAIL", code="C102"), "1 cases are FAIL"),
        (lambda r: r["cases"][1].update(verdict="NOTRUN"), "1 cases are NOTRUN"),
        (lambda r: r["cases"].append(r["cases"][0]), "more than once"),
        (lambda r: r["cases"].pop(), "1 cases are missing: N/add/int32"),
        (lambda r: r["cases"][0].update(id="S/other"), "1 cases are unknown: S/other"),
        (failing, "do not follow from their observations"),
        (lambda r: r["policy"].update(sum_factor=100.0), "another policy"),
        (lambda r: r.update(waivers=[WAIVER]), "expired on 2029-12-31"),
        (lambda r: r["environment"].pop("installed"), "what was installed"),
        (lambda r: r["environment"]["installed"][0].update(changed=["a.so"]), "changed after"),
        (lambda r: r["environment"]["installed"][0].update(unrecorded=True), "not installed from"),
        (lambda r: r["suite"].update(version="0.0.9"), "suite 0.0.9"),
        (lambda r: r.update(certifies=False), "says itself"),
        (lambda r: r.update(device=None), "names no device"),
    ],
)
def test_objections(spoil, told):
    found = copy.deepcopy(make())
    spoil(found)
    assert any(told in text for text in requirements.objections(found, TODAY))


# ---- archives --------------------------------------------------------------------------------


@pytest.fixture
def keys(tmp_path):
    private = Ed25519PrivateKey.generate()
    pem = serialization.Encoding.PEM
    secret, public = tmp_path / "secret.pem", tmp_path / "public.pem"
    secret.write_bytes(private.private_bytes(pem, serialization.PrivateFormat.PKCS8,
                                             serialization.NoEncryption()))  # fmt: skip
    public.write_bytes(private.public_key().public_bytes(
        pem, serialization.PublicFormat.SubjectPublicKeyInfo))  # fmt: skip
    return secret, public


@pytest.fixture
def archive(tmp_path, keys):
    parts = [str(write(tmp_path, make(n), f"r{n}.json")) for n in (0, 1)]
    out = tmp_path / "chip.zip"
    code = commands.run("certificate", [*parts, "--out", str(out), "--key", str(keys[0]),
                                        "--statement", "covers the chip"])  # fmt: skip
    assert code == 0
    return out


def verify(path: Path, *arguments: str) -> int:
    return commands.run("verify", [str(path), *arguments])


def rewritten(path: Path, change) -> Path:
    """The archive with its files changed by hand."""
    with zipfile.ZipFile(path) as old:
        files = {n: old.read(n) for n in old.namelist()}
    change(files)
    out = path.with_name("changed.zip")
    with zipfile.ZipFile(out, "w") as new:
        for name, data in files.items():
            new.writestr(name, data)
    return out


def test_a_certificate(archive, keys, capsys):
    assert verify(archive) == 0
    told = capsys.readouterr().err
    assert "a certificate of chip (maker)" in told
    assert "compare it with the maker's" in told
    assert verify(archive, "--key", str(keys[1])) == 0
    assert certificate.verify(archive, TODAY).manifest["runs"][1]["seed"] == 1


def test_the_same_reports_give_the_same_files(tmp_path, archive):
    with zipfile.ZipFile(archive) as found:
        assert all(i.date_time == (1980, 1, 1, 0, 0, 0) for i in found.infolist())
        assert found.namelist() == sorted(found.namelist())
        data = found.read("report-1.json")
        manifest = json.loads(found.read("manifest.json"))
    assert manifest["files"]["report-1.json"] == hashlib.sha256(data).hexdigest()


def more_passes(files):
    files["report-1.json"] = files["report-1.json"].replace(b'"seed": 0', b'"seed": 9', 1)


def with_new_hash(files):
    more_passes(files)
    manifest = json.loads(files["manifest.json"])
    manifest["files"]["report-1.json"] = hashlib.sha256(files["report-1.json"]).hexdigest()
    files["manifest.json"] = json.dumps(manifest).encode()


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (more_passes, "report-1.json was changed"),
        (with_new_hash, "not one of this manifest"),
        (lambda f: f.pop("report-2.json"), "report-2.json is missing"),
        (lambda f: f.update(extra=b"x"), "extra is not in the manifest"),
        (lambda f: f.pop("manifest.json"), "holds no manifest"),
        (lambda f: f.update({"signature.json": b"{}"}), "signature is damaged"),
        (lambda f: f.update({"statement.txt": b"covers all"}), "statement.txt was changed"),
    ],
)
def test_changed_bytes(archive, capsys, change, told):
    assert verify(rewritten(archive, change)) == 1
    assert told in capsys.readouterr().err


def test_a_manifest_that_tells_something_else_than_its_reports(archive, capsys):
    def change(files):
        manifest = json.loads(files["manifest.json"]) | {"product": "better chip"}
        files["manifest.json"] = json.dumps(manifest).encode()
        files.pop("signature.json")

    assert verify(rewritten(archive, change)) == 1
    assert "product is not that of its reports" in capsys.readouterr().err


def test_who_signed(archive, tmp_path, keys, capsys):
    unsigned = rewritten(archive, lambda f: f.pop("signature.json"))
    assert verify(unsigned) == 0
    assert "not signed" in capsys.readouterr().err
    assert verify(unsigned, "--key", str(keys[1])) == 1
    other = tmp_path / "other.pem"
    other.write_bytes(Ed25519PrivateKey.generate().public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo))  # fmt: skip
    assert verify(archive, "--key", str(other)) == 1
    assert "not by the key that was given" in capsys.readouterr().err
    assert verify(archive, "--key", str(tmp_path / "none.pem")) == 2


def test_a_certificate_ends_with_its_waivers(archive):
    assert certificate.verify(archive, date(2040, 1, 1)).signer


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"text"])
def test_no_archive(tmp_path, data, capsys):
    path = tmp_path / "x.zip"
    path.write_bytes(data)
    assert verify(path) == 1
    assert "no archive" in capsys.readouterr().err
    assert verify(tmp_path / "none.zip") == 2


def test_what_gives_no_certificate(tmp_path, capsys, keys):
    out = tmp_path / "out.zip"
    simulated = copy.deepcopy(make())
    simulated["device"]["simulated"], simulated["kind"] = True, "simulation report"
    path = write(tmp_path, simulated)
    assert commands.run("certificate", [str(path), "--out", str(out)]) == 2
    assert "says nothing of a chip" in capsys.readouterr().err
    assert not out.exists()
    other = make(1)
    other["device"]["facts"]["driver"] = "2"
    both = [str(write(tmp_path, make(), "a.json")), str(write(tmp_path, other, "b.json"))]
    assert commands.run("certificate", [*both, "--out", str(out)]) == 2
    assert "not of one product: driver differs" in capsys.readouterr().err
    good = str(write(tmp_path, make(), "a.json"))
    bad_key = tmp_path / "ec.pem"
    bad_key.write_bytes(generate_private_key(SECP256R1()).private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption()))  # fmt: skip
    assert commands.run("certificate", [good, "--out", str(out), "--key", str(bad_key)]) == 2
    assert "no Ed25519 key" in capsys.readouterr().err
    blocked = tmp_path / "blocked"
    blocked.mkdir()
    assert commands.run("certificate", [good, "--out", str(blocked)]) == 2


def test_a_report_file_is_read_as_it_is(tmp_path):
    path = write(tmp_path, make())
    assert load(path).digest == hashlib.sha256(path.read_bytes()).hexdigest()
