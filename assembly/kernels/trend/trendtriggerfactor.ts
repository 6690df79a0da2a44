import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { movingRange } from '../../parts/windows/extremes'

/**
 * Trend Trigger Factor: 100·(B − S) / ((B + S) / 2). B, the power of the buyers, is the highest high of `period`
 * candles minus the lowest low of the `period` candles before; S, that of the sellers, is the highest high of these
 * earlier candles minus the lowest low of the newest `period`.
 * 0 where the two cancel out.
 * Source: Pee, Trend Trigger Factor, Stocks & Commodities (December 2004).
 */
export function trendtriggerfactor(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, 2 * period - 1)
  if (first >= to) return
  const oldest = first - period
  const tops = frame.scratch(0).from(-oldest)
  const bottoms = frame.scratch(1).from(-oldest)
  movingRange(frame.input(0), frame.input(1), 0, tops, bottoms, oldest, to, period, frame.scratch(2))
  for (let i = first; i < to; i++) {
    const buyers = tops[i] - bottoms[i - period]
    const sellers = tops[i - period] - bottoms[i]
    const total = buyers + sellers
    out[i] = total !== 0 ? 200 * ((buyers - sellers) / total) : 0
  }
}
