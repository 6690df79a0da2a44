import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Candle } from '../../src/candles/candle.js'
import { zipOf } from '../zip.js'
import { type Binance, ccxtOptions, defaultMarkets, faults, type Kline, startBinance } from './binance.js'
import { Candela } from './candela.js'
import { Command, run } from './command.js'

const klines = '/api/v3/klines'
const hour = 3600
const openOfHour = (seconds: number) => Math.floor(seconds / hour) * hour
const thisHour = () => openOfHour(Date.now() / 1000)
/** An hour that does not end during a test. */
const settledHour = async () => {
  while (Date.now() % 3_600_000 > 3_540_000) await new Promise(resolve => setTimeout(resolve, 1000))
}

let binance: Binance
let directory: string
let settings: Record<string, string>
let service: Candela | undefined

beforeEach(async () => {
  await settledHour()
  const now = thisHour() * 1000
  binance = await startBinance({
    markets: defaultMarkets.map(market =>
      market.venue === 'spot' && market.symbol === 'ETHUSDT'
        ? { ...market, gaps: [[now - 500 * 3_600_000, now - 497 * 3_600_000]] }
        : market,
    ),
  })
  directory = mkdtempSync(join(tmpdir(), 'candela-depth-'))
  settings = {
    DATA_DIR: join(directory, 'data'),
    EXCHANGES: JSON.stringify({ binance: ccxtOptions(binance.url) }),
    REFRESH_SECONDS: '1',
    FETCH_TIMEOUT_MS: '2000',
  }
})
afterEach(async () => {
  await service?.stop()
  service = undefined
  await binance.close()
  rmSync(directory, { recursive: true, force: true })
})

const place = (name: string) => join(directory, name)
const closedTruth = (symbol: string, count: number) => binance.truth(symbol, '1h', count + 1).slice(0, -1)
const csvOf = (candles: readonly Candle[]) =>
  [
    'timestamp,open,high,low,close,volume',
    ...candles.map(each =>
      [each.timestamp, each.open, each.high, each.low, each.close, each.volume].join(','),
    ),
    '',
  ].join('\n')
const plain = ({ timestampHuman: _, ...candle }: Record<string, unknown>) => candle

