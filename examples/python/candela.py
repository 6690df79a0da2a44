"""Requests to Candela with the standard library of Python.

CANDELA_URL says where the service is (http://127.0.0.1:8080 by default), CANDELA_KEY is a key.
"""

import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

URL = os.environ.get("CANDELA_URL", "http://127.0.0.1:8080").rstrip("/")
KEY = os.environ.get("CANDELA_KEY", "")

#: The same request may succeed later: candles are being fetched, the rate limit is reached, the service is busy.
TEMPORARY = (202, 429, 503)


class CandelaError(Exception):
    """A refusal of the service with its text; status 0 without a reply."""

    def __init__(self, message, status):
        super().__init__(message)
        self.status = status


def request(path, query=None, body=None, wait_seconds=60):
    """Sends a GET request, or a POST request with a body; waits as long as the service asks for it."""
    if query:
        path += "?" + urllib.parse.urlencode(query)
    headers = {"Authorization": f"Bearer {KEY}"}
    text = None
    if body is None:
        headers["Prefer"] = "wait=10"
    else:
        headers["Content-Type"] = "application/json"
        text = json.dumps(body).encode()
    deadline = time.monotonic() + wait_seconds
    while True:
        status, fields, answer = send(urllib.request.Request(URL + path, text, headers))
        if status == 200:
            return answer
        pause = fields.get("Retry-After")
        if status not in TEMPORARY or pause is None or time.monotonic() + float(pause) > deadline:
            raise CandelaError(answer.get("error", f"status {status}"), status)
        time.sleep(float(pause))


def send(question):
    """The status, the header fields and the parsed body of one reply."""
    try:
        with urllib.request.urlopen(question) as reply:
            return reply.status, reply.headers, json.load(reply)
    except urllib.error.HTTPError as refusal:
        with refusal:
            return refusal.code, refusal.headers, json.load(refusal)
    except urllib.error.URLError as failure:
        raise CandelaError(f"Candela does not answer at {URL}: {failure.reason}", 0) from failure


def indicator(name, exchange, symbol, timeframe, **query):
    """One indicator over the candles of an exchange, such as rsi with period=14 and results=5."""
    market = {"exchange": exchange, "symbol": symbol, "timeframe": timeframe}
    return request(f"/indicator/{name}", {**market, **query})


def compute(name, candles, **query):
    """One indicator over candles of the caller, oldest first."""
    return request(f"/indicator/{name}", body={**query, "candles": candles})


def bulk(constructs):
    """Many indicators over many markets, one construct for each market."""
    return request("/bulk", body={"constructs": constructs})


def run(main):
    """Runs a program, which ends with one line where the service refuses something."""
    try:
        main()
    except CandelaError as error:
        sys.exit(f"{sys.argv[0]}: {error}")
    except KeyboardInterrupt:
        pass
