import type { Study } from '../view/view.js'
import type { Description } from './catalogue.js'
import type { StudyRow } from './rows.js'

/** A study with its values. */
export interface StudyData {
  readonly study: Study
  /** What it is; undefined while that is not known, and where there is no such indicator. */
  description: Description | undefined
  rows: StudyRow[]
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
  error: undefined,
  notLive: undefined,
  isLoading: true,
  early: [],
})
