import { Frame } from '../../frame'
import { addMeanRate } from '../../parts/windows/mean-rates'
import { withMeanSignal } from '../../parts/windows/mean-signal'

/** Distance, window and weight of each rate of change. */
const rows = memory.data<i32>([
  10, 10, 1, 15, 10, 2, 20, 10, 3, 30, 15, 4, 40, 50, 1, 65, 65, 2, 75, 75, 3, 100, 100, 4, 195, 130, 1, 265,
  130, 2, 390, 130, 3, 530, 195, 4,
])
const rowCount = 12

/**
 * Pring's Special K: the means of twelve rates of change in percent, over distances from 10 to 530 candles, in a
 * weighted sum; `signal` is the mean of the value.
 * `scale` multiplies all distances and windows (rounded half up, at least 1): 1 is Pring's daily form, whose first value
 * is that of candle 725. With 0.5, the first 500 candles have values.
 * Source: Pring, The Special K, Stocks & Commodities (December 2008); ooples CalculatePringSpecialK.
 */
export function specialk(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const scale = frame.number(0)
  const tail = frame.integer(1) - 1
  const suffixes = frame.scratch(3)
  const last = 3 * (rowCount - 1)
  const lookback = scaled(last, scale) + scaled(last + 1, scale) - 1
  // The signal reads values before the first one of this call.
  const oldest = max(lookback, from - tail)
  const values = frame.scratch(0).from(-oldest)
  const means = frame.scratch(1).from(-oldest)
  const rates = frame.scratch(2)
  for (let i = oldest; i < to; i++) values[i] = 0
  for (let k = 0; k < 3 * rowCount; k += 3) {
    const distance = scaled(k, scale)
    const period = scaled(k + 1, scale)
    addMeanRate(x, distance, period, <f64>row(k + 2), values, oldest, to, rates, means, suffixes)
  }
  withMeanSignal(frame, values, lookback, from, to, tail + 1, suffixes)
}

function row(k: i32): i32 {
  return load<i32>(rows + ((<usize>k) << 2))
}

/** Element `k` of the rows, scaled: a number of candles. */
function scaled(k: i32, scale: f64): i32 {
  return max(1, <i32>floor(<f64>row(k) * scale + 0.5))
}
