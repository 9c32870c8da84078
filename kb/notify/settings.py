"""Where alerts go, as kb.toml says it; the secrets themselves stand in the environment."""

from __future__ import annotations

from dataclasses import dataclass

GITHUB = "https://api.github.com"


@dataclass(frozen=True, slots=True)
class GithubSettings:
    """A repository that gets an issue for each event.

    `repository` is `owner/name`, `token` the environment variable that holds the token,
    `api` where the API is, `labels` what each issue gets.
    """

    repository: str
    token: str = "GITHUB_TOKEN"  # noqa: S105 - the variable's name
    api: str = GITHUB
    labels: tuple[str, ...] = ("drift",)


@dataclass(frozen=True, slots=True)
class AlertSettings:
    """Who is told.

    `apprise` names environment variables that hold an Apprise address each; above `digest`
    messages at once there is a single one instead.
    """

    apprise: tuple[str, ...] = ()
    digest: int = 10
    github: GithubSettings | None = None

    def __bool__(self) -> bool:
        return bool(self.apprise or self.github)
