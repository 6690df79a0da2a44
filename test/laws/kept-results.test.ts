import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import type { Candle } from '../../src/candles/candle.js'
import type { Snapshot } from '../../src/candles/columns.js'
import { Series } from '../../src/candles/series.js'
import { catalogue, type Entry } from '../../src/catalogue/index.js'
import { answer } from '../../src/compute/answer.js'
import { Calculator } from '../../src/compute/kernels/calculator.js'
import { LiveCalculation } from '../../src/compute/results/live-calculation.js'
import { ResultCache } from '../../src/compute/results/result-cache.js'
import type { IndicatorSpec, Query } from '../../src/contract/query.js'
import { markets, patternMarkets } from '../support/laws/market.js'
import { longFor, settings } from '../support/laws/settings.js'

const minute = 60
const length = 4_000
/** Two markets to draw candles from. One of them has a shape for every pattern. */
const sources = [markets.walk, patternMarkets[3] ?? markets.walk].map(market => market.columns(length))

/** Each part calculates with its own instance, as in the service. */
const whole = new Calculator()
const rest = new Calculator()
const streaming = new Calculator()

/** Small enough that calculations are dropped in the course of a run. */
const maxBytes = 30_000
const seen = { runs: 0, hits: 0, misses: 0 }

type Step =
  | { readonly kind: 'close'; readonly count: number }
  | { readonly kind: 'move'; readonly share: number }
  | { readonly kind: 'correct'; readonly back: number }
  | { readonly kind: 'take back' }
  | { readonly kind: 'begin anew' }
  | {
      readonly kind: 'ask'
      readonly spec: number
      readonly results: number
      readonly backtrack: number
      readonly isOld: boolean
      readonly isClosedOnly: boolean
    }
  | { readonly kind: 'update' }

const ask = fc.record({
  kind: fc.constant('ask' as const),
  spec: fc.integer({ min: 0, max: 4 }).map(n => (n === 4 ? 1 : 0)),
  results: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 60 }), fc.constant(Infinity)),
  backtrack: fc.oneof(fc.constant(0), fc.nat(3), fc.nat(40)),
  isOld: fc.integer({ min: 0, max: 3 }).map(n => n === 0),
  isClosedOnly: fc.integer({ min: 0, max: 3 }).map(n => n === 0),
})
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: ask },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('close' as const),
      count: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 40 })),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('move' as const),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('correct' as const), back: fc.integer({ min: 1, max: 50 }) }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'take back' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'begin anew' as const }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'update' as const }) },
)

/** A series that changes in all ways in which a series of the service can change. */
class ChangingMarket {
  #series: Series
  readonly #source: (typeof sources)[number]
  readonly #depth: number
  /** The candle that is forming. */
  #at: number
  older: Snapshot

  constructor(source: (typeof sources)[number], depth: number) {
    this.#source = source
    this.#depth = depth
    // The oldest candles are dropped soon.
    this.#at = Math.ceil(depth * 1.25) - 20
    this.#series = this.#filled()
    this.older = this.snapshot()
  }

  snapshot(): Snapshot {
    return this.#series.snapshot()
  }

