"""The rules for Japanese."""

from __future__ import annotations

from dataclasses import dataclass

from memory.extraction.changes import change_of
from memory.extraction.clauses import Clause
from memory.extraction.draft import Draft
from memory.extraction.lexicon import pattern
from memory.extraction.lexicon_events import outcome_span, topics_in
from memory.extraction.lexicon_screens import BOT_JA
from memory.extraction.types import Change
from memory.grounding.types import Direction, TimeExpression
from memory.model import USER_SUBJECT, Category
from memory.text import fold_same_length

USER_JA = "ユーザー"
_I = r"(?:私|わたし|あたし|僕|ぼく|俺|おれ|自分|うち)"
_KIN = "母|お母さん|父|お父さん|両親|兄|お兄ちゃん|姉|お姉ちゃん|弟|妹|祖母|おばあちゃん|祖父|おじいちゃん|夫|旦那|妻|嫁|彼氏|彼女|友達|親友|上司|同僚|息子|娘|先輩|後輩|うちの(?:猫|犬)"
_END = r"(?:です|だ|だよ|だね|なんだ|なんです|でした|ます|よ|ね|の|んだ|んです|なの)*$"


@dataclass(frozen=True, slots=True)
class _Rule:
    source: str
    category: Category
    attribute: str | None
    unless: str | None = None


_RULES: tuple[_Rule, ...] = (
    _Rule(
        r"^名前は(?P<v>[^、。]{1,10}?)(?:です|だよ|だ|っていいます|といいます|と言います)$|^(?P<w>[^、。]{1,10}?)(?:といいます|って言います|と申します)$",
        Category.NAME,
        "name",
    ),
    _Rule(r"(?P<v>[^、。は]{1,10}?)(?:って|と)呼んで", Category.NAME, "nickname"),
    _Rule(r"^(?:の)?誕生日は(?P<v>.*\d.*)", Category.IDENTITY, "birthday"),
    _Rule(
        rf"^(?:今|今年)?(?P<v>[\d一二三四五六七八九十]+)歳(?:になりました|になった)?{_END}",
        Category.IDENTITY,
        "age",
    ),
    _Rule(
        rf"(?:[ァ-ヶぁ-ん]{{2,4}}|牡羊|牡牛|双子|蟹|獅子|乙女|天秤|蠍|射手|山羊|水瓶|魚)座{_END}",
        Category.IDENTITY,
        "zodiac",
    ),
    _Rule(rf"^(?:血液型は)?(?:ab|a|b|o)型{_END}", Category.IDENTITY, "blood_type"),
    _Rule(
        r"(?P<v>[^、は]{1,10})に(?:住んで(?:いる|る|います|ます)|引っ越し(?:た|ました)|引越し(?:た|ました))",
        Category.IDENTITY,
        "home",
    ),
    _Rule(rf"^(?:出身は.+|.{{1,8}}(?:出身|生まれ|育ち)){_END}|^実家は.+", Category.IDENTITY, "hometown"),
    _Rule(
        rf"(?:で|に)(?:働いて(?:いる|る|います|ます)|勤めて(?:いる|います|る))|^仕事は.+|^(?:.{{0,8}})(?:エンジニア|教師|先生|看護師|医者|医師|デザイナー|会社員|公務員|弁護士|美容師|プログラマー|フリーター|店員|作家|編集者)(?:をして(?:いる|います|る))?{_END}|転職し(?:た|ました)|仕事を辞め(?:た|ました)|退職し(?:た|ました)|リストラされ(?:た|ました)",
        Category.IDENTITY,
        "job",
    ),
    _Rule(
        rf"^(?:.{{0,10}})(?:大学|高校|中学|大学院|専門学校)(?:に通って(?:いる|る|います|ます)|[一二三四1-4]年生?){_END}|^(?:.{{0,8}})(?:大学生|高校生|中学生|学生|大学院生){_END}|専攻は.+|を専攻して",
        Category.IDENTITY,
        "school",
    ),
    _Rule(
        rf"(?P<v>[^、は]{{1,10}}?)(?:の)?アレルギー(?:が(?:ある|あります)|持ち|なん)?{_END}",
        Category.IDENTITY,
        "allergy",
    ),
    _Rule(
        r"(?P<v>猫|犬|うさぎ|ウサギ|ハムスター|インコ|鳥|金魚|亀)を?(?:[一二三四\d]匹)?(?:飼って(?:いる|る|います|ます)|飼い始め(?:た|ました))",
        Category.IDENTITY,
        "pet",
    ),
    _Rule(
        rf"^(?:(?:兄|姉|弟|妹|子供|兄弟)が.*(?:いる|います)|一人っ子|長男|長女){_END}",
        Category.IDENTITY,
        "family",
    ),
    _Rule(
        rf"結婚して(?:いる|る|います|ます)|独身{_END}|(?:彼氏|彼女)が?(?:いる|います|できた|できました)|別れ(?:た|ました)$|離婚し(?:た|ました)|婚約し(?:た|ました)",
        Category.IDENTITY,
        "relationship",
    ),
    _Rule(
        r"^(?:の)?趣味は.+|(?:を|が)?(?:習って(?:いる|る|います|ます)|習い始め(?:た|ました))|を?勉強して(?:いる|る|います|ます)|(?:にハマって(?:いる|る|います|ます))",
        Category.HOBBY,
        None,
    ),
    _Rule(
        r"(?:毎日|毎朝|毎晩|毎週|いつも|よく|普段|週末は|寝る前に).{2,}(?:る|ます|う|く|す|む|ぶ|つ)(?:よ|ね|の|んだ|んです)?$|(?:タバコ|禁煙|お酒).{0,4}(?:やめ(?:た|ました)|して(?:いる|ます|います))",
        Category.HABIT,
        None,
        r"疲れ|眠い|思う",
    ),
    _Rule(
        rf"(?P<v>[^、はも]{{1,14}}?)(?:のこと)?(?:が|は|も)(?:大|一番|本当に|めっちゃ|とても|すごく|あまり|そんなに|ちょっと)*(?:好き|嫌い|苦手|怖い|好きじゃない|好きではない|好きになった|好きになりました|食べられない|食べられません|飲めない|飲めません){_END}",
        Category.PREFERENCE,
        "like",
        r"^(?:それ|これ|あれ|君|あなた)",
    ),
    _Rule(
        r"(?:に|へ)?(?:行きたい|なりたい|住みたい)|(?:が|を)(?:習いたい|飼いたい|買いたい)|夢は.+",
        Category.OTHER,
        None,
    ),
    _Rule(
        r"^(?:が)?(?:話せ(?:る|ます)|弾け(?:る|ます))|.{1,8}が(?:話せ(?:る|ます)|弾け(?:る|ます)|得意)",
        Category.HOBBY,
        None,
    ),
)


