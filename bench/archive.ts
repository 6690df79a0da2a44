import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Candle } from '#dist/candles/candle.js'
import { Series } from '#dist/candles/series.js'
import type { Timeframe } from '#dist/candles/timeframe.js'
import { Archive } from '#dist/markets/archive/archive.js'
import { cutIntoChunks, readChunk } from '#dist/markets/archive/chunk-codec.js'
import { createDemoSource } from '#dist/markets/exchanges/demo/demo-source.js'
import { openEmbedded } from '#dist/store/embedded/embedded.js'
import type { Table } from './baseline.js'
import { effort } from './effort.js'
import { longHistoryRows } from './long-history.js'
import { createRandom } from './random.js'
import { randomCandles } from './random-walk.js'
import { createKey, startServiceOver } from './service-process.js'
import { median, rounded } from './statistics.js'

const seriesCount = effort(2_000, 10)
const depth = 1_000
const longDepth = 5_000
const starts = effort(5, 1)
const repetitions = effort(300, 5)
const packedCount = 4080
const hour = 3600

/** `count` hourly candles that end before the running hour. */
function recentCandles(count: number, seed: number): Candle[] {
  const runningHour = Math.floor(Date.now() / 1000 / hour) * hour
  return randomCandles(count, seed, runningHour - count * hour)
}

const bytesIn = (directory: string) =>
  readdirSync(directory).reduce((sum, name) => sum + statSync(join(directory, name)).blocks * 512, 0)

const keyOf = (i: number) => `binance:S${i}USDT:1h`

function millisecondsOf(work: () => void): number {
  const began = performance.now()
  work()
  return performance.now() - began
}

/** Median time of many calls, in milliseconds. */
const medianOf = (work: (i: number) => void, times = repetitions) =>
  median(Array.from({ length: times }, (_, i) => millisecondsOf(() => work(i))))

/** Size and speed of an archive of 2,000 series, in this process; leaves it in the data directory. */
async function candleRows(dataDirectory: string): Promise<Table> {
  const store = openEmbedded(dataDirectory)
  const archive = new Archive(store.keyValues, { depth, journal: store.journal })
  for (let i = 0; i < seriesCount; i++) archive.write(keyOf(i), recentCandles(depth, i), depth)
  const diskBytes = bytesIn(join(dataDirectory, 'candles')) / (seriesCount * depth)

  const key = 'x:DEEP:1h'
  archive.setDepth(key, longDepth)
  archive.write(key, recentCandles(longDepth, 1))
  const readingLong = medianOf(() => archive.read(key))
  const readingShort = medianOf(i => archive.read(keyOf(i)))
  const newest = recentCandles(1, 1)[0] as Candle
  const after = (candles: number) => ({ ...newest, timestamp: newest.timestamp + hour * candles })
  const writing = medianOf(i => archive.write(key, [after(i + 1)]))
  const enqueueing = medianOf(i => archive.enqueue(key, [after(repetitions + i + 1)]))
  archive.flush()
  for (let i = 0; i < seriesCount; i++) archive.enqueue(keyOf(i), [after(1)])
  const flushing = millisecondsOf(() => archive.flush())
  const memoryBytes = (count: number) => {
    const read = archive.read(key, count)
    return read ? Series.over('1h', count, read.columns, read.closed).bytes / read.closed : 0
  }
  const table = {
    'bytes a candle on disk, 2,000 series of 1,000': { value: rounded(diskBytes) },
    'bytes a candle in memory, 1,000 of a series': { value: rounded(memoryBytes(1000)) },
    'bytes a candle in memory, 5,000 of a series': { value: rounded(memoryBytes(5000)) },
    'reading 5,000 candles, ms': { value: rounded(readingLong, 3) },
    'reading 1,000 candles, ms': { value: rounded(readingShort, 3) },
    'writing a candle at once, ms': { value: rounded(writing, 3) },
    'enqueueing a candle, ms': { value: rounded(enqueueing, 3) },
    'flushing a candle each of 2,000 series, ms for 50 of them': {
      value: rounded((flushing * 50) / seriesCount),
    },
  }
  await store.close()
  return table
}

/** Candles of a market in steps of `seconds`, with prices and volumes of the market's decimals. */
function marketCandles(count: number, seconds: number, market: Market): Candle[] {
  const random = createRandom(11)
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const ticks = 10 ** market.priceDecimals
  const lots = 10 ** market.volumeDecimals
  let price = market.price * ticks
  return Array.from({ length: count }, (_, i) => {
    const open = Math.round(price)
    const path = Array.from({ length: 20 }, () => {
      price *= Math.exp((normal() * market.volatility) / Math.sqrt(20))
      return Math.round(price)
    })
    price = path.at(-1) as number
    return {
      timestamp: i * seconds,
      open: open / ticks,
      high: Math.max(open, ...path) / ticks,
      low: Math.min(open, ...path) / ticks,
      close: price / ticks,
      volume: Math.round(market.volume * Math.exp(normal()) * lots) / lots,
    }
  })
}

