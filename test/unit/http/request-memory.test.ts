import { expect, it } from 'vitest'
import { Expressions } from '../../../src/compute/expressions/expressions.js'
import { readBulk } from '../../../src/contract/bulk.js'
import { readFields, readQueryString } from '../../../src/contract/fields.js'
import { readQueriedMarket } from '../../../src/contract/market.js'
import { readQuery } from '../../../src/contract/query.js'
import { isRefusal } from '../../../src/contract/refusals.js'
import { bytesOfBulk } from '../../../src/http/endpoints/bulk.js'
import { bytesOfRequest, findIndicator } from '../../../src/http/endpoints/indicator.js'
import { usedBytes } from '../../support/memory.js'

const expressions = new Expressions()

/** An expression with many parts that no other number has. */
const expressionOf = (number: number): string =>
  `${number}.5${Array.from({ length: 50 }, (_, k) => `+close*${k + 2}`).join('')}`

/** Reads the body of a bulk request; `item` gives the fields of item `k`, a number that is not repeated. */
function bulkOf(number: number, item: (k: number) => object) {
  const construct = (at: number) => ({
    id: `c${at}`,
    exchange: 'demo',
    symbol: `S${at}`,
    timeframe: '1h',
    indicators: Array.from({ length: 10 }, (_, k) => ({ id: `i${k}`, ...item(number * 100 + at * 10 + k) })),
  })
  const text = JSON.stringify({ constructs: Array.from({ length: 10 }, (_, at) => construct(at)) })
  const fields = readFields(text)
  const bulk = isRefusal(fields) ? fields : readBulk(fields, expressions)
  if (isRefusal(bulk)) throw new Error(bulk.error)
  const { constructs } = bulk
  return { text, bulk: { constructs } }
}

/** Memory of the values made by `create`, as a share of the bytes that are counted for them. */
function shareOf<Value>(count: number, create: (i: number) => Value, bytesOf: (value: Value) => number) {
  const kept = [create(0)]
  const before = usedBytes()
  let counted = 0
  for (let i = 1; i <= count; i++) {
    const value = create(i)
    kept.push(value)
    counted += bytesOf(value)
  }
  const taken = usedBytes() - before
  expect(kept).toHaveLength(count + 1)
  return taken / counted
}

it.each([
  ['indicators', 40, (k: number) => ({ indicator: 'bbands', stddev: 1 + k / 1e5 })],
  ['windows', 40, (k: number) => ({ indicator: 'ichimoku', results: 1 + k })],
  ['expressions', 1, (k: number) => ({ indicator: 'expression', expression: expressionOf(k) })],
])('a cached bulk request takes no more than is counted: %s', (_, count, item) => {
  const share = shareOf(
    count,
    i => bulkOf(i, item),
    ({ bulk, text }) => bytesOfBulk(bulk, text),
  )
  expect(share).toBeLessThan(1.3)
})

it('a cached request for an expression takes no more than is counted', () => {
  const read = (i: number) => {
    const query = expressions.readQuery(
      new Map([['expression', expressionOf(1_000_000 + i)]]),
      'text',
      [],
      undefined,
    )
    if (isRefusal(query)) throw new Error(query.error)
    return query
  }
  expect(shareOf(60, read, query => bytesOfRequest(query, ''))).toBeLessThan(1.3)
})

/** Reads the query of a GET request for market number `number`. */
function readQuestion(name: string, number: number) {
  const indicator = findIndicator(name)
  const key = Buffer.from(`exchange=demo&symbol=S${number}USDT&timeframe=1h&results=20`).toString('latin1')
  const fields = readQueryString(key)
  if (isRefusal(indicator) || isRefusal(fields)) throw new Error(key)
  const market = readQueriedMarket(fields)
  const query = readQuery(indicator, fields, 'text', ['exchange', 'symbol', 'timeframe'])
  if (isRefusal(market) || isRefusal(query)) throw new Error(key)
  return { key, market, query }
}

it.each(['rsi', 'ichimoku'])('a cached request for an indicator takes no more than is counted: %s', name => {
  const share = shareOf(
    2_000,
    i => readQuestion(name, i),
    ({ query, key }) => bytesOfRequest(query, key),
  )
  expect(share).toBeLessThan(1)
})

it('a bot that asks about 10,000 markets finds each of its requests in the cache again', () => {
  const { query, key } = readQuestion('rsi', 9_999)
  expect(10_000 * bytesOfRequest({ ...query, results: 1 }, key)).toBeLessThan(16_000_000)
})
