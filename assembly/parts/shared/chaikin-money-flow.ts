import { Column, Frame } from '../../frame'
import { warmup } from '../numbers/warmup'
import { share, sumQuotients } from '../windows/sum-quotients'
import { moneyFlows } from './money-flow'

/**
 * Chaikin money flow: the money flow of the last `period` candles divided by their volume; 0 where nothing was traded.
 * NaN before candle `period − 1`. Inputs: high, low, close, volume; parameter 0: period. Scratch columns: three from
 * `scratch` on.
 */
export function chaikinMoneyFlow(frame: Frame, out: Column, from: i32, to: i32, scratch: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const volume = frame.input(3)
  const period = frame.integer(0)
  const suffixes = frame.scratch(scratch + 2)
  const first = warmup(out, from, to, period - 1)
  if (first >= to) return
  const oldest = first - period + 1
  const flows = frame.scratch(scratch).from(-oldest)
  const volumes = frame.scratch(scratch + 1).from(-first)
  for (let i = oldest; i < to; i += 2) flows.setPair(i, moneyFlows(high, low, close, volume, i))
  sumQuotients(flows, volume, 0, out, first, to, period, 1, share, out, volumes, suffixes)
}
