"""What people plan: families of event words, generic and specific, and how an event turned out."""

from __future__ import annotations

from dataclasses import dataclass

from memory.extraction.lexicon import pattern


@dataclass(frozen=True, slots=True)
class Topic:
    """A family of events.

    ``name`` is the word an offline sentence uses where the person gave none. ``generic`` words
    name any event of the family, ``specific`` ones tell two of them apart (期中考, 多益). Words
    are alternatives of a regular expression on folded text.
    """

    key: str
    name: str
    generic: str
    specific: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """All alternatives, the specific ones first."""
        return "|".join((*self.specific, self.generic))


TOPICS: tuple[Topic, ...] = (
    Topic(
        "exam",
        "考試",
        r"考試|大考|測驗|小考|筆試|口試(?!服)|考(?=完|過|[砸爛爆炸差好]|得|不|了|到|上)|\bexams?\b|\btests?\b|\bquiz(?:zes)?\b|試験|テスト|受験",
        (
            "期末考?試?|\\bfinals?\\b|期末試験",
            "期中考?試?|\\bmidterms?\\b|中間試験",
            "多益|toeic",
            "托福|toefl",
            "雅思|ielts",
            "日檢|n[1-5](?=考|檢|,|了|$|\\s)|jlpt",
            "學測|統測|會考|指考|分科",
            "駕照|路考|\\bdriving test\\b|運転免許",
            "研究所(?=考|入學)|考研|考研究所",
            "國考|高普考|公務員考試|證照|執照",
            "模擬考|段考|月考|補考",
            "論文口試|口委|\\bthesis defen[cs]e\\b",
        ),
    ),
    Topic("interview", "面試", r"面試|複試|二面|一面(?=試)|\binterviews?\b|面接|口試"),
    Topic(
        "dentist",
        "看牙",
        r"看完?牙醫?|牙醫|[拔洗補]完牙|洗牙|拔牙|補牙|拔智齒|智齒|根管|矯正牙齒|\bdentist\b|歯医者|歯科",
    ),
    Topic(
        "doctor",
        "看醫生",
        r"看完?醫生|看醫師|看診|回診|複診|門診|掛號|產檢|健檢|健康檢查|體檢|抽血|打疫苗|疫苗|照胃鏡|照超音波|看病|身心科|諮商|"
        r"\bdoctor'?s?(?: appointment)?\b|\bcheck-?up\b|\bclinic\b|\btherapy\b|病院|診察|健康診断|検査",
    ),
    Topic("surgery", "手術", r"手術|開完?刀|動刀|住院|入院|\bsurgery\b|\boperation\b"),
    Topic(
        "report",
        "報告",
        r"報告|報完告|簡報|發表|上台|答辯|提案|\bpresentations?\b|\breport\b|プレゼン|発表|\bpitch\b",
    ),
    Topic("deadline", "交件", r"交作業|交報告|交稿|截稿|截止|deadline|死線|交件|交論文|繳交|締め?切り|提出"),
    Topic(
        "trip",
        "旅行",
        r"旅行|旅遊|出國|出遊|遊玩|自由行|畢旅|畢業旅行|環島|露營|度假|蜜月|\btrip\b|\btravel(?:ling|ing)?\b|\bvacation\b|\bholiday\b|旅行|出かけ|飛[去往到]|去[^,]{1,5}玩",
    ),
    Topic("business trip", "出差", r"出差|\bbusiness trip\b|出張"),
    Topic("date", "約會", r"約會|相親|告白|\b(?:a|first|second) date\b|デート"),
    Topic(
        "concert",
        "演唱會",
        r"演唱會|音樂會|音樂祭|見面會|簽名會|簽售|漫展|同人展|展覽|看展|音樂劇|舞台劇|\bconcert\b|\bgig\b|\bfestival\b|ライブ|コンサート",
    ),
    Topic("film", "看電影", r"看電影|電影|首映|\bmovies?\b|\bcinema\b|映画"),
    Topic(
        "moving",
        "搬家",
        r"搬完?家|搬完(?=了|$)|搬進|搬到|搬去|搬回|入厝|\bmoving (?:to|out|in|house)\b|\bmove (?:to|out|in)\b|引っ?越",
    ),
    Topic("wedding", "婚禮", r"婚禮|喜酒|喜宴|結完?婚|訂婚|登記結婚|伴娘|伴郎|\bwedding\b|\bmarry\b|結婚式"),
    Topic("funeral", "葬禮", r"葬禮|告別式|喪禮|頭七|出殯|\bfuneral\b|葬式|お通夜"),
    Topic(
        "meal",
        "聚餐",
        r"聚餐|聚會|吃飯|飯局|吃大餐|尾牙|春酒|慶功|同學會|烤肉|火鍋|吃燒肉|下午茶|\bdinner\b|\blunch\b|\breunion\b|飲み会|食事会|同窓会",
    ),
    Topic("party", "派對", r"派對|生日會|慶生|趴|\bparty\b|パーティー?|誕生日会"),
    Topic("birthday", "生日", r"生日|\bbirthday\b|誕生日"),
    Topic(
        "match",
        "比賽",
        r"比賽|競賽|決賽|初賽|路跑|馬拉松|球賽|運動會|\bmatch\b|\bmarathon\b|\brace\b|\btournament\b|試合|大会",
    ),
    Topic(
        "meeting",
        "開會",
        r"開完?會|會議|開庭|出庭|說明會|面談|家長會|尾款|\bmeeting\b|\bcourt\b|会議|打ち合わせ",
    ),
    Topic(
        "graduation",
        "畢業",
        r"畢業典禮|畢典|畢業|開學|入學|報到|到職|入職|入伍|退伍|開工|\bgraduat(?:e|ion)\b|卒業|入学|入社",
    ),
    Topic(
        "course",
        "上課",
        r"上課|補習|家教課?|試聽|研習|受訓|實習|工作坊|課(?=取消|改|停)|\bclass\b|\blessons?\b|\bworkshop\b|授業|レッスン",
    ),
    Topic(
        "stage show",
        "表演",
        r"表演|成發|成果發表|演出|開演|公演|彩排|\brehearsal\b|\bperformance\b|\brecital\b|本番",
    ),
    Topic("haircut", "剪頭髮", r"剪頭髮|剪髮|染髮|燙頭髮|做指甲|做臉|\bhaircut\b|美容院|散髪"),
    Topic("flight", "搭飛機", r"飛機|航班|班機|高鐵|\bflight\b|飛行機|新幹線"),
    Topic("volunteering", "志工", r"志工|捐血|義工|\bvolunteer(?:ing)?\b|ボランティア"),
    Topic("appointment", "約", r"\bappointment\b|預約|約(?=取消|改)|予約"),
    Topic(
        "sport",
        "運動",
        r"打球|打籃球|打羽球|打排球|爬山|登山|健行|潛水|浮潛|衝浪|滑雪|泡溫泉|\bhik(?:e|ing)\b|山登り|スキー",
    ),
    Topic("reunion", "回家", r"回老家|回娘家|返鄉|掃墓|過年|圍爐|里帰り|帰省"),
)

