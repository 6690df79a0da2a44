import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Candela } from '../support/service-process.js'

let candela: Candela
beforeAll(async () => {
  candela = await Candela.start()
})
afterAll(() => candela.stop())

const expectAlive = async () => expect((await candela.get('/health/live')).status).toBe(200)
const post = (headers: string, body = '') =>
  `POST /indicator/rsi HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${candela.key}\r\nContent-Type: application/json\r\n${headers}\r\n${body}`

describe('paths and methods', () => {
  it.each([
    '/nope',
    '/indicator',
    '/indicator/',
    '/indicator/rsi/x',
    '/exchanges/',
    '/exchanges//symbols',
    '/exchanges/demo',
    '/indicator/%ZZ',
  ])('answers %s with 404', async path => {
    const { status, body } = await candela.get(path)
    expect([status, body]).toEqual([404, { error: `Not found: ${path}` }])
  })

  it.each(['/rsi', '/indicators/rsi', '/INDICATOR/rsi'])(
    'answers %s with the path of the indicator',
    async path => {
      const { status, body } = await candela.get(path)
      expect([status, body]).toEqual([404, { error: `Not found: ${path}. Did you mean /indicator/rsi?` }])
    },
  )

  it.each([
    ['DELETE', '/indicator/rsi', 'GET, HEAD, POST'],
    ['PUT', '/indicator/rsi', 'GET, HEAD, POST'],
    ['PATCH', '/candles', 'GET, HEAD'],
    ['POST', '/candles', 'GET, HEAD'],
    ['OPTIONS', '/exchanges', 'GET, HEAD'],
    ['POST', '/exchanges/demo/symbols', 'GET, HEAD'],
    ['POST', '/health/live', 'GET, HEAD'],
  ])('answers %s %s with 405 and the allowed methods', async (method, path, allow) => {
    const { status, headers, body } = await candela.ask(method, path)
    expect(status).toBe(405)
    expect(headers.get('allow')).toBe(allow)
    expect(body).toEqual({ error: `Method not allowed. Allowed: ${allow}` })
  })

  it.each([
    ['/health/live', 200],
    ['/openapi.json', 200],
    ['/', 200],
    ['/indicators', 200],
    ['/indicator/rsi?exchange=demo&symbol=BTCUSDT&timeframe=1h&results=1000', 200],
    ['/indicator/rsi?exchange=nowhere&symbol=BTCUSDT&timeframe=1h', 404],
    ['/nowhere', 404],
    ['/bulk', 405],
  ])('answers HEAD %s as GET, without the body', async (path, status) => {
    const ask = async () => [await raw('HEAD', path), await raw('GET', path)] as const
    let [head, get] = await ask()
    // When the rate window has ended between them, more requests are left than before.
    if (Number(get.remaining) > Number(head.remaining)) [head, get] = await ask()
    expect(head.text).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(head.text.split('\r\n\r\n')[1], 'the body').toBe('')
    expect(fieldsOf(head.text)).toEqual(fieldsOf(get.text))
    if (status === 200 && get.remaining !== undefined)
      expect(head.remaining, 'it counts like GET, which came after it').toBe(get.remaining + 1)
  })
})

/** The reply to a request with a key on a connection of its own, and the rest of the rate window. */
async function raw(method: string, path: string) {
  const text = await candela.raw(
    `${method} ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${candela.key}\r\nConnection: close\r\n\r\n`,
    method === 'HEAD' ? '\r\n\r\n' : '\0',
  )
  const remaining = /^ratelimit: "window";r=(\d+)/im.exec(text)?.[1]
  return { text, remaining: remaining === undefined ? undefined : Number(remaining) }
}

/** The header fields about the answer. A reply to HEAD may leave out the length. */
const fieldsOf = (text: string) =>
  (text.split('\r\n\r\n')[0] as string)
    .split('\r\n')
    .slice(1)
    .filter(
      line =>
        !/^(content-length|transfer-encoding|date|connection|keep-alive|ratelimit|x-request-id|uwebsockets):/i.test(
          line,
        ),
    )
    .map(line => line.toLowerCase())
    .sort()

describe('bodies', () => {
  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonx', ''])(
    'refuses the content type "%s" with 415',
    async type => {
      const { status, body } = await candela.ask('POST', '/indicator/rsi', {
        body: '{}',
        headers: { 'content-type': type },
      })
      const tables = 'text/csv or application/vnd.apache.arrow.stream'
      expect([status, body]).toEqual([415, { error: `Content-Type must be application/json or ${tables}` }])
    },
  )

  it('accepts a charset behind the content type', async () => {
    const { status } = await candela.ask('POST', '/indicator/rsi', {
      body: '{"candles":[]}',
      headers: { 'content-type': 'Application/JSON; charset=utf-8' },
    })
    expect(status).toBe(400)
  })

  it('refuses a body over 4 MiB with 413, with and without Content-Length', async () => {
    const big = `{"candles":"${'x'.repeat(5 * 1024 * 1024)}"}`
    const { status, body, headers } = await candela.ask('POST', '/indicator/rsi', { body: big })
    expect([status, body]).toEqual([413, { error: 'Request body is larger than 4 MiB' }])
    expect(headers.get('ratelimit')).toMatch(/^"window";r=\d+;t=\d+$/)
    const chunk = 'y'.repeat(1024 * 1024)
    const chunks = `${chunk.length.toString(16)}\r\n${chunk}\r\n`.repeat(5)
    const text = await candela.raw(post('Transfer-Encoding: chunked\r\n', `${chunks}0\r\n\r\n`))
    expect(text).toMatch(/^HTTP\/1.1 413 /)
    await expectAlive()
  })

  it('accepts a body of just under 4 MiB', async () => {
    const { status, body } = await candela.post(
      '/indicator/rsi',
      `{"candles":[],"source":"close"${' '.repeat(4 * 1024 * 1024 - 40)}}`,
    )
    expect([status, body]).toEqual([400, { error: 'candles must hold at least 1 candle' }])
  })

  it('survives a body that is cut off', async () => {
    for (let i = 0; i < 20; i++) await candela.hangUp(post('Content-Length: 1000\r\n', '{"candles":['))
    await expectAlive()
  })

  it('survives clients that speak no HTTP', async () => {
    for (const bytes of [
      '\x00\x01\x02\r\n\r\n',
      'GET\r\n\r\n',
      `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
      '\x16\x03\x01\x02\x00\x01\x00',
    ]) {
      await candela.hangUp(bytes)
    }
    await expectAlive()
  })

  it('answers pipelined requests in their order', async () => {
    const one = (path: string) =>
      `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${candela.key}\r\n\r\n`
    const text = await candela.raw(one('/nope1') + one('/nope2') + one('/nope3'), '/nope3"}')
    expect([...text.matchAll(/Not found: \/nope(\d)/g)].map(match => match[1])).toEqual(['1', '2', '3'])
  })
})
