import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Store, StoreFailure } from '../../../src/contract/storage/stores.js'
import { getReady, type Health, readParts } from '../../../src/http/endpoints/health.js'
import { type Source, SourceFailure, timeframeNotOffered } from '../../../src/markets/exchanges/source.js'
import { History } from '../../../src/markets/history/history.js'
import { openEmbedded } from '../../../src/store/embedded/embedded.js'

const gigabyte = 2 ** 30
let directory: string
let store: Store
let history: History
let freeBytes: number

const parts = () => readParts({ ...store, freeBytes: () => freeBytes }, history)
const ready = (health: Partial<Health> = {}) => {
  const { status, body } = getReady({ health: () => ({ isStopping: false, parts: parts(), ...health }) })
  return { status, body: JSON.parse(String(body)) }
}

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'candela-test-'))
  store = openEmbedded(directory)
  history = new History({ depth: 10, bytes: 1e6, refreshSeconds: 5, clock: () => 0 })
  freeBytes = gigabyte
})

afterEach(async () => {
  await store.close()
  rmSync(directory, { recursive: true })
})

const market = { exchange: 'one', symbol: 'BTCUSDT', timeframe: '1m' } as const

/** Sends a request to an exchange that answers with `answer`. */
async function ask(exchange: string, symbol: string, answer: () => Promise<never[]>): Promise<void> {
  const source: Source = { symbols: () => [], candles: answer }
  const reading = history.read({ ...market, exchange, symbol }, source)
  if ('ready' in reading) await reading.ready.catch(() => {})
}

describe('readiness', () => {
  it('shows each part', () => {
    expect(ready()).toEqual({
      status: 200,
      body: {
        status: 'ready',
        parts: {
          accounts: { status: 'ok' },
          archive: { status: 'ok' },
          alerts: { status: 'ok' },
          exchanges: { status: 'ok', down: [] },
        },
      },
    })
  })

  it('is degraded while alerts cannot be evaluated', () => {
    const failure = 'some markets of alerts cannot be followed'
    expect(
      ready({ parts: readParts({ ...store, freeBytes: () => freeBytes }, history, { failure }) }),
    ).toMatchObject({
      status: 200,
      body: { status: 'degraded', parts: { alerts: { status: 'degraded', reason: failure } } },
    })
  })

  it('is degraded while candles cannot be written, and no longer when they can', () => {
    const failing = () => {
      throw new Error('No space left on device')
    }
    expect(() => store.keyValues.write(failing)).toThrow(StoreFailure)
    expect(ready()).toMatchObject({
      status: 200,
      body: {
        status: 'degraded',
        parts: { archive: { status: 'degraded', reason: 'candles cannot be written' } },
      },
    })
    store.keyValues.write(() => [['a', new Uint8Array(1)]])
    expect(ready().body.status).toBe('ready')
  })

  it('is degraded when the disk is almost full', () => {
    freeBytes = 1000
    expect(ready()).toMatchObject({
      status: 200,
      body: { status: 'degraded', parts: { archive: { reason: 'the disk is almost full' } } },
    })
  })

  it('reads the free space of the disk', () => {
    expect(store.freeBytes()).toBeGreaterThan(0)
  })

  it('names the exchanges whose last answer was a failure', async () => {
    const cause = new Error('it hung up')
    const fail = () => Promise.reject(new SourceFailure('unavailable', 'it cannot be reached', { cause }))
    await ask('two', 'A', fail)
    await ask('one', 'A', fail)
    await ask('three', 'A', async () => [])
    await ask('four', 'A', () => Promise.reject(new SourceFailure('unknown-symbol', 'no such symbol')))
    await ask('five', 'A', () => Promise.reject(timeframeNotOffered('five', '1m')))
    expect(ready()).toMatchObject({
      status: 200,
      body: { status: 'degraded', parts: { exchanges: { status: 'degraded', down: ['one', 'two'] } } },
    })
    await ask('one', 'B', async () => [])
    await ask('two', 'B', async () => [])
    expect(ready().body.status).toBe('ready')
  })

  it('refuses while the service stops, or cannot check a key', () => {
    expect(ready({ isStopping: true })).toMatchObject({ status: 503, body: { status: 'stopping' } })
    const accounts = {
      check: () => {
        throw new Error('the file is gone')
      },
    } as unknown as Store['accounts']
    const broken = readParts({ accounts, writeFailure: () => undefined, freeBytes: () => gigabyte }, history)
    expect(ready({ parts: broken })).toMatchObject({
      status: 503,
      body: { status: 'unavailable', parts: { accounts: { status: 'down' } } },
    })
  })
})
