import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../bench/random.js'
import type { Candle } from '../../../src/candles/candle.js'
import type { Snapshot } from '../../../src/candles/columns.js'
import { joinCandles } from '../../../src/candles/multi-market-series.js'
import { answer } from '../../../src/compute/answer.js'
import { Expressions } from '../../../src/compute/expressions/expressions.js'
import type { Query } from '../../../src/contract/query.js'
import { isRefusal } from '../../../src/contract/refusals.js'
import { randomCandles, snapshotOf } from '../../support/expressions/random-candles.js'
import { createRangeAnswers } from '../../support/expressions/range-answers.js'
import { calculator } from '../../support/kernel.js'

const cases = process.env.LONG === undefined ? 80 : 1_000
const expressions = new Expressions()
const texts = [
  'close{A}',
  'close / close{A} - close{B}',
  'ema(close / close{A}, 20) + sma(close, 9){B}[7]',
  'rsi(14){A}@1h - ema(close, 30){B, strict}',
  'macd().valueMACDSignal{A} + highest(high, 40){B}@4h',
]

/** The newest candles of a history, as they are in memory. */
const inMemory = (candles: readonly Candle[], count: number): Snapshot =>
  snapshotOf(candles.slice(-Math.max(2, count)), true)

describe('a time before the candles in memory, of an expression over several markets', () => {
  it('has the values of one calculation over all candles', async () => {
    let resumed = 0
    for (let number = 0; number < cases; number++) {
      const next = createRandom(77 + number)
      const amount = (least: number, most: number) => least + Math.floor((most - least) * next())
      const histories = [0, 1, 2].map(() => randomCandles(amount(30, 2_500), next))
      const [own, ...others] = histories.map(candles => snapshotOf(candles, true)) as [
        Snapshot,
        ...Snapshot[],
      ]
      const text = texts[number % texts.length] as string
      const query = expressions.readQuery(new Map([['expression', text]]), 'text', [], '15m')
      if (isRefusal(query)) throw new Error(query.error)
      const used = others.slice(0, text.includes('{B') ? 2 : 1)
      const whole = joinCandles('15m', 'all', [own, ...used])
      const memory = histories.map(candles => inMemory(candles, amount(2, 900))) as [Snapshot, ...Snapshot[]]
      const first = histories[0]?.[0]?.timestamp as number
      const [ownInMemory, ...othersInMemory] = joinCandles(
        '15m',
        'all',
        memory.slice(0, 1 + used.length) as [Snapshot, ...Snapshot[]],
      )
      const { answers, starts } = createRangeAnswers(expressions, amount(1, 1_500), 37)
      // The first question leaves checkpoints for the others.
      for (const part of [next(), next(), 1]) {
        const from = first + part * 0.9 * ((own.forming?.timestamp as number) - first)
        const range = { from, to: part === 1 ? Number.POSITIVE_INFINITY : from + 300 * 900 * next() }
        const asked: Query = { ...query, range, results: Number.POSITIVE_INFINITY }
        const olderThan = (location: Snapshot) => ({ timeframe: '15m' as const, first, id: 'x', location })
        const found = await answers.answer(
          {
            ...{ query: asked, range },
            inputs: [
              { ...ownInMemory, older: olderThan(own) },
              ...othersInMemory.map((other, k) => ({ ...other, older: olderThan(used[k] as Snapshot) })),
            ],
          },
          { accountId: 'a' },
        )
        const expected = answer(calculator, asked, whole)
        const message = `case ${number}: ${text} from ${from} to ${range.to}`
        if (isRefusal(expected)) expect(isRefusal(found) && found.status, message).toBe(expected.status)
        else expect(isRefusal(found) ? found : found.body.takeText(), message).toBe(expected)
      }
      resumed += starts.filter(start => start !== undefined).length
    }
    expect(resumed, 'tasks that went on behind a checkpoint').toBeGreaterThan(cases / 4)
  })
})
