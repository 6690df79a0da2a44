import { Frame } from '../../frame'
import { standardScores } from '../../parts/windows/standard-scores'

/**
 * Z-score: the distance of the value from the mean of the last `period` values, in standard deviations.
 * `estimator` sample divides the squares by period − 1, population by period; no value where all are equal.
 * Source: pandas-ta-classic zscore (sample); QuanTAlib Zscore and VectorTA zscore (population).
 */
export function zscore(frame: Frame, from: i32, to: i32): void {
  const isSample = frame.integer(1) === 0
  const means = frame.scratch(0)
  standardScores(
    frame.input(0),
    frame.output(0),
    from,
    to,
    frame.integer(0),
    isSample,
    means,
    frame.scratch(1),
  )
}
