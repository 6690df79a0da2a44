#!/usr/bin/env bash
# Runs a program of this folder in an environment of its own, in build/oracles or in $ORACLES, which is created if missing:
#   bash bench/oracles/run.sh agreement.py
# Needs Python 3.11 or later, Rust 1.88 or later, git, and the built project (npm run build).
set -eu
cd "$(dirname "$0")"
export ORACLES="${ORACLES:-$(pwd)/../../build/oracles}"
python="$ORACLES/python/bin/python"

if [ ! -x "$python" ]; then
  python3 -m venv "$ORACLES/python"
fi
if ! cmp -s requirements.txt "$ORACLES/installed.txt"; then
  "$python" -m pip install --quiet --disable-pip-version-check -r requirements.txt
  cp requirements.txt "$ORACLES/installed.txt"
fi
(cd talib && CARGO_TARGET_DIR="$ORACLES/talib" cargo build --quiet --release --locked)
[ -d javascript/node_modules ] || (cd javascript && npm ci --ignore-scripts --no-fund --no-audit)
if [ ! -d "$ORACLES/pynecore" ]; then
  fact() { "$python" -c "import json; print(json.load(open('tradingview.json'))['$1'])"; }
  git clone --quiet "$(fact repository)" "$ORACLES/pynecore" || {
    echo "TradingView's exports are missing: put a clone of $(fact repository) into $ORACLES/pynecore" >&2
    exit 1
  }
  git -C "$ORACLES/pynecore" checkout --quiet "$(fact commit)"
fi
exec "$python" "$@"
