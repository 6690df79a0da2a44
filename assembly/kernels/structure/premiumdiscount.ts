import { Frame } from '../../frame'
import { isLonger, isShorter } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'
import { confirmPivots, Pivots } from '../../parts/swings/pivots'

/** Largest distance of a close from the middle of the range that is still the equilibrium, as a share of the range. */
const tolerance: f64 = 0.05

/**
 * Premium and Discount Zones: the position of the close in the range of the last leg.
 * The last leg runs from a swing to the swing of the other side that followed it (`swingLeft`, `swingRight`; confirmed
 * swingRight candles later). Of several swings of one side in a row the farthest counts. A swing low above the last
 * swing high, or a swing high below the last swing low, is skipped; if a candle is both, the side opposite to the last
 * swing comes first. `equilibrium` is the middle of the two, `position` is 0 at the low and 1 at the high, below 0 or
 * above 1 if the close has left the range. `zone` is equilibrium for a position from 0.45 to 0.55, premium above and
 * discount below. All three are null before the first leg, zone and position also for a leg without height.
 * Source: premium and discount of smart money concepts; LuxAlgo's bands are narrower (the equilibrium from 0.475 to
 * 0.525, the outer 5 %).
 */
export function premiumdiscount(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const zone = frame.output(0)
  const equilibrium = frame.output(1)
  const position = frame.output(2)
  const left = frame.integer(0)
  const right = frame.integer(1)
  const pivots = Pivots.of(frame.state)
  if (from === 0) pivots.reset(2)
  warmup(equilibrium, from, to, left + right)
  warmup(position, from, to, left + right)
  for (let i = warmup(zone, from, to, left + right); i < to; i++) {
    confirmPivots(pivots, 2, high, low, i, left, right, 0)
    const isLeg = pivots.count === 2
    const first = pivots.get(0).price
    const second = isLeg ? pivots.get(1).price : NaN
    const bottom = min(first, second)
    const height = max(first, second) - bottom
    const above = close[i] - bottom
    const share = height > 0 ? above / height : NaN
    const isPremium = isLonger(above, (0.5 + tolerance) * height)
    const isDiscount = isShorter(above, (0.5 - tolerance) * height)
    equilibrium[i] = bottom + height / 2
    position[i] = share
    zone[i] = isNaN(share) ? NaN : isPremium ? 1 : isDiscount ? -1 : 0
  }
}
