import { Frame } from '../../frame'
import { mitigationBlock, orderBlocks } from '../../parts/swings/order-blocks'

/**
 * Mitigation Blocks: order blocks (see orderblocks, with the same `swingLeft` and `swingRight`) of a failure swing. The
 * move that breaks a swing high must have started at a low that is not below the newest swing low known before the
 * candle that confirmed the swing high; the price failed to make a new low, where a new low would have taken the
 * liquidity below the old one. Mirrored for a swing low: the highest high since then is not above the previous swing
 * high. Without a previous swing there is no block. `value`, `top` and `bottom`, and how long a block is valid, are as
 * with order blocks.
 * There is no authority on the candle: PyIndicators takes the first candle of the move instead of the last one against
 * it.
 * Source: the concepts of the Inner Circle Trader (Huddleston).
 */
export function mitigationblocks(frame: Frame, from: i32, to: i32): void {
  orderBlocks(frame, from, to, mitigationBlock)
}
