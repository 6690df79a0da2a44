import { Column } from '../../frame'

/** Lane 0 the high, lane 1 the negated low, so that one maximum serves the two. */
function upAndDown(high: Column, low: Column, i: i32): v128 {
  return v128.xor(
    v128.load64_lane(changetype<usize>(low.from(i)), v128.load64_zero(changetype<usize>(high.from(i))), 1),
    f64x2(0, -0.0),
  )
}

/** Writes the positions (candle indices) of the newest highest `high` and of the newest lowest `low` among the
 * candles i − period + 1 … i for i in [from, to); `from ≥ start + period − 1`. `behind` and `behindAt` hold at least
 * 2·period + 2 values each; inputs and outputs must not overlap. */
export function movingRangePositions(
  high: Column,
  low: Column,
  start: i32,
  highestAt: Column,
  lowestAt: Column,
  from: i32,
  to: i32,
  period: i32,
  behind: Column,
  behindAt: Column,
): void {
  const one = f64x2.splat(1)
  let block = from - ((from - start) % period)
  let oldest = from - period + 1
  let i = from
  while (i < to) {
    // Backwards through the block before: on a tie the candle met first is the newer one and stays.
    let best = f64x2.splat(-Infinity)
    let at = f64x2.splat(<f64>block)
    behind.setPair(2 * period, best)
    behindAt.setPair(2 * period, at)
    let index = f64x2.splat(<f64>(block - 1))
    for (let j = block - 1; j >= oldest; j--) {
      const now = upAndDown(high, low, j)
      at = v128.bitselect(index, at, f64x2.gt(now, best))
      index = f64x2.sub(index, one)
      best = f64x2.pmax(best, now)
      behind.setPair(2 * (j - block + period), best)
      behindAt.setPair(2 * (j - block + period), at)
    }
    best = f64x2.splat(-Infinity)
    at = f64x2.splat(<f64>block)
    // Positions grow from here on, so the larger one of two is the newer one, and 0 stands for none.
    index = f64x2.splat(<f64>block)
    for (let j = block; j < i; j++) {
      const now = upAndDown(high, low, j)
      at = f64x2.pmax(at, v128.and(index, f64x2.ge(now, best)))
      best = f64x2.pmax(best, now)
      index = f64x2.add(index, one)
    }
    for (const end = min(block + period, to); i < end; i++) {
      const now = upAndDown(high, low, i)
      at = f64x2.pmax(at, v128.and(index, f64x2.ge(now, best)))
      best = f64x2.pmax(best, now)
      const k = 2 * (i - block + 1)
      const position = f64x2.pmax(behindAt.pair(k), v128.and(at, f64x2.ge(best, behind.pair(k))))
      highestAt[i] = f64x2.extract_lane(position, 0)
      lowestAt[i] = f64x2.extract_lane(position, 1)
      index = f64x2.add(index, one)
    }
    oldest = block + 1
    block += period
  }
}
