#!/usr/bin/env bash
# Runs a program of this folder in an environment of its own, which is made in build/oracles where it is missing:
#   bash bench/oracles/run.sh agreement.py
# Needs Python 3.11 or later, Rust 1.88 or later, and the built project (npm run build).
set -eu
cd "$(dirname "$0")"
environment="$(pwd)/../../build/oracles"
python="$environment/python/bin/python"

if [ ! -x "$python" ]; then
  python3 -m venv "$environment/python"
fi
if ! cmp -s requirements.txt "$environment/installed.txt"; then
  "$python" -m pip install --quiet --disable-pip-version-check -r requirements.txt
  cp requirements.txt "$environment/installed.txt"
fi
(cd talib && CARGO_TARGET_DIR="$environment/talib" cargo build --quiet --release --locked)
[ -d javascript/node_modules ] || (cd javascript && npm ci --ignore-scripts --no-fund --no-audit)
exec "$python" "$@"
