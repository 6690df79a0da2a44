import { Frame } from '../../frame'
import { breakerBlock, orderBlocks } from '../../parts/swings/order-blocks'

/**
 * Breaker Blocks: order blocks (see orderblocks, with the same `swingLeft` and `swingRight`) that failed. When a later
 * candle closes beyond the far side of an order block, the block changes sides: a bullish one with a close below its
 * bottom sets `value` to −100, a bearish one with a close above its top sets it to 100, at that candle. If one close
 * passes several blocks, all of them change sides, and the newest sets the value.
 * A breaker block has the bounds of the order block and is valid until a later close beyond its own far side: above the
 * top of a bearish one, below the bottom of a bullish one. `top` and `bottom` are those of the block that changed sides
 * last and is still valid. The newest 16 order blocks and the newest 16 breaker blocks are watched; wicks have no
 * effect, so an order block that only a wick passed can still become a breaker block.
 * Source: the concepts of the Inner Circle Trader (Huddleston), as charting platforms have them (Order Blocks & Breaker
 * Blocks by LuxAlgo).
 */
export function breakerblocks(frame: Frame, from: i32, to: i32): void {
  orderBlocks(frame, from, to, breakerBlock)
}
