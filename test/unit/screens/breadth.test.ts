import { describe, expect, it, vi } from 'vitest'
import { createRandom } from '../../../bench/random.js'
import type { Candle } from '../../../src/candles/candle.js'
import { Columns, type Snapshot } from '../../../src/candles/columns.js'
import { Expressions } from '../../../src/compute/expressions/expressions.js'
import { Calculator } from '../../../src/compute/kernels/calculator.js'
import { ResultCache } from '../../../src/compute/results/result-cache.js'
import { readObject } from '../../../src/contract/fields.js'
import type { Market } from '../../../src/contract/market.js'
import { isRefusal, type Refusal } from '../../../src/contract/refusals.js'
import type { Reading } from '../../../src/markets/history/reading.js'
import { candlesOfStep } from '../../../src/screens/breadth/breadth-series.js'
import { Breadths } from '../../../src/screens/breadth/breadths.js'
import { type BreadthRequest, readBreadth } from '../../../src/screens/breadth/request.js'
import type { Scan } from '../../../src/screens/scan.js'
import { createExecutor } from '../../support/executor.js'
import { randomCandles, seconds, snapshotOf } from '../../support/expressions/random-candles.js'
import { flatCandle } from '../../support/flat-candle.js'

type Series = readonly (number | null)[]
interface Answer {
  readonly timestamp: readonly number[]
  readonly measures: Readonly<Record<string, { readonly value: Series; readonly markets: readonly number[] }>>
  readonly forming: boolean
  readonly screened: number
  readonly failed: readonly { readonly symbol: string; readonly error: string }[]
}

const calculator = new Calculator()

function requestOf(measures: Readonly<Record<string, string>>, more: object = {}): BreadthRequest | Refusal {
  const fields = readObject({ exchange: 'demo', timeframe: '15m', results: 'max', measures, ...more })
  return isRefusal(fields) ? fields : readBreadth(fields, new Expressions())
}

function accepted(measures: Readonly<Record<string, string>>, more: object = {}): BreadthRequest {
  const request = requestOf(measures, more)
  return isRefusal(request) ? expect.fail(request.error) : request
}

/** Breadths over markets whose snapshots are read from a map. */
function over(snapshots: ReadonlyMap<string, Snapshot>) {
  const breadths = new Breadths({
    marketData: {
      isComputed: () => false,
      refuseOld: (reading: Reading) => reading,
      recall: ({ symbol }: Market) => {
        const snapshot = snapshots.get(symbol)
        return snapshot && { kind: 'candles', inputs: [snapshot], stale: false }
      },
    } as never,
    exchanges: {} as never,
    executor: createExecutor({ calculator, resultCache: new ResultCache(10_000_000) }),
    clock: () => 0,
  })
  const markets = [...snapshots.keys()].map(
    symbol => ({ exchange: 'demo', symbol, timeframe: '15m' }) as const,
  )
  const scan = { markets, refusals: new Map() } as unknown as Scan
  return {
    breadths,
    scan,
    answer: async (request: BreadthRequest): Promise<Answer> => {
      const answer = await breadths.answer(request, scan, 'a')
      return isRefusal(answer) ? expect.fail(answer.error) : JSON.parse(answer.text)
    },
  }
}

const snapshotsOf = (markets: readonly (readonly Candle[])[], isForming = false) =>
  new Map(markets.map((candles, k) => [`M${k}`, snapshotOf(candles, isForming)]))

/** Flat candles with these closes from a common time on, each with a volume of 1, or of its own. */
const closesOf = (closes: readonly number[], volume = 1): readonly Candle[] =>
  closes.map((close, k) => ({ ...flatCandle(k * 15, close), volume }))

/** Values of all markets per time. Leaves out a market without a value at that time. */
function byTime(
  markets: readonly (readonly Candle[])[],
  valueAt: (candles: readonly Candle[], i: number) => number | undefined,
) {
  const times = [...new Set(markets.flatMap(candles => candles.map(({ timestamp }) => timestamp)))].sort(
    (a, b) => a - b,
  )
  return times.map(time => ({
    time,
    values: markets.flatMap(candles => {
      const i = candles.findIndex(({ timestamp }) => timestamp === time)
      return (i < 0 ? undefined : valueAt(candles, i)) ?? []
    }),
  }))
}

