from __future__ import annotations

import pytest

from bot.discord.orders import Kind, Order, order_in


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("忘掉這件事", Order(Kind.FORGET, "這件事")),
        ("忘掉我對花生過敏的事吧", Order(Kind.FORGET, "我對花生過敏的事")),
        ("請你忘掉剛剛那句。", Order(Kind.FORGET, "剛剛那句")),
        ("把我住高雄這件事忘了吧", Order(Kind.FORGET, "我住高雄這件事")),
        ("忘記這個", Order(Kind.FORGET, "這個")),
        ("不要記這個", Order(Kind.FORGET, "這個")),
        ("Forget that I like cats.", Order(Kind.FORGET, "that I like cats")),
        ("please forget it", Order(Kind.FORGET, "it")),
        ("さっきのことは忘れて", Order(Kind.FORGET, "さっきのこと")),
        ("你記錯了", Order(Kind.WRONG)),
        ("不對，你記錯了啦！", Order(Kind.WRONG, "不對")),
        ("you got that wrong", Order(Kind.WRONG)),
        ("記住：密碼提示是藍色的門", Order(Kind.REMEMBER, "密碼提示是藍色的門")),
        ("幫我記住我下週二有期末考", Order(Kind.REMEMBER, "我下週二有期末考")),
        ("remember that my locker is 42", Order(Kind.REMEMBER, "my locker is 42")),
        ("猫が好きって覚えておいて", Order(Kind.REMEMBER, "猫が好き")),
    ],
)
def test_an_order_is_told_with_what_it_is_about(text: str, order: Order) -> None:
    assert order_in(text) == order


@pytest.mark.parametrize(
    "text",
    [
        "", "我忘了帶傘", "忘記帶傘了", "別忘了明天提醒我", "不要忘記我", "你記得我什麼", "你記得我住哪嗎",
        "你會忘掉我嗎？", "我記住了", "我想把他忘掉的那天哭了", "don't forget that", "do you remember me?",
        "I forgot my keys", "わたしのこと覚えてる？", "忘れないで", "他忘掉了我的生日",
    ],
)  # fmt: skip
def test_what_only_sounds_like_one_is_no_order(text: str) -> None:
    assert order_in(text) is None
