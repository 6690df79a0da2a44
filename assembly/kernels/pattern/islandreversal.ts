import { Frame } from '../../frame'
import { RareSignals } from '../../parts/candles/rare-signals'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Island Reversal: up to `maxLength` candles that lie beyond a gap on both sides, shadows included. 100 where they lie
 * below the candle before them and below this one, −100 where they lie above both.
 * The trend before the pattern is ignored.
 * Source: Edwards and Magee, Technical Analysis of Stock Trends (1948). They give no limits; this form was chosen here.
 */
export function islandreversal(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const out = frame.output(0)
  const start = warmup(out, from, to, 2)
  const after = out[to]
  for (let i = start; i < to; i += 2) {
    // A gap is rare: the candles before it are checked only if there is one.
    const gapsUp = f64x2.gt(low.pair(i), high.pair(i - 1))
    const gapsDown = f64x2.lt(high.pair(i), low.pair(i - 1))
    RareSignals.write(frame, out, i, to, v128.or(gapsUp, gapsDown), signalAt)
  }
  out[to] = after
}

function signalAt(frame: Frame, i: i32): f64 {
  const high = frame.input(0)
  const low = frame.input(1)
  const isUp = low[i] > high[i - 1]
  if (!isUp && !(high[i] < low[i - 1])) return 0
  const sign: f64 = isUp ? 1 : -1
  // The ends at the gaps: those of the island, and those of the candles around it.
  const inner = isUp ? high : low
  const outer = isUp ? low : high
  const end = sign * outer[i]
  let edge = sign * inner[i - 1]
  for (let k = i - 2, oldest = max(0, i - 1 - frame.integer(0)); k >= oldest && edge < end; k--) {
    if (edge < sign * outer[k]) return 100 * sign
    edge = max(edge, sign * inner[k])
  }
  return 0
}
