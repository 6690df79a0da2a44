import { setFlagsFromString } from 'node:v8'
import { expect, it, vi } from 'vitest'
import { Archive } from '../../../src/markets/archive/archive.js'
import type { Source } from '../../../src/markets/exchanges/source.js'
import { backfill } from '../../../src/markets/history/backfill.js'
import { memoryKeyValues } from '../../support/memory-key-values.js'

vi.mock('node:v8', () => ({ setFlagsFromString: vi.fn() }))

const source: Source = {
  symbols: () => [],
  candles: (_symbol, _timeframe, count, { until = 0 } = {}) =>
    Array.from({ length: count }, (_, at) => {
      const timestamp = until - (count - at) * 60
      return { timestamp, open: 1, high: 1, low: 1, close: 1, volume: 1 }
    }),
}

const begin = () =>
  backfill({
    archive: new Archive(memoryKeyValues().keyValues, { depth: 100 }),
    source,
    market: { exchange: 'x', symbol: 'BTCUSDT', timeframe: '1m' },
    depth: 500,
    clock: () => 60_000_000,
    batchSize: 100,
  })

it('bounds old garbage while backfills run, until the last of them ends or is left', async () => {
  const flags = () => vi.mocked(setFlagsFromString).mock.calls.flat()
  const bounded = ['--heap-growing-percent=40']
  const left = begin()
  expect(flags(), 'nothing is fetched yet').toEqual([])
  await left.next()
  const whole = begin()
  await whole.next()
  await left.return()
  expect(flags()).toEqual(bounded)
  for await (const { fetched } of whole) expect(fetched).toBeGreaterThan(0)
  expect(flags()).toEqual([...bounded, '--heap-growing-percent=0'])
})
