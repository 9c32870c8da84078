"""Changes to one value of a claims file that a person wrote: all other lines stay as they are."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

from yaml import MappingNode, Node, ScalarNode, SequenceNode

from kb.claims.claim import Accepted, Claim, Was
from kb.claims.entry import VALUE_KEYS
from kb.claims.figures import read_figure
from kb.claims.source import Source
from kb.claims.write import accepted_pairs, flow_mapping, flow_value, scalar, was_pairs, write_claim
from kb.claims.yaml import compose, entries
from kb.errors import ClaimsError, UsageError
from kb.quantity import parse_date

Value = str | tuple[str, ...]


def set_value(text: str, name: str, value: Value, key: str | None = None) -> str:
    """The file's text with another value for one claim.

    Args:
        text: the file, with its own line ends.
        name: the claim's id inside the file.
        value: a tuple for a list.
        key: the key that states it from now on; None: the one that does.

    Raises:
        ClaimsError: the file is no claims file, or could not be changed there.
        UsageError: it has no such claim, the claim is calculated, or the value is no figure or
            date where one belongs.
    """
    return _File(text).set_value(name, value, key)


def take_over(text: str, name: str, found: Value, on: str, why: str, key: str | None = None) -> str:
    """The file's text where the page's value becomes the claim's, and the old one goes into `was`.

    `on` is the last day on which the old one was in force. Otherwise as `set_value`.
    """
    file = _File(text)
    old, old_key = file.stated(name)
    was = Was(value=old, until=on, why=why, kind=old_key)
    return _File(file.set_value(name, found, key)).add_was(name, was)


def keep(text: str, name: str, found: Value, on: str, why: str) -> str:
    """The file's text where a claim says that we know of the page's value and keep ours."""
    return _File(text).set_accepted(name, Accepted(found=found, on=on, why=why))


def add_claims(text: str, source: Source, claims: Sequence[Claim]) -> str:
    """The file's text with claims of `source` more, at the end of its list.

    Raises:
        ClaimsError: the file is no claims file, or its list is written in brackets.
        UsageError: a claim's id is taken, or does not belong to the source.
    """
    return _File(text).add_claims(source, claims)


def set_url(text: str, url: str) -> str:
    """The file's text with another address for its source."""
    return _File(text).set_url(url)


