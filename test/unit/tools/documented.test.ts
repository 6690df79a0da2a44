import { describe, expect, it } from 'vitest'
import { checkDocumented } from '../../support/documented.js'

/** A reply that is documented, unless `changes` break it. */
const reply = (changes: {
  method?: string
  path?: string
  status?: number
  type?: string
  headers?: Record<string, string>
  body?: unknown
}) => {
  const {
    method = 'GET',
    path = '/exchanges',
    status = 200,
    type = 'application/json',
    headers = {},
  } = changes
  const { body = { exchanges: ['demo'], count: 1, sources: {} } } = changes
  return () =>
    checkDocumented({
      method,
      path,
      status,
      headers: new Headers({ ...(type && { 'content-type': type }), ...headers }),
      text: body === '' ? '' : JSON.stringify(body),
    })
}
const error = { error: 'text' }

describe('the check of replies against the OpenAPI document', () => {
  it.each([
    ['what is documented', {}],
    ['documented header fields', { headers: { ratelimit: '"window";r=1;t=1', date: 'now' } }],
    ['an error', { status: 401, body: error, headers: { 'www-authenticate': 'Bearer' } }],
    [
      'a path with a variable',
      { path: '/exchanges/demo/symbols', body: { count: 1, symbols: ['BTC/USDT'] } },
    ],
    ['a reply without a body', { path: '/indicators', status: 304, type: '', body: '' }],
    ['the absence of a path', { path: '/nope?a=1', status: 404, body: error }],
    ['the absence of an indicator', { path: '/indicator/nope?a=1', status: 404, body: error }],
    ['the absence of a method', { method: 'DELETE', status: 405, body: error }],
    ['an array of candles', { path: '/candles?results=0', body: [] }],
  ])('accepts %s', (_, changes) => {
    expect(reply(changes)).not.toThrow()
  })

  it.each([
    ['an undocumented status', { status: 502, body: error }],
    ['an undocumented status of a path that is unknown', { path: '/nope', status: 400, body: error }],
    ['an undocumented content type', { type: 'text/html' }],
    ['a missing content type', { type: '' }],
    ['an undocumented field', { body: { exchanges: [], count: 0, more: 1 } }],
    ['an undocumented field of an error', { status: 401, body: { ...error, code: 1 } }],
    [
      'an undocumented output',
      { path: '/indicator/rsi?a=1', body: { value: [1], signal: [1], timestamp: [1] } },
    ],
    ['a missing field', { body: { exchanges: [] } }],
    ['a field of another type', { body: { exchanges: [1], count: 1 } }],
    ['a body that should not be', { path: '/indicators', status: 304 }],
    ['an undocumented header field', { headers: { 'retry-after': '1' } }],
  ])('refuses %s', (_, changes) => {
    expect(reply(changes)).toThrow(/is not in the OpenAPI document/)
  })
})
