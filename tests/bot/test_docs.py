"""The pages run: every command of theirs prints what the page shows, and every link leads somewhere."""

from __future__ import annotations

import io
import json
import re
import shlex
from pathlib import Path

import pytest

from benchmarks.faults import PAGES as FAULT_PAGES
from benchmarks.faults import RESULTS, page, without_chinese
from bot.cli.output import Output
from bot.cli.parser import Stop, build_parser
from docs.figures import EVALUATIONS, READMES, SECTION, filled, rows
from docs.record import commands, recorded, session_of
from memory.catalog import load_catalog

ROOT = Path(__file__).parents[2]
PAGES = sorted((*ROOT.glob("README*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / "benchmarks" / "README.md"))
PAIRS = [page for page in PAGES if page.with_name(page.name.replace(".md", ".en.md")) in PAGES]
RUN = [page for page in PAGES if re.search(r"^```sh\n", page.read_text(encoding="utf-8"), re.MULTILINE)]
LINK = re.compile(r"\]\((?!https?://)([^)#\s]*)(?:#([^)]*))?\)")
SAID = re.compile(r"[\u4e00-\u9fff ]")
OWN = re.compile(r"[\u4e00-\u9fff]+|(?<=[:@/])[A-Z]+(?=[:@])|\bm[0-9a-f]{20}\b")
SHOWN = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def named(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", RUN, ids=named)
def test_a_page_shows_what_its_commands_print(page: Path, tmp_path: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert recorded(text, session_of(page, tmp_path)) == text


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_every_link_leads_to_a_file_and_a_heading(page: Path) -> None:
    lost = []
    for target, heading in LINK.findall(page.read_text(encoding="utf-8")):
        file = (page.parent / target) if target else page
        if not file.exists() or (heading and heading not in anchors(file)):
            lost.append(f"{target}#{heading}" if heading else target)
    assert lost == []


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_a_page_has_its_counterpart_in_the_other_language(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    if page.name.endswith(".en.md"):
        assert page.with_name(page.name.replace(".en.md", ".md")).exists()
    elif page.with_name(page.name.replace(".md", ".en.md")).exists():
        other = page.with_name(page.name.replace(".md", ".en.md"))
        theirs = other.read_text(encoding="utf-8")
        assert f"]({other.name})" in text
        assert f"]({page.name})" in theirs
        assert len(re.findall(r"^#+ ", text, re.MULTILINE)) == len(re.findall(r"^#+ ", theirs, re.MULTILINE))


@pytest.mark.parametrize("page", PAIRS, ids=named)
def test_both_languages_show_the_same_commands_in_the_same_order(page: Path) -> None:
    ours, theirs = (shown_commands(one) for one in (page, page.with_name(page.name.replace(".md", ".en.md"))))
    assert ours == theirs


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_every_lily_command_of_a_page_exists_with_its_options(page: Path) -> None:
    catalog = load_catalog("bot", "en")
    wrong = []
    for block in SHOWN.findall(page.read_text(encoding="utf-8")):
        for line in commands(block):
            for command in re.findall(r"(?:^|&& |/)lily ((?:[^&|;>#]|&(?!&))+)", line):
                said = io.StringIO()
                try:
                    build_parser(catalog, Output(io.StringIO(), said)).parse_args(shlex.split(command))
                except Stop:
                    wrong.append(f"{line}: {said.getvalue()}")
    assert wrong == []


def shown_commands(page: Path) -> list[list[str]]:
    """Return what a page's blocks run, block by block, alike in every language."""
    blocks = (list(commands(block)) for block in SHOWN.findall(page.read_text(encoding="utf-8")))
    return [[alike(line) for line in block] for block in blocks]


def alike(line: str) -> str:
    """Return a command without what is each language's own: what is said, files, ids, words to fill in."""
    kept = (word for word in shlex.split(line, comments=True) if "://" in word or not SAID.search(word))
    return " ".join(OWN.sub("…", word.replace(".en.", ".")) for word in kept)


def anchors(page: Path) -> set[str]:
    """Return the anchors GitHub gives a page's headings."""
    found = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    plain = (re.sub(r"[^\w\- ]", "", heading.strip().lower()) for heading in found)
    return {heading.replace(" ", "-") for heading in plain}


@pytest.mark.parametrize(("name", "language"), READMES.items())
def test_every_figure_of_the_readme_is_that_of_a_result_file(name: str, language: str) -> None:
    section = SECTION.search((ROOT / name).read_text(encoding="utf-8"))
    assert section is not None
    shown = [tuple(line.strip("| ").split(" | ")) for line in section[0].splitlines() if line.startswith("|")]
    assert len(shown) >= 5
    assert set(shown[2:]) <= set(rows(language)), "run: python docs/figures.py"


@pytest.mark.parametrize("name", EVALUATIONS)
def test_every_figure_of_the_evaluation_is_that_of_a_result_file(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert "| `second` |" in text
    assert filled(name, text) == text, "run: python docs/figures.py"


@pytest.mark.parametrize(("name", "language"), FAULT_PAGES.items())
def test_the_page_of_the_faults_is_that_of_the_last_run(name: str, language: str) -> None:
    seen = json.loads((RESULTS / "faults.json").read_text(encoding="utf-8"))["rows"]
    again = "run: python benchmarks/faults.py --again"
    assert (ROOT / "docs" / name).read_text(encoding="utf-8") == page(seen, language), again
    assert without_chinese(seen) == []


@pytest.mark.parametrize("page", sorted((ROOT / "docs").glob("how-memory-works*.md")), ids=named)
def test_the_worked_example_adds_up(page: Path) -> None:
    sums = re.findall(r"^\S+ += (.+) = ([\d.]+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(sums) == 3
    for terms, result in sums:
        assert re.fullmatch(r"[\d.()+*/× ]+", terms)
        assert abs(eval(terms.replace("×", "*")) - float(result)) < 0.001


@pytest.mark.parametrize(("name", "language"), [("privacy.md", "zh-TW"), ("privacy.en.md", "en")])
def test_the_privacy_page_tells_of_every_command_that_the_short_version_names(
    name: str, language: str
) -> None:
    page = (ROOT / "docs" / name).read_text(encoding="utf-8")
    short = " ".join(load_catalog("bot", language).get("discord.privacy.lines"))
    told = re.findall(r"`/(\w+)(?: (\w+))?`", short)
    assert len(told) >= 5
    for command, part in told:
        assert f"`/{command}" in page
        assert not part or re.search(rf"`(?:/{command} )?{part}`", page)
