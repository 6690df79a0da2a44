import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Candle } from '../../src/candles/candle.js'
import { barsOf } from '../../src/candles/charts/bars.js'
import { Columns, columnNames, type Snapshot } from '../../src/candles/columns.js'
import { endOf, openOf, type Timeframe, timeframes } from '../../src/candles/timeframe.js'
import { answer } from '../../src/compute/answer.js'
import { Expressions } from '../../src/compute/expressions/expressions.js'
import { type Query, readQuery } from '../../src/contract/query.js'
import { isRefusal } from '../../src/contract/refusals.js'
import { CandleChannel } from '../../src/markets/exchanges/channel.js'
import type { FetchOptions, Source } from '../../src/markets/exchanges/source.js'
import { runCommand } from '../support/command-line.js'
import { fetchDocumented } from '../support/documented.js'
import { calculator, entryOf } from '../support/kernel.js'
import {
  expectRows,
  type JsonFields,
  jsonFieldsOf,
  meanRangeOf,
  part,
  type RandomQuery,
  type Rows,
  randomQueries,
  textFieldsOf,
  within,
} from '../support/random-queries.js'
import { realShaped } from '../support/real-shaped-market.js'
import { StreamingClient } from '../support/streaming-client.js'
import { midnight, startTestService, type TestService } from '../support/test-service.js'

// `npm run test:fuzz` sets these; `npm test` runs a few cases of the seed that is written here.
const seed = Number(process.env.FUZZ_SEED ?? 20_261_126)
const cases = Math.ceil(Number(process.env.FUZZ_CASES ?? 300) / 50)
const timeLimit = Math.max(30_000, 1000 * cases)

const allTimeframes = Object.keys(timeframes) as Timeframe[]
/** Minutes by which the clock advances after all cases have been requested. */
const passedMinutes = 40
const shaped = realShaped(900, 5)
const meanRange = meanRangeOf(shaped)

/**
 * Number of closed candles per market when the service starts. One market has more than the service fetches by itself;
 * memory holds all candles of the other.
 */
const closedAtStart = { BTCUSDT: 700, NEWUSDT: 90 }
type Symbol = keyof typeof closedAtStart

/** An exchange with two markets, of which the candles of each timeframe are known. Some of each hundred are missing. */
class KnownExchange implements Source {
  readonly #histories = new Map<string, readonly Candle[]>()
  readonly #watches = new Set<readonly [Symbol, Timeframe, CandleChannel]>()
  clock = () => midnight

  symbols(): readonly Symbol[] {
    return Object.keys(closedAtStart) as Symbol[]
  }

  /** All candles of a market that have opened by a time, the last of which is forming. */
  history(symbol: Symbol, timeframe: Timeframe, time = this.clock()): readonly Candle[] {
    const key = `${symbol} ${timeframe}`
    const known = this.#histories.get(key) ?? candlesOf(timeframe, closedAtStart[symbol])
    this.#histories.set(key, known)
    return known.filter(({ timestamp }) => timestamp <= time)
  }

  candles(symbol: Symbol, timeframe: Timeframe, count: number, { until = Infinity }: FetchOptions = {}) {
    return this.history(symbol, timeframe)
      .filter(({ timestamp }) => timestamp < until)
      .slice(-count)
  }

