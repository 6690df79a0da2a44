import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Binance, ccxtOptions, faults, startBinance } from '../support/binance.js'
import { Candela, freePort, tuningOf } from '../support/service-process.js'

let binance: Binance
let candela: Candela
let metricsPort: number

beforeAll(async () => {
  binance = await startBinance()
  metricsPort = await freePort()
  candela = await Candela.start({
    EXCHANGES: JSON.stringify({ binance: ccxtOptions(binance.url) }),
    METRICS_PORT: String(metricsPort),
    REFRESH_SECONDS: '1',
    ...tuningOf({ inlineBudgetUs: 0 }),
  })
})
afterAll(async () => {
  await candela.stop()
  await binance.close()
})

const page = (path: string, method = 'GET') => fetch(`http://127.0.0.1:${metricsPort}${path}`, { method })

/** The values by name and labels, as they are printed. */
async function scrape(): Promise<Map<string, number>> {
  const response = await page('/metrics')
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  const lines = (await response.text()).split('\n').filter(line => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map(line => {
      const at = line.lastIndexOf(' ')
      return [line.slice(0, at), Number(line.slice(at + 1))]
    }),
  )
}

/** The queries of the dashboard, by the titles of their panels. */
const queries = (
  JSON.parse(readFileSync('deploy/grafana-dashboard.json', 'utf8')) as {
    panels: { title: string; targets?: { expr: string }[] }[]
  }
).panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })))

/** The count and the sum of a histogram, whose buckets must not fall and end with the count. */
function histogram(values: ReadonlyMap<string, number>, name: string, labels: string) {
  const buckets = [...values].filter(([each]) => each.startsWith(`${name}_bucket{${labels},le=`))
  const counts = buckets.map(([, count]) => count)
  expect(counts).toEqual(counts.toSorted((a, b) => a - b))
  const value = values.get(`${name}_count{${labels}}`)
  expect(values.get(`${name}_bucket{${labels},le="+Inf"}`)).toBe(value)
  return { value, sum: values.get(`${name}_sum{${labels}}`) ?? 0 }
}

