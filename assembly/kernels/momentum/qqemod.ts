import { Frame } from '../../frame'
import { restoreOverlap, saveOverlap } from '../../parts/numbers/overlap'
import { isMove } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'
import {
  bandsStart,
  smoothedStrength,
  smoothedStrengthState,
  strengthBands,
  strengthBandsState,
} from '../../parts/shared/strength-bands'
import { deviation } from '../../parts/windows/deviation'

/**
 * QQE Mod: the smoothed relative strength minus 50, and the line of `qqe` with `factor2`, minus 50; `trend` is up where
 * the strength lies above `threshold` and above the upper Bollinger Band of the line with `factor`, down where it lies
 * below −threshold and below the lower one.
 * Averages and lines are those of `qqe`; deviations of the population. The current published script has a single
 * exponential average in the width of the lines.
 * Source: Mihkel00, QQE MOD (TradingView).
 */
export function qqemod(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const value = frame.output(0)
  const line = frame.output(1)
  const trend = frame.output(2)
  const rsiPeriod = frame.integer(0)
  const smoothPeriod = frame.integer(1)
  const threshold = frame.number(3)
  const tail = frame.integer(5) - 1
  const width = frame.number(6)
  const first = bandsStart(rsiPeriod, smoothPeriod)
  const firstBands = frame.state.from(smoothedStrengthState)
  const secondBands = firstBands.from(strengthBandsState)
  const saved = secondBands.from(strengthBandsState)
  const ranges = frame.scratch(0).from(-from)
  const means = frame.scratch(1).from(-from)
  const lines = frame.scratch(2).from(tail - from)
  smoothedStrength(x, value, ranges, from, to, rsiPeriod, smoothPeriod, frame.state)
  strengthBands(value, ranges, lines, trend, from, to, first, frame.number(2), firstBands)
  strengthBands(value, ranges, line, trend, from, to, first, frame.number(4), secondBands)
  for (let i = from; i < to; i++) {
    value[i] -= 50
    line[i] -= 50
    lines[i] -= 50
  }
  warmup(line, from, to, first)
  restoreOverlap(lines, from, tail, saved, from === 0)
  saveOverlap(lines, to, tail, saved)
  const trendFrom = warmup(trend, from, to, first + tail)
  deviation(lines, first, means, ranges, trendFrom, to, tail + 1, frame.scratch(3))
  for (let i = trendFrom; i < to; i++) {
    const now = value[i]
    const half = width * ranges[i]
    // All of them are percentages.
    const isUp = isMove(now - max(means[i] + half, threshold), 100)
    const isDown = isMove(min(means[i] - half, -threshold) - now, 100)
    trend[i] = <f64>(<i32>isUp - <i32>isDown)
  }
}
