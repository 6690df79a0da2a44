import { Frame } from '../../frame'
import { Sequential } from '../../parts/sequential'
import { warmup } from '../../parts/warmup'

/**
 * TD Sequential. A bearish flip (a close above the one four candles before, then one below it) begins a buy setup,
 * which counts closes below the one four candles before and is complete at nine in a row. From then on candles that
 * close at or below the low two candles before are counted down to thirteen. The sell side mirrors it.
 * A completed setup is in force, as its flag says, until an opposite setup is complete, a candle lies wholly beyond its
 * TDST line (the true extreme of its nine candles) or thirteen are counted. A count that ended at nine needs a new flip;
 * a second setup of the same side moves the line and leaves the countdown running. A setup is perfect once the low of
 * candle eight, nine or a later one is at or below those of six and seven. Candle thirteen has to trade at or below the
 * close of candle eight. The countdown holds its number between two counted candles; 0 is none.
 * Source: DeMark, The New Science of Technical Analysis (1994); Perl, DeMark Indicators (2008), chapter 1.
 */
export function tdsequential(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const buy = Sequential.of(frame.state)
  const sell = Sequential.of(frame.state.from(Sequential.size))
  if (from === 0) {
    buy.reset()
    sell.reset()
  }
  let first = from
  for (let k = 0; k < 12; k++) first = warmup(frame.output(k), from, to, 5)
  for (let i = first; i < to; i++) {
    const now = close[i]
    const before = close[i - 1]
    const isBelow = now < close[i - 4]
    const isAbove = now > close[i - 4]
    const bearishFlip = isBelow && before > close[i - 5]
    const bullishFlip = isAbove && before < close[i - 5]
    const top = high[i]
    const bottom = low[i]
    const trueHigh = before > top ? before : top
    const trueLow = before < bottom ? before : bottom
    // A setup whose candle thirteen was the last one has had its day.
    if (buy.countdown === 13) buy.cancel()
    if (sell.countdown === 13) sell.cancel()
    buy.count(isBelow, bearishFlip, trueHigh)
    sell.count(isAbove, bullishFlip, -trueLow)
    if (buy.setup === 9) {
      buy.complete(low[i - 3], low[i - 2], low[i - 1])
      sell.cancel()
    }
    if (sell.setup === 9) {
      sell.complete(-high[i - 3], -high[i - 2], -high[i - 1])
      buy.cancel()
    }
    if (buy.isActive !== 0) {
      if (trueLow > buy.line) buy.cancel()
      else {
        buy.perfect(bottom)
        buy.countDown(bottom, now, low[i - 2])
      }
    }
    if (sell.isActive !== 0) {
      if (-trueHigh > sell.line) sell.cancel()
      else {
        sell.perfect(-top)
        sell.countDown(-top, -now, -high[i - 2])
      }
    }
    frame.output(0)[i] = buy.setup
    frame.output(1)[i] = sell.setup
    frame.output(2)[i] = buy.countdown
    frame.output(3)[i] = sell.countdown
    frame.output(4)[i] = buy.isActive
    frame.output(5)[i] = sell.isActive
    frame.output(6)[i] = buy.isPerfect
    frame.output(7)[i] = sell.isPerfect
    frame.output(8)[i] = bullishFlip ? 1 : 0
    frame.output(9)[i] = bearishFlip ? 1 : 0
    frame.output(10)[i] = buy.line
    frame.output(11)[i] = -sell.line
  }
}
