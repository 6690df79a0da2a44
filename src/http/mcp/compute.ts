import { z } from 'zod'
import { endOf, type Timeframe, timeframes } from '../../candles/timeframe.js'
import { catalogue, type Entry } from '../../catalogue/index.js'
import { searchCatalogue } from '../../catalogue/search.js'
import { readShape, type Shape } from '../../contract/fields.js'
import { isAbsent, type JsonObject } from '../../contract/json-value.js'
import { maxConstructs } from '../../contract/limits.js'
import { canonicalSymbol, marketShape } from '../../contract/market.js'
import { nearIndicators } from '../../contract/near-indicators.js'
import { parametersOf, windowFields } from '../../contract/query.js'
import {
  indicatorOrExpression,
  invalidValue,
  isRefusal,
  missingRequired,
  type Refusal,
  rangeBesideCount,
  refusal,
  unknownIndicator,
  unknownParameter,
} from '../../contract/refusals.js'
import { candleFields } from '../../contract/requests.js'
import { candlesOrMarket } from '../../contract/screen-refusals.js'
import { rangeShape } from '../../contract/time-range.js'
import { once } from '../../runtime/once.js'
import {
  answer,
  ask,
  csv,
  notesShape,
  oldNote,
  short,
  type Tool,
  type ToolAnswer,
  type ToolRequest,
  type ToolService,
  timeText,
} from './tool.js'

/** Maximum rows of a market, so that an answer needs little of a model's context. */
const maxRows = 200
const usualRows = 5
/** Maximum number of candles of a range per request. */
const candlesAtOnce = 2_000
const maxBacktrack = 5_000

const input = once((): Shape => {
  const { exchange, timeframe } = marketShape()
  return {
    indicator: z.string().optional().describe('such as rsi; candle has open, high, low, close and volume'),
    params: z
      .record(z.string(), z.union([z.number(), z.string(), z.boolean()]))
      .optional()
      .describe('parameters of the indicator that differ from their defaults, such as {"period": 200}'),
    expression: z.string().optional().describe('instead of indicator and params'),
    exchange: exchange
      .optional()
      .describe(
        'such as binance, kraken, stocks (stocks-raw: as traded, stocks-all: less dividends), or demo for made-up candles',
      ),
    symbols: z
      .array(z.string())
      .min(1)
      .max(maxConstructs)
      .optional()
      .describe('such as ["BTC/USDT", "ETH/USDT"], or ["AAPL"] on stocks'),
    timeframe: timeframe.optional(),
    candles: z
      .array(z.object({ timestamp: z.number().optional(), ...candleFields() }))
      .optional()
      .describe('instead of a market: up to 500 of your own, oldest first'),
    results: z.int().min(1).max(maxRows).optional().describe('newest rows of each market; 5 by default'),
    backtrack: z.int().min(0).max(maxBacktrack).default(0).describe('newest rows to skip'),
    from: rangeShape().from.describe('first open time of a candle (UTC), such as 2025-01-31'),
    to: rangeShape().to.describe('last open time, such as 2025-01-31T12:00; alone: the newest rows until it'),
    forming: z.boolean().default(false).describe('add the candle that has not closed; its row is marked'),
    chart: z.string().optional().describe('heikinashi, renko:atr14, range:50 or linebreak:3 first'),
    settled: z.int().min(1).max(8).optional().describe('digits that must not depend on where history begins'),
    asOf: rangeShape().to.describe('candles as they were known at this time'),
    check: z.boolean().default(false).describe('only say what the expression needs'),
  }
})

const output = once(
  (): Shape => ({
    results: z
      .array(
        z.looseObject({
          symbol: z.string().optional(),
          rows: z.array(z.looseObject({ time: z.string(), forming: z.literal(true).optional() })),
          error: z.string().optional(),
        }),
      )
      .optional(),
    check: z.looseObject({}).optional(),
    ...notesShape(),
  }),
)

