import { Column, Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { movingMean } from '../../parts/windows/sums'

/** Maximum number of candles of a strict average, in periods. */
const farthest: i32 = 10

/**
 * Volume Adjusted Moving Average (Arms): the mean of `period` shares of volume, each `factor` times the mean volume.
 * Candles are taken from the newest one back, each with the shares of its volume; the remainder to `period` shares,
 * which may be negative, has the next older close.
 * The mean volume is that of `samplePeriod` candles, or of all if 0. Without `strict` there are always `period`
 * candles; with it, the number that has `period` shares, at most 10·`period`. No value if there is no next older
 * candle, or nothing was traded.
 * Source: Arms, Volume Adjusted Moving Average (1990); VectorTA volume_adjusted_ma.
 */
export function volumeadjustedma(frame: Frame, from: i32, to: i32): void {
  const close = frame.input(0)
  const volume = frame.input(1)
  const out = frame.output(0)
  const state = frame.state
  const period = frame.integer(0)
  const factor = frame.number(1)
  const sample = frame.integer(2)
  const isStrict = frame.integer(3) === 1
  const means = frame.scratch(0).from(-from)
  const first = warmup(out, from, to, max(period, sample) - 1)
  let sum: f64 = from === 0 ? 0 : state[0]
  for (let i = from; i < to; i++) {
    sum += volume[i]
    means[i] = sum / <f64>(i + 1)
  }
  state[0] = sum
  if (sample > 0 && first < to) movingMean(volume, 0, means, first, to, sample, frame.scratch(1))
  const shares = <f64>period
  for (let i = first; i < to; i++) {
    const unit = means[i] * factor
    const most = isStrict ? farthest * period : period
    out[i] =
      unit !== 0
        ? meanOf(close, volume, i, min(most, i + 1), isStrict ? shares * unit : Infinity, shares * unit)
        : NaN
  }
}

/**
 * Mean of `whole` shares of volume up to candle `i`, over at most `most` candles, or fewer once their shares reach
 * `enough`.
 */
function meanOf(close: Column, volume: Column, i: i32, most: i32, enough: f64, whole: f64): f64 {
  let weight: f64 = 0
  let turnover: f64 = 0
  let j = i
  for (const end = i - most; j > end; j--) {
    weight += volume[j]
    turnover += volume[j] * close[j]
    if (weight >= enough) {
      j--
      break
    }
  }
  return j >= 0 ? (turnover + (whole - weight) * close[j]) / whole : NaN
}
