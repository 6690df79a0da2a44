import type { Study } from '../view/view.js'
import type { Description } from './catalogue.js'
import type { StudyRow } from './rows.js'

/** A study with its values. */
export interface StudyData {
  readonly study: Study
  /** What it is; undefined while that is not known, and where there is no such indicator. */
  description: Description | undefined
  rows: StudyRow[]
  /** From when on values have four digits that do not depend on where the history begins, in Unix seconds; undefined where that is never so. */
  settledFrom: number | undefined
  /** Why there are no values, in words for a person. */
  error: string | undefined
  /** Why the values do not move, such as a plan that allows no more subscriptions. */
  notLive: string | undefined
  isLoading: boolean
  /** Updates that arrived before the history. */
  readonly early: StudyRow[]
}

/** A study whose history is on its way; until then it has the rows that it had with other parameters. */
export const loadingStudy = (study: Study, rows: StudyRow[] = []): StudyData => ({
  study,
  description: undefined,
  rows,
  settledFrom: undefined,
  error: undefined,
  notLive: undefined,
  isLoading: true,
  early: [],
})

/**
 * Takes over from when on the values of a reply have settled: Infinity where all of them are too early, undefined for what never settles.
 * A reply for older candles may say an earlier time than the one for the newest.
 */
export function noteSettling(
  data: Pick<StudyData, 'settledFrom'>,
  { settled4 }: Pick<Description, 'settled4'>,
  said: number | null | undefined,
  isNewest: boolean,
): void {
  const before = isNewest ? undefined : data.settledFrom
  data.settledFrom =
    typeof said === 'number'
      ? Math.min(said, before ?? said)
      : (before ?? (settled4 === null ? undefined : Number.POSITIVE_INFINITY))
}

/** The time of the first row in which no output is missing that has values later; undefined without one. */
export function completeFrom(rows: readonly StudyRow[]): number | undefined {
  const columns = rows[0]?.values.map((_, at) => at) ?? []
  const present = columns.filter(at => rows.some(({ values }) => values[at] !== null))
  return rows.find(({ values }) => present.every(at => values[at] !== null))?.timestamp
}

/**
 * Whether values of the stored history continue as those of the service's memory: each output that is drawn agrees, in four digits
 * of the largest value, at one candle at least. A sum over the whole history, such as `obv`, differs at all of them by what was summed before, so
 * the two must not form one line.
 */
export function areOneHistory(
  { outputs, drawing }: Description,
  rows: readonly StudyRow[],
  stored: readonly StudyRow[],
): boolean {
  const drawn = new Set(drawing.flatMap(shape => shape.outputs))
  const known = new Map(rows.map(({ timestamp, values }) => [timestamp, values]))
  return outputs.every(({ name }, at) => {
    if (!drawn.has(name)) return true
    const pairs = stored.flatMap(({ timestamp, values }) => {
      const [a, b] = [known.get(timestamp)?.[at], values[at]]
      return typeof a === 'number' && typeof b === 'number' ? [[a, b] as const] : []
    })
    const largest = pairs.reduce((most, [, b]) => Math.max(most, Math.abs(b)), 0)
    return pairs.length === 0 || pairs.some(([a, b]) => Math.abs(a - b) <= 1e-4 * largest)
  })
}