export const compute: Tool = {
  name: 'compute',
  description: `Computes an indicator or an expression over one or several markets. Rows are candles, oldest first; the last one is the newest that has closed.
Expressions: prices (close, high, volume, hl2 …), indicators by name (rsi(14), macd(12, 26, 9).valueMACDHist, bbands(20).valueUpperBand: name one of several outputs), indicators of expressions (sma(rsi(14), 5)), < <= > >= == != and or not + - * / %, x[1] one candle ago, x@1d a longer timeframe, x{ETHUSDT} another market, crossover(a, b), crossunder(a, b), highest(x, n), lowest(x, n), rising(x, n), sum(x, n), if(c, a, b). Such as rsi(14) < 30 and close > ema(200). A condition gives true or false for each row. Resource candela://expressions has the whole grammar.`,
  input,
  output,
  isReading: true,
  async run(given, service) {
    const { expression, check } = given
    if (isAbsent(given.indicator) === isAbsent(expression)) return indicatorOrExpression()
    if (check === true)
      return isAbsent(expression) ? missingRequired(['expression']) : checkExpression(given, service)
    const spec = isAbsent(expression) ? specOf(given) : { indicator: 'expression', expression }
    if (isRefusal(spec)) return spec
    const asked = readAsked(given, outputCount(given))
    if (isRefusal(asked)) return asked
    const { chart, settled } = given
    const window = windowOf(asked, isAbsent(given.candles))
    const item = { id: valueId, ...spec, chart, settled, ...window }
    const reply = await ask<AnsweredMarkets>(service, requestOf(given, asked, item))
    const composed = isRefusal(reply) ? reply : composeRows(reply.answered, asked, window, service.now())
    return isRefusal(composed) ? inWords(composed) : composed
  },
}

/** An indicator with its parameters. Fields of a request are not parameters. */
function specOf({ indicator, params = {} }: JsonObject): JsonObject | Refusal {
  const name = String(indicator).toLowerCase()
  const entry = catalogue.get(name)
  if (!entry) return unknownIndicator(String(indicator).slice(0, 60), nearTo(name))
  const read = readShape({ params: input().params as z.ZodType }, { params })
  if (isRefusal(read)) return read
  const own = parametersOf(entry)
  const other = Object.keys(params as object).find(key => reserved.includes(key) && !own.has(key))
  if (other !== undefined) return unknownParameter(other, `params of ${name}`, [...own.keys()])
  return { ...(params as object), indicator: name }
}

/** Indicators that an unknown name may stand for. Titles are searched, too. */
function nearTo(name: string): readonly string[] {
  const near = nearIndicators(name)
  return near.length > 0
    ? near
    : searchCatalogue({ words: name })
        .slice(0, 3)
        .map(entry => entry.name)
}
const reserved: readonly string[] = [...windowFields, 'id', 'indicator', 'settled', 'expression']

function outputCount({ indicator }: JsonObject): number {
  const entry: Entry | undefined = catalogue.get(String(indicator).toLowerCase())
  return entry?.outputs.length ?? 1
}

const ownFields = ['results', 'backtrack', 'from', 'to', 'forming'] as const

function readAsked(given: JsonObject, columns: number): AskedRows | Refusal {
  const read = readShape(input() as Record<(typeof ownFields)[number], z.ZodType>, given, ownFields)
  if (isRefusal(read)) return read
  const { results, backtrack, from, to, forming } = read as Partial<AskedRows> & { readonly forming: boolean }
  const isRange = from !== undefined || to !== undefined
  if (isRange && (backtrack as number) > 0)
    return rangeBesideCount(from === undefined ? 'to' : 'from', 'backtrack')
  const market = readMarkets(given)
  if (isRefusal(market)) return market
  const most = Math.max(1, Math.floor(maxValues / (market.symbols.length * columns)))
  const wanted = results ?? (isRange ? maxRows : usualRows)
  const isCut = wanted > most
  const window = { results: Math.min(wanted, most), isCut, backtrack: backtrack as number, from, to, forming }
  return { ...market, ...window }
}

/** Reads the markets. The model's own candles have no market. */
function readMarkets(given: JsonObject): Pick<AskedRows, 'symbols' | 'timeframe' | 'isTimed'> | Refusal {
  const names = ['exchange', 'symbols', 'timeframe'] as const
  const { candles } = given
  if (!isAbsent(candles)) {
    const isTimed = Object(candles)[0]?.timestamp !== undefined
    return names.some(name => !isAbsent(given[name])) ? candlesOrMarket() : { symbols: ['candles'], isTimed }
  }
  const missing = names.filter(name => isAbsent(given[name]))
  if (missing.length > 0) return missingRequired(missing)
  const read = readShape(marketShape(), given, ['exchange', 'timeframe'])
  if (isRefusal(read)) return read
  const { symbols } = given
  const isList = Array.isArray(symbols) && symbols.length > 0 && symbols.length <= maxConstructs
  if (!isList || !symbols.every(symbol => typeof symbol === 'string'))
    return invalidValue('symbols', JSON.stringify(symbols), `an array of 1 to ${maxConstructs} symbols`)
  return { symbols: [...new Set(symbols.map(canonicalSymbol))], timeframe: read.timeframe, isTimed: true }
}

