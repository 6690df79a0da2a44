import { describe, expect, it } from 'vitest'
import { Expressions } from '../../../src/compute/expressions/expressions.js'
import {
  readMessage,
  screenMessage,
  screenPending,
  subscriptionId,
  subscriptionKey,
  subscriptionsMessage,
  updateHead,
  updatePrefix,
} from '../../../src/live/protocol.js'

const request = {
  type: 'subscribe',
  id: 'A',
  exchange: 'Demo',
  symbol: 'BTCUSDT',
  interval: '1m',
  indicator: 'RSI',
}
const read = (message: unknown) => readMessage(JSON.stringify(message), new Expressions(), { id: 'one' })

it.each([
  [
    { type: 'auth', token: 'Bearer x' },
    { type: 'auth', token: 'Bearer x' },
  ],
  [
    { type: 'auth', token: 7 },
    { type: 'auth', token: '' },
  ],
  [{ type: 'auth' }, { type: 'auth', token: '' }],
  [{ type: 'list', more: 1 }, { type: 'list' }],
  [
    { type: 'alerts', more: 1 },
    { type: 'alerts', ack: false },
  ],
  [
    { type: 'alerts', ack: true },
    { type: 'alerts', ack: true },
  ],
  [
    { type: 'alert_ack', id: 'alert_x:60' },
    { type: 'alert_ack', id: 'alert_x:60' },
  ],
  [
    { type: 'screen_stop', id: 'Breakouts' },
    { type: 'screen_stop', id: 'Breakouts' },
  ],
  [
    { type: 'unsubscribe', id: 'demo_a' },
    { type: 'unsubscribe', id: 'demo_a' },
  ],
])('the message %j is read', (message, expected) => {
  expect(read(message)).toEqual(expected)
})

it('a subscription is read with its parameters, and listed by its market and id', () => {
  const message = read({ ...request, params: { period: 7 }, candleClose: true })
  expect(message).toMatchObject({
    type: 'subscribe',
    request: {
      id: 'A',
      markets: [{ exchange: 'demo', symbol: 'BTCUSDT', timeframe: '1m' }],
      query: { indicator: { name: 'rsi' }, params: { period: 7 } },
      candleClose: true,
    },
  })
  if (message.type === 'subscribe') expect(subscriptionId(message.request)).toBe('demo_btcusdt_1m_a')
  expect(read(request)).toMatchObject({ request: { candleClose: false, query: { params: { period: 14 } } } })
})

it('a subscription with settled digits is another one than one without', () => {
  const [plain, settled, same] = [request, { ...request, settled: 4 }, { ...request, settled: 4 }].map(read)
  if (plain?.type !== 'subscribe' || settled?.type !== 'subscribe' || same?.type !== 'subscribe')
    throw new Error('no subscriptions')
  expect(settled.request.query.settled).toMatchObject({ digits: 4 })
  expect(subscriptionKey(settled.request)).not.toBe(subscriptionKey(plain.request))
  expect(subscriptionKey(settled.request)).toBe(subscriptionKey(same.request))
  const { markets, query } = settled.request
  expect(JSON.parse(`${updateHead('A')}${updatePrefix(markets[0], query, true)}0}`)).toMatchObject({
    id: 'A',
    settled: 4,
  })
  expect(JSON.parse(subscriptionsMessage([['a', settled.request]])).data[0]).toMatchObject({ settled: 4 })
})

it('a subscription to an expression is read in any case, for candles of its interval', () => {
  const ofExpression = (params: object) => read({ ...request, indicator: 'Expression', params })
  expect(ofExpression({ expression: 'close > open' })).toMatchObject({
    request: { markets: [{ timeframe: '1m' }], query: { indicator: { name: 'expression' } } },
  })
  expect(ofExpression({ expression: 'close', period: 7 })).toMatchObject({
    type: 'invalid',
    refusal: { error: expect.stringMatching(/^Unknown parameter: period\. expression accepts: expression$/) },
  })
})

