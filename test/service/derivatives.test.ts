import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Binance, ccxtOptions, faults, startBinance } from '../support/binance.js'
import { candlesOfValues } from '../support/derivatives.js'
import { Candela, CandelaProcess } from '../support/service-process.js'

const length = 4 * 3600
/** More settlements than a page has. */
const depth = 220
const listed = Date.UTC(2024, 0, 1)
const funding = '/fapi/v1/fundingRate'
const openInterest = '/futures/data/openInterestHist'

let binance: Binance
let dataDir: string
let candela: Candela | undefined
beforeAll(async () => {
  const linear = { venue: 'linear', quote: 'USDT', price: 100, listed } as const
  binance = await startBinance({
    markets: ['BTC', 'ETH'].map(base => ({ ...linear, base, symbol: `${base}USDT` })),
  })
  dataDir = mkdtempSync(join(tmpdir(), 'candela-'))
})
afterAll(async () => {
  await candela?.stop()
  await binance.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const settings = () => ({
  DATA_DIR: dataDir,
  HISTORY_DEPTH: String(depth),
  EXCHANGES: JSON.stringify({ binanceusdm: ccxtOptions(binance.url) }),
})

/** The answer for a market of the fake exchange, once its candles have arrived and are as new as the exchange's. */
async function ask(path: string, query: Readonly<Record<string, string>>) {
  const market = { exchange: 'binanceusdm', symbol: 'BTCUSDT', timeframe: '4h' }
  for (;;) {
    const answer = await (candela as Candela).whenReady(
      `${path}?${new URLSearchParams({ ...market, ...query })}`,
    )
    // A busy machine may take longer for a refresh than a reader waits.
    if (!answer.headers.get('warning')?.startsWith('110')) return answer
  }
}

/** The value that was newest before the end of a candle, for each of some candles that open at `times` (Unix seconds). */
function newestBefore(kind: 'funding' | 'openinterest', times: readonly number[], period: number) {
  const from = ((times[0] as number) - 86_400) * 1000
  const all = candlesOfValues(kind, '1m', from, Date.now(), period)
  return times.map(open => all.findLast(({ timestamp }) => timestamp < open + length)?.close)
}

describe('funding and open interest', () => {
  const whole = { expression: 'funding', results: String(depth - 10) }
  const truth = (times: readonly number[]) => newestBefore('funding', times, 28_800_000)
  const interest = { expression: 'openinterest', results: '150', backtrack: '1' }
  const interestTruth = (times: readonly number[]) => newestBefore('openinterest', times, 3_600_000)

  it('have no hole after pages that are missing', async () => {
    // The newest page of the first market lacks its middle, that of the other one is not answered.
    const lossy = {
      kind: 'list',
      change: (rows: readonly unknown[]) => rows.filter((_, k) => k < 30 || k > 50),
    } as const
    binance.fail(funding, lossy, 4)
    binance.fail(funding, faults.silence, 1)
    binance.fail(openInterest, lossy, 3)
    candela = await CandelaProcess.start(settings())
    const { body: first } = await ask('/expression', whole)
    expect(first.value).toEqual(truth(first.timestamp))
    const { body: firstInterest } = await ask('/expression', interest)
    expect(firstInterest.value).toEqual(interestTruth(firstInterest.timestamp))
  })

  it('have none after kill -9 and a restart', async () => {
    const killed = candela as CandelaProcess
    binance.fail(openInterest, faults.silence, 1)
    const interestRequests = binance.requests(openInterest)
    for (const asked of [whole, interest])
      void ask('/expression', { ...asked, symbol: 'ETHUSDT' }).catch(() => {})
    await binance.requested(funding, 5)
    await binance.requested(openInterest, interestRequests + 1)
    await killed.kill()
    candela = await Candela.start(settings(), killed.key)

    const before = binance.seen.length
    for (const symbol of ['BTCUSDT', 'ETHUSDT']) {
      const { body } = await ask('/expression', { ...whole, symbol })
      expect(body.value, symbol).toEqual(truth(body.timestamp))
      const { body: interests } = await ask('/expression', { ...interest, symbol })
      expect(interests.value, symbol).toEqual(interestTruth(interests.timestamp))
    }
    const older = binance.seen
      .slice(before)
      .filter(({ pathname, searchParams }) => pathname === funding && searchParams.has('startTime'))
      .map(({ searchParams }) => searchParams.get('symbol'))
    expect([...new Set(older)], 'the first one is archived').toEqual(['ETHUSDT'])
    // Of open interest the archive has all but the newest values, which a refresh brings in one page.
    const interestsOf = (symbol: string) =>
      binance.seen
        .slice(before)
        .filter(url => url.pathname === openInterest && url.searchParams.get('symbol') === symbol)
    expect(interestsOf('BTCUSDT').length).toBeLessThan(interestsOf('ETHUSDT').length)
  })

  it('are markets of their own, and conditions of a screen', async () => {
    const { body: candles } = await ask('/candles', {
      symbol: 'BTCUSDT.funding',
      timeframe: '8h',
      results: '5',
    })
    expect(candles.map(({ close }: { close: number }) => close)).toEqual(
      candlesOfValues('funding', '8h', listed, Date.now())
        .slice(-5)
        .map(({ close }) => close),
    )
    const service = candela as Candela
    const screen = {
      ...{ exchange: 'binanceusdm', timeframe: '4h', symbols: ['BTCUSDT', 'ETHUSDT'] },
      ...{ where: 'funding > -1 and basis[1] > 0', select: { funding: 'funding', basis: 'basis[1]' } },
    }
    let body = { screened: 0 } as { screened: number; matches: { funding: number; basis: number }[] }
    while (body.screened !== 2) ({ body } = await service.post('/screen', screen, { prefer: 'wait=5' }))
    expect(body).toMatchObject({ screened: 2, failed: [] })
    const [value] = newestBefore('funding', [Date.now() / 1000 - length], 28_800_000)
    expect(body.matches.map(match => match.funding)).toEqual([value, value])
    expect(body.matches[0]?.basis).toBeCloseTo(1.0002 / 0.9995 - 1, 6)
  })

  it('are refused in words where there are none', async () => {
    const { status, body } = await ask('/expression', {
      exchange: 'demo',
      expression: 'funding{stocks:AAPL}',
    })
    expect([status, body.error]).toEqual([404, 'No funding: stocks gives no history of funding rates'])
  })
})
