"""What people call the festivals, in folded text."""

from __future__ import annotations

import re
from collections.abc import Iterable


def alternatives(names: Iterable[str]) -> str:
    """Return a pattern that matches any of the names, the longest first."""
    return "(?:" + "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True)) + ")"


FESTIVALS_ZH: dict[str, str] = {
    "元旦": "new_year", "新年": "new_year", "国历新年": "new_year", "农历新年": "spring",
    "农历年": "spring", "春节": "spring", "新春": "spring", "大年初一": "spring",
    "过年": "spring_holiday", "过农历年": "spring_holiday", "除夕": "lunar_eve",
    "大年三十": "lunar_eve", "年三十": "lunar_eve", "大年夜": "lunar_eve", "年夜": "lunar_eve",
    "小年夜": "little_eve", "元宵节": "lantern", "元宵": "lantern", "灯节": "lantern",
    "端午节": "dragon_boat", "端午": "dragon_boat", "端阳节": "dragon_boat", "七夕": "qixi",
    "七夕情人节": "qixi", "七夕节": "qixi", "中元节": "ghost", "中元普渡": "ghost", "中元": "ghost",
    "鬼节": "ghost", "中秋节": "mid_autumn", "中秋": "mid_autumn", "八月节": "mid_autumn",
    "重阳节": "double_ninth", "重阳": "double_ninth", "敬老节": "double_ninth", "腊八": "laba",
    "腊八节": "laba", "尾牙": "weiya", "清明节": "qingming", "清明": "qingming", "扫墓节": "qingming",
    "民族扫墓节": "qingming", "冬至": "winter_solstice", "夏至": "summer_solstice",
    "春分": "spring_equinox", "秋分": "autumn_equinox", "立春": "start_spring", "立夏": "start_summer",
    "立秋": "start_autumn", "立冬": "start_winter", "国庆": "national", "国庆节": "national",
    "国庆日": "national", "双十节": "national_tw", "双十国庆": "national_tw", "双十": "national_tw",
    "十一国庆": "national_cn", "圣诞节": "christmas", "圣诞": "christmas", "耶诞节": "christmas",
    "耶诞": "christmas", "平安夜": "christmas_eve", "圣诞夜": "christmas_eve",
    "圣诞前夕": "christmas_eve", "耶诞夜": "christmas_eve", "万圣节": "halloween",
    "万圣夜": "halloween", "万圣节前夕": "halloween", "母亲节": "mother", "父亲节": "father_zh",
    "情人节": "valentine", "西洋情人节": "valentine", "白色情人节": "white_day",
    "感恩节": "thanksgiving", "劳动节": "labour", "五一劳动节": "labour", "五一": "labour",
    "儿童节": "children", "教师节": "teachers", "妇女节": "women", "三八妇女节": "women",
    "妇幼节": "children_tw", "青年节": "youth", "复活节": "easter", "耶稣受难日": "good_friday",
    "受难日": "good_friday", "愚人节": "fools", "光复节": "retrocession", "台湾光复节": "retrocession",
    "行宪纪念日": "constitution", "和平纪念日": "peace", "二二八": "peace", "228": "peace",
    "二二八纪念日": "peace", "228纪念日": "peace", "植树节": "arbor", "护士节": "nurses",
    "军人节": "armed_forces", "黑色星期五": "black_friday", "光棍节": "singles", "双十一": "singles",
    "双11": "singles", "双十二": "double12", "双12": "double12", "开国纪念日": "new_year",
    "女生节": "hinamatsuri", "妈祖生日": "matsu", "妈祖诞辰": "matsu", "佛诞日": "buddha",
    "浴佛节": "buddha", "天公生": "tiangong", "地球日": "earth", "龙抬头": "dragon_head",
    "建军节": "army_cn", "建党节": "party_cn", "圣灰节": "ash_wednesday",
    "圣灰日": "ash_wednesday", "圣灰星期三": "ash_wednesday", "圣灰礼仪日": "ash_wednesday",
    "棕枝主日": "palm_sunday", "圣枝主日": "palm_sunday", "圣周四": "maundy", "圣周五": "good_friday",
    "圣周六": "holy_saturday", "圣星期五": "good_friday", "主受难日": "good_friday",
    "圣灵降临节": "pentecost", "五旬节": "pentecost", "耶稣升天节": "ascension",
    "美国国庆": "independence_us", "美国独立日": "independence_us", "八一建军节": "army_cn",
    "老板节": "boss", "消费者权益日": "consumers", "国际消费者权益日": "consumers",
    "315消费者日": "consumers",
    "澳门回归纪念日": "macau", "主显节": "epiphany", "忏悔节": "carnival", "忏悔星期二": "carnival",
    "大斋首日": "ash_wednesday", "濯足节": "maundy", "濯足日": "maundy", "神圣星期四": "maundy",
    "圣周星期四": "maundy", "圣周星期五": "good_friday", "圣周星期六": "holy_saturday",
    "圣周日": "easter", "圣灵降临日": "pentecost", "圣灵降临主日": "pentecost",
    "圣三一主日": "trinity", "三一主日": "trinity", "天主圣三节": "trinity", "天主圣三主日": "trinity",
    "基督圣体节": "corpus_christi", "基督圣体圣血节": "corpus_christi", "圣体节": "corpus_christi",
    "开斋节": "eid_al_fitr", "肉孜节": "eid_al_fitr", "宰牲节": "eid_al_adha", "古尔邦节": "eid_al_adha",
    "哈芝节": "eid_al_adha", "排灯节": "diwali", "屠妖节": "diwali", "印度灯节": "diwali",
    "胡里节": "holi", "侯丽节": "holi", "荷丽节": "holi", "洒红节": "holi", "霍利节": "holi",
    "卫塞节": "vesak", "犹太新年": "rosh_hashanah", "赎罪日": "yom_kippur", "逾越节": "passover",
    "光明节": "hanukkah",
}  # fmt: skip

