import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { transformSync } from 'rolldown/utils'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { executablePath, hasBrowser } from './support/browser.js'
import { codeBlocksOf, documentAt, root } from './support/documents.js'
import { needs } from './support/needs.js'
import { firstLinesOf } from './support/node-program.js'
import { bash } from './support/shell.js'
import { startTestService, type TestService } from './support/test-service.js'

const run = promisify(execFile)
const has = (program: string) => spawnSync(program, ['--version']).status === 0
const languages = {
  python: { program: 'python3', extension: 'py', isThere: has('python3') },
  curl: { program: 'bash', extension: 'sh', isThere: has('bash') && has('curl') },
  typescript: { program: process.execPath, extension: 'ts', isThere: true },
} as const
type Language = keyof typeof languages
for (const [language, { isThere }] of Object.entries(languages))
  if (!isThere) console.warn(`The examples for ${language} are not run: its programs are not installed.`)

let service: TestService
let time: NodeJS.Timeout
/** Programs of the examples in TypeScript, without their types. */
const compiled = join(root, 'build', 'examples')
beforeAll(async () => {
  mkdirSync(compiled, { recursive: true })
  const folder = join(root, 'examples', 'typescript')
  for (const file of readdirSync(folder).filter(name => name.endsWith('.ts'))) {
    const { code, errors } = transformSync(file, readFileSync(join(folder, file), 'utf8'))
    expect(errors).toEqual([])
    writeFileSync(join(compiled, file.replace(/ts$/, 'js')), code)
  }
  service = await startTestService()
  time = setInterval(() => service.pass(7), 20)
})
afterAll(async () => {
  clearInterval(time)
  await service?.close()
})

const examples = Object.keys(languages).flatMap(language =>
  readdirSync(join(root, 'examples', language))
    .filter(file => file !== '__pycache__')
    .map(file => `${language}/${file}`),
)
const ran = new Set<string>()

it('those in TypeScript have no type error', { tags: ['packages'] }, async () => {
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const check = [tsc, '-p', 'examples/typescript', '--noEmit']
  const { stdout } = await run(process.execPath, check, { cwd: root }).catch(error => error)
  expect(stdout).toBe('')
})

/** Runs an example and returns its output. */
async function execute(language: Language, name: string, args: readonly string[], key = 'many') {
  const { program, extension } = languages[language]
  ran.add(`${language}/${name}.${extension}`)
  const path =
    language === 'typescript' ? join(compiled, `${name}.js`) : `examples/${language}/${name}.${extension}`
  const variables = { CANDELA_URL: service.url, CANDELA_KEY: key, PYTHONDONTWRITEBYTECODE: '1' }
  return bash(['exec', program, path, ...args].join(' '), root, variables)
}

async function linesOf(language: Language, name: string, args: readonly string[]) {
  const { code, out, err } = await execute(language, name, args)
  expect(code, err).toBe(0)
  return out.trimEnd().split('\n')
}

const of = (...names: readonly Language[]) => names.filter(name => languages[name].isThere)
const market = 'exchange=demo&symbol=BTCUSDT'

describe('the screener', () => {
  // Of candles that do not move during the test.
  it.each(of('python', 'curl', 'typescript'))('in %s lists symbols by their RSI', async language => {
    const symbols = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT']
    const unknown = language === 'curl' ? [] : ['NONE']
    const { code, out, err } = await execute(language, 'screener', ['demo', '1w', ...unknown, ...symbols])
    expect(code, err).toBe(0)
    const values = await Promise.all(
      symbols.map(async symbol => {
        const query = `exchange=demo&symbol=${symbol}&timeframe=1w&backtrack=1`
        const { value } = await service.get(`/indicator/rsi?${query}`)
        const [fast, slow] = await Promise.all(
          [20, 50].map(
            async period => (await service.get(`/indicator/ema?${query}&period=${period}`)).value[0],
          ),
        )
        return { symbol, rsi: value[0] as number, trend: fast > slow ? 'up' : 'down' }
      }),
    )
    const expected = values
      .sort((a, b) => a.rsi - b.rsi)
      .map(({ symbol, rsi, trend }) => {
        const words = [symbol, rsi.toFixed(2), trend]
        return words.slice(0, language === 'curl' ? 2 : 3).join(' ')
      })
    const lines = out.trimEnd().split('\n')
    expect(lines.map(line => line.replaceAll(/ +/g, ' '))).toEqual(expected)
    if (unknown.length > 0)
      expect(err, 'a symbol that is not there').toMatch(/^NONE: Failed to fetch candles: 404 Not Found/)
  })
})

