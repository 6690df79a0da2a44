import { tableFromIPC } from 'apache-arrow'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mediaTypes, type TableFormat, tableFormats } from '../../src/contract/table-format.js'
import { drivers } from '../support/drivers.js'
import { Candela } from '../support/service-process.js'

const market = { exchange: 'demo', symbol: 'BTCUSDT', timeframe: '1h' }
const candle = { timestamp: 0, open: 2, high: 2, low: 2, close: 2, volume: 1 }
const candles = [candle, { ...candle, timestamp: 60 }]
/** No price has an arc cosine, and nothing can be divided by 0. */
const undefinedEverywhere = { expression: 'close / (close - close)', results: 'max' }

/**
 * A request without a row per endpoint that answers with tables. Undefined for an endpoint whose tables always have
 * rows.
 */
const requests: Readonly<Record<string, { readonly query?: object; readonly body?: object } | undefined>> = {
  // A time without candles is refused.
  'get /candles': undefined,
  'get /indicator/{name}': { query: { ...market, results: 'max' } },
  'post /indicator/{name}': { body: { candles, results: 'max' } },
  'get /expression': { query: { ...market, ...undefinedEverywhere } },
  'post /expression': { body: { candles, ...undefinedEverywhere } },
  'post /bulk': {
    body: {
      constructs: [{ ...market, symbol: 'NONE', id: 'a', indicators: [{ id: 'b', indicator: 'rsi' }] }],
    },
  },
  'post /screen': { body: { exchange: 'demo', timeframe: '1h', where: 'close < 0' } },
  'post /breadth': {
    body: { exchange: 'demo', timeframe: '1h', symbols: ['NONE'], measures: { up: 'breadth(close > 0)' } },
  },
  'post /evaluate': { query: { part: 'trades' }, body: { ...market, entry: 'close < 0', exit: 'close > 0' } },
}

for (const [at, { name }] of drivers.entries())
  describe(`tables without rows, by the driver ${name}`, at === 0 ? {} : { tags: ['faults'] }, () => {
    let candela: Candela
    beforeAll(async () => {
      candela = await Candela.start({ TRANSPORT: name })
    })
    afterAll(() => candela.stop())

    const send = (endpoint: string, format: TableFormat, encoding: string) => {
      const [method = '', path = ''] = endpoint.split(' ')
      const { query = {}, body } = requests[endpoint] ?? {}
      const fields = new URLSearchParams(
        Object.entries({ ...query, format }).map(([key, value]) => [key, String(value)]),
      )
      return fetch(`${candela.url}${path.replace('{name}', 'acos')}?${fields}`, {
        method,
        ...(body && { body: JSON.stringify(body) }),
        headers: {
          ...{ authorization: `Bearer ${candela.key}`, prefer: 'wait=10', 'accept-encoding': encoding },
          ...(body && { 'content-type': 'application/json' }),
        },
      })
    }

    it('have a request for each endpoint that answers with tables', async () => {
      const { body: document } = await candela.get('/openapi.json')
      const paths = Object.entries<Record<string, { responses: Record<string, { content?: object }> }>>(
        document.paths,
      )
      const endpoints = paths.flatMap(([path, operations]) =>
        Object.entries(operations)
          .filter(([, { responses }]) => mediaTypes.ndjson in (responses['200']?.content ?? {}))
          .map(([method]) => `${method} ${path.replace(/^\/indicator\/.+/, '/indicator/{name}')}`),
      )
      expect([...new Set(endpoints)].sort()).toEqual(Object.keys(requests).sort())
    })

    const empty = Object.keys(requests).filter(endpoint => requests[endpoint])
    it.each(empty)('are whole answers of %s', async endpoint => {
      for (const format of tableFormats)
        for (const encoding of ['identity', 'gzip']) {
          const reply = await send(endpoint, format, encoding)
          const bytes = Buffer.from(await reply.arrayBuffer())
          const message = `${format}, ${encoding}`
          expect([reply.status, reply.headers.get('content-type')], message).toEqual([
            200,
            mediaTypes[format],
          ])
          expect(reply.headers.get('content-length'), message).toBe(String(bytes.byteLength))
          if (format === 'ndjson') expect(bytes.byteLength, message).toBe(0)
          // A line of names.
          if (format === 'csv') expect(bytes.toString().trimEnd().split('\n'), message).toHaveLength(1)
          if (format === 'arrow') expect(tableFromIPC(bytes).numRows, message).toBe(0)
        }
    })
  })
