import { Column } from '../../frame'

/**
 * Writes the `count` values that the previous call saved in front of `column[from]`, or zeros if `fresh`, without a
 * previous call. A derived column can then be read as far back as an input.
 */
export function restoreOverlap(column: Column, from: i32, count: i32, state: Column, fresh: bool): void {
  for (let k = 0; k < count; k++) column[from - count + k] = fresh ? 0 : state[k]
}

/** Saves the last `count` values before `column[to]` for the next call. */
export function saveOverlap(column: Column, to: i32, count: i32, state: Column): void {
  for (let k = 0; k < count; k++) state[k] = column[to - count + k]
}
