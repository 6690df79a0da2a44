import { Column } from '../../frame'

/**
 * Writes the position (candle index) of the highest of the last `period` values of `x`, or of the lowest where not
 * `isHighest`, for i in [from, to); `from ≥ period − 1`. Of equal values it names the newest.
 *
 * While the position stays in the window a candle costs one comparison. State: one number, the last position. `stack`
 * holds at least `period` values; x and out must not overlap.
 */
export function extremePositions(
  x: Column,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  isHighest: bool,
  isFresh: bool,
  state: Column,
  stack: Column,
): void {
  const at: i32 = isFresh ? -1 : <i32>state[0]
  const last = isHighest
    ? Positions.write(x, out, from, to, period, at, stack, true)
    : Positions.write(x, out, from, to, period, at, stack, false)
  state[0] = <f64>last
}

/** Methods, because only they may be inlined where `isHighest` is a constant. */
class Positions {
  /**
   * Returns the last position; `at` is the one before candle `from`.
   *
   * When the position leaves the window, the stack has the extremes of the remaining older candles: on top the newest
   * extreme of all of them, below it that of the candles after it, and so on. Candles added since the stack was built
   * are read once (`later`). When the window has left all extremes of the stack, the stack is rebuilt from the whole
   * window. So a candle is read three times, however long the period is.
   */
  @inline
  static write(
    x: Column,
    out: Column,
    from: i32,
    to: i32,
    period: i32,
    at: i32,
    stack: Column,
    isHighest: bool,
  ): i32 {
    const worst: f64 = isHighest ? -Infinity : Infinity
    let top = changetype<usize>(stack)
    const bottom = top
    let next = from
    let later = from
    let laterBest = worst
    let best = at > from - period ? x[at] : worst
    for (let i = from; i < to; ) {
      if (at + period <= i) {
        const oldest = i - period + 1
        while (top > bottom && load<i32>(top - 4) < oldest) top -= 4
        if (top > bottom) {
          at = load<i32>(top - 4)
          for (; next <= i; next++) {
            if (isHighest ? x[next] >= laterBest : x[next] <= laterBest) {
              later = next
              laterBest = x[next]
            }
          }
          if (isHighest ? laterBest >= x[at] : laterBest <= x[at]) at = later
        } else {
          at = i
          best = worst
          for (let j = i; j >= oldest; j--) {
            if (isHighest ? x[j] > best : x[j] < best) {
              best = x[j]
              at = j
              store<i32>(top, j)
              top += 4
            }
          }
          next = i + 1
          laterBest = worst
        }
        best = x[at]
        out[i++] = <f64>at
      }
      const position = <f64>at
      for (const end = min(at + period, to); i < end; i++) {
        if (isHighest ? x[i] >= best : x[i] <= best) {
          best = x[i]
          at = i
          break
        }
        out[i] = position
      }
      if (at === i) out[i++] = <f64>at
    }
    return at
  }
}
