import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Source, SourceFailure } from '../../src/markets/exchanges/source.js'
import { fetchDocumented } from '../support/documented.js'
import { codeBlocksOf, documentAt } from '../support/documents.js'
import { type Answer, type Question, questions, type Rest } from '../support/mcp/questions.js'
import { midnight, startTestService, type TestService } from '../support/test-service.js'

let service: TestService
/** A market of an exchange that answers once. */
const silent: Source = {
  symbols: () => ['BTCUSDT'],
  async candles() {
    if (hasAnswered) throw new SourceFailure('unavailable', 'silent is not available')
    hasAnswered = true
    return [{ timestamp: midnight - 86_400, open: 1, high: 1, low: 1, close: 1, volume: 1 }]
  },
}
let hasAnswered = false

beforeAll(async () => {
  service = await startTestService({}, { silent })
})
afterAll(() => service.close())

/** The configurations of applications in the documentation, with the address and a key of the service of this test. */
const configurationOf = (field: string) => {
  const blocks = codeBlocksOf(documentAt('docs/mcp.md')).filter(({ language }) => language === 'json')
  const text = blocks.find(({ code }) => code.includes(field))?.code ?? ''
  const own = text
    .replaceAll('<API_KEY>', 'many')
    .replace(/http:\/\/(localhost|127\.0\.0\.1):8080/, service.url)
  return JSON.parse(own).mcpServers.candela
}

const transports: Readonly<Record<string, () => Transport>> = {
  'HTTP with a key': () => {
    const { type, url, headers } = configurationOf('"headers"')
    expect(type).toBe('http')
    return new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }) as Transport
  },
  'standard input and output': () => {
    const { command, args, env } = configurationOf('"command"')
    expect([command, ...args]).toEqual(['npx', '-y', 'candela-ta', 'mcp'])
    return new StdioClientTransport({
      command: process.execPath,
      args: ['dist/cli/candela.js', ...args.slice(2)],
      env,
    })
  },
}

const market = { exchange: 'demo', symbols: ['BTC/USDT'], timeframe: '1h' }

/** Opens a client, and offers to call tools by it. */
function connect(name: string) {
  const client = new Client({ name: 'test', version: '1' })
  const call = async (tool: string, args: Record<string, unknown> = {}) => {
    const result = await client.callTool({ name: tool, arguments: args })
    const [content] = result.content as readonly { readonly text: string }[]
    return {
      text: content?.text ?? '',
      isError: result.isError ?? false,
      structured: result.structuredContent as Answer,
    }
  }
  beforeAll(async () => {
    await client.connect((transports[name] as () => Transport)())
    // The client checks structured results against the schemas of the list.
    await client.listTools()
  })
  afterAll(() => client.close())
  return {
    client,
    call,
    async errorOf(tool: string, args: Record<string, unknown>) {
      const { text, isError, structured } = await call(tool, args)
      expect([isError, structured], text).toEqual([true, undefined])
      return text
    },
  }
}

