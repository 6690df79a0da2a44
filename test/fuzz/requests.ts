import type { Description } from '../../src/catalogue/description.js'
import { hostileIds } from '../support/hostile-ids.js'
import type { Draw } from './draw.js'
import { expression, expressionBody, toolMessage } from './expressions.js'
import type { Interface } from './interface.js'
import { anyValue, candles, deepText, marketFields, queryFields, textOf } from './values.js'

/** One HTTP request. */
export interface FuzzRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Buffer
}

const methods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD']
/** Size in bytes of the largest intentional body, except for bodies over the limit of 4 MiB. */
const largeBodyBytes = 300_000

/** Mostly the key, sometimes none, or none that counts. */
function authorization(draw: Draw, key: string): string | undefined {
  if (draw.chance(0.95)) return `Bearer ${key}`
  return draw.pick([
    undefined,
    '',
    `bearer ${key}`,
    `Bearer  ${key}`,
    'Basic x',
    `Bearer ${key}x`,
    'Bearer cnd_',
  ])
}

const encode = (value: unknown): string => {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return encodeURIComponent(Buffer.from(text).toString())
}

function queryString(draw: Draw, fields: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(fields).map(([name, value]) => `${encode(name)}=${encode(value)}`)
  if (draw.chance(0.03)) pairs.push(draw.pick(pairs.length > 0 ? pairs : ['x=1']))
  if (draw.chance(0.03)) pairs.push(draw.pick(['%ZZ=1', '&&', '=', 'a', '%FF=%FE', 'x'.repeat(2_000)]))
  return pairs.join('&')
}

/** Whether a route is neither a route of an indicator nor the stream nor the document, which is megabytes long. */
const isSmall = ({ path }: { readonly path: string }): boolean =>
  !path.startsWith('/indicator/') && !['/streaming', '/openapi.json'].includes(path)

/** A GET request for an indicator, candles or a list, or to a path that may not exist. */
function getRequest(draw: Draw, { indicators, routes }: Interface): Pick<FuzzRequest, 'method' | 'path'> {
  const kind = draw.number()
  if (kind < 0.7) {
    const indicator = draw.pick(indicators)
    const name = draw.chance(0.95)
      ? indicator.id
      : draw.pick([indicator.id.toUpperCase(), 'rssi', encode(draw.text(20))])
    const fields = { ...marketFields(draw), ...queryFields(draw, indicator) }
    return { method: 'GET', path: `/indicator/${name}?${queryString(draw, fields)}` }
  }
  if (kind < 0.85) {
    const fields = { ...marketFields(draw), results: draw.pick([1, 10, 'max', 0, 'x']) }
    return { method: 'GET', path: `/candles?${queryString(draw, fields)}` }
  }
  if (kind < 0.92) {
    const drawn = expression(draw, indicators)
    let text = typeof drawn === 'string' ? drawn : JSON.stringify(drawn)
    // The head of a request has a bound of its own, with an answer of the socket library.
    while (encode(text).length > 4_000) text = text.slice(0, text.length / 2)
    const fields = { ...marketFields(draw), expression: text }
    return { method: 'GET', path: `/expression?${queryString(draw, fields)}` }
  }
  const route = draw.pick(routes.filter(isSmall))
  const path = route.path.replace(
    /\{\w+\}/g,
    draw.chance(0.3) ? draw.pick(['demo', 'nowhere', '']) : draw.pick(hostileIds),
  )
  const query = draw.chance(0.8) ? '' : `?${queryString(draw, { x: anyValue(draw) })}`
  return {
    method: draw.chance(0.7) ? 'GET' : draw.pick(methods),
    path: draw.chance(0.9) ? path + query : `${path}/${encode(draw.text(10))}`,
  }
}

const id = (draw: Draw, i: number): unknown =>
  draw.chance(0.95)
    ? `n${i}`
    : draw.pick([`n${draw.below(3)}`, '_error', 'a-b', '', 7, null, 'x'.repeat(101), '__proto__'])

const items = (draw: Draw, indicators: readonly Description[]): unknown =>
  draw.chance(0.03)
    ? anyValue(draw)
    : Array.from({ length: draw.pick([1, 1, 2, 5, 20, 21, 0]) }, (_, i) => {
        const indicator = draw.pick(indicators)
        const name = draw.chance(0.97) ? indicator.id : draw.pick(['RSI', 'rssi', '', 7, null])
        return { id: id(draw, i), indicator: name, ...queryFields(draw, indicator) }
      })