def japanese(clause: Clause, times: tuple[TimeExpression, ...]) -> list[Draft]:
    """Find the facts of a Japanese clause; at most one."""
    if pattern(BOT_JA).search(clause.folded):
        return []
    inside = tuple(t for t in times if t.span[0] >= clause.start and t.span[1] <= clause.end)
    when = inside[-1].phrase if inside else None
    bare = clause.text
    for time in inside:
        bare = bare.replace(time.phrase, "", 1)
    subject, body = _subject(_lead(clause.text))
    _, bare = _subject(_lead(bare))
    label = USER_JA if subject == USER_SUBJECT else f"{USER_JA}の{subject}"
    event = _event(clause, label, subject, bare, inside, when)
    if event:
        return event
    folded = fold_same_length(body)
    if subject == USER_SUBJECT:
        named = pattern(rf"^{_I}は(?P<v>[^、。は]{{1,10}}?)(?:です|だよ|だ)$").match(
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
    for rule in _RULES:
        match = pattern(rule.source).search(folded)
        if match is None or (rule.unless and pattern(rule.unless).search(folded)):
            continue
        attribute = rule.attribute
        if attribute in {"like", "allergy", "pet"}:
            attribute = f"{attribute}:{match['v']}"
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
        r"^(?:あの|えっと|実は|そういえば|ちなみに|でも|だから|それで|あと|ねえ|うん|最近|今は|今|、|\s|はい|こんにちは|はじめまして)+"
    ).match(fold_same_length(text))
    return text[match.end() :] if match else text


def _subject(text: str) -> tuple[str, str]:
    folded = fold_same_length(text)
    kin = pattern(rf"^(?:{_I}の)?(?P<kin>{_KIN})(?:は|が|の(?=誕生日))").match(folded)
    if kin and not pattern(r"(?:が|も)(?:いる|います|いない|でき)").search(folded):
        return text[kin.start("kin") : kin.end("kin")], text[kin.end() :]
    own = pattern(rf"^{_I}(?:は|の(?=名前|誕生日|趣味|出身|仕事|血液|実家|専攻|夢)|も|が|のことは)").match(
        folded
    )
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
    span = outcome_span(folded) if change is Change.DONE else None
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