describe.each(Object.keys(transports))('the tools over %s', name => {
  const { client, call, errorOf } = connect(name)

  it('are listed in fewer than 5,000 tokens, and refuse what their schemas do not have', async () => {
    const { tools } = await client.listTools()
    expect(tools.map(tool => tool.name)).toEqual([
      'find_indicators',
      'compute',
      'screen',
      'evaluate',
      'markets',
      'alerts',
    ])
    // English and JSON have four bytes to a token and more; three and a half is a cautious count.
    expect(Buffer.byteLength(JSON.stringify(tools)) / 3.5).toBeLessThan(5000)
    for (const { inputSchema, outputSchema, annotations, name: tool } of tools) {
      expect(inputSchema.additionalProperties).toBe(false)
      expect(outputSchema?.type).toBe('object')
      expect(annotations?.readOnlyHint).toBe(tool !== 'alerts')
    }
  })

  it('compute an indicator of several markets, of which one may fail', async () => {
    const { text, structured } = await call('compute', {
      indicator: 'rsi',
      params: { period: 7 },
      ...market,
      symbols: ['BTC/USDT', 'NONE', 'eth-usdt'],
      results: 3,
    })
    const expected = await service.get(
      '/indicator/rsi?exchange=demo&symbol=ETHUSDT&timeframe=1h&period=7&results=3&backtrack=1',
    )
    const lines = text.split('\n')
    expect(lines[0]).toBe('symbol,time (UTC),value')
    expect(lines.slice(4, 7).map(line => Number(line.split(',')[2]))).toEqual(
      expected.value.map((value: number) => expect.closeTo(value, 5)),
    )
    expect(lines.slice(7)).toEqual([expect.stringMatching(/^NONE: Failed to fetch candles: 404/)])
    expect(structured.results.map(({ rows }: Answer) => rows.length)).toEqual([3, 0, 3])
    expect(structured.results[2].rows[0].time).toBe('2023-11-14 21:00:00')
    expect(await errorOf('compute', { indicator: 'rsii', ...market })).toBe(
      'Unknown indicator: rsii. Did you mean rsi?',
    )
  })

  it('have the grammar of expressions as a resource', async () => {
    const { resources } = await client.listResources()
    expect(resources.map(({ uri }) => uri)).toEqual(['candela://expressions'])
    const { contents } = await client.readResource({ uri: 'candela://expressions' })
    expect(contents).toEqual([
      {
        uri: 'candela://expressions',
        mimeType: 'text/markdown',
        text: expect.stringContaining('crossover(a, b)'),
      },
    ])
    await expect(client.readResource({ uri: 'candela://nothing' })).rejects.toThrow(
      'Resource not found: candela://nothing',
    )
  })
})

