import type { JsonObject } from '../../contract/json-value.js'
import { isRefusal, type Refusal } from '../../contract/refusals.js'
import { answer, ask, type ToolAnswer, type ToolService } from './tool.js'
import { csv, oldNote, short, timeText } from './values.js'

const maxFailed = 10

interface Measured {
  readonly timestamp: readonly number[]
  readonly measures: Readonly<
    Record<string, { readonly value: readonly (number | null)[]; readonly markets: readonly number[] }>
  >
  readonly forming: boolean
  readonly screened: number
  readonly failed: readonly { readonly symbol: string; readonly error: string }[]
  readonly stale?: readonly { readonly symbol: string; readonly age: number }[]
}

/** Which of the newest values are given, without the forming one unless it is asked for. */
interface Rows {
  readonly forming: boolean
  readonly limit: number
  readonly offset: number
}

/** Measures over the markets of an exchange: a row for each candle, the oldest first. */
export async function measure(
  asked: JsonObject,
  { forming, limit, offset }: Rows,
  service: ToolService,
): Promise<ToolAnswer | Refusal> {
  // One more than are given, because the newest one may be forming.
  const body = { ...asked, results: offset + limit + 1 }
  const reply = await ask<Measured>(service, { path: '/breadth', body })
  if (isRefusal(reply)) return reply
  const { timestamp, measures, screened, failed, stale = [], forming: isForming } = reply.answered
  const end = timestamp.length - (isForming && !forming ? 1 : 0) - offset
  const columns = Object.entries(measures)
  const rows = timestamp
    .slice(0, Math.max(0, end))
    .map((open, i) => [
      timeText(open),
      ...columns.flatMap(([, { value, markets }]) => [short(value[i]), short(markets[i])]),
    ])
  const shown = rows.slice(-limit)
  const names = ['time', ...columns.flatMap(([name]) => [name, `${name}_markets`])]
  const objects = shown.map(row => Object.fromEntries(names.map((name, k) => [name, row[k]])))
  const shownFailed = failed.slice(0, maxFailed)
  const notes = [
    ...stale.slice(0, maxFailed).map(({ symbol, age }) => oldNote(symbol, age)),
    ...shownFailed.map(({ symbol, error }) => `${symbol}: ${error}`),
    ...(failed.length > maxFailed ? [`${failed.length - maxFailed} more markets failed.`] : []),
  ]
  const text = [`${screened} markets.`, ...csv(names, shown)]
  return answer(text, { rows: objects, screened, failed: shownFailed }, notes)
}
