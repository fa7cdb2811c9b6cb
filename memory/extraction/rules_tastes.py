"""Likes and dislikes, hobbies, habits, skills, wishes and other lasting things, in Chinese."""

from __future__ import annotations

from memory.extraction.draft import Draft
from memory.extraction.lexicon import pattern
from memory.extraction.view import View, third_person, trim_tone
from memory.model import USER_SUBJECT, Category
from memory.text import fold_same_length

_DEGREE = (
    r"(?:最|超級?|很|好|真的|蠻|滿|挺|還|還是|比較|特別|非常|一直|一直都|從小|從小就|都|也|其實|有點|不太|不怎麼|不|沒那麼|沒有那麼|沒這麼|不再|已經|再也|越來越|開始|突然|有夠|"
    r"真心|完全|根本|絕對|一點都|一點也|向來|平常|反而|變得|現在|就是|只|不是很|算|超無敵|莫名|意外地?|愈來愈|最近|本來|原本|以前|愛上了?|無敵)*"
)
_LIKE = r"(?:喜歡上了?|喜歡|喜愛|愛上了?|熱愛|鍾愛|偏愛|偏好|最愛|超愛|愛(?=吃|喝|看|聽|玩|去|買|[^,]{1,10}$)|迷上了?|沉迷於?|入坑了?|粉上了?|狂愛|欣賞|崇拜)"
_DISLIKE = r"(?:討厭|不喜歡|不愛|厭惡|痛恨|恨|受不了|無法接受|沒辦法接受|不敢吃|不敢喝|不敢碰|不敢看|不敢|害怕|怕|不吃|不喝|不碰|不能吃|不能喝|拒吃|嫌|排斥|沒辦法吃|戒掉?了?|膩了|吃膩了?|看膩了?|聽膩了?|玩膩了?|喝膩了?)"
_TASTE = rf"^(?P<deg>{_DEGREE})(?P<verb>{_LIKE}|{_DISLIKE})(?P<obj>[^,]{{1,20}})$"
_FRONTED = r"^(?P<obj>[^,我]{1,10}?)(?:是我|我|才是我)?(?:最|超|很|真的|都|也|實在|已經|一直)+(?:喜歡|愛|討厭|受不了|怕|不敢吃|不吃|不喝|吃膩|看膩|聽膩|膩|不行|不敢碰|無法|吃不下去|不能)(?:了|的)?[啦喔哦啊]?$"
_FAVOURITE = r"^(?:的)?最(?:喜歡|愛|討厭|怕|常)的?(?:吃|喝|看|聽|玩|去)?的?(?P<of>[^,是]{0,8})(?:就)?(?:還)?是(?P<obj>[^,]{1,14})$"
_RATHER = (
    r"^(?:比起?|跟|和)[^,]{1,10}?(?:我|比)?(?:還是|反而)?(?:更|比較)(?:喜歡|愛|討厭|怕)(?P<obj>[^,]{1,14})$"
)
_ADVERBS = r"(?:其實|還|好像|意外地?|居然|竟然|真的|它|牠|也|蠻|滿|挺|很|超|非常)*"
_VERDICT = r"(?:香|好吃|好喝|不錯|好看|好玩|有趣|可愛|好聽|難吃|難喝|無聊|沒那麼可怕|可以接受|沒那麼討厭|不討厭)(?:吃|喝|看|玩|聽)?的?[啦喔哦啊欸]?$"
_TURNED = rf"發現(?P<obj>[^,]{{1,14}}?){_ADVERBS}{_VERDICT}"
TURNED_WITHOUT_OBJECT = rf"^(?:後來|結果|才|我)*(?:發現|覺得){_ADVERBS}{_VERDICT}"
_TIRED_OF = (
    r"^(?:對)?(?P<obj>[^,我]{1,10}?)(?:我)?(?:已經|真的|有點|都|早就)*(?:吃|看|聽|玩|喝|住)?膩了[啦喔哦啊]?$"
)
_NOT_TASTE = r"^(?:[你妳您他她它死了]|我$|的$|上班$|上課$|自己|到|麻煩|打擾|現在|怕的?$|(?:這|那)(?:樣|種|個)(?:$|感覺|時候|子)|哭|笑|睡過頭|來不及|遲到|今天|被罵$|不|忘記|吵到|浪費|失禮|虎|得|死|你|一個人|上(?!學)|人$|人家|丟臉|虧|輸|說|講)"
_ACTIVITY = (
    "爬山|登山|跑步|慢跑|畫畫|攝影|拍照|游泳|打球|籃球|羽球|排球|桌球|網球|棒球|足球|看書|閱讀|健身|重訓|瑜珈|皮拉提斯|露營|釣魚|吉他|鋼琴|小提琴|烏克麗麗|打鼓|下棋|桌遊|烘焙|做甜點|做菜|下廚|煮飯|跳舞|唱歌|追劇|電動|遊戲|手遊|"
    "看電影|看漫畫|看動漫|看動畫|聽音樂|旅行|旅遊|種花|種菜|多肉|寫作|寫小說|寫程式|編織|鉤針|手帳|衝浪|潛水|滑雪|騎車|單車|滑板|溜冰|攀岩|書法|拼圖|樂高|模型|集郵|收集|手作|拼豆|cosplay|coser|寫詩|插花|街舞|桌上遊戲|狼人殺|劇本殺"
)
_HOBBY = rf"^(?:的|平常的?|最大的)?(?:興趣|嗜好|愛好|休閒)(?:就)?是|^(?:平常|最近|目前|現在|假日|週末|也|一直|還)*(?:有在|在學|在練|開始學|開始玩|開始練|學了?|玩了?|練了?)(?P<act>[^,]{{0,6}}(?:{_ACTIVITY}|[日韓英法德西泰]文|[日韓英法德西泰]語|程式|舞|武術|跆拳道|柔道|劍道|陶藝|花藝|咖啡拉花)[^,]{{0,8}})|^(?:參加|加入)了?[^,]{{1,8}}社"
_SKILL = r"^(?:也|還|其實|只|都)*(?:很|超|不太|不)?(?:會|擅長|精通|拿手)(?P<act>彈|拉|吹|打鼓|打籃球|寫程式|寫歌|寫|做菜|做甜點|做|煮|畫|跳|唱|游泳|開車|騎|說|講|日文|韓文|英文|法文|德文|西班牙文|台語|客語|手語|滑雪|衝浪|潛水|溜冰|修|攝影|剪片|剪輯|魔術|變魔術|打字|下棋|烘焙|編織)(?!完|死|哭|不完)[^,]{0,8}$"
_HABIT = r"(?:每(?:天|日|晚|週|個?星期|個?禮拜|個?月|年|次|逢|到|隔)|天天|夜夜|常常|經常|時常|通常|平常|平時|總是|固定|習慣|一向|(?<!好)老是|都會|睡前|起床後|下班後都|假日都|週末都|幾乎都|從來不|從不|早餐都|午餐都|晚餐都|三餐|戒[菸煙酒]|減肥中|在減肥|抽[菸煙]|吃素|吃全素|吃蛋奶素|素食|晨跑|夜跑|熬夜|失眠|早睡早起|搭(?:公車|捷運|火車|高鐵)(?:上|通)|騎車(?:上|通)|走路(?:上|去))"
_NOT_HABIT = r"(?:好|超|很|真|都很|都好|都超)(?:累|煩|忙|熱|冷|開心|無聊|想睡|難過|痛苦)|覺得|想你|想妳|跟你|跟妳|陪我|開心就好|平常心|不太平常|今天|昨天|昨晚|明天|別|不要|的(?:興趣|嗜好|愛好)"
_WISH = r"^(?:一直|從小就?|真的|好|很|超|其實|也|都|總有一天|有一天|以後|將來|未來)*(?:想(?:要)?|希望(?:能|可以)?|夢想(?:是|就是)|願望是|目標是)(?:能夠?|可以|去|當|成為|學|養|考|出國|搬|存|減肥|瘦|開(?:一|間|店)|換(?:工作|車|手機)|買(?:房|車|一|台)|變成|到|留學|創業|環島|環遊|轉系|轉學|辭職|離職|寫(?:一|小說|書)|跟.{1,6}結婚|生|當上|做)"
_NOT_WISH = r"[你妳]|想(?:要)?去?(?:睡|吃|喝|哭|死|下班|放假|休息|回家$|上廁所|洗澡|尿尿)|想(?:要)?做什麼|想太多|想到(?!.{1,6}(?:工作|住|玩))|今天|現在"
_OTHER = (
    r"^(?:剛|終於|上[週月]|最近)*(?:買了?|換了?|入手了?)(?:一|兩)?(?:台|輛|支|間|部|隻|把)?[^,]{0,6}(?:車|機車|摩托車|重機|手機|iphone|電腦|筆電|房子|房|相機|switch|ps5|平板|ipad|吉他|鋼琴|腳踏車)[^,]{0,6}$|"
    r"^(?:有|開|騎)(?:的是)?(?:一|兩)?(?:台|輛)[^,]{1,10}$|^的(?:車|機車|手機|電腦|筆電|房間)(?:是|壞了|不見了|被偷了)[^,]{0,12}$|"
    r"^(?:正在|在|還在|都在)(?:準備|找工作|找房子|寫論文|減肥|備考|追|存錢|讀|待產|休學|當兵|實習|休養|復健|裝潢|創業)[^,]{0,14}$|^準備[^,]{1,8}(?:考|檢定|證照)[^,]{0,4}中$|"
    r"^去過[^,]{1,10}$|^(?:是)?(?:左撇子|夜貓子|路痴|路癡|臉盲|音痴|音癡|i人|e人|貓派|狗派|甜粽派|社恐|宅男|宅女|[^,]{1,8}(?:迷|控|粉|的粉絲))(?:[啦喔哦啊]|$)|"
    r"^(?:感冒|發燒|確診|受傷|扭到|骨折|出車禍|車禍|生病|住院|流產|被霸凌|被欺負|被排擠|被騙|被偷|丟了?(?:工作|錢包|手機)|被退學|被當|延畢|欠債|失眠)[^,]{0,10}$|^[^,]{0,3}(?:被霸凌|被欺負|被排擠|骨折|住院|生病|車禍|流產|得癌)[^,]{0,6}了?$"
)


