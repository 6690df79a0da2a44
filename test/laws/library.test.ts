import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRandom } from '../../bench/random.js'
import * as library from '../../dist/library/index.js'
import type { Candle } from '../../src/candles/candle.js'
import { catalogue } from '../../src/catalogue/index.js'
import { compileExpression } from '../../src/compute/expressions/compile.js'
import { hasBrowser, launchBrowser, openTab } from '../support/browser.js'
import { randomCandles } from '../support/expressions/random-candles.js'
import { randomCondition, randomNumber } from '../support/expressions/random-tree.js'
import { textOf } from '../support/expressions/tree.js'
import { snapshotOf } from '../support/kernel.js'
import { digests } from '../support/library-program.mjs'
import { needs } from '../support/needs.js'
import { realShaped } from '../support/real-shaped-market.js'
import { startTestService, type TestService } from '../support/test-service.js'

const length = 480
const shaped = (seed: number) => {
  const { columns, count } = snapshotOf(realShaped(length, seed))
  return Array.from({ length: count }, (_, i) => columns.read(i))
}
const markets: readonly (readonly Candle[])[] = [
  shaped(1),
  shaped(54),
  randomCandles(length, createRandom(54)),
]

/** Random expressions over candles of 15 minutes, which may choose longer timeframes. */
const expressions: readonly string[] = Array.from({ length: 500 }, (_, number) => {
  const next = createRandom(1000 + number)
  for (;;) {
    const depth = 1 + Math.floor(next() * 4)
    const text = textOf(next() < 0.5 ? randomNumber(depth, next) : randomCondition(depth, next), next)
    const compiled = compileExpression(text, { timeframe: '1h' })
    if (!('error' in compiled)) return text
  }
})

/** Values as JSON has them: NaN is null, and the sign of 0 is lost. */
const asJson = (column: ArrayLike<unknown>) =>
  Array.from(column, value =>
    typeof value === 'number' ? (Number.isFinite(value) ? value + 0 : null) : value,
  )

/** A page that runs the program. */
const page = `<!doctype html><link rel="icon" href="data:,"><script type="module">
import * as library from '/dist/library/browser.js'
import { digests } from '/test/support/library-program.mjs'
await library.load()
window.run = given => digests(library, given)
</script>`
declare const window: { readonly run?: (given: object) => Record<string, number> }

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

/** All values that the service returns over own candles, from the first candle on; undefined if there are too few. */
async function served(path: string, body: object): Promise<Record<string, unknown[]> | undefined> {
  const response = await fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: { authorization: 'Bearer many', 'content-type': 'application/json' },
    body: JSON.stringify({ ...body, results: 'max' }),
  })
  const reply = await response.json()
  if (response.status === 400 && /^Not enough candles/.test(reply.error)) return undefined
  expect(reply.error, JSON.stringify(body).slice(-300)).toBe(undefined)
  const { timestamp, ...columns } = reply as Record<string, unknown[]>
  const missing = Array<null>(length - (timestamp as unknown[]).length).fill(null)
  return Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, [...missing, ...values]]))
}

describe.each(markets.map((candles, k) => ({ k, candles })))(
  'over market $k the library has the values of the service, bit for bit',
  { tags: ['kernels'], timeout: 300_000 },
  ({ candles }) => {
    it('for every indicator', async () => {
      for (const name of catalogue.keys()) {
        const columns = library.compute(name as 'macd', candles)
        const own = Object.fromEntries(
          Object.entries(columns).map(([output, each]) => [output, asJson(each)]),
        )
        const reply = await served(`/indicator/${name}`, { candles })
        expect(own, name).toEqual(
          reply ?? Object.fromEntries(Object.keys(own).map(each => [each, Array(length).fill(null)])),
        )
      }
    })

    it('for 500 random expressions', async () => {
      for (const text of expressions) {
        const values = asJson(library.expression(text, candles))
        const reply = await served('/expression', { candles, expression: text })
        expect(values, text).toEqual(reply?.value ?? Array(length).fill(null))
      }
    })
  },
)

describe('in headless Chromium', { tags: ['kernels'], timeout: 300_000, ...needs('chromium') }, () => {
  it.skipIf(!hasBrowser)('the same program has the same bits', async () => {
    const given = { markets, names: [...catalogue.keys()], expressions }
    const types = { js: 'text/javascript', mjs: 'text/javascript', wasm: 'application/wasm' } as const
    const server = createServer(({ url = '/' }, response) => {
      const type = types[url.split('.').at(-1) as 'js']
      response.setHeader('content-type', type ?? 'text/html')
      response.end(type ? readFileSync(new URL(`../..${url}`, import.meta.url)) : page)
    }).listen(0)
    const browser = await launchBrowser()
    try {
      const { page: tab, errors } = await openTab(browser)
      await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
      await tab.waitForFunction(() => window.run !== undefined)
      const found = await tab.evaluate(all => window.run?.(all), given)
      expect(errors).toEqual([])
      expect(Object.keys(found ?? {}).length).toBeGreaterThan(3 * (649 + 500))
      expect(found).toEqual(digests(library, given))
    } finally {
      await browser.close()
      server.close()
    }
  })
})
