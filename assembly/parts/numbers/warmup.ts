import { Column } from '../../frame'

/** Writes NaN to `out[from…min(to, lookback))` and returns the first candle at or after `from` that has a value. */
export function warmup(out: Column, from: i32, to: i32, lookback: i32): i32 {
  const end = min(to, lookback)
  for (let i = from; i < end; i++) out[i] = NaN
  return max(from, lookback)
}