describe('a live screen', () => {
  const screen = { type: 'screen', id: 'A', exchange: 'Demo', timeframe: '1h', where: 'close > open' }
  const keyOf = (message: object) => {
    const answer = read(message)
    return answer.type === 'screen' ? answer.request.key : expect.fail(JSON.stringify(answer))
  }

  it('is read with the id of the client, and counted by what it asks for', () => {
    expect(read(screen)).toMatchObject({
      type: 'screen',
      request: {
        id: 'A',
        kind: 'screen',
        request: { exchange: 'demo', timeframe: '1h', symbols: undefined },
      },
    })
    expect(keyOf({ ...screen, id: 'B' })).toBe(keyOf(screen))
    expect(keyOf({ ...screen, where: 'close < open' })).not.toBe(keyOf(screen))
  })

  it('is told its progress, its values, and what has changed of them', () => {
    const messageOf = (isWhole: boolean) =>
      JSON.parse(screenMessage('breadth', 's', { isWhole, text: '"screened":7', sent() {} }))
    expect(messageOf(true)).toEqual({ type: 'breadth_ok', id: 's', screened: 7 })
    expect(messageOf(false)).toEqual({ type: 'breadth_update', id: 's', screened: 7 })
    expect(JSON.parse(screenPending('screen', 's', 3, 9))).toEqual({
      type: 'screen_pending',
      id: 's',
      done: 3,
      total: 9,
    })
  })

  it.each([
    [{ id: undefined, where: undefined }, null, /^Missing required: id$/],
    [{ id: 7 }, null, /^Invalid id: 7\. Expected text of at most/],
    [{ where: undefined }, 'A', /^Missing required: where$/],
    [{ limit: 3 }, 'A', /^Unknown parameter: limit/],
  ])('with %j is refused', (fields, id, error) => {
    expect(read({ ...screen, ...fields })).toMatchObject({
      type: 'invalid',
      id,
      refusal: { error: expect.stringMatching(error) },
    })
  })
})

it.each([
  ['{', null, 'not valid JSON'],
  ['[]', null, 'a JSON object'],
  ['"x"', null, 'a JSON object'],
  ['null', null, 'a JSON object'],
])('the text %s is no message', (text, id, error) => {
  expect(readMessage(text, new Expressions(), { id: 'one' })).toEqual({
    type: 'invalid',
    id,
    refusal: { status: 400, error: expect.stringContaining(error) },
  })
})

it.each([
  [{}, null, /^Missing required: type$/],
  [{ type: null }, null, /^Missing required: type$/],
  [{ type: 'shout', id: 'x' }, 'x', /auth, subscribe, unsubscribe, list/],
  [{ type: 'unsubscribe' }, null, /: id$/],
  [{ type: 'unsubscribe', id: 7 }, null, /^Invalid id: 7. Expected text/],
  [{ type: 'screen_stop' }, null, /: id$/],
  [{ ...request, id: undefined, symbol: undefined }, null, /: id, symbol$/],
  [{ ...request, symbol: 7 }, 'A', /symbol/],
  [{ ...request, timeframe: '1m' }, 'A', /^Unknown parameter: timeframe\. subscribe accepts: type, id/],
  [{ ...request, indicator: 'rsj' }, 'A', /rsj.*rsi/],
  [{ ...request, interval: '9m' }, 'A', /9m/],
  [{ ...request, params: [7] }, 'A', /^Invalid params: \[7\]. Expected an object/],
  [{ ...request, params: 'period' }, 'A', /^Invalid params: .*period.*Expected an object/],
  [{ ...request, params: { period: 'x' } }, 'A', /period/],
  [{ ...request, params: { periods: 7 } }, 'A', /^Unknown parameter: periods/],
  [{ ...request, candleClose: 1 }, 'A', /^Invalid candleClose: 1/],
  [{ ...request, settled: 9 }, 'A', /^Invalid settled: 9. Expected integer, 1 to 8/],
  [{ ...request, indicator: 'obv', settled: 4 }, 'A', /^obv never settles/],
])('the message %j is refused with its id', (message, id, error) => {
  expect(read(message)).toMatchObject({
    type: 'invalid',
    id,
    refusal: { error: expect.stringMatching(error) },
  })
})
