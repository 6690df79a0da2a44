import { expect, it } from 'vitest'
import { Columns } from '../../../src/candles/columns.js'
import type { Executor } from '../../../src/compute/executor.js'
import { Calculator } from '../../../src/compute/kernels/calculator.js'
import { answerCandles } from '../../../src/http/endpoints/candles.js'
import type { TableReplies } from '../../../src/http/tables/table-replies.js'
import type { MarketData } from '../../../src/markets/history/market-data.js'
import type { BodyFragments } from '../../../src/runtime/buffer-pool.js'

const candles = 40_000
const columns = new Columns(candles)
for (let i = 0; i < candles; i++)
  columns.write(i, { timestamp: i * 60, open: 1, high: 2, low: 0.5, close: 1 + i / 7, volume: i })
const snapshot = { columns, closed: candles, forming: undefined, count: candles }
const marketData = { readNow: () => [snapshot] } as unknown as MarketData
const calculator = new Calculator()
// No answer here is a table.
const tables = {} as TableReplies

const ask = (results: string) =>
  answerCandles(
    { marketData, tables, executor: {} as Executor, calculator },
    {
      request: {
        queryString: `exchange=demo&symbol=BTCUSDT&timeframe=1m&results=${results}`,
        header: () => '',
      },
      account: { id: 'me', plan: 'pro' },
    },
  )

it('a few candles are written at once', () => {
  expect(ask('500')).not.toBeInstanceOf(Promise)
})

it('many candles are written in turns, and others are answered in between', async () => {
  let turns = 0
  let isEnded = false
  const count = () => {
    turns++
    if (!isEnded) setImmediate(count)
  }
  setImmediate(count)
  const { body } = await ask('max')
  isEnded = true
  expect(turns).toBeGreaterThan(3)
  // Nothing of it is as long as the list, which would be encoded in one turn.
  const fragments = body as BodyFragments
  expect(Math.max(...fragments.buffers.map(({ byteLength }) => byteLength))).toBeLessThan(200 * 512)
  const list = JSON.parse(fragments.takeText())
  expect(list).toHaveLength(candles)
  expect(list.map(({ timestamp }: { timestamp: number }) => timestamp)).toEqual([...columns.timestamp])
  expect(list[5_000]).toEqual({
    timestamp: 300_000,
    timestampHuman: '1970-01-04 11:20:00',
    open: 1,
    high: 2,
    low: 0.5,
    close: 1 + 5_000 / 7,
    volume: 5_000,
  })
})
