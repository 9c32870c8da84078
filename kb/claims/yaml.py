"""A claims file's text to nodes, strictly: scalars stay strings, nothing is said twice or by reference."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import yaml
from yaml import MappingNode, Node, ScalarNode, SequenceNode
from yaml.composer import Composer
from yaml.parser import Parser
from yaml.reader import Reader
from yaml.scanner import Scanner

from kb.errors import Problem

Data = Any
"""What nodes hold, as dict, list and str."""

_TAG = "plain"  # what every node without a tag of its own is given
_DEEPEST = 20  # a claims file needs six levels; a deeper one would only exhaust the stack
_PROPERTY = re.compile(r"(?:^|[\s\[{,:?-])[&*!]", re.MULTILINE)


class _Resolver:
    """Leaves scalars as they are written: `1999`, `yes` and `2024-03-18` are texts.

    The composer calls each of these for every node. `str.format` of a text without braces returns
    the text whatever it is given, and costs no Python frame: a tenth of all reading.
    """

    resolve = _TAG.format
    descend_resolver = "".format
    ascend_resolver = "".format


class _PythonLoader(_Resolver, Reader, Scanner, Parser, Composer):
    """For where PyYAML was built without the C library: the same, ten times slower."""

    def __init__(self, stream: str) -> None:
        Reader.__init__(self, stream)
        Scanner.__init__(self)
        Parser.__init__(self)
        Composer.__init__(self)


_Loader: Callable[[str], Any] = _PythonLoader

if yaml.__with_libyaml__:
    from yaml._yaml import CParser

    class _CLoader(_Resolver, CParser):
        def __init__(self, stream: str) -> None:
            CParser.__init__(self, stream)

    _Loader = _CLoader


def compose(text: str, file: str) -> tuple[Node | None, Data, list[Problem]]:
    """The one document of `text`: its nodes with their marks, the same as plain data, and what is wrong.

    Wrong is what is no YAML (then there are no nodes), and what YAML allows and a claims file
    does not: anchors, aliases, tags, a key given twice, a key that is no word. Of a key given
    twice the data has the first, so that the rest of the file can be checked all the same.
    """
    try:
        node = _Loader(text).get_single_node()
    except yaml.YAMLError as error:
        return None, None, [_syntax(error, text, file)]
    except RecursionError:  # the Python loader has no limit of its own
        return None, None, [_too_deep(file, 1, 1)]
    if node is None:
        remedy = "write `source:` and `claims: []`, or delete the file"
        return None, None, [Problem(file, 1, 1, "the file is empty", remedy, rule="empty-file")]
    if not (("&" in text or "*" in text or "!" in text) and _PROPERTY.search(text)):
        try:
            return node, _plain(node), []
        except (_OddError, TypeError, RecursionError):
            pass  # told below, where the walk is slower and knows the places
    walk = _Walk(text, file)
    data = walk.read(node, 0)
    return node, data, walk.problems


def place(node: Node) -> tuple[int, int]:
    """Line and column of a node, from 1."""
    mark = node.start_mark
    return mark.line + 1, mark.column + 1


def entries(node: Node) -> dict[str, tuple[Node, Node]]:
    """A mapping's keys, each with the nodes of key and value, the first of two; empty for other nodes."""
    found: dict[str, tuple[Node, Node]] = {}
    if isinstance(node, MappingNode):
        for key, value in node.value:
            if isinstance(key, ScalarNode):
                found.setdefault(key.value, (key, value))
    return found


class _OddError(Exception):
    """A mapping has a key twice."""


def _plain(node: Node) -> Data:
    if type(node) is ScalarNode:
        return node.value
    if type(node) is SequenceNode:
        return [n.value if type(n) is ScalarNode else _plain(n) for n in node.value]
    pairs = node.value
    data = {k.value: v.value if type(v) is ScalarNode else _plain(v) for k, v in pairs}
    if len(data) != len(pairs):
        raise _OddError
    return data


