"""Files that put kb on a schedule: a cron line, systemd units, a CI workflow."""

from __future__ import annotations

import re
import shlex
import zlib
from dataclasses import dataclass
from pathlib import Path

from kb.errors import UsageError
from kb.notify import AlertSettings

HOURS = {"1h": 1, "2h": 2, "3h": 3, "4h": 4, "6h": 6, "8h": 8, "12h": 12, "1d": 24}
"""How often kb may run: what divides a day, so that the runs lie evenly."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """What is scheduled.

    Attributes:
        root: the knowledge base, absolute.
        command: the words that start kb.
        hours: between runs, one of `HOURS`.
        alerts: who is told; their variables are named in what is printed.
        install: what the workflow gives to pip.
    """

    root: Path
    command: tuple[str, ...]
    hours: int
    alerts: AlertSettings
    install: str = "citedrift[alerts]"

    def __post_init__(self) -> None:
        if re.search(r"[\x00-\x1f\x7f]", f"{self.root}{''.join(self.command)}{self.install}"):
            raise UsageError(
                "a line end or control character stands in a name, which no line can hold; rename it"
            )

    @property
    def name(self) -> str:
        """A name for units and files, from the folder's."""
        return re.sub(r"[^A-Za-z0-9]+", "-", self.root.name).strip("-").lower() or "base"

    @property
    def minute(self) -> int:
        """The minute of the hour: another one for each knowledge base, and always the same."""
        return 1 + zlib.crc32(self.name.encode()) % 58

    @property
    def secrets(self) -> tuple[str, ...]:
        """The environment variables that alerts need."""
        github = (self.alerts.github.token,) if self.alerts.github else ()
        return tuple(dict.fromkeys((*self.alerts.apprise, *github)))

    @property
    def often(self) -> str:
        """How often, in words."""
        return {1: "every hour", 24: "every day"}.get(self.hours, f"every {self.hours} hours")


@dataclass(frozen=True, slots=True)
class Scheduled:
    """One file: its name, its text, and what to do with it."""

    name: str
    text: str


def cron(schedule: Schedule) -> list[Scheduled]:
    """A crontab: cron mails what kb writes to standard error, which is only what went wrong."""
    at = {1: "* * * *", 24: "5 * * *"}.get(schedule.hours, f"*/{schedule.hours} * * *")
    kb = shlex.join(schedule.command)
    line = f"cd {shlex.quote(str(schedule.root))} && {kb} check --keep-going --quiet >>kb.log"
    text = f"""\
# kb: check the citations in {schedule.root.name} {schedule.often}; only what is due is asked for.
# Install:  (crontab -l 2>/dev/null; kb schedule --cron) | crontab -
# What kb says goes into kb.log there; cron mails you what goes wrong. Read the report with: kb report
{_secrets(schedule, "# Write NAME=value lines for these secrets above the line:")}\
{schedule.minute} {at} {line.replace("%", chr(92) + "%")}
"""
    return [Scheduled("kb.cron", text)]


def systemd(schedule: Schedule) -> list[Scheduled]:
    """A service and its timer, for the systemd of a user or of the machine."""
    unit = f"kb-{schedule.name}"
    at = {1: "*", 24: "05"}.get(schedule.hours, f"0/{schedule.hours}")
    program, *others = schedule.command
    # Only in what follows the program does systemd read `$` as a variable.
    words = [*(o.replace("$", "$$") for o in others), "check", "--keep-going", "--quiet"]
    command = " ".join(_systemd_word(w) for w in (program, *words))
    path = str(schedule.root).replace("%", "%%")
    service = f"""\
# {unit}.service: check the citations in {schedule.root.name} once.
# Install both:  kb schedule --systemd --out ~/.config/systemd/user
#                systemctl --user daemon-reload
#                systemctl --user enable --now {unit}.timer
# Let it run while you are away:  loginctl enable-linger
# What it said:  journalctl --user -u {unit}
{_secrets(schedule, f"# Write NAME=value lines for these secrets into ~/.config/{unit}.env (mode 600):")}\
[Unit]
Description=kb: check the citations in {_systemd_text(schedule.root.name)}

[Service]
Type=oneshot
WorkingDirectory={path}
EnvironmentFile=-%E/{unit}.env
ExecStart={command}
# 1 is a confirmed change, 3 something to look at: the service itself has done its work.
SuccessExitStatus=1 3
Nice=10
UMask=0022
NoNewPrivileges=yes
"""
    timer = f"""\
# {unit}.timer: start {unit}.service {schedule.often}.
[Unit]
Description=kb: check the citations in {_systemd_text(schedule.root.name)} {schedule.often}

[Timer]
OnCalendar=*-*-* {at}:{schedule.minute:02}:00
RandomizedDelaySec=120
Persistent=true

[Install]
WantedBy=timers.target
"""
    return [Scheduled(f"{unit}.service", service), Scheduled(f"{unit}.timer", timer)]


