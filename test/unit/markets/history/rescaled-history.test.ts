import { beforeEach, describe, expect, it } from 'vitest'
import type { Candle } from '../../../../src/candles/candle.js'
import { Archive } from '../../../../src/markets/archive/archive.js'
import type { Source } from '../../../../src/markets/exchanges/source.js'
import { backfill } from '../../../../src/markets/history/backfill.js'
import { History } from '../../../../src/markets/history/history.js'
import { memoryKeyValues } from '../../../support/memory-key-values.js'

// A series of which an exchange has only the newest candles; older ones were imported.

const market = { exchange: 'x', symbol: 'BTCUSDT', timeframe: '1m' } as const
const key = 'x:BTCUSDT:1m'
const first = 10_000
/** The exchange's oldest minute, and its forming minute. */
const [oldest, last] = [first + 400, first + 500]
/** A minute in which nothing moved. */
const quiet = last - 2

const candle = (minute: number, scale = 1): Candle => ({
  timestamp: minute * 60,
  ...(minute === quiet
    ? { open: 64 * scale, high: 64 * scale, low: 64 * scale, close: 64 * scale }
    : {
        open: minute * scale,
        high: (minute + 3) * scale,
        low: (minute - 2) * scale,
        close: (minute + 1) * scale,
      }),
  volume: 8 / scale,
})
const span = (from: number, to: number, scale = 1) =>
  Array.from({ length: to - from }, (_, k) => candle(from + k, scale))

class Exchange implements Source {
  now = last
  traits = { isRestated: false }
  candleAt = (minute: number) => candle(minute)

  symbols() {
    return ['BTCUSDT']
  }

  async candles(
    _symbol: string,
    _timeframe: string,
    count: number,
    { until = Number.POSITIVE_INFINITY } = {},
  ) {
    const end = Math.min(this.now + 1, until / 60)
    const begin = Math.max(oldest, end - count)
    return Array.from({ length: Math.max(0, end - begin) }, (_, k) => this.candleAt(begin + k))
  }
}

let archive: Archive
let exchange: Exchange
let notes: string[]
let failures: unknown[]
let history: History
beforeEach(() => {
  archive = new Archive(memoryKeyValues().keyValues, { depth: 100 })
  archive.setDepth(key, 2000)
  archive.write(key, span(first, last), 2000)
  exchange = new Exchange()
  ;[notes, failures] = [[], []]
  history = new History({
    depth: 100,
    bytes: 10_000_000,
    refreshSeconds: 5,
    clock: () => exchange.now * 60 + 30,
    archive,
    onFailure: error => failures.push(error),
    onRescaled: (_, note) => notes.push(note),
  })
})

const stored = () => {
  const { columns, closed } = archive.read(key) ?? expect.fail('nothing is archived')
  return Array.from({ length: closed }, (_, at) => columns.read(at))
}
/** The closed candles that a reader gets, once they equal the archived ones. */
const read = async () => {
  const reading = await history.read(market, exchange)
  const {
    inputs: [snapshot],
  } = reading.kind === 'pending' ? await reading.ready : reading
  const candles = Array.from({ length: snapshot.closed }, (_, at) => snapshot.columns.read(at))
  expect(candles).toEqual(stored())
  return candles
}
const idle = () => new Promise(resolve => setImmediate(resolve))

describe('a series with imported candles', () => {
  it('loses none where a candle without a move is corrected', async () => {
    exchange.candleAt = minute => (minute === quiet ? candle(quiet, 1.006) : candle(minute))
    const expected = [...span(first, quiet), candle(quiet, 1.006), ...span(quiet + 1, last)]
    expect(await read()).toEqual(expected)
    expect([notes, failures]).toEqual([[], []])
  })

  it('has all of them in the new scale after a split', async () => {
    exchange.candleAt = minute => candle(minute, minute < last ? 1 / 4 : 1)
    expect(await read()).toEqual(span(first, last, 1 / 4))
    expect(notes).toEqual([
      `prices of candles before ${new Date(oldest * 60_000).toISOString()} were multiplied by 0.25, volumes by 4`,
    ])
    await read()
    expect(notes).toHaveLength(1)
  })

  it('keeps them as they are, and says so once, where the factor is no plausible one', async () => {
    exchange.candleAt = minute => candle(minute, 1.0371)
    expect(await read()).toEqual([...span(first, oldest), ...span(oldest, last, 1.0371)])
    exchange.now++
    await read()
    expect(notes).toEqual([
      `candles before ${new Date(oldest * 60_000).toISOString()} are kept, and may be in another price scale than newer ones`,
    ])
  })

  it('has all that its exchange shows as they are after a dividend, where that restates them', async () => {
    exchange.traits.isRestated = true
    exchange.candleAt = minute => candle(minute, 0.9975)
    expect(await read()).toEqual([...span(first, oldest), ...span(oldest, last, 0.9975)])
    expect(failures).toEqual([])
  })

  it('has all of them in the scale that its feed shows', async () => {
    const pinned = await history.pin(market, exchange)
    exchange.candleAt = minute => candle(minute, 1 / 4)
    exchange.now++
    pinned.merge([...span(last - 1, last + 2, 1 / 4)], (last + 1) * 60)
    await expect.poll(() => stored().at(0)).toEqual(candle(first, 1 / 4))
    await idle()
    const { columns, closed } = pinned.snapshot()
    expect(Array.from({ length: closed }, (_, at) => columns.read(at))).toEqual(span(first, last + 1, 1 / 4))
    pinned.release()
  })
})

describe('a backfill of a series with imported candles', () => {
  const run = async () => {
    const unknown: string[] = []
    const options = { archive, source: exchange, market, depth: 450, clock: () => exchange.now * 60 + 30 }
    for await (const _ of backfill({ ...options, onUnknownScale: () => unknown.push('unknown') }));
    return unknown
  }
  beforeEach(() => {
    exchange.now = last + 10
  })

  it('brings those that the exchange does not have to its scale', async () => {
    exchange.candleAt = minute => candle(minute, 1 / 4)
    expect(await run()).toEqual([])
    expect(stored()).toEqual(span(first, last + 10, 1 / 4))
  })

  it('keeps those where the factor is no plausible one, and says so', async () => {
    exchange.candleAt = minute => candle(minute, 1.0371)
    expect(await run()).toEqual(['unknown'])
    expect(stored()).toEqual([...span(first, oldest), ...span(oldest, last + 10, 1.0371)])
  })

  it('loses none where the newest candle was corrected', async () => {
    exchange.candleAt = minute => candle(minute, minute === last - 1 ? 2 : 1)
    expect(await run()).toEqual([])
    const rest = stored().filter(({ timestamp }) => timestamp !== (last - 1) * 60)
    expect(rest).toEqual([...span(first, last - 1), ...span(last, last + 10)])
  })
})
