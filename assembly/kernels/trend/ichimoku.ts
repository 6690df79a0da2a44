import { Column, Frame } from '../../frame'
import { movingMiddle } from '../../parts/extremes'
import { warmup } from '../../parts/warmup'

/**
 * Ichimoku Cloud: the middle of the highest high and the lowest low of three windows. The shorter two are the
 * conversion and the base line, their mean is span A; the longest window is span B.
 * Nothing is taken from the future: spanA and spanB are computed at the candle and drawn `displacement` candles ahead;
 * currentSpanA and currentSpanB were computed `displacement` candles ago, the cloud at the candle itself; laggingSpanA
 * and laggingSpanB twice as long ago, the cloud where the close is drawn as lagging line.
 * Source: Hosoda, Ichimoku Kinkō Hyō (1969); Skender.Stock.Indicators Ichimoku.
 */
export function ichimoku(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const conversionPeriod = frame.integer(0)
  const basePeriod = frame.integer(1)
  const spanPeriod = frame.integer(2)
  const displacement = frame.integer(3)
  const lookback = max(max(conversionPeriod, basePeriod), spanPeriod) - 1 + 2 * displacement
  for (let k = 0; k < 8; k++) warmup(frame.output(k), from, to, lookback)
  const first = max(from, lookback)
  if (first >= to) return
  const oldest = first - 2 * displacement
  const conversion = frame.scratch(0).from(-oldest)
  const base = frame.scratch(1).from(-oldest)
  const spanA = frame.scratch(2).from(-oldest)
  const spanB = frame.scratch(3).from(-oldest)
  const suffixes = frame.scratch(4)
  movingMiddle(high, low, 0, conversion, oldest, to, conversionPeriod, suffixes)
  movingMiddle(high, low, 0, base, oldest, to, basePeriod, suffixes)
  movingMiddle(high, low, 0, spanB, oldest, to, spanPeriod, suffixes)
  for (let i = oldest; i < to; i++) spanA[i] = (conversion[i] + base[i]) * 0.5
  copy(conversion, frame.output(0), first, to)
  copy(base, frame.output(1), first, to)
  for (let k = 0; k < 3; k++) {
    copy(spanA.from(-k * displacement), frame.output(2 + 2 * k), first, to)
    copy(spanB.from(-k * displacement), frame.output(3 + 2 * k), first, to)
  }
}

function copy(x: Column, out: Column, from: i32, to: i32): void {
  const target = changetype<usize>(out.from(from))
  memory.copy(target, changetype<usize>(x.from(from)), (<usize>(to - from)) << 3)
}
