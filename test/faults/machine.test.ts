import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import WebSocket from 'ws'
import { daysUntil } from '../../src/contract/accounts.js'
import { openEmbedded } from '../../src/store/embedded/embedded.js'
import { type Binance, type BinanceMarket, ccxtOptions, startBinance } from '../support/binance.js'
import { isWhole, maxHoldMs, reportFigure, rounded } from '../support/figure.js'
import { needs } from '../support/needs.js'
import { WatchedService } from '../support/watched-service.js'
import { startReceiver } from '../support/webhook-receiver.js'

// Effects of the machine on a service in a process of its own: its clock is set, its disk is full.

const hour = 3600
const day = 24 * hour
const depth = 500

const markets: BinanceMarket[] = Array.from({ length: 40 }, (_, i) => ({
  venue: 'spot',
  symbol: `C${i}USDT`,
  base: `C${i}`,
  quote: 'USDT',
  price: 10 + i,
  listed: Date.UTC(2020, 0, 1),
}))

let binance: Binance
let service: WatchedService
let key: string
beforeAll(async () => {
  binance = await startBinance({ clock: () => Date.now(), markets })
  service = await WatchedService.start({
    EXCHANGES: JSON.stringify({ binance: { ...ccxtOptions(binance.url), rateLimit: 1 } }),
    HISTORY_DEPTH: String(depth),
    REFRESH_SECONDS: '1',
    ALERTS_PRIVATE_TARGETS: 'true',
    LOG_LEVEL: 'fatal',
  })
  key = (await service.createKeys(1))[0] as string
})
afterAll(async () => {
  await service.stop()
  await binance.close()
})

interface TimedCandle {
  readonly timestamp: number
  readonly close: number
}

/** The candles of a market, newest last, with the status. */
async function read(exchange: string, symbol: string, timeframe = '1m') {
  const path = `/candles?exchange=${exchange}&symbol=${symbol}&timeframe=${timeframe}&results=max`
  const { status, body } = await service.candela.whenReady(path, { authorization: `Bearer ${key}` })
  return { status, candles: (status === 200 ? body : []) as readonly TimedCandle[] }
}

it('after its clock was set, demo goes on within seconds and takes no memory for the time between', async context => {
  const socket = new WebSocket(`${service.candela.url.replace('http', 'ws')}/streaming`)
  const times: number[] = []
  let wake = () => {}
  socket.on('message', data => {
    const { type, data: update } = JSON.parse(data.toString())
    if (type !== 'update') return
    times.push(update.timestamp)
    wake()
  })
  await once(socket, 'open')
  socket.send(JSON.stringify({ type: 'auth', token: `Bearer ${key}` }))
  const market = { exchange: 'demo', symbol: 'BTCUSDT', interval: '1m' }
  socket.send(JSON.stringify({ type: 'subscribe', id: 'a', ...market, indicator: 'rsi' }))
  /** Waits for an update of the present minute, as the clock of the service shows it. */
  const updated = async (ahead: number) => {
    for (;;) {
      const minute = Math.floor((Date.now() / 1000 + ahead) / 60) * 60
      if (Math.abs((times.at(-1) ?? 0) - minute) <= 60) return
      await new Promise<void>(resolve => {
        wake = resolve
      })
    }
  }
  await updated(0)
  const { resident } = await service.memory()
  const year2100 = Date.UTC(2100, 0, 1) / 1000 - Date.now() / 1000
  const jumps = [400 * day, year2100, -400 * day, hour, 0]
  let longest = 0
  for (const ahead of jumps) {
    const began = performance.now()
    await service.setClock(ahead)
    await updated(ahead)
    longest = Math.max(longest, performance.now() - began)
    const { candles } = await read('demo', 'ETHUSDT')
    expect(Math.abs((candles.at(-1)?.timestamp as number) - (Date.now() / 1000 + ahead))).toBeLessThan(121)
  }
  const { held, peak } = await service.take()
  socket.terminate()
  reportFigure(
    context,
    `${jumps.length} jumps, 400 days ahead, to the year 2100 and back: updates go on within ${rounded(longest / 1000)} s; memory ${rounded(resident)} to ${rounded(peak)} MiB; loop held ${rounded(held)} ms`,
  )
  expect(peak - resident).toBeLessThan(100)
  expect(held).toBeLessThan(maxHoldMs)
})

