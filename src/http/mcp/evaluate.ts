import { z } from 'zod'
import { noteOfAge } from '../../candles/age.js'
import type { Evaluation } from '../../client/types.js'
import type { Shape } from '../../contract/fields.js'
import { isAbsent, type JsonObject } from '../../contract/json-value.js'
import { marketShape } from '../../contract/market.js'
import { isRefusal } from '../../contract/refusals.js'
import { candleFields, evaluationShape } from '../../contract/requests.js'
import { once } from '../../runtime/once.js'
import { answer, ask, notesShape, short, type Tool, timeText } from './tool.js'

const maxTrades = 20

const input = once((): Shape => {
  const { side, horizons, chart } = evaluationShape()
  const { exchange, symbol, timeframe } = marketShape()
  return {
    exchange: exchange.optional(),
    symbol: symbol.optional(),
    timeframe: timeframe.optional(),
    candles: z
      .array(z.object({ timestamp: z.number().optional(), ...candleFields() }))
      .optional()
      .describe('as in compute'),
    entry: z.string().describe('a condition; a signal is a candle at which it becomes true'),
    exit: z.string().optional().describe('where it holds, a trade ends; without it there are no trades'),
    side,
    fee: z.number().optional().describe('of each entry and each exit, as a share: 0.001 is 0.1 %'),
    horizons: horizons.describe('after how many candles returns are measured; 1, 5 and 20 by default'),
    from: z.string().optional().describe('signals of candles that open at this time or later'),
    to: z.string().optional().describe('last open time'),
    settled: z.int().min(0).max(8).optional().describe('as in compute; 4 by default, 0 for any'),
    chart,
  }
})

const output = once(
  (): Shape => ({
    fired: z.number(),
    candles: z.number(),
    from: z.string(),
    to: z.string(),
    returns: z.array(z.looseObject({ after: z.number() })),
    trades: z.looseObject({}).optional(),
    warnings: z.array(z.string()),
    ...notesShape(),
  }),
)

export const evaluate: Tool = {
  name: 'evaluate',
  description:
    'Statistics of the past after a condition became true: number of cases, returns after some candles next to those of all candles (baseline), and with an exit the trades. Closed candles only; entries at the next open. Answers JSON.',
  input,
  output,
  isReading: true,
  async run(given, service) {
    const reply = await ask<Evaluation>(service, { path: '/evaluate', body: given })
    if (isRefusal(reply)) return reply
    const { equity: _, trades, ...rest } = reply.answered
    const list = trades?.list ?? []
    const shown = { ...rest, ...(trades && { trades: { ...trades, list: list.slice(-maxTrades) } }) }
    const structured = readable(shown) as JsonObject
    const isAboutPresent = isAbsent(given.to)
    return answer([JSON.stringify(structured)], structured, [
      ...(isAboutPresent && reply.age !== undefined ? [`Not up to date: ${noteOfAge(reply.age)}.`] : []),
      ...(list.length > maxTrades
        ? [`The newest ${maxTrades} of ${list.length} trades; from and to choose others.`]
        : []),
    ])
  },
}

const timeFields = /^(from|to|\w*timestamp)$/i

/** Value with rounded numbers, and with times as models read them. */
function readable(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map(each => readable(each))
  if (typeof value === 'number') return timeFields.test(name) ? timeText(value) : short(value)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([field, each]) => [field, readable(each, field)]))
}
