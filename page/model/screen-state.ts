import type { Row } from './rows.js'

export type ScreenValue = number | boolean | null

/** A market that matches the condition, as the service sends it: with a value for each name of `select`. */
export type Match = Row & { readonly symbol: string } & Readonly<Record<string, unknown>>

interface Failure {
  readonly symbol: string
  readonly error: string
}

/** A message of the service about a live screen. */
export type ScreenMessage =
  | { readonly type: 'screen_pending'; readonly done: number; readonly total: number }
  | {
      readonly type: 'screen_ok'
      readonly matches: readonly Match[]
      readonly screened: number
      readonly failed: readonly Failure[]
    }
  | {
      readonly type: 'screen_update'
      readonly entered: readonly Match[]
      readonly changed: readonly Match[]
      readonly left: readonly string[]
    }
  | { readonly type: 'error'; readonly error: string }

/** A line of the table. */
export interface ScreenRow extends Row {
  readonly symbol: string
  /** In the order of the columns, the close first. */
  readonly values: readonly ScreenValue[]
}

/** Results of a live screen so far. */
export class ScreenState {
  readonly #names: readonly string[]
  readonly rows = new Map<string, ScreenRow>()
  screened = 0
  failed: readonly Failure[] = []

  /** `names` are the names of the values, in the order of the columns. */
  constructor(names: readonly string[]) {
    this.#names = names
  }

  receive(message: ScreenMessage): void {
    if (message.type === 'screen_ok') {
      this.rows.clear()
      this.screened = message.screened
      this.failed = message.failed
      this.#put(message.matches)
    } else if (message.type === 'screen_update') {
      this.#put(message.entered)
      this.#put(message.changed)
      for (const symbol of message.left) this.rows.delete(symbol)
    }
  }

  #put(matches: readonly Match[]): void {
    for (const { symbol, timestamp, ...values } of matches)
      this.rows.set(symbol, {
        symbol,
        timestamp,
        values: this.#names.map(name => (values[name] ?? null) as ScreenValue),
      })
  }
}

/** Sort key of the table: the symbol, or a value by its index. */
export interface Sort {
  readonly by: 'symbol' | number
  readonly isDescending: boolean
}

export const firstSort: Sort = { by: 'symbol', isDescending: false }

/** The sort after a click on a header: the other direction, or a new column, which begins with the largest number. */
export const nextSort = (sort: Sort, by: Sort['by']): Sort =>
  sort.by === by ? { by, isDescending: !sort.isDescending } : { by, isDescending: by !== 'symbol' }

/** The sorted rows; rows without a value come last, and equal ones are in the order of their symbols. */
export function sortRows(rows: Iterable<ScreenRow>, { by, isDescending }: Sort): readonly ScreenRow[] {
  const sign = isDescending ? -1 : 1
  const bySymbol = (one: ScreenRow, other: ScreenRow) => (one.symbol < other.symbol ? -1 : 1)
  if (by === 'symbol') return [...rows].sort((one, other) => sign * bySymbol(one, other))
  return [...rows].sort((one, other) => {
    const [a, b] = [one.values[by] ?? null, other.values[by] ?? null]
    if (a === null || b === null) return Number(a === null) - Number(b === null) || bySymbol(one, other)
    return sign * (Number(a) - Number(b)) || bySymbol(one, other)
  })
}

/** The rows in their present order, with new ones at the end. */
export function keepOrder(rows: readonly ScreenRow[], shown: readonly string[]): readonly ScreenRow[] {
  const places = new Map(shown.map((symbol, at) => [symbol, at]))
  const place = ({ symbol }: ScreenRow) => places.get(symbol) ?? shown.length
  return [...rows].sort((one, other) => place(one) - place(other))
}
