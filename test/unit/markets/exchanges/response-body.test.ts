import type { ServerResponse } from 'node:http'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { CcxtSource } from '../../../../src/markets/exchanges/ccxt/ccxt-source.js'
import { Decompressor, maxBodyBytes } from '../../../../src/markets/exchanges/response-body.js'
import { type Source, SourceFailure } from '../../../../src/markets/exchanges/source.js'
import { StocksSource } from '../../../../src/markets/exchanges/stocks/stocks-source.js'
import { ccxtOptions, startBinance } from '../../../support/binance.js'
import { collectGarbage } from '../../../support/memory.js'
import { Yahoo } from '../../../support/yahoo.js'

type Write = (response: ServerResponse) => void

/** A Wednesday, 11:34:56 in New York. */
const now = Date.UTC(2025, 5, 18, 15, 34, 56)
const klines = '/api/v3/klines'
const timeoutMs = 1500

let open: { close?(): Promise<void> }[] = []

afterEach(async () => {
  for (const resource of open.splice(0).reverse()) await resource.close?.()
  open = []
})

/** Failure of a source whose requests for candles are all answered by `write`. */
async function failureOf(source: Source, symbol: string): Promise<SourceFailure> {
  const outcome = await Promise.resolve(source.candles(symbol, '1d', 5)).catch(error => error)
  expect(outcome).toBeInstanceOf(SourceFailure)
  return outcome
}

/** The exchanges with servers that answer every request for candles by `write`; `requests` counts them. */
const exchanges = {
  async ccxt(write: Write, settings: { timeoutMs?: number; concurrency?: number } = {}) {
    const server = await startBinance({ clock: () => now })
    const options = { ...ccxtOptions(server.url), rateLimit: 1 }
    const source = new CcxtSource('binance', { backoffMs: 1, retries: 1, options, ...settings })
    open.push(server, source)
    await source.symbols()
    server.fail(klines, { kind: 'written', write })
    return {
      id: 'binance',
      source,
      ask: () => failureOf(source, 'BTCUSDT'),
      requests: () => server.requests(klines),
    }
  },

  async stocks(write: Write, settings: { timeoutMs?: number } = {}) {
    const server = await Yahoo.start({ clock: () => now, securities: { AAPL: { seed: 1 } } })
    const source = new StocksSource({
      ...server.settings,
      requestsPerSecond: 1000,
      backoffMs: 1,
      retries: 1,
      clock: () => now / 1000,
      ...settings,
    })
    open.push(server, source)
    let requests = 0
    server.answer(/chart/, response => {
      requests++
      write(response)
    })
    return { id: 'stocks', source, ask: () => failureOf(source, 'AAPL'), requests: () => requests }
  },
}

const json = { 'content-type': 'application/json' }

/** Sends bytes until the client hangs up; `sent` is how many there were. */
function endless(): { write: Write; sent: () => number } {
  const chunk = Buffer.alloc(2 ** 20, ' ')
  let sent = 0
  const write: Write = response => {
    response.writeHead(200, json)
    const more = () => {
      while (!response.destroyed) {
        sent += chunk.byteLength
        if (!response.write(chunk)) {
          response.once('drain', more)
          return
        }
      }
    }
    more()
  }
  return { write, sent: () => sent }
}

let slowResponses = 0
/** Sends one byte at a time, forever, so that no pause is long. */
const slow: Write = response => {
  slowResponses++
  response.writeHead(200, json)
  const timer = setInterval(() => response.write(' '), 5)
  response.on('close', () => {
    slowResponses--
    clearInterval(timer)
  })
}

/** Calls `ask`. Its timeouts pass while slow responses are sent, and its pauses before that. */
async function askSlowly<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  let ticks = 0
  const passing = setInterval(() => {
    // Nothing that the end depends on may be garbage in the meantime. The timeout passes in three ticks.
    if (slowResponses > 0 && ticks++ % 3 === 1) collectGarbage()
    vi.advanceTimersByTime(slowResponses > 0 ? timeoutMs / 3 : 1)
  }, 20)
  try {
    return await ask()
  } finally {
    clearInterval(passing)
    vi.useRealTimers()
  }
}

