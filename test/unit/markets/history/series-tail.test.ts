import { describe, expect, it } from 'vitest'
import type { Candle } from '../../../../src/candles/candle.js'
import { Series } from '../../../../src/candles/series.js'
import type { FetchOptions } from '../../../../src/markets/exchanges/source.js'
import { createEntry } from '../../../../src/markets/history/cache-entry.js'
import type { CandleFetcher } from '../../../../src/markets/history/candle-fetcher.js'
import { fetchTail } from '../../../../src/markets/history/refresher.js'

const market = { exchange: 'x', symbol: 'BTCUSDT', timeframe: '1m' } as const
const depth = 100

const candle = (minute: number): Candle => ({
  timestamp: minute * 60,
  open: 100 + minute,
  high: 103 + minute,
  low: 98 + minute,
  close: 101 + minute,
  volume: 1,
})
const span = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => candle(from + i))
const minutes = (candles: readonly Candle[]) => candles.map(({ timestamp }) => timestamp / 60)
const range = (from: number, to: number) => minutes(span(from, to))

/**
 * The tail of a series that knows the minutes up to `known` (the last one forming), at minute `now`. `answer` is the
 * exchange's answer to each request.
 */
async function tailOf(
  known: number,
  now: number,
  answer: (count: number, options: FetchOptions) => readonly Candle[],
  { isIncomplete = false, isComputed = false, from = 0 } = {},
) {
  const series = new Series('1m', depth)
  if (known > from) series.merge(span(from, known), (known - 1) * 60 + 30)
  const requests: (readonly [count: number, until?: number])[] = []
  const fetcher = {
    fetch: async (_: unknown, count: number, options: FetchOptions = {}) => {
      requests.push(options.until === undefined ? [count] : [count, options.until / 60])
      if (requests.length > 10) throw new Error('too many requests')
      return answer(count, options)
    },
  } as unknown as CandleFetcher
  const source = { symbols: () => [], candles: () => [], isComputed }
  const archived = { isIncomplete, isFilling: false, mayHaveHole: false }
  const entry = createEntry({ key: 'k', market, source, series, archived, lastFetchAt: 0 })
  const { candles, kind } = await fetchTail(fetcher, entry, now * 60 + 30, now * 60 + 30)
  return { requests, minutes: minutes(candles), kind }
}

describe('the newest candles of a series', () => {
  it('are fetched as far as they may be missing', async () => {
    expect(await tailOf(50, 52, count => span(53 - count, 53))).toEqual({
      requests: [[6]],
      minutes: range(47, 53),
      kind: 'newest',
    })
  })

  it('may be none', async () => {
    expect(await tailOf(50, 52, () => [])).toEqual({ requests: [[6]], minutes: [], kind: 'newest' })
    expect(await tailOf(50, 500, () => [])).toEqual({ requests: [[depth]], minutes: [], kind: 'newest' })
  })

  it('are fetched as a whole where as many are missing as the series may have, and replace it', async () => {
    const answer = (now: number) => (count: number) => span(now + 1 - count, now + 1)
    // Minute 49 is the last known one. After 96.5 minutes, 97 candles and two more are requested.
    expect(await tailOf(50, 145, answer(145))).toMatchObject({ requests: [[99]], kind: 'newest' })
    expect(await tailOf(50, 146, answer(146))).toMatchObject({ requests: [[depth]] })
    expect(await tailOf(50, 300, answer(300))).toEqual({
      requests: [[depth]],
      minutes: range(201, 301),
      kind: 'replacement',
    })
  })

  it('do not replace a series to which they connect', async () => {
    expect(await tailOf(50, 300, () => span(20, 60))).toMatchObject({ kind: 'newest' })
    expect(await tailOf(50, 300, () => span(48, 60)), 'from its last closed one on').toMatchObject({
      kind: 'newest',
    })
  })

  it('are all candles, to be added, where the archive has lost some', async () => {
    expect(await tailOf(50, 52, count => span(0, Math.min(count, 53)), { isIncomplete: true })).toEqual({
      requests: [[depth]],
      minutes: range(0, 53),
      kind: 'all',
    })
  })
})

describe('candles between the series and an answer that is shorter than asked', () => {
  it('are not asked for where the answer connects', async () => {
    // The last closed one is minute 48.
    expect(await tailOf(50, 60, () => span(49, 61))).toMatchObject({
      requests: [[14]],
      minutes: range(49, 61),
    })
  })

  it('are asked for before the oldest one, with a few to spare, until they connect', async () => {
    const answer = (_: number, { until = 61 * 60 }: FetchOptions) => span(until / 60 - 5, until / 60)
    expect(await tailOf(50, 60, answer)).toEqual({
      requests: [[14], [17, 56], [17, 51]],
      minutes: range(46, 61),
      kind: 'newest',
    })
  })

  it('are taken from a source that answers with the newest ones whatever it is asked', async () => {
    const answer = (_: number, { until }: FetchOptions) => (until ? span(48, 62) : span(55, 61))
    expect((await tailOf(50, 60, answer)).minutes).toEqual(range(48, 61))
  })

  it('are none where nothing was traded', async () => {
    const answer = (_: number, { until }: FetchOptions) => (until ? span(55, 58) : span(55, 61))
    expect(await tailOf(50, 60, answer)).toMatchObject({
      requests: [[14], [17, 55]],
      minutes: range(55, 61),
    })
  })

  it('are not asked for by a series without closed candles', async () => {
    expect(await tailOf(1, 60, () => span(55, 61), { from: 0 })).toMatchObject({ requests: [[63]] })
  })
})

describe('a series whose older candles the exchange contradicts', () => {
  // It has candles up to minute 49, the exchange only up to its present, minute 45.
  const answer = (count: number) => (count === depth ? span(0, 47) : span(40, 46))

  it('is replaced where it is computed, as its clock was set back', async () => {
    expect(await tailOf(50, 45, answer, { isComputed: true })).toMatchObject({ kind: 'replacement' })
  })

  it('stays where it is not', async () => {
    expect(await tailOf(50, 45, answer)).toMatchObject({ kind: 'newest' })
  })
})
