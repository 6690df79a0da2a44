import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { requestText } from '../../page/model/request-text.js'
import { type View, withStudy } from '../../page/view/view.js'
import { Expressions } from '../../src/compute/expressions/expressions.js'
import { readMessage } from '../../src/live/protocol.js'
import { needs } from '../support/needs.js'

const base = 'https://example.org/candela/'
const empty: View = {
  market: { exchange: 'demo', symbol: 'BTCUSDT', timeframe: '1h' },
  studies: [],
}
const view = withStudy(withStudy(empty, 'rsi', { period: 21, source: "hl2's" }), 'swings', {
  heikinashi: true,
})
const constructs = [
  {
    id: 'chart',
    exchange: 'demo',
    symbol: 'BTCUSDT',
    timeframe: '1h',
    indicators: [
      { id: 'rsi', indicator: 'rsi', results: 300, period: 21, source: "hl2's" },
      { id: 'swings', indicator: 'swings', results: 300, heikinashi: true },
    ],
  },
]

describe('the request as curl', () => {
  it('is what a shell passes on to curl', () => {
    const script = `curl() { printf '%s\\n' "$@"; }\nCANDELA_KEY=cnd_1\n${requestText('curl', base, view, 300)}`
    const { stdout } = spawnSync('sh', ['-c', script], { encoding: 'utf8' })
    const [url, flag, authorization, , type, , ...body] = stdout.split('\n')
    expect([url, flag, authorization, type]).toEqual([
      `${base}bulk`,
      '-H',
      'Authorization: Bearer cnd_1',
      'Content-Type: application/json',
    ])
    expect(JSON.parse(body.join('\n'))).toEqual({ constructs, verbose: true })
  })

  it('asks for candles where there is no indicator', () => {
    expect(requestText('curl', base, empty, 300)).toContain(
      `'${base}candles?exchange=demo&symbol=BTCUSDT&timeframe=1h&results=300'`,
    )
  })
})

describe('the request as TypeScript', () => {
  it('sends the same body', async () => {
    const text = requestText('TypeScript', base, view, 300)
    const sent: [string, RequestInit][] = []
    const fetch = async (url: string, init: RequestInit) => {
      sent.push([url, init])
      return { ok: true, json: async () => ({ chart: 1 }) }
    }
    const log: unknown[] = []
    const AsyncFunction = (async () => {}).constructor as FunctionConstructor
    const parameters = ['fetch', 'process', 'console']
    await new AsyncFunction(...parameters, text)(
      fetch,
      { env: { CANDELA_KEY: 'cnd_1' } },
      { log: (value: unknown) => log.push(value) },
    )
    const [url, init] = sent[0] ?? ['', {}]
    expect(url).toBe(`${base}bulk`)
    expect(init.headers).toEqual({ authorization: 'Bearer cnd_1', 'content-type': 'application/json' })
    expect(JSON.parse(String(init.body))).toEqual({ constructs, verbose: true })
    expect(log).toEqual([1])
  })
})

describe('the request as Python', () => {
  it.skipIf(spawnSync('python3', ['--version']).status !== 0)('sends the same body', needs('python3'), () => {
    const program = `
import sys, types, json
requests = types.ModuleType('requests')
class Reply:
    def raise_for_status(self): pass
    def json(self): return {"chart": 1}
def post(url, **given):
    print(json.dumps([url, given]), file=sys.stderr)
    return Reply()
requests.post = post
sys.modules['requests'] = requests
${requestText('Python', base, view, 300)}`
    const { stdout, stderr } = spawnSync('python3', ['-c', program], {
      encoding: 'utf8',
      env: { ...process.env, CANDELA_KEY: 'cnd_1' },
    })
    // In earlier lines, the shell may warn about a missing locale.
    const [url, given] = JSON.parse(stderr.trimEnd().split('\n').at(-1) as string)
    expect(url).toBe(`${base}bulk`)
    expect(given).toEqual({
      headers: { Authorization: 'Bearer cnd_1' },
      json: { constructs, verbose: true },
    })
    expect(stdout.trim()).toBe('1')
  })
})

describe('a program without a key', () => {
  it('says what must be set', async () => {
    const { stderr } = spawnSync('sh', ['-c', requestText('curl', base, view, 300)], {
      encoding: 'utf8',
      env: {},
    })
    expect(stderr).toMatch(/CANDELA_KEY: is not set/)
    const AsyncFunction = (async () => {}).constructor as FunctionConstructor
    for (const language of ['TypeScript', 'WebSocket'] as const) {
      const program = new AsyncFunction('process', requestText(language, base, view, 1))
      await expect(program({ env: {} }), language).rejects.toThrow('CANDELA_KEY must be set to your key.')
    }
    // Node 20 has no WebSocket of its own.
    const program = new AsyncFunction('process', 'globalThis', requestText('WebSocket', base, view, 1))
    await expect(program({ env: { CANDELA_KEY: 'cnd_1' } }, {})).rejects.toThrow(/Node 22 or later is needed/)
  })
})

describe('the subscriptions', () => {
  it('are messages that the service accepts', () => {
    const sound = withStudy(empty, 'rsi', { period: 21 })
    const text = requestText('WebSocket', base, sound, 1)
    expect(text).toContain("new WebSocket('wss://example.org/candela/streaming')")
    const messages = [...text.matchAll(/^ {2}(\{.*\}),$/gm)].map(([, message]) =>
      readMessage(message as string, new Expressions(), { id: 'one' }),
    )
    expect(messages.map(message => message.type === 'subscribe' && message.request.id)).toEqual([
      'candles',
      'rsi',
    ])
  })
})

it('no text contains a key', () => {
  for (const language of ['curl', 'TypeScript', 'Python', 'WebSocket'] as const)
    expect(requestText(language, base, view, 1)).toMatch(/CANDELA_KEY/)
})