/** Window of values that the service must return: one row more than given, because the newest candle may be forming. */
function windowOf({ results, backtrack, from, to, timeframe }: AskedRows, isMarket: boolean): AskedWindow {
  if (from === undefined && to === undefined) return { results: results + backtrack + 1 }
  const most = isMarket && timeframe ? candlesAtOnce * timeframes[timeframe] : Number.POSITIVE_INFINITY
  if (from === undefined) {
    const first = (to as number) - most
    return { from: first > 0 ? first : undefined, to }
  }
  const last = Math.min(to ?? Number.POSITIVE_INFINITY, from + most)
  return { from, to: Number.isFinite(last) ? last : undefined }
}

function requestOf({ exchange, candles, asOf }: JsonObject, asked: AskedRows, item: object): ToolRequest {
  const known = (fields: object) =>
    Object.fromEntries(Object.entries(fields).filter(([, value]) => !isAbsent(value)))
  const indicators = [known(item)]
  const construct = (symbol: string, at: number) => ({
    id: idOf(at),
    ...(isAbsent(candles) ? known({ exchange, symbol, timeframe: asked.timeframe, asOf }) : { candles }),
    indicators,
  })
  const body = { verbose: true, constructs: asked.symbols.map(construct) }
  return { path: isAbsent(candles) ? '/bulk' : '/bulk-candles', body }
}

/** Error without the positions of a bulk request, which a model does not know. */
const inWords = ({ error, ...refusal }: Refusal): Refusal => ({
  ...refusal,
  error: error.replace(/^Construct (?:"m\d+"|\[\d+\])(?:,? indicator (?:"v"|\[\d+\]))?:? /, ''),
})

/** Facts of an expression that are known without computing it. */
async function checkExpression(given: JsonObject, service: ToolService): Promise<ToolAnswer | Refusal> {
  const { expression, timeframe, chart } = given
  const reply = await ask<JsonObject>(service, {
    path: '/expression/check',
    body: { expression, timeframe, chart },
  })
  if (isRefusal(reply)) return inWords(reply)
  return answer([JSON.stringify(reply.answered)], { check: reply.answered })
}

/** Maximum number of values of an answer, so that it needs little of a model's context. */
export const maxValues = 1_600

/** Rows that a model requests, after validation. */
export interface AskedRows {
  readonly symbols: readonly string[]
  /** Undefined for the model's own candles. */
  readonly timeframe?: Timeframe | undefined
  /** Whether candles have a time. Candles without a time are numbered. */
  readonly isTimed: boolean
  /** Number of rows per market in the answer, and whether the model requested more. */
  readonly results: number
  readonly isCut: boolean
  readonly backtrack: number
  /** First and last open time; undefined for the newest rows. */
  readonly from?: number | undefined
  readonly to?: number | undefined
  readonly forming: boolean
}

/** Window of values that is requested from the service. */
export interface AskedWindow {
  readonly results?: number
  readonly from?: number | undefined
  readonly to?: number | undefined
}

/** Values of one market, in the form of the service. */
type Values = Readonly<Record<string, readonly unknown[]>> & { readonly timestamp: readonly number[] }

/** Ids in a bulk request: of a market by its position, and of its values. */
export const idOf = (at: number): string => `m${at}`
export const valueId = 'v'

export type AnsweredMarkets = Readonly<Record<string, AnsweredMarket>>
interface AnsweredMarket {
  readonly _error?: string
  /** Seconds since the newest candle ended, if the candles are old. */
  readonly _age?: number
  readonly v: {
    readonly result: Values | null
    readonly errors: readonly string[]
    readonly warnings?: readonly string[]
  } | null
}

interface Row {
  readonly timestamp: number
  readonly values: readonly unknown[]
  readonly isForming: boolean
}

