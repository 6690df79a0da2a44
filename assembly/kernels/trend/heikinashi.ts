import { Column, Frame } from '../../frame'

/**
 * Heikin-Ashi Candles: the close is the mean of the candle's four prices, the open the middle of the Heikin-Ashi candle
 * before, high and low include both.
 * The first open is the middle of the candle's own open and close.
 * Source: Valcu, Using the Heikin-Ashi Technique, Stocks & Commodities (February 2004); Skender.Stock.Indicators
 * HeikinAshi.
 */
export function heikinashi(frame: Frame, from: i32, to: i32): void {
  if (from >= to) return
  const open = frame.input(0)
  const high = frame.input(1)
  const low = frame.input(2)
  const close = frame.input(3)
  const starts = frame.output(0)
  const highs = frame.output(1)
  const lows = frame.output(2)
  const ends = frame.output(3)
  const state = frame.state
  let start = (from === 0 ? open[0] + close[0] : state[0] + state[1]) * 0.5
  let i = from
  // An open is half the sum of the previous open and close. Within four candles, each is kept in units of half the
  // previous one, so it is the plain sum. The sum rounds as its half does, and the next candle does not wait for a
  // product.
  for (; i + 4 <= to; i += 4) {
    const early = meanPrices(open, high, low, close, i)
    const late = meanPrices(open, high, low, close, i + 2)
    const second = start + f64x2.extract_lane(early, 0)
    const third = second + f64x2.extract_lane(early, 1) * 2
    const fourth = third + f64x2.extract_lane(late, 0) * 4
    starts.setPair(i, f64x2.mul(pairOf(start, second), pairOf(1, 1 / 2)))
    starts.setPair(i + 2, f64x2.mul(pairOf(third, fourth), pairOf(1 / 4, 1 / 8)))
    ends.setPair(i, early)
    ends.setPair(i + 2, late)
    start = (fourth + f64x2.extract_lane(late, 1) * 8) * (1 / 16)
  }
  for (; i < to; i++) {
    starts[i] = start
    ends[i] = f64x2.extract_lane(meanPrices(open, high, low, close, i), 0)
    start = (start + ends[i]) * 0.5
  }
  const afterHigh = highs[to]
  const afterLow = lows[to]
  for (i = from; i < to; i += 2) {
    highs.setPair(i, f64x2.pmax(high.pair(i), f64x2.pmax(starts.pair(i), ends.pair(i))))
    lows.setPair(i, f64x2.pmin(low.pair(i), f64x2.pmin(starts.pair(i), ends.pair(i))))
  }
  highs[to] = afterHigh
  lows[to] = afterLow
  state[0] = starts[to - 1]
  state[1] = ends[to - 1]
}

/** The means of the four prices of candles `i` and `i + 1`. */
function meanPrices(open: Column, high: Column, low: Column, close: Column, i: i32): v128 {
  const sum = f64x2.add(f64x2.add(f64x2.add(open.pair(i), high.pair(i)), low.pair(i)), close.pair(i))
  return f64x2.mul(sum, f64x2.splat(0.25))
}

function pairOf(a: f64, b: f64): v128 {
  return f64x2.replace_lane(f64x2.splat(a), 1, b)
}
