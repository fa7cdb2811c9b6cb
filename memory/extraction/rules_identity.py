"""Home, work, school, age, family, pets, health: who somebody is, in Chinese."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from memory.extraction.draft import Draft
from memory.extraction.lexicon import ANIMALS_ZH, COUNT_ZH, PERSONS_ZH, is_sensitive, pattern
from memory.extraction.view import View, third_person
from memory.model import USER_SUBJECT, Category
from memory.text import fold_same_length

_JOBS = (
    "工程師|老師|教師|護理師|護士|醫師|醫生|設計師|律師|會計師?|業務|公務員|警察|消防員|店員|司機|記者|編輯|作家|廚師|店長|經理|助理|研究員|教授|助教|行銷|"
    "企劃|美髮師|攝影師|插畫家|翻譯|空服員|機師|軍人|自由工作者|自由業|soho族?|接案|創業|老闆|家管|家庭主婦|全職媽媽|主管|專員|技師|藥師|獸醫|治療師|分析師|"
    "建築師|導遊|外送員|保全|農夫|漁夫|演員|歌手|實況主|youtuber|pm|hr|rd|app|工讀生|實習生|義工|代理商|顧問|秘書|櫃檯|作業員|技術員|程式設計師|軟體工程師|前端|後端|社工師?|心理師|營養師|房仲|保險員|理專"
)
_SCHOOL = "大學|高中|國中|國小|小學|中學|高職|五專|專科|科大|研究所|碩士班?|博士班?|幼稚園|學院|系|所|師大|台大|清大|交大|成大|政大|北科|台科|中央|中山|中興|輔大|東海|逢甲|高工|商職|一中|二中|女中|建中|北一女"
_GRADE = r"(?:大[一二三四五]|高[一二三]|國[一二三]|小[一二三四五六](?=$|的|學生)|研[一二三]|碩[一二三]|博[一二三]|碩士生|博士生|研究生|大學生|高中生|國中生|小學生|高職生|交換生|學生|重考生|應屆畢業生|社會新鮮人|新鮮人)"
_NO_PLACE = r"^(?:院|不|得|了|過|手|嘴|在一起|哪|這裡?$|那裡?$|一起)"
_NOT_FROM = r"(?:男|女|好|壞|大|老|病|新|路|家|本|主持|素|怎樣的|的|普通|成年|年輕|單身|夜|怪|聰明|笨|懶|機器|隱形|邊緣|負責|當事|過來|外|工具|感性|理性|內向|外向|現代|正常|社恐|急性子的|愛睡|i|e)人$"
_ZODIAC = "(?:牡羊|白羊|金牛|雙子|巨蟹|獅子|處女|天秤|天平|天蠍|射手|人馬|魔羯|摩羯|山羊|水瓶|寶瓶|雙魚)座?"
_DISEASE = "糖尿病|高血壓|氣喘|憂鬱症|躁鬱症|焦慮症|恐慌症|過動症?|adhd|自閉症?|亞斯伯格|偏頭痛|近視|散光|異位性皮膚炎|甲狀腺|心臟病|癲癇|貧血|色盲|色弱|乳糖不耐症?|鼻炎|潔癖|社恐|懼高症?|幽閉恐懼症?|失眠|癌|腫瘤|自律神經失調"


@dataclass(frozen=True, slots=True)
class _Rule:
    """A shape of sentence: what it is searched by, the slot it fills, when it does not hold."""

    source: str
    attribute: str
    category: Category = Category.IDENTITY
    unless: str | None = None
    only_user: bool = False
    says: str | None = None


_RULES: tuple[_Rule, ...] = (
    _Rule(r"^的?生日(?:是|在|就在)?(?:.{0,2})?(?:\d|[一二三四五六七八九十]|農曆|國曆)", "birthday"),
    _Rule(
        r"^(?:是)?(?:\d{1,4}|[一二三四五六七八九十民國]+)[年月/.].{0,10}(?:出生|生的|生日)(?:的)?$|^出生於|^是?民國?\d{2,3}年次?",
        "birthday",
    ),
    _Rule(
        rf"^(?:已經|就|快|剛滿?|剛過|才|都|要|即將|也)*(?:是|有|滿)?(?:{COUNT_ZH}|[廿卅]{{1,2}})歲(?:了|的?生日)?(?:[啦喔哦啊還又]|$)",
        "age",
    ),
    _Rule(
        rf"^(?:(?:是|屬於|的?星座是)(?:標準的?|典型的?|一個|超)?{_ZODIAC}|{_ZODIAC}(?<=座))(?:的)?(?:女生?|男生?|人)?(?:[啦喔哦啊]|$)",
        "zodiac",
    ),
    _Rule(r"^屬(?:鼠|牛|虎|兔|龍|蛇|馬|羊|猴|雞|狗|豬)的?", "chinese_zodiac"),
    _Rule(r"^(?:是|的?血型是?)(?:ab|a|b|o)型?(?:血)?(?:的)?(?:[啦喔哦啊]|$)", "blood_type"),
    _Rule(r"^(?:是|測出來是|的?mbti是?)[ie][ns][tf][jp](?:-[at])?", "mbti"),
    _Rule(r"代名詞是|請?用(?:他|她|they|she|he|ta)(?:來)?(?:稱呼|叫)", "pronouns"),
    _Rule(
        r"^是(?:個|一個)?(?:男生|女生|男的|女的|男孩子?|女孩子?|跨性別|非二元|同志|雙性戀|異性戀|無性戀|les|gay)(?:[啦喔哦啊]|$)",
        "gender",
    ),
    _Rule(
        r"^(?:的)?(?:老家|家鄉|故鄉)(?:是|在|就在)|^(?:是)?(?:出生在|在.{1,8}出生|在.{1,8}長大|從.{1,8}來的|來自|生於)",
        "hometown",
    ),
    _Rule(
        r"^是(?:一個|個|道地的?|土生土長的?|半個)?[^,的]{1,6}人(?:[啦喔哦啊]|$)", "hometown", unless=_NOT_FROM
    ),
    _Rule(
        r"^(?:現在|目前|一個人|自己|跟.{1,6}|和.{1,6}|已經|也|家|都|是|剛)*(?:住在?|住|租在|租屋在|定居在?|旅居)(?P<v>[^,]{1,14})$",
        "home",
        unless=r"住(?:院|不|得|了|過|手|嘴|哪)|(?:抓|忍|記|停|站|撐|拉|hold|穩|卡|接|困|愣)住",
    ),
    _Rule(r"^家(?:住|在)(?P<v>[^,]{1,12})$", "home"),
    _Rule(
        r"^(?:已經|剛|終於|正式|又|一個人|自己|都|從.{1,8})*(?:搬家?到|搬去|搬來|搬回|移居|移民到?)(?P<v>[^,]{1,12})$",
        "home",
    ),
    _Rule(
        rf"^(?:現在|目前|也|就|平常|已經|還)*(?:是|當|做|從事)(?:一個|一名|一位|個|名|位)?(?:[^,不很]{{0,10}})(?:{_JOBS})(?:的工作|的|了|{COUNT_ZH}年了?)?(?:[啦喔哦啊]|$)",
        "job",
        unless=r"是(?:我|你|妳|他|她)|想當",
    ),
    _Rule(
        r"^(?:現在|目前|也|就|平常|已經|還)*在[^,]{1,14}?(?:上班|工作(?!上|坊)|打工|實習|服務|任職|當差|教書|賣[^,]{1,5}|當[^,]{1,8})(?:$|了|的|[啦喔哦啊])|^(?:現在|目前|也|平常|還)*在(?:開(?:計程車|公車|卡車|貨車|店|餐廳|早餐店|民宿)|跑(?:外送|業務|uber)|賣[^,]{1,6}|教書|教[^,]{1,4}|種田|務農|做生意|送外送|當[^,]{1,8})(?:$|了|的|[啦喔哦啊])",
        "job",
        unless=r"在(?:家|公司)?(?:上班|工作)$|正在",
    ),
    _Rule(r"^的?(?:工作|職業|職位)(?:就)?是", "job"),
    _Rule(
        r"離職了?|辭職了?|(?:換|找到)(?:了)?(?:一份)?(?:新|正職)?工作了?|轉職|跳槽|升職|升遷|升官|升(?:上)?(?:主管|經理|組長|店長)|失業|待業|被裁員?|^裁員了|被資遣|被開除|退休了?|考上公務員|錄取了.{1,10}(?:公司|職缺)|拿到.{0,8}offer",
        "job",
        unless=r"想|打算|準備|考慮|要不要|怕|擔心|如果|沒(?:有)?(?:離職|辭職|換)|還沒|決定(?:要)?|下(?:個)?[週月]",
    ),
    _Rule(
        rf"^(?:現在|目前|還在?|也|已經|都|在)*(?:念|讀|就讀於?|上)(?:的是)?(?!了|書會|完)[^,]{{0,12}}(?:{_SCHOOL})[^,]{{0,6}}$",
        "school",
        unless=r"想|打算|準備|要(?:去)?[念讀]",
    ),
    _Rule(
        rf"^(?:現在|目前|還|也|已經|升上?|就)*(?:是)?(?:一個|個|名)?[^,不很在]{{0,12}}?{_GRADE}(?:的?學生)?(?:了)?(?:[啦喔哦啊]|$)",
        "school",
    ),
    _Rule(rf"^是[^,]{{0,10}}(?:{_SCHOOL})(?:的|畢業的?|學生)?(?:[啦喔哦啊]|$)", "school"),
    _Rule(
        r"^的?(?:主修|雙主修|輔系|科系|系所)(?:是)?[^,]{1,10}|^[^,]{1,12}(?:大學|系|所|高中|研究所)畢業(?:的)?$|^(?:休學|退學|畢業)了$",
        "school",
    ),
    _Rule(
        rf"^(?:家裡?|還|也|只|其實)*有(?:一?個|一位|{COUNT_ZH}個|{COUNT_ZH}位)?[^,沒]{{0,4}}(?:{PERSONS_ZH})(?:[跟和、還][^,]{{1,12}})?(?:了)?(?:[啦喔哦啊]|$)",
        "family",
        only_user=True,
        unless=r"朋友|同事|同學|老師|教練|客戶|教授",
    ),
    _Rule(
        r"^(?:就|也)?是(?:獨生(?:子|女)|老大|老么|老二|長女|長子|單親|雙胞胎|爸爸|媽媽|兩個孩子的)", "family"
    ),
    _Rule(r"^(?:家裡?有)[一二兩三四五六七八九十\d]+個?人", "family"),
    _Rule(
        r"^(?:已經|剛|終於|還|也|現在|目前)*(?:是)?(?:已婚|未婚|單身|結婚(?:了|[一二三四五六七八九十\d]+年)|訂婚了|離婚了?|懷孕了?|(?:有|交了?)(?:一個)?(?:男|女)(?:朋)?友了?|脫單了?|(?:[跟和與].{1,8})?(?:分手|在一起|交往|復合|登記)了?(?:[一二三四五六七八九十\d]+.?年)?了?|失戀了?|被甩了?|當(?:爸|媽)了?|生了(?:一個)?(?:兒子|女兒|寶寶))了?(?:[啦喔哦啊]|$)",
        "relationship",
        unless=r"怕|想|不要|差點",
    ),
    _Rule(
        rf"^(?:家裡?|還|也|剛|最近|又|現在|以前|有)*(?:養了?|收養了?|領養了?|有養|撿到|撿了|多了|有)(?:一|{COUNT_ZH})?[隻條匹個]?(?:[^,沒不]{{0,6}}?)(?P<v>{ANIMALS_ZH})(?:[^,]{{0,8}})?$",
        "pet",
        only_user=True,
        unless=r"想|打算|不能|不要|沒養",
    ),
    _Rule(r"^(?:[對是]?[^,]{0,2}?對)(?P<v>[^,]{1,8}?)(?:會|有|嚴重|超級?|很|也)*過敏", "allergy"),
    _Rule(
        r"^(?:(?:會|吃|碰到?|喝)+)?(?P<v>[^,會不]{1,8}?)(?:就)?(?:會)?過敏(?:$|[啦喔哦啊了])",
        "allergy",
        unless=r"不會過敏|藥|皮膚|鼻子|今天|好像",
    ),
    _Rule(
        rf"^(?:有|得了?|確診|罹患|被診斷出?|是)(?:一點|嚴重的?|輕微的?|先天性?)?[^,沒]{{0,4}}(?:{_DISEASE})(?:了)?(?:[啦喔哦啊]|$)",
        "health",
        category=Category.OTHER,
    ),
    _Rule(r"^(?:身高|體重)(?:是|有|大概)?\d{2,3}|^\d{3}(?:公分|cm)高?$", "body", category=Category.OTHER),
)
_DEATH = r"(?:過世|去世|離世|離開人世|往生|走|不在)了|去當小天使|過世|去世|離世"


def identity(view: View) -> list[Draft]:
    """Find who somebody is; at most one fact a clause."""
    grief = _grief(view)
    if grief:
        return grief
    for rule in _RULES:
        words = view.folded if rule.attribute in {"birthday"} else view.bare_folded
        match = pattern(rule.source).search(words)
        if match is None or (rule.only_user and view.subject != USER_SUBJECT):
            continue
        if rule.unless and pattern(rule.unless).search(words):
            continue
        if rule.attribute == "home" and (pattern(_NO_PLACE).search(match["v"]) or _still_planned(words)):
            continue
        body = view.body if rule.attribute in {"birthday"} else view.bare
        return [
            Draft(
                _sentence(view.label, body, rule.attribute),
                view.quote,
                rule.category,
                subject=view.subject,
                attribute=_slot(rule.attribute, match, view),
                when_text=None if rule.attribute == "birthday" else view.when_text,
                painful=is_sensitive(words),
            )
        ]
    return []


def _still_planned(words: str) -> bool:
    return pattern(r"^(?:就|也)?(?:要|打算|準備|預計|想|即將|考慮|可能|快)").search(words) is not None


def _sentence(label: str, body: str, attribute: str) -> str:
    words = third_person(body)
    folded = fold_same_length(words)
    if attribute in {"birthday"} and pattern(r"^的?生日").match(folded) and not words.startswith("的"):
        return f"{label}的{words}"
    if pattern(r"^(?:老家|家鄉|故鄉|工作|職業|血型|主修|mbti|身高|體重|代名詞)").match(folded):
        return f"{label}的{words}"
    return f"{label}{words}"


def _slot(attribute: str, match: object, view: View) -> str | None:
    value: Callable[[str], str | None] | None = getattr(match, "group", None)
    if attribute in {"pet", "allergy"} and value is not None:
        return f"{attribute}:{value('v')}"
    if view.subject != USER_SUBJECT:
        return f"{attribute}:{view.subject}"
    return attribute


def _grief(view: View) -> list[Draft]:
    """Somebody near has died."""
    if view.subject == USER_SUBJECT or not pattern(_DEATH).search(view.bare_folded):
        return []
    if pattern(r"^(?:先|就|就先)?走了$").match(view.bare_folded) and view.subject in {"室友", "同事", "朋友"}:
        return []
    return [
        Draft(
            f"{view.label}{third_person(view.bare)}",
            view.quote,
            Category.IDENTITY,
            subject=view.subject,
            attribute=f"family:{view.subject}",
            when_text=view.when_text,
            painful=True,
        )
    ]
