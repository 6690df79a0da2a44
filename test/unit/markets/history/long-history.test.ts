import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Candle } from '../../../../src/candles/candle.js'
import { packCandles } from '../../../../src/candles/candle.js'
import type { Store } from '../../../../src/contract/storage/stores.js'
import { Archive } from '../../../../src/markets/archive/archive.js'
import { unpackInSlices } from '../../../../src/markets/exchanges/packing.js'
import type { Source } from '../../../../src/markets/exchanges/source.js'
import { History } from '../../../../src/markets/history/history.js'
import type { Pending, Reading } from '../../../../src/markets/history/reading.js'
import { pieceLength, piecesOf } from '../../../../src/runtime/scheduler.js'
import { openEmbedded } from '../../../../src/store/embedded/embedded.js'
import { moveMonotonic, resetMonotonic } from '../../../support/monotonic-clock.js'
import { candleAt, closedOf } from '../../../support/scripted-source.js'

const market = { exchange: 'x', symbol: 'BTCUSDT', timeframe: '1m' } as const
const key = 'x:BTCUSDT:1m'
const depth = 4 * pieceLength
/** Half a minute after the newest candle has opened. */
const now = 2_000_000 * 60 + 30
const candlesUpTo = (newest: number, count: number): Candle[] =>
  Array.from({ length: count }, (_, k) => candleAt((newest - count + 1 + k) * 60))
/** The last one is forming. */
const candles = candlesUpTo(2_000_000, depth)

let directory: string
let store: Store
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'candela-'))
  store = openEmbedded(directory)
})
afterEach(async () => {
  vi.restoreAllMocks()
  resetMonotonic()
  // A turn that began by the clock of a test has ended when the next one begins.
  await new Promise(setImmediate)
  await store.close()
  rmSync(directory, { recursive: true, force: true })
})

/** A clock on which everything takes longer than a turn of the event loop has time for. */
function slowly() {
  let now = performance.now()
  return () => (now += 5)
}

/** Counts turns of the event loop until it is stopped. */
function countTurns() {
  let turns = 0
  let isStopped = false
  const count = () => {
    turns++
    if (!isStopped) setImmediate(count)
  }
  setImmediate(count)
  return {
    get turns() {
      return turns
    },
    stop() {
      isStopped = true
    },
  }
}

describe('a long history', () => {
  it('is worked on in pieces, a short one in one', () => {
    expect(Array.from(piecesOf(candles), ({ length }) => length)).toEqual(Array(4).fill(pieceLength))
    expect([...piecesOf(candles)].flat()).toEqual(candles)
    expect([...piecesOf(candles.slice(0, pieceLength))]).toEqual([candles.slice(0, pieceLength)])
    expect([...piecesOf([])], 'nothing is merged, too').toEqual([[]])
  })

  it('is unpacked in turns as it was packed', async () => {
    const turns = countTurns()
    vi.spyOn(performance, 'now').mockImplementation(slowly())
    expect(await unpackInSlices(packCandles(candles))).toEqual(candles)
    turns.stop()
    expect(turns.turns).toBeGreaterThanOrEqual(3)
    expect(await unpackInSlices(packCandles([]))).toEqual([])
  })

  it('that is fetched for the first time is merged and archived in turns, and read when it is whole', async () => {
    const source: Source = { symbols: () => [], candles: async () => candles }
    const archive = new Archive(store.keyValues, { depth, clock: () => now })
    const turns = countTurns()
    vi.spyOn(performance, 'now').mockImplementation(slowly())
    const writtenAt = new Set<number>()
    const failures: unknown[] = []
    const history = new History({
      ...{ depth, bytes: 1e9, refreshSeconds: 5, clock: () => now, archive },
      counters: { writes: { add: () => writtenAt.add(turns.turns) } },
      onFailure: error => failures.push(error),
    })
    const pending = history.read(market, source) as Pending
    expect(history.read(market, source), 'a second reader waits for the same').toBe(pending)
    const {
      inputs: [snapshot],
    } = await pending.ready
    turns.stop()
    expect(writtenAt.size).toBe(4)
    expect(failures).toEqual([])
    const read = Array.from({ length: snapshot.closed }, (_, at) => snapshot.columns.read(at))
    expect([...read, snapshot.forming]).toEqual(candles)
    const stored = new Archive(store.keyValues, { depth }).read(key)
    expect(stored?.closed).toBe(depth - 1)
    expect(stored?.isIncomplete).toBe(false)
    expect(stored?.columns.read(0)).toEqual(candles[0])
    expect(stored?.columns.read(depth - 2)).toEqual(candles[depth - 2])
    expect(archive.info(key).requestedDepth).toBe(depth)
  })

  it('that takes a whole turn is merged and archived in a turn of its own, where many first fetches end at once', async () => {
    const short = candles.slice(-100)
    const source: Source = { symbols: () => [], candles: async () => short }
    const archive = new Archive(store.keyValues, { depth: 100, clock: () => now })
    const turns = countTurns()
    const writtenAt: number[] = []
    const history = new History({
      ...{ depth: 100, bytes: 1e9, refreshSeconds: 5, clock: () => now, archive },
      counters: {
        writes: {
          add() {
            writtenAt.push(turns.turns)
            moveMonotonic(5)
          },
        },
      },
    })
    const symbols = Array.from({ length: 20 }, (_, at) => `C${at}`)
    const readings = symbols.map(symbol => history.read({ ...market, symbol }, source) as Pending)
    for (const { ready } of readings) expect((await ready).inputs[0].closed).toBe(99)
    turns.stop()
    expect(writtenAt).toHaveLength(symbols.length)
    expect(new Set(writtenAt).size).toBe(symbols.length)
  })

  it('whose archiving was cut off half-way is whole again after the next fetch', async () => {
    const half = candles.slice(0, depth / 2)
    const archive = new Archive(store.keyValues, { depth, clock: () => now })
    archive.write(key, half, depth)
    const source: Source = {
      symbols: () => [],
      candles: async (_symbol, _timeframe, count) => candles.slice(-count),
    }
    const history = new History({ depth, bytes: 1e9, refreshSeconds: 5, clock: () => now, archive })
    const reading = await history.read(market, source)
    const {
      inputs: [snapshot],
    } = 'ready' in reading ? await reading.ready : reading
    const read = Array.from({ length: snapshot.closed }, (_, at) => snapshot.columns.read(at))
    expect([...read, snapshot.forming]).toEqual(candles)
  })
})

