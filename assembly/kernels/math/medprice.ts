import { Frame } from '../../frame'
import { medianPrices } from '../../parts/candles/median-price'

/**
 * Median Price: the middle between high and low.
 * Source: TA-Lib 0.6 MEDPRICE.
 */
export function medprice(frame: Frame, from: i32, to: i32): void {
  medianPrices(frame.input(0), frame.input(1), frame.output(0), from, to)
}