describe('tools', () => {
  const { call, errorOf } = connect('HTTP with a key')

  it('say what is wrong, with the near name and the nearest valid form of an expression', async () => {
    const wrong = { indicator: 'rsi', ...market }
    expect(await errorOf('compute', { ...wrong, parameters: { period: 7 } })).toMatch(
      /^Unknown parameter: parameters\. compute accepts: .+ Did you mean params\?$/,
    )
    expect(await errorOf('compute', { ...wrong, params: { length: 7 } })).toMatch(
      /^Unknown parameter: length\. rsi accepts: .+ Did you mean period\?$/,
    )
    expect(await errorOf('compute', { ...wrong, params: { results: 7 } })).toBe(
      'Unknown parameter: results. params of rsi accepts: period, source',
    )
    expect(await errorOf('compute', { ...wrong, params: { format: 'csv' } })).toMatch(
      /^Unknown parameter: format\. rsi accepts/,
    )
    expect(await errorOf('compute', { ...wrong, results: 1000 })).toBe(
      'Invalid results: 1000. Expected integer, 1 to 200',
    )
    expect(await errorOf('compute', { ...wrong, indicator: 'bollinger' })).toBe(
      'Unknown indicator: bollinger. Did you mean bbands?',
    )
    expect(await errorOf('compute', { ...wrong, expression: 'close' })).toBe(
      'Send either indicator or expression',
    )
    expect(await errorOf('compute', { indicator: 'rsi', exchange: 'demo', symbols: ['BTC'] })).toBe(
      'Missing required: timeframe',
    )
    expect(await errorOf('compute', { ...wrong, from: '2023-01-01', backtrack: 3 })).toMatch(
      /^from and backtrack exclude each other/,
    )
    expect(await errorOf('compute', { ...wrong, chart: 'kagi' })).toMatch(/^Invalid chart: kagi/)
    expect(await errorOf('compute', { expression: 'clsoe > sma200', ...market })).toBe(
      'Invalid expression at character 1: unknown name "clsoe". Did you mean close? Nearest valid form: close > sma(200)',
    )
    expect(await errorOf('screen', { exchange: 'demo', timeframe: '1d', where: 'macd.hist > 0' })).toBe(
      'where: Invalid expression at character 6: macd has no output "hist". Its outputs are valueMACD, valueMACDSignal, valueMACDHist. Nearest valid form: macd.valueMACDHist > 0',
    )
    expect(await errorOf('screen', { exchange: 'demo', timeframe: '1d', condition: 'close > 1' })).toMatch(
      /^Unknown parameter: condition\. screen accepts: exchange, timeframe, symbols/,
    )
    expect(await errorOf('evaluate', { entry: 'close > 1', ticker: 'BTCUSDT' })).toMatch(
      / Did you mean symbol\?$/,
    )
    expect(await errorOf('alerts', { action: 'remove' })).toBe(
      'Invalid action: remove. Expected one of create, list, delete',
    )
    expect(await errorOf('compute_indicator', {})).toMatch(
      /^Unknown tool: compute_indicator\. The tools are /,
    )
  })

  it('bound their answers and say how to get the rest', async () => {
    const pages = await call('find_indicators', { words: 'moving averages', limit: 5, offset: 5 })
    const all = await service.get('/indicators?search=moving+averages')
    expect(pages.structured.indicators.map(({ indicator }: Answer) => indicator)).toEqual(
      all.indicators.slice(5, 10).map(({ id }: { id: string }) => id),
    )
    expect(pages.text.split('\n').at(-1)).toBe(`6 to 10 of ${all.count}. offset=10 gives the next ones.`)

    const year = { indicator: 'ema', ...market, from: '2023-10-20', to: '2023-11-10' }
    const first = await call('compute', year)
    expect(first.structured.results[0].rows).toHaveLength(200)
    expect(first.structured.notes).toEqual(['from=2023-10-28 08:00:00 gives the next rows.'])
    const next = await call('compute', { ...year, from: '2023-10-28 08:00:00', results: 1 })
    expect(next.structured.results[0].rows[0].time).toBe('2023-10-28 08:00:00')
    const until = await call('compute', { indicator: 'ema', ...market, to: '2023-11-10', results: 2 })
    expect(until.structured.results[0].rows.map(({ time }: Answer) => time)).toEqual([
      '2023-11-09 23:00:00',
      '2023-11-10 00:00:00',
    ])
    expect(until.structured.notes).toEqual(['to=2023-11-09 22:00:00 gives older rows.'])

    const wide = await call('compute', { indicator: 'gmma', ...market, results: 200 })
    const [{ rows }] = wide.structured.results
    expect(rows.length * (Object.keys(rows[0]).length - 1)).toBeLessThanOrEqual(1600)
    expect(wide.structured.notes).toEqual([
      `An answer has at most 1600 values. backtrack=${rows.length} gives older rows.`,
    ])
    const screened = await call('screen', {
      exchange: 'demo',
      timeframe: '1d',
      where: 'close > 0',
      limit: 2,
      offset: 2,
    })
    const { total, matches } = screened.structured
    expect(matches).toHaveLength(2)
    expect(screened.text.split('\n').at(-1)).toBe(`3 to 4 of ${total}. offset=4 gives the next ones.`)
  })

  it('screen measures over markets by time, without the forming candle unless it is asked for', async () => {
    const asked = {
      exchange: 'demo',
      timeframe: '1h',
      symbols: ['top:4'],
      quote: 'USDT',
      measures: { up: 'advances', above: 'breadth(close > sma(20))' },
    }
    const { text, structured } = await call('screen', { ...asked, limit: 3 })
    const response = await fetch(`${service.url}/breadth`, {
      method: 'POST',
      headers: { authorization: 'Bearer many', 'content-type': 'application/json' },
      body: JSON.stringify({ ...asked, results: 4 }),
    })
    const { measures, forming } = await response.json()
    expect(forming).toBe(true)
    expect(structured.screened).toBe(4)
    expect(structured.rows.map((row: Record<string, unknown>) => row.up)).toEqual(
      measures.up.value.slice(0, 3),
    )
    expect(structured.rows[0]).toMatchObject({ time: '2023-11-14 21:00:00', up_markets: 4, above_markets: 4 })
    expect(text.split('\n').slice(0, 2)).toEqual(['4 markets.', 'time,up,up_markets,above,above_markets'])
    const newest = await call('screen', { ...asked, limit: 1, forming: true })
    expect(newest.structured.rows[0].up).toBe(measures.up.value[3])
    expect(await errorOf('screen', { ...asked, measures: { x: 'rsi(14)' } })).toContain('of a single market')
    expect(await errorOf('screen', { exchange: 'demo', timeframe: '1h' })).toBe('Missing required: where')
  })

  it('list the named lists of the key, which screens take', async () => {
    expect((await call('markets', { lists: true })).text).toBe('There are none.')
    const store = (name: string, symbols: readonly string[]) =>
      fetch(`${service.url}/lists`, {
        method: 'POST',
        headers: { Authorization: 'Bearer many', 'Content-Type': 'application/json' },
        body: JSON.stringify({ name, symbols }),
      })
    await store('majors', ['BTCUSDT', 'ETHUSDT'])
    await store('other', ['SOLUSDT'])
    const { text, structured } = await call('markets', { lists: true })
    expect(text).toBe('majors: BTCUSDT ETHUSDT\nother: SOLUSDT')
    expect(structured).toEqual({
      names: ['majors', 'other'],
      symbols: { majors: ['BTCUSDT', 'ETHUSDT'], other: ['SOLUSDT'] },
      total: 2,
    })
    const one = await call('markets', { lists: true, contains: 'jor', limit: 1 })
    expect(one.structured.symbols).toEqual({ majors: ['BTCUSDT', 'ETHUSDT'] })
    const asked = { exchange: 'demo', timeframe: '1h', symbols: ['list:majors'], where: 'close > 0' }
    expect((await call('screen', asked)).structured.screened).toBe(2)
  })

  it('say what an expression needs, and take charts, settled digits and times of knowledge', async () => {
    const expression = 'rsi(14) < 30'
    const checked = await call('compute', { expression, chart: 'renko:50', check: true })
    expect(checked.structured.check).toMatchObject({ lookback: 14, unsettling: 'renko:50' })
    const bars = { indicator: 'candle', ...market, chart: 'renko:atr14', results: 3 }
    expect((await call('compute', bars)).structured.results[0].rows).toHaveLength(3)
    const known = { indicator: 'ema', ...market, asOf: '2000-01-01', settled: 4 }
    expect(await errorOf('compute', known)).toMatch(
      /^Not enough candles: ema needs \d+ for 4 settled digits, 0 available/,
    )
  })
})