it('after its clock was ahead for seconds, alerts fire at the next candle that closes', {
  tags: ['faults'],
}, async context => {
  const receiver = await startReceiver()
  const authorization = { authorization: `Bearer ${key}` }
  /** The messages that came after the first ones, by the open times of their candles. */
  const timesSince = (first: number): number[] =>
    receiver.attempts.slice(first).map(({ body }) => JSON.parse(body).timestamp)
  const patient = { timeout: 60_000, interval: 50 }
  try {
    // The clock shows a time 15 seconds before the end of a minute.
    const start = 45 - ((Date.now() / 1000) % 60)
    const nowOf = () => Date.now() / 1000 + start
    await service.setClock(start)
    const { status, body } = await service.candela.ask('POST', '/alerts', {
      body: JSON.stringify({
        ...{ exchange: 'demo', symbol: 'BTCUSDT', timeframe: '1m', webhook: receiver.url },
        ...{ expression: 'close > 0', on: 'close', trigger: 'level' },
      }),
      headers: authorization,
    })
    expect(status).toBe(201)
    await service.setClock(start + hour)
    const minuteAhead = Math.floor((nowOf() + hour) / 60) * 60
    // Candles that have closed by the current time of the clock.
    await expect.poll(() => Math.max(0, ...timesSince(0)), patient).toBe(minuteAhead - 60)
    const first = receiver.attempts.length
    await service.setClock(start)
    const minute = Math.floor(nowOf() / 60) * 60
    await expect.poll(() => timesSince(first).includes(minute), patient).toBe(true)
    const late = nowOf() - (minute + 60)
    reportFigure(
      context,
      `ahead by an hour and back: the next candle that closes fires after ${rounded(late)} s`,
    )
    await service.candela.ask('DELETE', `/alerts/${body.id}`, { headers: authorization })
  } finally {
    await service.setClock(0)
    await receiver.close()
  }
})

it('while its clock is 100 days ahead, nothing of the past is dropped', {
  tags: ['faults'],
}, async context => {
  const [store, id] = [openEmbedded(service.dataDirectory), '0000abcd']
  const days = daysUntil(Date.now() / 1000, 60)
  for (const date of days) await store.usage.add(date, new Map([[id, { indicator: 1 }]]))
  try {
    await service.setClock(100 * day)
    // Requests are counted, and stored every ten seconds.
    const seconds = isWhole ? 25 : 12
    for (let second = 0; second < seconds; second++) {
      expect((await service.candela.get('/exchanges', { authorization: `Bearer ${key}` })).status).toBe(200)
      await sleep(1000)
    }
    await service.setClock(0)
    expect([...(await store.usage.ofAccount(id, days)).keys()]).toEqual(days)
    reportFigure(context, `${days.length} of ${days.length} days of usage are there after ${seconds} s`)
  } finally {
    await service.setClock(0)
    await store.close()
  }
})

it('after its clock was set, no candle of an exchange is closed early or there twice', {
  tags: ['faults'],
}, async context => {
  const symbols = markets.slice(0, isWhole ? 20 : 4).map(({ symbol }) => symbol)
  const clocks = [0, hour, 0, -hour, 0]
  let compared = 0
  for (const ahead of clocks) {
    await service.setClock(ahead)
    for (const symbol of symbols) {
      const { status, candles } = await read('binance', symbol)
      expect(status).toBe(200)
      const truth = new Map(binance.truth(symbol, '1m', depth + 10).map(candle => [candle.timestamp, candle]))
      const oldest = candles[0]?.timestamp as number
      expect(candles.map(({ timestamp }) => timestamp)).toEqual(candles.map((_, i) => oldest + 60 * i))
      // The newest one moves while it is compared.
      for (const { timestamp, close } of candles.slice(0, -1)) {
        expect(truth.get(timestamp)?.close ?? close).toBe(close)
        compared++
      }
    }
  }
  reportFigure(context, `${compared} candles compared after ${clocks.length - 1} jumps of an hour`)
})

/** Whether `prlimit` exists, with which the writes of a running process can be made to fail. */
const hasPrlimit = spawnSync('prlimit', ['--version']).status === 0

/** Whether this process may mount a small disk of memory, in a namespace of its own. */
const mount = 'mount -t tmpfs -o size=16m none "$0" && exec "$@"'
const hasMount =
  spawnSync('unshare', ['--map-root-user', '--mount', 'sh', '-c', mount, tmpdir(), 'true']).status === 0

/** Stores 100 series with room, 100 without room and 100 with room again. Prints the number of stored series per part. */
const fillDisk = (setRoom: string) => `
  import { execFileSync } from 'node:child_process'
  import { rmSync, writeFileSync } from 'node:fs'
  import { setTimeout as sleep } from 'node:timers/promises'
  import { Archive } from './dist/markets/archive/archive.js'
  import { openEmbedded } from './dist/store/embedded/embedded.js'
  const setRoom = hasRoom => { ${setRoom} }
  const store = openEmbedded(process.argv[1])
  const archive = new Archive(store.keyValues, { depth: 500 })
  const candles = Array.from({ length: 500 }, (_, i) =>
    ({ timestamp: i * 60, open: 100 + i, high: 103 + i, low: 98 + i, close: 101, volume: 10 }))
  const stored = []
  for (const [part, hasRoom] of [true, false, true].entries()) {
    setRoom(hasRoom)
    // What the system does not show as free bytes is noticed after a second.
    await sleep(1100)
    let count = 0
    for (let i = 0; i < 100; i++) {
      try {
        archive.write('x:S' + part + '_' + i + ':1m', candles)
        count++
      } catch {}
    }
    stored.push(count)
  }
  await store.close()
  console.log(JSON.stringify(stored))
`
const limitOwnFiles = `
  const bytes = hasRoom ? 'unlimited' : '4096'
  execFileSync('prlimit', ['--pid', String(process.pid), '--fsize=' + bytes + ':'])`
