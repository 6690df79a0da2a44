import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../bench/random.js'
import type { Candle } from '../../../src/candles/candle.js'
import { Expressions } from '../../../src/compute/expressions/expressions.js'
import { Calculator } from '../../../src/compute/kernels/calculator.js'
import { ResultCache } from '../../../src/compute/results/result-cache.js'
import { readObject } from '../../../src/contract/fields.js'
import type { Market } from '../../../src/contract/market.js'
import { isRefusal } from '../../../src/contract/refusals.js'
import type { Reading } from '../../../src/markets/history/reading.js'
import { readScreen, type ScreenRequest } from '../../../src/screens/request.js'
import type { Scan } from '../../../src/screens/scan.js'
import { Screener } from '../../../src/screens/screener.js'
import { createExecutor } from '../../support/executor.js'
import { evaluate, type Value } from '../../support/expressions/evaluator.js'
import { randomCandles, seconds, snapshotOf } from '../../support/expressions/random-candles.js'
import { randomCondition, randomNumber } from '../../support/expressions/random-tree.js'
import { textOf } from '../../support/expressions/tree.js'

/** The candles of a market as a scan has left them. */
interface Listed {
  readonly symbol: string
  readonly candles: readonly Candle[]
  readonly isForming: boolean
}

interface Answer {
  readonly matches: readonly Readonly<Record<string, unknown>>[]
  readonly screened: number
  readonly failed: readonly { readonly symbol: string; readonly error: string }[]
}

const calculator = new Calculator()

function requestOf(body: object): ScreenRequest | undefined {
  const fields = readObject({ exchange: 'demo', timeframe: '15m', ...body })
  const read = isRefusal(fields) ? fields : readScreen(fields, new Expressions())
  if (!isRefusal(read)) return read
  if (/at most \d+ (characters|different|values)/.test(read.error)) return undefined
  throw new Error(read.error)
}

async function screen(request: ScreenRequest, listed: readonly Listed[]): Promise<Answer> {
  const readings = new Map(
    listed.map(({ symbol, candles, isForming }) => [
      symbol,
      { kind: 'candles', inputs: [snapshotOf(candles, isForming)], stale: false } as const,
    ]),
  )
  const screener = new Screener({
    marketData: {
      isComputed: () => false,
      recall: ({ symbol }: Market) => readings.get(symbol),
      refuseOld: (reading: Reading) => reading,
    } as never,
    exchanges: {} as never,
    executor: createExecutor({ calculator, resultCache: new ResultCache(10_000_000) }),
    clock: () => 0,
  })
  const markets = listed.map(({ symbol }) => ({ exchange: 'demo', symbol, timeframe: '15m' }) as const)
  const scan: Pick<Scan, 'markets' | 'refusals'> = { markets, refusals: new Map() }
  const answer = await screener.answer(request, scan as Scan, 'a')
  return JSON.parse(answer.text)
}

const list = (count: number, next: () => number): readonly Listed[] =>
  Array.from({ length: count }, (_, k) => ({
    symbol: `M${k}USDT`,
    // Many series are too short for expressions that look back far.
    candles: randomCandles(1 + Math.floor(next() * 60), next),
    isForming: next() < 0.5,
  }))

interface Asked {
  readonly where: string
  readonly select: Readonly<Record<string, string>>
  readonly orderBy?: string
  readonly limit?: number
  readonly backtrack?: number
}

/** The answer by the rules of docs/screening.md, one market after another, without any cache. */
function screenByHand(
  asked: Asked,
  listed: readonly Listed[],
): Omit<Answer, 'failed'> & { readonly failed: readonly string[] } {
  const failed: string[] = []
  const found: { readonly match: Record<string, unknown>; readonly rank: Value }[] = []
  const [, rankedBy = '', direction] = /^(.*?)(?: (asc|desc))?$/.exec(asked.orderBy ?? '') ?? []
  for (const { symbol, candles, isForming } of listed) {
    const backtrack = asked.backtrack ?? 0
    const then = candles.slice(0, Math.max(0, candles.length - backtrack))
    const last = then.length - 1
    const columnOf = (text: string) => evaluate(text, then, seconds, isForming && backtrack === 0)
    const newest = (text: string) => columnOf(text).values[last]
    const { begin, values: holds } = columnOf(asked.where)
    if (last < begin) failed.push(symbol)
    else if (holds[last] === true) {
      const values = Object.entries(asked.select).map(([name, text]) => [name, newest(text) ?? null])
      const match = { symbol, timestamp: then[last]?.timestamp, ...Object.fromEntries(values) }
      found.push({ match, rank: rankedBy === '' ? 0 : newest(asked.select[rankedBy] ?? rankedBy) })
    }
  }
  const sign = direction === 'desc' ? -1 : 1
  const defined = found.filter(({ rank }) => rank !== undefined)
  defined.sort((a, b) => sign * ((a.rank as number) - (b.rank as number)))
  const ranked = [...defined, ...found.filter(({ rank }) => rank === undefined)]
  return {
    matches: ranked.map(({ match }) => match).slice(0, asked.limit),
    screened: listed.length - failed.length,
    failed,
  }
}

