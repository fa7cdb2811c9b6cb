"""``lily doctor``: look at everything she needs, and say what to do."""

from __future__ import annotations

from argparse import Namespace

from bot.checkup import check, check_discord
from bot.cli.env import Env
from bot.cli.token import token_of
from bot.errors import FAILED, SettingsError
from bot.finding import Finding, Status

_MARKS = {Status.FINE: "✓", Status.NOTE: "·", Status.WRONG: "✗"}


async def run(arguments: Namespace, env: Env) -> int:
    """Print what was found; 1 where something is wrong, 2 where the settings are."""
    try:
        settings = env.settings
    except SettingsError as error:
        findings = [Finding("settings", Status.WRONG, line) for line in error.lines]
        findings += [finding async for finding in check_discord(token_of(env)[0])]
        _print(findings, env)
        return error.exit_code
    findings = [finding async for finding in check(settings, env.clock.now())]
    _print(findings, env)
    return FAILED if any(finding.status is Status.WRONG for finding in findings) else 0


def _print(findings: list[Finding], env: Env) -> None:
    catalog = env.catalog
    if env.out.json:
        for finding in findings:
            detail = finding.line.text(catalog)
            env.out.row({"check": finding.name, "status": finding.status, "detail": detail})
        return
    rows = [
        (
            catalog.text(f"cli.doctor.checks.{finding.name}"),
            _MARKS[finding.status],
            finding.line.text(catalog),
        )
        for finding in findings
    ]
    env.out.table(catalog.get("cli.doctor.columns"), rows)
    if all(finding.status is Status.FINE for finding in findings):
        env.out.say(catalog.text("cli.doctor.fine"))
