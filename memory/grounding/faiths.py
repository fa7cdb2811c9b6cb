"""Feasts of calendars that go by sight or by tables of their own: their days, year by year."""

from __future__ import annotations

from datetime import date

FIRST_YEAR = 2010
"""The year of the first entry of each row."""
_DAYS: dict[str, str] = {
    "eid_al_fitr": (
        "0910 0831 0819 0808 0728 0717 0706 0625 0615 0605 0524 0513 0502 "
        "0422 0410 0331 0321 0310 0227 0215 0204 0125 0114 0103 1212 1201"
    ),
    "eid_al_adha": (
        "1117 1107 1026 1015 1005 0924 0912 0901 0822 0811 0731 0720 0710 "
        "0629 0617 0607 0527 0517 0505 0425 0414 0403 0322 0312 0301 0219"
    ),
    "diwali": (
        "1105 1026 1113 1103 1023 1111 1030 1019 1107 1027 1114 1104 1024 "
        "1112 1031 1020 1108 1029 1017 1105 1026 1114 1102 1022 1110 1030"
    ),
    "holi": (
        "0301 0320 0308 0327 0317 0306 0324 0313 0302 0321 0310 0329 0318 "
        "0308 0325 0314 0304 0322 0311 0301 0320 0309 0327 0316 0305 0324"
    ),
    "vesak": (
        "0528 0517 0505 0524 0513 0601 0521 0510 0529 0519 0507 0526 0515 "
        "0602 0522 0512 0531 0520 0509 0527 0516 0604 0523 0513 0601 0522"
    ),
    "rosh_hashanah": (
        "0909 0929 0917 0905 0925 0914 1003 0921 0910 0930 0919 0907 0926 "
        "0916 1003 0923 0912 1002 0921 0910 0928 0918 0906 0924 0914 1004"
    ),
    "yom_kippur": (
        "0918 1008 0926 0914 1004 0923 1012 0930 0919 1009 0928 0916 1005 "
        "0925 1012 1002 0921 1011 0930 0919 1007 0927 0915 1003 0923 1013"
    ),
    "passover": (
        "0330 0419 0407 0326 0415 0404 0423 0411 0331 0420 0409 0328 0416 "
        "0406 0423 0413 0402 0422 0411 0331 0418 0408 0327 0414 0404 0424"
    ),
    "hanukkah": (
        "1202 1221 1209 1128 1217 1207 1225 1213 1203 1223 1211 1129 1219 "
        "1208 1226 1215 1205 1225 1213 1202 1221 1210 1128 1217 1207 1226"
    ),
}  # fmt: skip
"""Month and day a year, as the holidays library has them (Malaysia, India, Singapore, Israel): to ask the
library itself would hold a message for over half a second."""
FEASTS = frozenset(_DAYS)
"""The feasts known here."""


def feast_day(name: str, year: int) -> date | None:
    """Return the first day of a feast in a year, or None beyond the table."""
    days = _DAYS[name].split()
    if not 0 <= year - FIRST_YEAR < len(days):
        return None
    entry = days[year - FIRST_YEAR]
    return date(year, int(entry[:2]), int(entry[2:]))
