"""The service over HTTP and candela_ta have the same values, bit for bit: every indicator, and random expressions."""

from __future__ import annotations

import os
import random
import zlib
from collections.abc import Callable
from functools import partial
from typing import Any

import httpx
import numpy as np
import pytest

import candela_ta as ta
from candela_ta._catalogue import INDICATORS

MARKETS = [("BTCUSDT", "1h"), ("ETHUSDT", "1m"), ("SOLUSDT", "1d")]
_SERVICE = httpx.Client(
    base_url=os.environ["CANDELA_URL"], headers={"Authorization": f"Bearer {os.environ['CANDELA_KEY']}"}, timeout=60
)
#: Expressions over each market, and the seed of the first one.
EXPRESSIONS = 170
SEED = 1


def ask(path: str, market: tuple[str, str], **fields: Any) -> Any:
    symbol, timeframe = market
    window = {"exchange": "demo", "symbol": symbol, "timeframe": timeframe, "results": "max"}
    reply = _SERVICE.get(path, params={**window, **fields})
    assert reply.status_code == 200, reply.text
    return reply.json()


@pytest.fixture(scope="module", params=MARKETS, ids=lambda market: "-".join(market))
def market(request: pytest.FixtureRequest) -> tuple[tuple[str, str], dict[str, Any]]:
    candles = ask("/candles", request.param)
    names = ("timestamp", "open", "high", "low", "close", "volume")
    return request.param, {name: np.array([each[name] for each in candles], dtype=np.float64) for name in names}


def text_of(value: Any) -> str:
    """A value as a text of all its bits. NaN and infinity are no value, JSON has no -0, and a condition is 1 or 0."""
    if value is None or isinstance(value, str):
        return str(value)
    return repr(float(value) + 0.0) if np.isfinite(value) else "None"


def check(answer: dict[str, Any], outputs: dict[str, Any], name: str) -> None:
    """Compares values with those of an answer, which begins at the first candle that has one."""
    count = len(answer["timestamp"])
    assert set(outputs) == set(answer) - {"timestamp"}
    for output, values in outputs.items():
        own = [text_of(each) for each in values]
        assert own[len(own) - count :] == [text_of(each) for each in answer[output]], f"{name}: {output}"
        assert set(own[: len(own) - count]) <= {"None"}, f"{name} has a value before the first one of the service"


def test_every_indicator_has_the_values_of_the_service(market: tuple[tuple[str, str], dict[str, Any]]) -> None:
    place, candles = market
    for name in INDICATORS:
        answer = ask(f"/indicator/{name}", place)
        function = getattr(ta, f"_{name}" if name[0].isdecimal() else name, None) or getattr(ta, f"{name}_")
        result = function(candles)
        outputs = result if isinstance(result, dict) else {each: result for each in answer if each != "timestamp"}
        check(answer, outputs, name)


def random_number(of: random.Random, depth: int) -> str:
    """A number of an expression."""
    column = of.choice(["open", "high", "low", "close", "volume", "hl2", "ohlc4"])
    if depth == 0:
        return of.choice([column, str(of.choice([0.5, 2, 3, 14, 100])), f"{column}[{of.randint(1, 9)}]"])
    number, condition = partial(random_number, of, depth - 1), partial(random_condition, of, depth - 1)
    average = of.choice(["sma", "ema", "wma", "rma", "rsi", "stddev", "highest", "lowest", "roc", "linearreg", "cumsum"])
    choices: list[Callable[[], str]] = [
        lambda: f"({number()} {of.choice(['+', '-', '*', '/', '%'])} {number()})",
        lambda: f"{of.choice(['min', 'max'])}({number()}, {number()})",
        lambda: f"pow({number()}, {of.choice([0.5, 2, -1, 1.7])})",
        lambda: f"{average}({number()})" if average == "cumsum" else f"{average}({number()}, {of.randint(2, 40)})",
        lambda: of.choice(["atr(5)", "adx(7)", "macd.valueMACDHist", "bbands(20).valueUpperBand", "obv", "cci(9)"]),
        lambda: f"if({condition()}, {number()}, {number()})",
        lambda: f"nz({number()}, {number()})",
        lambda: f"valuewhen({condition()}, {number()}, {of.randint(0, 3)})",
        lambda: f"barssince({condition()})",
        lambda: f"fixnan({number()})",
        lambda: f"({number()})[{of.randint(1, 20)}]",
        lambda: f"change({number()}, {of.randint(1, 5)})",
    ]
    return of.choice(choices)()


def random_condition(of: random.Random, depth: int) -> str:
    """A condition of an expression."""
    compared = (
        f"{random_number(of, max(0, depth - 1))} {of.choice(['<', '>', '<=', '>=', '==', '!='])} {random_number(of, 0)}"
    )
    if depth == 0:
        return compared
    number, condition = partial(random_number, of, depth - 1), partial(random_condition, of, depth - 1)
    choices: list[Callable[[], str]] = [
        lambda: compared,
        lambda: f"({condition()} {of.choice(['and', 'or'])} {condition()})",
        lambda: f"not ({condition()})",
        lambda: f"{of.choice(['crossover', 'crossunder', 'cross'])}({number()}, {number()})",
        lambda: f"rising({number()}, {of.randint(1, 4)})",
        lambda: f"within({condition()}, {of.randint(1, 9)})",
        lambda: f"na({number()})",
    ]
    return of.choice(choices)()


def test_random_expressions_have_the_values_of_the_service(market: tuple[tuple[str, str], dict[str, Any]]) -> None:
    place, candles = market
    compared = 0
    of = random.Random(SEED + zlib.crc32(place[0].encode()))
    while compared < EXPRESSIONS:
        text = random_condition(of, 3) if of.random() < 0.5 else random_number(of, 3)
        try:
            own = ta.expression(text, candles)
        except ta.CandelaError as refusal:
            where = {"exchange": "demo", "symbol": place[0], "timeframe": place[1]}
            reply = _SERVICE.get("/expression", params={**where, "expression": text})
            assert (reply.status_code, reply.json()["error"]) == (400, str(refusal))
            continue
        check(ask("/expression", place, expression=text), {"value": own}, text)
        compared += 1


def test_a_live_value_equals_that_of_all_candles(market: tuple[tuple[str, str], dict[str, Any]]) -> None:
    _, candles = market
    count = 30
    history = {name: values[:-count] for name, values in candles.items()}
    of = random.Random(SEED)
    texts = [*of.sample(list(INDICATORS), 150), *(random_number(of, 3) for _ in range(50))]
    for text in texts:
        try:
            whole = ta.compute_all([text], candles)
        except ta.CandelaError:
            continue
        live = ta.live(text, history)
        for at in range(len(candles["close"]) - count, len(candles["close"])):
            candle = {name: values[at] for name, values in candles.items()}
            live.update({**candle, "close": candle["close"] * 1.5, "high": candle["high"] * 2})
            state = live.save()
            forming, closed = live.update(candle), ta.live(text).restore(state).close(candle)
            assert str(forming) == str(closed) == str(live.close(candle)), text
            values = closed.values() if isinstance(closed, dict) else [closed]
            assert [text_of(each) for each in values] == [text_of(column[at]) for column in whole.values()], text
