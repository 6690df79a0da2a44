import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { Candle } from '../../src/candles/candle.js'
import { openOf } from '../../src/candles/timeframe.js'
import { type Binance, ccxtOptions, faults, startBinance } from '../support/binance.js'
import { type Outcome, runCommand } from '../support/command-line.js'
import { Candela } from '../support/service-process.js'
import { zipOf } from '../support/zip.js'

const cli = fileURLToPath(new URL('../../dist/cli/candela.js', import.meta.url))
const klines = '/api/v3/klines'
const hour = 3600
/** Seven hours, 150 days ago: a backfill of 5000 hours passes them. */
const gapFrom = Math.floor(Date.now() / 86_400_000 - 150) * 86_400_000
const gap = [gapFrom, gapFrom + 7 * 3_600_000] as const

let binance: Binance
let directory: string
beforeAll(async () => {
  const spot = { venue: 'spot', quote: 'USDT', listed: Date.UTC(2017, 7, 17, 4) } as const
  binance = await startBinance({
    markets: [
      { ...spot, symbol: 'BTCUSDT', base: 'BTC', price: 64_000, gaps: [gap] },
      { ...spot, symbol: 'ETHUSDT', base: 'ETH', price: 3100, listed: Date.now() - 300 * hour * 1000 },
    ],
  })
})
afterAll(() => binance.close())
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'candela-'))
})
const cleanups: (() => void)[] = []
afterEach(() => {
  for (const end of cleanups.splice(0)) end()
  rmSync(directory, { recursive: true, force: true })
})

interface Run {
  readonly child: ChildProcess
  readonly ended: Promise<Outcome>
}

const settings = () => ({
  DATA_DIR: directory,
  EXCHANGES: JSON.stringify({ binance: ccxtOptions(binance.url) }),
})

/** Runs a command in a process of its own. */
function start(...words: string[]): Run {
  const child = spawn(process.execPath, [cli, ...words], {
    env: { PATH: process.env.PATH, ...settings() },
  })
  let out = ''
  let err = ''
  child.stdout.on('data', chunk => {
    out += chunk
  })
  child.stderr.on('data', chunk => {
    err += chunk
  })
  return { child, ended: once(child, 'close').then(([code]) => ({ code, out, err })) }
}
/** Runs a command in this process. */
const candela = (...words: string[]) => runCommand(words, settings())

/** The candles that `candela export` writes. */
async function exported(...words: string[]): Promise<Candle[]> {
  const { out } = await candela('export', ...words)
  return out
    .trimEnd()
    .split('\n')
    .slice(1)
    .map(line => {
      const [timestamp, open, high, low, close, volume] = line.split(',').map(Number) as [
        number,
        number,
        number,
        number,
        number,
        number,
      ]
      return { timestamp, open, high, low, close, volume }
    })
}

/** The newest closed candles as the exchange has them. */
const closedTruth = (symbol: string, interval: string, count: number): Candle[] =>
  binance.truth(symbol, interval, count + 1).slice(0, -1)

/** The exchange's candles from the first to the last of `candles`, however much time has passed since. */
function truthOf(candles: readonly Candle[], symbol: string, interval: string): Candle[] {
  const [first, last] = [candles[0]?.timestamp ?? 0, candles.at(-1)?.timestamp ?? 0]
  return binance
    .truth(symbol, interval, candles.length + 10)
    .filter(({ timestamp }) => timestamp >= first && timestamp <= last)
}

/** Start times, in Unix seconds, of the requests for candles after the first `from` requests. */
const startsSince = (from: number): number[] =>
  binance.seen
    .slice(from)
    .filter(({ pathname }) => pathname === klines)
    .map(({ searchParams }) => Number(searchParams.get('startTime')) / 1000)

const backfill = ['backfill', 'binance', 'BTCUSDT', '1h', '--depth', '5000'] as const

