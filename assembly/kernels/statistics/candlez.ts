import { Frame } from '../../frame'
import { standardScores } from '../../parts/windows/standard-scores'

/**
 * Candle Z-score: the z-score of each of the four prices among its own last `period` values.
 * `estimator` as in zscore; no value where a price did not change in the window.
 * Source: pandas-ta-classic cdl_z.
 */
export function candlez(frame: Frame, from: i32, to: i32): void {
  const period = frame.integer(0)
  const isSample = frame.integer(1) === 0
  const means = frame.scratch(0)
  for (let k = 0; k < 4; k++) {
    standardScores(frame.input(k), frame.output(k), from, to, period, isSample, means, frame.scratch(1))
  }
}