BY_KEY = {topic.key: topic for topic in TOPICS}

# How it went. Each alternative is cut from the message as the outcome.
OUTCOME_ZH = (
    r"考得[^,。!?]{1,8}|[考面]?(?:超|很|蠻|滿|非常|還算|算|意外地?|比想像中)?順利|(?:整個|完全|直接|大概)?(?:爆炸|炸了|爆了|爛透了?|慘了|涼了|gg了?|搞砸了?|砸了|考砸了?)|"
    r"(?:沒|沒有|應該|肯定|可能)?(?:上榜|錄取|通過|考上|合格|及格|過關|過(?=了|$))了?|沒過|沒上|落榜|沒考上|沒錄取|沒通過|不及格|被當|被刷|備取\d*|"
    r"all ?pass|拿到(?:offer|錄取|獎學金|第[一二三]名|冠軍|金牌|駕照|證照)|考到駕照|得獎|第[一二三]名|冠軍|輸了|贏了|(?:很|超|蠻|滿|非常)(?:成功|失敗|好玩|開心|感動|精彩|好看|尷尬|無聊|累|痛|難|簡單|棒)|"
    r"玩得[^,。!?]{1,6}|一切正常|沒什麼大礙|都?正常|成功了?|失敗了?|考了?\d+分|\d+分|還不錯|不錯|還可以|還好|普普|很爛|超爛"
)
OUTCOME_EN = (
    r"(?:it )?went (?:really |pretty |very |so )?(?:well|great|ok|okay|fine|badly|terribly|awful(?:ly)?)|(?:i )?(?:passed|failed|aced|bombed|nailed|flunked)(?: it)?|"
    r"got (?:the job|an offer|rejected|in|accepted|an? [a-f][+-]?)|(?:it )?was (?:really |so |pretty )?(?:great|fun|awful|terrible|boring|amazing|hard|easy)|didn'?t (?:pass|get (?:it|in|the job))"
)
OUTCOME_JA = r"うまくいっ(?:た|て)|受かっ(?:た|て)|合格し(?:た|ました|て)|落ち(?:た|ました|て)|失敗し(?:た|ました|て)|楽しかった|最高だった|ボロボロ(?:だった)?|難しかった|無事(?:に)?終わ"


def topics_in(folded: str) -> tuple[Topic, ...]:
    """Return the families a folded text speaks of, in table order."""
    return tuple(topic for topic in TOPICS if pattern(topic.words).search(folded))


def specifics_in(topic: Topic, folded: str) -> frozenset[int]:
    """Return which specific members of a family are named (indexes into ``topic.specific``)."""
    return frozenset(i for i, words in enumerate(topic.specific) if pattern(words).search(folded))


def outcome_span(folded: str) -> tuple[int, int] | None:
    """Return where a folded text tells how something went."""
    for words in (OUTCOME_ZH, OUTCOME_EN, OUTCOME_JA):
        match = pattern(words).search(folded)
        if match is not None and match.end() > match.start():
            return match.span()
    return None
