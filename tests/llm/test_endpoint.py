from __future__ import annotations

import pytest

from llm.endpoint import checked_key, checked_url
from llm.errors import ModelRefused


@pytest.mark.parametrize(
    "url", ["http://localhost:11434/v1", " https://api.example.com/ ", "http://[::1]:8080"]
)
def test_a_usable_address_is_stripped(url: str) -> None:
    assert checked_url(url, "OPENAI_BASE_URL") == url.strip()


@pytest.mark.parametrize(
    "url",
    [
        "",
        "localhost:11434/v1",
        "http://",
        "ftp://host",
        "http://a b/",
        "http://host:port",
        "http://[::1",
        "//x",
    ],
)
def test_any_other_address_names_its_setting(url: str) -> None:
    with pytest.raises(ModelRefused, match="OPENAI_BASE_URL is no http"):
        checked_url(url, "OPENAI_BASE_URL")


@pytest.mark.parametrize("key", ["", "sk-abc_DEF-123", " padded\n"])
def test_a_key_is_stripped(key: str) -> None:
    assert checked_key(key, "GEMINI_API_KEY") == key.strip()


@pytest.mark.parametrize("key", ["鑰匙", "two words", "line\nbreak", "sk-“quoted”"])
def test_a_key_no_request_could_carry_is_named_by_its_setting_not_shown(key: str) -> None:
    with pytest.raises(ModelRefused, match="GEMINI_API_KEY") as caught:
        checked_key(key, "GEMINI_API_KEY")
    assert key not in str(caught.value)