const takeAll = `
  const filler = process.argv[1] + '/filler'
  if (hasRoom) rmSync(filler, { force: true })
  else try { for (;;) writeFileSync(filler, Buffer.alloc(4096), { flag: 'a' }) } catch {}`

// Each failed write damaged the memory of the process with a certain probability.
it.for([
  ['no file may grow', hasPrlimit, limitOwnFiles, []],
  ['the disk is full', hasMount, takeAll, ['unshare', '--map-root-user', '--mount', 'sh', '-c', mount]],
] as const)(
  'writes that fail for lack of room, as %s, leave the process as it was',
  { tags: ['faults'] },
  ([, isPossible, setRoom, within], context) => {
    if (!isPossible) return context.skip()
    const directory = mkdtempSync(join(tmpdir(), 'candela-full-'))
    try {
      const node = [process.execPath, '--input-type=module', '--eval', fillDisk(setRoom), directory]
      const [program, ...args] = within.length > 0 ? [...within, directory, ...node] : node
      const { status, signal, stdout, stderr } = spawnSync(program as string, args, { encoding: 'utf8' })
      expect({ status, signal, stdout, stderr }).toEqual({
        ...{ status: 0, signal: null },
        ...{ stdout: '[100,0,100]\n', stderr: '' },
      })
    } finally {
      rmSync(directory, { recursive: true, force: true })
    }
  },
)

/** Timeout for events that happen about a second later. The default timeout of `expect.poll` is too short for them. */
const patient = { timeout: 20_000 }
/** Limits the size of every file of the service to `bytes`. */
const limitFiles = (bytes: string) =>
  execFileSync('prlimit', ['--pid', String(service.candela.child.pid), `--fsize=${bytes}:`])

it.runIf(hasPrlimit)('a disk that is full costs no answer, and is shown', needs('prlimit'), async context => {
  const ready = async () => (await service.candela.get('/health/ready')).body
  await expect.poll(async () => (await ready()).parts.archive.status, patient).toBe('ok')
  // Nothing is written for so long that the next transaction is tried by a file.
  await sleep(2500)
  limitFiles('4096')
  let next = 20
  const answers = isWhole ? 15 : 3
  for (let i = 0; i < answers; i++) {
    const { status, candles } = await read('binance', markets[next++]?.symbol as string, '1h')
    expect([status, candles.length]).toEqual([200, depth])
  }
  await expect
    .poll(async () => (await ready()).parts.archive, patient)
    .toEqual({ status: 'degraded', reason: 'candles cannot be written' })
  expect((await ready()).status).toBe('degraded')
  limitFiles('unlimited')
  expect((await read('binance', markets[next]?.symbol as string, '1h')).status).toBe(200)
  await expect.poll(async () => (await ready()).parts.archive.status, patient).toBe('ok')
  reportFigure(context, `${answers} of ${answers} new markets are answered without room, then written`)
})

it.runIf(hasPrlimit)(
  'a disk that is full refuses changes of alerts in words, and is shown',
  { tags: ['faults'], ...needs('prlimit') },
  async context => {
    const ask = async (method: string, path: string, fields?: object) => {
      const { status, headers, body } = await service.candela.ask(method, path, {
        headers: { authorization: `Bearer ${key}` },
        ...(fields && { body: JSON.stringify(fields) }),
      })
      return { status, retryAfter: headers.get('retry-after'), body }
    }
    const ready = async () => (await service.candela.get('/health/ready')).body
    const market = { exchange: 'demo', symbol: 'BTCUSDT', timeframe: '1h' }
    const request = { ...market, expression: 'close > 1e9' }
    const { body: made } = await ask('POST', '/alerts', request)
    // Nothing is written for so long that the next transaction is tried by a file.
    await sleep(2500)
    limitFiles('4096')
    const refused = {
      status: 503,
      retryAfter: '5',
      body: { error: 'Alerts cannot be changed at present. Try again.' },
    }
    expect(await ask('POST', '/alerts', request)).toEqual(refused)
    expect(await ask('POST', `/alerts/${made.id}`, { paused: true })).toEqual(refused)
    expect(await ask('DELETE', `/alerts/${made.id}`)).toEqual(refused)
    expect((await ask('GET', '/alerts')).body).toEqual({
      alerts: [expect.objectContaining({ id: made.id, paused: false })],
    })
    const degraded = { status: 'degraded', reason: 'the alerts cannot be read or written' }
    // Not only for a moment: every second it is tried whether there is room.
    const looks = isWhole ? 5 : 2
    for (let look = 0; look < looks; look++) {
      await sleep(700)
      const { status, parts } = await ready()
      expect([status, parts.alerts]).toEqual(['degraded', degraded])
    }
    limitFiles('unlimited')
    await expect.poll(async () => (await ready()).parts.alerts, patient).toEqual({ status: 'ok' })
    expect((await ask('POST', '/alerts', request)).status).toBe(201)
    expect((await ask('DELETE', `/alerts/${made.id}`)).status).toBe(200)
    reportFigure(context, `a new, a changed and a deleted alert are refused without room, then stored`)
  },
)
