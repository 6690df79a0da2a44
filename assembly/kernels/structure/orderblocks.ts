import { Frame } from '../../frame'
import { orderBlock, orderBlocks } from '../../parts/swings/order-blocks'

/**
 * Order Blocks: the last candle against a move that breaks the market structure.
 * A swing high is a high above those of the `swingRight` candles after it, which confirm it, and not below those of the
 * `swingLeft` candles before it. The newest confirmed one is broken by the first close above it. The move starts
 * at the lowest low between the candle of the swing and the one before the break (the first of equals). The block is
 * the last candle from the swing up to that low that closed below its open; without such a candle there is no block.
 * `value` is 100 at the candle that breaks. Mirrored, a swing low that is broken by a close below it, with the last
 * rising candle at or before the highest high, sets −100. A swing is broken once.
 * A block reaches from the low to the high of its candle, and is valid until a later candle trades beyond its far side
 * (a low below the bottom of a bullish block, a high above the top of a bearish one). `top`, `bottom` and `volume` (of
 * the block's candle) belong to the newest valid block; the newest 16 are watched.
 * Others use the candle of the extreme whatever its direction, or the body instead of the whole candle.
 * Source: the concepts of the Inner Circle Trader (Huddleston), as the libraries smartmoneyconcepts and PyIndicators
 * have them.
 */
export function orderblocks(frame: Frame, from: i32, to: i32): void {
  orderBlocks(frame, from, to, orderBlock)
}
