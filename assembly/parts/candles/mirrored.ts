import { Column, Frame } from '../../frame'

type Pattern = (frame: Frame, from: i32, to: i32) => void

/** First scratch column for prices; the pattern may use the scratch columns before it. */
const pricesColumn = 1

/**
 * The signals of a pattern in the market upside down, negated: prices are negated, and highs and lows are swapped.
 * Inputs: open, high, low and close. Five scratch columns.
 *
 * Negation is exact, so the conditions of the pattern hold exactly where those of its mirror image do. A candle that
 * closes where it opened is white for the pattern, and so counts as black here.
 */
export function mirrored(pattern: Pattern, frame: Frame, from: i32, to: i32, lookback: i32): void {
  const open = frame.input(0)
  const high = frame.input(1)
  const low = frame.input(2)
  const close = frame.input(3)
  const oldest = max(0, from - lookback)
  frame.setInput(0, negated(open, frame.scratch(pricesColumn), oldest, to))
  frame.setInput(1, negated(low, frame.scratch(pricesColumn + 1), oldest, to))
  frame.setInput(2, negated(high, frame.scratch(pricesColumn + 2), oldest, to))
  frame.setInput(3, negated(close, frame.scratch(pricesColumn + 3), oldest, to))
  pattern(frame, from, to)
  frame.setInput(0, open)
  frame.setInput(1, high)
  frame.setInput(2, low)
  frame.setInput(3, close)
  negateSignals(frame.output(0), from, to)
}

/** The same for a pattern that reads only bodies. Inputs: open and close. Three scratch columns. */
export function mirroredBodies(pattern: Pattern, frame: Frame, from: i32, to: i32, lookback: i32): void {
  const open = frame.input(0)
  const close = frame.input(1)
  const unused = frame.input(3)
  const oldest = max(0, from - lookback)
  frame.setInput(0, negated(open, frame.scratch(pricesColumn), oldest, to))
  frame.setInput(3, negated(close, frame.scratch(pricesColumn + 1), oldest, to))
  pattern(frame, from, to)
  frame.setInput(0, open)
  frame.setInput(3, unused)
  negateSignals(frame.output(0), from, to)
}

/** Writes the negated prices of the candles [from, to) to a scratch column, which is returned. */
function negated(x: Column, out: Column, from: i32, to: i32): Column {
  for (let i = from; i < to; i += 2) out.setPair(i, f64x2.neg(x.pair(i)))
  return out
}

/** Negates signals; 0 stays 0. */
function negateSignals(out: Column, from: i32, to: i32): void {
  const after = out[to]
  for (let i = from; i < to; i += 2) out.setPair(i, f64x2.sub(f64x2.splat(0), out.pair(i)))
  out[to] = after
}
