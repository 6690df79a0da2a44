import { Frame } from '../../frame'
import { avgdev } from './avgdev'

/**
 * Mean Deviation: the mean absolute distance of the last `period` values from their mean.
 * Source: Tulip Indicators md.
 */
export function md(frame: Frame, from: i32, to: i32): void {
  avgdev(frame, from, to)
}
