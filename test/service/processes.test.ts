import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Candle } from '../../src/candles/candle.js'
import { hashOf, idOf } from '../../src/contract/account.js'
import { type Binance, ccxtOptions, startBinance } from '../support/binance.js'
import { type BinanceStream, startBinanceStream } from '../support/binance-stream.js'
import { CandelaProcess, freePort } from '../support/service-process.js'
import { StreamingClient } from '../support/streaming-client.js'

const market = 'exchange=binance&symbol=BTCUSDT&timeframe=1d'
const subscription = {
  id: 'x',
  ...{
    type: 'subscribe',
    exchange: 'binance',
    symbol: 'BTCUSDT',
    interval: '1d',
    indicator: 'max',
    params: { period: 2 },
  },
}
const inTime = { timeout: 30_000, interval: 20 }
const isUpdate = ({ type }: { type: string }) => type === 'update'

let binance: Binance
let stream: BinanceStream
let candela: CandelaProcess
let settings: Record<string, string>
let metricsPort: number
/** Milliseconds; only the tests move it on, so that no candle closes while they look. */
const now = Date.now()

beforeAll(async () => {
  binance = await startBinance({ clock: () => now })
  stream = await startBinanceStream()
  metricsPort = await freePort()
  const { rateLimit, urls } = ccxtOptions(binance.url)
  const options = { rateLimit, urls: { api: { ...urls.api, ws: { spot: stream.url } } } }
  settings = {
    EXCHANGES: JSON.stringify({ binance: options }),
    PROCESSES: '2',
    PORT: String(await freePort()),
    METRICS_PORT: String(metricsPort),
    // However busy this machine is.
    FETCH_TIMEOUT_MS: '120000',
    LOG_LEVEL: 'fatal',
  }
  candela = await CandelaProcess.start(settings)
})
afterAll(async () => {
  await candela.stop()
  await stream.close()
  await binance.close()
})

/**
 * The status of a request over a connection of its own; 0 if the connection was lost. The system assigns the
 * connection to one of the processes.
 */
const status = (path: string, key = candela.key) =>
  new Promise<number>(resolve => {
    const agent = new Agent({ keepAlive: false })
    const headers = { authorization: `Bearer ${key}` }
    get(`${candela.url}${path}`, { agent, headers }, response => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0))
    }).on('error', () => resolve(0))
  })

const together = (count: number, path: string, key?: string) =>
  Promise.all(Array.from({ length: count }, () => status(path, key)))

/** The processes that serve. */
const pids = (owner = candela.child.pid) =>
  readFileSync(`/proc/${owner}/task/${owner}/children`, 'utf8').trim().split(' ').map(Number)

const processor = (pid: number) => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return Number(fields[11]) + Number(fields[12])
}

/** The first line of what a command of candela prints. */
const lineOf = async (...words: string[]) => (await candela.cli(...words)).split('\n')[0] as string
const keyOf = (...limits: string[]) =>
  lineOf('keys', 'create', '--plan', 'enterprise', '--name', 'x', ...limits)

/** Shows a state of the forming candle on the stream. */
const publish = (close: number) => {
  const [forming] = binance.truth('BTCUSDT', '1d', 1) as [Candle]
  stream.publish('BTCUSDT', '1d', 86_400_000, { ...forming, high: close, close })
}

