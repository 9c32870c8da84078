"""The order of blocks, and the breaks between words, are those of a browser's `innerText`.

Needs a Chromium on the PATH (or named by CHROMIUM); skips without one.
"""

from __future__ import annotations

import html
import json
import os
import re
import shutil
import subprocess
import unicodedata
from pathlib import Path

import pytest

from kb.page import Block, read_page

FOLDER = Path(__file__).parent.parent / "golden" / "page"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "headless_shell")
CHROMIUM = os.environ.get("CHROMIUM") or next((path for name in NAMES if (path := shutil.which(name))), None)
PAGES = sorted(
    path.name for path in FOLDER.glob("*.html") if path.name not in ("latin.html", "template.html")
)

# What a style sheet or a script would show or hide is out of a browser's own hands: the golden pages have
# neither, so the classes and roles that stand for it are hidden by hand, and struck words set aside.
SCRIPT = """<script>
const pages = JSON.parse(document.getElementById('pages').textContent), texts = {};
const gone = 'del,s,strike,noscript,template,option:not([selected]),.tab-pane:not(.active),#acc,[role=tabpanel]#p2';
let left = Object.keys(pages).length;
for (const [name, source] of Object.entries(pages)) {
  const frame = document.createElement('iframe');
  frame.width = 1000; frame.height = 2000; frame.srcdoc = source;
  frame.onload = () => {
    const inside = frame.contentDocument;
    for (const e of inside.querySelectorAll(gone)) e.remove();
    texts[name] = inside.body.innerText;
    if (--left === 0) {
      const pre = document.createElement('pre');
      pre.id = 'kb-texts'; pre.textContent = JSON.stringify(texts);
      document.body.append(pre);
    }
  };
  document.body.append(frame);
}
</script>"""


@pytest.fixture(scope="module")
def browser_texts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What a browser shows of each golden page; one browser for all."""
    folder = tmp_path_factory.mktemp("browser")
    pages = json.dumps({name: (FOLDER / name).read_text(encoding="utf-8") for name in PAGES})
    file = folder / "pages.html"
    file.write_text(
        '<!doctype html><meta charset="utf-8"><body><script type="application/json" id="pages">'
        + pages.replace("<", "\\u003c")
        + f"</script>{SCRIPT}",
        encoding="utf-8",
    )
    done = subprocess.run(
        [str(CHROMIUM), "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder / 'profile'}",
         "--virtual-time-budget=10000", "--dump-dom", file.as_uri()],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    found = re.search(r'<pre id="kb-texts">(.*?)</pre>', done.stdout, re.S)
    if found is None:
        pytest.skip(f"{CHROMIUM} gives no text here: {done.stderr.strip()[-200:]}")
    return json.loads(html.unescape(found.group(1)))


def shown(block: Block) -> bool:
    return block.visible and block.role != "struck" and block.kind != "title"


def breaks(text: str) -> tuple[str, set[int]]:
    """The characters without white space, and before which of them white space stood."""
    text = (
        unicodedata.normalize("NFKC", text).replace("\u00ad", "").replace("\u200b", "").replace("\u2212", "-")
    )
    out: list[str] = []
    at: set[int] = set()
    for word in text.split():
        at.add(sum(map(len, out)))
        out.append(word)
    return "".join(out), at


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on the PATH, and none named by CHROMIUM")
@pytest.mark.parametrize("name", PAGES)
def test_words_come_in_the_browsers_order_and_none_are_glued(
    name: str, browser_texts: dict[str, str]
) -> None:
    theirs, their_breaks = breaks(browser_texts[name])
    page = read_page((FOLDER / name).read_bytes(), content_type="text/html")
    ours, our_breaks = breaks("\n".join(b.text for b in page.blocks if shown(b)))
    assert ours == theirs
    assert their_breaks <= our_breaks


def test_breaks_are_where_white_space_stood() -> None:
    assert breaks("ab c\u00add\n10⁹") == ("abcd109", {0, 2, 4})
