"""Telling people of confirmed changes, each once: events to messages, messages to channels."""

from kb.notify.deliver import Delivery, deliver
from kb.notify.log import undelivered
from kb.notify.settings import AlertSettings, GithubSettings

__all__ = [
    "AlertSettings",
    "Delivery",
    "GithubSettings",
    "deliver",
    "undelivered",
]