describe('several processes of one service', () => {
  it('answer one port together, and allow exactly the requests of a plan', async () => {
    const key = await keyOf('--requests', '90')
    const path = '/indicator/rsi?exchange=demo&symbol=BTCUSDT&timeframe=1h'
    const statuses = await together(160, path, key)
    expect(statuses.filter(each => each === 200)).toHaveLength(90)
    expect(statuses.filter(each => each === 429)).toHaveLength(70)
    expect(pids()).toHaveLength(2)
    for (const pid of pids()) expect(processor(pid)).toBeGreaterThan(0)
  })

  it('know what a key may do wherever it is asked, also a key that took the place of another one', async () => {
    const id = idOf(hashOf(await keyOf('--scopes', 'alerts')))
    const rotated = await lineOf('keys', 'rotate', id)
    const answered = async () => [...new Set(await together(12, '/exchanges', rotated))]
    expect(await answered()).toEqual([403])
    await candela.cli('keys', 'update', id, '--scopes', 'read')
    await expect.poll(answered, inTime).toEqual([200])
  })

  it('fetch a series once, and repeat a question for free wherever it was pending', async () => {
    const key = await keyOf('--requests', '2')
    await vi.waitFor(async () => expect(await status(`/candles?${market}`, key)).toBe(200), inTime)
    expect(await together(6, `/candles?${market}`)).toEqual(Array(6).fill(200))
    const first = binance.seen.filter(
      ({ pathname, searchParams }) =>
        pathname.endsWith('/klines') && Number(searchParams.get('limit')) >= 1000,
    )
    expect(first.length).toBeGreaterThan(0)
    expect(first.filter(({ searchParams }) => !searchParams.has('endTime')).length).toBeLessThanOrEqual(1)
  })

  it('show one stream of the exchange, and alerts, to the clients of all, and count them together', async () => {
    const clients = await Promise.all(
      Array.from({ length: 12 }, () => StreamingClient.connect(candela.url, candela.key)),
    )
    for (const client of clients) client.send(subscription)
    for (const client of clients) await client.next(isUpdate)
    await vi.waitFor(() => expect(stream.has('btcusdt@kline_1d')).toBe(true), inTime)
    await vi.waitFor(
      async () => {
        publish(2_000_000)
        const values = clients.map(client => client.unread().filter(isUpdate).at(-1)?.data?.max)
        expect(values).toEqual(Array(12).fill(2_000_000))
      },
      { ...inTime, interval: 300 },
    )
    expect(stream.dials).toBe(1)
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => candela.get(`/indicator/max?${market}&period=2`)),
    )
    for (const { body } of answers) expect(body.value).toEqual([2_000_000])
    await vi.waitFor(async () => {
      const { body } = await candela.get('/streaming/health')
      expect(body).toMatchObject({ connections: 12, subscriptions: 12 })
    }, inTime)

    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
    expect(text).toContain('\ncandela_subscriptions 12\n')
    const counted = [...text.matchAll(/^candela_requests_total\{.*status="(200|429)"\} (\d+)$/gm)]
    expect(counted.reduce((sum, [, , count]) => sum + Number(count), 0)).toBeGreaterThan(160)

    for (const client of clients) client.send({ type: 'alerts' })
    for (const client of clients) await client.next(({ type }) => type === 'alerts_ok')
    const alert = { exchange: 'demo', symbol: 'BTCUSDT', timeframe: '1h', expression: 'close > 0' }
    const { id } = (await candela.post('/alerts', alert)).body
    expect((await candela.post(`/alerts/${id}/test`, {})).body).toEqual({ delivered: true })
    for (const client of clients) await client.next(({ type, alert }) => type === 'alert' && alert === id)
    await Promise.all(clients.map(client => client.close()))
  })

  it('go on when one of them is killed, and another one takes its place', async () => {
    const clients = await Promise.all(
      Array.from({ length: 8 }, () => StreamingClient.connect(candela.url, candela.key)),
    )
    for (const client of clients) client.send(subscription)
    for (const client of clients) await client.next(isUpdate)
    const open = new Set(clients)
    for (const client of clients) void client.closed.then(() => open.delete(client))
    const [killed = 0, other] = pids()
    process.kill(killed, 'SIGKILL')
    await vi.waitFor(() => expect(pids()).not.toContain(killed), inTime)
    expect(await together(20, `/indicator/max?${market}&period=2`)).toEqual(Array(20).fill(200))
    await vi.waitFor(() => expect(pids()).toHaveLength(2), inTime)
    expect(pids()).toContain(other)
    const again = await Promise.all(
      clients.slice(open.size).map(() => StreamingClient.connect(candela.url, candela.key)),
    )
    for (const client of again) client.send(subscription)
    await vi.waitFor(
      () => {
        publish(3_000_000)
        for (const client of [...open, ...again])
          expect(client.unread().filter(isUpdate).at(-1)?.data?.max).toBe(3_000_000)
      },
      { ...inTime, interval: 300 },
    )
    await Promise.all([...open, ...again].map(client => client.close()))
  })

  it('end when their owner is killed, and begin again with what was stored', {
    tags: ['faults'],
  }, async () => {
    const serving = pids()
    const { body } = await candela.whenReady(`/candles?${market}&results=50`)
    await candela.kill()
    const isGone = (pid: number) => {
      try {
        return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.startsWith('Z')
      } catch {
        return true
      }
    }
    await vi.waitFor(() => expect(serving.every(isGone)).toBe(true), inTime)
    const { key } = candela
    candela = await CandelaProcess.start({ ...settings, DATA_DIR: candela.dataDir }, key)
    const requests = binance.requests()
    // Until the exchange has answered, the stored candles are the reply, with a warning.
    const again = await vi.waitFor(async () => {
      const answer = await candela.get(`/candles?${market}&results=50`)
      expect([answer.status, answer.headers.get('warning')]).toEqual([200, null])
      return answer
    }, inTime)
    expect(again.body.slice(0, -1)).toEqual(body.slice(0, -1))
    expect(binance.requests() - requests, 'no history is fetched anew').toBeLessThan(6)
  })

  it('store what is in memory where they notice the end of their owner by a message that fails', async () => {
    const program = join(candela.dataDir, 'processes.mjs')
    const workerProcess = new URL('../../dist/operate/processes/worker-process.js', import.meta.url)
    // The serving process is busy until its owner is gone. To listen, Node.js then sends a message to the owner.
    writeFileSync(
      program,
      `import cluster from "node:cluster"
      import { writeSync } from 'node:fs'
      import { createServer } from 'node:net'
      import { WorkerProcess } from '${workerProcess}'
      if (cluster.isPrimary) cluster.fork().on('message', () => process.kill(process.pid, 'SIGKILL'))
      else {
        const owner = process.ppid
        new WorkerProcess({ number: 1, count: 2, port: 0 }).serve({ save: () => writeSync(1, 'stored') })
        const isRunning = () => {
          try {
            return process.kill(owner, 0)
          } catch {
            return false
          }
        }
        while (isRunning());
        createServer().listen(0)
      }`,
    )
    const owner = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'pipe'] })
    let [printed, errors] = ['', '']
    owner.stdout.on('data', chunk => {
      printed += chunk
    })
    owner.stderr.on('data', chunk => {
      errors += chunk
    })
    await once(owner, 'close')
    expect([printed, errors]).toEqual(['stored', ''])
  })

  it('end in order when their owner is stopped, also where one of them is starting', async () => {
    const [killed = 0] = pids()
    process.kill(killed, 'SIGKILL')
    await vi.waitFor(() => {
      expect(pids()).not.toContain(killed)
      expect(pids()).toHaveLength(2)
    }, inTime)
    const serving = pids()
    expect(await candela.stop('SIGTERM')).toBe(0)
    for (const pid of serving) expect(() => process.kill(pid, 0)).toThrow()
  })
})
