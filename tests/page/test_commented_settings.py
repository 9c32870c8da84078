"""Files of settings with comments: the comment above a setting and the setting are one entry."""

from __future__ import annotations

import pytest

import kb
from kb.page.commented import commented, commented_parts


@pytest.mark.parametrize(
    ("lines", "names"),
    [
        ("# How many eggs a nest has.\nmax_eggs: 5", ("max_eggs",)),
        ("# How many eggs a nest has.\n#max_eggs: 5", ("max_eggs",)),
        ("# How many eggs a nest has.\n#\n# max-eggs 5", ("max-eggs",)),
        ("; Two of them.\nmax_eggs = 5\nmin_eggs = 2", ("max_eggs", "min_eggs")),
        (
            "# How many.\n# CLI flag: -nest.max-eggs\n[max_eggs: <int> | default = 5]",
            ("-nest.max-eggs", "max_eggs"),
        ),
        (
            "#  TAG: max_eggs old_max_eggs\n#  How many.\n#Default:\n# max_eggs 5",
            ("max_eggs", "old_max_eggs"),
        ),
        ("\t# How many.\n\t# max-eggs: 5", ("max-eggs",)),
        ("# How many.\n# eggs: 5\n# max-eggs: 6", ("eggs", "max-eggs")),
        ("# How many eggs.\n# default: 5", ()),
        ("# A comment alone, which\n# goes on for two lines.", ()),
        ("#include <eggs.h>\nint main() {", ()),
        ("# Heading\nA text below it.", ()),
        ("max_eggs: 5\nmin_eggs: 2", ()),
    ],
)
def test_a_comment_and_its_setting_have_the_settings_name(lines: str, names: tuple[str, ...]) -> None:
    assert commented(lines.split("\n")) == names


def test_a_snippet_of_other_code_is_not_split() -> None:
    assert commented_parts("# Feed them.\nfeed(geese)\n\n# Wait.\nwait(5)") is None


CONFIG = """# Gander configuration.

# How long a drained flock waits, in seconds.
drain_wait: 40

# How long it waits at night, in seconds. The default of a goose is 7 seconds.
drain_wait_night: {night}

# How many geese there may be.
#flock_max: 12
"""


def told(claim: str, text: str, content_type: str) -> tuple[str, object]:
    verdict = kb.judge(kb.Claim.parse(claim), kb.read_page(text.encode(), content_type=content_type))
    return str(verdict.outcome), verdict.found


def test_a_setting_in_a_file_answers_for_its_name() -> None:
    text = CONFIG.format(night=90)
    assert told("gander.yaml drain_wait, default: 40 seconds", text, "text/plain") == ("holds", "40")
    assert told("gander.yaml drain_wait_night, default: 40 seconds", text, "text/plain") == ("drifted", "90")
    assert told("gander.yaml flock_max, default: 12", text, "text/plain") == ("holds", "12")


REFERENCE = """# Gander reference

## pond_config

```yaml
# How often the pond is looked at. Never if 0.
# CLI flag: -pond.look-interval
[look_interval: <duration> | default = {look}]

# How many look at once. All if 0.
# CLI flag: -pond.look-concurrency
[look_concurrency: <int> | default = 3]

# How long a look takes at most.
# CLI flag: -pond.look-timeout
[look_timeout: <duration> | default = 5m]
```
"""


def test_a_flag_in_a_comment_names_the_setting_below_it() -> None:
    claim = "Gander -pond.look-interval, default: 5m"
    assert told(claim, REFERENCE.format(look="15s"), "text/markdown") == ("drifted", "15s")
    assert told(claim, REFERENCE.format(look="5m"), "text/markdown") == ("holds", "5m")
    claim = "Gander -pond.look-concurrency, default: 0"
    assert told(claim, REFERENCE.format(look="15s"), "text/markdown") == ("drifted", "3")


NEST = """server:
\t# serve nests over twig. Give the key to use.
\t# twig-key: "path/to/key"
\t# {name}: {port}
\t# straw-port: 4430
"""


def test_settings_that_are_commented_out_answer_each_for_its_name() -> None:
    text = NEST.format(name="twig-port", port=8530)
    assert told("Nest twig, port: 8530", text, "text/plain") == ("holds", "8530")
    assert told("Nest twig, port: 7070", text, "text/plain") == ("drifted", "8530")
    assert told("Nest straw, port: 4430", text, "text/plain") == ("holds", "4430")
