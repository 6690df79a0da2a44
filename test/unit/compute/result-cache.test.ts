import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Candle } from '../../../src/candles/candle.js'
import type { Snapshot } from '../../../src/candles/columns.js'
import { Series } from '../../../src/candles/series.js'
import { answer } from '../../../src/compute/answer.js'
import { Calculator } from '../../../src/compute/kernels/calculator.js'
import { LiveCalculation } from '../../../src/compute/results/live-calculation.js'
import { type KnownResults, ResultCache } from '../../../src/compute/results/result-cache.js'
import type { Query } from '../../../src/contract/query.js'
import { entryOf, type Given, valuesOf } from '../../support/kernel.js'

const calculator = new Calculator()
const run = vi.spyOn(calculator, 'run')
const whole = new Calculator()

const candle = (i: number, shift = 0): Candle => {
  const close = 100 + 10 * Math.sin(i * 1.7) + shift
  return { timestamp: i * 60, open: close - 1, high: close + 2, low: close - 2, close, volume: 5 + (i % 7) }
}
const candles = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => candle(from + i))

const queryOf = (name: string, window: Partial<Query> = {}, given: Given = {}): Query => ({
  indicator: entryOf(name),
  ...valuesOf(entryOf(name), given),
  results: 1,
  backtrack: 0,
  ...window,
})

let series: Series
let cache: ResultCache
beforeEach(() => {
  series = new Series('1m', 1000)
  series.merge(candles(0, 401), 400 * 60)
  cache = new ResultCache(1_000_000)
  run.mockClear()
})

/**
 * Requests an answer and compares it with a computation from the first candle on. Returns the number of candles that
 * kernels ran over.
 */
function ask(query: Query, snapshot: Snapshot = series.snapshot()): number {
  run.mockClear()
  expect(answer(calculator, query, [snapshot], cache)).toEqual(answer(whole, query, [snapshot]))
  return run.mock.calls.reduce((sum, [from, to]) => sum + to - from, 0)
}

