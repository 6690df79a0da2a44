import { type Candle, isSame } from '../../candles/candle.js'
import { formatTime } from '../../candles/format-time.js'
import { openOf, type Timeframe, timeframes } from '../../candles/timeframe.js'
import type { CsvReading, Row } from './csv.js'

/** One file of several that are taken together. */
export interface NamedReading extends Pick<CsvReading, 'rows' | 'faults'> {
  readonly name: string
}

/** What is wrong with a line of a file. */
export interface RowProblem {
  readonly file: string
  readonly line: number
  readonly text: string
}

/** Candles out of files, as they follow one another. */
export interface CsvMerge {
  /** What the spacing says, where it was not given. Undefined where that says nothing. */
  readonly timeframe: Timeframe | undefined
  /** Closed candles without a complaint, ascending, each moment once. */
  readonly candles: readonly Candle[]
  /** By file and line. */
  readonly problems: readonly RowProblem[]
  /** What makes all of it useless, in words for the person who imports. Then there are no candles. */
  readonly objection: string | undefined
  /** Candles that were given more than once, alike. */
  readonly repeated: number
  /** Candles that have not ended and were left out. */
  readonly forming: number
}

interface Wanted {
  readonly timeframe?: Timeframe | undefined
  /** Unix seconds. */
  readonly now: number
  /** Whether candles shorter than a day open with a session and not at full lengths: then at any full minute. */
  readonly hasSessions?: boolean
}

/** A candle with the place that it was read at. */
interface Placed extends Row {
  readonly file: number
}

/** With fewer candles, that none follows another directly may be chance. */
const telling = 10

/** Puts candles out of several files in order and finds what does not fit: wrong moments, contradictions, the future. */
export function mergeCsv(
  files: readonly NamedReading[],
  { timeframe: given, now, hasSessions = false }: Wanted,
): CsvMerge {
  const placed: Placed[] = files.flatMap(({ rows }, file) => rows.map(row => ({ ...row, file })))
  placed.sort((a, b) => a.candle.timestamp - b.candle.timestamp || a.file - b.file || a.line - b.line)
  const spacing = spacingOf(placed)
  const timeframe =
    given ?? (Object.keys(timeframes) as Timeframe[]).find(each => timeframes[each] === spacing.usual)

  const found: (RowProblem & { readonly at: number })[] = files.flatMap(({ name, faults }, at) =>
    faults.map(({ line, text }) => ({ at, file: name, line, text })),
  )
  const complain = ({ file, line }: Placed, text: string) =>
    found.push({ at: file, file: files[file]?.name ?? '', line, text })
  const candles: Candle[] = []
  let repeated = 0
  let forming = 0
  let last: Placed | undefined
  const objection = objectionOf(timeframe, given, spacing)
  const grid = hasSessions && timeframe && timeframes[timeframe] < timeframes['1d'] ? '1m' : timeframe
  for (const row of timeframe === undefined || objection ? [] : placed) {
    const { candle } = row
    const { timestamp } = candle
    const length = timeframes[timeframe as Timeframe]
    if (openOf(grid as Timeframe, timestamp) !== timestamp) {
      complain(row, `${formatTime(timestamp)} is not the open of a ${timeframe} candle${originOf(timeframe)}`)
    } else if (timestamp > now) {
      complain(row, `${formatTime(timestamp)} is in the future`)
    } else if (last?.candle.timestamp === timestamp) {
      if (isSame(last.candle, candle)) repeated++
      else {
        const where = last.file === row.file ? '' : `${files[last.file]?.name} `
        complain(row, `another candle for ${formatTime(timestamp)} than in ${where}line ${last.line}`)
      }
    } else {
      last = row
      if (timestamp + length > now) forming++
      else candles.push(candle)
    }
  }
  found.sort((a, b) => a.at - b.at || a.line - b.line)
  return {
    timeframe,
    candles,
    problems: found.map(({ file, line, text }) => ({ file, line, text })),
    objection,
    repeated,
    forming,
  }
}

interface Spacing {
  /** The most frequent number of seconds between neighbours, and the least. */
  readonly usual: number | undefined
  readonly least: number | undefined
  /** How many moments there are. */
  readonly moments: number
}

function spacingOf(ascending: readonly Placed[]): Spacing {
  const counts = new Map<number, number>()
  for (let at = 1; at < ascending.length; at++) {
    const step = (ascending[at] as Placed).candle.timestamp - (ascending[at - 1] as Placed).candle.timestamp
    if (step > 0) counts.set(step, (counts.get(step) ?? 0) + 1)
  }
  const steps = [...counts.entries()].sort(([a, m], [b, n]) => n - m || a - b)
  const least = steps.length === 0 ? undefined : Math.min(...counts.keys())
  const moments = steps.reduce((sum, [, count]) => sum + count, ascending.length > 0 ? 1 : 0)
  return { usual: steps[0]?.[0], least, moments }
}

function objectionOf(
  timeframe: Timeframe | undefined,
  given: Timeframe | undefined,
  { usual, least, moments }: Spacing,
): string | undefined {
  if (timeframe === undefined) {
    if (moments === 0) return undefined
    return usual === undefined
      ? 'one candle does not tell its timeframe, it must be given'
      : `the candles are ${spanOf(usual)} apart, which is none of ${Object.keys(timeframes).join(', ')}`
  }
  if (given === undefined || usual === undefined || least === undefined) return undefined
  const length = timeframes[given]
  if (usual < length) return `the candles are ${spanOf(usual)} apart, which is not ${given}`
  if (least > length && moments >= telling)
    return `the candles are at least ${spanOf(least)} apart, which is not ${given}`
  return undefined
}

const originOf = (timeframe: Timeframe | undefined) =>
  timeframe === '1w' ? ', which opens on Monday 00:00:00 UTC' : ''

/** As in `90s`, `30m`, `2h` or `3d`. */
function spanOf(seconds: number): string {
  const units = { d: 86_400, h: 3600, m: 60 }
  const unit = Object.entries(units).find(([, length]) => seconds % length === 0)
  return unit ? `${seconds / unit[1]}${unit[0]}` : `${seconds}s`
}