const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0)
const change = (candles: readonly Candle[], i: number) =>
  i === 0 ? undefined : Math.sign((candles[i] as Candle).close - (candles[i - 1] as Candle).close)

/** An exponential average that begins with the mean of its first values, as the EMA of the service does. */
function averageOf(values: Series, period: number): Series {
  const start = values.findIndex(value => value !== null)
  let average = sum(values.slice(start, start + period) as readonly number[]) / period
  return values.map((value, i) => {
    if (i < start + period - 1) return null
    if (i >= start + period) average += (2 / (period + 1)) * ((value as number) - average)
    return average
  })
}

const subtract = (a: Series, b: Series): Series =>
  a.map((value, i) => (value === null || b[i] === null ? null : value - (b[i] as number)))

function expectClose(found: Series | undefined, wanted: Series): void {
  expect(found?.map(value => value === null)).toEqual(wanted.map(value => value === null))
  for (const [i, value] of wanted.entries())
    if (value !== null) expect(found?.[i], `value ${i}`).toBeCloseTo(value, 9)
}

describe('breadth', () => {
  const random = createRandom(5)
  const markets = Array.from({ length: 9 }, () => randomCandles(90, random))

  it('equals a plain reference over markets with gaps', async () => {
    const { timestamp, measures, screened, failed } = await over(snapshotsOf(markets)).answer(
      accepted({
        above: 'breadth(close > sma(5))',
        rising: 'count(close > close[1])',
        traded: 'total(volume)',
        smooth: 'sma(breadth(close > sma(5)), 3)',
        advancedecline: 'advancedecline',
        mcclellan: 'mcclellan',
        highslows: 'highslows(10)',
      }),
    )
    expect([screened, failed]).toEqual([9, []])
    const above = byTime(markets, (candles, i) => {
      if (i < 4) return undefined
      const average = sum(candles.slice(i - 4, i + 1).map(({ close }) => close)) / 5
      return Number((candles[i] as Candle).close > average)
    })
    expect(timestamp).toEqual(above.map(({ time }) => time))
    const share = above.map(({ values }) => (values.length === 0 ? null : sum(values) / values.length))
    expectClose(measures.above?.value, share)
    expect(measures.above?.markets).toEqual(above.map(({ values }) => values.length))
    expectClose(
      measures.smooth?.value,
      share.map((_, i) => {
        const last = share.slice(Math.max(0, i - 2), i + 1)
        return last.length < 3 || last.includes(null) ? null : sum(last as readonly number[]) / 3
      }),
    )
    const changes = byTime(markets, change)
    const countOf = (sign: number) =>
      changes.map(({ values }) => (values.length === 0 ? null : values.filter(each => each === sign).length))
    expect(measures.rising?.value).toEqual(countOf(1))
    expectClose(
      measures.traded?.value,
      byTime(markets, (candles, i) => candles[i]?.volume).map(({ values }) => sum(values)),
    )
    const net = subtract(countOf(1), countOf(-1))
    let line = 0
    expect(measures.advancedecline?.value).toEqual(
      net.map(value => {
        line += value ?? 0
        return value === null ? null : line
      }),
    )
    expectClose(measures.mcclellan?.value, subtract(averageOf(net, 19), averageOf(net, 39)))
    const extremes = byTime(markets, (candles, i) => {
      if (i < 10) return undefined
      const before = candles.slice(i - 10, i)
      const { high, low } = candles[i] as Candle
      return (
        Number(high > Math.max(...before.map(each => each.high))) -
        Number(low < Math.min(...before.map(each => each.low)))
      )
    })
    expectClose(
      measures.highslows?.value,
      extremes.map(({ values }) => (values.length === 0 ? null : sum(values))),
    )
  })

  it('has the McClellan oscillator and summation index of a calculation by hand', async () => {
    // 11 of 21 markets advance and 10 decline 39 times, then all advance: net advances are 1, then 21.
    const closes = (step: number) => [...Array.from({ length: 40 }, (_, k) => 100 + step * k)]
    const markets21 = Array.from({ length: 21 }, (_, k) => {
      const before = closes(k < 11 ? 1 : -1)
      return closesOf([...before, (before[39] as number) + 1])
    })
    const { measures } = await over(snapshotsOf(markets21)).answer(
      accepted(
        {
          ...{ a: 'mcclellan', b: 'mcclellansummation', c: 'ratiomcclellan', d: 'ratiomcclellansummation' },
          e: 'netadvances',
        },
        { results: 2 },
      ),
    )
    // Both averages are 1; then 1 + 20 / 10 = 3 and 1 + 20 / 20 = 2.
    expectClose(measures.a?.value, [0, 1])
    expectClose(measures.b?.value, [1000 + 19 - 9, 1000 + 19 * 2 - 9 * 3])
    // Of 1,000 markets 1,000 / 21, then 1,000 more than that by 1,000 × 20 / 21.
    expectClose(measures.c?.value, [0, (1000 * 20) / 21 / 20])
    expectClose(measures.d?.value, [10_000 / 21, (1000 * (19 * 2 - 9 * 3)) / 21])
    expect(measures.e).toEqual({ markets: [21, 21], value: [1, 21] })
  })

  it('has the Arms index of a calculation by hand, which is undefined where nothing declines', async () => {
    // Two markets advance with a volume of 10 each, one declines with 40: (2 / 1) / (20 / 40) = 4.
    const { measures, forming } = await over(
      snapshotsOf([closesOf([1, 2, 3], 10), closesOf([1, 2, 3], 10), closesOf([3, 2, 3], 40)]),
    ).answer(accepted({ trin: 'trin' }))
    expect([measures.trin, forming]).toEqual([{ markets: [0, 3, 3], value: [null, 4, null] }, false])
  })

  it('counts a market from its first value on, and names those without candles', async () => {
    const snapshots = snapshotsOf([closesOf([1, 2, 3, 4]), closesOf([4, 3]), closesOf([])])
    const { breadths, scan } = over(snapshots)
    snapshots.delete('M1')
    const answer = await breadths.answer(accepted({ up: 'breadth(close > sma(3))' }), scan, 'a')
    expect(isRefusal(answer) ? answer : JSON.parse(answer.text)).toEqual({
      timestamp: [0, seconds, 2 * seconds, 3 * seconds],
      measures: { up: { markets: [0, 0, 1, 1], value: [null, null, 1, 1] } },
      forming: false,
      screened: 1,
      failed: [
        { symbol: 'M1', error: expect.stringContaining('HISTORY_BYTES') },
        { symbol: 'M2', error: expect.stringContaining('Not enough candles') },
      ],
    })
  })

  it('computes a market in a turn of its own, and fills its candles in in further ones, where they take long', async () => {
    const markets = [1, 2, 3].map(first => closesOf(Array.from({ length: 1_000 }, (_, k) => first + (k % 7))))
    let [now, turn] = [performance.now(), 0]
    const count = () => {
      turn++
      counting = setImmediate(count)
    }
    let counting = setImmediate(count)
    const computedIn: number[] = []
    const compute = calculator.compute.bind(calculator)
    vi.spyOn(calculator, 'compute').mockImplementation((...asked) => {
      computedIn.push(turn)
      return compute(...asked)
    })
    vi.spyOn(performance, 'now').mockImplementation(() => (now += 5))
    await over(snapshotsOf(markets)).answer(accepted({ up: 'advances' }))
    clearImmediate(counting)
    vi.restoreAllMocks()
    // A turn that began by this clock has ended when the next one begins.
    await new Promise(setImmediate)
    expect(computedIn.length, 'the markets, and the measure').toBe(4)
    const steps = 1_000 / candlesOfStep
    for (const [k, at] of computedIn.entries())
      expect(at - (computedIn[k - 1] ?? Number.NEGATIVE_INFINITY), `turns before ${k}`).toBeGreaterThan(steps)
  })

  it('gives the candles of a time', async () => {
    const all = over(snapshotsOf([closesOf([1, 2, 3, 4])]))
    const window = { from: seconds, to: 2 * seconds, results: undefined }
    const { timestamp, measures } = await all.answer(accepted({ up: 'advances' }, window))
    expect([timestamp, measures.up?.value]).toEqual([
      [seconds, 2 * seconds],
      [1, 1],
    ])
  })

  it('marks the forming candle, and a closed one until all markets have closed it or one has closed the next', async () => {
    const [a, b] = [closesOf([1, 2, 3, 4, 5]), closesOf([5, 4, 3, 2])]
    const formsAt = async (first: readonly Candle[], second: readonly Candle[], isForming: boolean) => {
      const snapshots = new Map([
        ['A', snapshotOf(first, isForming)],
        ['B', snapshotOf(second, true)],
      ])
      const { timestamp, forming } = await over(snapshots).answer(accepted({ up: 'count(close > 0)' }))
      return [(timestamp.at(-1) as number) / seconds, forming]
    }
    expect(await formsAt(a.slice(0, 3), b.slice(0, 3), true)).toEqual([2, true])
    // A has closed the third candle and shows the fourth; B shows the third as forming.
    expect(await formsAt(a.slice(0, 4), b.slice(0, 3), true)).toEqual([2, true])
    // A has closed the fourth one, too: that of B is over, and counts.
    expect(await formsAt(a.slice(0, 4), b.slice(0, 3), false)).toEqual([3, false])
    expect(await formsAt(a, b.slice(0, 3), true)).toEqual([4, true])
  })
})

