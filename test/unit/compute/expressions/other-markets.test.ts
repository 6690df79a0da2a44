import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../../bench/random.js'
import type { Candle } from '../../../../src/candles/candle.js'
import { Columns, type Snapshot } from '../../../../src/candles/columns.js'
import { joinCandles } from '../../../../src/candles/multi-market-series.js'
import { type CompiledExpression, compileExpression } from '../../../../src/compute/expressions/compile.js'
import { Calculator } from '../../../../src/compute/kernels/calculator.js'
import { evaluate, type OtherCandles, type Value } from '../../../support/expressions/evaluator.js'
import { seconds, snapshotOf } from '../../../support/expressions/random-candles.js'
import { randomNumber, randomOther } from '../../../support/expressions/random-tree.js'
import { textOf } from '../../../support/expressions/tree.js'
import { liveValues, newestValues } from '../../../support/expressions/values.js'

const calculator = new Calculator()
const isLong = process.env.LONG !== undefined
const cases = isLong ? 5_000 : 120
/** Number of cases over candles that arrive one by one. They are fewer because they cost more time. */
const growingCases = isLong ? 1_000 : 25
const names = ['ALPHA', 'stk:BETA']
const start = 1_700_006_400

/** A random walk whose candles open at the times of a market. */
function walk(times: readonly number[], next: () => number): readonly Candle[] {
  let close = 50 + 50 * next()
  return times.map(timestamp => {
    const open = close
    close = Math.max(1, open + 4 * next() - 2)
    const [high, low] = [Math.max(open, close) + next(), Math.min(open, close) - next() / 2]
    return { timestamp, open, high, low, close, volume: Math.floor(1000 * next()) }
  })
}

/** The open times of a market: round the clock or in sessions of some hours, which may begin five minutes off, and with gaps. */
function times(next: () => number): readonly number[] {
  const from = start + seconds * Math.floor(40 * next())
  const shift = next() < 0.3 ? 300 : 0
  const session = next() < 0.5 ? 96 : 8 + Math.floor(20 * next())
  const share = 0.8 + 0.2 * next()
  const all = Array.from({ length: 160 }, (_, k) => from + k * seconds + shift)
  return all.filter(time => ((time - start) / seconds) % 96 < session && next() < share)
}

interface Case {
  readonly text: string
  readonly compiled: CompiledExpression
  readonly own: readonly Candle[]
  /** In the order of the markets of the plan. */
  readonly others: readonly (readonly Candle[])[]
  readonly next: () => number
}

function drawCase(number: number): Case {
  const next = createRandom(20_261_124 + number)
  const left = next() < 0.5 ? { kind: 'column' as const, name: 'close' } : randomNumber(2, next)
  const tree = {
    kind: 'binary',
    operator: '-',
    left,
    right: randomOther(['ALPHA', 'stk:BETA, strict'], Math.floor(3 * next()), next),
  } as const
  const second = { kind: 'binary', operator: '+', left: tree, right: randomOther(names, 1, next) } as const
  const text = textOf(next() < 0.5 ? tree : second, next)
  const compiled = compileExpression(text, { timeframe: '15m' })
  if ('error' in compiled) throw new Error(`${text}: ${compiled.error}`)
  const { markets } = compiled.spec.indicator.plan
  let own = walk(times(next), next)
  while (own.length < 20) own = walk(times(next), next)
  return { text, compiled, own, others: markets.map(() => walk(times(next), next)), next }
}

/** Candles of the other markets for the evaluator, by their names in the text. */
const named = (
  { compiled }: Case,
  candlesOf: (market: number) => OtherCandles,
): Readonly<Record<string, OtherCandles>> =>
  Object.fromEntries(
    compiled.spec.indicator.plan.markets.map(({ exchange, symbol }, k) => [
      exchange === undefined ? symbol : `${exchange}:${symbol}`,
      candlesOf(k),
    ]),
  )

/** The values of a case by the evaluator, when all candles are known. */
const expectedOf = (drawn: Case): readonly Value[] =>
  evaluate(
    drawn.text,
    drawn.own,
    seconds,
    false,
    named(drawn, k => wholeOf(drawn.others[k] as never)),
  ).values

const numberOf = (value: Value): number => (value === undefined ? Number.NaN : Number(value))

function expectSame(actual: readonly number[], expected: readonly number[], message: string): void {
  const isSame = (one: number | undefined, other: number) => one === other || Object.is(one, other)
  const at = expected.findIndex((value, i) => !isSame(actual[i], value))
  if (at >= 0 || actual.length !== expected.length)
    throw new Error(`${message} at ${at} of ${expected.length}: ${actual[at]} instead of ${expected[at]}`)
}

/**
 * A market as it is known at a time: the candles that ended some seconds ago, and the forming one. While the market is
 * silent, only a newer candle shows that a candle has closed.
 */
