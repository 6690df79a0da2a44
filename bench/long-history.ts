import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Candle } from '#dist/candles/candle.js'
import { type CandleBlock, Columns } from '#dist/candles/columns.js'
import { catalogue } from '#dist/catalogue/index.js'
import { Expressions } from '#dist/compute/expressions/expressions.js'
import { BufferSink } from '#dist/compute/json/sink.js'
import { Calculator } from '#dist/compute/kernels/calculator.js'
import { RangeAnswers } from '#dist/compute/ranges/range-answers.js'
import { runRange } from '#dist/compute/ranges/range-thread.js'
import { type Query, readQuery } from '#dist/contract/query.js'
import { isRefusal } from '#dist/contract/refusals.js'
import { Archive } from '#dist/markets/archive/archive.js'
import { type OlderLocation, OlderReader } from '#dist/markets/history/older-reader.js'
import { BufferPool } from '#dist/runtime/buffer-pool.js'
import { openCandles, openEmbedded } from '#dist/store/embedded/embedded.js'
import type { Table } from './baseline.js'
import { effort } from './effort.js'
import { randomCandles } from './random-walk.js'
import { createKey, residentMb, startServiceOver } from './service-process.js'
import { median, rounded } from './statistics.js'

/** Ten years of minutes. */
const count = effort(5_000_000, 20_000)
const minute = 60
const start = 1_400_000_040
const key = 'binance:LONGUSDT:1m'
/** Number of candles written at a time. */
const batch = 100_000

const decimal = (value: number, digits: number): number => Number(value.toFixed(digits))

/** Minute candles from the one at index `first` on, with decimal prices and volumes like those of a market. */
const minutesOf = (candles: number, first: number): readonly Candle[] =>
  randomCandles(candles, first + 1).map(({ open, high, low, close, volume }, i) => ({
    timestamp: start + (first + i) * minute,
    open: decimal(open, 2),
    high: decimal(high, 2),
    low: decimal(low, 2),
    close: decimal(close, 2),
    volume: decimal(volume, 3),
  }))

/** Milliseconds of processor time. */
const millisecondsOf = async (work: () => unknown): Promise<number> => {
  const began = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(began)
  return (user + system) / 1000
}

/** A snapshot of an archive: the closed candles in memory, and the location of the earlier ones. */
function snapshotOf(archive: Archive, directory: string) {
  const { columns, closed } = archive.load(key) as { columns: Columns; closed: number }
  const location: OlderLocation = { kind: 'stored', directory, key }
  const older = { timeframe: '1m', first: start, id: 'long', location } as const
  return { columns, closed, forming: undefined, count: closed, older }
}

function createAnswers() {
  const reader = new OlderReader(openCandles)
  const calculator = new Calculator()
  const sink = new BufferSink(calculator.writer, new BufferPool(16 * 2 ** 20))
  const expressions = new Expressions()
  const readOlder = (
    location: unknown,
    from: number,
    to: number,
    closesOnly?: boolean,
  ): Iterable<CandleBlock> => reader.read(location as OlderLocation, from, to, closesOnly)
  return new RangeAnswers({
    onBug: error => {
      throw error
    },
    run: async task => {
      const found = runRange(task, {
        readOlder,
        expressions,
        sink,
        writer: calculator.writer,
        pause: () => {},
      })
      return { answer: sink.take(), ...found }
    },
  })
}

