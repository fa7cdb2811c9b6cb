"""The checker against Discord's description finds what is wrong, and nothing where all is right."""

from __future__ import annotations

from typing import Any

import pytest

from tests.standin import Published
from tests.standin.published import as_described, with_ids_as_text
from tests.standin.recorder import Exchange, Recorder
from tests.standin.trial import trial

SMALL = {
    "openapi": "3.1.0",
    "paths": {
        "/channels/{channel_id}/messages": {
            "post": {
                "requestBody": {
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Draft"}}}
                },
                "responses": {
                    "200": {
                        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Message"}}}
                    },
                    "4XX": {"$ref": "#/components/responses/Refusal"},
                },
            },
        },
    },
    "components": {
        "schemas": {
            "Id": {"type": "string", "pattern": "^[0-9]+$"},
            "Draft": {"type": "object", "properties": {"content": {"type": "string", "maxLength": 5}}},
            "Message": {
                "type": "object",
                "required": ["id"],
                "properties": {"id": {"$ref": "#/components/schemas/Id"}},
            },
            "MessageResponse": {"$ref": "#/components/schemas/Message"},
        },
        "responses": {
            "Refusal": {
                "content": {
                    "application/json": {"schema": {"type": "object", "required": ["code", "message"]}}
                }
            },
        },
    },
}


def exchange(body: Any, status: int, answer: Any, template: str = "/channels/{id}/messages") -> Exchange:
    return Exchange(0.0, 0.0, "POST", template, template, {}, body, (), status, answer, fault=False)


def differences(one: Exchange) -> list[str]:
    return [str(each) for each in Published(SMALL).differences(Recorder([one]))]


def test_what_fits_the_description_is_no_difference():
    assert differences(exchange({"content": "hi"}, 200, {"id": "1"})) == []
    assert differences(exchange({"content": "far too long"}, 400, {"code": 50035, "message": "no"})) == []


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (exchange({"content": "far too long"}, 200, {"id": "1"}), "request"),
        (exchange({"content": "hi"}, 200, {"id": 1}), "at id"),
        (exchange({"content": "hi"}, 200, {}), "required"),
        (exchange({"content": "hi"}, 404, {"code": 1}), "required"),
        (exchange({"content": "hi"}, 503, {}), "never answers 503"),
        (exchange({"content": "hi"}, 200, {"id": "1"}, "/made/up"), "no such route"),
    ],
)
def test_what_does_not_fit_is_one(wrong, said):
    (found,) = differences(wrong)
    assert said in found


def test_ids_in_requests_may_be_numbers_but_other_numbers_stay():
    given = {
        "recipient_id": 5,
        "message_reference": {"message_id": 6},
        "allowed_mentions": {"users": [7]},
        "components": [{"type": 1, "id": 3}],
        "limit": 4,
        "attachments": [{"id": 0}],
    }
    assert with_ids_as_text(given) == {
        "recipient_id": "5",
        "message_reference": {"message_id": "6"},
        "allowed_mentions": {"users": ["7"]},
        "components": [{"type": 1, "id": 3}],
        "limit": 4,
        "attachments": [{"id": "0"}],
    }


def test_only_two_known_errors_of_the_description_are_passed_over():
    refusal = {
        "code": 50035,
        "message": "no",
        "errors": {"content": {"_errors": [{"code": "WORD", "message": "m"}]}},
    }
    assert as_described(refusal)["errors"]["content"]["_errors"][0]["code"] == 0
    assert as_described({"code": "WORD", "name": "other"}) == {"code": "WORD", "name": "other"}
    assert as_described({"message_reference": {"type": 1}}) == {"message_reference": {"type": 0}}
    assert as_described({"message_reference": {"type": 2}}) == {"message_reference": {"type": 2}}


async def test_the_real_description_finds_nothing_in_a_whole_conversation_and_a_planted_mistake():
    published = Published.at_hand()
    if published is None:
        pytest.skip("no copy of the description at hand")
    async with trial() as t:
        t.ming.say(t.server.general, "hi", mention=t.lily, files={"a.png": b"a"})
        answer = await t.ming.hears(t.server.general)
        t.ming.say(t.server.general, "and?", reply_to=answer)
        await t.ming.hears(t.server.general)
        panel = await t.ming.slash(t.server.general, "panel").reply()
        await t.ming.click(panel, "More").reply()
        await t.ming.slash(t.server.general, "think").follow_up()
        assert published.differences(t.discord.recorder) == []
        assert min(published.requests, published.answers, published.events) > 5
        sent = t.discord.recorder.requests("POST", "/channels/{channel_id}/messages")[0]
        assert isinstance(sent.answer, dict)
        broken = {**sent.answer, "channel_id": int(sent.answer["channel_id"])}
        planted = Exchange(**{**vars(sent), "answer": broken})
        assert len(published.differences(Recorder([planted]))) == 1