def tastes(view: View) -> list[Draft]:
    """Find what somebody likes, dislikes, does often, can do, wishes for."""
    for find in (_habit, _hobby, _taste, _skill, _wish, _other):
        drafts = find(view)
        if drafts:
            return drafts
    return []


def _draft(view: View, category: Category, body: str, attribute: str | None = None) -> list[Draft]:
    words = third_person(body)
    if category in {Category.PREFERENCE, Category.HOBBY} and pattern(r"[^膩戒上掉再過]了$").search(
        fold_same_length(words)
    ):
        words = trim_tone(words[:-1])
    if not words:
        return []
    return [
        Draft(
            f"{view.label}{words}",
            view.quote,
            category,
            subject=view.subject,
            attribute=attribute,
            when_text=view.when_text,
        )
    ]


def _taste(view: View) -> list[Draft]:
    match = pattern(_FAVOURITE).search(view.folded)
    if match and not pattern(_NOT_TASTE).search(match["obj"]):
        return _draft(
            view, Category.PREFERENCE, view.body, f"favourite:{match['of']}" if match["of"] else None
        )
    for source in (_RATHER, _TURNED, _TIRED_OF, _FRONTED):
        match = pattern(source).search(view.bare_folded)
        if match and len(match["obj"]) > 1 and not pattern(_NOT_TASTE).search(match["obj"]):
            return _draft(view, Category.PREFERENCE, view.bare, f"like:{object_of(match['obj'])}")
    match = pattern(_TASTE).search(view.bare_folded)
    if match is None:
        return []
    thing = object_of(match["obj"])
    if (
        not thing
        or pattern(_NOT_TASTE).search(match["obj"].lstrip())
        or pattern(r"[你妳您]").search(match["obj"])
    ):
        return []
    liked = pattern(_LIKE).match(match["verb"]) is not None
    active = liked and pattern(_ACTIVITY).search(match["obj"]) is not None
    return _draft(view, Category.HOBBY if active else Category.PREFERENCE, view.bare, f"like:{thing}")


