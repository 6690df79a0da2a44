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