interface Market {
  readonly price: number
  readonly priceDecimals: number
  readonly volumeDecimals: number
  /** The mean volume of a candle, and the standard deviation of its return. */
  readonly volume: number
  readonly volatility: number
}

const bitcoin: Market = { price: 60_000, priceDecimals: 2, volumeDecimals: 8, volume: 15, volatility: 0.0006 }
const share: Market = { price: 180, priceDecimals: 2, volumeDecimals: 0, volume: 5e7, volatility: 0.015 }

/** Size of packed chunks, and the time to pack and read them. */
async function packedRows(): Promise<Table> {
  const demo = createDemoSource(() => 1_760_000_000)
  const demoCandles = (timeframe: Timeframe) => demo.candles('BTCUSDT', timeframe, packedCount)
  const markets: Record<string, readonly Candle[]> = {
    'BTCUSDT of demo, 1m': await demoCandles('1m'),
    'BTCUSDT of demo, 1h': await demoCandles('1h'),
    'BTCUSDT of demo, 1d': await demoCandles('1d'),
    'a coin, 1m, volumes of 8 decimals': marketCandles(packedCount, 60, bitcoin),
    'a coin, 1h, volumes of 8 decimals': marketCandles(packedCount, 3600, {
      ...bitcoin,
      volume: 900,
      volatility: 0.005,
    }),
    'a share, 1d, whole volumes': marketCandles(packedCount, 86_400, share),
  }
  const table: Record<string, { value: number }> = {}
  for (const [name, candles] of Object.entries(markets)) {
    const chunks = cutIntoChunks('x', candles, false)
    const bytes = chunks.reduce((sum, [, chunk]) => sum + chunk.byteLength, 0)
    table[`bytes a candle, ${name}`] = { value: rounded(bytes / candles.length) }
    const perCandle = (work: () => void) => rounded((medianOf(work) * 1e6) / candles.length, 0)
    table[`reading, ns a candle, ${name}`] = {
      value: perCandle(() => {
        for (const [chunk, stored] of chunks) readChunk(chunk, stored)
      }),
    }
    table[`packing, ns a candle, ${name}`] = { value: perCandle(() => cutIntoChunks('x', candles, false)) }
  }
  return table
}

/** Cost of a restart over 2,000 archived series while their exchange is down. */
async function restartRows(dataDirectory: string): Promise<Table> {
  const exchange = createServer((_, response) => response.writeHead(503).end('{}'))
  await new Promise<void>(resolve => exchange.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(exchange.address() as AddressInfo).port}`
  const settings = {
    LOG_LEVEL: 'silent',
    EXCHANGES: JSON.stringify({ binance: { urls: { api: { public: address } }, rateLimit: 1 } }),
  }
  const headers = { authorization: `Bearer ${createKey(dataDirectory)}` }
  const startMs: number[] = []
  const pending: number[] = []
  const replyMs: number[] = []
  const emptyStartMs: number[] = []
  try {
    for (let i = 0; i < starts; i++) {
      const service = await startServiceOver(dataDirectory, settings)
      startMs.push(service.startMs)
      let accepted = 0
      for (let k = 0; k < seriesCount; k++) {
        const began = performance.now()
        const response = await fetch(
          `http://127.0.0.1:${service.port}/candles?exchange=binance&symbol=S${k}USDT&timeframe=1h&results=max`,
          { headers },
        )
        const body = (await response.json()) as unknown[]
        if (response.status === 202) accepted++
        else if (response.status !== 200 || body.length < depth) throw new Error(`S${k}: ${response.status}`)
        replyMs.push(performance.now() - began)
      }
      pending.push(accepted)
      await service.stop()
    }
    for (let i = 0; i < starts; i++) {
      const service = await startServiceOver(mkdtempSync(join(dataDirectory, 'empty-')), settings)
      emptyStartMs.push(service.startMs)
      await service.stop()
    }
  } finally {
    exchange.close()
  }
  return {
    'restart with 2,000 series until it listens, ms': { value: rounded(median(startMs), 0) },
    'start without any, ms': { value: rounded(median(emptyStartMs), 0) },
    'first requests answered with 202': { value: Math.max(...pending) },
    'first request for a series, exchange down (1,000 candles as JSON), ms': {
      value: rounded(median(replyMs)),
    },
  }
}

/**
 * Cost of an archive of 2,000 series: bytes, reading, writing, and a restart of the service over it; and of one long series.
 */
export async function benchArchive(): Promise<readonly Table[]> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'candela-bench-'))
  try {
    const long = await longHistoryRows()
    return [await packedRows(), await candleRows(dataDirectory), await restartRows(dataDirectory), long]
  } finally {
    rmSync(dataDirectory, { recursive: true, force: true })
  }
}
