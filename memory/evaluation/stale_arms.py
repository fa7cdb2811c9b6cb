"""Three memories that answer the same timelines: plain similarity, a dated store with gates, and this one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from llm.protocols import Embedder, Vector
from memory.clock import SettableClock
from memory.context import render_context
from memory.evaluation.shown import Line, Shown, read_context
from memory.evaluation.timeline import Timeline
from memory.extraction.types import ExtractionRequest, Fact
from memory.lexical import embedding_text
from memory.messages import Message
from memory.model import Category
from memory.policy import MemoryPolicy
from memory.relations.types import Relation, Statement
from memory.service import MemoryService, Models, StoreLocation, open_memory
from memory.wording import clock_anchor, said_ago

# The figures of the dated store: cosine distances of its two gates, days until a plan leaves, judged at most.
DUPLICATE_DISTANCE = 0.25
GRAY_DISTANCE = 0.45
EXPIRES_AFTER = timedelta(days=14)
JUDGED_AT_MOST = 3


@dataclass(frozen=True, slots=True)
class Answer:
    """The context one arm gives for a question, and its lines."""

    context: str
    shown: Shown


async def answer_by_similarity(
    timelines: Sequence[Timeline], embedder: Embedder, kept: int
) -> Mapping[str, Answer]:
    """Show the ``kept`` sentences nearest to the question of everything ever said: no time, no places."""
    answers: dict[str, Answer] = {}
    for timeline in timelines:
        vectors = await embedder.embed_documents([m.text for m in timeline.said]) if timeline.said else []
        query = await embedder.embed_query(timeline.ask.text)
        order = _nearest(query, vectors)[:kept]
        lines = [Line(f"- {timeline.said[i].text}") for i in order]
        answers[timeline.id] = Answer("\n".join(one.text for one in lines), Shown(tuple(lines)))
    return answers


@dataclass(slots=True)
class _Dated:
    """A fact of the dated store."""

    text: str
    category: Category
    said_at: datetime
    vector: Vector
    archived: bool = False


async def answer_by_dated_store(
    timelines: Sequence[Timeline], models: Models, kept: int
) -> Mapping[str, Answer]:
    """Show facts with how long ago they were said and the present moment; the reader does the rest.

    A new fact nearer than the first gate is skipped, one inside the second is put to the judge; plans
    leave a fortnight after they were said. The phrase a date was said in stays in the sentence.
    """
    answers: dict[str, Answer] = {}
    for timeline in timelines:
        store: list[_Dated] = []
        for message in timeline.said:
            for fact in await _facts(message, models):
                await _remember(store, fact, message, models)
        answers[timeline.id] = await _dated_answer(timeline, store, models.embedder, kept)
    return answers


async def _facts(message: Message, models: Models) -> Sequence[Fact]:
    request = ExtractionRequest(
        text=message.text, said_at=message.said_at, zone=message.zone, language=message.language
    )
    return (await models.extractor.extract(request)).facts


async def _remember(store: list[_Dated], fact: Fact, message: Message, models: Models) -> None:
    text = fact.text if not fact.when_text or fact.when_text in fact.text else fact.quote
    (vector,) = await models.embedder.embed_documents([embedding_text(text)])
    live = [one for one in store if not one.archived]
    near = sorted(((float(1.0 - one.vector @ vector), place) for place, one in enumerate(live)))
    if near and near[0][0] < DUPLICATE_DISTANCE:
        return
    gray = [(distance, live[place]) for distance, place in near if distance < GRAY_DISTANCE][:JUDGED_AT_MOST]
    if gray:
        new = Statement(text, category=fact.category, language=fact.language)
        known = [
            Statement(one.text, category=one.category, language=fact.language, distance=distance)
            for distance, one in gray
        ]
        verdicts = [verdict.relation for verdict in await models.judge.judge(new, known)]
        for (_, one), relation in zip(gray, verdicts, strict=True):
            one.archived = relation is Relation.CONTRADICT
        if Relation.DUPLICATE in verdicts:
            return
    store.append(_Dated(text, fact.category, message.said_at, vector))


async def _dated_answer(timeline: Timeline, store: Sequence[_Dated], embedder: Embedder, kept: int) -> Answer:
    ask = timeline.ask
    live = [
        one
        for one in store
        if not one.archived
        and not (one.category is Category.SCHEDULE and ask.said_at - one.said_at > EXPIRES_AFTER)
    ]
    query = await embedder.embed_query(ask.text)
    order = _nearest(query, [one.vector for one in live])[:kept]
    lines = [
        Line(
            f"- [{said_ago(live[i].said_at, ask.said_at, ask.zone, ask.language)}] "
            f"({live[i].category}) {live[i].text}"
        )
        for i in order
    ]
    anchor = clock_anchor(ask.said_at, ask.zone, ask.language)
    return Answer("\n".join([anchor, *(one.text for one in lines)]), Shown(tuple(lines), anchored=True))


def _nearest(query: Vector, vectors: Sequence[Vector]) -> list[int]:
    scores = [float(vector @ query) for vector in vectors]
    return sorted(range(len(vectors)), key=lambda i: (-scores[i], i))


async def answer_by_memory(
    timelines: Sequence[Timeline], models: Models, policy: MemoryPolicy
) -> Mapping[str, Answer]:
    """Show what this memory remembers: one store, a person for each timeline, one clock that only runs on.

    What is said and what is asked happens in the order of its time over all people; what is due is swept
    away and mirrored before every question, as in a running house.
    """
    answers: dict[str, Answer] = {}
    moments = sorted(_moments(timelines), key=lambda one: (one[0].said_at, one[0].id))
    if not moments:
        return answers
    clock = SettableClock(moments[0][0].said_at)
    with TemporaryDirectory(prefix="stale-") as folder:
        async with open_memory(StoreLocation(Path(folder)), models, clock, policy) as service:
            for message, timeline in moments:
                clock.set(message.said_at)
                if timeline is None:
                    await _observe(service, message)
                else:
                    answers[timeline.id] = await _recall(service, message)
    return answers


def _moments(timelines: Sequence[Timeline]) -> Iterator[tuple[Message, Timeline | None]]:
    for timeline in timelines:
        for message in timeline.said:
            yield message, None
        yield timeline.ask, timeline


async def _observe(service: MemoryService, message: Message) -> None:
    await service.inbox.admit(message)
    await service.observer.observe_person(message.user_id, message.persona_id)


async def _recall(service: MemoryService, message: Message) -> Answer:
    await service.lifecycle.expire()
    await service.outbox.drain()
    query = await service.embedder.embed_query(message.text)
    context = render_context(await service.recall.recall(message, query), service.policy)
    return Answer(context, read_context(context, message.language))
