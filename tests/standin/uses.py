"""Interactions as a person makes them, what their own client refuses, and a handle on the answer."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from tests.standin import forms, options, permissions, shapes
from tests.standin.checks import BUTTON, LINK, PREMIUM, SELECTS, walk
from tests.standin.errors import Refused, Unanswered
from tests.standin.model import (
    AUTOCOMPLETE,
    COMMAND,
    COMPONENT,
    MODAL_SUBMIT,
    Application,
    Channel,
    Interaction,
    Message,
    User,
)
from tests.standin.routes_answers import DEFER_UPDATE
from tests.standin.world import Event, World


class Use:
    """One use of something, and what came of it."""

    def __init__(self, world: World, interaction: Interaction) -> None:
        self._world = world
        self.interaction = interaction

    async def acknowledged(self) -> int:
        """The kind of the first answer; :class:`Unanswered` once the window has passed without one."""
        one = self.interaction
        left = one.created + self._world.ack_window - self._world.steady()
        try:
            return await self._world.until(lambda: one.acknowledged, max(left, 0.0), "an acknowledgement")
        except TimeoutError:
            raise Unanswered(f"interaction {one.id} got no answer in {self._world.ack_window} s") from None

    @property
    def took(self) -> float:
        """Seconds until the acknowledgement."""
        if self.interaction.acknowledged_at is None:
            raise Unanswered("not acknowledged")
        return self.interaction.acknowledged_at - self.interaction.created

    async def reply(self, within: float = 2.0) -> Message:
        """The answer's message, once it no longer says "is thinking".

        A component may announce a change of its own message: then that, once it is changed, or
        what is said instead.
        """
        announced = await self.acknowledged() == DEFER_UPDATE

        def shown() -> Message | None:
            one = self.interaction
            if announced and not one.edits:
                return next((each for each in one.messages if each is not one.original), None)
            return one.original if one.original is not None and not one.original.loading else None

        return await self._world.until(shown, within, "the answer")

    async def follow_up(self, number: int = 1, within: float = 2.0) -> Message:
        """The nth message after the answer itself."""

        def shown() -> Message | None:
            later = [one for one in self.interaction.messages if one is not self.interaction.original]
            return later[number - 1] if len(later) >= number else None

        return await self._world.until(shown, within, f"follow-up {number}")

    async def modal(self) -> dict[str, Any]:
        """The form it opened."""
        await self.acknowledged()
        if self.interaction.modal is None:
            raise AssertionError("the answer was no form")
        return self.interaction.modal

    async def choices(self) -> list[dict[str, Any]]:
        """The suggestions of an autocomplete."""
        await self.acknowledged()
        return self.interaction.choices or []

    def expire(self) -> None:
        """Let the fifteen minutes of its token be over."""
        self.interaction.expired = True


class Uses:
    """What one person does with bots."""

    def __init__(self, world: World, user: User) -> None:
        self._world = world
        self._user = user

    def slash(self, bot: Application, channel: Channel, name: str, values: Mapping[str, Any]) -> Use:
        """Use a slash command."""
        return self._command(bot, channel, name, options.Filled(values))

    def typing(
        self,
        bot: Application,
        channel: Channel,
        name: str,
        focused: str,
        typed: str,
        values: Mapping[str, Any],
    ) -> Use:
        """Type into an option with autocomplete."""
        return self._command(bot, channel, name, options.Filled({**values, focused: typed}, focused))

    def _command(self, bot: Application, channel: Channel, name: str, filled: options.Filled) -> Use:
        path = name.split()
        command = options.find(bot, channel, path[0], 1, self._user.locale)
        options.may_use(command, channel, self._user)
        made = options.Maker(self._world, channel, self._user.locale).fill(command, path[1:], filled)
        data = {"id": command["id"], "name": command["name"], "type": 1} | made
        if "guild_id" in command:
            data["guild_id"] = command["guild_id"]
        return self._send(bot, channel, AUTOCOMPLETE if filled.focused else COMMAND, data)

    def menu(self, bot: Application, channel: Channel, name: str, target: Message | User) -> Use:
        """Use a context menu."""
        command = options.find(bot, channel, name, 3 if isinstance(target, Message) else 2, self._user.locale)
        options.may_use(command, channel, self._user)
        data = {
            "id": command["id"],
            "name": command["name"],
            "type": command["type"],
            "target_id": str(target.id),
        }
        if isinstance(target, Message):
            self._look_at(target)
            data["resolved"] = {"messages": {str(target.id): shapes.message(target)}}
        else:
            data["resolved"] = options.Maker(self._world, channel).resolved_user(target)
        return self._send(bot, channel, COMMAND, data)

    def click(self, message: Message, button: str | None) -> Use:
        """Press a button."""
        self._look_at(message)
        buttons = [one for one in walk(message.components) if one["type"] == BUTTON]
        one = _named(buttons, button, "button")
        if one.get("disabled"):
            raise Refused("the button is disabled")
        if one["style"] in {LINK, PREMIUM}:
            raise Refused("the button only opens a link")
        data = {"custom_id": one["custom_id"], "component_type": BUTTON, "id": one["id"]}
        return self._component(message, data)

    def select(self, message: Message, values: Sequence[Any], menu: str | None) -> Use:
        """Choose in a select."""
        self._look_at(message)
        one = _named([each for each in walk(message.components) if each["type"] in SELECTS], menu, "select")
        if one.get("disabled"):
            raise Refused("the select is disabled")
        chosen, resolved = forms.chosen(one, values, options.Maker(self._world, message.channel))
        data = {
            "custom_id": one["custom_id"],
            "component_type": one["type"],
            "id": one["id"],
            "values": chosen,
        }
        if resolved:
            data["resolved"] = resolved
        return self._component(message, data)

    def submit(self, use: Use, values: Mapping[str, Any]) -> Use:
        """Send a form."""
        source = use.interaction
        if source.modal is None:
            raise Refused("no form is open")
        parts, resolved = forms.filled(source.modal, values, options.Maker(self._world, source.channel))
        data: dict[str, Any] = {"custom_id": source.modal["custom_id"], "components": parts}
        if resolved:
            data["resolved"] = resolved
        return self._send(source.application, source.channel, MODAL_SUBMIT, data, source.message, source)

    def _look_at(self, message: Message) -> None:
        hidden = message.ephemeral_to not in (None, self._user)
        if message.deleted or hidden or not permissions.can_see(message.channel, self._user):
            raise Refused(f"{self._user.name} doesn't see this message")

    def _component(self, message: Message, data: dict[str, Any]) -> Use:
        bot = self._world.bot_of(message.author)
        if bot is None:
            raise Refused("no bot wrote this")
        return self._send(bot, message.channel, COMPONENT, data, message)

    def _send(
        self,
        bot: Application,
        channel: Channel,
        kind: int,
        data: dict[str, Any],
        message: Message | None = None,
        source: Interaction | None = None,
    ) -> Use:
        if not permissions.can_see(channel, self._user):
            raise Refused(f"{self._user.name} doesn't see this place")
        number, token = self._world.new_id(), secrets.token_urlsafe(24)
        made = Interaction(
            number,
            token,
            kind,
            bot,
            self._user,
            channel,
            data,
            self._world.steady(),
            message=message,
            source=source,
        )
        self._world.interactions[number] = self._world.by_token[token] = made
        shape = self._shape(made)
        self._world.emit(Event("INTERACTION_CREATE", lambda _a, _i: shape, channel.guild, only=bot))
        return Use(self._world, made)

    def _shape(self, one: Interaction) -> dict[str, Any]:
        channel, guild = one.channel, one.channel.guild
        held = str(permissions.in_channel(channel, self._user))
        shape: dict[str, Any] = {
            "id": str(one.id),
            "application_id": str(one.application.id),
            "type": one.kind,
            "data": one.data,
            "channel": shapes.channel(channel) | ({"permissions": held} if guild else {}),
            "channel_id": str(channel.id),
            "token": one.token,
            "version": 1,
            "app_permissions": str(permissions.in_channel(channel, one.application.user)),
            "locale": self._user.locale,
            "entitlements": [],
            "entitlement_sku_ids": [],
            "authorizing_integration_owners": {"0": str(guild.id) if guild else "0"},
            "context": 0 if guild else 1,
            "attachment_size_limit": self._world.attachment_size_limit,
        }
        if guild is not None:
            shape["guild_id"] = str(guild.id)
            shape["guild"] = {"id": str(guild.id), "locale": guild.locale, "features": []}
            shape["guild_locale"] = guild.locale
            shape["member"] = shapes.member(guild.members[self._user.id]) | {"permissions": held}
        else:
            shape["user"] = shapes.user(self._user)
        if one.message is not None:
            shape["message"] = shapes.message(one.message)
        return shape


def _named(components: list[Any], name: str | None, what: str) -> Any:
    if name is None:
        if len(components) != 1:
            raise Refused(f"{len(components)} {what}s here: name one")
        return components[0]
    for one in components:
        known = {
            one.get("custom_id"),
            one.get("label"),
            one.get("placeholder"),
            (one.get("emoji") or {}).get("name"),
        }
        if name in known:
            return one
    raise Refused(f"no {what} {name!r} here")
