import { Frame } from '../../frame'

/**
 * Market Facilitation Index: (high − low) / volume, the distance that the price moved per unit traded.
 * 0 where nothing was traded.
 * Source: Williams, Trading Chaos (1995); Tulip Indicators marketfi.
 */
export function marketfi(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const volume = frame.input(2)
  const out = frame.output(0)
  const after = out[to]
  for (let i = from; i < to; i += 2) {
    const traded = volume.pair(i)
    const distance = f64x2.div(f64x2.sub(high.pair(i), low.pair(i)), traded)
    out.setPair(i, v128.andnot(distance, f64x2.eq(traded, f64x2.splat(0))))
  }
  out[to] = after
}