class _Walk:
    """Finds what a claims file must not have, and reads round it."""

    def __init__(self, text: str, file: str) -> None:
        self.text = text
        self.file = file
        self.problems: list[Problem] = []
        self.seen: set[int] = set()

    def told(self, node: Node, what: str, remedy: str, rule: str) -> None:
        self.problems.append(Problem(self.file, *place(node), what, remedy, rule=rule))

    def read(self, node: Node, depth: int) -> Data:
        """The node's data; a node met again is empty text, so that neither loops nor bombs unfold."""
        if id(node) in self.seen:
            return ""
        self.seen.add(id(node))
        if depth > _DEEPEST:
            self.problems.append(_too_deep(self.file, *place(node)))
            return ""
        self.properties(node)
        if isinstance(node, ScalarNode):
            return node.value
        if isinstance(node, SequenceNode):
            return [self.read(n, depth + 1) for n in node.value]
        return self.mapping(node, depth)

    def properties(self, node: Node) -> None:
        start = self.text[node.start_mark.index : node.start_mark.index + 1]
        if start == "&":
            self.told(
                node, "an anchor (&) is not allowed here", "write the value out where it is meant", "anchor"
            )
        elif start == "!" or node.tag != _TAG:
            self.told(node, "a tag (!) is not allowed here", "leave it out: every value is a text", "tag")

    def mapping(self, node: Node, depth: int) -> Data:
        data: dict[str, Data] = {}
        first: dict[str, Node] = {}
        for key, value in node.value:
            if not isinstance(key, ScalarNode):
                self.told(key, "a key must be one word", "write `key: value`", "bad-key")
                continue
            self.properties(key)
            if key.value in first:
                line = place(first[key.value])[0]
                self.told(
                    key,
                    f'key "{key.value}" is given twice (first in line {line})',
                    "keep one of the two",
                    "duplicate-key",
                )
                self.read(value, depth + 1)
                continue
            first[key.value] = key
            data[key.value] = self.read(value, depth + 1)
        return data


def _too_deep(file: str, line: int, column: int) -> Problem:
    what = f"this is nested more than {_DEEPEST} levels deep"
    return Problem(file, line, column, what, "a claims file needs six", rule="yaml")


_REMEDIES = (
    ("undefined alias", "write the value out, or quote it where it begins with *"),
    ("mapping values are not allowed", 'quote a value that contains ": "'),
    ("cannot start any token", 'quote the value: "…"'),
    ("expected a single document", "keep one document in a file: leave out the line with ---"),
    ("tab character", "indent with spaces"),
    ("unexpected end of stream", "close the quote"),
    ("did not find expected ',' or", "close the bracket, or separate with a comma"),
    ("did not find expected '-' indicator", "align the keys of a claim with its first one, behind the -"),
    ("did not find expected key", "align the keys, and quote a value that begins with a quote or bracket"),
    ("could not find expected ':'", "write `key: value`"),
    ("control characters", "take the character out"),
    ("nesting depth", "a claims file needs six levels"),
)


def _last(text: str) -> tuple[int, int]:
    """Where the text ends, blank lines left out."""
    whole = text.rstrip()
    return whole.count("\n") + 1, len(whole) - whole.rfind("\n")


def _syntax(error: yaml.YAMLError, text: str, file: str) -> Problem:
    """PyYAML's complaint as one line, with its place."""
    if isinstance(error, yaml.MarkedYAMLError):
        what = ", ".join(p for p in (error.context, error.problem) if p)
        line, column = _last(text)
        for mark in (error.problem_mark, error.context_mark):  # the end, or what was never closed before it
            if mark and mark.index < len(text.rstrip()):
                line, column = mark.line + 1, mark.column + 1
                break
    else:
        what = str(getattr(error, "reason", error))
        position = getattr(error, "position", 0)
        line = text.count("\n", 0, position) + 1
        column = position - (text.rfind("\n", 0, position) + 1) + 1
        what = f"unacceptable character U+{ord(text[position : position + 1] or ' '):04X}: {what}"
    remedy = next((r for words, r in _REMEDIES if words in what), "see the YAML of docs/claims.md")
    return Problem(file, line, column, f"this is no YAML: {what}", remedy, rule="yaml")
