import { Frame } from '../../frame'
import { trimmedMean } from '../../parts/windows/trimmed-mean'

/**
 * Trimmed Mean: the mean of the last `period` values without the n lowest and the n highest, where n is `percent`
 * percent of `period`, rounded down.
 * Source: QuanTAlib Trim; scipy.stats.trim_mean.
 */
export function trimmedmean(frame: Frame, from: i32, to: i32): void {
  trimmedMean(frame, from, to, false)
}
