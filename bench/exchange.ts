import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Table } from './baseline.js'
import { effort } from './effort.js'
import type { ExchangeServer } from './exchange-server.js'
import { ForkedProcess } from './forked-process.js'
import { createKey, residentMb } from './service-process.js'
import { rounded } from './statistics.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const depth = effort(50_000, 2_000)
/** Milliseconds for the work of a service before and after its reply. */
const settleMs = effort(1000, 10)

/** Load of the event loop by an exchange: its list of markets, its candles, and their memory. */
export async function benchExchange(): Promise<Table> {
  const exchange = ForkedProcess.start('exchange-server')
  const { port, marketsBytes } = await exchange.reply<ExchangeServer>()
  const dataDirectory = mkdtempSync(join(tmpdir(), 'candela-exchange-'))
  const authorization = `Bearer ${createKey(dataDirectory)}`
  const service = await startService(dataDirectory, {
    EXCHANGES: JSON.stringify({ binance: optionsFor(`http://127.0.0.1:${port}`) }),
    HISTORY_DEPTH: String(depth),
  })
  const measure = (symbol: string, results: number) => async () => {
    const query = `exchange=binance&symbol=${symbol}&timeframe=1m&results=${results}`
    await answerOf(`http://127.0.0.1:${service.port}/candles?${query}`, authorization)
  }
  const megabytes = (marketsBytes / 1e6).toFixed(0)
  const table = {
    'before the first question': await step(service, async () => {}),
    [`markets of ${megabytes} MB, ${depth} candles`]: await step(service, measure('C0000USDT', 10)),
    [`${depth} candles of another market`]: await step(service, measure('C0001USDT', 10)),
    'list of symbols': await step(service, async () => {
      await answerOf(`http://127.0.0.1:${service.port}/exchanges/binance/symbols`, authorization)
    }),
  }
  await service.stop()
  rmSync(dataDirectory, { recursive: true, force: true })
  await exchange.close()
  return table
}

/** Settings that make ccxt's client of Binance use the server at `url` without a rate limit. */
function optionsFor(url: string) {
  const [spot, linear, inverse] = [`${url}/api/v3`, `${url}/fapi/v1`, `${url}/dapi/v1`]
  return {
    rateLimit: 1,
    urls: { api: { public: spot, private: spot, fapiPublic: linear, dapiPublic: inverse } },
  }
}

async function answerOf(url: string, authorization: string): Promise<void> {
  for (;;) {
    const { status } = await fetch(url, { headers: { authorization, prefer: 'wait=10' } })
    if (status === 200) return
    if (status !== 202) throw new Error(`${url} was answered with ${status}`)
  }
}

async function step(service: WatchedService, work: () => Promise<void>) {
  await sleep(settleMs)
  await service.takeHeldMs()
  const began = performance.now()
  await work()
  const ms = performance.now() - began
  await sleep(settleMs)
  return {
    'ms until answered': rounded(ms),
    'longest hold of the event loop, ms': rounded(await service.takeHeldMs()),
    'resident MB': residentMb(service.pid),
  }
}

interface WatchedService {
  readonly port: number
  readonly pid: number
  /** The longest processor time between two turns of the event loop since the last call, in milliseconds. */
  takeHeldMs(): Promise<number>
  stop(): Promise<void>
}

async function startService(dataDirectory: string, settings: NodeJS.ProcessEnv): Promise<WatchedService> {
  const child = fork(join(root, 'dist/main.js'), {
    cwd: root,
    execArgv: ['--import', pathToFileURL(join(root, 'test/support/process-watch.mjs')).href],
    env: { ...process.env, LOG_LEVEL: 'error', ...settings, DATA_DIR: dataDirectory, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  let text = ''
  let port: string | undefined
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    text += chunk
    port = /listens on http:\/\/[^:]+:(\d+)/.exec(text)?.[1]
    if (port !== undefined) break
  }
  if (port === undefined) throw new Error(`the service ended before it listened:\n${text}`)
  return {
    port: Number(port),
    pid: child.pid as number,
    async takeHeldMs() {
      child.send({ command: 'take' })
      return (await once(child, 'message'))[0].held
    },
    async stop() {
      const exited = once(child, 'exit')
      child.kill()
      await exited
    },
  }
}