/** Part of the answer for one market. */
interface MarketRows {
  readonly names: readonly string[]
  readonly rows: readonly Row[]
  readonly notes: readonly string[]
}

/** Composes the answer from the values of all markets. A single market without values is refused. */
export function composeRows(
  answered: AnsweredMarkets,
  asked: AskedRows,
  window: AskedWindow,
  now: number,
): ToolAnswer | Refusal {
  const { symbols, timeframe, forming, isTimed } = asked
  const isOne = symbols.length === 1
  const timeOf = ({ timestamp }: Row) => (isTimed ? timeText(timestamp) : String(timestamp))
  const results: JsonObject[] = []
  const lines: (readonly unknown[])[] = []
  const notes = new Set<string>()
  let header: readonly string[] = []
  for (const [at, symbol] of symbols.entries()) {
    const found = marketRows(answered[idOf(at)] as AnsweredMarket, symbol, asked, window, now)
    if (isRefusal(found)) {
      if (isOne) return found
      results.push({ symbol, rows: [], error: found.error })
      notes.add(`${symbol}: ${found.error}`)
      continue
    }
    const { names, rows } = found
    header = names
    for (const note of found.notes) notes.add(note)
    for (const row of rows)
      lines.push([
        ...(isOne ? [] : [symbol]),
        timeOf(row),
        ...row.values,
        ...(forming ? [row.isForming] : []),
      ])
    const objects = rows.map(row => ({
      time: timeOf(row),
      ...Object.fromEntries(names.map((name, k) => [name, short(row.values[k])])),
      ...(row.isForming ? { forming: true } : {}),
    }))
    results.push({ ...(timeframe && { symbol }), rows: objects })
  }
  const time = isTimed ? 'time (UTC)' : 'candle'
  const columns = [...(isOne ? [] : ['symbol']), time, ...header, ...(forming ? ['forming'] : [])]
  return answer(csv(columns, lines), { results }, [...notes])
}

function marketRows(
  { _error, _age, v }: AnsweredMarket,
  symbol: string,
  asked: AskedRows,
  window: AskedWindow,
  now: number,
): MarketRows | Refusal {
  const { timeframe, results, backtrack, from, forming } = asked
  if (_error !== undefined) return refusal(400, _error)
  if (!v?.result) return refusal(400, v?.errors[0] ?? 'No value')
  const { timestamp, ...values } = v.result as Values
  const names = Object.keys(values)
  const all = timestamp.map(
    (time, at): Row => ({
      timestamp: time,
      values: names.map(name => (values[name] as readonly unknown[])[at]),
      isForming: timeframe !== undefined && endOf(timeframe, time) > now,
    }),
  )
  const known = forming ? all : all.filter(({ isForming }) => !isForming)
  const end = Math.max(0, known.length - backtrack)
  const rows = from === undefined ? known.slice(Math.max(0, end - results), end) : known.slice(0, results)
  const rest = restOf(known, rows, asked, window, now)
  const warnings = rows.length < results ? (v.warnings ?? []) : []
  return {
    names,
    rows,
    notes: [
      ...warnings,
      ...(rows.length === 0 ? [`${symbol}: no candle that has closed.`] : []),
      ...(rows.at(-1)?.isForming
        ? ['The last row is forming: its values change until the candle closes.']
        : []),
      ...(_age === undefined ? [] : [oldNote(symbol, _age)]),
      ...(rest ? [rest] : []),
    ],
  }
}

/** Note on how to get the omitted rows; undefined if none are omitted. */
function restOf(
  known: readonly Row[],
  shown: readonly Row[],
  { from, to, results, backtrack, isCut }: AskedRows,
  window: AskedWindow,
  now: number,
): string | undefined {
  if (from === undefined && to === undefined)
    return isCut
      ? `An answer has at most ${maxValues} values. backtrack=${backtrack + results} gives older rows.`
      : undefined
  if (from === undefined) {
    const before = known[known.length - shown.length - 1]
    return before && `to=${timeText(before.timestamp)} gives older rows.`
  }
  const last = window.to ?? now
  const next = known[shown.length]?.timestamp ?? (last < Math.min(to ?? now, now) ? last + 1 : undefined)
  return next === undefined ? undefined : `from=${timeText(next)} gives the next rows.`
}
