"""A program that answers a call on each line of its input with a line of its output, both as JSON."""

import json
import subprocess

import numpy as np


class Program:
    def __init__(self, command, folder):
        self.command, self.folder, self.process = command, folder, None

    def ask(self, call):
        """The answer to a call; the program is started at the first one."""
        if self.process is None:
            self.process = subprocess.Popen(
                self.command, cwd=self.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            )
        self.process.stdin.write(json.dumps(call) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        if "error" in answer:
            raise ValueError(answer["error"])
        return answer


def lists(market):
    """The columns of a market as JSON has them."""
    return {name: [float(value) if np.isfinite(value) else None for value in column] for name, column in market.items()}


def arrays(outputs):
    """Columns with NaN where there is no value."""
    return [np.array([np.nan if value is None else value for value in column], dtype=float) for column in outputs]
