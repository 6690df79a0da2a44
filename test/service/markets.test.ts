import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { paramsOf } from '../../src/cli/option-parsers.js'
import { type AskedService, clientOf, startOwnService } from '../../src/cli/service.js'
import type { MarketUpdate } from '../../src/cli/update-display.js'
import { follow as followMarket } from '../../src/cli/watch.js'
import type { Candela } from '../../src/client/index.js'
import { createDemoSource } from '../../src/markets/exchanges/demo/demo-source.js'
import { runCommand } from '../support/command-line.js'
import { entryOf, valuesOf } from '../support/kernel.js'
import { midnight, startTestService, type TestService } from '../support/test-service.js'

const cli = fileURLToPath(new URL('../../dist/cli/candela.js', import.meta.url))
const market = { exchange: 'demo', symbol: 'BTCUSDT', timeframe: '1m' } as const
const rsi = { indicator: entryOf('rsi'), ...valuesOf(entryOf('rsi'), { period: 9, source: 'open' }) }

let service: TestService
let ofService: Candela
let own: AskedService
let seconds = midnight
let directory: string
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'candela-markets-'))
  service = await startTestService()
  ofService = await clientOf(service.url, 'many')
  const demo = createDemoSource(() => seconds)
  own = await startOwnService(
    {},
    {
      exchanges: {
        ids: () => ['demo'],
        find: id => (id === 'demo' ? { id, source: demo } : undefined),
        close: () => demo.close(),
      },
      clock: () => seconds,
    },
  )
})
afterAll(async () => {
  await Promise.all([own.close(), service.close()])
  rmSync(directory, { recursive: true, force: true })
})

/** Moves both clocks. */
function pass(length: number): void {
  seconds += length
  service.pass(length)
}

/** Follows until `count` updates have arrived. Calls `onUpdate` with the number of each. */
async function follow(client: Candela, count: number, closedOnly: boolean, onUpdate: (n: number) => void) {
  const updates: MarketUpdate[] = []
  const ending = new AbortController()
  await followMarket(client, market, rsi, {
    closedOnly,
    signal: ending.signal,
    onUpdate: update => {
      updates.push(update)
      if (updates.length === count) ending.abort()
      else onUpdate(updates.length)
    },
    onNote: text => {
      throw new Error(text)
    },
  })
  return updates
}

const values = (client: Candela, results: number) =>
  client.indicator('rsi', market, { ...paramsOf(rsi), results } as { readonly results: number })

describe('the service of a command and one that runs', () => {
  it('have the same candles and values', async () => {
    expect(await own.client.candles(market, { results: 3 })).toEqual(
      await ofService.candles(market, { results: 3 }),
    )
    expect(await values(own.client, 5)).toEqual(await values(ofService, 5))
  })

  it('show the present values first, then every change', async () => {
    for (const client of [own.client, ofService]) {
      const updates = await follow(client, 3, true, () => pass(60))
      expect(updates.map(({ closed }) => closed)).toEqual([true, true, true])
      const times = updates.map(({ data }) => data.timestamp)
      expect(times).toEqual([times[0], Number(times[0]) + 60, Number(times[0]) + 120])
      const { value, timestamp } = await values(ofService, 100)
      for (const { data } of updates) expect(data.rsi).toBe(value?.[timestamp.indexOf(data.timestamp)])
    }
  })

  it('end while candles are still fetched', async () => {
    const never = await startOwnService(
      {},
      {
        exchanges: {
          ids: () => ['slow'],
          find: id => ({ id, source: { symbols: () => [], candles: () => new Promise(() => {}) } }),
          close: async () => {},
        },
      },
    )
    const ending = new AbortController()
    const ended = followMarket(never.client, { ...market, exchange: 'slow' }, rsi, {
      closedOnly: false,
      signal: ending.signal,
      onUpdate() {},
      onNote() {},
    })
    ending.abort()
    await expect(ended).resolves.toBeUndefined()
    await never.close()
  })

  it('say what is not there', async () => {
    const wrong = { ...market, symbol: 'XXX' }
    await expect(own.client.candles(wrong, { results: 3 })).rejects.toThrow('Symbol not found: XXX on demo')
    await expect(ofService.candles(wrong, { results: 3 })).rejects.toThrow('Symbol not found: XXX on demo')
    const other = await clientOf(service.url, 'wrong')
    await expect(follow(other, 1, false, () => {})).rejects.toThrow(/key/i)
    const none = await clientOf('http://127.0.0.1:1', 'many')
    await expect(follow(none, 1, false, () => {})).rejects.toThrow(
      'Candela does not answer at http://127.0.0.1:1',
    )
    await expect(clientOf('here', 'many')).rejects.toThrow('"here" is no address')
    await expect(clientOf(service.url, '')).rejects.toThrow('set CANDELA_KEY')
  })
})