describe('candles of a CSV file', () => {
  const file = 'examples/candles.csv'
  const rows = readFileSync(join(root, file), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map(line => line.split(',').map(Number))
  const candles = rows.map(([timestamp, open, high, low, close, volume]) => ({
    timestamp,
    open,
    high,
    low,
    close,
    volume,
  }))
  const expected = async (results: number | 'max') => {
    const response = await fetch(`${service.url}/indicator/rsi`, {
      method: 'POST',
      headers: { authorization: 'Bearer many', 'content-type': 'application/json' },
      body: JSON.stringify({ results, candles }),
    })
    return (await response.json()) as { value: number[]; timestamp: number[] }
  }

  it.each(of('python', 'typescript'))('are computed in %s', async language => {
    const [heading, ...lines] = await linesOf(language, `csv${language === 'python' ? '_' : '-'}candles`, [
      file,
      'rsi',
    ])
    const { value, timestamp } = await expected('max')
    expect(heading).toBe('time,value')
    expect(lines).toEqual(
      value.map((each, at) => {
        const opened = new Date((timestamp[at] as number) * 1000).toISOString()
        return `${opened.slice(0, 16).replace('T', ' ')},${each}`
      }),
    )
  })

  it.each(of('curl'))('are computed in %s', async language => {
    const [line = ''] = await linesOf(language, 'csv-candles', [file, 'rsi'])
    expect(JSON.parse(line)).toEqual(await expected(3))
  })
})

describe('the bot', () => {
  it.each([
    ['python', ['--candles', '3', '--poll', '0.02']],
    ['typescript', ['3']],
  ] as const)('in %s decides once at each closed candle', async (language, options) => {
    if (!languages[language].isThere) return
    const lines = await linesOf(language, 'bot', ['demo', 'BTCUSDT', '1m', ...options])
    expect(lines).toHaveLength(3)
    const averages = await Promise.all(
      [9, 21].map(period =>
        service.get(`/indicator/ema?${market}&timeframe=1m&period=${period}&results=400`),
      ),
    )
    const opened: number[] = []
    let holds = false
    for (const line of lines) {
      const [, when, action, fast, slow] =
        /^(.{16}) (\w+) .*\(fast ([\d.]+), slow ([\d.]+)\)$/.exec(line) ?? []
      const at = Date.parse(`${when}Z`) / 1000
      opened.push(at)
      for (const [place, text] of [fast, slow].entries()) {
        const { value, timestamp } = averages[place] as { value: number[]; timestamp: number[] }
        expect(text).toBe(value[timestamp.indexOf(at)]?.toFixed(4))
      }
      const isAbove = Number(fast) > Number(slow)
      expect(action).toBe(isAbove === holds ? 'hold' : isAbove ? 'buy' : 'sell')
      holds = isAbove
    }
    expect(new Set(opened).size).toBe(3)
    expect(opened).toEqual([...opened].sort((a, b) => a - b))
  })
})

it('the bot of docs/first-bot.md decides at each closed candle', async () => {
  const program =
    codeBlocksOf(documentAt('docs/first-bot.md')).find(({ language }) => language === 'js')?.code ?? ''
  const client = pathToFileURL(join(root, 'dist', 'client', 'index.js')).href
  const { lines } = await firstLinesOf(
    program.replace('candela-ta/client', client),
    { CANDELA_URL: service.url, KEY: 'many' },
    3,
  )
  const [rule, price] = await Promise.all(
    ['ema(9) > ema(21)', 'close'].map(async expression => {
      const query = new URLSearchParams({ expression, timeframe: '1m', results: '400' })
      const { value, timestamp } = await service.get(`/expression?${market}&${query}`)
      return new Map((timestamp as number[]).map((at, place) => [at, value[place]]))
    }),
  )
  let holds = false
  for (const line of lines) {
    const [time = '', action, close] = line.split(' ')
    const at = Date.parse(time) / 1000
    const wants = rule?.get(at)
    expect(action).toBe(wants === holds ? 'hold' : wants ? 'buy' : 'sell')
    expect(Number(close)).toBe(price?.get(at))
    holds = wants
  }
  expect(lines).toHaveLength(3)
})

describe('the stream', () => {
  it.each([
    ['python', ['--updates', '4']],
    ['typescript', ['4']],
  ] as const)('in %s prints live values', async (language, options) => {
    if (!languages[language].isThere) return
    const lines = await linesOf(language, 'stream', ['demo', 'BTCUSDT', '1m', 'rsi', ...options])
    const updates = lines.map(line => JSON.parse(line))
    expect(updates).toHaveLength(4)
    const form = { rsi: expect.any(Number), timestamp: expect.any(Number), closed: expect.any(Boolean) }
    for (const update of updates) expect(update).toEqual(form)
  })
})

describe('requests with curl', () => {
  it.each(of('curl'))('are answered', async language => {
    const lines = await linesOf(language, 'requests', [])
    const [rsi, candles, bulk, sma] = lines
      .filter(line => !line.startsWith('#'))
      .map(line => JSON.parse(line))
    expect(rsi.value).toHaveLength(3)
    expect(candles).toHaveLength(2)
    expect(Object.keys(bulk.eth)).toEqual(['rsi', 'ema'])
    expect(sma).toEqual({ value: [3, 3.5], timestamp: [1, 2] })
  })
})

it.each(of('typescript'))('the first hour in %s ends without a stop', async language => {
  const lines = await linesOf(language, 'first-hour', [])
  expect(lines).toEqual([
    expect.stringMatching(/^RSI \d+\.\d+$/),
    '100000 of 102241 candles',
    '102241 candles',
    expect.stringMatching(/^live \d+(\.\d+)? of a candle that (is forming|has closed)$/),
    expect.stringMatching(/^Invalid period: 0\. Expected integer, /),
  ])
})

// It waits for the browser as the tests of the page do.
const atThePage = { timeout: 90_000, tags: ['browser'], ...needs('chromium') }
it.skipIf(!hasBrowser)('the first hour at the page ends without a stop', atThePage, async () => {
  const { PATH } = process.env
  const env = { PATH, CHROMIUM: executablePath, CANDELA_URL: service.url, CANDELA_KEY: 'many' }
  const { stdout } = await run(process.execPath, ['examples/first-hour.mjs'], { cwd: root, env })
  const number = '[\\d,]+\\.\\d+'
  expect(stdout.trimEnd().split('\n')).toEqual([
    expect.stringMatching(`^SMA 200 ${number}$`),
    expect.stringMatching(`^older .*: ${number}$`),
    expect.stringMatching(`^pivots ${number} ${number} `),
    'drawings trend fibonacci',
  ])
})

describe('what the service refuses', () => {
  it.each(of('python', 'curl', 'typescript'))('is printed in its words in %s', async language => {
    const { out, err } = await execute(language, 'screener', ['demo', '1h', 'BTCUSDT'], 'nobody')
    expect([out, err]).toEqual(['', expect.stringContaining('Invalid or missing API key.')])
  })
})

it.runIf(of('python', 'curl').length === 2)('no example is left out', () => {
  const parts = ['python/candela.py', 'curl/ask.sh', 'typescript/tsconfig.json']
  const programs = examples.filter(example => !parts.includes(example))
  expect([...ran].sort()).toEqual(programs.sort())
})