describe('a live breadth', () => {
  const measures = {
    above: 'breadth(close > sma(5))',
    traded: 'total(if(close > close[1], volume, 0))',
    line: 'ema(advances - declines, 4)',
  }

  it('has the values of an answer at each moment, and changes no closed value', async () => {
    const random = createRandom(11)
    const candles = Array.from({ length: 6 }, () => randomCandles(45, random))
    const columns = candles.map(each => {
      const whole = new Columns(each.length)
      for (const [i, candle] of each.entries()) whole.write(i, candle)
      return whole
    })
    const shown = candles.map(() => 1)
    const snapshots = new Map<string, Snapshot>()
    // A market shows its newest candle as forming, with a part of its volume at first.
    const show = (k: number, share: number) => {
      const at = (shown[k] as number) - 1
      const candle = candles[k]?.[at] as Candle
      const forming = { ...candle, volume: candle.volume * share }
      snapshots.set(`M${k}`, { columns: columns[k] as Columns, closed: at, forming, count: at + 1 })
    }
    for (const k of candles.keys()) show(k, 1)
    const all = over(snapshots)
    const request = accepted(measures)
    const live = all.breadths.live(request, 'a')
    const rows = new Map<number, string>()
    let updates = 0
    const final = new Map<number, string>()
    const rowsOf = ({ timestamp, measures: found }: Answer) =>
      timestamp.map((time, i) => {
        const values = Object.values(found).map(({ value, markets }) => [value[i], markets[i]])
        return [time, JSON.stringify(values)] as const
      })
    const nextOpen = (k: number) => candles[k]?.[shown[k] as number]?.timestamp ?? Number.POSITIVE_INFINITY
    // The market whose next candle opens first shows a part of it, then all.
    let k = 0
    for (let step = 0; step < 800; step++) {
      if (step % 2 === 0) {
        k = [...candles.keys()].sort((a, b) => nextOpen(a) - nextOpen(b))[0] as number
        if (nextOpen(k) === Number.POSITIVE_INFINITY) break
        shown[k] = (shown[k] as number) + 1
      }
      show(k, step % 2 === 0 ? 0.5 : 1)
      const state = await live.next(all.scan)
      if (isRefusal(state)) return expect.fail(state.error)
      if (state) {
        updates += state.isWhole ? 0 : rowsOf(JSON.parse(`{${state.text}}`)).length
        for (const [time, row] of rowsOf(JSON.parse(`{${state.text}}`))) rows.set(time, row)
        state.sent()
      }
      const answer = await all.answer(request)
      const wanted = rowsOf(answer)
      expect([...rows].slice(-wanted.length)).toEqual(wanted)
      for (const [time, row] of answer.forming ? wanted.slice(0, -1) : wanted) {
        expect(final.get(time) ?? row, `the value at ${time}`).toBe(row)
        final.set(time, row)
      }
    }
    expect(final.size).toBeGreaterThan(38)
    // Most updates are the forming candle alone.
    expect(updates).toBeLessThan(1000)
    expect(await live.next(all.scan)).toBeUndefined()
  })

  it('gives all again where a candle is corrected, and what a slow client was not sent with the next change', async () => {
    const snapshots = snapshotsOf([closesOf([1, 2, 3, 4]), closesOf([4, 3, 2, 1])])
    const all = over(snapshots)
    const live = all.breadths.live(accepted({ up: 'advances' }), 'a')
    const next = async () => {
      const state = await live.next(all.scan)
      if (!state || isRefusal(state)) return expect.fail('nothing has changed')
      return { ...state, answer: JSON.parse(`{${state.text}}`) as Answer }
    }
    const first = await next()
    expect([first.isWhole, first.answer.measures.up?.value]).toEqual([true, [null, 1, 1, 1]])
    expect((await next()).isWhole).toBe(true)
    first.sent()
    expect(await live.next(all.scan)).toBeUndefined()
    snapshots.set('M1', snapshotOf(closesOf([4, 5, 2, 1])))
    const corrected = await next()
    expect([corrected.isWhole, corrected.answer.measures.up?.value]).toEqual([false, [null, 2, 1, 1]])
  })
})

