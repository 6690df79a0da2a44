import { formatTime } from '../format-time.js'
import { endOf, hasLength, openOf, type Timeframe, timeframes } from '../timeframe.js'
import { CandleRows, candleWidth, rowAt, rowWidth, type SortedRows } from './disk-rows.js'

/** Candles of several files as one series. */
export interface CsvMerge {
  /** The given timeframe, or the timeframe of the spacing; undefined if the spacing shows none. */
  readonly timeframe: Timeframe | undefined
  /** Closed candles without a problem, ascending, one per time. */
  readonly candles: CandleRows
  /** Reason for the user why no candle can be used. There are then no candles. */
  readonly rejection: string | undefined
  /** Number of lines with the same candle as another line. */
  readonly repeated: number
  /** Number of candles that have not ended. They are left out. */
  readonly forming: number
}

interface MergeOptions {
  readonly timeframe?: Timeframe | undefined
  /** Unix seconds. */
  readonly now: number
  /** Whether candles shorter than a day begin with a trading session. They may then open at any full minute. */
  readonly hasSessions?: boolean
}

/**
 * Merges the rows of files. Adds wrong open times, contradicting lines and candles from the future to the problems.
 */
export function mergeCsv(rows: SortedRows, problems: LineProblems, options: MergeOptions): CsvMerge {
  const spacing = spacingOf(rows)
  const given = options.timeframe
  const timeframe = given ?? timeframeOf(spacing)
  const rejection = timeframe === undefined ? noTimeframe(spacing) : given && contradiction(given, spacing)
  const merged =
    timeframe === undefined || rejection !== undefined
      ? { candles: new CandleRows(), repeated: 0, forming: 0, conflicts: 0 }
      : mergeRows(rows, problems, { ...options, timeframe })
  const { conflicts = 0, ...others } = merged
  if (conflicts < fewestConflicts || 2 * conflicts < others.candles.count + others.forming)
    return { timeframe, rejection, ...others }
  others.candles.close()
  const reason = `${conflicts} lines have another candle for the time of another line, as where times of day are not read`
  return { timeframe, rejection: reason, ...others, candles: new CandleRows() }
}

/** Minimum number of conflicting lines for a rejection. They must also be at least half of all candles. */
const fewestConflicts = 2

function mergeRows(
  rows: SortedRows,
  problems: LineProblems,
  { timeframe, now, hasSessions = false }: MergeOptions & { readonly timeframe: Timeframe },
) {
  const grid = hasSessions && timeframes[timeframe] < timeframes['1d'] ? '1m' : timeframe
  const candles = new CandleRows()
  let repeated = 0
  let forming = 0
  let conflicts = 0
  const last = new Float64Array(rowWidth).fill(Number.NaN)
  for (const block of rows.ascending())
    for (let at = 0; at < block.length; at += rowWidth) {
      const time = block[at] as number
      const [file, line] = [block[at + rowAt.file] as number, block[at + rowAt.line] as number]
      if (openOf(grid, time) !== time)
        problems.add(
          file,
          line,
          `${formatTime(time)} is not the open of a ${timeframe} candle${hintOf(timeframe)}`,
        )
      else if (time > now) problems.add(file, line, `${formatTime(time)} is in the future`)
      else if (last[rowAt.time] === time) {
        if (isSameCandle(block, at, last)) repeated++
        else {
          const [otherFile, otherLine] = [last[rowAt.file] as number, last[rowAt.line] as number]
          if (otherFile === file) conflicts++
          const place = `${otherFile === file ? '' : `${problems.nameOf(otherFile)} `}line ${otherLine}`
          problems.add(file, line, `another candle for ${formatTime(time)} than in ${place}`)
        }
      } else {
        for (let k = 0; k < rowWidth; k++) last[k] = block[at + k] as number
        if (endOf(timeframe, time) > now) forming++
        else candles.add(block, at)
      }
    }
  return { candles, repeated, forming, conflicts }
}

/** Whether the row at index `at` of `rows` has the prices and the volume of `row`. */
function isSameCandle(rows: Float64Array, at: number, row: Float64Array): boolean {
  for (let k = rowAt.open; k < candleWidth; k++) if (rows[at + k] !== row[k]) return false
  return true
}