/** The processor time of `work`, and the longest processor time between two turns of the event loop, in milliseconds. */
async function processorTimes(work: () => Promise<unknown>) {
  const now = () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  }
  const began = now()
  let last = began
  let longest = 0
  let isOver = false
  const look = () => {
    const time = now()
    longest = Math.max(longest, time - last)
    last = time
    if (!isOver) setImmediate(look)
  }
  setImmediate(look)
  await work()
  isOver = true
  look()
  return { longest, total: now() - began }
}

describe('a long history in another scale', () => {
  const multiplied = (scale: number) =>
    candles.map(({ timestamp, open, high, low, close, volume }) => ({
      ...{ timestamp, open: open * scale, high: high * scale, low: low * scale, close: close * scale },
      volume,
    }))
  const split = multiplied(4)

  /** An archived series that a feed has pinned. At the next request, the exchange shows its prices multiplied by four. */
  async function archived() {
    let shown = candles
    let time = now
    let writes = 0
    /** Called when all candles are requested from the exchange again. */
    const onWhole = { call: () => {} }
    const source: Source = {
      symbols: () => [],
      async candles(_symbol, _timeframe, count) {
        if (shown === split && count === depth) onWhole.call()
        return shown.slice(-count)
      },
    }
    const failures: unknown[] = []
    const history = new History({
      ...{ depth, bytes: 1e9, refreshSeconds: 5, clock: () => time },
      archive: new Archive(store.keyValues, { depth, clock: () => time }),
      counters: { writes: { add: () => writes++ } },
      onFailure: error => failures.push(error),
    })
    const pinned = await history.pin(market, source)
    shown = split
    time += 10
    writes = 0
    const refresh = () => history.read(market, source) as Promise<Reading>
    return { pinned, refresh, onWhole, failures, writes: () => writes }
  }
  const storedCandles = () => closedOf(new Archive(store.keyValues, { depth }).read(key) as never)

  it('is prepared in turns, and replaced in one transaction', async () => {
    const { refresh, failures, writes } = await archived()
    const turns = countTurns()
    vi.spyOn(performance, 'now').mockImplementation(slowly())
    const {
      inputs: [snapshot],
    } = await refresh()
    turns.stop()
    // The candles of each piece are merged in one turn, and encoded in another one.
    expect(turns.turns).toBeGreaterThanOrEqual(2 * (depth / pieceLength) - 2)
    expect([...closedOf(snapshot), snapshot.forming]).toEqual(split)
    expect(storedCandles()).toEqual(split.slice(0, -1))
    expect(writes()).toBe(1)
    expect(failures).toEqual([])
  })

  it('holds the event loop for a part of the work only', async () => {
    const shares: number[] = []
    for (let round = 0; round < 3; round++) {
      new Archive(store.keyValues, { depth }).remove(key)
      const { refresh } = await archived()
      const { longest, total } = await processorTimes(refresh)
      shares.push(longest / total)
    }
    // The collection of garbage counts as well, wherever it falls.
    expect(Math.min(...shares)).toBeLessThan(0.6)
  })

  it('goes on in turns with older candles that an earlier split has left as they were', async () => {
    const older = candlesUpTo(2_000_000 - depth, 3 * depth)
    const archive = new Archive(store.keyValues, { depth })
    archive.setDepth(key, 4 * depth)
    archive.write(key, older)
    archive.replace(key, candles.slice(0, -1), { scale: { price: 4, volume: 1 } })
    vi.spyOn(performance, 'now').mockImplementation(slowly())
    const turns = countTurns()
    const writes = new Map<number, number>()
    const { write } = store.keyValues
    let isFull = true
    vi.spyOn(store.keyValues, 'write').mockImplementation(changes => {
      if (isFull) throw new Error('ENOSPC')
      writes.set(turns.turns, (writes.get(turns.turns) ?? 0) + 1)
      write(changes)
    })
    const { refresh, failures } = await archived()
    while (failures.length === 0) await new Promise(setImmediate)
    isFull = false
    await refresh()
    for (const _ of archive.adjustSplit(key)) await new Promise(setImmediate)
    turns.stop()
    expect(failures).toEqual([new Error('ENOSPC')])
    expect(writes.size).toBeGreaterThan(8)
    expect(Math.max(...writes.values())).toBeLessThan(4)
    const [first] = archive.blocks(key)
    expect(first?.columns.open[0]).toBe(16 * (older[0] as Candle).open)
  })

  it('keeps what a feed shows while it is prepared', async () => {
    const { pinned, refresh, onWhole, failures } = await archived()
    const [closed, forming] = [{ ...candleAt(2_000_000 * 60), open: 8 }, candleAt(2_000_001 * 60)]
    onWhole.call = () =>
      setImmediate(() => setImmediate(() => pinned.merge([closed, forming], forming.timestamp)))
    const {
      inputs: [snapshot],
    } = await refresh()
    expect(snapshot.forming).toEqual(forming)
    expect(failures).toEqual([])
    expect(closedOf(snapshot)).toEqual([...split.slice(0, -1), closed])
    expect(storedCandles()).toEqual([...split.slice(0, -1), closed])
  })
})