/** Valid arguments per tool. */
const valid: Readonly<Record<string, Record<string, unknown>>> = {
  find_indicators: { words: 'rsi' },
  compute: { indicator: 'rsi', ...market },
  screen: { exchange: 'demo', timeframe: '1h', where: 'close > 0' },
  evaluate: { exchange: 'demo', symbol: 'BTCUSDT', timeframe: '1h', entry: 'rsi(14) < 35' },
  markets: { exchange: 'demo' },
  alerts: { action: 'list' },
}

describe('arguments as models write them', () => {
  const { client, call } = connect('HTTP with a key')

  it('that are null are missing, each that a tool has', async () => {
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name).sort()).toEqual(Object.keys(valid).sort())
    for (const { name, inputSchema } of tools) {
      const given = valid[name] as Record<string, unknown>
      const expected = await call(name, given)
      expect(expected.isError, `${name}: ${expected.text}`).toBe(false)
      const others = Object.keys(inputSchema.properties ?? {}).filter(field => !(field in given))
      for (const field of others)
        expect(await call(name, { ...given, [field]: null }), `${name}, ${field}`).toEqual(expected)
      const nulls = Object.fromEntries(others.map(field => [field, null]))
      expect(await call(name, { ...given, ...nulls }), name).toEqual(expected)
    }
  })

  it.each([
    ['compute', 'from'],
    ['compute', 'to'],
    ['screen', 'at'],
    ['evaluate', 'from'],
    ['evaluate', 'to'],
  ])('have times as numbers, as numbers in a text and as dates: %s, %s', async (name, field) => {
    const seconds = midnight - 7 * 86_400
    const same = [seconds, String(seconds), new Date(seconds * 1000).toISOString()]
    const [first, ...others] = await Promise.all(
      same.map(time => call(name, { ...valid[name], [field]: time })),
    )
    expect(first?.isError, first?.text).toBe(false)
    for (const other of others) expect(other).toEqual(first)
  })

  it('have no times that are years or dates without hyphens', async () => {
    // A year or a date without hyphens is no number of seconds.
    for (const time of ['2023', '20231101'])
      expect((await call('compute', { ...valid.compute, from: time })).text).toBe(
        `Invalid from: ${time}. Expected Unix seconds or a time such as 2025-01-31T12:00:00Z`,
      )
  })

  it('fit schemas that strict function calling takes: one type for each field', async () => {
    const { tools } = await client.listTools()
    const keywords = new Set<string>()
    const look = (schema: unknown, place: string) => {
      if (typeof schema !== 'object' || schema === null) return
      const { type, properties = {}, items, additionalProperties, ...others } = schema as Schema
      expect(['string', 'undefined'], `${place}.type`).toContain(typeof type)
      for (const keyword of Object.keys(others)) keywords.add(keyword)
      for (const [name, inner] of Object.entries(properties)) look(inner, `${place}.${name}`)
      look(items, `${place}[]`)
      look(additionalProperties, `${place}.*`)
    }
    for (const { name, inputSchema, outputSchema } of tools) {
      look(inputSchema, name)
      look(outputSchema, `${name} answers`)
    }
    for (const keyword of ['oneOf', 'anyOf', 'allOf', 'propertyNames', '$ref', 'patternProperties'])
      expect([...keywords]).not.toContain(keyword)
    expect([...keywords]).toContain('description')
  })
})