/** Runs a command on the service. */
const candela = (words: readonly string[]) =>
  runCommand(words, { DATA_DIR: join(directory, 'data'), CANDELA_URL: service.url, CANDELA_KEY: 'many' })

describe('candela watch', () => {
  it('ends with Ctrl-C, without an error, and leaves no data directory', async () => {
    const env = { PATH: process.env.PATH, DATA_DIR: join(directory, 'none') }
    const child = spawn(process.execPath, [cli, 'watch', 'demo', 'BTCUSDT', '1m', 'rsi', '--json'], { env })
    let errors = ''
    child.stderr.on('data', text => {
      errors += text
    })
    const [line] = await once(createInterface(child.stdout), 'line')
    expect(JSON.parse(line)).toEqual({
      closed: false,
      rsi: expect.any(Number),
      timestamp: expect.any(Number),
    })
    child.kill('SIGINT')
    const [code] = await once(child, 'exit')
    expect({ code, errors }).toEqual({ code: 0, errors: '' })
    expect(existsSync(join(directory, 'none'))).toBe(false)
  })

  it('asks a running service where one is named', async () => {
    const words = ['watch', 'demo', 'BTCUSDT', '1m', 'macd', '--updates', '1']
    const { code, out } = await candela([...words, '--fast-period', '5'])
    expect(code).toBe(0)
    const { valueMACD } = await ofService.indicator('macd', market, { fastPeriod: 5, results: 1 })
    expect(out).toContain(`valueMACD ${Number(Number(valueMACD?.[0]).toPrecision(8))}`)
    const refused = await candela([...words, '--url', service.url, '--key', 'wrong', '--json'])
    expect(refused.code).toBe(1)
    expect(JSON.parse(refused.err).error).toMatch(/key/i)
  })
})

describe('candela chart', () => {
  it('draws prices and an indicator, or prints the numbers', async () => {
    const words = ['chart', 'demo', 'BTCUSDT', '1m']
    const [rsiChart, bands, numbers] = await Promise.all([
      candela([...words, 'rsi']),
      candela([...words, 'bbands', '--candles', '30']),
      candela([...words, 'rsi', '--candles', '2', '--json']),
    ])
    const [last] = await ofService.candles(market, { results: 1 })
    expect(rsiChart.out).toContain(`demo BTCUSDT 1m: ${last?.close}  close\n`)
    expect(rsiChart.out).toMatch(/\nrsi: [\d.]+ {2}value\n/)
    expect(rsiChart.out).not.toContain('\u001b')
    expect(Math.max(...rsiChart.out.split('\n').map(row => row.length))).toBeLessThanOrEqual(80)
    expect(bands.out).toContain('close  valueUpperBand  valueMiddleBand  valueLowerBand\n')
    const { candles, values } = JSON.parse(numbers.out)
    expect(candles).toHaveLength(2)
    expect(values.timestamp).toEqual(candles.map(({ timestamp }: { timestamp: number }) => timestamp))
  })
})
