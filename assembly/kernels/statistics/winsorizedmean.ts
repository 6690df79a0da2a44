import { Frame } from '../../frame'
import { trimmedMean } from '../../parts/windows/trimmed-mean'

/**
 * Winsorized Mean: the mean of the last `period` values, of which the lowest and the highest are set to the nearest
 * value that stays, on either side as many as `percent` percent of them, rounded down.
 * Source: QuanTAlib Wins; scipy.stats.mstats.winsorize.
 */
export function winsorizedmean(frame: Frame, from: i32, to: i32): void {
  trimmedMean(frame, from, to, true)
}