FESTIVALS_EN: dict[str, str] = {
    "new year's eve": "new_years_eve", "new years eve": "new_years_eve", "nye": "new_years_eve",
    "new year's day": "new_year", "new years day": "new_year", "new year's": "new_year",
    "christmas eve": "christmas_eve", "xmas eve": "christmas_eve", "christmas day": "christmas",
    "christmas": "christmas", "xmas": "christmas", "x-mas": "christmas", "boxing day": "boxing",
    "halloween": "halloween", "hallowe'en": "halloween", "valentine's day": "valentine",
    "valentines day": "valentine", "valentine's": "valentine", "valentine day": "valentine",
    "white day": "white_day", "mother's day": "mother", "mothers day": "mother",
    "mothers' day": "mother", "father's day": "father", "fathers day": "father",
    "fathers' day": "father", "thanksgiving day": "thanksgiving", "thanksgiving": "thanksgiving",
    "black friday": "black_friday", "easter sunday": "easter", "easter monday": "easter_monday",
    "easter": "easter", "good friday": "good_friday", "ash wednesday": "ash_wednesday",
    "palm sunday": "palm_sunday", "pentecost": "pentecost", "whit monday": "whit_monday",
    "april fools' day": "fools", "april fools day": "fools", "april fool's day": "fools",
    "april fools": "fools", "st patrick's day": "st_patrick", "st. patrick's day": "st_patrick",
    "saint patrick's day": "st_patrick", "independence day": "independence_us",
    "fourth of july": "independence_us", "the fourth of july": "independence_us",
    "labor day": "labor_us", "labour day": "labour", "memorial day": "memorial_us", "mlk day": "mlk",
    "martin luther king day": "mlk", "martin luther king's day": "mlk",
    "martin luther king jr. day": "mlk", "presidents' day": "presidents",
    "presidents day": "presidents", "president's day": "presidents", "veterans day": "veterans",
    "columbus day": "columbus", "earth day": "earth", "groundhog day": "groundhog",
    "lunar new year's eve": "lunar_eve", "chinese new year's eve": "lunar_eve",
    "lunar new year": "spring", "chinese new year": "spring", "spring festival": "spring",
    "lantern festival": "lantern", "qingming festival": "qingming", "tomb sweeping day": "qingming",
    "dragon boat festival": "dragon_boat", "mid-autumn festival": "mid_autumn",
    "moon festival": "mid_autumn", "mid autumn festival": "mid_autumn",
    "double ninth festival": "double_ninth", "qixi": "qixi", "winter solstice": "winter_solstice",
    "national day": "national", "double ten day": "national_tw", "guy fawkes night": "guy_fawkes",
    "bonfire night": "guy_fawkes", "singles' day": "singles", "singles day": "singles",
    "summer solstice": "summer_solstice", "ghost festival": "ghost", "women's day": "women",
    "teachers' day": "teachers", "children's day": "children", "cyber monday": "cyber_monday",
    "new year eve": "new_years_eve", "new year day": "new_year", "thanks giving": "thanksgiving",
    "thanks giving day": "thanksgiving", "workers' day": "labour", "workers day": "labour",
    "international workers' day": "labour", "boss's day": "boss", "bosses day": "boss",
    "juneteenth": "juneteenth",
    "cinco de mayo": "cinco_de_mayo", "canada day": "canada", "australia day": "australia",
    "anzac day": "anzac", "shrove tuesday": "carnival", "pancake day": "carnival", "mardi gras": "carnival",
    "maundy thursday": "maundy", "holy thursday": "maundy", "holy saturday": "holy_saturday",
    "ascension day": "ascension", "trinity sunday": "trinity",
    "whit sunday": "pentecost", "eid al-fitr": "eid_al_fitr", "eid al fitr": "eid_al_fitr",
    "eid ul-fitr": "eid_al_fitr", "eid ul fitr": "eid_al_fitr", "hari raya": "eid_al_fitr",
    "eid al-adha": "eid_al_adha", "eid al adha": "eid_al_adha", "eid ul-adha": "eid_al_adha",
    "diwali": "diwali", "deepavali": "diwali", "holi": "holi", "vesak day": "vesak", "vesak": "vesak",
    "rosh hashanah": "rosh_hashanah", "yom kippur": "yom_kippur", "passover": "passover",
    "hanukkah": "hanukkah", "chanukah": "hanukkah",
}  # fmt: skip