interface Schema {
  readonly type?: unknown
  readonly properties?: Readonly<Record<string, unknown>>
  readonly items?: unknown
  readonly additionalProperties?: unknown
}

describe('a message over HTTP', () => {
  const send = async (message: object, headers: Record<string, string> = {}, url = service.url) => {
    const reply = await fetchDocumented(url, '/mcp', {
      method: 'POST',
      headers: { authorization: 'Bearer many', 'content-type': 'application/json', ...headers },
      body: JSON.stringify(message),
    })
    return { status: reply.status, ...(await reply.json()) } as Answer
  }
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }

  it('is of a version that the server speaks, or is refused', async () => {
    for (const version of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])
      expect(await send(ping, { 'mcp-protocol-version': version })).toMatchObject({ status: 200, result: {} })
    for (const version of ['1999-01-01', 'latest']) {
      const { status, error } = await send(ping, { 'mcp-protocol-version': version })
      expect([status, error.message]).toEqual([
        400,
        expect.stringContaining(`Unsupported protocol version: ${version}`),
      ])
    }
  })

  it('comes from a program, or from a page of an origin in CORS_ORIGINS', async () => {
    const inspector = 'http://localhost:6274'
    const listed = await startTestService({ corsOrigins: [inspector] })
    const all = await startTestService({ corsOrigins: '*' })
    const statusOf = async ({ url }: TestService, origin: string) =>
      (await send(ping, origin === '' ? {} : { origin }, url)).status
    try {
      for (const each of [service, listed, all]) expect(await statusOf(each, '')).toBe(200)
      expect(await statusOf(service, inspector)).toBe(403)
      // A name that leads to this machine is the origin of the page that uses it, and not allowed for that.
      expect(await statusOf(service, service.url)).toBe(403)
      expect(await statusOf(listed, inspector)).toBe(200)
      expect(await statusOf(listed, 'https://attacker.example')).toBe(403)
      expect(await statusOf(listed, 'null')).toBe(403)
      expect(await statusOf(all, 'https://attacker.example')).toBe(200)
    } finally {
      await Promise.all([listed.close(), all.close()])
    }
  })

  it('with wrong params is answered with −32602 and a sentence', async () => {
    const info = { name: 'test', version: '1' }
    const texts: readonly (readonly [string, unknown, string])[] = [
      ['initialize', {}, 'Missing required: params.protocolVersion'],
      ['initialize', undefined, 'Missing required: params'],
      [
        'initialize',
        { protocolVersion: 5, capabilities: {}, clientInfo: info },
        'Invalid params.protocolVersion: 5. Expected text',
      ],
      [
        'initialize',
        { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test' } },
        'Missing required: params.clientInfo.version',
      ],
      ['tools/call', {}, 'Missing required: params.name'],
      [
        'tools/call',
        { name: 'compute', arguments: [1] },
        'Invalid params.arguments: [1]. Expected an object',
      ],
      ['resources/read', { uri: null }, 'Invalid params.uri: null. Expected text'],
    ]
    for (const [method, params, message] of texts)
      expect(await send({ jsonrpc: '2.0', id: 7, method, params }), method).toEqual({
        ...{ status: 200, jsonrpc: '2.0', id: 7 },
        error: { code: -32_602, message },
      })
    const missing = await send({ ...ping, method: 'resources/read', params: { uri: 'candela://nothing' } })
    expect(missing.error).toEqual({ code: -32_002, message: 'Resource not found: candela://nothing' })
    expect((await send({ ...ping, method: 'tools/cal' })).error.code).toBe(-32_601)
  })
})

