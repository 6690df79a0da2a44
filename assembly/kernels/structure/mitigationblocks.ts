import { Frame } from '../../frame'
import { mitigationBlock, orderBlocks } from '../../parts/swings/order-blocks'

/**
 * Mitigation Blocks: order blocks (see orderblocks, with the same `swingLeft` and `swingRight`) whose move started
 * without a new extreme. The move that breaks a swing high must start at a low that is not below the last swing low,
 * which is the newest one known before the confirmation of the swing high. So the price failed to make a new low.
 * Mirrored for a swing low: the move must start at a high that is not above the last swing high. Without such a swing
 * there is no block. `value`, `top`, `bottom` and the validity of blocks are those of order blocks.
 * There is no authority on the candle: PyIndicators takes the first candle of the move instead of the last one against
 * it.
 * Source: the concepts of the Inner Circle Trader (Huddleston).
 */
export function mitigationblocks(frame: Frame, from: i32, to: i32): void {
  orderBlocks(frame, from, to, mitigationBlock)
}
