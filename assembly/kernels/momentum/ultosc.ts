import { Frame } from '../../frame'
import { ultimateOscillator } from '../../parts/shared/ultimate-oscillator'

/**
 * Ultimate Oscillator: how far closes lie above the true lows, in percent of the true ranges, summed over three
 * periods and weighted 4 : 2 : 1, the shortest heaviest.
 * The periods are sorted; one in which nothing moved counts as 0.
 * Source: Williams, Stocks & Commodities (1985); TA-Lib 0.6 ULTOSC.
 */
export function ultosc(frame: Frame, from: i32, to: i32): void {
  ultimateOscillator(frame, frame.output(0), from, to, frame.integer(0), frame.integer(1), frame.integer(2))
}
