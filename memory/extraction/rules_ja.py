"""The rules for Japanese."""

from __future__ import annotations

from memory.extraction.changes import change_of
from memory.extraction.clauses import Clause
from memory.extraction.draft import Draft
from memory.extraction.lexicon import found, pattern
from memory.extraction.lexicon_events import topics_in
from memory.extraction.tables import rules, word
from memory.extraction.types import Change
from memory.extraction.unnamed import how_it_went
from memory.grounding.types import Direction, TimeExpression
from memory.model import USER_SUBJECT, Category
from memory.text import fold_same_length

USER_JA = "ユーザー"


def japanese(clause: Clause, times: tuple[TimeExpression, ...]) -> list[Draft]:
    """Find the facts of a Japanese clause; at most one."""
    if found("screens", "bot_ja", clause.folded):
        return []
    inside = tuple(t for t in times if t.span[0] >= clause.start and t.span[1] <= clause.end)
    when = inside[-1].phrase if inside else None
    bare = clause.text
    for time in inside:
        bare = bare.replace(time.phrase, "", 1)
    subject, body = _subject(_lead(clause.text))
    undated, bare = _subject(_lead(pattern("^[にはのも、]+").sub("", bare)))
    if subject == USER_SUBJECT and undated != USER_SUBJECT:  # 昨日うちの猫が…
        subject, body = undated, bare
    label = USER_JA if subject == USER_SUBJECT else f"{USER_JA}の{subject}"
    event = _event(clause, label, subject, bare, inside, when)
    if event:
        return event
    folded = fold_same_length(body)
    if subject == USER_SUBJECT:
        named = pattern(rf"^{word('self_ja')}は(?P<v>[^、。は]{{1,10}}?)(?:です|だよ|だ)$").match(
            fold_same_length(_lead(clause.text))
        )
        if named and _name_like(body):
            name = body.removesuffix("です").removesuffix("だよ").removesuffix("だ")
            return [Draft(f"{USER_JA}の名前は{name}", clause.text, Category.NAME, attribute="name")]
    if subject != USER_SUBJECT and pattern(
        r"亡くな|入院|手術|結婚|歳|住ん|働い|好き|嫌い|アレルギー|誕生日"
    ).search(folded):
        return [
            Draft(
                f"{label}は{_plain(body)}",
                clause.text,
                Category.IDENTITY,
                subject=subject,
                attribute=f"family:{subject}",
                when_text=when,
            )
        ]
    if subject != USER_SUBJECT:
        return []
    died = pattern(
        r"^(?P<who>[ァ-ヶー\u4e00-\u9fff]{1,8}?)(?:ちゃん|くん|さん)?[がは](?:亡くな|死んじゃ|死んでしま|天国)"
    ).match(fold_same_length(bare))
    if died:
        who = bare[: died.end("who")]
        return [
            Draft(
                f"{USER_JA}の{_plain(bare)}", clause.text, Category.IDENTITY,
                subject=who, when_text=when, painful=True,
            )
        ]  # fmt: skip
    for rule in rules("rules_ja"):
        match = pattern(rule.source).search(folded)
        if match is None or (rule.unless and pattern(rule.unless).search(folded)):
            continue
        attribute = rule.attribute
        if attribute in {"like", "allergy", "pet"}:
            attribute = f"{attribute}:{match['v']}"
        if pattern("呼んで|^名前を").search(folded) and rule.category is Category.NAME:
            called = "名前" if attribute == "name" else "呼び名"
            text = f"{USER_JA}の{called}は{body[slice(*match.span('v'))]}"
            return [Draft(text, clause.text, rule.category, attribute=attribute)]
        joint = "の" if pattern("^(?:名前|誕生日|趣味|出身|血液型|仕事|専攻|実家|夢)").match(folded) else "は"
        text = f"{label}{joint}{_plain(body)}"
        return [
            Draft(
                text,
                clause.text,
                rule.category,
                attribute=attribute,
                when_text=None if attribute == "birthday" else when,
            )
        ]
    return []


def _lead(text: str) -> str:
    match = pattern(
        r"^(?:あの|えっと|実は|そういえば|ちなみに|でも|だから|それで|あと|ねえ|うん|最近|今は|今(?![年日週月度夜朝回])|、|\s|はい|こんにちは|はじめまして)+"
    ).match(fold_same_length(text))
    return text[match.end() :] if match else text


def _subject(text: str) -> tuple[str, str]:
    folded = fold_same_length(text)
    kin = pattern(rf"^(?:{word('self_ja')}の)?(?P<kin>{word('kin_ja')})(?:は|が|の(?=誕生日))").match(folded)
    if kin and not pattern(r"(?:が|も)(?:いる|います|いない|でき)").search(folded):
        return text[kin.start("kin") : kin.end("kin")].removeprefix("うちの"), text[kin.end() :]
    own = pattern(
        rf"^{word('self_ja')}(?:は|の(?=名前|誕生日|趣味|出身|仕事|血液|実家|専攻|夢)|も|が|のことは)"
    ).match(folded)
    return USER_SUBJECT, text[own.end() :] if own else text


def _name_like(body: str) -> bool:
    folded = pattern(r"(?:です|だよ|だ)$").sub("", fold_same_length(body))
    return (
        pattern(
            r"学生|社員|師|人です|人だ|員|者|好き|嫌い|座|型|歳|独身|男|女|大丈夫|元気|暇|専攻|派|長女|長男|一人|アレルギー|エンジニア|デザイナー|フリーター|苦手|[がをにでへもと]"
        ).search(folded)
        is None
    )


def _plain(body: str) -> str:
    return body.strip().rstrip("。!！~～よね")


def _event(
    clause: Clause, label: str, subject: str, bare: str, times: tuple[TimeExpression, ...], when: str | None
) -> list[Draft]:
    folded = fold_same_length(bare)
    topics = topics_in(folded)
    change = change_of(folded, times)
    ahead = any(t.direction is Direction.FUTURE for t in times)
    planned = (
        pattern(
            r"つもり|予定|ことにし|行く|行きます|ある|あります|する|します|会う|会います|受ける|受けます|出る|帰る|始ま"
        ).search(folded)
        is not None
    )
    if any(t.recurrence for t in times) or pattern("毎|誕生日は").search(folded):
        return []
    if change is Change.NEW and not (
        (ahead and (topics or planned)) or (topics and pattern("つもり|予定|ことにし").search(folded))
    ):
        return []
    if change is not Change.NEW and not topics:
        return []
    if change is Change.DONE and pattern(r"[にへ](?:引っ?越し|移住し)|結婚し").search(folded):
        return []  # how things are now, not an event that is over
    span = how_it_went(topics, folded, "ja") if change is Change.DONE else None
    body = pattern("^(?:は|に|の|から|、)+").sub("", bare)
    return [
        Draft(
            f"{label}は{_plain(body)}",
            clause.text,
            Category.SCHEDULE,
            subject=subject,
            attribute=f"event:{topics[0].key}" if topics else None,
            when_text=when,
            change=change,
            outcome=bare[slice(*span)] if span else None,
        )
    ]
