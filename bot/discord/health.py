"""``/healthz`` and ``/metrics`` on a local port: numbers about her, never about what people said."""

from __future__ import annotations

import math
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aiohttp import web

from bot.discord.parts import Parts
from bot.errors import UserError
from memory.store.errors import StoreError

_PLAIN = "text/plain; version=0.0.4"


@asynccontextmanager
async def serving_health(parts: Parts) -> AsyncIterator[None]:
    """Serve both pages while inside, where ``ops.health_port`` is set."""
    ops = parts.house.settings.ops
    if ops.health_port is None:
        yield
        return

    async def healthz(_request: web.Request) -> web.Response:
        online = parts.client.is_ready()
        return web.json_response({"online": online}, status=200 if online else 503)

    async def metrics(_request: web.Request) -> web.Response:
        return await metrics_page(parts)

    app = web.Application()
    app.router.add_get("/healthz", healthz)
    app.router.add_get("/metrics", metrics)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, ops.health_host, ops.health_port).start()
        except OSError as error:
            raise UserError.of(
                "run.health_port", host=ops.health_host, port=ops.health_port, cause=error.strerror
            ) from None
        yield
    finally:
        await runner.cleanup()


async def metrics_page(parts: Parts) -> web.Response:
    """Answer with the numbers; 503 while the store can't be asked for them."""
    try:
        text = rendered(await measured(parts))
    except StoreError:
        return web.Response(status=503)
    return web.Response(body=text.encode(), headers={"Content-Type": _PLAIN})


async def measured(parts: Parts) -> dict[str, float]:
    """Return what is measured, by its name in the metrics; NaN is what nobody knows.

    ``cost_dollars_total`` holds what is known; ``unpriced_calls_total`` counts the calls that are not in it.
    """
    latency = parts.client.latency
    today = await parts.budget.today(parts.house.clock.now())
    cost = today.spending.cost
    each = 1 / today.messages if today.messages else 0.0
    return {
        "lily_online": float(parts.client.is_ready()),
        "lily_servers": float(len(parts.client.guilds)),
        "lily_gateway_latency_seconds": latency if math.isfinite(latency) else 0.0,
        "lily_messages_waiting": float(parts.talk.waiting),
        "lily_messages_unobserved": float(await parts.house.memory.inbox.waiting()),
        "lily_index_lag": float(await parts.house.memory.outbox.lag()),
        "lily_model_calls_total": float(parts.meter.total.calls),
        "lily_model_tokens_total": float(parts.meter.total.tokens),
        "lily_model_input_tokens_total": float(parts.meter.total.input_tokens),
        "lily_model_output_tokens_total": float(parts.meter.total.output_tokens),
        "lily_model_cost_dollars_total": parts.meter.total.known_cost,
        "lily_model_unpriced_calls_total": float(parts.meter.total.unpriced),
        "lily_messages_answered_today": float(today.messages),
        "lily_model_calls_per_message_today": today.spending.calls * each,
        "lily_cost_dollars_per_message_today": math.nan if cost is None else cost * each,
    }


def rendered(values: dict[str, float]) -> str:
    """Return the numbers as Prometheus reads them."""
    lines: list[str] = []
    for name, value in values.items():
        kind = "counter" if name.endswith("_total") else "gauge"
        shown = "NaN" if math.isnan(value) else f"{value:.12g}"
        lines += [f"# TYPE {name} {kind}", f"{name} {shown}"]
    return "\n".join(lines) + "\n"
