import { Frame } from '../../frame'
import { volumeIndex } from '../../parts/shared/volume-index'

/**
 * Negative Volume Index: an index of the close that moves only at candles with less volume than the one before.
 * Begins at 1000 (others at 1 or 100); a close of zero before the candle leaves it unchanged.
 * Source: Dysart; Fosback, Stock Market Logic (1976); Tulip Indicators nvi.
 */
export function nvi(frame: Frame, from: i32, to: i32): void {
  volumeIndex(frame.input(0), frame.input(1), -1, frame.output(0), from, to, frame.state)
}