FESTIVALS_JA: dict[str, str] = {
    "元日": "new_year", "元旦": "new_year", "大晦日": "new_years_eve", "お正月": "oshogatsu",
    "正月": "oshogatsu", "三が日": "oshogatsu", "クリスマスイブ": "christmas_eve",
    "クリスマスイヴ": "christmas_eve", "イブ": "christmas_eve", "クリスマス": "christmas",
    "バレンタインデー": "valentine", "バレンタイン": "valentine", "ホワイトデー": "white_day",
    "ハロウィン": "halloween", "ハロウィーン": "halloween", "母の日": "mother", "父の日": "father",
    "子供の日": "kodomo", "こどもの日": "kodomo", "ひな祭り": "hinamatsuri", "七夕": "tanabata",
    "ゴールデンウィーク": "golden_week_ja", "gw": "golden_week_ja", "お盆": "obon",
    "成人の日": "seijin", "海の日": "umi", "山の日": "yama", "敬老の日": "keiro", "文化の日": "bunka",
    "昭和の日": "showa", "宪法记念日": "kenpo", "みどりの日": "midori", "スポーツの日": "sports_ja",
    "勤労感谢の日": "kinro", "建国记念の日": "kenkoku", "天皇诞生日": "tenno",
    "春分の日": "spring_equinox", "秋分の日": "autumn_equinox", "中秋の名月": "mid_autumn",
    "エイプリルフール": "fools", "冬至": "winter_solstice", "夏至": "summer_solstice",
}  # fmt: skip

BY_ZONE: dict[str, tuple[str, str]] = {

    # name -> (in Taiwan and elsewhere, in mainland China)
    "national": ("national_tw", "national_cn"), "children": ("children_tw", "children_cn"),
    "teachers": ("teachers_tw", "teachers_cn"), "youth": ("youth_tw", "youth_cn"),
    "father_zh": ("father_tw", "father"),
}  # fmt: skip
"""Festivals that fall on different days on the two shores; the person's zone tells which."""