describe('candela backfill', () => {
  /** A data directory with all candles of the backfill. */
  let complete: string
  beforeAll(async () => {
    complete = mkdtempSync(join(tmpdir(), 'candela-'))
    directory = complete
    expect((await candela(...backfill)).code).toBe(0)
  })
  afterAll(() => rmSync(complete, { recursive: true }))

  it('continues after kill -9 where it stopped', async () => {
    cleanups.push(binance.fail(klines, { kind: 'wait', until: Promise.resolve() }, 4))
    cleanups.push(binance.fail(klines, faults.silence, 1))
    const before = binance.requests(klines)
    const first = start(...backfill)
    await binance.requested(klines, before + 5)
    first.child.kill('SIGKILL')
    const { err } = await first.ended
    expect(err).toMatch(/^binance BTCUSDT 1h: 1\d{3} of 5000 candles, back to 20\d\d-/m)
    const kept = await exported('binance', 'BTCUSDT', '1h')
    expect(kept.length, 'at least the first batch').toBeGreaterThan(1900)
    expect(kept).toEqual(truthOf(kept, 'BTCUSDT', '1h'))

    const { length } = binance.seen
    const second = await candela(...backfill)
    expect({ code: second.code, out: second.out }).toEqual({
      code: 0,
      out: expect.stringMatching(
        /^binance BTCUSDT 1h: 5000 candles, .* to .*; \d+ fetched, 1 gap \(7 candles that the exchange does not have\)\n$/,
      ),
    })
    expect(Number(/(\d+) fetched/.exec(second.out)?.[1])).toBeLessThanOrEqual(5000 - kept.length + 1)
    const oldest = kept[0]?.timestamp ?? 0
    const tail = openOf('1h', Date.now() / 1000) - 1002 * hour
    const starts = startsSince(length)
    expect(starts.length, 'no page twice').toBeLessThanOrEqual(Math.ceil((5000 - kept.length) / 999) + 3)
    for (const from of starts) {
      const isOlder = from < oldest
      const isGap = from * 1000 >= gap[0] - 1002 * hour * 1000 && from * 1000 <= gap[1]
      expect(isOlder || isGap || from >= tail, new Date(from * 1000).toISOString()).toBe(true)
    }
    const all = await exported('binance', 'BTCUSDT', '1h')
    expect(all.length).toBeGreaterThanOrEqual(5000)
    expect(all).toEqual(truthOf(all, 'BTCUSDT', '1h'))
  })

  it('fetches no candle twice', async () => {
    cpSync(complete, directory, { recursive: true })
    const { length: seenBefore } = binance.seen
    expect((await candela(...backfill)).code).toBe(0)
    expect(startsSince(seenBefore).length, 'nothing but what has closed since').toBeLessThanOrEqual(1)
  })

  it('stores what a service on the same data directory serves, and extends it while the service runs', async () => {
    cpSync(complete, directory, { recursive: true })
    const service = await Candela.start({ ...settings(), REFRESH_SECONDS: '1' })
    onTestFinished(async () => void (await service.stop()))
    const { status, body } = await service.get(
      '/candles?exchange=binance&symbol=BTCUSDT&timeframe=1h&results=max',
    )
    expect(status, 'at once').toBe(200)
    expect(body.length).toBeGreaterThanOrEqual(5000)
    const shown = body
      .slice(-5000, -1)
      .map(({ timestampHuman: _, ...candle }: { timestampHuman: string }) => candle)
    expect(shown).toEqual(truthOf(shown, 'BTCUSDT', '1h'))

    const path = '/candles?exchange=binance&symbol=BTCUSDT&timeframe=15m&results=max'
    const waitForCandles = async (min: number) => {
      for (let tries = 0; tries < 100; tries++) {
        const { status, body } = await service.get(path)
        if (status === 200 && body.length >= min) return body.length as number
        await sleep(100)
      }
      throw new Error(`the service has no ${min} candles`)
    }
    expect(await waitForCandles(900)).toBeLessThan(1300)
    const { code, err } = await candela('backfill', 'binance', 'BTCUSDT', '15m', '--depth', '3000')
    expect(code, err).toBe(0)
    expect(await waitForCandles(3000)).toBeLessThan(3800)
  })

  it('keeps the fetched candles when it is interrupted, and prints how to go on', async () => {
    cleanups.push(binance.fail(klines, { kind: 'wait', until: Promise.resolve() }, 3))
    cleanups.push(binance.fail(klines, faults.silence))
    const before = binance.requests(klines)
    const run = start(...backfill)
    await binance.requested(klines, before + 4)
    run.child.kill('SIGINT')
    const { code, out, err } = await run.ended
    expect({ code, out }).toEqual({ code: 130, out: '' })
    const interrupted = /candela: interrupted; (\d+) fetched candles kept\. To continue: (.*)\n$/.exec(err)
    expect(interrupted?.[2]).toBe('candela backfill binance BTCUSDT 1h --depth 5000')
    expect(await exported('binance', 'BTCUSDT', '1h')).toHaveLength(Number(interrupted?.[1]))
  })

  it('retries when the exchange fails, then ends with exit code 1 and keeps the fetched candles', async () => {
    cleanups.push(binance.fail(klines, { kind: 'wait', until: Promise.resolve() }, 3))
    cleanups.push(binance.fail(klines, faults.unavailable))
    const { code, err } = await candela(...backfill)
    expect(code).toBe(1)
    const kept = await exported('binance', 'BTCUSDT', '1h')
    expect(kept.length).toBeGreaterThan(1900)
    expect(err).toContain(
      `candela: ${kept.length} fetched candles kept. To continue: candela backfill binance BTCUSDT 1h --depth 5000\n`,
    )
    expect(err).toMatch(/\ncandela: binance is not available \(HTTP 503\)\n$/)
  })

  it('reports that the exchange has no older candles', async () => {
    const { code, out } = await candela('backfill', 'binance', 'eth-usdt', '1h', '--depth', '5000')
    expect({ code, out }).toEqual({
      code: 0,
      out: expect.stringMatching(
        /^binance ETHUSDT 1h: (299|300) candles, .*; (299|300) fetched, no gaps; binance has no older ones\n$/,
      ),
    })
  })

  it.each([
    [['binance', 'NOPEUSDT', '1h'], 1, 'candela: Symbol not found: NOPEUSDT on binance\n'],
    [['demo', 'BTCUSDT', '1h'], 1, 'candela: demo computes its candles, there is nothing to fetch\n'],
    [['binanse', 'BTCUSDT', '1h'], 2, 'There is no such exchange. Similar: binance.'],
    [['xyzzy', 'BTCUSDT', '1h'], 2, 'There is no such exchange. candela exchanges lists them.'],
    [
      ['binance', 'BTCUSDT', '7h'],
      2,
      'Allowed choices are 1m, 3m, 5m, 15m, 30m, 1h, 2h, 4h, 6h, 8h, 12h, 1d, 3d, 1w, 1M.',
    ],
  ])('refuses %s', async (words, expected, text) => {
    const { code, out, err } = await candela('backfill', ...words, '--depth', '100')
    expect({ code, out }).toEqual({ code: expected, out: '' })
    expect(err).toContain(text)
  })

  it.each(['0', '10000001', '1e3', '-5'])('refuses a depth of %s', async depth => {
    const words = ['backfill', 'binance', 'BTCUSDT', '1h', `--depth=${depth}`]
    const { code, err } = await runCommand(words, settings())
    expect(code).toBe(2)
    expect(err).toContain('Expected an integer from 1 to 10000000.')
  })
})

