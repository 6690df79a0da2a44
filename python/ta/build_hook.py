"""Writes the generated modules when the package is built from a checkout. A source distribution contains them."""

import shutil
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class GeneratedModules(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        setup = Path(self.root).parents[1] / "scripts" / "setup.mjs"
        if not setup.exists():
            return
        node = shutil.which("node")
        if node is None:
            raise RuntimeError("candela-ta is built from a checkout with Node.js, which is not installed.")
        subprocess.run([node, setup], check=True)