  change(change: Step): void {
    this.older = this.snapshot()
    const now = this.#at * minute
    if (change.kind === 'close') {
      const from = this.#at
      this.#at = Math.min(length - 1, this.#at + change.count)
      const candles = Array.from({ length: this.#at - from + 1 }, (_, i) => this.#candle(from + i))
      this.#series.merge(candles, this.#at * minute)
    }
    if (change.kind === 'move') this.#series.amend(this.#moved(change.share))
    if (change.kind === 'correct') {
      const shown = Array.from({ length: change.back + 1 }, (_, i) =>
        this.#candle(this.#at - change.back + i),
      )
      this.#series.merge(
        [{ ...(shown[0] as Candle), close: (shown[0] as Candle).low }, ...shown.slice(1)],
        now,
      )
    }
    // The clock was set back: the newest candle never was.
    if (change.kind === 'take back' && this.#at > this.#depth) {
      this.#at--
      this.#series.merge([this.#candle(this.#at - 1), this.#candle(this.#at)], this.#at * minute)
    }
    if (change.kind === 'begin anew') this.#series = this.#filled()
  }

  #filled(): Series {
    const series = new Series('1m', this.#depth)
    const from = Math.max(0, this.#at - Math.floor(this.#depth * 1.2))
    for (let i = from; i < this.#at; i++) series.append(this.#candle(i))
    series.amend(this.#candle(this.#at))
    return series
  }

  #candle(i: number): Candle {
    const { open, high, low, close, volume } = this.#source
    const at = (column: Float64Array) => column[i] as number
    return {
      timestamp: i * minute,
      open: at(open),
      high: at(high),
      low: at(low),
      close: at(close),
      volume: at(volume),
    }
  }

  #moved(share: number): Candle {
    const candle = this.#candle(this.#at)
    const close = candle.low + (candle.high - candle.low) * share
    return { ...candle, close, volume: candle.volume * share }
  }
}

/** Takes the steps, and compares each answer and each update with a computation from the first candle on. */
function expectAgreement(
  specs: readonly IndicatorSpec[],
  market: ChangingMarket,
  steps: readonly Step[],
): void {
  const cache = new ResultCache(maxBytes)
  const topic = new LiveCalculation(streaming, specs[0] as IndicatorSpec, cache)
  topic.advance([market.snapshot()])
  for (const each of steps) {
    if (each.kind === 'ask') {
      const now = each.isOld ? market.older : market.snapshot()
      const snapshot = each.isClosedOnly ? { ...now, forming: undefined, count: now.closed } : now
      const query: Query = {
        ...(specs[each.spec] as IndicatorSpec),
        results: each.results,
        backtrack: each.backtrack,
      }
      expect(answer(rest, query, [snapshot], cache)).toEqual(answer(whole, query, [snapshot]))
    } else if (each.kind === 'update') {
      const snapshot = market.snapshot()
      const { forming } = topic.advance([snapshot])
      expect(forming).toBe(new LiveCalculation(whole, specs[0] as IndicatorSpec).advance([snapshot]).forming)
      expect(topic.closed).toBe(closedValue(specs[0] as IndicatorSpec, snapshot))
    } else market.change(each)
    expect(cache.bytes).toBeLessThanOrEqual(maxBytes)
  }
  topic.close()
  seen.hits += cache.hits
  seen.misses += cache.misses
}

function closedValue(spec: IndicatorSpec, snapshot: Snapshot): string | undefined {
  const alone = new LiveCalculation(whole, spec)
  alone.advance([snapshot])
  return alone.closed
}

const specOf = (indicator: Entry, at: number): IndicatorSpec => {
  const all = settings(indicator).filter(({ lookback }) => lookback <= 400)
  const { values } = (all[at % all.length] ?? settings(indicator)[0]) as (typeof all)[number]
  return {
    indicator,
    params: values,
    ...(at > 0 && indicator.sources > 0 ? { source: 'hlc3' as const } : {}),
  }
}

describe.each([...catalogue.values()])('kept results of $name', indicator => {
  it(
    'are those of a computation from the first candle on, whatever happens to the candles',
    longFor(indicator),
    () => {
      seen.runs++
      const specs = [specOf(indicator, 0), specOf(indicator, 1)]
      const depth = 60 + Math.max(...specs.map(({ params }) => indicator.warmup(params)))
      fc.assert(
        fc.property(
          fc.nat(1),
          fc.array(step, { minLength: 40, maxLength: 80, size: 'max' }),
          (source, steps) => {
            expectAgreement(
              specs,
              new ChangingMarket(sources[source] as (typeof sources)[number], depth),
              steps,
            )
          },
        ),
        { numRuns: 3, seed: 11 },
      )
    },
  )
})

afterAll(() => {
  // A run in which nothing is kept would show nothing.
  expect(seen.hits).toBeGreaterThan(2 * seen.runs)
  expect(seen.misses).toBeGreaterThan(2 * seen.runs)
})