describe('candela import', () => {
  const write = (name: string, text: string | Uint8Array) => {
    const path = join(directory, name)
    writeFileSync(path, text)
    return path
  }
  const day = Date.UTC(2026, 0, 1) / 1000
  const head = 'timestamp,open,high,low,close,volume\n'
  const lines = (from: number, count: number) =>
    Array.from(
      { length: count },
      (_, k) => `${day + (from + k) * hour},10,12,9,${11 + (k % 7) / 7},${k}\n`,
    ).join('')
  const own = ['--exchange', 'binance', '--symbol', 'BTCUSDT'] as const

  it('followed by export gives the same file', async () => {
    const text = head + lines(0, 300)
    const file = write('a.csv', text)
    const { code, out, err } = await candela('import', file, ...own)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(
      /^binance BTCUSDT 1h: 300 candles imported, 2026-01-01 00:00:00 to 2026-01-13 11:00:00\n {2}300 new, 0 replaced, 0 the same as before\n {2}no gaps\n/,
    )
    expect((await candela('export', 'binance', 'BTCUSDT', '1h')).out).toBe(text)
    const target = join(directory, 'out.csv')
    expect(await candela('export', 'binance', 'BTCUSDT', '1h', '--out', target)).toEqual({
      code: 0,
      out: '',
      err: '',
    })
    expect(readFileSync(target, 'utf8')).toBe(text)
    const part = await exported(
      'binance',
      'BTCUSDT',
      '1h',
      '--from',
      '2026-01-02',
      '--to',
      '2026-01-02T03:00:00Z',
    )
    expect(part.map(({ timestamp }) => (timestamp - day) / hour)).toEqual([24, 25, 26])
  })

  it('stores an instrument of one’s own in every longer timeframe that its candles fill', async () => {
    // Thursday 2026-01-01 03:00 to Monday 2026-01-12 05:00, each with the close of its hour.
    const file = write('gold.csv', head + lines(3, 266))
    const { code, out } = await candela('import', file, '--symbol', 'Gold')
    expect(code).toBe(0)
    expect(out).toContain('own GOLD 1h: 266 candles imported')
    expect(out).toContain(
      'also as 2h, 4h, 6h, 8h, 12h, 1d, 3d, 1w, without candles whose beginning or end is missing',
    )
    const days = await exported('own', 'GOLD', '1d')
    // The first day lacks three hours, and the last one 19.
    expect(days.map(({ timestamp }) => (timestamp - day) / (24 * hour))).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
    ])
    expect(days[0]).toMatchObject({
      ...{ open: 10, high: 12, low: 9, close: 11 + (44 % 7) / 7 },
      volume: (24 * (21 + 44)) / 2,
    })
    // Monday 2026-01-05.
    expect((await exported('own', 'GOLD', '1w')).map(({ timestamp }) => timestamp)).toEqual([day + 96 * hour])

    await candela('import', write('more.csv', head + lines(0, 4)), '--symbol', 'GOLD')
    const more = await exported('own', 'GOLD', '1d')
    expect(more).toHaveLength(11)
    expect(more[0]).toMatchObject({ timestamp: day, volume: 6 + 210 })

    const daily = write('daily.csv', `${head}${day},1,2,1,2,7\n${day + 24 * hour},2,3,2,3,8\n`)
    await candela('import', daily, '--symbol', 'GOLD')
    const imported = await exported('own', 'GOLD', '1d')
    expect(
      imported.map(({ volume }) => volume),
      'imported candles are not mixed with made ones',
    ).toEqual([7, 8])
    await candela('import', write('again.csv', head + lines(0, 4)), '--symbol', 'GOLD')
    expect(await exported('own', 'GOLD', '1d')).toEqual(imported)
  })

  it('is served while it is imported, with its age, under a free symbol', async () => {
    const service = await Candela.start({ ...settings(), REFRESH_SECONDS: '1' })
    onTestFinished(async () => void (await service.stop()))
    const market = 'exchange=own&symbol=gold&timeframe='
    const missing = await service.whenReady(`/candles?${market}1h`)
    expect([missing.status, missing.body.error]).toEqual([404, 'Symbol not found: GOLD on own'])
    await candela('import', write('gold.csv', head + lines(0, 480)), '--symbol', 'GOLD')
    expect((await service.get('/exchanges/own/symbols')).body.symbols).toEqual(['GOLD'])
    const finer = await service.whenReady(`/candles?${market}1m`)
    expect([finer.status, finer.body.error]).toEqual([
      404,
      'GOLD has no candles of 1m on own, only of 1h, 2h, 4h, 6h, 8h, 12h, 1d, 3d, 1w',
    ])
    const days = await service.whenReady(`/indicator/sma?${market}1d&period=5&results=max`)
    expect(days.status).toBe(200)
    expect(days.headers.get('warning')).toMatch(/^110 /)
    expect(days.body.timestamp.at(-1)).toBe(day + 19 * 24 * hour)
    const range = await service.whenReady(`/candles?${market}4h&from=2026-01-02&to=2026-01-03`)
    expect(range.body).toHaveLength(7)
    await candela('import', write('new.csv', head + lines(480, 24)), '--symbol', 'GOLD')
    // Past the second for which candles count as fresh.
    await sleep(1100)
    const later = await service.whenReady(`/indicator/sma?${market}1d&period=5&results=max`)
    expect(later.body.timestamp.at(-1)).toBe(day + 20 * 24 * hour)
  })

  it('makes no longer candle of candles that belong to two of them', async () => {
    const halves = Array.from({ length: 30 }, (_, k) => `${day + k * hour + 1800},10,12,9,11,1\n`)
    const { out } = await candela('import', write('halves.csv', head + halves.join('')), '--symbol', 'HALF')
    expect(out).not.toContain('also as')
  })

  it('stores prices of 0 and below, and none that stand for missing ones', async () => {
    const row = (k: number, prices: string) => `${day + k * hour},${prices},5\n`
    const text = `${head}${row(0, '17.73,17.85,-40.32,-37.63')}${row(1, '-14,13.86,-16.74,0')}${row(2, '0,0,-2,-1')}`
    expect((await candela('import', write('a.csv', text), ...own)).code).toBe(0)
    expect((await candela('export', 'binance', 'BTCUSDT', '1h')).out).toBe(text)
    const padded = write('b.csv', `${text}${row(3, '0,0,0,0')}${row(4, '1,2,1,2')}`)
    const refused = await candela('import', padded, ...own)
    expect({ code: refused.code, err: refused.err }).toEqual({
      code: 1,
      err: 'candela: line 5: a price of 0 stands for a missing one: leave the row out\ncandela: Nothing was imported: 1 line cannot be used; --skip-invalid leaves them out\n',
    })
    expect((await candela('import', padded, ...own, '--skip-invalid')).code).toBe(0)
    expect((await exported('binance', 'BTCUSDT', '1h')).map(({ close }) => close)).toEqual([-37.63, 0, -1, 2])
  })

  it('reads several files, packed or not, and standard input', async () => {
    const a = write('a.csv', head + lines(0, 10))
    const b = write('b.csv.gz', gzipSync(head + lines(8, 12).split('\n').slice(2).join('\n')))
    expect((await candela('import', a, b, ...own)).code).toBe(0)
    expect(await exported('binance', 'BTCUSDT', '1h')).toHaveLength(20)
    const words = ['import', '-', ...own, '--timeframe', '1h']
    expect((await runCommand(words, settings(), head + lines(20, 1))).out).toContain('1 candle imported')
    expect(await exported('binance', 'BTCUSDT', '1h')).toHaveLength(21)
  })

  it('finds the market in the names of zipped files of Binance', async () => {
    const row = (k: number) =>
      `${(day + k * hour) * 1e6},10,12,9,11,${k},${(day + k * hour + 3599) * 1e6 + 999_999},1,1,1,1,0\n`
    const file = write(
      'BTCUSDT-1h-2026-01.zip',
      zipOf({ 'BTCUSDT-1h-2026-01.csv': row(0) + row(1) + row(2) }),
    )
    const { code, out, err } = await candela('import', file, '--exchange', 'binance')
    expect({ code, err }).toEqual({
      code: 0,
      err: "candela: no names of columns, read as one of Binance's public files\n",
    })
    expect(out).toContain('binance BTCUSDT 1h: 3 candles imported')

    const damaged = Buffer.from(readFileSync(file))
    damaged.write('13', damaged.indexOf('12,9'))
    const spoiled = await candela('import', write('BTCUSDT-1h-2026-02.zip', damaged), '--exchange', 'binance')
    expect(spoiled.code).toBe(1)
    expect(spoiled.err).toMatch(/^candela: Cannot read ".*BTCUSDT-1h-2026-02\.zip": its checksum is wrong\n$/)
  })

  it('lists every line that cannot be used, and imports nothing', async () => {
    const text = `${head}${lines(0, 2)}${day + 2 * hour},10,8,9,11,1\n${day + 3 * hour + 60},10,12,9,11,1\n${day},10,12,9,12,1\n${lines(4, 3)}`
    const file = write('a.csv', text)
    const refused = await candela('import', file, ...own)
    expect({ code: refused.code, out: refused.out }).toEqual({ code: 1, out: '' })
    await expect(refused.err).toMatchFileSnapshot('../golden/import-faults.txt')
    expect((await candela('export', 'binance', 'BTCUSDT', '1h')).err).toMatch(
      /^candela: There are no stored candles/,
    )

    const { code, out } = await candela('import', file, ...own, '--skip-invalid')
    expect(code).toBe(0)
    expect(out).toContain('5 candles imported')
    expect(out).toContain(
      '1 gap, 2 candles missing; the longest from 2026-01-01 02:00:00 to 2026-01-01 04:00:00',
    )
  })

  it('changes nothing in a dry run', async () => {
    const { code, out } = await candela('import', write('a.csv', head + lines(0, 5)), ...own, '--dry-run')
    expect(code).toBe(0)
    expect(out).toContain('5 candles to import')
    expect((await candela('export', 'binance', 'BTCUSDT', '1h')).code).toBe(1)
  })

  it('stores more candles than memory holds', async () => {
    const now = openOf('1m', Date.now() / 1000)
    const many = Array.from({ length: 50_010 }, (_, k) => `${now - (50_010 - k) * 60},1,1,1,1,1\n`).join('')
    const { code, out } = await candela('import', write('a.csv', head + many), ...own)
    expect(code).toBe(0)
    expect(out).toContain('50010 candles imported')
    expect(out).not.toContain('left out')
    expect(await exported('binance', 'BTCUSDT', '1m')).toHaveLength(50_010)
  })

  it('reports what it replaces, and a backfill fetches the candles since then', async () => {
    const truth = closedTruth('BTCUSDT', '1h', 1000)
    const csv = (candles: readonly Candle[]) =>
      head +
      candles
        .map(each => `${each.timestamp},${each.open},${each.high},${each.low},${each.close},${each.volume}\n`)
        .join('')
    const old = truth.slice(0, 500)
    const first = await candela('import', write('a.csv', csv(old)), ...own)
    const depth = /--depth (\d+)\n$/.exec(first.out)?.[1] ?? ''
    expect(Number(depth)).toBeGreaterThanOrEqual(1000)
    const changed = old.map((each, at) => (at < 3 ? { ...each, volume: each.volume + 1 } : each))
    expect((await candela('import', write('b.csv', csv(changed)), ...own)).out).toContain(
      '0 new, 3 replaced, 497 the same as before',
    )
    await candela('import', write('a.csv', csv(old)), ...own)
    const { code, out } = await candela('backfill', 'binance', 'BTCUSDT', '1h', '--depth', depth)
    expect(code).toBe(0)
    expect(Number(/(\d+) fetched/.exec(out)?.[1]), 'the imported ones are not').toBeLessThanOrEqual(
      Number(depth) - 500 + 1,
    )
    const all = await exported('binance', 'BTCUSDT', '1h')
    expect(all.length).toBeGreaterThanOrEqual(Number(depth))
    expect(all).toEqual(truthOf(all, 'BTCUSDT', '1h'))
  })

  it.each([
    [['nowhere.csv', ...own], /^candela: Cannot read "nowhere\.csv": ENOENT/],
    [
      ['a.csv', '--exchange', 'binance'],
      /^candela: The names of the files do not contain the symbol: add --symbol\n$/,
    ],
    [['a.csv', '--exchange', 'demo', '--symbol', 'X'], /^candela: demo computes its candles/],
  ])('refuses %s', async (words, text) => {
    const { code, out, err } = await candela('import', ...words)
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toMatch(text)
  })
})

it('the commands print their usage', async () => {
  const commands = ['exchanges', 'backfill', 'import', 'export']
  const texts = await Promise.all(commands.map(command => candela(command, '--help')))
  await expect(texts.map(({ out }) => out).join('\n')).toMatchFileSnapshot('../golden/history-help.txt')
})

it('candela exchanges --check is a table, or JSON', async () => {
  const [{ out }, json, list] = await Promise.all([
    candela('exchanges', '--check'),
    candela('exchanges', '--check', '--json'),
    candela('exchanges', '--json'),
  ])
  await expect(out.split('\n').slice(0, 8).join('\n')).toMatchFileSnapshot('../golden/exchanges-check.txt')
  const ids = JSON.parse(json.out).map(({ id }: { id: string }) => id)
  expect(
    out
      .trimEnd()
      .split('\n')
      .slice(1)
      .map(line => line.split(' ')[0]),
  ).toEqual(ids)
  expect(JSON.parse(list.out)).toEqual(expect.arrayContaining([...ids, 'demo']))
})
