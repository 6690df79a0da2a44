import { Column, Frame } from '../../frame'
import { exponentialAverage, exponentialState } from '../../parts/averages/exponential-average'
import { weightOf } from '../../parts/averages/present-average'
import { restoreOverlap, saveOverlap } from '../../parts/numbers/overlap'
import { isRounding } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'
import { channelIndex } from '../../parts/shared/commodity-channel'
import { movingRange } from '../../parts/windows/extremes'

/** Usual sizes of the index and of a stochastic. The actual size of a fading line may be anything. */
const usualSize: f64 = 100

/** Numbers of state before the overlaps. */
const ownState: i32 = 5 * exponentialState
/**
 * CCI Cycle: the commodity channel index of the close, averaged with half of the usual lag, smoothed by Wilder's
 * average over the square root of `period`, then transformed twice by a stochastic that is smoothed by `factor`; 0 to
 * 100. Averages are seeded with means; a stochastic without a range is 50 (VectorTA keeps the previous value).
 * Source: CCI Cycle (TradingView); VectorTA cci_cycle.
 */
export function ccicycle(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const state = frame.state
  const period = frame.integer(0)
  const factor = frame.number(1)
  const tail = period - 1
  const short = (period + 1) >> 1
  const smoothing = <i32>(sqrt(<f64>period) + 0.5)
  const isFresh = from === 0
  const index = frame.scratch(0).from(-from)
  const line = frame.scratch(1).from(tail - from)
  const fast = frame.scratch(2).from(-from)
  const indexFrom = max(from, tail)
  if (indexFrom < to) channelIndex(x, index, indexFrom, to, period, frame.scratch(3))
  restoreOverlap(line, from, tail, state.from(ownState), isFresh)
  exponentialAverage(index, tail, fast, from, to, short, weightOf(short), state)
  exponentialAverage(index, tail, line, from, to, period, weightOf(period), state.from(exponentialState))
  const doubled = f64x2.splat(2)
  for (let i = from; i < to; i += 2) {
    fast.setPair(i, f64x2.sub(f64x2.mul(doubled, fast.pair(i)), line.pair(i)))
  }
  const lineStart = 2 * tail
  exponentialAverage(
    fast,
    lineStart,
    line,
    from,
    to,
    smoothing,
    1 / <f64>smoothing,
    state.from(2 * exponentialState),
  )
  saveOverlap(line, to, tail, state.from(ownState))
  const smoothStart = lineStart + smoothing - 1
  const once = frame.scratch(0).from(tail - from)
  const saved = state.from(ownState + tail)
  restoreOverlap(once, from, tail, saved, isFresh)
  place(frame, line, smoothStart, once, from, to, period, factor, state.from(3 * exponentialState))
  saveOverlap(once, to, tail, saved)
  place(frame, once, smoothStart + tail, out, from, to, period, factor, state.from(4 * exponentialState))
  warmup(out, from, to, smoothStart + 2 * tail)
}

/** Smoothed position of `x` in its range. `x` has values from `start` on. The state is that of an exponential average. */
function place(
  frame: Frame,
  x: Column,
  start: i32,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  factor: f64,
  state: Column,
): void {
  const lowest = frame.scratch(2).from(-from)
  const first = max(from, start + period - 1)
  if (first < to) movingRange(x, x, start, out, lowest, first, to, period, frame.scratch(3))
  for (let i = first; i < to; i++) {
    const range = out[i] - lowest[i]
    lowest[i] = isRounding(range, usualSize) ? 50 : ((x[i] - lowest[i]) / range) * 100
  }
  exponentialAverage(lowest, start + period - 1, out, from, to, 1, factor, state)
}
