import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Source, SourceFailure } from '../../src/exchanges/source.js'
import { codeBlocksOf, documentAt } from '../support/documents.js'
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

const market = { exchange: 'demo', symbol: 'BTC/USDT', timeframe: '1h' }

describe.each(Object.keys(transports))('the tools over %s', name => {
  let client: Client
  /** Characters of all messages so far. */
  let characters = 0

  beforeAll(async () => {
    client = new Client({ name: 'test', version: '1' })
    await client.connect((transports[name] as () => Transport)())
  })
  afterAll(() => client.close())

  async function call(tool: string, args: Record<string, unknown> = {}) {
    const result = await client.callTool({ name: tool, arguments: args })
    characters += JSON.stringify(args).length + JSON.stringify(result).length
    const [content] = result.content as readonly { readonly text: string }[]
    return { text: content?.text ?? '', isError: result.isError ?? false }
  }

  it('are listed, and lead from a search to a result in fewer than 4,000 tokens', async () => {
    const { tools } = await client.listTools()
    expect(tools.map(tool => tool.name).sort()).toEqual([
      'check_expression',
      'compute_expression',
      'compute_indicator',
      'compute_on_candles',
      'describe_indicator',
      'find_indicators',
      'find_markets',
      'get_candles',
    ])
    characters = JSON.stringify(tools).length
    expect((await call('find_indicators', { words: 'strength' })).text).toContain(
      'rsi: Relative Strength Index',
    )
    expect((await call('find_indicators', { words: 'kairi' })).text).toBe('disparityindex: Disparity Index')
    expect((await call('describe_indicator', { indicator: 'rsi' })).text).toContain('period = 14')
    expect((await call('describe_indicator', { indicator: 'KRI' })).text).toMatch(
      /^disparityindex: .+\nBy how many/,
    )
    expect((await call('describe_indicator', { indicator: 'ma' })).text).toContain(
      'maType = 0 (0 to 8 or sma|',
    )
    const bars = await call('get_candles', { ...market, chart: 'renko:atr14', rows: 3 })
    expect(bars.text.split('\n')).toHaveLength(4)
    expect(await call('compute_indicator', { indicator: 'rsi', ...market, chart: 'kagi' })).toMatchObject({
      text: expect.stringMatching(/^Invalid chart: kagi/),
    })
    const known = { indicator: 'ema', ...market, asOf: '2000-01-01', settled: 4 }
    expect((await call('compute_indicator', known)).text).toMatch(
      /^Not enough candles: ema needs \d+ for 4 settled digits, 0 available/,
    )
    const checked = await call('check_expression', { expression: 'rsi(14) < 30', chart: 'renko:50' })
    expect(JSON.parse(checked.text)).toMatchObject({ lookback: 14, unsettling: 'renko:50' })
    const { text } = await call('compute_indicator', {
      indicator: 'rsi',
      ...market,
      params: { period: 7 },
      rows: 3,
    })
    const { value, timestamp } = await service.get(
      '/indicator/rsi?exchange=demo&symbol=BTCUSDT&timeframe=1h&period=7&results=3',
    )
    const lines = text.split('\n')
    expect(lines[0]).toBe('time (UTC),value')
    expect(lines).toHaveLength(4)
    lines.slice(1).forEach((line, at) => {
      const [time, number] = line.split(',')
      expect(Date.parse(`${time}Z`) / 1000).toBe(timestamp[at])
      expect(Number(number)).toBeCloseTo(value[at], 5)
    })
    // Three characters are a token, by a cautious count.
    expect(characters / 3).toBeLessThan(4000)
  })

  it('compute expressions, with the values of the interface', async () => {
    const expression = 'rsi(14) > 50 and close > ema(20)[1]'
    const { text, isError } = await call('compute_expression', { expression, ...market, rows: 4 })
    expect(isError).toBe(false)
    const query = new URLSearchParams({ expression, results: '4' })
    const { value } = await service.get(`/expression?exchange=demo&symbol=BTCUSDT&timeframe=1h&${query}`)
    const [head, ...lines] = text.split('\n')
    expect(head).toBe('time (UTC),value')
    expect(lines.map(line => line.split(',')[1])).toEqual(value.map(String))
    expect(await call('compute_expression', { expression: 'clsoe > 1', ...market })).toEqual({
      text: 'Invalid expression at character 1: unknown name "clsoe". Did you mean close?',
      isError: true,
    })
  })

  it('compute over supplied candles', async () => {
    const candles = Array.from({ length: 6 }, (_, i) => ({
      open: i,
      high: i + 1,
      low: i,
      close: i + 1,
      volume: 1,
    }))
    const { text, isError } = await call('compute_on_candles', {
      indicator: 'sma',
      candles,
      params: { period: 3 },
      rows: 1,
    })
    expect(isError).toBe(false)
    expect(text.split('\n')[1]?.split(',')[1]).toBe('5')
  })

  it('fetch candles, exchanges and symbols', async () => {
    const { text } = await call('get_candles', { ...market, rows: 2 })
    expect(text.split('\n')[0]).toBe('time (UTC),open,high,low,close,volume')
    expect(text.split('\n')).toHaveLength(3)
    expect((await call('find_markets', { contains: 'dem' })).text).toBe('demo')
    expect((await call('find_markets', { exchange: 'demo', contains: 'btc/' })).text).toContain('BTCUSDT')
  })

  it('say how old candles are that could not be brought up to date', async () => {
    const args = { exchange: 'silent', symbol: 'BTCUSDT', timeframe: '1d', rows: 1 }
    await call('get_candles', args)
    service.pass(365 * 86_400)
    const { text } = await call('get_candles', args)
    expect(text.split('\n').slice(1)).toEqual([
      '2023-11-14 00:00:00,1,1,1,1,1',
      expect.stringMatching(/^Not up to date: the last candle ended (365|730) days ago\.$/),
    ])
  })

  it('answer errors that say what is wrong', async () => {
    expect(await call('describe_indicator', { indicator: 'nosuch' })).toEqual({
      text: 'Unknown indicator: nosuch. Use find_indicators.',
      isError: true,
    })
    expect(await call('compute_indicator', { indicator: 'rsi', ...market, symbol: 'NONE' })).toMatchObject({
      text: expect.stringContaining('Symbol not found'),
      isError: true,
    })
    expect(
      await call('compute_indicator', { indicator: 'rsi', ...market, params: { perid: 7 } }),
    ).toMatchObject({
      text: expect.stringContaining('Unknown parameter: perid'),
      isError: true,
    })
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
