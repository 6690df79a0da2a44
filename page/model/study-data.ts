import type { Study } from '../view/view.js'
import type { Description } from './catalogue.js'
import type { StudyRow } from './rows.js'

/** A study with its values. */
export interface StudyData {
  readonly study: Study
  /** Description of the indicator; undefined while it is unknown, and for unknown indicators. */
  description: Description | undefined
  rows: StudyRow[]
  /**
   * Time from which values have four digits that do not depend on the start of the history, in Unix seconds; undefined if
   * values never settle.
   */
  settledFrom: number | undefined
  /** Reason why there are no values, in words for people. */
  error: string | undefined
  /** Reason why the values are not live, such as a plan that allows no more subscriptions. */
  notLive: string | undefined
  isLoading: boolean
  /** Updates that arrived before the history. */
  readonly early: StudyRow[]
}

/** A study whose history is being fetched; until it arrives it keeps the rows of its earlier parameters. */
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
 * Stores the time from which the values of a reply have settled: Infinity if all of them are too early, undefined if they
 * never settle. A reply for older candles may report an earlier time than the one for the newest.
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

/** The time of the first row in which no output is missing that has values later; undefined without such a row. */
export function completeFrom(rows: readonly StudyRow[]): number | undefined {
  const columns = rows[0]?.values.map((_, at) => at) ?? []
  const present = columns.filter(at => rows.some(({ values }) => values[at] !== null))
  return rows.find(({ values }) => present.every(at => values[at] !== null))?.timestamp
}

/**
 * Whether values of the stored history continue those of the service's memory: each drawn output agrees in four digits of
 * the largest value, at one candle at least. A sum over the whole history, such as `obv`, differs at all of them by its
 * earlier terms, so the two must not form one line.
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