def object_of(words: str) -> str:
    """Return the bare thing liked or disliked: 吃香菜了啦 -> 香菜 (folded)."""
    thing = trim_tone(words)
    while thing.endswith(fold_same_length("了")):
        thing = trim_tone(thing[:-1])
    return pattern(r"^(?:吃|喝|看|聽|玩|到|去|了)(?=.)").sub("", thing)


def _hobby(view: View) -> list[Draft]:
    match = pattern(_HOBBY).search(view.bare_folded)
    if match is None or pattern(r"[你妳]").search(view.bare_folded):
        return []
    body = (
        view.bare
        if view.bare_folded.startswith("的") or not pattern("^(?:興趣|嗜好|愛好)").match(view.bare_folded)
        else f"的{view.bare}"
    )
    return _draft(view, Category.HOBBY, body)


def _habit(view: View) -> list[Draft]:
    if view.subject != USER_SUBJECT and not view.explicit:
        return []
    match = pattern(_HABIT).search(view.folded)
    if match is None or pattern(_NOT_HABIT).search(view.folded) or len(trim_tone(view.folded)) < 2:
        return []
    if pattern(r"[你妳]").search(view.folded):
        return []
    alone = pattern(r"^.{0,4}(?:戒|減肥|抽|吃素|吃全素|素食|晨跑|夜跑|熬夜|失眠|早睡)").search(view.folded)
    if alone is None and len(trim_tone(view.folded[match.end() :])) < 2:
        return []
    return _draft(view, Category.HABIT, view.body)


def _skill(view: View) -> list[Draft]:
    if view.dated or not pattern(_SKILL).search(view.bare_folded) or pattern(r"[你妳]").search(view.folded):
        return []
    return _draft(view, Category.HOBBY, view.bare)


def _wish(view: View) -> list[Draft]:
    if view.dated or pattern(_NOT_WISH).search(view.folded) or not pattern(_WISH).search(view.bare_folded):
        return []
    return _draft(view, Category.OTHER, view.bare)


def _other(view: View) -> list[Draft]:
    if not pattern(_OTHER).search(view.bare_folded) or pattern(r"[你妳]").search(view.folded):
        return []
    return _draft(view, Category.OTHER, view.bare)
