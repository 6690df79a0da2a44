import { Frame } from '../../frame'
import { trimmedMean } from '../../parts/windows/trimmed-mean'

/**
 * Trimmed Mean: the mean of the last `period` values, of which the lowest and the highest are left out, on either side
 * as many as `percent` percent of them, rounded down.
 * Source: QuanTAlib Trim; scipy.stats.trim_mean.
 */
export function trimmedmean(frame: Frame, from: i32, to: i32): void {
  trimmedMean(frame, from, to, false)
}
