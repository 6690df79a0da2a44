import { Frame } from '../../frame'
import { difference } from '../../parts/numbers/difference'
import { warmup } from '../../parts/numbers/warmup'
import { commodityChannel } from '../../parts/shared/commodity-channel'

/**
 * Woodies CCI: the commodity channel indices of `period` and of `turboPeriod` candles, and the second minus the first.
 * Both read the typical price; 0 where it equals its mean.
 * Source: Woodie's CCI Club; ooples CalculateWoodieCommodityChannelIndex.
 */
export function woodiescci(frame: Frame, from: i32, to: i32): void {
  const value = frame.output(0)
  const turbo = frame.output(1)
  const histogram = frame.output(2)
  const period = frame.integer(0)
  const turboPeriod = frame.integer(1)
  commodityChannel(frame, false, value, from, to, period, 0)
  commodityChannel(frame, false, turbo, from, to, turboPeriod, 0)
  difference(turbo, value, histogram, from, to)
  warmup(histogram, from, to, max(period, turboPeriod) - 1)
}
