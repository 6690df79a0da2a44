import { type Candle, isSame } from '../../candles/candle.js'
import { formatTime } from '../../candles/format-time.js'
import { endOf, hasLength, openOf, type Timeframe, timeframes } from '../../candles/timeframe.js'
import type { CsvReading, Row, RowProblem } from './reader.js'

/** One of several files that are merged. */
export interface NamedReading extends Pick<CsvReading, 'rows' | 'problems'> {
  readonly name: string
}

/** Why a line of a named file cannot be used. */
interface FileProblem extends RowProblem {
  readonly file: string
}

/** The candles of several files as one series. */
export interface CsvMerge {
  /** The given timeframe, or the one that the spacing shows; undefined where it shows none. */
  readonly timeframe: Timeframe | undefined
  /** Closed candles without a problem, ascending, one for each time. */
  readonly candles: readonly Candle[]
  /** Sorted by file and line. */
  readonly problems: readonly FileProblem[]
  /** Why no candle can be used, to be shown to the user. There are no candles then. */
  readonly rejection: string | undefined
  /** Lines whose candle is the same as that of another line. */
  readonly repeated: number
  /** Candles that have not ended. They are left out. */
  readonly forming: number
}

interface MergeOptions {
  readonly timeframe?: Timeframe | undefined
  /** Unix seconds. */
  readonly now: number
  /** Whether candles shorter than a day begin with a trading session; these may open at any full minute. */
  readonly hasSessions?: boolean
}

/** A row and the index of its file. */
interface FileRow extends Row {
  readonly file: number
}

/** Sorts the candles of several files, and finds wrong open times, contradicting lines and candles from the future. */
export function mergeCsv(files: readonly NamedReading[], options: MergeOptions): CsvMerge {
  const rows: FileRow[] = files.flatMap((reading, file) => reading.rows.map(row => ({ ...row, file })))
  rows.sort((a, b) => a.candle.timestamp - b.candle.timestamp || a.file - b.file || a.line - b.line)
  const spacing = spacingOf(rows.map(({ candle }) => candle.timestamp))
  const given = options.timeframe
  const timeframe = given ?? timeframeOf(spacing)
  const rejection = timeframe === undefined ? noTimeframe(spacing) : given && contradiction(given, spacing)
  const found = files.map(({ name, problems }) => ({ name, problems: [...problems] }))
  const merged =
    timeframe === undefined || rejection !== undefined
      ? { candles: [], repeated: 0, forming: 0 }
      : mergeRows(rows, found, { ...options, timeframe })
  const problems = found.flatMap(({ name, problems }) =>
    problems.sort((a, b) => a.line - b.line).map(problem => ({ ...problem, file: name })),
  )
  return { timeframe, rejection, problems, ...merged }
}

/** Merges rows that are sorted by time; adds what is wrong with one to the problems of its file. */
function mergeRows(
  rows: readonly FileRow[],
  files: readonly { readonly name: string; readonly problems: RowProblem[] }[],
  { timeframe, now, hasSessions = false }: MergeOptions & { readonly timeframe: Timeframe },
) {
  const grid = hasSessions && timeframes[timeframe] < timeframes['1d'] ? '1m' : timeframe
  const candles: Candle[] = []
  let repeated = 0
  let forming = 0
  let last: FileRow | undefined
  for (const row of rows) {
    const { candle, file, line } = row
    const { timestamp } = candle
    const addProblem = (text: string) => files[file]?.problems.push({ line, text })
    if (openOf(grid, timestamp) !== timestamp) {
      addProblem(`${formatTime(timestamp)} is not the open of a ${timeframe} candle${hintOf(timeframe)}`)
    } else if (timestamp > now) {
      addProblem(`${formatTime(timestamp)} is in the future`)
    } else if (last?.candle.timestamp === timestamp) {
      if (isSame(last.candle, candle)) repeated++
      else {
        const place = `${last.file === file ? '' : `${files[last.file]?.name} `}line ${last.line}`
        addProblem(`another candle for ${formatTime(timestamp)} than in ${place}`)
      }
    } else {
      last = row
      if (endOf(timeframe, timestamp) > now) forming++
      else candles.push(candle)
    }
  }
  return { candles, repeated, forming }
}

const hints: Partial<Record<Timeframe, string>> = {
  '1w': ', which opens on Monday 00:00:00 UTC',
  '1M': ', which opens on the first day of a month, 00:00:00 UTC',
}
const hintOf = (timeframe: Timeframe) => hints[timeframe] ?? ''

/** The seconds between neighbouring candles. */
interface Spacing {
  readonly mostFrequent: number | undefined
  readonly min: number | undefined
  /** How many candles there are, those of the same time counted once. */
  readonly times: number
}

/** With fewer candles it may be chance that no two of them follow each other directly. */
const minCandlesForMinSpacing = 10

/** The spacing of candles with these ascending open times (Unix seconds). */
function spacingOf(ascending: readonly number[]): Spacing {
  const counts = new Map<number, number>()
  for (let at = 1; at < ascending.length; at++) {
    const step = (ascending[at] as number) - (ascending[at - 1] as number)
    if (step > 0) counts.set(step, (counts.get(step) ?? 0) + 1)
  }
  const steps = [...counts.entries()].sort(([a, m], [b, n]) => n - m || a - b)
  const min = steps.length === 0 ? undefined : Math.min(...counts.keys())
  const times = steps.reduce((sum, [, count]) => sum + count, ascending.length > 0 ? 1 : 0)
  return { mostFrequent: steps[0]?.[0], min, times }
}

/** The timeframe that the most frequent spacing shows, or undefined. */
const timeframeOf = ({ mostFrequent }: Spacing): Timeframe | undefined =>
  mostFrequent === undefined
    ? undefined
    : (Object.keys(timeframes) as Timeframe[]).find(each => hasLength(each, mostFrequent))

/** Why the spacing shows no timeframe; undefined where there are no candles. */
function noTimeframe({ mostFrequent, times }: Spacing): string | undefined {
  if (times === 0) return undefined
  return mostFrequent === undefined
    ? 'one candle does not show its timeframe, it must be given'
    : `the candles are ${formatSpan(mostFrequent)} apart, which is none of ${Object.keys(timeframes).join(', ')}`
}

/** Why candles with this spacing cannot be of a timeframe, or undefined. */
function contradiction(timeframe: Timeframe, { mostFrequent, min, times }: Spacing): string | undefined {
  if (mostFrequent === undefined || min === undefined) return undefined
  const length = timeframes[timeframe]
  if (mostFrequent < length && !hasLength(timeframe, mostFrequent))
    return `the candles are ${formatSpan(mostFrequent)} apart, which is not ${timeframe}`
  if (min > length && times >= minCandlesForMinSpacing)
    return `the candles are at least ${formatSpan(min)} apart, which is not ${timeframe}`
  return undefined
}

/** Seconds as in `90s`, `30m`, `2h` or `3d`. */
function formatSpan(seconds: number): string {
  const units = { d: 86_400, h: 3600, m: 60 }
  const unit = Object.entries(units).find(([, length]) => seconds % length === 0)
  return unit ? `${seconds / unit[1]}${unit[0]}` : `${seconds}s`
}
