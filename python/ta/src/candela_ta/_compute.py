"""Indicators and expressions over columns and frames."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from . import _frames
from ._catalogue import INDICATORS
from ._kernels import Numbers, kernels
from ._plans import Plan, compute_plan, plan_of_expression, plan_of_indicator, whole_call
from ._script import CandelaError, ask

#: Maximum number of remembered plans. A plan takes some kilobytes.
_MOST_PLANS = 10_000
_plans: dict[Any, Plan] = {}
_COLUMNS = ("open", "high", "low", "close", "volume")


def _remember(key: Any, plan: Plan) -> Plan:
    if len(_plans) >= _MOST_PLANS:
        _plans.clear()
    _plans[key] = plan
    return plan


def plan_of(name: str, values: tuple[Any, ...] = (), others: Mapping[str, Any] | None = None) -> Plan:
    """The plan of an indicator with values of its parameters in their order, and others by name."""
    key = (name, values, *others.items()) if others else (name, values)
    try:
        found = _plans.get(key)
    except TypeError:
        columns, parameters, _ = INDICATORS[name]
        raise CandelaError(
            f"A parameter of {name} is neither a number nor a text. Its columns are {', '.join(columns)}, and then come its "
            f"parameters {', '.join(parameters)}"
        ) from None
    if found is not None:
        return found
    _, names, defaults = INDICATORS.get(name, ((), (), ()))
    if len(values) > len(names):
        raise TypeError(f"{name} has {len(names)} parameters ({', '.join(names)}), and {len(values)} values were given")
    # The service tells a given value from an omitted one, and so an equal one counts as omitted.
    given = {each: value for each, value, default in zip(names, values, defaults, strict=False) if value != default}
    if others and "chart" in others:
        raise CandelaError(
            "candela_ta has no charts: compute over a frame of their bars, or ask the service with candela_client"
        )
    read = {each: _plain(value) for each, value in {**given, **(others or {})}.items()}
    return _remember(key, plan_of_indicator(ask("indicator", name, json.dumps(read))))


def _plain(value: Any) -> Any:
    """A parameter as a value that JSON has."""
    value = value.item() if isinstance(value, np.generic) else value
    return value if isinstance(value, int | str) or value is None or np.isfinite(value) else str(value)


def text_of(given: Any) -> str:
    """A text. Raises CandelaError if an object is none."""
    if not isinstance(given, str):
        raise CandelaError(f"An indicator or an expression is a text, and not {given!r}")
    return given


def is_indicator(text: str) -> bool:
    """Whether a text is the name of an indicator and not an expression."""
    return re.fullmatch(r"\w+", text) is not None and text not in _COLUMNS


def plan_of_text(text: str) -> Plan:
    """The plan of the name of an indicator, or of an expression."""
    found = _plans.get(text_of(text))
    if found is not None:
        return found
    if is_indicator(text):
        return plan_of(text)
    # Every other timeframe is longer than a minute, so each is read, and refused with its reason.
    return _remember(text, plan_of_expression(ask("expression", text, "1m")))


def run(name: str, given: tuple[Any, ...], values: tuple[Any, ...], others: Mapping[str, Any]) -> Any:
    """An indicator over a frame, or over a column for each input."""
    if not others:
        try:
            compute, result = kernels().calls[name, values, given[0].shape]
        except (AttributeError, KeyError, TypeError):
            pass
        else:
            if compute(given):
                return result()
    plan = plan_of(name, values, others)
    first = given[0]
    if type(first) is not np.ndarray and _frames.is_frame(first):
        return _frames.result(first, name, _of_frame(plan, first))
    inputs = INDICATORS[name][0]
    columns = []
    for role in plan.columns:
        column = given[inputs.index(role)] if role in inputs[: len(given)] else None
        if column is None:
            raise CandelaError(f"{name} reads the column {role}, which is missing")
        columns.append(_frames.numbers_of(column, role))
        _frames.check_rows(first, column)
    if type(first) is np.ndarray and plan.kernel is not None and plan.columns == inputs[: len(given)] and not others:
        call = whole_call(kernels(), plan, plan.kernel, len(first))
        kernels().calls[name, values, first.shape] = (call.compute, _results_of(plan, call.outputs))
    outputs = named(plan, _computed(plan, columns, len(first)))
    if len(outputs) > 1 and _frames.library_of(first) == "numpy":
        return plan.names(*(column for _, _, column in outputs))
    return _frames.result(first, name, outputs)


def _results_of(plan: Plan, rows: Numbers) -> Callable[[], Any]:
    """A function that returns the results of a plan: copies of the rows with numbers, and new texts."""
    rest = iter(rows)
    makers: list[Callable[[], Any]] = []
    for output in plan.outputs:
        own = [next(rest) for _ in range(output.columns)]
        makers.append(partial(_frames.values_of, output, own) if output.has_texts else own[0].copy)
    if len(makers) == 1:
        return makers[0]
    # The tuple with names without its own constructor, which takes as long as a copy.
    create, names = tuple.__new__, plan.names
    return lambda: create(names, [make() for make in makers])


def compute(name: str, frame: Any, **parameters: Any) -> Any:
    """An indicator by its name over a frame, or over the only column that it reads."""
    return run(text_of(name), (frame,), (), parameters)


def expression(text: str, frame: Any) -> Any:
    """An expression over a frame, such as `expression("close > ema(200)", frame)`. Conditions are boolean."""
    return _frames.result(frame, text, _of_frame(plan_of_text(text), frame))


def compute_all(texts: Sequence[str], frame: Any) -> Any:
    """A frame with a column for each text: the name of an indicator or an expression.

    An indicator with several outputs has a column for each, such as `macd.valueMACD`.
    """
    found: list[tuple[str, str, Any]] = []
    for text in texts:
        outputs = _of_frame(plan_of_text(text), frame)
        found += [(text if len(outputs) == 1 else f"{text}.{name}", kind, values) for name, kind, values in outputs]
    return _frames.frame(frame, found)


def _of_frame(plan: Plan, frame: Any) -> list[tuple[str, str, Any]]:
    return named(plan, _computed(plan, *_frames.columns_of(plan.columns, frame)))


def _computed(plan: Plan, columns: Sequence[Numbers], count: int) -> list[Numbers]:
    for column in columns:
        if len(column) != count:
            raise CandelaError(f"The columns have {count} and {len(column)} values")
    return compute_plan(kernels(), plan, columns, count)


def named(plan: Plan, results: Sequence[Numbers]) -> list[tuple[str, str, Any]]:
    """Results with the names and the kinds of the outputs. A list of names may have several columns."""
    rest = iter(results)
    return [
        (output.name, output.kind, _frames.values_of(output, [next(rest) for _ in range(output.columns)]))
        for output in plan.outputs
    ]