describe('metrics', () => {
  it('are served on their own port only, without a key', async () => {
    expect((await page('/')).status).toBe(404)
    expect((await page('/metrics', 'POST')).status).toBe(405)
    expect((await candela.get('/metrics')).status).toBe(404)
    const values = await scrape()
    expect(values.get('process_resident_memory_bytes')).toBeGreaterThan(0)
    expect(values.get('nodejs_eventloop_lag_max_seconds')).toBeGreaterThan(0)
  })

  it('count replies by route and status', async () => {
    const before = await scrape()
    await candela.get('/indicator/rsi?exchange=demo&symbol=BTCUSDT&timeframe=1h')
    await candela.get('/indicator/nothing?exchange=demo&symbol=BTCUSDT&timeframe=1h')
    await candela.post('/indicator/rsi', { candles: [] })
    await candela.get('/exchanges/demo/symbols')
    await candela.get('/exchanges', { authorization: 'Bearer no' })
    await candela.get('/such/a/path')
    const after = await scrape()
    const grown = Object.fromEntries(
      [...after]
        .filter(([name, value]) => name.startsWith('candela_requests_total') && value !== before.get(name))
        .map(([name, value]) => [name, value - (before.get(name) ?? 0)]),
    )
    expect(grown).toEqual({
      'candela_requests_total{route="/indicator/{name}",status="200"}': 1,
      'candela_requests_total{route="/indicator/{name}",status="404"}': 1,
      'candela_requests_total{route="/indicator/{name}",status="400"}': 1,
      'candela_requests_total{route="/exchanges/{exchange}/symbols",status="200"}': 1,
      'candela_requests_total{route="/exchanges",status="401"}': 1,
      'candela_requests_total{route="other",status="404"}': 1,
    })
  })

  it('count fetches, writes of the archive and stale replies', async () => {
    const path = '/candles?exchange=binance&symbol=BTCUSDT&timeframe=1h'
    const ask = () => candela.get(path, { prefer: 'wait=10' })
    expect((await ask()).status).toBe(200)
    const before = await scrape()
    expect(before.get('candela_fetch_seconds_count{exchange="binance",outcome="ok"}')).toBeGreaterThan(0)
    expect(before.get('candela_archive_writes_total')).toBeGreaterThan(0)
    expect(before.get('candela_archive_corrupt_total')).toBe(0)
    expect(before.get('candela_series')).toBe(2)
    expect(before.get('candela_series_bytes')).toBe(2 * 48 * 1024)

    const heal = binance.fail('/api/v3/klines', faults.drop)
    await sleep(1100)
    expect((await ask()).headers.get('warning')).toContain('110')
    heal()
    const after = await scrape()
    expect(
      after.get('candela_fetch_seconds_count{exchange="binance",outcome="unavailable"}'),
    ).toBeGreaterThan(0)
    expect(after.get('candela_stale_total{exchange="binance"}')).toBeGreaterThan(0)
  })

  it('show how long replies and fetches took, and why fetches failed', async () => {
    const values = await scrape()
    const { value, sum } = histogram(
      values,
      'candela_request_seconds',
      'route="/indicator/{name}",outcome="refused"',
    )
    expect([value, sum > 0]).toEqual([2, true])
    const fetched = histogram(values, 'candela_fetch_seconds', 'exchange="binance",outcome="ok"')
    expect(fetched.value).toBeGreaterThan(0)
    expect(fetched.sum).toBeGreaterThan(0)
    expect(
      values.get('candela_fetch_failures_total{exchange="binance",reason="connection-broken"}'),
    ).toBeGreaterThan(0)
    expect([...values.keys()].filter(name => /candela_fetch_seconds.*demo/.test(name))).toEqual([])
  })

  it('keep the service from starting when their port is taken', async () => {
    await expect(Candela.start({ METRICS_PORT: String(metricsPort) })).rejects.toThrow(
      `cannot show metrics on 127.0.0.1:${metricsPort}`,
    )
  })

  it('count the anomalies of exchanges', async () => {
    const withoutPrice = (row: unknown) => (row as unknown[]).with(4, '0')
    const change = (rows: readonly unknown[]) => rows.with(-100, withoutPrice(rows.at(-100)))
    binance.fail('/api/v3/klines', { kind: 'list', change }, 1)
    const path = '/candles?exchange=binance&symbol=ETHBTC&timeframe=1d'
    expect((await candela.get(path, { prefer: 'wait=10' })).status).toBe(200)
    const after = await scrape()
    expect(after.get('candela_anomalies_total{exchange="binance",anomaly="invalid"}')).toBe(1)
    expect(after.get('candela_anomalies_total{exchange="binance",anomaly="filled-gap"}')).toBe(1)
  })

  it('have what each query of the dashboard asks for, under load', async () => {
    const indicators = Array.from({ length: 20 }, (_, k) => ({
      id: `i${k}`,
      indicator: 'rsi',
      period: 5 + k,
    }))
    const construct = { id: 'c', exchange: 'demo', symbol: 'ETHUSDT', timeframe: '1h', indicators }
    const load = Array.from({ length: 20 }, async (_, k) => {
      await candela.get(`/indicator/ema?exchange=demo&symbol=BTCUSDT&timeframe=1h&period=${5 + k}`)
      await candela.post('/bulk', { constructs: [construct] })
    })
    await Promise.all(load)
    const values = [...(await scrape()).keys()]
    const without = queries.flatMap(({ title, expr }) => {
      const [, by = ''] = /by \(([\w, ]+)\)/.exec(expr) ?? []
      const labels = by.split(/, */).filter(label => label !== '' && label !== 'instance')
      const names = [...expr.matchAll(/\b((?:candela|process|nodejs)_\w+)\{job="\$job"/g)].map(
        ([, name]) => name,
      )
      expect(names.length, expr).toBeGreaterThan(0)
      const isShown = (name = '') =>
        values.some(
          value => value.split('{')[0] === name && labels.every(label => value.includes(`${label}="`)),
        )
      return names.every(isShown) ? [] : [title]
    })
    // These need a store that nodes share, and an alert that has fired.
    expect([...new Set(without)]).toEqual([
      'Commands and what was counted without it',
      'Time of a command',
      'Fired and delivered',
      'Time of a webhook, 99th percentile',
      'Attempts to call webhooks',
    ])
  })
})
