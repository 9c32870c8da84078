"""The tour's knowledge base without its server: the same pages on the same days, at times that never change."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

from kb.app.base import KnowledgeBase
from kb.app.build import build
from kb.demo.server import DemoSite
from kb.demo.tour import STORY, prepare
from kb.report import Summary, summarise
from kb.snapshots import Exchange
from kb.store import open_rows

FIRST = datetime(2026, 11, 1, tzinfo=UTC)
SITE = "https://demo.example"


def make(folder: Path, visits: int = len(STORY)) -> KnowledgeBase:
    """Make the knowledge base in `folder`, as it is after so many visits."""
    prepare(folder, SITE, FIRST)
    kb = KnowledgeBase.open(folder, today=moment(visits).date())
    for number in range(visits):
        visit(kb, number)
    build(kb, jobs=1)
    return kb


def visit(kb: KnowledgeBase, number: int) -> None:
    """Keep what every source says on a visit of the story, from 0."""
    step = STORY[number]
    with DemoSite() as site:  # which is asked for its pages in words, not through its socket
        site.day = step.day
        now = FIRST + timedelta(days=step.day - 1, hours=step.hour)
        with kb.archive.begin(now) as run:
            for place, url in enumerate(sorted({s.url for s in kb.claims.sources if s.url})):
                run.keep(_asked(site, url, now + timedelta(seconds=place)))


def moment(visits: int = len(STORY)) -> datetime:
    """A minute after that visit."""
    step = STORY[visits - 1]
    return FIRST + timedelta(days=step.day - 1, hours=step.hour, minutes=1)


def summary(kb: KnowledgeBase, visits: int = len(STORY), **settings: object) -> Summary:
    """What the report is made of just after that visit."""
    with open_rows(kb.database) as rows:
        return summarise(rows, moment(visits), **settings)  # type: ignore[arg-type]


def _asked(site: DemoSite, url: str, time: datetime) -> Exchange:
    path = urlsplit(url).path
    status, headers, body = site.answer(path)
    answered = url
    if "Location" in headers:
        answered = SITE + urlsplit(headers["Location"]).path
        status, headers, body = site.answer(urlsplit(answered).path)
    return Exchange(url, answered, time, status, tuple(headers.items()), body)
