import { Frame } from '../../frame'
import { ultimateOscillator } from '../../parts/shared/ultimate-oscillator'

/**
 * Ultimate Oscillator: the sum of close − true low over a period, in percent of the sum of true ranges; the weighted
 * mean of three periods, 4 : 2 : 1, the shortest first.
 * The periods are sorted; one in which nothing moved counts as 0.
 * Source: Williams, Stocks & Commodities (1985); TA-Lib 0.6 ULTOSC.
 */
export function ultosc(frame: Frame, from: i32, to: i32): void {
  ultimateOscillator(frame, frame.output(0), from, to, frame.integer(0), frame.integer(1), frame.integer(2))
}
