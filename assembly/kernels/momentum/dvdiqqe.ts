import { Frame } from '../../frame'
import { weightOf } from '../../parts/averages/present-average'
import { warmup } from '../../parts/numbers/warmup'

/** State of the oscillator. A view of the kernel's state; the catalogue has its size. */
@final
@unmanaged
class Memory {
  /** Close and volume of the candle before. */
  close: f64
  volume: f64
  /** Sum of the changes of the close on changing volume, and its average. */
  sum: f64
  average: f64
  value: f64
  /** Changes of the value, smoothed once and twice. */
  change: f64
  range: f64
  fast: f64
  slow: f64
  /** Sum of all values. */
  total: f64
}

/**
 * DVDI-QQE: the dual volume divergence index with two trailing lines. Changes of the close on rising volume are added
 * to P, those on falling volume are subtracted from N. Of each, the average over `period` candles is subtracted, and
 * the rest is smoothed over `smoothPeriod`. The value is the result of P minus that of N. The lines follow the value at
 * `fastFactor` and `slowFactor` times its twice smoothed change; `center` is the mean of all values so far.
 * P and N are averaged alike, so only their difference is computed. Averages start with their first value, with the
 * volume of the market (the script: in ticks). VectorTA counts the first close as a change.
 * Source: DVDIQQE (TradingView); VectorTA dvdiqqe.
 */
export function dvdiqqe(frame: Frame, from: i32, to: i32): void {
  const close = frame.input(0)
  const volume = frame.input(1)
  const value = frame.output(0)
  const fast = frame.output(1)
  const slow = frame.output(2)
  const center = frame.output(3)
  const period = frame.integer(0)
  const alpha = weightOf(period)
  const beta = weightOf(frame.integer(1))
  const start = 2 * period - 1
  const gamma = weightOf(start)
  const fastFactor = frame.number(2)
  const slowFactor = frame.number(3)
  const memory = changetype<Memory>(frame.state)
  for (let i = from; i < to; i++) {
    const isFirst = i === 0
    const hasTurned = !isFirst && volume[i] !== memory.volume
    const sum = isFirst ? 0 : memory.sum + (hasTurned ? close[i] - memory.close : 0)
    const average = isFirst ? sum : memory.average + alpha * (sum - memory.average)
    const before = memory.value
    const now = isFirst ? 0 : before + beta * (sum - average - before)
    const change = i < 2 ? abs(now - before) : memory.change + gamma * (abs(now - before) - memory.change)
    const range = i < 2 ? change : memory.range + gamma * (change - memory.range)
    memory.close = close[i]
    memory.volume = volume[i]
    memory.sum = sum
    memory.average = average
    memory.value = now
    memory.change = isFirst ? 0 : change
    memory.range = isFirst ? 0 : range
    memory.fast = i <= start ? now : follow(memory.fast, now, fastFactor * range)
    memory.slow = i <= start ? now : follow(memory.slow, now, slowFactor * range)
    memory.total = i <= start ? now : memory.total + now
    value[i] = now
    fast[i] = memory.fast
    slow[i] = memory.slow
    center[i] = memory.total / <f64>(i - start + 1)
  }
  for (let k = 0; k < 4; k++) warmup(frame.output(k), from, to, start)
}

/** A line that follows the value at a distance, and only moves towards the value. */
function follow(line: f64, value: f64, distance: f64): f64 {
  return value > line ? max(line, value - distance) : min(line, value + distance)
}
