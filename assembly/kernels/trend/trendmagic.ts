import { Frame } from '../../frame'
import { trueRanges } from '../../parts/candles/true-range'
import { warmup } from '../../parts/numbers/warmup'
import { commodityChannel } from '../../parts/shared/commodity-channel'
import { movingMean } from '../../parts/windows/sums'

/**
 * Trend Magic: a line `multiplier` mean true ranges below the low that only rises while the commodity channel index of
 * the close is 0 or more, and one above the high that only falls while it is negative. `trend` is 1 or −1.
 * If the close equals its mean but for rounding, the index is 0.
 * Source: KivancOzbilgic, Trend Magic (TradingView); deepentropy/lightweight-charts-indicators trend-magic.
 */
export function trendmagic(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const value = frame.output(0)
  const trend = frame.output(1)
  const cciPeriod = frame.integer(0)
  const atrPeriod = frame.integer(1)
  const lookback = max(atrPeriod, cciPeriod - 1)
  commodityChannel(frame, true, trend, from, to, frame.integer(0), 0)
  const first = warmup(value, from, to, lookback)
  warmup(trend, from, to, lookback)
  if (first >= to) {
    if (from === 0) frame.state[0] = 0
    return
  }
  const oldest = first - atrPeriod + 1
  const ranges = frame.scratch(0).from(-oldest)
  trueRanges(high, low, frame.input(2), ranges, oldest, to)
  movingMean(ranges, 1, value, first, to, atrPeriod, frame.scratch(1))
  let line = frame.state[0]
  for (let i = first; i < to; i++) {
    const width = frame.number(2) * value[i]
    const isUp = trend[i] >= 0
    const next = isUp ? low[i] - width : high[i] + width
    line = i === lookback ? next : isUp ? max(next, line) : min(next, line)
    value[i] = line
    trend[i] = isUp ? 1 : -1
  }
  frame.state[0] = line
}
