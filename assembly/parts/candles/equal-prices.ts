import { Frame } from '../../frame'
import { CandlePairs, neighbours } from '../numbers/simd'
import { Candles } from './candle-shape'
import { RareSignals } from './rare-signals'

/** Colours of the two candles of a pattern. A constant wherever it is given. */
export enum Colours {
  differ,
  black,
  whiteThenBlack,
  /** The second one closes above its open. */
  blackThenRising,
}

type SignalAt = (candles: Candles, i: i32) => f64

/** Signals of two candles with an equal price. A method, because only it is inlined in the loops of kernels. */
export class EqualPrices {
  /**
   * Writes the signals of the candles [first, to), `first ≥ 6`: the result of `signalAt` if the prices in input column
   * `price` of a candle and its predecessor are about equal and both have the `colours`, else 0. Equal prices are rare,
   * so only `signalAt` tests exact equality.
   */
  @inline
  static write(frame: Frame, price: i32, first: i32, to: i32, colours: Colours, signalAt: SignalAt): void {
    if (first >= to) return
    const candles = Candles.of(frame)
    const pairs = CandlePairs.of(frame)
    const prices = frame.input(price)
    const out = frame.output(0)
    const after = out[to]
    // The ranges of the five candles before the first one of the pattern: two, two and one.
    let two = pairs.range(first - 4)
    let twos = neighbours(pairs.range(first - 6), two)
    for (let i = first; i < to; i += 2) {
      const newest = pairs.range(i - 2)
      const newer = neighbours(two, newest)
      const most = f64x2.mul(f64x2.add(f64x2.add(twos, newer), newest), f64x2.splat(0.0101))
      two = newest
      twos = newer
      const areAboutEqual = f64x2.le(f64x2.abs(f64x2.sub(prices.pair(i), prices.pair(i - 1))), most)
      RareSignals.write(
        candles,
        out,
        i,
        to,
        v128.and(areAboutEqual, EqualPrices.have(colours, pairs, i)),
        signalAt,
      )
    }
    out[to] = after
  }

  /** Whether the candles `i − 1` and `i` have the colours, as lane masks. */
  @inline
  static have(colours: Colours, pairs: CandlePairs, i: i32): v128 {
    if (colours === Colours.differ) return pairs.differ(i - 1, i)
    if (colours === Colours.black) return pairs.areBlack(i, 2)
    if (colours === Colours.whiteThenBlack) return v128.and(pairs.isWhite(i - 1), pairs.isBlack(i))
    return v128.and(pairs.isBlack(i - 1), pairs.rises(i))
  }
}
