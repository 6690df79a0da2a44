import { Column, Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { movingMiddle } from '../../parts/windows/extremes'

/**
 * Ichimoku Cloud: the middle of the highest high and the lowest low of three windows. The shorter two are the
 * conversion and the base line, their mean is span A; the longest window is span B.
 * Nothing is taken from the future: spanA and spanB are computed at the candle and drawn `displacement` candles ahead;
 * currentSpanA and currentSpanB were computed `displacement` candles ago, the cloud at the candle itself; laggingSpanA
 * and laggingSpanB twice as long ago, the cloud where the close is drawn as lagging line. Each line begins as soon as
 * its windows are full. TradingView draws its cloud `displacement` − 1 candles ahead: its 26 is a `displacement` of 25 here.
 * Source: Hosoda, Ichimoku Kinkō Hyō (1969); Skender.Stock.Indicators Ichimoku.
 */
export function ichimoku(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const conversionPeriod = frame.integer(0)
  const basePeriod = frame.integer(1)
  const spanPeriod = frame.integer(2)
  const displacement = frame.integer(3)
  const oldest = max(0, from - 2 * displacement)
  const conversion = frame.scratch(0).from(-oldest)
  const base = frame.scratch(1).from(-oldest)
  const spanA = frame.scratch(2).from(-oldest)
  const spanB = frame.scratch(3).from(-oldest)
  const suffixes = frame.scratch(4)
  middles(high, low, conversion, oldest, to, conversionPeriod, suffixes)
  middles(high, low, base, oldest, to, basePeriod, suffixes)
  middles(high, low, spanB, oldest, to, spanPeriod, suffixes)
  for (let i = oldest; i < to; i++) spanA[i] = (conversion[i] + base[i]) * 0.5
  copy(conversion, frame.output(0), from, to, 0)
  copy(base, frame.output(1), from, to, 0)
  for (let k = 0; k < 3; k++) {
    copy(spanA, frame.output(2 + 2 * k), from, to, k * displacement)
    copy(spanB, frame.output(3 + 2 * k), from, to, k * displacement)
  }
}

/** The middles of the last `period` candles, NaN while there are fewer. */
function middles(
  high: Column,
  low: Column,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  suffixes: Column,
): void {
  movingMiddle(high, low, 0, out, warmup(out, from, to, period - 1), to, period, suffixes)
}

/** Writes the values of `x` to the candles [from, to), each `displacement` candles later; NaN before the first value. */
function copy(x: Column, out: Column, from: i32, to: i32, displacement: i32): void {
  const first = warmup(out, from, to, displacement)
  if (first >= to) return
  const target = changetype<usize>(out.from(first))
  memory.copy(target, changetype<usize>(x.from(first - displacement)), (<usize>(to - first)) << 3)
}