const hints: Partial<Record<Timeframe, string>> = {
  '1w': ', which opens on Monday 00:00:00 UTC',
  '1M': ', which opens on the first day of a month, 00:00:00 UTC',
}
const hintOf = (timeframe: Timeframe) => hints[timeframe] ?? ''

/** Seconds between neighbouring candles. */
interface Spacing {
  readonly mostFrequent: number | undefined
  readonly min: number | undefined
  /** Number of candles. Candles of the same time count once. */
  readonly times: number
}

/** Minimum number of candles for conclusions from the smallest spacing. Among fewer, gaps may hide the timeframe by chance. */
const minCandlesForMinSpacing = 10

/** Measures the spacing of candles. */
function spacingOf(rows: SortedRows): Spacing {
  const counts = new Map<number, number>()
  let last: number | undefined
  for (const block of rows.ascending())
    for (let at = 0; at < block.length; at += rowWidth) {
      const time = block[at] as number
      const step = time - (last ?? time)
      if (step > 0) counts.set(step, (counts.get(step) ?? 0) + 1)
      last = time
    }
  let times = last === undefined ? 0 : 1
  let min: number | undefined
  let mostFrequent: number | undefined
  for (const [step, count] of counts) {
    times += count
    min = Math.min(min ?? step, step)
    const most = mostFrequent === undefined ? 0 : (counts.get(mostFrequent) as number)
    if (count > most || (count === most && step < (mostFrequent as number))) mostFrequent = step
  }
  return { mostFrequent, min, times }
}

const timeframeOf = ({ mostFrequent }: Spacing): Timeframe | undefined =>
  mostFrequent === undefined
    ? undefined
    : (Object.keys(timeframes) as Timeframe[]).find(each => hasLength(each, mostFrequent))

/** Reason why the spacing shows no timeframe; undefined if there are no candles. */
function noTimeframe({ mostFrequent, times }: Spacing): string | undefined {
  if (times === 0) return undefined
  return mostFrequent === undefined
    ? 'one candle does not show its timeframe, it must be given'
    : `the candles are ${formatSpan(mostFrequent)} apart, which is none of ${Object.keys(timeframes).join(', ')}`
}

/** Reason why candles with this spacing cannot have the timeframe, or undefined. */
function contradiction(timeframe: Timeframe, { mostFrequent, min, times }: Spacing): string | undefined {
  if (mostFrequent === undefined || min === undefined) return undefined
  const length = timeframes[timeframe]
  if (mostFrequent < length && !hasLength(timeframe, mostFrequent))
    return `the candles are ${formatSpan(mostFrequent)} apart, which is not ${timeframe}`
  if (min > length && times >= minCandlesForMinSpacing)
    return `the candles are at least ${formatSpan(min)} apart, which is not ${timeframe}`
  return undefined
}

/** Formats seconds as in `90s`, `30m`, `2h` or `3d`. */
function formatSpan(seconds: number): string {
  const units = { d: 86_400, h: 3600, m: 60 }
  const unit = Object.entries(units).find(([, length]) => seconds % length === 0)
  return unit ? `${seconds / unit[1]}${unit[0]}` : `${seconds}s`
}

/** A line of a named file that cannot be used, with the reason. */
export interface LineProblem {
  readonly file: string
  readonly line: number
  readonly text: string
}

interface FoundProblem extends Omit<LineProblem, 'file'> {
  readonly file: number
}

/** Problems of the lines of files. Counts all problems, and keeps the first `most` by file and line. */
export class LineProblems {
  readonly #names: string[] = []
  #first: FoundProblem[] = []
  #count = 0

  constructor(private readonly most: number) {}

  get count(): number {
    return this.#count
  }

  /** Adds the next file, and returns its index. */
  addFile(name: string): number {
    return this.#names.push(name) - 1
  }

  nameOf(file: number): string {
    return this.#names[file] as string
  }

  add(file: number, line: number, text: string): void {
    this.#count++
    this.#first.push({ file, line, text })
    if (this.#first.length >= 2 * this.most) this.#forgetRest()
  }

  /** First problems, by file and line. */
  get first(): LineProblem[] {
    this.#forgetRest()
    return this.#first.map(problem => ({ ...problem, file: this.nameOf(problem.file) }))
  }

  #forgetRest(): void {
    this.#first.sort((a, b) => a.file - b.file || a.line - b.line)
    this.#first = this.#first.slice(0, this.most)
  }
}
