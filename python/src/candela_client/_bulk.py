"""Bulk requests, divided into as many as the plan of the key requires."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ._errors import CandelaError, allowed_constructs

#: Maximum number of constructs of one request in every plan.
MAX_CONSTRUCTS = 20
#: Maximum number of indicators of one construct.
_MAX_INDICATORS = 20

Construct = Mapping[str, Any]
#: The results of indicators by their ids, by the ids of their constructs.
Results = dict[str, dict[str, Any]]


class Division:
    """The unsent parts of a bulk request."""

    def __init__(self, constructs: Sequence[Construct]) -> None:
        self._constructs = constructs
        self._rest = [part for place, whole in enumerate(constructs) for part in _divide(whole, place)]
        self._sent = 0

    @property
    def is_open(self) -> bool:
        """Whether nothing was sent yet, or something is left. A request without constructs is sent, too."""
        return self._sent == 0 or len(self._rest) > 0

    @property
    def left(self) -> int:
        """Number of unsent parts."""
        return len(self._rest)

    def first(self, most: int) -> list[Construct]:
        """At most `allowed` constructs for the next request.

        Raises CandelaError if several requests would hide a mistake. Parts of one construct go into different requests,
        because a request may have a market only once.
        """
        parts: dict[int, Construct] = {}
        for place, construct in self._rest:
            if len(parts) == most:
                break
            parts.setdefault(place, construct)
        if len(parts) < len(self._rest):
            _refuse_duplicates(self._constructs)
        return list(parts.values())

    def remove(self, sent: Sequence[Construct]) -> None:
        """Must be called with the constructs of an answered request."""
        self._sent += 1
        self._rest = [part for part in self._rest if not any(part[1] is each for each in sent)]


def fewer_constructs(error: CandelaError, count: int) -> int:
    """The number of constructs per request after one with `count` was refused. Raises the error if it has another reason."""
    allowed = allowed_constructs(error)
    if not allowed or allowed >= count:
        raise error
    return allowed


def bulk_body(constructs: Sequence[Construct], verbose: bool) -> dict[str, Any]:
    """The body of a bulk request."""
    return {"constructs": constructs, "verbose": True} if verbose else {"constructs": constructs}


def merge(answers: Sequence[Results]) -> Results:
    """The answers to all parts of a bulk request as one."""
    results: Results = {}
    for answer in answers:
        for name, result in answer.items():
            results[name] = {**results.get(name, {}), **result}
    return results


def _divide(whole: Construct, place: int) -> list[tuple[int, Construct]]:
    indicators = whole.get("indicators")
    if not isinstance(indicators, (list, tuple)) or len(indicators) <= _MAX_INDICATORS:
        return [(place, whole)]
    starts = range(0, len(indicators), _MAX_INDICATORS)
    return [(place, {**whole, "indicators": indicators[at : at + _MAX_INDICATORS]}) for at in starts]


def _refuse_duplicates(constructs: Sequence[Construct]) -> None:
    """Refuses mistakes that the service would see in one request, but not in several with one part each."""
    ids = set()
    for construct in constructs:
        name = construct["id"]
        if name in ids:
            raise CandelaError(f'Duplicate construct id "{name}". Construct ids must be unique within the request.', 400)
        ids.add(name)
        inner = set()
        for indicator in construct["indicators"]:
            if indicator["id"] in inner:
                raise CandelaError(
                    f'Construct "{name}" has duplicate indicator id "{indicator["id"]}". '
                    "Indicator ids must be unique within a construct.",
                    400,
                )
            inner.add(indicator["id"])