describe('candela backfill', () => {
  it('goes on where it was killed, and a service has it all at once, also without the exchange', async () => {
    service = await Candela.start(settings)
    const { key } = service
    // Two portions are let through, the third hangs.
    let release: (value?: unknown) => void = () => {}
    const held = new Promise(resolve => {
      release = resolve
    })
    const heal = binance.fail(klines, { kind: 'rows', change: row => row }, 5)
    const hang = binance.fail(klines, { kind: 'wait', until: held })
    const args = ['backfill', 'binance', 'BTC/USDT', '1h', '--depth', '6000']
    const first = new Command(args, settings)
    await binance.asked(klines, 6)
    first.child.kill('SIGKILL')
    const { err } = await first.ended
    heal()
    hang()
    release()
    const kept = Number(/(\d+) of 6000 candles, back to [^\n]*\n$/.exec(err)?.[1])
    expect(kept, err).toBeGreaterThanOrEqual(1980)

    const before = binance.requests(klines)
    const again = await run(args, settings)
    expect(again.err).toMatch(new RegExp(`^binance BTCUSDT 1h: ${kept} of 6000 candles`))
    const truth = closedTruth('BTCUSDT', 6000)
    const day = (candle: Candle | undefined) =>
      new Date((candle?.timestamp ?? 0) * 1000).toISOString().slice(0, 19).replace('T', ' ')
    expect(again).toMatchObject({
      code: 0,
      out: `binance BTCUSDT 1h: 6000 candles, ${day(truth[0])} to ${day(truth.at(-1))}; ${6000 - kept} fetched; no gaps\n`,
    })
    const oldestKept = truth[6000 - kept]?.timestamp as number
    const asked = binance.seen.filter(({ pathname }) => pathname === klines).slice(before)
    expect(asked.length).toBe(Math.ceil((6000 - kept) / 999))
    for (const { searchParams } of asked) {
      const newest =
        Number(searchParams.get('startTime')) / 1000 + hour * (Number(searchParams.get('limit')) - 1)
      expect(newest, 'pages overlap by one candle').toBeLessThanOrEqual(oldestKept + hour)
    }

    const path = '/candles?exchange=binance&symbol=BTCUSDT&timeframe=1h&results=max'
    const live = await service.get(path)
    expect(live.status).toBe(200)
    expect(live.body.slice(0, -1).map(plain)).toEqual(truth)
    expect(live.body).toHaveLength(6001)
    const rsi = await service.get('/indicator/rsi?exchange=binance&symbol=BTCUSDT&timeframe=1h&results=max')
    expect(rsi.status).toBe(200)
    expect(rsi.body.value).toHaveLength(6001 - 14)

    await service.kill()
    binance.fail(klines, faults.restricted)
    service = await Candela.start(settings, key)
    const stale = await service.get(path)
    expect(stale.status).toBe(200)
    expect(stale.headers.get('warning')).toMatch(/^110 /)
    expect(stale.body.map(plain)).toEqual(truth)
  })

  it('keeps what it has when it is interrupted, says how to go on, and asks for nothing that is there', async () => {
    const heal = binance.fail(klines, { kind: 'rows', change: row => row }, 3)
    const hang = binance.fail(klines, faults.silence)
    const args = ['backfill', 'binance', 'ETHUSDT', '1h', '--depth', '4000']
    const first = new Command(args, settings)
    await binance.asked(klines, 4)
    first.child.kill('SIGINT')
    const { code, err, out } = await first.ended
    expect({ code, out }).toEqual({ code: 130, out: '' })
    expect(err).toMatch(
      /\ncandela: interrupted; the \d+ candles fetched so far are kept\. To go on: candela backfill binance ETHUSDT 1h --depth 4000\n$/,
    )
    heal()
    hang()
    const again = await run(args, settings)
    expect(again).toMatchObject({ code: 0, out: expect.stringMatching(/; 1 gap of 3 candles in all\n$/) })
    const before = binance.requests(klines)
    expect(await run(args, settings)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/4000 candles, .*; 0 fetched; 1 gap of 3 candles in all\n$/),
    })
    expect(binance.requests(klines) - before).toBe(0)
    const exported = await run(['export', 'binance', 'ETHUSDT', '1h'], settings)
    expect(exported.out).toBe(csvOf(closedTruth('ETHUSDT', 4000)))
  })

  it('tells what is wrong in one line', async () => {
    binance.fail(klines, faults.restricted)
    const failed = await run(['backfill', 'binance', 'BTCUSDT', '1h', '--depth', '10'], settings)
    expect(failed.code).toBe(1)
    expect(failed.err).toMatch(/^candela: .*binance.*\n$/m)
    const unknown = await run(['backfill', 'binance', 'NOSUCH', '1h', '--depth', '10'], settings)
    expect(unknown).toMatchObject({ code: 1, out: '' })
    expect(unknown.err).toMatch(/candela: Symbol not found: NOSUCH on binance\n$/)
  })
})

describe('candela import', () => {
  it('takes what candela export wrote, exactly, and the service goes on from there', async () => {
    const truth = closedTruth('BTCUSDT', 3000)
    const history = truth.slice(0, -20)
    const file = place('history.csv')
    writeFileSync(file, csvOf(history))
    const imported = await run(['import', file, '--exchange', 'binance', '--symbol', 'BTCUSDT'], settings)
    expect(imported).toMatchObject({ code: 0, err: '' })
    expect(imported.out).toMatch(/^binance BTCUSDT 1h: 2980 candles imported, .*; no gaps\n$/)

    const out = place('out.csv')
    expect(await run(['export', 'binance', 'BTCUSDT', '1h', '--out', out], settings)).toEqual({
      code: 0,
      out: '',
      err: '',
    })
    expect(readFileSync(out, 'utf8')).toBe(csvOf(history))
    const [from, to] = [history[10]?.timestamp, history[20]?.timestamp]
    const part = await run(
      ['export', 'binance', 'BTCUSDT', '1h', '--from', String(from), '--to', String(to)],
      settings,
    )
    expect(part.out).toBe(csvOf(history.slice(10, 20)))

    service = await Candela.start(settings)
    const answer = await service.get('/candles?exchange=binance&symbol=BTCUSDT&timeframe=1h&results=max')
    expect(answer.status).toBe(200)
    expect(answer.body.slice(0, -1).map(plain)).toEqual(truth)
    expect(binance.requests(klines), 'only the end is fetched').toBe(1)
  })

  it('reads files of Binance, zipped or not, and standard input', async () => {
    const truth = closedTruth('ETHUSDT', 300)
    const rows = truth
      .map(
        ({ timestamp: t, open, high, low, close, volume }): Kline => [
          t * 1e6,
          `${open}`,
          `${high}`,
          `${low}`,
          `${close}`,
          `${volume}`,
          (t + hour) * 1e6 - 1,
          '1.0',
          3,
          '0.5',
          '0.5',
          '0',
        ],
      )
      .map(row => row.join(','))
    const half = (from: number, to: number) => Buffer.from(`${rows.slice(from, to).join('\n')}\n`)
    writeFileSync(place('a.zip'), zipOf('ETHUSDT-1h-2025-01.csv', half(0, 100)))
    writeFileSync(place('b.csv.gz'), gzipSync(half(100, 200)))
    const { code, err, out } = await run(
      ['import', place('a.zip'), place('b.csv.gz'), '-', '--exchange', 'BINANCE', '--symbol', 'eth-usdt'],
      settings,
      half(200, 300),
    )
    expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining("Binance's public files") })
    expect(out).toMatch(/^binance ETHUSDT 1h: 300 candles imported/)
    expect((await run(['export', 'binance', 'ETHUSDT', '1h'], settings)).out).toBe(csvOf(truth))
  })

  it('keeps the newest 50,000 candles, and nothing that is older than those', async () => {
    const now = Math.floor(Date.now() / 60_000) * 60
    const minutes = (count: number, end: number) =>
      Array.from({ length: count }, (_, at) => ({
        timestamp: end - (count - at) * 60,
        open: 1,
        high: 2,
        low: 1,
        close: 1.5,
        volume: at,
      }))
    const args = ['import', '-', '--exchange', 'binance', '--symbol', 'BTCUSDT']
    const all = minutes(50_200, now - 600)
    const { code, out } = await run(args, settings, csvOf(all))
    expect(code).toBe(0)
    const [, kept, left] =
      /1m: (\d+) candles imported.*; (\d+) older ones left out, because 50000 are kept\n$/.exec(
        out,
      ) as RegExpExecArray
    expect(Number(kept) + Number(left)).toBe(50_200)
    expect(50_000 - Number(kept), 'room for those until now').toBeLessThanOrEqual(12)
    expect((await run(['export', 'binance', 'BTCUSDT', '1m'], settings)).out).toBe(
      csvOf(all.slice(-Number(kept))),
    )
    const old = await run(args, settings, csvOf(minutes(100, now - 60_000 * 60)))
    expect(old).toMatchObject({ code: 1, out: '' })
    expect(old.err).toMatch(
      /Nothing was imported: 50000 candles are kept of a market, and the newest one here/,
    )
  })
})

