import { type Candle, isSame } from '../../candles/candle.js'
import { formatTime } from '../../candles/format-time.js'
import { openOf, type Timeframe, timeframes } from '../../candles/timeframe.js'
import type { CsvReading, Row, RowProblem } from './reader.js'
import { contradiction, noTimeframe, spacingOf, timeframeOf } from './spacing.js'

/** One of several files that are merged. */
export interface NamedReading extends Pick<CsvReading, 'rows' | 'problems'> {
  readonly name: string
}

/** Why a line of a named file cannot be used. */
export interface FileProblem extends RowProblem {
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

/** A problem and the index of its file. */
interface IndexedProblem extends RowProblem {
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
  const nameOf = (file: number) => files[file]?.name ?? ''
  const isUsable = timeframe !== undefined && rejection === undefined
  const merged = isUsable ? mergeRows(rows, nameOf, { ...options, timeframe }) : undefined
  const problems: IndexedProblem[] = files.flatMap((reading, file) =>
    reading.problems.map(problem => ({ ...problem, file })),
  )
  problems.push(...(merged?.problems ?? []))
  problems.sort((a, b) => a.file - b.file || a.line - b.line)
  return {
    timeframe,
    candles: merged?.candles ?? [],
    problems: problems.map(problem => ({ ...problem, file: nameOf(problem.file) })),
    rejection,
    repeated: merged?.repeated ?? 0,
    forming: merged?.forming ?? 0,
  }
}

/** Merges rows that are sorted by time. */
function mergeRows(
  rows: readonly FileRow[],
  nameOf: (file: number) => string,
  { timeframe, now, hasSessions = false }: MergeOptions & { readonly timeframe: Timeframe },
) {
  const length = timeframes[timeframe]
  const grid = hasSessions && length < timeframes['1d'] ? '1m' : timeframe
  const candles: Candle[] = []
  const problems: IndexedProblem[] = []
  let repeated = 0
  let forming = 0
  let last: FileRow | undefined
  for (const row of rows) {
    const { candle, file, line } = row
    const { timestamp } = candle
    const addProblem = (text: string) => problems.push({ file, line, text })
    if (openOf(grid, timestamp) !== timestamp) {
      addProblem(`${formatTime(timestamp)} is not the open of a ${timeframe} candle${hintOf(timeframe)}`)
    } else if (timestamp > now) {
      addProblem(`${formatTime(timestamp)} is in the future`)
    } else if (last?.candle.timestamp === timestamp) {
      if (isSame(last.candle, candle)) repeated++
      else {
        const place = `${last.file === file ? '' : `${nameOf(last.file)} `}line ${last.line}`
        addProblem(`another candle for ${formatTime(timestamp)} than in ${place}`)
      }
    } else {
      last = row
      if (timestamp + length > now) forming++
      else candles.push(candle)
    }
  }
  return { candles, problems, repeated, forming }
}

const hintOf = (timeframe: Timeframe) => (timeframe === '1w' ? ', which opens on Monday 00:00:00 UTC' : '')
