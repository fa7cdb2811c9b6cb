"""Forty things told to a friend in English and twenty in Japanese."""

from __future__ import annotations

from tests.memory.grounding.friends import (
    MONDAY,
    SATURDAY,
    THURSDAY,
    WEDNESDAY,
    clock,
    day,
    hours,
    later,
    off,
    part,
    row,
    week,
)

DATED_EN = [
    row("My cat has a vet appointment the day after tomorrow", MONDAY, off(MONDAY, 2)),
    row("I'm flying to Osaka on the 5th of June", THURSDAY, day(2026, 6, 5)),
    row("we broke up on the 20th", THURSDAY, day(2026, 5, 20)),
    row("The recital is on Monday the 14th", SATURDAY, day(2026, 9, 14)),
    row("rent is due a week from Friday", MONDAY, day(2026, 12, 11)),
    row("I'll call you tomorrow at half past seven in the morning", MONDAY, clock(off(MONDAY, 1), 7, 30)),
    row("lunch with Dad tomorrow at noon", THURSDAY, clock(off(THURSDAY, 1), 12)),
    row("the sale ends tonight at midnight", THURSDAY, clock(off(THURSDAY, 1), 0)),
    row("We close the books in the first quarter of 2027", MONDAY, day(2027, 1, 1, 90)),
    row("the picnic was on the last Saturday of April", THURSDAY, day(2026, 4, 25)),
    row("my visa runs from June 3 to June 17", THURSDAY, day(2026, 6, 3, 15)),
    row("I'll be home between December 20 and December 28", MONDAY, day(2026, 12, 20, 9)),
    row("I've barely slept over the past four days", MONDAY, off(MONDAY, -4, 4)),
    row("got my wisdom teeth out two weeks ago", SATURDAY, week(SATURDAY, -2, 0, 7)),
    row("Exam's next Thursday, wish me luck", SATURDAY, week(SATURDAY, 1, 3)),
    row("the movie starts at 9:45pm tonight", THURSDAY, clock(off(THURSDAY, 0), 21, 45)),
    row(
        "I have a shift from 2pm to 10pm tomorrow",
        MONDAY,
        hours(clock(off(MONDAY, 1), 14), clock(off(MONDAY, 1), 22)),
    ),
    row("I moved here in August 2021", MONDAY, day(2021, 8, 1, 31)),
    row("We're getting a puppy next month!", SATURDAY, day(2026, 10, 1, 31)),
    row("My grandma turns 90 on December 9th", MONDAY, day(2026, 12, 9)),
    row("see you Wednesday evening", MONDAY, part(week(MONDAY, 0, 2), 18, 24)),
    row("back in 45 minutes", MONDAY, later(MONDAY, 45)),
    row("I adopted her three years ago", MONDAY, day(2023, 1, 1, 365)),
    row("we're hosting Christmas Eve this year", MONDAY, day(2026, 12, 24)),
    row("my flight is 2026-12-19 at 06:15", MONDAY, clock(day(2026, 12, 19), 6, 15)),
    row("I quit smoking at the start of this month", SATURDAY, day(2026, 9, 1, 10)),
    row("the weekend after next we're going camping", MONDAY, week(MONDAY, 2, 5, 2)),
    row("dinner at 5pm?", THURSDAY, clock(off(THURSDAY, 0), 17)),
    row("I ran into my ex yesterday afternoon", SATURDAY, part(off(SATURDAY, -1), 12, 18)),
    row("our trip is the second week of June", THURSDAY, day(2026, 6, 8, 7)),
]

UNDATED_EN = [
    row("I waited for two hours and nobody came", MONDAY),
    row("every Tuesday I volunteer at the shelter", MONDAY),
    row("she's turning me into a morning person", MONDAY),
    row("may I ask you something", MONDAY),
    row("we should hang out sometime", MONDAY),
    row("the score was 3-2 in the end", SATURDAY),
    row("I paid $12/30 for that", SATURDAY),
    row("I've got one second thought about it", SATURDAY),
    row("the recipe says bake for 45 minutes", SATURDAY),
    row("my room is 1204 on the second floor", SATURDAY),
]

DATED_JA = [
    row("明後日、歯医者に行く予定です", MONDAY, off(MONDAY, 2)),
    row("来週の木曜日に面接があるんだ", SATURDAY, week(SATURDAY, 1, 3)),
    row("昨日の夜、母とけんかしました", THURSDAY, part(off(THURSDAY, -1), 18, 24)),
    row("6月12日に引っ越します", THURSDAY, day(2026, 6, 12)),
    row("来月の3日は妹の誕生日です", MONDAY, day(2026, 12, 3)),
    row("三日前に犬を飼い始めました", MONDAY, off(MONDAY, -3)),
    row("明日の午後4時半に美容院を予約した", MONDAY, clock(off(MONDAY, 1), 16, 30)),
    row("先週の日曜日にライブへ行った", THURSDAY, week(THURSDAY, -1, 6)),
    row("去年の11月に転職しました", MONDAY, day(2025, 11, 1, 30)),
    row("再来週の金曜は飲み会だよ", MONDAY, week(MONDAY, 2, 4)),
    row("12月24日から27日まで実家に帰ります", MONDAY, day(2026, 12, 24, 4)),
    row("30分後に電話するね", MONDAY, later(MONDAY, 30)),
    row("クリスマスイブはバイトです", MONDAY, day(2026, 12, 24)),
    row("今週末はずっと家にいるつもり", WEDNESDAY, week(WEDNESDAY, 0, 5, 2)),
]

UNDATED_JA = [
    row("ライブがめっちゃ楽しかった", MONDAY),
    row("二時間も待たされた", MONDAY),
    row("毎週月曜日はジムに通ってる", MONDAY),
    row("いつか北海道に行きたいな", SATURDAY),
    row("彼とは三年付き合ってた", SATURDAY),
    row("期末試験の範囲が広すぎる", SATURDAY),
]