describe('a result cache', () => {
  it('keeps a calculation from its second request on; then a forming candle is one step', () => {
    const rsi = queryOf('rsi')
    expect(ask(rsi)).toBe(401)
    expect(cache.size, 'a question that is asked once').toBe(0)
    expect(ask(rsi)).toBe(401)
    expect(ask(rsi), 'nothing has changed').toBe(0)
    series.amend(candle(400, 1))
    expect(ask(rsi)).toBe(1)
    series.merge([candle(400, 2), candle(401)], 401 * 60)
    expect(ask(rsi), 'one closed candle, one forming').toBe(2)
    expect([cache.hits, cache.misses]).toEqual([3, 2])
  })

  it('answers any window of the past without the kernel', () => {
    const all = queryOf('macd', { results: Number.POSITIVE_INFINITY })
    ask(all)
    ask(all)
    for (const window of [{ results: 7 }, { results: 20, backtrack: 3 }, { results: 1, backtrack: 200 }, all])
      expect(ask({ ...all, ...window })).toBe(0)
  })

  it('computes again for values that it does not keep, and keeps more of them then', () => {
    const at = (backtrack: number) => queryOf('ema', { results: 2, backtrack }, { period: 5 })
    ask(at(0))
    let runs = 0
    for (let backtrack = 0; backtrack < 300; backtrack++) if (ask(at(backtrack)) > 100) runs++
    expect(runs).toBeLessThan(12)
  })

  it('keeps the newest values when more candles close than it keeps', () => {
    const few = queryOf('ema', { results: 5 }, { period: 5 })
    ask(few)
    ask(few)
    series.merge(candles(400, 500), 499 * 60)
    expect(ask(few)).toBe(100)
    const { columns } = series.snapshot()
    for (const closed of [499, 498, 494, 403, 400]) {
      const past = { columns, closed, forming: undefined, count: closed }
      expect(ask({ ...few, results: 1 }, past), `candle ${closed - 1}`).toBe(closed > 495 ? 0 : closed)
    }
    for (let i = 500; i < 560; i++) {
      series.merge([candle(i - 1), candle(i)], i * 60)
      expect(ask({ ...few, results: 4, backtrack: 1 })).toBe(1)
      expect(ask(few)).toBe(1)
    }
  })

  it('drops what was computed from candles that were corrected, and keeps the next one at once', () => {
    const rsi = queryOf('rsi')
    ask(rsi)
    ask(rsi)
    series.merge([candle(390, 4), ...candles(391, 401)], 400 * 60)
    expect(ask(rsi)).toBe(401)
    expect(ask(rsi)).toBe(0)
  })

  it('finds a calculation for a query that recurs in this cache alone, and not once it was dropped', () => {
    const rsi = queryOf('rsi')
    const find = (by = cache) => by.find(rsi, series.snapshot())
    find()
    const kept = find()
    expect([find(), find()]).toEqual([kept, kept])
    const other = new ResultCache(1_000_000)
    expect([find(other), find(other) === kept, find() === kept]).toEqual([undefined, false, true])
    series.merge([candle(390, 4), ...candles(391, 401)], 400 * 60)
    expect(find()).not.toBe(kept)
    const small = new ResultCache(3_000)
    find(small)
    expect(find(small)).toBeDefined()
    for (const period of [2, 3, 4])
      for (let i = 0; i < 2; i++) small.find(queryOf('rsi', {}, { period }), series.snapshot())
    const again = find(small)
    expect([small.bytes, small.size], 'it was dropped, and is kept anew').toEqual([
      again?.results?.byteLength,
      1,
    ])
  })

  it('finds a calculation by its question, which does not keep the memory of one that was dropped', () => {
    const small = new ResultCache(3_000)
    const [question, other]: KnownResults[] = [{}, {}]
    const find = (asker = question) => small.find(queryOf('rsi'), series.snapshot(), asker)
    find()
    const kept = find()
    expect(kept?.results).toBeDefined()
    expect([find(), find(other)], 'questions share it').toEqual([kept, kept])
    for (let i = 0; i < 2; i++) small.find(queryOf('rsi', {}, { period: 2 }), series.snapshot())
    expect(question?.kept?.results, 'it was dropped').toBeUndefined()
    const again = find()
    expect(again?.results, 'it is kept anew').toBeDefined()
    series.merge([candle(390, 4), ...candles(391, 401)], 400 * 60)
    expect([find() === again, again?.results], 'its candles were replaced').toEqual([false, undefined])
  })

  it('answers from the candles of a snapshot, not from newer ones', () => {
    const rsi = queryOf('rsi', { results: 3 })
    const before = series.snapshot()
    ask(rsi)
    ask(rsi)
    series.merge(candles(400, 403), 402 * 60)
    ask(rsi)
    expect(ask(rsi, before), 'its forming candle is not kept').toBe(401)
    expect(ask({ ...rsi, results: 2, backtrack: 1 }, before)).toBe(0)
    series.merge([candle(390, 4), ...candles(391, 403)], 402 * 60)
    ask(rsi)
    expect(ask(rsi, before), 'its columns were replaced').toBe(401)
    expect(ask(rsi)).toBe(0)
  })

  it('takes no more memory than it may: the least recently used calculations are dropped', () => {
    cache = new ResultCache(60_000)
    const query = (period: number) => queryOf('ema', { results: 100 }, { period })
    for (let period = 2; period < 60; period++) {
      ask(query(period))
      ask(query(period))
      ask(query(2))
      expect(cache.bytes).toBeLessThanOrEqual(60_000)
    }
    expect(cache.size).toBeGreaterThan(5)
    expect(ask(query(59))).toBe(0)
    expect(ask(query(2)), 'it was used all the time').toBe(0)
    expect(ask(query(10)), 'it was dropped').toBe(401)
    expect(ask(query(10)), 'and is kept again').toBe(0)
  })

  it('does not count a calculation that was dropped while a request used it', () => {
    cache = new ResultCache(20_000)
    const query = (period: number) => queryOf('sma', { results: 100 }, { period })
    const short = queryOf('sma', { results: 30 }, { period: 2 })
    ask(short)
    const used = cache.find(short, series.snapshot())
    if (!used) throw new Error('it is asked for the second time')
    for (let period = 3; period < 20; period++) for (let i = 0; i < 2; i++) ask(query(period))
    const { size, bytes } = cache
    expect(cache.prepare(calculator, used, short, [series.snapshot()]), 'it has no results').toBeUndefined()
    expect([cache.size, cache.bytes]).toEqual([size, bytes])
  })

  it('does not count the calculation of a topic over columns that were replaced', () => {
    const before = series.snapshot()
    const topic = new LiveCalculation(new Calculator(), queryOf('rsi'), cache)
    series.merge([candle(390, 4), ...candles(391, 401)], 400 * 60)
    ask(queryOf('rsi'))
    topic.advance([before])
    topic.close()
    expect(cache.size).toBe(0)
    topic.advance([series.snapshot()])
    topic.close()
    expect(cache.size, 'it is over the present ones').toBe(1)
  })

  it('does not keep what would take too large a share of the memory', () => {
    cache = new ResultCache(20_000)
    const all = queryOf('sma', { results: Number.POSITIVE_INFINITY })
    for (let i = 0; i < 3; i++) expect(ask(all)).toBe(401)
    expect(cache.bytes).toBeLessThan(2_000)
  })

  it('counts what a topic has advanced', () => {
    const all = queryOf('sma', { results: Number.POSITIVE_INFINITY })
    const topic = new LiveCalculation(new Calculator(), all, cache)
    ask(all)
    ask(all)
    const before = cache.bytes
    for (let i = 401; i < 900; i++) {
      series.merge([candle(i - 1), candle(i)], i * 60)
      topic.advance([series.snapshot()])
    }
    expect(ask(all)).toBe(0)
    expect(cache.bytes).toBeGreaterThan(before + 500 * 15)
  })

  it('begins anew after a step that threw', () => {
    const rsi = queryOf('rsi', { results: 3 })
    ask(rsi)
    ask(rsi)
    series.merge(candles(400, 402), 401 * 60)
    vi.spyOn(calculator, 'save').mockImplementationOnce(() => {
      throw new Error('save failed')
    })
    expect(() => ask(rsi)).toThrow('save failed')
    expect(ask(rsi)).toBeGreaterThan(400)
    expect(ask(rsi)).toBe(0)
  })
})

