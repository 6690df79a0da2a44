import { describe, expect, it } from 'vitest'
import type { Candle } from '../../src/candles/candle.js'
import { Columns, type Snapshot } from '../../src/candles/columns.js'
import { catalogue, type Entry, type SourceName, type Values } from '../../src/catalogue/index.js'
import { answer } from '../../src/compute/answer.js'
import { Calculator } from '../../src/compute/kernels/calculator.js'
import { LiveCalculation } from '../../src/compute/results/live-calculation.js'
import { type Market, markets, patternMarkets } from '../support/laws/market.js'
import { fewCandles, longFor, type Setting, settings } from '../support/laws/settings.js'

interface IndicatorSpec {
  readonly indicator: Entry
  readonly params: Values
  readonly source?: SourceName
  readonly source2?: SourceName
}

const entries = [...catalogue.values()]
const patterned = patternMarkets[3] as Market
const names = ['timestamp', 'open', 'high', 'low', 'close', 'volume'] as const

/** Steps and answers are calculated apart, as in the service. */
const stepping = new Calculator()
const batch = new Calculator()

const shared = new Map<string, Columns>()
/** The first `length` candles of a market. */
function columnsOf(market: Market, length: number): Columns {
  const key = `${market.name} ${length}`
  let columns = shared.get(key)
  if (!columns) {
    columns = new Columns(length)
    const generated = market.columns(length)
    for (const name of names) columns[name].set(generated[name])
    shared.set(key, columns)
  }
  return columns
}

const at = (columns: Columns, closed: number, forming?: Candle): Snapshot => ({
  columns,
  closed,
  forming,
  count: closed + (forming ? 1 : 0),
})

/** Candle `i` as it may look before it closes. */
function halfway(columns: Columns, i: number): Candle {
  const candle = columns.read(i)
  const close = (candle.open + candle.close) / 2
  return { ...candle, close, high: Math.max(candle.open, close), volume: candle.volume / 3 }
}

/** REST answer with `results=max`, as one JSON object per candle in the form of updates. */
function values(spec: IndicatorSpec, snapshot: Snapshot, results = Number.POSITIVE_INFINITY): string[] {
  const text = answer(batch, { ...spec, results, backtrack: 0 }, [snapshot])
  if (typeof text !== 'string') return []
  const arrays = JSON.parse(text) as Record<string, unknown[]>
  const { outputs, name } = spec.indicator
  const spelled = outputs.map(
    output => [outputs.length === 1 ? name : output.name, arrays[output.name]] as const,
  )
  return (arrays.timestamp as number[]).map((timestamp, i) =>
    JSON.stringify(
      Object.fromEntries([...spelled.map(([key, list]) => [key, list?.[i]]), ['timestamp', timestamp]]),
    ),
  )
}

/** Steps through `columns` candle by candle, with previews between, and compares every text with that of REST. */
function expectAgreement(spec: IndicatorSpec, columns: Columns, length: number, places: string): void {
  const { indicator, params } = spec
  const warmup = indicator.warmup(params)
  const stream = new LiveCalculation(stepping, spec)
  stream.advance([at(columns, 0)])
  const updates: string[] = []
  for (let i = 0; i < length; i++) {
    const forming = halfway(columns, i)
    const moves = stream.advance([at(columns, i, forming)])
    updates.push(...moves.closed)
    if (i % 41 === 7 || i === warmup) {
      const snapshot = at(columns, i, forming)
      const [expected] = values(spec, snapshot, 1)
      expect(moves.forming, `${places}: the preview of candle ${i}`).toBe(expected)
      expect(stream.forming ?? stream.closed, `${places}: what is current at candle ${i}`).toBe(expected)
    }
    // A run of several candles now and then, as after a gap.
    if (i % 53 === 5) i += Math.min(3, length - 1 - i)
  }
  updates.push(...stream.advance([at(columns, length)]).closed)
  const expected = values(spec, at(columns, length))
  // `results=max` begins with the first candle that has a value; updates with the first after the warm-up.
  const expectedCount = Math.max(0, length - warmup)
  expect(updates.length, `${places}: updates`).toBe(expectedCount)
  const withValue = updates.slice(updates.length - expected.length)
  const differing = withValue.findIndex((text, i) => text !== expected[i])
  if (differing >= 0) expect(withValue[differing], `${places}: update ${differing}`).toBe(expected[differing])
  const outputs =
    indicator.outputs.length === 1 ? [indicator.name] : indicator.outputs.map(({ name }) => name)
  for (const text of updates.slice(0, updates.length - expected.length)) {
    const data = JSON.parse(text)
    expect(
      outputs.map(name => data[name]),
      `${places}: before the first value`,
    ).toEqual(outputs.map(() => null))
  }
}

describe.each(entries)('a stream of $name', indicator => {
  const [standard] = settings(indicator) as [Setting]
  it('sends what REST answers, candle by candle', () => {
    const { values: params, length } = fewCandles(indicator)
    expectAgreement({ indicator, params }, columnsOf(patterned, length), length, 'the defaults')
  })

  it('sends what REST answers with every kind of parameters', longFor(indicator), () => {
    for (const [k, { values: params, length }] of settings(indicator).entries()) {
      // Kernels are checked with all parameters on all markets by the laws; here it is how they are stepped.
      const all = [markets.walk, markets.gapped, patterned]
      for (const market of k === 0 ? all : [all[k % all.length] as Market]) {
        expectAgreement(
          { indicator, params },
          columnsOf(market, length),
          length,
          `${JSON.stringify(params)} on ${market.name}`,
        )
      }
    }
  })

  if (indicator.sources === 0) return
  it('sends what REST answers with other sources', longFor(indicator), () => {
    const { values: params, length } = standard
    for (const source of ['volume', 'hl2', 'hlc3', 'ohlc4'] as const) {
      const spec: IndicatorSpec =
        indicator.sources === 2
          ? { indicator, params, source, source2: 'hl2' }
          : { indicator, params, source }
      expectAgreement(spec, columnsOf(markets.walk, length), length, `source ${source}`)
    }
  })
})