  watch(symbol: Symbol, timeframe: Timeframe, signal: AbortSignal): CandleChannel {
    const channel = new CandleChannel()
    const watch = [symbol, timeframe, channel] as const
    this.#watches.add(watch)
    channel.endWith(signal, () => this.#watches.delete(watch))
    return channel
  }

  /** Sends the forming candle and the previous one to all watchers. */
  emit(): void {
    for (const [symbol, timeframe, channel] of this.#watches)
      channel.push(this.history(symbol, timeframe).slice(-2))
  }
}

/** `closed` closed candles before midnight, and the candles that open later. */
function candlesOf(timeframe: Timeframe, closed: number): readonly Candle[] {
  const opens: number[] = []
  for (let open = openOf(timeframe, midnight); opens.length < closed; ) {
    open = openOf(timeframe, open - 1)
    opens.unshift(open)
  }
  // Times before 1970 are none of a request.
  while ((opens[0] as number) < 0) opens.shift()
  while (opens.length < closed + passedMinutes + 2) opens.push(endOf(timeframe, opens.at(-1) as number))
  return opens.flatMap((timestamp, i) => {
    const isMissing = timestamp < midnight && i % 97 > 93
    const prices = Object.fromEntries(columnNames.map(name => [name, shaped[name][i] as number]))
    return isMissing ? [] : [{ ...prices, timestamp } as unknown as Candle]
  })
}

function snapshotOf(candles: readonly Candle[]): Snapshot {
  const columns = new Columns(candles.length)
  for (const [at, candle] of candles.entries()) columns.write(at, candle)
  return { columns, closed: candles.length - 1, forming: candles.at(-1), count: candles.length }
}

interface Case extends RandomQuery {
  readonly symbol: Symbol
  readonly timeframe: Timeframe
  /** Start and end of each range, as shares of the history. */
  readonly ranges: readonly (readonly [number, number])[]
  /** Missing bound of the first range. The range then begins or ends with the history. */
  readonly missing: 'from' | 'to' | undefined
}
const cased = fc.record<Case>({
  ...randomQueries,
  symbol: fc.constantFrom('BTCUSDT', 'BTCUSDT', 'NEWUSDT'),
  timeframe: fc.constantFrom(...allTimeframes),
  ranges: fc.array(fc.tuple(part, part), { minLength: 1, maxLength: 3 }),
  missing: fc.constantFrom('from', 'to', undefined),
})

/** The ends of a time that are given. */
const endsOf = ([from, to]: readonly [number, number]): { from?: number; to?: number } => ({
  ...(Number.isFinite(from) && { from }),
  ...(Number.isFinite(to) && { to }),
})

const expressions = new Expressions()

function read({ name, timeframe }: Case, given: JsonFields): Query {
  const fields = new Map(Object.entries({ ...given, results: 100_000 }))
  const query =
    name === 'expression'
      ? expressions.readQuery(fields, 'json', [], timeframe)
      : readQuery(entryOf(name), fields, 'json')
  if (isRefusal(query)) throw new Error(query.error)
  return query
}

// biome-ignore lint/suspicious/noExplicitAny: replies of any indicator
type Values = any

/** The values of a calculation whose candles, or bars, open from one time to another one. */
function cut(values: Values, from: number, to: number): Values {
  const kept = values.timestamp.map((time: number) => time >= from && time <= to)
  const columns = Object.entries(values) as [string, unknown[]][]
  return Object.fromEntries(
    columns.map(([name, column]) => [name, column.filter((_, i) => kept[i])] as const),
  )
}

/** The values of all outputs, each once. */
const valuesIn = ({ timestamp, ...columns }: Values): unknown[] => [...new Set(Object.values(columns).flat())]

/** A reply that later candles must not change, and the file of candles that must have its values. */
interface Answered {
  readonly drawn: Case
  readonly query: Query
  readonly given: JsonFields
  readonly range: readonly [number, number]
  readonly path: string
  readonly text: string
}

describe('random times over HTTP', () => {
  const exchange = new KnownExchange()
  const answered: Answered[] = []
  let dataDirectory: string
  let service: TestService
  let now = midnight
  beforeAll(async () => {
    exchange.clock = () => now
    dataDirectory = mkdtempSync(join(tmpdir(), 'candela-ranges-'))
    service = await startTestService({ historyDepth: 150, dataDirectory }, { binance: exchange })
  })
  afterAll(() => rmSync(dataDirectory, { recursive: true, force: true }))

  async function ask(path: string, body?: unknown) {
    const headers = { authorization: 'Bearer many', prefer: 'wait=10', 'content-type': 'application/json' }
    const request = body ? { method: 'POST', body: JSON.stringify(body) } : {}
    const response = await fetchDocumented(service.url, path, { headers, ...request })
    return { status: response.status, text: await response.text() }
  }

  /** Series all of whose candles have been fetched, as by a first question from the beginning on. */
  const fetched = new Set<string>()
  async function fetchAll({ symbol, timeframe }: Case, from: number): Promise<void> {
    const market = `exchange=binance&symbol=${symbol}&timeframe=${timeframe}`
    if (fetched.has(market)) return
    fetched.add(market)
    const { status, text } = await ask(`/candles?${market}&from=${from}`)
    expect(status, text).toBe(200)
    const { length } = exchange.history(symbol, timeframe)
    expect(JSON.parse(text)).toHaveLength(length)
  }

  const pathOf = (drawn: Case, given: JsonFields, range: readonly [number, number]) => {
    const { name, symbol, timeframe } = drawn
    const fields = { exchange: 'binance', symbol, timeframe, ...endsOf(range), ...given }
    const texts = Object.entries(fields).map(([field, value]) => [field, String(value)])
    const route = name === 'expression' ? '/expression' : `/indicator/${name}`
    return `${route}?${new URLSearchParams(texts)}`
  }

  it(
    'have the values of one calculation over all candles, cut, also in a bulk request',
    async () => {
      let values = 0
      await fc.assert(
        fc.asyncProperty(fc.noBias(cased), async drawn => {
          const { name, symbol, timeframe } = drawn
          const candles = exchange.history(symbol, timeframe)
          await fetchAll(drawn, candles[0]?.timestamp as number)
          const given = jsonFieldsOf(drawn, timeframe, meanRange)
          const query = read(drawn, given)
          const all = answer(calculator, query, barsOf(query.chart, [snapshotOf(candles)]))
          const timeOf = (place: number) => candles[Math.floor(place * (candles.length - 1))]?.timestamp
          const ranges = drawn.ranges.map((places, at): [number, number] => {
            const [from = 0, to = 0] = places.map(timeOf).sort((a = 0, b = 0) => a - b)
            const missing = at === 0 ? drawn.missing : undefined
            return [
              missing === 'from' ? Number.NEGATIVE_INFINITY : from,
              missing === 'to' ? Number.POSITIVE_INFINITY : to,
            ]
          })
          const items = ranges.map((range, at) => ({
            ...{ id: String(at), indicator: name },
            ...given,
            ...endsOf(range),
          }))
          const place = { exchange: 'binance', symbol, timeframe }
          const bulk = await ask('/bulk', { constructs: [{ id: 'x', ...place, indicators: items }] })
          for (const [at, range] of ranges.entries()) {
            const path = pathOf(drawn, given, range)
            const { status, text } = await ask(path)
            const expected = isRefusal(all) ? undefined : cut(JSON.parse(all), ...range)
            const found = JSON.parse(text)
            if (!expected || expected.timestamp.length === 0) {
              expect([status, found], path).toEqual([400, { error: expect.any(String) }])
              continue
            }
            // A range that ends before the first value is refused, instead of answered with nulls only. This is the case with
            // `settled`, and for expressions with longer timeframes, whose warm-up has no fixed number of candles.
            if (status === 400) {
              const [, needed, available] = /needs (\d+)[^,]*, (\d+) available/.exec(found.error) ?? []
              expect(Number(available), found.error).toBeLessThan(Number(needed))
              if (query.settled) expect(found.error, path).toContain('for 4 settled digits')
              expect(valuesIn(expected), path).toEqual([null])
              continue
            }
            expect(found, path).toEqual(expected)
            expect(JSON.parse(bulk.text).x[at], path).toEqual(expected)
            values += expected.timestamp.length
            answered.push({ drawn, query, given, range, path, text })
          }
        }),
        { seed, numRuns: cases },
      )
      expect(values).toBeGreaterThan(20 * cases)
    },
    timeLimit,
  )

  it(
    'are those of a stream, and keep their values when later candles arrive',
    async () => {
      const market = { exchange: 'binance', symbol: 'NEWUSDT', interval: '1m' }
      const followed: (Answered & { readonly client: StreamingClient })[] = []
      for (const asked of answered.slice(0, 200)) {
        const { chart, settled, ...params } = asked.given
        const client = await StreamingClient.connect(service.url, 'many')
        const query = { indicator: asked.drawn.name, params, chart, settled, candleClose: true }
        client.send({ type: 'subscribe', id: 'a', ...market, ...query })
        await client.settled()
        followed.push({ ...asked, client })
      }
      for (let minute = 0; minute < passedMinutes; minute++) {
        now += 60
        service.pass(60)
        exchange.emit()
        await followed[0]?.client.settled()
      }
      let compared = 0
      for (const { client, drawn, given, query } of followed) {
        const minutes = { ...drawn, symbol: 'NEWUSDT', timeframe: '1m' } as const
        const { text, status } = await ask(pathOf(minutes, given, [midnight, now - 60]))
        // A subscription is refused for which there are too few candles when it is made.
        const isRefused = client.texts.some(each => each.includes('"error":"Not enough candles'))
        if (status === 200 && !isRefused) {
          const values = JSON.parse(text)
          const updates = () =>
            client.texts.map(each => JSON.parse(each)).filter(({ type }) => type === 'update')
          const rows = (): Rows => updates().map(({ data }) => data)
          const last = values.timestamp.at(-1)
          await expect
            .poll(() => rows().at(-1)?.timestamp, { message: `${drawn.name} ${JSON.stringify(given)}` })
            .toBe(last)
          expectRows(within(rows(), midnight, now), query.indicator, values, values.timestamp.length)
          compared++
        }
        await client.close()
      }
      expect(compared).toBeGreaterThan(followed.length / 3)
      for (const { path, range, drawn, text } of answered) {
        const forming = exchange.history(drawn.symbol, drawn.timeframe, midnight).at(-1)?.timestamp as number
        if (range[1] < forming) expect((await ask(path)).text, path).toBe(text)
      }
    },
    timeLimit,
  )

  it(
    'are those of `candela compute` over the candles that `candela export` writes',
    async () => {
      await service.close()
      const environment = { DATA_DIR: dataDirectory }
      const files = new Map<string, string>()
      for (const { drawn, query, range, text } of answered) {
        const { name, symbol, timeframe } = drawn
        const market = ['binance', symbol, timeframe]
        const file = join(dataDirectory, `${market.join('-')}.csv`)
        if (!files.has(file)) {
          files.set(file, file)
          expect((await runCommand(['export', ...market, '--out', file], environment)).code).toBe(0)
        }
        const fields = textFieldsOf(drawn, timeframe, meanRange)
        const options = Object.entries(fields).flatMap(([field, value]) => [`--${field}`, value])
        const what = name === 'expression' ? [file] : [name, file]
        const outcome = await runCommand(['compute', ...what, ...options, '--output', 'ndjson'], environment)
        expect(outcome.code, outcome.err).toBe(0)
        const rows: Rows = outcome.out
          .trimEnd()
          .split('\n')
          .map(line => JSON.parse(line))
        const values = JSON.parse(text)
        const forming = exchange.history(symbol, timeframe, midnight).at(-1)?.timestamp as number
        const closed = values.timestamp.filter((time: number) => time < forming).length
        const rest = within(rows, range[0], Math.min(range[1], forming - 1))
        expectRows(rest, query.indicator, values, closed)
      }
    },
    timeLimit,
  )
})
