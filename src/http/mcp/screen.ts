import { z } from 'zod'
import { formatCount } from '../../candles/format-count.js'
import { isTimeframe, openOf } from '../../candles/timeframe.js'
import type { BreadthResult, ScreenResult } from '../../client/types.js'
import { readShape, type Shape } from '../../contract/fields.js'
import { isAbsent, type JsonObject } from '../../contract/json-value.js'
import { isRefusal, type Refusal } from '../../contract/refusals.js'
import { breadthShape, screenShape } from '../../contract/requests.js'
import { once } from '../../runtime/once.js'
import {
  answer,
  ask,
  csv,
  notesShape,
  oldNote,
  pageOf,
  pageShape,
  short,
  type Tool,
  type ToolAnswer,
  type ToolService,
  timeText,
} from './tool.js'

const maxFailed = 10

const failedNotes = (failed: ScreenResult['failed']): readonly string[] => [
  ...failed.slice(0, maxFailed).map(({ symbol, error }) => `${symbol}: ${error}`),
  ...(failed.length > maxFailed ? [`${formatCount(failed.length - maxFailed, 'more market')} failed.`] : []),
]

const input = once((): Shape => {
  const { exchange, timeframe, symbols, quote, select, chart, at } = screenShape()
  return {
    exchange,
    timeframe,
    symbols: symbols.describe(
      'such as ["BTC/USDT", "ETH/USDT"], ["top:50"] of quote by volume, ["list:mine"]; by default all of the exchange',
    ),
    quote: quote.describe('only symbols that end with it, such as USDT'),
    where: z.string().optional().describe('the condition: an expression, as compute has them'),
    measures: breadthShape()
      .measures.optional()
      .describe(
        'instead of where, how many markets do something, by time: by names, such as {"above": "breadth(close > sma(50))", "osc": "mcclellan"}; count(condition), total(number), advances, advancedecline, highslows(52), trin',
      ),
    select: select.describe('values of each match: expressions by names, such as {"rsi": "rsi(14)"}'),
    orderBy: z.string().optional().describe('an expression or a name of select, then desc or asc'),
    at: at.describe(
      'the screen at the close of the candle that opened at this time; newest closed by default',
    ),
    forming: z.boolean().default(false).describe('at the candle that has not closed'),
    settled: z.int().min(1).max(8).optional().describe('as in compute'),
    chart,
    ...pageShape(20, 200),
  }
})

const output = once(
  (): Shape => ({
    matches: z.array(z.looseObject({ symbol: z.string(), time: z.string() })).optional(),
    total: z.number().optional(),
    rows: z.array(z.looseObject({ time: z.string() })).optional(),
    screened: z.number(),
    failed: z.array(z.looseObject({ symbol: z.string(), error: z.string() })),
    ...notesShape(),
  }),
)

export const screen: Tool = {
  name: 'screen',
  description:
    'Finds the markets of an exchange at which a condition holds, at the newest candle that has closed; or by measures, at how many, in the newest `limit` candles. For "in the last n candles" use sum(if(condition, 1, 0), n) > 0. Order by sma(close * volume, 30) desc for the largest ones.',
  input,
  output,
  isReading: true,
  async run(given, service) {
    const { forming, limit, offset, ...asked } = given
    const shape = { forming: input().forming as z.ZodType<boolean>, ...pageShape(20, 200) }
    const own = readShape(shape, { forming, limit, offset })
    if (isRefusal(own)) return own
    if (!isAbsent(given.measures)) return measure(asked, own, service)
    const at = momentOf(given, own.forming, service.now())
    const reply = await ask<ScreenResult>(service, { path: '/screen', body: { ...asked, ...at } })
    if (isRefusal(reply)) return reply
    const { matches, screened, failed, stale = [] } = reply.answered
    const { page, notes } = pageOf(matches, own.offset, own.limit)
    const names = Object.keys(page[0] ?? {}).filter(name => name !== 'symbol' && name !== 'timestamp')
    const rows = page.map(match => [
      match.symbol,
      timeText(match.timestamp),
      ...names.map(name => short(match[name])),
    ])
    const old = stale.map(({ symbol, age }) => oldNote(symbol, age))
    const columns = ['symbol', 'time', ...names]
    const objects = rows.map(row => Object.fromEntries(columns.map((name, k) => [name, row[k]])))
    const shownFailed = failed.slice(0, maxFailed)
    return answer(
      [`${matches.length} of ${screened} markets match.`, ...(rows.length > 0 ? csv(columns, rows) : [])],
      { matches: objects, total: matches.length, screened, failed: shownFailed },
      [...notes, ...old.slice(0, maxFailed), ...failedNotes(failed)],
    )
  },
}

/**
 * Time of a screen, by default the open time of the newest closed candle. Undefined for a request over the forming
 * candle.
 */
function momentOf({ at, timeframe }: JsonObject, isForming: boolean, now: number): JsonObject {
  if (!isAbsent(at) || isForming || typeof timeframe !== 'string' || !isTimeframe(timeframe)) return {}
  // The text is the same within a candle, so that the service recognizes a repeated request.
  return { at: openOf(timeframe, now) }
}

/** Selection of the newest values. The forming value is left out unless it is requested. */
interface Rows {
  readonly forming: boolean
  readonly limit: number
  readonly offset: number
}

/** Measures over the markets of an exchange, with one row per candle, oldest first. */
export async function measure(
  asked: JsonObject,
  { forming, limit, offset }: Rows,
  service: ToolService,
): Promise<ToolAnswer | Refusal> {
  // One row more than given, because the newest candle may be forming.
  const body = { ...asked, results: offset + limit + 1 }
  const reply = await ask<BreadthResult>(service, { path: '/breadth', body })
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
    ...failedNotes(failed),
  ]
  const text = [`${formatCount(screened, 'market')}.`, ...csv(names, shown)]
  return answer(text, { rows: objects, screened, failed: shownFailed }, notes)
}
