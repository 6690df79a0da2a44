import { Frame } from '../../frame'
import { exponentialAverage, exponentialState } from '../../parts/averages/exponential-average'
import { warmup } from '../../parts/numbers/warmup'
import { macdLines, macdState } from '../../parts/shared/macd'

/**
 * Elder Impulse System: 1 where both the exponential average of `emaPeriod` values and the histogram of the MACD rise, −1
 * where both fall, else 0.
 * Source: Elder, Come Into My Trading Room (2002); histogram from TA-Lib 0.6 MACD.
 */
export function elderimpulse(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const state = frame.state
  const last = state.from(exponentialState + macdState)
  const emaPeriod = frame.integer(0)
  const fast = min(frame.integer(1), frame.integer(2))
  const slow = max(frame.integer(1), frame.integer(2))
  const signalPeriod = frame.integer(3)
  const means = frame.scratch(0).from(-from)
  const histogram = frame.scratch(1).from(-from)
  const line = frame.scratch(2).from(-from)
  const signal = frame.scratch(3).from(-from)
  exponentialAverage(x, 0, means, from, to, emaPeriod, 2 / <f64>(emaPeriod + 1), state)
  const fastAlpha = 2 / <f64>(fast + 1)
  const slowAlpha = 2 / <f64>(slow + 1)
  macdLines(
    x,
    line,
    signal,
    histogram,
    from,
    to,
    fast,
    slow,
    signalPeriod,
    fastAlpha,
    slowAlpha,
    state.from(exponentialState),
  )
  let mean = from === 0 ? 0 : last[0]
  let height = from === 0 ? 0 : last[1]
  const lookback = max(emaPeriod, slow + signalPeriod - 1)
  for (let i = from; i < to; i++) {
    const isRising = means[i] > mean && histogram[i] > height
    const isFalling = means[i] < mean && histogram[i] < height
    out[i] = isRising ? 1 : isFalling ? -1 : 0
    mean = means[i]
    height = histogram[i]
  }
  last[0] = mean
  last[1] = height
  warmup(out, from, to, lookback)
}
