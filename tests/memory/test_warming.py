"""What is warmed is there when the first message comes."""

from __future__ import annotations

import subprocess
import sys

FIRST_MESSAGES = """
import sys
from datetime import UTC, datetime

from memory.extraction.rules import extract_by_rules
from memory.extraction.types import ExtractionRequest
from memory.reading import read_message
from memory.relations.rules import decide
from memory.relations.types import Statement
from memory.warming import warm

warm()
opened = []
sys.addaudithook(lambda event, given: opened.append(given[0]) if event == "open" else None)
now = datetime(2026, 3, 6, 12, tzinfo=UTC)
for language, text in (
    ("zh-TW", "後天早上十點要考多益，我搬到台中了，不想再吃香菜"),
    ("en", "my name is Ann, my exam is tomorrow at 9am and I moved to Leeds"),
    ("ja", "明後日の朝十時に試験があります。猫が好きです"),
):
    read_message(text, now, "Asia/Taipei")
    extract_by_rules(ExtractionRequest(text=text, said_at=now, zone="Asia/Taipei", language=language))
    decide(Statement("使用者住在台北", language=language), Statement(text, language=language))
print([name for name in opened if str(name).endswith((".yaml", ".txt", ".py", ".pyc"))])
"""


def test_the_first_message_of_each_language_opens_no_table_any_more():
    ran = subprocess.run([sys.executable, "-c", FIRST_MESSAGES], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