describe('a topic and REST', () => {
  it('share one calculation', () => {
    const rsi = queryOf('rsi')
    const topicRun = vi.spyOn(Calculator.prototype, 'run')
    const topic = new LiveCalculation(new Calculator(), rsi, cache)
    topic.advance([series.snapshot()])
    topicRun.mockRestore()
    expect(ask(rsi), 'the topic has computed it').toBe(0)
    series.merge([candle(400, 2), candle(401)], 401 * 60)
    expect(ask(rsi)).toBe(2)
    const { closed, forming } = topic.advance([series.snapshot()])
    const alone = new LiveCalculation(whole, rsi)
    alone.advance([series.snapshot()])
    expect([closed, forming]).toEqual([[alone.closed], alone.forming])
  })

  it('share it also when the topic is told later', () => {
    const topic = new LiveCalculation(new Calculator(), queryOf('rsi'), cache)
    const alone = new LiveCalculation(whole, queryOf('rsi'))
    for (const each of [topic, alone]) each.advance([series.snapshot()])
    const snapshots = [402, 405, 406].map(to => {
      series.merge(candles(400, to), (to - 1) * 60)
      return series.snapshot()
    })
    ask(queryOf('rsi', { results: 2 }))
    ask(queryOf('rsi', { results: 2 }))
    for (const snapshot of snapshots) expect(topic.advance([snapshot])).toEqual(alone.advance([snapshot]))
  })

  it('keep no more than the newest value where a topic alone needs it and memory is full', () => {
    cache = new ResultCache(20_000)
    const followed = queryOf('ema', { results: 100 }, { period: 30 })
    const topic = new LiveCalculation(new Calculator(), followed, cache)
    topic.advance([series.snapshot()])
    ask(followed)
    for (let period = 2; period < 20; period++)
      for (let i = 0; i < 2; i++) ask(queryOf('ema', { results: 100 }, { period }))
    expect(ask({ ...followed, results: 1 }), 'its state is there').toBe(0)
    expect(ask(followed), 'its columns are not').toBe(401)
    topic.close()
    for (let period = 2; period < 20; period++)
      for (let i = 0; i < 2; i++) ask(queryOf('ema', { results: 100 }, { period }))
    expect(ask({ ...followed, results: 1 }), 'without its topic it is dropped like others').toBe(401)
  })
})