it('candles that are missing below those in memory are fetched in the background, those that the exchange does not have once', async () => {
  const inMemory = 50_000
  const all = candlesUpTo(2_000_000, inMemory + 20_000)
  const isMissing = (at: number) => at >= 5000 && at < 9000
  // The exchange lacks these candles, too.
  const exchange = all.filter((_, at) => at < 6000 || at > 6010)
  const archive = new Archive(store.keyValues, { depth, clock: () => now })
  archive.setDepth(key, all.length)
  const closed = all.slice(0, -1)
  archive.write(key, closed.slice(0, 5000))
  archive.replace(key, closed.slice(9000))
  expect(archive.info(key)).toMatchObject({ wholeFrom: all[9000]?.timestamp })
  let inBackground = 0
  const source: Source = {
    symbols: () => [],
    candles(_symbol, _timeframe, count, { until = Number.POSITIVE_INFINITY, isBackground = false } = {}) {
      if (isBackground) inBackground += count
      return exchange.filter(({ timestamp }) => timestamp < until).slice(-count)
    },
  }
  const storedTimes = () =>
    [...archive.blocks(key)].flatMap(({ columns, from, to }) => [...columns.timestamp.subarray(from, to)])
  const start = () =>
    new History({
      ...{ depth, bytes: 1e9, refreshSeconds: 5, clock: () => now, archive },
      onFailure: error => expect.fail(String(error)),
    })
  vi.spyOn(performance, 'now').mockImplementation(slowly())
  await start().read(market, source)
  expect(storedTimes(), 'no reader waits for it').toEqual(
    closed.filter((_, at) => !isMissing(at)).map(({ timestamp }) => timestamp),
  )
  while (archive.info(key)?.wholeFrom !== Number.NEGATIVE_INFINITY) await new Promise(setImmediate)
  expect(storedTimes()).toEqual(exchange.slice(0, -1).map(({ timestamp }) => timestamp))
  expect(inBackground).toBeGreaterThanOrEqual(4000)
  inBackground = 0
  await start().read(market, source)
  await new Promise(setImmediate)
  expect(inBackground).toBe(0)
})
