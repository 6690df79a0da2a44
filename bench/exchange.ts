import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Table } from './baseline.js'
import type { ExchangeServer } from './exchange-server.js'
import { ForkedProcess } from './forked-process.js'
import { createKey } from './service-process.js'
import { rounded } from './statistics.js'
import { startWatchedService, type WatchedService } from './watched-service.js'

/** Milliseconds until the reports of the event loop show what has just happened: there is one every second. */
const reportMs = 2500

/** What the event loop notices of an exchange: its list of markets, its candles, and how much memory they take. */
export async function benchExchange(): Promise<Table> {
  const exchange = ForkedProcess.start('exchange-server')
  const { port, marketsBytes } = await exchange.reply<ExchangeServer>()
  const dataDirectory = mkdtempSync(join(tmpdir(), 'candela-exchange-'))
  const authorization = `Bearer ${createKey(dataDirectory)}`
  const service = await startWatchedService(dataDirectory, {
    EXCHANGES: JSON.stringify({ binance: optionsFor(`http://127.0.0.1:${port}`) }),
    HISTORY_DEPTH: '50000',
  })
  const measure = (symbol: string, results: number) => async () => {
    const query = `exchange=binance&symbol=${symbol}&timeframe=1m&results=${results}`
    await answerOf(`http://127.0.0.1:${service.port}/candles?${query}`, authorization)
  }
  const megabytes = (marketsBytes / 1e6).toFixed(0)
  const table = {
    'before the first question': await step(service, async () => {}),
    [`markets of ${megabytes} MB, first series`]: await step(service, measure('C0000USDT', 10)),
    'another series': await step(service, measure('C0001USDT', 10)),
    'list of symbols': await step(service, async () => {
      await answerOf(`http://127.0.0.1:${service.port}/exchanges/binance/symbols`, authorization)
    }),
  }
  await service.stop()
  await exchange.close()
  return table
}

/** Settings that make ccxt's client of Binance talk to the server at `url`, as fast as it likes. */
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
  await sleep(reportMs)
  service.takeReports()
  const began = performance.now()
  await work()
  const ms = performance.now() - began
  await sleep(reportMs)
  const reports = service.takeReports()
  return {
    'ms until answered': rounded(ms),
    'longest hold of the event loop, ms': rounded(Math.max(...reports.map(({ held }) => held))),
    'resident MB': Math.round((reports.at(-1)?.rss ?? 0) / 1e6),
  }
}
