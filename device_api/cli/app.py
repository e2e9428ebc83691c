# SPDX-License-Identifier: Apache-2.0
"""The commands of ``device-api``: of devices, of programs, and those of the suite."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from device_api import errors
from device_api.cli import diagnosis, telemetry_view
from device_api.cli.probe import Finding

HEALTHY, UNHEALTHY, UNUSABLE = 0, 1, 2

app = typer.Typer(
    help="Devices, their plugins and their health.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
_out = Console(highlight=False, soft_wrap=True)
_err = Console(stderr=True, highlight=False, soft_wrap=True)

_COLOURS = {"usable": "green", "broken": "red", "not installed": "dim"}
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]


def _state(finding: Finding) -> Text:
    return Text(finding.state, _COLOURS.get(finding.state, "yellow"))


def _summary(finding: Finding) -> str:
    if finding.state == "usable":
        file = [f"chip file {finding.chip_file}"] if finding.chip_file else []
        return ", ".join(finding.names + file)
    return finding.cause.split("\n")[0]


@app.command()
def devices(
    seconds: Annotated[
        float | None,
        typer.Argument(min=0.1, max=1e6, help="with --watch: between readings; by default 2"),
    ] = None,
    watch: Annotated[
        bool, typer.Option("--watch", help="Read the devices again and again, until Ctrl-C.")
    ] = False,
    count: Annotated[
        int | None, typer.Option(min=1, help="with --watch: so many readings, then end")
    ] = None,
    as_json: Json = False,
) -> None:
    """List all device types with their state, and the devices with their telemetry.

    Plugins are loaded in child processes; no device is opened.
    """
    if watch:
        from device_api.cli import watch as watching

        watching.run(2.0 if seconds is None else seconds, count, as_json, _out)
        return
    if seconds is not None or count is not None:
        raise typer.BadParameter("SECONDS and --count belong to --watch")
    findings = diagnosis.probe_all()
    if as_json:
        _out.print_json(json.dumps([f.as_dict() for f in findings]))
        return
    table = Table("type", "state", "devices", "plugin", "what there is")
    for finding in findings:
        number = str(finding.devices) if finding.state == "usable" else "-"
        origin = finding.origin or "-"
        table.add_row(finding.type, _state(finding), number, origin, Text(_summary(finding)))
    _out.print(table)
    readings = [reading for finding in findings for reading in finding.telemetry]
    if readings:
        _out.print(telemetry_view.table(readings))


@app.command()
def doctor(as_json: Json = False) -> None:
    """Find what is wrong, explain it and say what to do.

    Exit code: 0 nothing is wrong, 1 something is (a broken plugin, a conflict).
    """
    findings = diagnosis.probe_all()
    warnings = diagnosis.warnings(findings)
    sick = bool(warnings) or any(f.state == "broken" for f in findings)
    if as_json:
        data = {"types": [f.as_dict() for f in findings], "warnings": warnings}
        _out.print_json(json.dumps(data | {"healthy": not sick}))
        raise typer.Exit(UNHEALTHY if sick else HEALTHY)
    for name, version in diagnosis.versions().items():
        _out.print(f"{name} {version}", style="dim")
    for finding in findings:
        line = Text(f"{finding.type}: ", "bold").append_text(_state(finding))
        _out.print(line.append(f"  {finding.origin}", "dim"))
        for name in finding.names:
            _out.print(f"    {name}", markup=False)
        for label, text in (("cause", finding.cause), ("remedy", finding.remedy)):
            if text:
                _out.print(f"    {label}: {text}", markup=False)
    for finding in findings:
        if finding.simulated:
            _out.print(
                f"note: {finding.type} is simulated on request: results say nothing of a chip"
            )
            if finding.chip_file:
                _out.print(f"    chip: {finding.chip_file}", markup=False, soft_wrap=True)
    for warning in warnings:
        _out.print(Text("warning: ", "yellow").append(warning, "default"))
    _out.print("Something is wrong: see above." if sick else "Nothing is wrong.")
    raise typer.Exit(UNHEALTHY if sick else HEALTHY)


@app.command("run-check")
def run_check(
    device: Annotated[
        str | None, typer.Argument(help="type or type:index; by default DEVICE_API_DEVICE, or cpu")
    ] = None,
    as_json: Json = False,
) -> None:
    """Check one device: allocate, copy, compute, compare with the CPU, time.

    Exit code: 0 healthy, 1 not healthy, 2 the device cannot be used or the command is wrong.
    """
    from device_api import health

    try:
        report = health.run_check(device)
    except errors.DeviceApiError as error:
        _err.print(f"{device or 'the device'} cannot be used: {error}", markup=False)
        raise typer.Exit(UNUSABLE) from error
    if as_json:
        _out.print_json(json.dumps(report.as_dict()))
    else:
        _print_report(report)
    raise typer.Exit(HEALTHY if report else UNHEALTHY)


def _print_report(report: Any) -> None:
    table = Table("step", "", "what was found", "ms", title=f"{report.device}  {report.name}")
    for step in report.steps:
        verdict = Text("passed", "green") if step.passed else Text("failed", "red")
        table.add_row(step.name, verdict, Text(step.detail), f"{step.seconds * 1e3:.1f}")
    _out.print(table)
    if report.fallbacks:
        _out.print(f"ran on the CPU for want of native ops: {', '.join(report.fallbacks)}")
    kind = " (simulated: says nothing of a real chip)" if report.simulated else ""
    word = "healthy" if report else "NOT healthy"
    _out.print(f"{report.device} is {word}{kind}", markup=False)


_SUITE = {
    "certify": "Certify a device with the conformance suite.",
    "judge": "Judge the observations of a report again, by another policy or other waivers.",
    "merge": "Put the reports of the fractions of one run together.",
    "compare": "Tell what changed from one report to another.",
    "certificate": "Make a certificate from reports of whole runs on a real device.",
    "verify": "Check a certificate, offline.",
    "bench-model": "Measure a model on a device: start, latency, throughput, memory, a soak.",
    "plants": "Test the suite itself on devices with planted defects.",
}
"""Commands of the conformance suite (extra: conformance), which has their options and help."""


def _suite_command(name: str, words: str) -> None:
    @app.command(
        name,
        help=words,
        context_settings={"allow_extra_args": True, "ignore_unknown_options": True},
        add_help_option=False,
    )
    def command(context: typer.Context) -> None:
        try:
            suite = importlib.import_module("device_api_conformance.cli")
        except ModuleNotFoundError as error:
            if (error.name or "").partition(".")[0] != "device_api_conformance":
                raise
            _err.print(
                "The conformance suite is not installed. "
                "Remedy: pip install 'device-api[conformance]'",
                markup=False,
            )
            raise typer.Exit(UNUSABLE) from error
        raise typer.Exit(int(suite.run(name, list(context.args))))


for _name, _words in _SUITE.items():
    _suite_command(_name, _words)


@app.command(context_settings={"allow_interspersed_args": False, "ignore_unknown_options": True})
def bisect(
    program: Annotated[str, typer.Argument(help="a Python file")],
    arguments: Annotated[list[str] | None, typer.Argument(help="of the program")] = None,
    device: Annotated[
        str | None, typer.Option(help="the program's device; by default DEVICE_API_DEVICE")
    ] = None,
    rtol: Annotated[float, typer.Option(help="relative difference that passes in any case")] = 0.0,
    go_on: Annotated[bool, typer.Option("--all", help="Go on after the first difference.")] = False,
) -> None:
    """Run a program, every op on the CPU too, and name the first op that differs.

    Exit code: 0 none differs, 1 one does, 2 the device cannot be used or the program failed.
    """
    from device_api.cli import bisection

    call = bisection.Call(program, tuple(arguments or ()), device, rtol, stop=not go_on)
    raise typer.Exit(bisection.run(call, _out, _err))


@app.command(
    "memory", context_settings={"allow_interspersed_args": False, "ignore_unknown_options": True}
)
def memory_of(
    program: Annotated[str, typer.Argument(help="a Python file")],
    arguments: Annotated[list[str] | None, typer.Argument(help="of the program")] = None,
    device: Annotated[
        str | None, typer.Option(help="the program's device; by default DEVICE_API_DEVICE")
    ] = None,
    snapshot: Annotated[
        Path | None, typer.Option(help="a file .json or .html for the memory at the end")
    ] = None,
) -> None:
    """Run a program and tell what its arrays held of the device: at the peak and at the end.

    Exit code: 0 nothing outlives the program, 1 arrays do, 2 the device cannot be used or the
    program failed.
    """
    from device_api.cli import memory_use

    call = memory_use.Call(program, tuple(arguments or ()), device, snapshot)
    raise typer.Exit(memory_use.run(call, _out, _err))


@app.command("new-backend")
def new_backend(
    name: Annotated[str, typer.Argument(help="the device type, as users will write it: 'mychip'")],
    into: Annotated[
        Path | None, typer.Option(help="a new or empty folder; by default device-api-NAME")
    ] = None,
) -> None:
    """Write the project of a backend for a new chip, complete with a simulated driver.

    It builds, installs and passes the suite's smoke level as it is; its README goes on from there.
    Exit code: 0 written, 2 the name or the folder cannot be used.
    """
    from device_api.cli import scaffolding

    raise typer.Exit(scaffolding.run(name, into, _out, _err))
