import type { Cell } from './cell.js'

/** A time of a format that has times, as the text of a cell. A local time has no zone. */
export const timeCell = (milliseconds: number, isLocal: boolean): Cell =>
  isTime(milliseconds) ? new Date(milliseconds).toISOString().slice(0, isLocal ? 23 : 24) : ''

/** A day of a format that has days. */
export const dayCell = (milliseconds: number): Cell =>
  isTime(milliseconds) ? new Date(milliseconds).toISOString().slice(0, 10) : ''

/** A time of day, in seconds since midnight. */
export const clockCell = (seconds: number): Cell =>
  seconds >= 0 && seconds < 86_400 ? new Date(Math.floor(seconds) * 1000).toISOString().slice(11, 19) : ''

const isTime = (milliseconds: number) => Math.abs(milliseconds) <= 8.64e15

/** Any other value as a cell: a number, or a text without blanks around it. */
export function valueCell(value: unknown): Cell {
  if (value === null || value === undefined) return ''
  return typeof value === 'number' ? value : String(value).trim()
}
