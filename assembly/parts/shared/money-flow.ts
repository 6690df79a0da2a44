import { Column } from '../../frame'

/**
 * Money flow of the candles `i` and `i + 1`: the volume times the distance of the close above (to 1) or below (to −1) the
 * middle of its range; 0 where high and low are equal, as in TA-Lib.
 */
export function moneyFlows(high: Column, low: Column, close: Column, volume: Column, i: i32): v128 {
  return flow(high.pair(i), low.pair(i), close.pair(i), volume.pair(i))
}

/** The money flow of candle `i`. */
export function moneyFlow(high: Column, low: Column, close: Column, volume: Column, i: i32): f64 {
  const flows = flow(f64x2.splat(high[i]), f64x2.splat(low[i]), f64x2.splat(close[i]), f64x2.splat(volume[i]))
  return f64x2.extract_lane(flows, 0)
}

/** The money flows of two candles of these prices and volumes. */
export function flow(high: v128, low: v128, close: v128, volume: v128): v128 {
  const range = f64x2.sub(high, low)
  const place = f64x2.div(f64x2.sub(f64x2.sub(close, low), f64x2.sub(high, close)), range)
  return v128.and(f64x2.mul(place, volume), f64x2.gt(range, f64x2.splat(0)))
}
