import { Column } from '../frame'

/** The range of candle `i` stretched to the close before it. */
export function trueRange(high: Column, low: Column, close: Column, i: i32): f64 {
  const before = close[i - 1]
  const top = high[i]
  const bottom = low[i]
  return (before > top ? before : top) - (before < bottom ? before : bottom)
}
