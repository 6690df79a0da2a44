import { formatTime } from '../format-time.js'
import { endOf, hasLength, openOf, type Timeframe, timeframes } from '../timeframe.js'
import { CandleRows, candleWidth, rowAt, rowWidth, type SortedRows } from './disk-rows.js'

/** The candles of several files as one series. */
export interface CsvMerge {
  /** The given timeframe, or the one that the spacing shows; undefined where it shows none. */
  readonly timeframe: Timeframe | undefined
  /** Closed candles without a problem, ascending, one for each time. */
  readonly candles: CandleRows
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

/**
 * Puts the rows of files together, and adds to the problems wrong open times, contradicting lines and candles from the
 * future.
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

/** From so many lines on, with a candle each for the time of another one, at half of all times, the times are no times of candles. */
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

/** Whether the candle at a place in some rows has the prices and the volume of that of another row. */
function isSameCandle(rows: Float64Array, at: number, row: Float64Array): boolean {
  for (let k = rowAt.open; k < candleWidth; k++) if (rows[at + k] !== row[k]) return false
  return true
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

/** The spacing of candles. */
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

/** Why a line of a named file cannot be used. */
export interface LineProblem {
  readonly file: string
  readonly line: number
  readonly text: string
}

interface FoundProblem extends Omit<LineProblem, 'file'> {
  readonly file: number
}

/** What is wrong with the lines of files: all problems are counted, and the first `most` by file and line are remembered. */
export class LineProblems {
  readonly #most: number
  readonly #names: string[] = []
  #first: FoundProblem[] = []
  #count = 0

  constructor(most: number) {
    this.#most = most
  }

  get count(): number {
    return this.#count
  }

  /** Adds the next file, and answers its index. */
  addFile(name: string): number {
    return this.#names.push(name) - 1
  }

  nameOf(file: number): string {
    return this.#names[file] as string
  }

  add(file: number, line: number, text: string): void {
    this.#count++
    this.#first.push({ file, line, text })
    if (this.#first.length >= 2 * this.#most) this.#forgetRest()
  }

  /** The first ones, by file and line. */
  get first(): LineProblem[] {
    this.#forgetRest()
    return this.#first.map(problem => ({ ...problem, file: this.nameOf(problem.file) }))
  }

  #forgetRest(): void {
    this.#first.sort((a, b) => a.file - b.file || a.line - b.line)
    this.#first = this.#first.slice(0, this.#most)
  }
}