describe('what the command line says', () => {
  const shown = ({ code, out, err }: { code: number | null; out: string; err: string }, title: string) =>
    `$ candela ${title}\n${out}${err}${code === 0 ? '' : `(exit code ${code})\n`}`
  const golden = (name: string) => `../golden/command-line/${name}.txt`

  it('as help', async () => {
    const commands = [[], ['backfill'], ['import'], ['export']]
    const texts = await Promise.all(
      commands.map(async command => {
        const args = [...command, '--help']
        return shown(await run(args, settings), args.join(' '))
      }),
    )
    await expect(texts.join('\n')).toMatchFileSnapshot(golden('help'))
  })

  it('about wrong lines and words', async () => {
    const market = ['--exchange', 'binance', '--symbol', 'BTCUSDT']
    const head = 'timestamp,open,high,low,close,volume\n'
    const asked: readonly (readonly [args: readonly string[], input?: string])[] = [
      [['backfill', 'binanec', 'BTCUSDT', '1h', '--depth', '10']],
      [['backfill', 'binance', 'BTCUSDT', '1h', '--depth', '50001']],
      [['backfill', 'binance', 'BTCUSDT', '1h']],
      [['backfill', 'demo', 'BTCUSDT', '1h', '--depth', '10']],
      [['export', 'binance', 'BTCUSDT', '1h']],
      [['export', 'binance', 'BTCUSDT', '1h', '--from', 'yesterday']],
      [['import', 'no-such-file.csv', ...market]],
      [['import', 'package.json', ...market]],
      [['import', '-', '--exchange', 'demo', '--symbol', 'BTCUSDT'], head],
      [
        ['import', '-', ...market],
        `${head}1704067200,1,2,1,2,5\n1704070800,1,x,1,2,5\n1704070801,1,2,1,2,5\n1704074400,1,2,3,2,5\n1704067200,1,2,1,1,5\n1704078000,1,2,1,1,5\n1704081600,1,2,1,1,5\n`,
      ],
      [['import', '-', ...market], `${head}1704067200,1,2,1,2,5\n`],
      [['import', '-', ...market], ''],
    ]
    const texts = await Promise.all(
      asked.map(async ([args, input]) => shown(await run(args, settings, input), args.join(' '))),
    )
    await expect(texts.join('\n')).toMatchFileSnapshot(golden('errors'))
    expect((await run(['export', 'binance', 'BTCUSDT', '1h'], settings)).err, 'nothing was imported').toMatch(
      /^candela: Nothing is kept/,
    )
  })
})