/** RSI over ten years of minutes from the archive: the whole range, and the newest value. */
export async function longHistoryRows(): Promise<Table> {
  const directory = mkdtempSync(join(tmpdir(), 'candela-bench-'))
  try {
    const store = openEmbedded(directory)
    const archive = new Archive(store.keyValues, { depth: 1000 })
    archive.setDepth(key, count)
    for (let from = 0; from < count; from += batch) {
      archive.write(key, minutesOf(Math.min(batch, count - from), from))
    }
    const snapshot = snapshotOf(archive, directory)
    const newest = start + (count - 1) * minute
    const query = readQuery(
      catalogue.get('rsi') as NonNullable<ReturnType<typeof catalogue.get>>,
      new Map([['from', String(newest)]]),
      'text',
    ) as Query
    const caller = { accountId: 'a' }
    const ask = async (answers: RangeAnswers) => {
      const found = await answers.answer(
        { query, range: { from: newest, to: newest }, inputs: [snapshot] },
        caller,
      )
      if (isRefusal(found)) throw new Error(found.error)
      return found.body.takeText()
    }
    const reader = new OlderReader(openCandles)
    const { location } = snapshot.older
    const read = (closesOnly: boolean) =>
      millisecondsOf(() => {
        let candles = 0
        for (const { from, to } of reader.read(location, 0, newest, closesOnly)) candles += to - from
        if (candles < count) throw new Error(`${candles} candles were read`)
      })
    const before = process.memoryUsage().rss
    let most = 0
    const watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage().rss)
    }, 5)
    // Alternating, because the machine is not equally fast all the time.
    const all: number[] = []
    const columns: number[] = []
    const closes: number[] = []
    for (let round = 0; round < effort(9, 1); round++) {
      columns.push(await read(false))
      closes.push(await read(true))
      const answers = createAnswers()
      all.push(await millisecondsOf(() => ask(answers)))
      most = Math.max(most, process.memoryUsage().rss)
    }
    clearInterval(watch)
    const kernel = await kernelMs(query)
    const alone = closes.map(ms => ms + kernel)
    const answers = createAnswers()
    await ask(answers)
    const times: number[] = []
    for (let i = 0; i < effort(50, 3); i++) {
      const began = performance.now()
      await ask(answers)
      times.push(performance.now() - began)
    }
    await store.close()
    return {
      ...(await restartRows(directory, newest)),
      'RSI over ten years of minutes out of the archive, ms of processor time': {
        value: rounded(median(all), 0),
      },
      'reading all of their columns alone, ms': { value: rounded(median(columns), 0) },
      'reading their closes alone, ms': { value: rounded(median(closes), 0) },
      'the kernel alone over as many, ms': { value: rounded(kernel, 0) },
      'the RSI, by reading closes and the kernel alone': {
        value: rounded(median(all.map((ms, round) => ms / (alone[round] as number))), 2),
      },
      'memory above rest meanwhile, MiB': { value: rounded((most - before) / 2 ** 20, 0) },
      'the newest value after that, ms': { value: rounded(median(times), 2) },
    }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Replies of a service over the same candles after its start, while their exchange is down, and their memory. */
async function restartRows(directory: string, newest: number): Promise<Table> {
  const exchange = createServer((_, response) => response.writeHead(503).end('{}'))
  await new Promise<void>(resolve => exchange.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(exchange.address() as AddressInfo).port}`
  const headers = { authorization: `Bearer ${createKey(directory)}` }
  const service = await startServiceOver(directory, {
    LOG_LEVEL: 'silent',
    EXCHANGES: JSON.stringify({ binance: { urls: { api: { public: address } }, rateLimit: 1 } }),
  })
  let most = 0
  const watch = setInterval(() => {
    most = Math.max(most, residentMb(service.pid) ?? 0)
  }, 5)
  try {
    const get = async (query: string) => {
      const began = performance.now()
      const path = `/indicator/rsi?exchange=binance&symbol=LONGUSDT&timeframe=1m&${query}`
      const response = await fetch(`http://127.0.0.1:${service.port}${path}`, { headers })
      if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`)
      await response.arrayBuffer()
      return performance.now() - began
    }
    const often = async (query: string) => {
      const times: number[] = []
      for (let i = 0; i < effort(200, 3); i++) times.push(await get(query))
      return { value: rounded(median(times), 2) }
    }
    // The first request loads the exchange and finds that it is down.
    const first = await get('results=1')
    const rest = residentMb(service.pid) ?? 0
    most = 0
    const warm = await often('results=1')
    const range = (candles: number) => `from=${newest - candles * minute}&to=${newest}`
    const all = await get(range(0))
    const inMemory = await often(range(0))
    const older = await get(`from=${start + minute * 100}&to=${start + minute * Math.min(count - 1, 10_000)}`)
    const far = await get(range(Math.min(count - 1, effort(99_000, 1000))))
    return {
      'start over ten years of minutes until it listens, ms': { value: rounded(service.startMs, 0) },
      'its first answer, the newest RSI, exchange down, ms': { value: rounded(first, 1) },
      'the newest RSI after that over HTTP, ms': warm,
      'the RSI of the newest minute as a range, over all candles, the first time, ms': {
        value: rounded(all, 0),
      },
      'the same again, ms': inMemory,
      'the RSI of the 10,000 oldest minutes, ms': { value: rounded(older, 0) },
      'the RSI of the 99,000 newest minutes, ms': { value: rounded(far, 0) },
      'memory of the service above rest meanwhile, MB': { value: rounded(most - rest, 0) },
    }
  } finally {
    clearInterval(watch)
    await service.stop()
    exchange.close()
  }
}

/** Time of the kernel over as many candles, over columns in memory, repeatedly. */
async function kernelMs(query: Query): Promise<number> {
  const length = Math.min(count, batch)
  const columns = new Columns(length)
  for (const [at, candle] of minutesOf(length, 0).entries()) columns.write(at, candle)
  const snapshot = { columns, closed: length, forming: undefined, count: length }
  const calculator = new Calculator()
  calculator.compute(query, [snapshot])
  const ms = await millisecondsOf(() => {
    for (let done = 0; done < count; done += length) calculator.compute(query, [snapshot])
  })
  return ms
}
