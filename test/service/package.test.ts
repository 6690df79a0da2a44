import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Binance, ccxtOptions, startBinance } from '../support/binance.js'
import { root } from '../support/documents.js'

/** A folder with the packed package and its dependencies, as npm installs them, not as the checkout has them. */
let folder: string
let installed: string
let manifest: {
  readonly name: string
  readonly bin: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly exports: Readonly<Record<string, Readonly<Record<string, string>>>>
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'candela-package-'))
  const options = ['--ignore-scripts', '--json', '--pack-destination', folder]
  const [{ filename }] = JSON.parse(
    execFileSync('npm', ['pack', ...options], { cwd: root, encoding: 'utf8', stdio: 'pipe' }),
  )
  installed = join(folder, 'node_modules', 'candela-ta')
  mkdirSync(installed, { recursive: true })
  execFileSync('tar', ['-xzf', join(folder, filename), '-C', installed, '--strip-components=1'])
  manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  for (const name of Object.keys(manifest.dependencies))
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name), 'junction')
}, 60_000)
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))

const program = (name = manifest.name) => join(installed, manifest.bin[name] as string)
const run = (args: readonly string[], input = '') =>
  spawnSync(process.execPath, [program(), ...args], { cwd: folder, encoding: 'utf8', input })

describe('the package', { tags: ['packages'] }, () => {
  it('has a command of its own name, which npx looks for, and candela', () => {
    expect(manifest.name).toBe('candela-ta')
    for (const name of ['candela-ta', 'candela']) {
      const { status, stdout } = spawnSync(process.execPath, [program(name), '--version'], {
        encoding: 'utf8',
      })
      expect([status, stdout]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+\n$/)])
    }
  })

  it('depends on no compiler, no bundler and nothing that is bundled', () => {
    const names = Object.keys(manifest.dependencies)
    expect(names).toEqual(['ccxt', 'fs-native-extensions', 'ioredis', 'lmdb', 'piscina'])
    // Modules that are loaded at their first use, in a way that no bundler follows.
    const chunks = readdirSync(join(installed, 'dist', 'chunks'), { recursive: true, encoding: 'utf8' })
    const loaded = chunks
      .filter(path => /\.c?js$/.test(path))
      .map(path => readFileSync(join(installed, 'dist', 'chunks', path), 'utf8'))
      .flatMap(text => [...text.matchAll(/createRequire\)?\([^;]{0,120}\)\("([\w-]+)"\)/g)])
      .map(([, name]) => name as string)
    expect(new Set(loaded)).toEqual(new Set(['fs-native-extensions', 'ioredis']))
    expect(names).toEqual(expect.arrayContaining(loaded))
    const licences = readFileSync(join(installed, 'dist', 'licences.txt'), 'utf8')
    for (const name of ['zod', 'ws', 'yahoo-finance2', 'lightweight-charts', 'minisearch'])
      expect(licences).toMatch(new RegExp(`^${name} [\\d.]+ \\([\\w.-]+\\)$`, 'm'))
  })

  it('has the client and all that it imports', () => {
    const entries = Object.values(manifest.exports['./client'] ?? {})
    expect(entries).toHaveLength(2)
    const open = entries.map(path => join(installed, path))
    const seen = new Set<string>()
    for (let path = open.pop(); path !== undefined; path = open.pop()) {
      if (seen.has(path)) continue
      seen.add(path)
      const extension = path.endsWith('.d.ts') ? '.d.ts' : '.js'
      for (const [, specifier = ''] of readFileSync(path, 'utf8').matchAll(
        /(?<!["'])\b(?:from|import)\s*\(?["']([^"']+)["']/g,
      ))
        open.push(resolve(dirname(path), specifier.replace(/\.js$/, extension)))
    }
    expect(seen.size).toBeGreaterThan(20)
  })

  it('computes over a file', () => {
    const rows = Array.from(
      { length: 5 },
      (_, at) => `${1_704_067_200 + 60 * at},${at + 1},${at + 3},${at + 1},${at + 2},1`,
    )
    const candles = `timestamp,open,high,low,close,volume\n${rows.join('\n')}\n`
    const { status, stdout, stderr } = run(['compute', 'sma', '--period', '3', '--json'], candles)
    expect([status, stderr]).toEqual([0, ''])
    expect(JSON.parse(stdout)).toMatchObject({ value: [3, 4, 5] })
  })

  it('answers an application that speaks the Model Context Protocol', () => {
    const params = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    }
    const { stdout } = run(
      ['mcp'],
      `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`,
    )
    expect(JSON.parse(stdout.split('\n')[0] ?? '')).toMatchObject({
      id: 1,
      result: { capabilities: { tools: {} }, serverInfo: { name: expect.stringMatching(/candela/i) } },
    })
  })
})

describe('the service of the package', { tags: ['packages'] }, () => {
  let binance: Binance
  let service: ChildProcess
  let url: string
  let authorization: string

  beforeAll(async () => {
    binance = await startBinance()
    service = spawn(process.execPath, [program(), 'serve'], {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        PORT: '0',
        DATA_DIR: join(folder, 'data'),
        DRAIN_SECONDS: '0',
        EXCHANGES: JSON.stringify({ binance: ccxtOptions(binance.url) }),
        STOCKS: JSON.stringify({ url: binance.url, symbolsUrl: binance.url }),
        LOG_LEVEL: 'silent',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let greeting = ''
    for await (const chunk of service.stdout as AsyncIterable<Buffer>) {
      greeting += chunk
      if (/^curl .*\n/m.test(greeting)) break
    }
    const curl = /^curl -H "Authorization: (.+)" "(.+)"$/m.exec(greeting)
    authorization = curl?.[1] as string
    url = curl?.[2] as string
  })
  afterAll(async () => {
    const ended = once(service, 'exit')
    service.kill()
    await ended
    await binance.close()
  })

  const ask = (path: string) => fetch(new URL(path, url), { headers: { authorization, prefer: 'wait=10' } })

  it('answers the request that it prints', async () => {
    const reply = await ask(url)
    expect([reply.status, await reply.json()]).toEqual([
      200,
      { value: [expect.any(Number)], timestamp: [expect.any(Number)] },
    ])
  })

  it.each([
    ['/', 'text/html'],
    ['/docs', 'text/html'],
    ['/help', 'text/html'],
    ['/help/indicators/momentum', 'text/html'],
    ['/help/search.json', 'application/json'],
    ['/packages/candela-client.tgz', 'application/octet-stream'],
    ['/openapi.json', 'application/json'],
    ['/asyncapi.json', 'application/json'],
    ['/exchanges', 'application/json'],
  ])('has %s', async (path, type) => {
    const reply = await ask(path)
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, expect.stringContaining(type)])
  })

  it('loads the clients of exchanges and stocks', async () => {
    const crypto = await ask('/indicator/rsi?exchange=binance&symbol=BTCUSDT&timeframe=1h')
    expect([crypto.status, await crypto.json()]).toEqual([
      200,
      { value: [expect.any(Number)], timestamp: [expect.any(Number)] },
    ])
    // Its client speaks to a server that is not Yahoo's. A client that cannot be loaded is an error of the service, 500.
    const stocks = await ask('/indicator/rsi?exchange=stocks&symbol=AAPL&timeframe=1d')
    expect([stocks.status, await stocks.json()]).toEqual([503, { error: expect.stringContaining('stocks') }])
  })
})
