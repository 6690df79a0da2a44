"""Prints live values of an indicator.

python3 examples/python/stream.py <exchange> <symbol> <timeframe> <indicator> [--updates <count>]

The class below speaks as much of the WebSocket protocol (RFC 6455) as this needs. A program of your own had better use
the package `websockets`, which also looks after proxies and compression.
"""

import argparse
import base64
import hashlib
import json
import os
import socket
import ssl
import struct
import urllib.parse

import candela

TEXT, CLOSE, PING, PONG = 0x1, 0x8, 0x9, 0xA


class WebSocket:
    def __init__(self, url):
        parts = urllib.parse.urlsplit(url)
        secure = parts.scheme in ("https", "wss")
        plain = socket.create_connection((parts.hostname, parts.port or (443 if secure else 80)))
        self.socket = (
            ssl.create_default_context().wrap_socket(plain, server_hostname=parts.hostname) if secure else plain
        )
        self.file = self.socket.makefile("rb")
        nonce = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            (
                f"GET {parts.path} HTTP/1.1\r\nHost: {parts.netloc}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {nonce}\r\n\r\n"
            ).encode()
        )
        status = self.file.readline().decode().strip()
        fields = {}
        while line := self.file.readline().decode().strip():
            name, _, value = line.partition(":")
            fields[name.lower()] = value.strip()
        proof = hashlib.sha1((nonce + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()
        if " 101 " not in status or fields.get("sec-websocket-accept") != base64.b64encode(proof).decode():
            raise candela.CandelaError(f"no WebSocket at {url}: {status}", 0)

    def send(self, message, opcode=TEXT):
        payload = message if isinstance(message, bytes) else json.dumps(message).encode()
        size = len(payload)
        head = bytes([0x80 | opcode])
        if size < 126:
            head += bytes([0x80 | size])
        else:
            head += bytes([0x80 | 126]) + struct.pack("!H", size)
        mask = os.urandom(4)
        self.socket.sendall(head + mask + bytes(byte ^ mask[at % 4] for at, byte in enumerate(payload)))

    def messages(self):
        """The messages of the service, until it closes the connection."""
        text = b""
        while True:
            first, second = self.read(2)
            size = second & 0x7F
            if size == 126:
                (size,) = struct.unpack("!H", self.read(2))
            elif size == 127:
                (size,) = struct.unpack("!Q", self.read(8))
            payload, opcode = self.read(size), first & 0x0F
            if opcode == CLOSE:
                self.send(payload[:2], CLOSE)
                reason = payload[2:].decode() or "the connection was closed"
                raise candela.CandelaError(reason, 0)
            if opcode == PING:
                self.send(payload, PONG)
            elif opcode != PONG:
                text += payload
                if first & 0x80:
                    yield json.loads(text)
                    text = b""

    def read(self, size):
        payload = self.file.read(size)
        if len(payload) < size:
            raise candela.CandelaError("the connection broke", 0)
        return payload

    def close(self):
        self.file.close()
        self.socket.close()


def main():
    parser = argparse.ArgumentParser()
    for name in ("exchange", "symbol", "timeframe", "indicator"):
        parser.add_argument(name)
    parser.add_argument("--updates", type=int, default=None)
    options = parser.parse_args()
    stream = WebSocket(f"{candela.URL}/streaming")
    stream.send({"type": "auth", "token": f"Bearer {candela.KEY}"})
    market = {"exchange": options.exchange, "symbol": options.symbol, "interval": options.timeframe}
    stream.send({"type": "subscribe", "id": "mine", **market, "indicator": options.indicator, "params": {}})
    seen = 0
    for message in stream.messages():
        if message["type"] in ("error", "auth_error"):
            raise candela.CandelaError(message["error"], 0)
        if message["type"] != "update":
            continue
        print(json.dumps({**message["data"], "closed": message["closed"]}), flush=True)
        seen += 1
        if seen == options.updates:
            break
    stream.close()


candela.run(main)
