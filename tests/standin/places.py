"""Servers as a test makes them: channels everyone or a few can see, threads, roles, who joins and leaves."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from tests.standin import events, permissions, shapes
from tests.standin.model import (
    PRIVATE_THREAD,
    PUBLIC_THREAD,
    TEXT,
    Application,
    Channel,
    Guild,
    Member,
    Overwrite,
    Role,
    User,
)
from tests.standin.permissions import USUAL, VIEW, bits
from tests.standin.routes_places import announce_thread, leave, start_thread
from tests.standin.world import Event

if TYPE_CHECKING:
    from tests.standin.people import Person
    from tests.standin.server import StandIn


class Server:
    """A guild, with the hands of its owner."""

    def __init__(self, discord: StandIn, guild: Guild) -> None:
        self._discord = discord
        self._world = discord.world
        self.guild = guild
        self.general = self.channel("general")

    @classmethod
    def found(
        cls,
        discord: StandIn,
        name: str,
        people: list[Person],
        owner: Person | None,
        locale: str,
        *,
        with_bot: bool,
    ) -> Server:
        """A new server; without people somebody unknown owns it."""
        world = discord.world
        boss = owner or (people[0] if people else discord.person(f"{name.lower()}-owner"))
        guild = Guild(world.new_id(), name, boss.id, locale)
        guild.roles[guild.id] = Role(guild.id, "@everyone", USUAL)
        world.guilds[guild.id] = guild
        server = cls(discord, guild)
        for person in dict.fromkeys([boss, *people]):
            server.join(person)
        if with_bot:
            server.invite(discord.bot)
        return server

    @property
    def id(self) -> int:
        """The guild's id."""
        return self.guild.id

    # Channels

    def channel(self, name: str, *, nsfw: bool = False) -> Channel:
        """A text channel everyone on the server sees."""
        return self._open(Channel(self._world.new_id(), TEXT, name, self.guild, nsfw=nsfw))

    def private_channel(self, name: str, people: Iterable[Person] = (), *, with_bot: bool = True) -> Channel:
        """A text channel only these people (and the owner, and the bot) see."""
        channel = Channel(self._world.new_id(), TEXT, name, self.guild)
        channel.overwrites[self.guild.id] = Overwrite(0, deny=VIEW)
        users = [one.user for one in people] + ([self._discord.bot.user] if with_bot else [])
        for user in users:
            channel.overwrites[user.id] = Overwrite(1, allow=VIEW)
        return self._open(channel)

    def _open(self, channel: Channel) -> Channel:
        channel.position = len(self.guild.channels)
        self.guild.channels[channel.id] = channel
        self._world.channels[channel.id] = channel
        self._tell("CHANNEL_CREATE", channel)
        return channel

    def thread(
        self,
        parent: Channel,
        name: str,
        owner: Person,
        people: Iterable[Person] = (),
        *,
        private: bool = False,
        with_bot: bool = True,
    ) -> Channel:
        """A thread somebody opens; a private one is seen by those added to it."""
        kind = PRIVATE_THREAD if private else PUBLIC_THREAD
        thread = start_thread(self._world, parent, name, owner.user, kind)
        for one in people:
            thread.thread_members[one.id] = self._world.now()
        if with_bot:
            thread.thread_members[self._discord.bot.user.id] = self._world.now()
            if private:
                announce_thread(self._world, thread)
        return thread

    def archive(self, thread: Channel, *, locked: bool = False) -> None:
        """Put a thread away; unless it is locked the next message brings it back."""
        thread.archived, thread.locked = True, locked
        self._tell("THREAD_UPDATE", thread)

    def remove_channel(self, channel: Channel) -> None:
        """Delete a channel."""
        shape = shapes.channel(channel)
        name = "THREAD_DELETE" if channel.parent else "CHANNEL_DELETE"
        self._world.emit(Event(name, lambda _a, _i: shape, self.guild, channel))
        del self.guild.channels[channel.id]
        del self._world.channels[channel.id]

    def rule(
        self,
        channel: Channel,
        who: Person | Role | Application,
        *,
        allow: Iterable[str] = (),
        deny: Iterable[str] = (),
    ) -> None:
        """Permissions of a role, a person or a bot in one channel, by discord.py's names."""
        number, kind = (who.id, 0) if isinstance(who, Role) else (who.user.id, 1)
        channel.overwrites[number] = Overwrite(kind, bits(*allow), bits(*deny))
        self._tell("CHANNEL_UPDATE", channel)

    @property
    def everyone(self) -> Role:
        """The @everyone role."""
        return self.guild.roles[self.guild.id]

    def _tell(self, name: str, channel: Channel) -> None:
        self._world.emit(Event(name, lambda _a, _i: shapes.channel(channel), self.guild, channel))

    # Roles and members

    def role(self, name: str, *granted: str, mentionable: bool = False) -> Role:
        """A new role with these permissions."""
        role = Role(self._world.new_id(), name, bits(*granted), len(self.guild.roles), mentionable)
        self.guild.roles[role.id] = role
        shape = {"guild_id": str(self.guild.id), "role": shapes.role(role)}
        self._world.emit(Event("GUILD_ROLE_CREATE", lambda _a, _i: shape, self.guild))
        return role

    def give(self, who: Person | Application, role: Role) -> None:
        """Give somebody a role."""
        self.guild.members[who.user.id].roles.append(role.id)
        self._member_event("GUILD_MEMBER_UPDATE", self.guild.members[who.user.id])

    def join(self, person: Person, nick: str | None = None) -> None:
        """Somebody joins."""
        self._enter(person.user, nick)

    def nickname(self, who: Person | Application, nick: str | None) -> None:
        """Somebody goes by another name here."""
        self.guild.members[who.user.id].nick = nick
        self._member_event("GUILD_MEMBER_UPDATE", self.guild.members[who.user.id])

    def _enter(self, user: User, nick: str | None) -> None:
        member = Member(user, self._world.now(), nick)
        self.guild.members[user.id] = member
        self._member_event("GUILD_MEMBER_ADD", member)

    def _member_event(self, name: str, member: Member) -> None:
        shape: dict[str, Any] = shapes.member(member) | {"guild_id": str(self.guild.id)}
        self._world.emit(Event(name, lambda _a, _i: shape, self.guild, about=member.user))

    def leave(self, who: Person | Application) -> None:
        """Somebody leaves or is thrown out."""
        leave(self._world, self.guild, who.user)

    def invite(self, bot: Application) -> None:
        """A bot is added to the server."""
        self._enter(bot.user, None)
        self._world.emit(
            Event(
                "GUILD_CREATE", lambda _a, i: events.guild_for(self.guild, bot.user, i), self.guild, only=bot
            )
        )

    def permissions_of(self, who: Person | Application, channel: Channel) -> int:
        """What somebody may do in a channel."""
        return permissions.in_channel(channel, who.user)