class GrowingMarket {
  readonly columns: Columns
  closed = 0
  #snapshot: Snapshot | undefined

  constructor(readonly candles: readonly Candle[]) {
    this.columns = new Columns(Math.max(1, candles.length))
  }

  at(time: number, lag: number, isSilent = false): Snapshot {
    const before = this.closed
    const timeOf = (at: number) => this.candles[at]?.timestamp ?? Number.POSITIVE_INFINITY
    const isOver = () => (isSilent ? timeOf(this.closed + 1) : timeOf(this.closed) + seconds) <= time - lag
    for (; isOver(); this.closed++) this.columns.write(this.closed, this.candles[this.closed] as Candle)
    const next = this.candles[this.closed]
    const forming = next && next.timestamp < time ? next : undefined
    const { columns, closed } = this
    if (!this.#snapshot || before !== closed || this.#snapshot.forming !== forming)
      this.#snapshot = { columns, closed, forming, count: closed + (forming ? 1 : 0) }
    return this.#snapshot
  }
}

/** The same candles in other columns, as another service has them. */
const copyOf = (snapshot: Snapshot): Snapshot => {
  const columns = new Columns(snapshot.columns.capacity)
  for (let at = 0; at < snapshot.closed; at++) columns.write(at, snapshot.columns.read(at))
  return { ...snapshot, columns }
}

const wholeOf = (candles: readonly Candle[]) => ({ candles, isForming: false })

describe('expressions over several markets', () => {
  it('have the values of an evaluator that was written from the document', () => {
    let defined = 0
    for (let number = 0; number < cases; number++) {
      const drawn = drawCase(number)
      const { text, compiled, own, others } = drawn
      const expected = expectedOf(drawn)
      const joined = joinCandles('15m', 'others', [snapshotOf(own), ...others.map(each => snapshotOf(each))])
      const [values] = newestValues(calculator, compiled, joined, own.length)
      expectSame([...(values as Float64Array)], expected.map(numberOf), `${number}: ${text}`)
      if (expected.some(value => value !== undefined)) defined++
    }
    expect(defined, 'expressions that have a value somewhere').toBeGreaterThan(cases / 2)
  })

  it('have them where the other market has more candles before the first one than are computed at a time', () => {
    const next = createRandom(7)
    const [own, other] = [40, 2_600].map(count =>
      walk(
        Array.from({ length: count }, (_, k) => start + (k - count) * seconds),
        next,
      ),
    ) as [readonly Candle[], readonly Candle[]]
    for (const text of ['close{A}', 'sma(close, 5){A} - ema(close, 3)', 'ema(close, 20){A}@1h']) {
      const compiled = compileExpression(text, { timeframe: '15m' }) as CompiledExpression
      const joined = joinCandles('15m', 'others', [snapshotOf(own), snapshotOf(other)])
      const [values] = newestValues(calculator, compiled, joined, own.length)
      const expected = evaluate(text, own, seconds, false, { A: { candles: other, isForming: false } }).values
      expectSame([...(values as Float64Array)], expected.map(numberOf), text)
    }
  })

  it('compare a market with an index as the document says', () => {
    const next = createRandom(11)
    const times = Array.from({ length: 130 }, (_, k) => start + k * seconds)
    const [own, index] = [walk(times, next), walk(times, next)]
    const [a, b] = [own, index].map(each => each.map(({ close }) => close)) as [number[], number[]]
    const returns = (of: readonly number[]) =>
      of
        .slice(-61)
        .map((x, k, all) => (k ? x / (all[k - 1] as number) - 1 : 0))
        .slice(1)
    const mean = (of: readonly number[]) => of.reduce((sum, x) => sum + x, 0) / of.length
    const [y, x] = [returns(a), returns(b)]
    const product = (one: readonly number[], other: readonly number[]) =>
      mean(one.map((each, k) => (each - mean(one)) * ((other[k] as number) - mean(other))))
    const beta = product(x, y) / product(x, x)
    const strength = a.map((close, k) => Math.log(close / (b[k] as number)))
    const changes = strength.slice(90).map((each, k) => each - (strength[k] as number))
    // An EMA of 3 candles begins with the mean of the first three.
    const smoothed = changes.slice(3).reduce((ema, each) => (ema + each) / 2, mean(changes.slice(0, 3)))
    const spread = a.map((close, k) => close - 2 * (b[k] as number)).slice(-50)
    // The slope of the changes of a spread over its values before, divided by its standard error.
    const values = strength.slice(-61)
    const [steps, before] = [
      values.slice(1).map((each, k) => each - (values[k] as number)),
      values.slice(0, -1),
    ]
    const slope = product(before, steps) / product(before, before)
    const rests = steps.map((step, k) => step - mean(steps) - slope * ((before[k] as number) - mean(before)))
    const error = Math.sqrt(product(rests, rests) / 58 / product(before, before))
    const change = 'ln(close / close{SPY}) - ln(close / close{SPY})[1], ln(close / close{SPY})[1]'
    const expected = {
      [`correl(${change}, 60) * sqrt(58 / (1 - pow(correl(${change}, 60), 2)))`]: slope / error,
      'close / close{SPY}': (a.at(-1) as number) / (b.at(-1) as number),
      'ema(ln(close / close{SPY}) - ln(close / close{SPY})[90], 3) * 100': smoothed * 100,
      'beta(close{SPY}, close, 60)': beta,
      'sma(roc(close, 1), 60) - beta(close{SPY}, close, 60) * sma(roc(close{SPY}, 1), 60)':
        100 * (mean(y) - beta * mean(x)),
      'sma(roc(close, 1), 60) / beta(close{SPY}, close, 60)': (100 * mean(y)) / beta,
      'zscore(close - 2 * close{SPY}, 50)':
        ((spread.at(-1) as number) - mean(spread)) / Math.sqrt((product(spread, spread) * 50) / 49),
    }
    const joined = joinCandles('15m', 'others', [snapshotOf(own), snapshotOf(index)])
    for (const [text, value] of Object.entries(expected)) {
      const compiled = compileExpression(text, { timeframe: '15m' }) as CompiledExpression
      expect(newestValues(calculator, compiled, joined, 1)[0]?.[0], text).toBeCloseTo(value, 9)
    }
  })

  it('have them candle by candle, whichever market is late, and no value of a closed candle changes later', () => {
    let previews = 0
    let held = 0
    let ended = 0
    for (let number = 0; number < growingCases; number++) {
      const drawn = drawCase(number)
      const { text, compiled, own, others, next } = drawn
      const live = liveValues(calculator, compiled)
      const markets = others.map(each => new GrowingMarket(each))
      const silent = others.map(() => next() < 0.5)
      const expected = expectedOf(drawn)
      const market = new GrowingMarket(own)
      const seen = new Map<number, number>()
      const last = (own.at(-1) as Candle).timestamp + 2 * seconds
      for (let time = (own[0] as Candle).timestamp; time <= last; time += 150) {
        const lag = next() < 0.5 ? 0 : 100
        for (const k of silent.keys()) if (next() < 0.02) silent[k] = !silent[k]
        const known = markets.map((each, k) =>
          each.at(time, next() < 0.5 ? 0 : lag, silent[k] && time < last),
        )
        const present = market.at(time, 0)
        const joined = joinCandles('15m', 'others', [present, ...known])
        if (joined[0].closed < present.closed) held++
        if (joined.some(each => 'hasEnded' in each && each.hasEnded)) ended++
        for (const { timestamp, value } of live.advance(joined).closed) seen.set(timestamp, value)
        if (live.closed && seen.size === 0) seen.set(live.closed.timestamp, live.closed.value)
        if (joined[0].forming === undefined || next() > 0.1) continue
        const alone = joinCandles('15m', 'others', [copyOf(present), ...known.map(copyOf)])
        const [values] = newestValues(calculator, compiled, alone, alone[0].count)
        expectSame(
          [...(values as Float64Array)].slice(0, alone[0].closed),
          expected.map(numberOf).slice(0, alone[0].closed),
          `${number}: ${text}, at once`,
        )
        const newest = present.closed > 0 ? (own[present.closed - 1] as Candle).timestamp : 0
        const until = own.slice(0, joined[0].count)
        const then = evaluate(
          text,
          until,
          seconds,
          true,
          named(drawn, k => {
            const { closed, forming } = known[k] as Snapshot
            return {
              candles: (others[k] as readonly Candle[]).slice(0, closed + (forming ? 1 : 0)),
              // The closed candle behind it has not waited for one that had ended before.
              isForming: forming !== undefined && forming.timestamp + seconds > newest,
            }
          }),
        )
        const shown = live.preview(joined)
        expectSame(
          [shown?.value ?? Number.NaN],
          [numberOf(then.values.at(-1))],
          `${number}: ${text}, forming ${joined[0].closed}`,
        )
        previews++
      }
      const message = `${number}: ${text}, in steps`
      const first = [...seen.keys()][0] ?? Number.POSITIVE_INFINITY
      const emitted = own.filter(({ timestamp }) => timestamp >= first)
      expect([...seen.keys()], message).toEqual(emitted.map(({ timestamp }) => timestamp))
      expectSame([...seen.values()], expected.map(numberOf).slice(own.length - emitted.length), message)
    }
    expect(previews).toBeGreaterThan(growingCases)
    expect(held, 'closed candles that waited for another market').toBeGreaterThan(growingCases)
    expect(ended, 'candles that counted as closed before their market closed them').toBeGreaterThan(
      growingCases,
    )
  })
})