const expressionPaths = ['/expression', '/screen', '/evaluate', '/alerts']

/** The body of a POST request before it is damaged. */
function bodyOf(draw: Draw, path: string, { indicators }: Interface, indicator: Description): unknown {
  if (draw.chance(0.05)) return anyValue(draw)
  if (path === '/mcp') return toolMessage(draw, indicators)
  if (expressionPaths.includes(path)) return expressionBody(draw, path, indicators)
  if (path.startsWith('/indicator/')) return { candles: candles(draw), ...queryFields(draw, indicator) }
  const constructs = Array.from({ length: draw.pick([1, 1, 2, 3, 20, 21, 0]) }, (_, i) => ({
    id: id(draw, i),
    ...(path === '/bulk' ? marketFields(draw) : { candles: candles(draw) }),
    indicators: items(draw, indicators),
  }))
  const verbose = draw.pick([undefined, true, false, draw.chance(0.1) ? 'yes' : true])
  const more = draw.chance(0.05) ? { [draw.text(8)]: anyValue(draw) } : {}
  return { constructs, verbose, ...more }
}

/** A body of many keys, a huge key, a huge text or deep nesting, around the expected body or instead of it. */
function largeBody(draw: Draw): string {
  const bytes = draw.below(largeBodyBytes)
  switch (draw.below(5)) {
    case 0:
      return `{${Array.from({ length: Math.ceil(bytes / 10) }, (_, i) => `"k${i}":1`).join(',')}}`
    case 1:
      return `{"${'k'.repeat(bytes)}":1}`
    case 2:
      return JSON.stringify({ constructs: [{ id: 'a', exchange: 'x'.repeat(bytes) }] })
    case 3:
      return `{"candles":${deepText(draw)},"constructs":[${deepText(draw)}]}`
    default:
      return `{"constructs":[{"id":"a","exchange":"demo","symbol":"BTCUSDT","timeframe":"1h","indicators":[{"id":"b","indicator":"rsi",${Array.from({ length: Math.ceil(bytes / 10) }, (_, i) => `"k${i}":1`).join(',')}}]}]}`
  }
}

function postRequest(draw: Draw, served: Interface): Pick<FuzzRequest, 'method' | 'path' | 'body'> {
  const indicator = draw.pick(served.indicators)
  const path = draw.pick([
    ...[`/indicator/${indicator.id}`, `/indicator/${indicator.id}`, '/bulk', '/bulk', '/bulk-candles'],
    ...[...expressionPaths, '/mcp'],
  ])
  const text = draw.chance(0.04) ? largeBody(draw) : textOf(draw, bodyOf(draw, path, served, indicator))
  const body = Buffer.from(text)
  const query = draw.chance(0.03) ? draw.pick(['?x=1', '?%ZZ', '?']) : ''
  return { method: 'POST', path: path + query, body: draw.chance(0.15) ? draw.damage(body) : body }
}

/** A request that is mostly valid, made from the service's description of itself. */
export function createRequest(draw: Draw, served: Interface, key: string): FuzzRequest {
  const request = draw.chance(0.55) ? getRequest(draw, served) : postRequest(draw, served)
  const authorized = authorization(draw, key)
  const type = draw.chance(0.96)
    ? 'application/json'
    : draw.pick(['text/plain', '', 'application/json; charset=utf-8'])
  return {
    ...request,
    headers: {
      ...(authorized === undefined ? {} : { authorization: authorized }),
      ...(request.method === 'GET' ? {} : { 'content-type': type }),
      ...(draw.chance(0.05) ? { prefer: draw.pick(['wait=1', 'wait=99999999', 'wait=-1', 'x']) } : {}),
    },
  }
}

/** The bytes of a request as a client may write them, sometimes damaged. */
export function createRawRequest(draw: Draw, served: Interface, key: string): Buffer {
  const { method, path, headers, body = Buffer.alloc(0) } = createRequest(draw, served, key)
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: localhost',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body.length > 0 || draw.chance(0.1)
      ? [`Content-Length: ${body.length + (draw.chance(0.1) ? draw.below(9) - 4 : 0)}`]
      : []),
    ...(draw.chance(0.1)
      ? [
          draw.pick([
            'Transfer-Encoding: chunked',
            'Expect: 100-continue',
            'Connection: close',
            `X: ${'y'.repeat(draw.below(9_000))}`,
          ]),
        ]
      : []),
  ]
  const bytes = Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body])
  return draw.chance(0.5) ? draw.damage(bytes) : bytes
}
