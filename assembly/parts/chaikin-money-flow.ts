import { Column } from '../frame'
import { moneyFlows } from './money-flow'
import { movingSum } from './sums'
import { warmup } from './warmup'

/**
 * Chaikin money flow: the money flow of the last `period` candles divided by their volume; 0 where nothing was traded.
 * NaN before candle `period − 1`. `flowColumn`, `volumeColumn` and `suffixes` are scratch columns.
 */
export function chaikinMoneyFlow(
  high: Column,
  low: Column,
  close: Column,
  volume: Column,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  flowColumn: Column,
  volumeColumn: Column,
  suffixes: Column,
): void {
  const first = warmup(out, from, to, period - 1)
  if (first >= to) return
  const oldest = first - period + 1
  const flows = flowColumn.from(-oldest)
  const volumes = volumeColumn.from(-first)
  for (let i = oldest; i < to; i += 2) flows.setPair(i, moneyFlows(high, low, close, volume, i))
  movingSum(flows, 0, out, first, to, period, suffixes)
  movingSum(volume, 0, volumes, first, to, period, suffixes)
  const zero = f64x2.splat(0)
  const after = out[to]
  for (let i = first; i < to; i += 2) {
    const traded = volumes.pair(i)
    out.setPair(i, v128.and(f64x2.div(out.pair(i), traded), f64x2.ne(traded, zero)))
  }
  out[to] = after
}
