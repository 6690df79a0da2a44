import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { movingSum } from '../../parts/windows/sums'

/**
 * Finite Volume Element: the volume of the last `period` candles that closed well minus the volume of candles that
 * closed badly, in percent of all. The measure of a candle is the distance of its close above the middle of its range,
 * plus the rise of its typical price. It closed well if the measure is above `factor` percent of the close, badly if it
 * is below minus that.
 * 0 where nothing was traded. ooples sums over all candles.
 * Source: Katsanos, Detecting Breakouts, Stocks & Commodities (April 2003); ooples CalculateFiniteVolumeElements.
 */
export function fve(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const volume = frame.input(3)
  const out = frame.output(0)
  const period = frame.integer(0)
  const share = f64x2.splat(frame.number(1) / 100)
  const first = warmup(out, from, to, period)
  if (first >= to) return
  const oldest = first - period + 1
  const flows = frame.scratch(0).from(-oldest)
  const volumes = frame.scratch(1).from(-first)
  const half = f64x2.splat(0.5)
  const three = f64x2.splat(3)
  for (let i = oldest; i < to; i += 2) {
    const sum = f64x2.add(high.pair(i), low.pair(i))
    const now = close.pair(i)
    const before = f64x2.add(f64x2.add(high.pair(i - 1), low.pair(i - 1)), close.pair(i - 1))
    const rise = f64x2.sub(f64x2.div(f64x2.add(sum, now), three), f64x2.div(before, three))
    const move = f64x2.add(f64x2.sub(now, f64x2.mul(sum, half)), rise)
    const cut = f64x2.mul(now, share)
    const traded = volume.pair(i)
    const bought = v128.and(traded, f64x2.gt(move, cut))
    const sold = v128.and(traded, f64x2.lt(move, f64x2.neg(cut)))
    const isKnown = f64x2.eq(move, move)
    flows.setPair(i, v128.bitselect(f64x2.sub(bought, sold), move, isKnown))
  }
  movingSum(flows, 1, out, first, to, period, frame.scratch(2))
  movingSum(volume, 0, volumes, first, to, period, frame.scratch(2))
  const after = out[to]
  for (let i = first; i < to; i += 2) {
    const total = volumes.pair(i)
    const part = f64x2.mul(f64x2.div(out.pair(i), total), f64x2.splat(100))
    out.setPair(i, v128.andnot(part, f64x2.eq(total, f64x2.splat(0))))
  }
  out[to] = after
}
