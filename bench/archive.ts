import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Candle } from '#dist/candles/candle.js'
import { Series } from '#dist/candles/series.js'
import { Archive } from '#dist/history/archive.js'
import { openEmbedded } from '#dist/store/embedded.js'
import { issueKey } from '#dist/store/key.js'
import type { Table } from './baseline.js'
import { median } from './median.js'
import { seeded } from './walk.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const series = 2_000
const depth = 1_000
const deep = 5_000
const starts = 5

const rounded = (value: number, digits = 2) => Number(value.toFixed(digits))

/** `count` hourly candles that end before the hour that is running. */
function walk(count: number, seed: number): Candle[] {
  const random = seeded(seed)
  const last = Math.floor(Date.now() / 3_600_000) * 3600
  let close = 100
  return Array.from({ length: count }, (_, i) => {
    const open = close
    close = open * (1 + (random() - 0.5) / 50)
    return {
      timestamp: last - (count - i) * 3600,
      open,
      high: Math.max(open, close) * (1 + random() / 100),
      low: Math.min(open, close) * (1 - random() / 100),
      close,
      volume: random() * 1000,
    }
  })
}

const bytesIn = (directory: string) =>
  readdirSync(directory).reduce((sum, name) => sum + statSync(join(directory, name)).blocks * 512, 0)

/** Milliseconds until the service says that it listens. */
async function start(
  dataDir: string,
  exchange: string,
): Promise<{ child: ChildProcess; url: string; ms: number }> {
  const began = performance.now()
  const child = spawn(process.execPath, ['dist/main.js'], {
    cwd: root,
    env: {
      ...process.env,
      PORT: '0',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'silent',
      EXCHANGES: JSON.stringify({ binance: { urls: { api: { public: exchange } }, rateLimit: 1 } }),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    text += chunk
    const url = /listens on (\S+)\n/.exec(text)?.[1]
    if (url) return { child, url, ms: performance.now() - began }
  }
  throw new Error('the service ended before it listened')
}

/** What an archive of 2,000 series costs: bytes, opening, writing, and a restart of the service over it. */
export async function benchArchive(): Promise<readonly Table[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'candela-bench-'))
  const exchange = createServer((_, response) => response.writeHead(503).end('{}'))
  try {
    const store = openEmbedded(dataDir)
    const archive = new Archive(store.chunks, { depth, journal: store.journal })
    for (let i = 0; i < series; i++) archive.write(`binance:S${i}USDT:1h`, walk(depth, i), depth)
    const disk = bytesIn(join(dataDir, 'candles')) / (series * depth)

    const key = 'x:DEEP:1h'
    archive.setDepth(key, deep)
    archive.write(key, walk(deep, 1))
    const opening: number[] = []
    const shallow: number[] = []
    for (let i = 0; i < 300; i++) {
      let began = performance.now()
      archive.read(key)
      opening.push(performance.now() - began)
      began = performance.now()
      archive.read(`binance:S${i}USDT:1h`)
      shallow.push(performance.now() - began)
    }
    const appending: number[] = []
    const end = walk(1, 1)[0] as Candle
    for (let i = 1; i <= 300; i++) {
      const candle = { ...end, timestamp: end.timestamp + 3600 * i }
      const began = performance.now()
      archive.write(key, [candle])
      appending.push(performance.now() - began)
    }
    const noting: number[] = []
    for (let i = 301; i <= 600; i++) {
      const candle = { ...end, timestamp: end.timestamp + 3600 * i }
      const began = performance.now()
      archive.enqueue(key, [candle])
      noting.push(performance.now() - began)
    }
    archive.flush()
    for (let i = 0; i < series; i++)
      archive.enqueue(`binance:S${i}USDT:1h`, [{ ...end, timestamp: end.timestamp + 3600 }])
    const flushing = performance.now()
    archive.flush()
    const flushed = performance.now() - flushing
    const memory = (count: number) => {
      const { columns, closed } = archive.read(key, count) ?? { columns: undefined, closed: 0 }
      return columns ? Series.over('1h', count, columns, closed).bytes / closed : 0
    }
    const { key: token } = await issueKey(
      store.accounts,
      { name: 'bench', plan: 'enterprise', requests: 1e9 },
      1,
    )
    const candles = {
      'bytes a candle on disk, 2,000 series of 1,000': { value: rounded(disk) },
      'bytes a candle in memory, 1,000 of a series': { value: rounded(memory(1000)) },
      'bytes a candle in memory, 5,000 of a series': { value: rounded(memory(5000)) },
      'opening 5,000 candles, ms': { value: rounded(median(opening), 3) },
      'opening 1,000 candles, ms': { value: rounded(median(shallow), 3) },
      'writing a candle at once, ms': { value: rounded(median(appending), 3) },
      'noting a candle, ms': { value: rounded(median(noting), 3) },
      'writing what was noted of 2,000 series, ms for 50 of them': {
        value: rounded((flushed * 50) / series),
      },
    }
    await store.close()

    await new Promise<void>(resolve => exchange.listen(0, '127.0.0.1', resolve))
    const address = `http://127.0.0.1:${(exchange.address() as AddressInfo).port}`
    const ready: number[] = []
    const pending: number[] = []
    const answers: number[] = []
    for (let i = 0; i < starts; i++) {
      const { child, url, ms } = await start(dataDir, address)
      ready.push(ms)
      let accepted = 0
      for (let each = 0; each < series; each++) {
        const began = performance.now()
        const response = await fetch(
          `${url}/candles?exchange=binance&symbol=S${each}USDT&timeframe=1h&results=max`,
          { headers: { authorization: `Bearer ${token}` } },
        )
        const body = (await response.json()) as unknown[]
        if (response.status === 202) accepted++
        else if (response.status !== 200 || body.length < depth)
          throw new Error(`S${each}: ${response.status}`)
        answers.push(performance.now() - began)
      }
      pending.push(accepted)
      const ended = once(child, 'exit')
      child.kill()
      await ended
    }
    const empty: number[] = []
    for (let i = 0; i < starts; i++) {
      const { child, ms } = await start(mkdtempSync(join(dataDir, 'empty-')), address)
      empty.push(ms)
      const ended = once(child, 'exit')
      child.kill()
      await ended
    }
    const restart = {
      'restart with 2,000 series until it listens, ms': { value: rounded(median(ready), 0) },
      'start without any, ms': { value: rounded(median(empty), 0) },
      'first requests answered with 202': { value: Math.max(...pending) },
      'first request for a series, exchange down (1,000 candles as JSON), ms': {
        value: rounded(median(answers)),
      },
    }
    return [candles, restart]
  } finally {
    exchange.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
