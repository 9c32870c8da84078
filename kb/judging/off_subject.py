"""Values at a place of the page that does not speak of the claim, where no earlier page is known."""

from __future__ import annotations

from typing import NamedTuple

from kb.judging import thresholds as t
from kb.judging.fit import KIN_BARE, Fit
from kb.judging.mention import Mention


class Spoken(NamedTuple):
    """What is said of a claim at one value, each 0 to 1.

    Attributes:
        subject: how well the words around it name the subject.
        attribute: likewise the attribute.
        nowhere: what the heaviest word of the subject weighs that the page has nowhere.
        behind: how far its block is behind the one that says most of the claim, 0 to -1.
        says: how much of the claim's words its block says.
        unsaid: what is lacking of both parts though the page says it.
        called: whether its row or column is called by words of the subject alone.
        labelled: whether words of the claim label it.
    """

    subject: float
    attribute: float
    nowhere: float
    behind: float
    says: float
    unsaid: float
    called: bool
    labelled: bool


def is_off(mention: Mention, fit: Fit, said: Spoken) -> bool:
    """Whether a value stands where the page does not speak of the claim at all.

    Next to nothing of the subject is said there; or, of another value than ours, less than half of it and
    hardly anything of the attribute, or neither one's most telling word, which the page says elsewhere.
    """
    if mention.textual:  # a slot's whole text answers whatever its labels ask
        return not fit.answer.holds and fit.kin <= KIN_BARE and said.attribute < t.SLOT_BARE
    if _says_most(fit, said):
        return False
    if said.subject < t.HARDLY_NAMED and said.nowhere < t.OWN_WORDS and not said.called:
        return True
    if fit.answer.holds:
        return False
    bare = said.attribute < t.ATTRIBUTE_BARE or said.unsaid > t.UNSAID
    return bare and said.subject < t.SUBJECT_BARE


def is_unnamed(mention: Mention, fit: Fit, said: Spoken) -> bool:
    """Whether our number stands where next to nothing of the claim is said: any page may have it."""
    if mention.textual or not fit.answer.holds or _says_most(fit, said):
        return False
    hardly = said.subject < t.HARDLY_NAMED and said.attribute < t.ATTRIBUTE_SAID
    return hardly and not (said.called or said.labelled)


def _says_most(fit: Fit, said: Spoken) -> bool:
    """Whether our value stands where the page says as much of the claim as anywhere, and so speaks of it."""
    return fit.answer.holds and said.behind >= t.SAYS_MOST and said.says >= t.SAYS_LEAST