const whole =
  (body: string | Buffer, headers: Readonly<Record<string, string>> = {}): Write =>
  response =>
    response.writeHead(200, { ...json, ...headers }).end(body)

const tooLong = Buffer.alloc(2 * maxBodyBytes, ' ')
const bomb = gzipSync(tooLong, { level: 1 })
const brotliBomb = brotliCompressSync(tooLong.subarray(0, maxBodyBytes + 1), {
  params: { [constants.BROTLI_PARAM_QUALITY]: 1 },
})

describe.each(Object.keys(exchanges) as (keyof typeof exchanges)[])('a response of %s', name => {
  test('without an end is read to the limit only, once', async () => {
    const { write, sent } = endless()
    const { id, ask, requests } = await exchanges[name](write)
    expect((await ask()).message).toBe(`${id} sent a reply that is too long`)
    expect(requests()).toBe(1)
    // Bytes sent beyond the limit are in the buffers of both sockets.
    expect(sent()).toBeLessThan(maxBodyBytes + 32 * 2 ** 20)
  })

  test.each([
    ['gzip', bomb],
    ['br', brotliBomb],
  ])('that decompresses (%s) to more than the limit is not read', async (encoding, body) => {
    const { id, ask, requests } = await exchanges[name](whole(body, { 'content-encoding': encoding }))
    expect((await ask()).message).toBe(`${id} sent a reply that is too long`)
    expect(requests()).toBe(1)
  })

  test('that comes byte by byte ends by the timeout, and is requested again', async () => {
    const { id, ask, requests } = await exchanges[name](slow, { timeoutMs })
    expect((await askSlowly(ask)).message).toBe(`${id} did not answer within ${timeoutMs} ms`)
    expect(requests()).toBe(2)
  })

  test.each(['null', '{}', 'maintenance', '"maintenance"', ' ', 'true', '0'])(
    'that is %j is no empty list of candles, and is requested again',
    async body => {
      const { id, ask, requests } = await exchanges[name](whole(body))
      const { kind, message } = await ask()
      expect({ kind, message }).toEqual({
        kind: 'unavailable',
        message: `${id} sent a reply that cannot be read`,
      })
      expect(requests()).toBe(2)
    },
  )
})

test('an exchange whose responses all come byte by byte answers again when they no longer do', async () => {
  let isSlow = true
  const { source, ask } = await exchanges.ccxt(
    response => (isSlow ? slow(response) : whole('[]')(response)),
    { timeoutMs, concurrency: 2 },
  )
  const failures = await askSlowly(() => Promise.all(Array.from({ length: 3 }, ask)))
  expect(failures.map(({ kind }) => kind)).toEqual(Array(3).fill('unavailable'))
  isSlow = false
  expect(await source.candles('BTCUSDT', '1d', 5), 'an empty list is one').toEqual([])
})

test('the bodies of an exchange are decompressed one after the other, a refused one too', async () => {
  const decompressor = new Decompressor()
  const ended: string[] = []
  const decompress = (name: string, body: Buffer, encoding: string) =>
    decompressor
      .decompress(body, encoding)
      .catch(error => error.name)
      .finally(() => ended.push(name))
  const outcomes = [
    decompress('bomb', bomb, 'gzip'),
    decompress('short', gzipSync('[]'), 'gzip'),
    decompress('broken', Buffer.from('[]'), 'br'),
    decompress('plain', Buffer.from('[]'), 'identity'),
  ]
  expect(await Promise.all(outcomes)).toEqual(['BodyTooLong', Buffer.from('[]'), 'Error', Buffer.from('[]')])
  expect(ended, 'one that is not compressed does not wait').toEqual(['plain', 'bomb', 'short', 'broken'])
})
