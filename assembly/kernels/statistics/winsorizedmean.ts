import { Frame } from '../../frame'
import { trimmedMean } from '../../parts/windows/trimmed-mean'

/**
 * Winsorized Mean: the mean of the last `period` values after the n lowest and the n highest are set to the nearest
 * remaining value, where n is `percent` percent of `period`, rounded down.
 * Source: QuanTAlib Wins; scipy.stats.mstats.winsorize.
 */
export function winsorizedmean(frame: Frame, from: i32, to: i32): void {
  trimmedMean(frame, from, to, true)
}