describe('a model', () => {
  const rest: Rest = {
    async closed(path, query) {
      return this.get(path, { ...query, backtrack: 1 })
    },
    async get(path, query = {}) {
      const fields = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
      return service.get(fields.size > 0 ? `${path}?${fields}` : path)
    },
    async post(path, body) {
      const headers = { Authorization: 'Bearer many', 'Content-Type': 'application/json' }
      const reply = await fetch(`${service.url}${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      })
      return reply.json()
    },
  }
  const { client } = connect('HTTP with a key')

  it('may ask forty questions', () => expect(Object.keys(questions).length).toBeGreaterThanOrEqual(40))

  it.each(Object.keys(questions))('may ask: %s', async text => {
    const { calls, check } = questions[text] as Question
    const answers: Answer[] = []
    for (const each of calls) {
      const [name, given] = typeof each === 'function' ? each(answers) : each
      const { isError, content, structuredContent } = await client.callTool({ name, arguments: given })
      expect(isError, JSON.stringify(content)).toBeUndefined()
      answers.push(structuredContent)
    }
    await check(answers, rest)
  })
})

describe('tools, a year later,', () => {
  const { call } = connect('HTTP with a key')

  it('say how old candles are that could not be brought up to date', async () => {
    const args = { indicator: 'candle', exchange: 'silent', symbols: ['BTCUSDT'], timeframe: '1d' }
    await call('compute', args)
    service.pass(365 * 86_400)
    const { text } = await call('compute', { ...args, results: 1 })
    expect(text.split('\n').slice(1)).toEqual([
      '2023-11-14 00:00:00,1,1,1,1,1',
      expect.stringMatching(/^Not up to date: BTCUSDT: the last candle ended 365 days ago\.$/),
    ])
  })
})

describe('POST /mcp', () => {
  const send = (body: string, key = 'many') =>
    fetch(`${service.url}/mcp`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body,
    })

  it('needs a key', async () => {
    expect((await send('{}', 'none')).status).toBe(401)
  })

  it('refuses what is no message', async () => {
    expect((await send('{')).status).toBe(400)
    expect((await send('{"a":1}')).status).toBe(400)
  })
})

it('counts each notification, though its reply has the status of a pending request', async () => {
  const notify = async () => {
    const response = await fetch(`${service.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: 'Bearer many',
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }),
    })
    await response.text()
    return {
      status: response.status,
      remaining: Number(/r=(\d+)/.exec(response.headers.get('ratelimit') ?? '')?.[1]),
    }
  }
  const replies = [await notify(), await notify(), await notify()]
  expect(replies.map(({ status }) => status)).toEqual([202, 202, 202])
  const [first = 0] = replies.map(({ remaining }) => remaining)
  expect(replies.map(({ remaining }) => remaining)).toEqual([first, first - 1, first - 2])
})
