import { Frame } from '../../frame'
import { commodityChannel } from '../../parts/shared/commodity-channel'

/**
 * Commodity Channel Index: distance of the typical price from its mean, divided by 0.015 times the mean absolute
 * distance of the last `period` prices from that mean.
 * 0 where the price equals its mean or the window is flat; `tp` chooses (high + low + close) / 3 or the close.
 * Source: Lambert 1980; TA-Lib 0.6 CCI.
 */
export function cci(frame: Frame, from: i32, to: i32): void {
  commodityChannel(frame, frame.integer(1) === 1, frame.output(0), from, to, frame.integer(0), 0)
}
