"""Words the readers of messages share: people, fillers, particles, marks of a plan.

Every Chinese table is written in Traditional script and matched in the folded form, so both
scripts are understood; what is stored is always cut from the message as it was typed.
"""

from __future__ import annotations

import re
from functools import lru_cache

from memory.text import fold_same_length, has_cjk


def folded_source(source: str) -> str:
    """Fold the CJK characters of a regular expression, leaving its syntax alone."""
    return "".join(fold_same_length(c) if has_cjk(c) else c for c in source)


@lru_cache(maxsize=1024)
def pattern(source: str) -> re.Pattern[str]:
    """Compile a regular expression to be used on folded text (lower case, Simplified, ASCII marks)."""
    return re.compile(folded_source(source))


PERSONS_ZH = (
    "媽媽|媽咪|老媽|母親|媽|爸爸|老爸|父親|爸媽|爸|父母|阿爸|阿母|家人|"
    "哥哥|哥|大哥|二哥|姐姐|姊姊|大姐|大姊|姐|姊|弟弟|弟|妹妹|妹|雙胞胎(?:哥哥|姐姐|姊姊|弟弟|妹妹)|"
    "阿嬤|阿公|阿媽|奶奶|爺爺|外婆|外公|姥姥|姥爺|"
    "老公|老婆|先生(?!氣)|太太|丈夫|妻子|男朋友|男友|女朋友|女友|另一半|未婚夫|未婚妻|對象|"
    "兒子|女兒|小孩(?!子氣)|孩子|寶寶|"
    "[表堂](?:哥|姐|姊|弟|妹|兄)|叔叔|伯伯|阿姨|姑姑|舅舅|嬸嬸|舅媽|姪子|姪女|外甥|外甥女|"
    "公公|婆婆|岳父|岳母|"
    "室友|同事|老闆|主管|前主管|上司|客戶|好朋友|朋友|閨蜜|閨密|好友|死黨|同學(?!會)|學長|學姐|學姊|學妹|學弟|"
    "班導|指導教授|教授|老師|教練|鄰居|房東|前男友|前女友|前任|搭檔|隊友|偶像"
)
ANIMALS_ZH = (
    "貓咪|貓貓|小貓|貓|狗狗|小狗|狗|柴犬|柯基|黃金獵犬|貴賓狗?|吉娃娃|臘腸|哈士奇|米克斯|布偶|橘貓|"
    "兔子|兔|倉鼠|天竺鼠|黃金鼠|鸚鵡|文鳥|鳥|烏龜|陸龜|龜|金魚|孔雀魚|魚|刺蝟|蜜袋鼯|蜥蜴|守宮|蛇|雪貂|龍貓"
)
COUNT_ZH = "[一二兩三四五六七八九十幾0-9]+"

# What a clause may open with before its subject: none of it carries a fact.
FILLERS_ZH = (
    r"(?:其實|說真的|老實說|坦白說|對了|欸|誒|ㄟ|喔|哦|嗯+|嗨+|哈囉|你好|妳好|安安|大家好|啊+|唉|哎|呃|那個|話說|而且|還有|另外|"
    r"然後|因為|所以|但是|但|可是|不過|只是|結果|後來|雖然|就是|反正|總之|好啦|好吧|沒有啦?|不是啦|不對|對啊|是啊|好消息|壞消息|順便一提|"
    r"跟[你妳]說(?:一下)?(?:喔|哦)?|告訴[你妳](?:一件事)?|[你妳]知道嗎|偷偷跟[你妳]說|補充一下|更正(?:一下)?|"
    r"自我介紹一下|(?:請|[你妳]?要?|幫我|給我)?(?:記得|記住|記一下|別忘了|不要忘記|提醒我)|我跟[你妳]說|"
    r"[你妳]記住|希望[你妳]記得|我想說|我說過了?|我剛剛?說|"
    r"那|最近|現在|目前|從小到大|從小|一直以來|莫名|剛剛|剛才?|[,:、\s~])+"
)
PARTICLES_ZH = "啦喔耶呢啊欸誒哦嘛吧唷呦囉咯齁哈呵嗚嘻呀捏ㄉ哇!?.。~…、,;: "

# Marks that what follows is still to come.
PLAN_ZH = "打算|準備(?!好)|預計|計畫|計劃|決定|即將|快要|要(?!是|不|求|命|嘛)|得|會|想|將|約了|約好|報名了?|訂了|訂好|排了|輪到我|有"
STRONG_PLAN_ZH = "打算|準備(?:要|去|考)|預計|計畫|計劃|決定|即將|快要|約了|約好|報名|訂了|訂好|排了"

FOREIGN_SUBJECT_ZH = "他們|她們|他|她|牠們|牠|它|大家|別人|有人|人家|網友|主角|男主|女主|老師說|對方|那個人"

SENSITIVE_ZH = (
    "葬禮|告別式|喪禮|過世|去世|離世|離開人世|往生|走了|病危|安寧|忌日|分手|離婚|失戀|被甩|劈腿|出軌|外遇|"
    "生病|住院|開刀|手術|化療|癌|腫瘤|憂鬱|焦慮症|恐慌|躁鬱|失眠|骨折|車禍|流產|墮胎|小產|不孕|霸凌|欺負|排擠|性騷|家暴|"
    "裁員|被裁|資遣|失業|被開除|欠債|破產|官司|出庭|自律神經|重鬱|身心科|精神科|心理諮商|諮商|送醫|急診|安樂死|去當小天使"
)
SENSITIVE_EN = (
    r"funeral|passed away|died|death|broke up|break ?up|breakup|divorc|surgery|operation|hospital|cancer|tumou?r|"
    r"depress|anxiety|panic attack|miscarr|abortion|bull(?:y|ied)|harass|abuse|laid off|layoff|fired|debt|bankrupt|"
    r"therap(?:y|ist)|accident|chemo|rehab|sick|illness"
)
SENSITIVE_JA = (
    "葬式|お通夜|亡くな|死別|別れ(?:た|ました)|離婚|失恋|振られ|病気|入院|手術|がん|癌|うつ|鬱|流産|中絶|いじめ|事故|"
    "リストラ|解雇|クビ|失業|借金|カウンセリング|骨折"
)


def is_sensitive(folded: str) -> bool:
    """Whether the words touch something painful (folded text of any of the three languages)."""
    return any(pattern(words).search(folded) for words in (SENSITIVE_ZH, SENSITIVE_EN, SENSITIVE_JA))