def github(schedule: Schedule) -> list[Scheduled]:
    """A workflow that keeps its state in the repository: the archive is committed after each run."""
    at = {1: "* * * *", 24: "5 * * *"}.get(schedule.hours, f"*/{schedule.hours} * * *")
    below = _below_the_repository(schedule.root)
    folder = f"\ndefaults:\n  run:\n    working-directory: {_yaml(below)}\n" if below else ""
    issues = "\n  issues: write       # an issue for each event" if schedule.alerts.github else ""
    variables = "".join(
        f"\n          {name}: ${{{{ {'github.token' if name == 'GITHUB_TOKEN' else f'secrets.{name}'} }}}}"
        for name in schedule.secrets
    )
    secrets = f"\n        env:{variables}" if variables else ""
    text = f"""\
# kb.yml: check the citations {schedule.often}, tell people, and keep what was seen in this repository.
# Install:  kb schedule --github --out .github/workflows   then commit the file and push.
{_secrets(schedule, "# Secrets to add in the repository's settings, under Actions (GITHUB_TOKEN is there):")}\
name: kb

on:
  schedule:
    - cron: "{schedule.minute} {at}"
  workflow_dispatch:

permissions:
  contents: write     # the archive is committed{issues}

# One run at a time; one that waits starts when the other has ended.
concurrency:
  group: kb-{schedule.name}
  cancel-in-progress: false
{folder}
jobs:
  check:
    runs-on: ubuntu-latest
    timeout-minutes: 180
    steps:
      - uses: actions/checkout@v4

      - uses: actions/setup-python@v5
        with:
          python-version: "3.12"

      - name: Install kb
        run: |
          python -m pip install --quiet {shlex.quote(schedule.install)}

      # What was read and judged before; without it all is judged anew, which only takes longer.
      - uses: actions/cache@v4
        with:
          path: {_yaml(f"{below}/kb.cache" if below else "kb.cache")}
          key: kb-{schedule.name}-${{{{ github.run_id }}}}
          restore-keys: kb-{schedule.name}-

      - name: Check what is due, and tell people
        id: check
        run: |
          code=0
          kb check --keep-going --quiet || code=$?
          echo "code=$code" >> "$GITHUB_OUTPUT"{secrets}

      - name: Report
        run: |
          kb report --format md >> "$GITHUB_STEP_SUMMARY" || test $? -eq 1 -o $? -eq 3

      # Also after a failure: what was seen and told must not be forgotten.
      - name: Keep what was seen
        if: always()
        run: |
          mkdir -p snapshots
          git config user.name "kb"
          git config user.email "kb@users.noreply.github.com"
          git add --all -- snapshots ':(exclude,glob)**/.*'
          git diff --cached --quiet && exit 0
          git commit --quiet --message "Keep what kb saw"
          for wait in 0 5 20 60; do
            sleep $wait
            git pull --quiet --rebase && git push --quiet && exit 0
          done
          echo "::error::what was seen could not be pushed; the next run asks again"
          exit 4

      - name: Say how it stands
        run: |
          case "${{{{ steps.check.outputs.code }}}}" in
            0) echo "::notice::all claims are read, fresh and holding" ;;
            1) echo "::error::a change is confirmed; see the summary of this run"; exit 1 ;;
            3) echo "::warning::something is to be looked at; see the summary of this run" ;;
            *) echo "::error::kb check ended with ${{{{ steps.check.outputs.code }}}}; see its step"
               exit "${{{{ steps.check.outputs.code }}}}" ;;
          esac
"""
    return [Scheduled("kb.yml", text)]


def _secrets(schedule: Schedule, what: str) -> str:
    return f"{what}\n#   {' '.join(schedule.secrets)}\n" if schedule.secrets else ""


def _systemd_text(text: str) -> str:
    return re.sub(r"[\x00-\x1f\\]", " ", text).replace("%", "%%")


def _systemd_word(word: str) -> str:
    """A word of ExecStart: quoted, and without what systemd would put something else for."""
    word = word.replace("%", "%%")
    if re.fullmatch(r"[\w@%+=:,./$-]+", word, re.A):
        return word
    return '"' + word.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _yaml(text: str) -> str:
    """A text as a YAML scalar on one line."""
    import json  # a JSON string is a YAML one

    return (
        text if re.fullmatch(r"[A-Za-z][\w./ -]*[\w.]", text, re.A) else json.dumps(text, ensure_ascii=False)
    )


def _below_the_repository(root: Path) -> str:
    """Where the knowledge base lies in its git repository; empty at its top, or where there is none."""
    for folder in (root, *root.parents):
        if (folder / ".git").exists():
            return root.relative_to(folder).as_posix().strip(".")
    return ""