class _File:
    """A claims file's text with its nodes; each change gives a new text, and is read back."""

    def __init__(self, text: str) -> None:
        self.mark = "\ufeff" if text.startswith("\ufeff") else ""  # a byte order mark stays
        text = text.removeprefix("\ufeff")
        node, data, problems = compose(text, "the claims file")
        if problems or not isinstance(node, MappingNode):
            raise ClaimsError(problems or "the claims file is not made of `key: value`")
        self.text = text
        self.data: Any = data
        self.node = node
        self.line_end = "\r\n" if "\r\n" in text else "\n"

    def claim(self, name: str) -> tuple[MappingNode, int]:
        listed = entries(self.node).get("claims")
        for i, node in enumerate(listed[1].value if listed else ()):
            at = entries(node).get("id")
            if at and at[1].value == name:
                return node, i
        raise UsageError(f'the file has no claim "{name}"; write an `id` that stands in it')

    def stated(self, name: str) -> tuple[Value, str]:
        """A claim's present value and its key."""
        node, i = self.claim(name)
        data = self.data["claims"][i]
        if "formula" in data:
            raise UsageError(f'"{name}" is calculated; change what it is calculated from')
        key = next((k for k in VALUE_KEYS if k in entries(node)), None)
        if key is None:
            raise UsageError(f'"{name}" states nothing; it needs one of {", ".join(VALUE_KEYS)}')
        value = data[key]
        return (tuple(value) if isinstance(value, list) else value), key

    def set_value(self, name: str, value: Value, key: str | None) -> str:
        node, i = self.claim(name)
        old_key = self.stated(name)[1]
        key = key or ("list" if isinstance(value, tuple) else "text" if old_key == "list" else old_key)
        value = self.fit(value, key, self.data["claims"][i])
        key_node, value_node = entries(node)[old_key]
        start, end = value_node.start_mark.index, self.end(value_node)
        if isinstance(value, tuple):
            new = self.listed(value, value_node, _in_brackets(node))
        else:
            new = scalar(value, flow=_in_brackets(node))
        if (
            isinstance(value_node, SequenceNode)
            and not _in_brackets(value_node)
            and not isinstance(value, tuple)
        ):
            start, new = key_node.end_mark.index, f": {new}"  # the block below the key goes, colon and all
        text = self.text[:start] + new + self.text[end:]
        if key != old_key:
            at = key_node.start_mark.index
            text = text[:at] + key + text[key_node.end_mark.index :]
        wanted = copy.deepcopy(self.data)
        entry = wanted["claims"][i]
        del entry[old_key]
        entry[key] = list(value) if isinstance(value, tuple) else value
        return self.checked(text, wanted)

    def fit(self, value: Value, key: str, claim: dict[str, Any]) -> Value:
        """The value as its key takes it: a date in ISO form, a figure that can be read."""
        if isinstance(value, tuple) != (key == "list"):
            raise UsageError(f"{flow_value(value)} is no value for `{key}`; name the key that takes it")
        if key == "figure" and isinstance(value, str):
            problem = read_figure(value, claim.get("attribute", ""), claim.get("per"))[1]
            if problem:
                raise UsageError(f"{problem[0]}; {problem[1] or 'write it by hand'}")
        if key == "date" and isinstance(value, str):
            day = parse_date(value)
            if day.readings:
                raise UsageError(
                    f'"{value}" may be {" or ".join((day.value, *day.readings))}; write it by hand'
                )
            return day.value
        return value

    def listed(self, values: tuple[str, ...], node: Node, flow: bool) -> str:
        """A list in the form of the one it replaces."""
        if not isinstance(node, SequenceNode) or _in_brackets(node) or flow:
            return flow_value(values)
        space = self.line_end + " " * node.start_mark.column
        return space.join(f"- {scalar(v)}" for v in values)

    def add_was(self, name: str, was: Was) -> str:
        node, i = self.claim(name)
        entry = flow_mapping(was_pairs(was, was.kind))
        wanted = copy.deepcopy(self.data)
        as_data = {
            was.kind: list(was.value) if isinstance(was.value, tuple) else was.value,
            "until": was.until,
        }
        if was.why:
            as_data["why"] = was.why
        wanted["claims"][i].setdefault("was", []).append(as_data)
        at = entries(node).get("was")
        if at is None:
            text = self.added(node, f"was: [{entry}]", ["was:", f"  - {entry}"])
        elif _in_brackets(at[1]):
            text = self.before_bracket(at[1], entry)
        else:
            end = self.line_after(self.end(at[1]))
            text = (
                f"{self.text[:end]}{self.line_end}{' ' * at[1].start_mark.column}- {entry}{self.text[end:]}"
            )
        return self.checked(text, wanted)

    def set_accepted(self, name: str, accepted: Accepted) -> str:
        node, i = self.claim(name)
        entry = f"accepted: {flow_mapping(accepted_pairs(accepted))}"
        wanted = copy.deepcopy(self.data)
        found = list(accepted.found) if isinstance(accepted.found, tuple) else accepted.found
        as_data: dict[str, Any] = {"found": found, "on": accepted.on}
        if accepted.why:
            as_data["why"] = accepted.why
        wanted["claims"][i]["accepted"] = as_data
        at = entries(node).get("accepted")
        if at is None:
            text = self.added(node, entry, [entry])
        else:
            text = self.text[: at[0].start_mark.index] + entry + self.text[self.end(at[1]) :]
        return self.checked(text, wanted)

    def add_claims(self, source: Source, claims: Sequence[Claim]) -> str:
        listed = entries(self.node).get("claims")
        if listed is None or not isinstance(listed[1], SequenceNode):
            raise ClaimsError("the file has no list of claims; add `claims: []`")
        at = listed[1]
        taken = {c.get("id") for c in self.data["claims"]}
        for claim in claims:
            if (claim.id or "").rpartition(".")[2] in taken:
                raise UsageError(f'the file has a claim "{claim.id}" already; give the new one another id')
        if at.value and _in_brackets(at):
            raise ClaimsError("the file's claims are written in brackets; add the new ones by hand")
        indent = at.start_mark.column if at.value else 2
        lines = [line for claim in claims for line in write_claim(claim, source, indent)]
        added = "".join(self.line_end + line for line in lines)
        if at.value:
            end = self.line_after(self.end(at))
            text = self.text[:end] + added + self.text[end:]
        else:  # `claims: []`
            text = self.text[: listed[0].end_mark.index] + ":" + added + self.text[at.end_mark.index :]
        wanted = copy.deepcopy(self.data)
        wanted["claims"] += compose("\n".join(lines), "the new claims")[1]
        return self.checked(text, wanted)

    def set_url(self, url: str) -> str:
        source = entries(self.node).get("source")
        at = entries(source[1]).get("url") if source else None
        if source is None or at is None:
            raise UsageError("the file has no source with a url; add one by hand")
        new = scalar(url, flow=_in_brackets(source[1]))
        text = self.text[: at[1].start_mark.index] + new + self.text[self.end(at[1]) :]
        wanted = copy.deepcopy(self.data)
        wanted["source"]["url"] = url
        return self.checked(text, wanted)

    # Places

    def end(self, node: Node) -> int:
        """Where a node's own text ends; the parser's mark lies before the next token, beyond comments."""
        if isinstance(node, ScalarNode):
            if node.style in ("|", ">"):
                start = node.start_mark.index
                return start + len(self.text[start : node.end_mark.index].rstrip())
            return int(node.end_mark.index)
        if _in_brackets(node) or not node.value:
            return int(node.end_mark.index)
        last = node.value[-1]
        return self.end(last[1] if isinstance(node, MappingNode) else last)

    def line_after(self, index: int) -> int:
        """The end of the line that `index` lies in, any comment included."""
        end = self.text.find("\n", index)
        end = len(self.text) if end < 0 else end
        return end - 1 if end > index and self.text[end - 1] == "\r" else end

    def added(self, claim: MappingNode, flow: str, block: list[str]) -> str:
        """The text with a key more at the end of a claim."""
        if _in_brackets(claim):
            return self.before_bracket(claim, flow)
        end = self.line_after(self.end(claim))
        space = self.line_end + " " * claim.start_mark.column
        return self.text[:end] + "".join(space + line for line in block) + self.text[end:]

    def before_bracket(self, node: Node, entry: str) -> str:
        """The text with an entry more at the end of a flow collection."""
        close = node.end_mark.index - 1
        before = self.text[:close].rstrip()
        comma = " " if before.endswith((",", "[", "{")) else ", "
        return before + (comma if not before.endswith(("[", "{")) else "") + entry + self.text[close:]

    def checked(self, text: str, wanted: Any) -> str:
        """`text`, if it reads as what was wanted and nothing else changed.

        Raises:
            ClaimsError: it does not, as the file is written in a way that this module does not expect.
        """
        data = compose(text, "the claims file")[1]
        if data != wanted:
            raise ClaimsError(
                "the value stands in the file in a way that kb cannot change; change it by hand"
            )
        return self.mark + text


def _in_brackets(node: Node) -> bool:
    """Whether a list or mapping is written in brackets."""
    return bool(getattr(node, "flow_style", False))
