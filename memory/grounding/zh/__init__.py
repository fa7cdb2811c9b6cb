"""The Chinese lexicon: rules over folded text, by what they speak of."""

from __future__ import annotations

from memory.grounding.festival_names import FESTIVALS_ZH
from memory.grounding.lexicon import Lexicon
from memory.grounding.zh import clocks, days, distances, feasts, months, rest

LEXICON = Lexicon(
    "zh",
    r"[今本明后大昨前琴寻听凌清一早晨中正午下傍黄晚夜入深半三子上这此周星礼(再约概差过还最近未接往\d零〇二两四五六七八九十廿卅百未月年当民去来旧第"
    r"春夏秋冬农阴古闰腊元除端国双圣耶万母父情七重感劳儿教青妇复愚光行开和植小尾跨平暑寒每逐天工有快慢多少好高低近远些哪改总某那很不刚待等期将到随隔翌次毕几何什生节假以从长好百千万晚新九妈祖军护"
    r"白女中立清冬霜佛浴记台退黑起首前初黎放宵提q"
    + "".join(sorted({name[0] for name in FESTIVALS_ZH}))
    + "]",
    days.RULES + distances.RULES + clocks.RULES + months.RULES + feasts.RULES + rest.RULES,
)
"""Everything Chinese."""