describe('measures', () => {
  const refusalOf = (text: string) => {
    const request = requestOf({ x: text })
    return isRefusal(request) ? request.error : expect.fail('it was accepted')
  }

  it('are refused with the place of what is wrong', () => {
    expect(
      [
        'breadth(close > sma(200)) + close',
        'rsi(14)',
        'sma(5)',
        'ema(breadth(close > opn), 3)',
        'breadth(close)',
        'total(close > 1)',
        'count(close > 1, 2)',
        'mcclelan',
        'newhighs(0)',
        'mcclellan(3)',
        'advances > 3',
        'breadth(close > open)@1d',
        'advances{BTCUSDT}',
        'count(close > 1) + count(close > 2) + count(close > 3) + count(close > 4) + count(close > 5)',
        'advances +',
        ' ',
      ].map(refusalOf),
    ).toMatchInlineSnapshot(`
      [
        "x: Invalid expression at character 29: "close" is of a single market. Write it within breadth(…), count(…), total(…)",
        "x: Invalid expression at character 1: "rsi" is of a single market. Write it within breadth(…), count(…), total(…)",
        "x: Invalid expression at character 1: "sma" is of a single market. Write it within breadth(…), count(…), total(…)",
        "x: Invalid expression at character 21: unknown name "opn". Did you mean open? Nearest valid form: close > open",
        "x: breadth must be a condition, which is true or false: compare it, as in rsi(14) < 30",
        "x: total must be a number: write if(condition, 1, 0) for one",
        "x: Invalid expression at character 1: count takes one expression",
        "x: Invalid expression at character 1: unknown name "mcclelan". Did you mean mcclellan?",
        "x: Invalid expression at character 1: newhighs takes one integer of 1 to 500, a number of candles",
        "x: Invalid expression at character 1: mcclellan has no parameters",
        "x: x must be a number: write if(condition, 1, 0) for one",
        "x: Invalid expression at character 23: "@1d" is of a single market. Write it within breadth(…), count(…), total(…)",
        "x: Invalid expression at character 9: "{BTCUSDT}" is of a single market. Write it within breadth(…), count(…), total(…)",
        "x: A measure may have at most 4 different breadth, count, total",
        "x: Invalid expression at character 11: expected a value, got the end",
        "x: Invalid expression at character 1: the text is empty",
      ]
    `)
  })

  it('may be of other timeframes and markets within what is counted, and of no market at all', () => {
    for (const text of ['breadth(close > sma(20)@1h)', 'count(close > close{BTCUSDT})', '1 + 1', 'highslows'])
      expect(isRefusal(requestOf({ x: text })), text).toBe(false)
  })

  it('are read with their names and window', () => {
    const errorOf = (body: object) => {
      const request = requestOf({ x: 'advances' }, body)
      return isRefusal(request) ? request.error : expect.fail('it was accepted')
    }
    expect([
      errorOf({ measures: [] }),
      errorOf({ measures: {} }),
      errorOf({ measures: { 'a b': 'advances' } }),
      errorOf({ measures: { a: 1 } }),
      errorOf({ from: 1 }),
      errorOf({ results: 0 }),
      errorOf({ backtrack: 1 }),
    ]).toMatchInlineSnapshot(`
      [
        "Invalid measures: []. Expected an object with 1 to 12 expressions by name",
        "Invalid measures: 0 expressions. Expected an object with 1 to 12 expressions by name",
        "Invalid name in measures: a b. Expected letters, digits and underscores",
        "Invalid measures.a: 1. Expected an expression",
        "from and results exclude each other. Give a time with from and to, or a number of values with results and backtrack",
        "Invalid results: 0. Expected integer, 1 or more, or max",
        "Unknown parameter: backtrack. breadth accepts: exchange, timeframe, adjustment, symbols, quote, measures, results, maxAge, from, to",
      ]
    `)
  })
})
