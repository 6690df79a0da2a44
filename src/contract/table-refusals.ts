import { maxSuppliedCandles } from './limits.js'
import { invalid, type Refusal, refusal } from './refusal.js'

/** The body is no table of the format that its `Content-Type` names. */
export const malformedTable = (format: string): Refusal => invalid`Request body is not ${format}`

/** A table lacks columns of candles; `reason` says which. */
export const tableWithoutColumns = (reason: string): Refusal => invalid`Request body has ${reason}`

/** A table has more candles than the service or the plan allows. */
export const tooManyTableCandles = (limit: number, count: number): Refusal =>
  refusal(
    400,
    `A table must hold at most ${limit} candles, got ${count}. Each ${maxSuppliedCandles} of them count as one request of the plan`,
  )

/** The column `with` of a table names more markets than an expression may. */
export const tooManyTableMarkets = (limit: number): Refusal =>
  invalid`A table may hold candles of at most ${limit} other markets in its column with`

/** A line of a table is no candle; `problem` says why. */
export const wrongTableLine = (line: number, problem: string): Refusal =>
  invalid`Request body: line ${line}: ${problem}`
