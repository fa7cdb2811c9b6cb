"""Should she answer? A pure decision that says why, taken before anything is kept."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Reason(StrEnum):
    """Why a message is answered or left alone; the set is closed."""

    HERSELF = "herself"
    WEBHOOK = "webhook"
    BOT = "bot"
    SYSTEM = "system"
    EVERYONE = "everyone"
    EMPTY = "empty"
    GROUP = "group"
    DM = "dm"
    MENTION = "mention"
    REPLY = "reply"
    ACTIVE_CHANNEL = "active_channel"
    HER_THREAD = "her_thread"
    NOT_SPOKEN_TO = "not_spoken_to"


@dataclass(frozen=True, slots=True)
class Heard:
    """What the decision rests on.

    ``by_webhook``: sent by a webhook or an application. ``is_system``: a join, a pin, a boost.
    ``is_empty``: neither words nor anything attached. ``mentions_everyone``: ``@everyone`` or
    ``@here`` that pinged. ``mentions_her``: she is mentioned by name or by her own role.
    ``replies_to_her``: an answer to a message of hers, whether or not it pinged her.
    ``in_her_thread``: in a thread she opened, or one that grew from a message of hers or an active channel.
    """

    by_herself: bool = False
    by_webhook: bool = False
    by_bot: bool = False
    is_system: bool = False
    is_empty: bool = False
    in_dm: bool = False
    in_group: bool = False
    mentions_everyone: bool = False
    mentions_her: bool = False
    replies_to_her: bool = False
    in_active_channel: bool = False
    in_her_thread: bool = False


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether she answers, and why."""

    answer: bool
    reason: Reason


def decide(heard: Heard) -> Decision:
    """Decide about one message.

    First who may never be answered (herself, webhooks, other bots: no loop is possible; what is no
    message of a person; announcements to everyone), then who speaks to her. What is not
    addressed to her is neither answered nor kept.
    """
    never = (
        (heard.by_herself, Reason.HERSELF),
        (heard.by_webhook, Reason.WEBHOOK),
        (heard.by_bot, Reason.BOT),
        (heard.is_system, Reason.SYSTEM),
        (heard.in_group, Reason.GROUP),
        (heard.mentions_everyone, Reason.EVERYONE),
        (heard.is_empty, Reason.EMPTY),
    )
    for applies, reason in never:
        if applies:
            return Decision(False, reason)
    addressed = (
        (heard.in_dm, Reason.DM),
        (heard.mentions_her, Reason.MENTION),
        (heard.replies_to_her, Reason.REPLY),
        (heard.in_active_channel, Reason.ACTIVE_CHANNEL),
        (heard.in_her_thread, Reason.HER_THREAD),
    )
    for applies, reason in addressed:
        if applies:
            return Decision(True, reason)
    return Decision(False, Reason.NOT_SPOKEN_TO)