describe('a screen', () => {
  it('gives what is found by looking at one market after another', async () => {
    let [matches, failures, undefinedValues] = [0, 0, 0]
    for (let number = 0; number < 150; number++) {
      const next = createRandom(20_261_123 + number)
      const listed = list(12, next)
      const text = () => textOf(randomNumber(1 + Math.floor(next() * 3), next), next)
      const orderBy = ['', 'a', 'a desc', `${text()} asc`, text()][number % 5] as string
      const asked: Asked = {
        where: textOf(randomCondition(1 + Math.floor(next() * 3), next), next),
        select: { a: text(), b: textOf(randomCondition(2, next), next) },
        ...(orderBy === '' ? {} : { orderBy }),
        ...(next() < 0.3 ? { limit: 3 } : {}),
        ...(next() < 0.3 ? { backtrack: 2 } : {}),
      }
      const request = requestOf(asked)
      if (!request) continue
      const { failed, ...found } = await screen(request, listed)
      const expected = screenByHand(asked, listed)
      const message = JSON.stringify(asked)
      // 0 and -0 are the same, as JSON has them.
      expect(JSON.parse(JSON.stringify(found)), message).toEqual(
        JSON.parse(JSON.stringify({ matches: expected.matches, screened: expected.screened })),
      )
      expect(
        failed.map(({ symbol }) => symbol),
        message,
      ).toEqual(expected.failed)
      for (const { error } of failed)
        expect(error).toMatch(/^Not enough candles: expression needs \d+, \d+ available$/)
      matches += found.matches.length
      failures += failed.length
      undefinedValues += found.matches.filter(({ a, b }) => a === null || b === null).length
    }
    expect(Math.min(matches, failures, undefinedValues)).toBeGreaterThan(50)
  })

  it('at a time is what it was when the candle of that time closed', async () => {
    let matches = 0
    for (let number = 0; number < 60; number++) {
      const next = createRandom(20_261_124 + number)
      const listed = list(8, next)
      const asked = {
        where: textOf(randomCondition(1 + Math.floor(next() * 3), next), next),
        select: { a: textOf(randomNumber(2, next), next) },
      }
      const at = (listed[0]?.candles.at(-5)?.timestamp ?? 0) + Math.floor(next() * seconds)
      const request = requestOf({ ...asked, at })
      if (!request) continue
      const cut = listed.map(each => ({
        ...each,
        candles: each.candles
          .slice(0, each.isForming ? -1 : undefined)
          .filter(({ timestamp }) => timestamp <= at),
        isForming: false,
      }))
      const found = await screen(request, listed)
      expect(found, JSON.stringify(asked)).toEqual(await screen(requestOf(asked) as ScreenRequest, cut))
      matches += found.matches.length
    }
    expect(matches).toBeGreaterThan(20)
  })

  it('with settled digits has matches that have them, and null for other values that have not', async () => {
    const next = createRandom(3)
    const candles = [40, 60, 200].map(count => randomCandles(count, next))
    const listed = candles.map((each, k) => ({ symbol: `M${k}`, candles: each, isForming: false }))
    const body = { where: 'ema(5) > 0', select: { slow: 'ema(20)', fast: 'ema(2)' } }
    const plain = await screen(requestOf(body) as ScreenRequest, listed)
    const { matches, failed } = await screen(requestOf({ ...body, settled: 4 }) as ScreenRequest, listed)
    // (2/3)^35 and (19/21)^138 are the first powers below 10^−6; the first values are those of candles 4 and 19.
    expect(failed).toEqual([])
    expect(matches.map(({ slow }) => slow === null)).toEqual([true, true, false])
    expect(matches.map(({ fast }) => fast)).toEqual(plain.matches.map(({ fast }) => fast))
    expect(matches[2]).toEqual(plain.matches[2])
    const strict = await screen(requestOf({ ...body, settled: 6 }) as ScreenRequest, listed)
    expect(strict.failed).toEqual([
      { symbol: 'M0', error: 'Not enough candles: expression needs 51 for 6 settled digits, 40 available' },
    ])
    expect(() => requestOf({ where: 'close > 0', select: { a: 'obv' }, settled: 4 })).toThrow(
      'select.a: obv never settles: every candle since the first one counts. Leave out settled',
    )
    expect(() => requestOf({ where: 'close > 0', at: 5, backtrack: 1 })).toThrow('either at or backtrack')
  })

  it.each([
    { select: { day: 'ema(9)@4h' } },
    { select: { day: 'ema(9)@4h' }, orderBy: 'day desc' },
    { select: { day: 'sma(200)' }, orderBy: 'ema(9)@4h' },
  ])('leaves %j undefined where the history is too short, and fails nowhere', async fields => {
    const request = requestOf({ where: 'close > 0', ...fields }) as ScreenRequest
    const listed = list(5, createRandom(1))
    const { matches, screened, failed } = await screen(request, listed)
    expect(matches).toEqual(
      listed.map(({ symbol, candles }) => ({ symbol, timestamp: candles.at(-1)?.timestamp, day: null })),
    )
    expect([screened, failed]).toEqual([5, []])
  })

  it('fails where the history is too short for the condition, and says what that needs', async () => {
    const request = requestOf({ where: 'close > sma(200)', select: { far: 'sma(500)' } }) as ScreenRequest
    const { matches, failed } = await screen(
      request,
      list(1, createRandom(2)).map(each => ({ ...each, candles: each.candles.slice(0, 9) })),
    )
    expect(matches).toEqual([])
    expect(failed).toMatchObject([
      { error: expect.stringMatching(/^Not enough candles: expression needs 200, \d available$/) },
    ])
  })
})
