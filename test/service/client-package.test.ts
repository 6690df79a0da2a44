import { execFile, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, launchBrowser, openTab } from '../support/browser.js'
import { codeBlocksOf, documentAt, root } from '../support/documents.js'
import { needs } from '../support/needs.js'
import { startTestService, type TestService } from '../support/test-service.js'

const run = promisify(execFile)

/** A folder in which only the packed client is installed. */
let folder: string
/** Serves that folder, as the server of an application does. */
let server: Server
let origin: string
let service: TestService
let time: NodeJS.Timeout

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'candela-client-'))
  const packed = join(root, 'dist', 'packages', 'candela-client.tgz')
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', packed], { cwd: folder })
  cpSync(join(root, 'test', 'support', 'client-program.mjs'), join(folder, 'client-program.mjs'))

  const types: Readonly<Record<string, string>> = { html: 'text/html' }
  server = createServer((request, reply) => {
    const path = request.url === '/' ? 'index.html' : (request.url ?? '')
    const body =
      path === 'index.html'
        ? '<!doctype html><link rel="icon" href="data:,">'
        : readFileSync(join(folder, path))
    reply.setHeader('Content-Type', types[path.split('.').at(-1) ?? ''] ?? 'text/javascript').end(body)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  service = await startTestService({ corsOrigins: [origin] })
  time = setInterval(() => service.pass(7), 20)
}, 60_000)
afterAll(async () => {
  clearInterval(time)
  server?.close()
  await service?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The programs of the documentation. */
const programs = codeBlocksOf(documentAt('docs/client.md'))
  .filter(({ language }) => language === 'ts')
  .map(({ code }) => code.replaceAll('candela-ta/client', 'candela-client'))

/** Values that the program of test/support must have seen. */
async function expected() {
  const daily = 'exchange=demo&symbol=BTCUSDT&timeframe=1d&backtrack=1'
  return {
    rsi: await service.get(`/indicator/rsi?${daily}&period=7&results=3`),
    sma: { value: [1.5, 2.5, 3.5], timestamp: [1, 2, 3] },
    ema: await service.get(`/indicator/ema?${daily}&period=5`),
    refused: ['CandelaError', 404, expect.stringContaining('Symbol not found: NONE on demo')],
    unanswered: ['CandelaError', 0],
    hasLimit: true,
    states: ['open', 'reconnecting', 'open'],
    steps: [60, 60, 60, 60, 60],
  }
}

describe('the packed client', () => {
  it('has no dependencies, and only what it needs', () => {
    const installed = join(folder, 'node_modules', 'candela-client')
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    expect(manifest).toMatchObject({ name: 'candela-client', version, type: 'module' })
    expect(manifest.dependencies).toBeUndefined()
    expect(readFileSync(join(installed, 'README.md'), 'utf8')).toContain("from 'candela-client'")
  })

  it.each([
    ['nodenext', 'nodenext', { lib: ['es2022'], types: ['node'] }],
    ['esnext', 'bundler', { lib: ['es2022', 'dom', 'dom.asynciterable'], types: [] }],
  ])(
    'has types for programs of module %s with the resolution %s',
    { tags: ['packages'] },
    async (module, moduleResolution, platform) => {
      const directory = join(folder, moduleResolution)
      mkdirSync(directory)
      const source = readFileSync(join(root, 'test', 'types', 'client.ts'), 'utf8')
      writeFileSync(
        join(directory, 'types.ts'),
        source.replace(/'[^']*\/client\/index\.js'/, "'candela-client'"),
      )
      const declared =
        'declare const process: { readonly env: Readonly<Record<string, string | undefined>> }\n'
      for (const [at, code] of programs.entries())
        writeFileSync(join(directory, `page-${at}.ts`), platform.types.length === 0 ? declared + code : code)
      const options = {
        ...platform,
        module,
        moduleResolution,
        target: 'es2022',
        strict: true,
        skipLibCheck: false,
        typeRoots: [join(root, 'node_modules', '@types')],
      }
      writeFileSync(
        join(directory, 'tsconfig.json'),
        JSON.stringify({ compilerOptions: options, include: ['*.ts'] }),
      )
      const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
      const { stdout } = await run(process.execPath, [tsc, '-p', directory]).catch(error => error)
      expect(stdout).toBe('')
    },
  )

  it('does what the programs of its page say', { tags: ['packages'] }, async () => {
    const counts = [undefined, 20, 1, 2, 2]
    expect(programs).toHaveLength(counts.length)
    const printed = await Promise.all(
      programs.map(async (_, at) => {
        const file = join(folder, 'nodenext', `page-${at}.js`)
        const compiled = readFileSync(file, 'utf8')
        expect(compiled).toContain('http://localhost:8080')
        writeFileSync(file, compiled.replace('http://localhost:8080', service.url))
        const flags = typeof WebSocket === 'undefined' ? ['--experimental-websocket'] : []
        const child = spawn(process.execPath, ['--no-warnings', ...flags, file], {
          env: { PATH: process.env.PATH, CANDELA_KEY: 'many' },
        })
        const lines: string[] = []
        for await (const line of createInterface({ input: child.stdout })) {
          lines.push(line)
          if (lines.length === counts[at]) break
        }
        child.kill()
        return lines
      }),
    )
    expect(
      printed[0]
        ?.join(' ')
        .replaceAll(/-?[\d.]+/g, '0')
        .replaceAll(/ +/g, ' '),
    ).toMatch(/^\[ 0, 0, 0, 0, 0 \] \[ 0, 0, 0, 0, 0 \] \[ 0 \] \[ 0, 0, 0 \]$/)
    const either = /^([\d.]+ (forming|closed)|-?[\d.]+ \d{10})$/
    expect(printed[1]).toEqual(Array.from({ length: 20 }, () => expect.stringMatching(either)))
    const change = /^\+ \w+ [\d.]+$/
    expect(printed[2]).toEqual([expect.stringMatching(change)])
    const breadth = /^\d{10} \d+ -?\d+ \w+$/
    expect(printed[3]).toEqual([expect.stringMatching(breadth), expect.stringMatching(breadth)])
    const alert = /^up (BTC|ETH)USDT [\d.]+ \d{4}-\d\d-\d\d \d\d:\d\d:00$/
    expect(printed[4]).toEqual([expect.stringMatching(alert), expect.stringMatching(alert)])
    expect(new Set(printed[4]).size).toBe(2)
  })

  it('works in this Node (others by scripts/with-node.mjs)', async () => {
    const ws = pathToFileURL(join(root, 'node_modules', 'ws', 'wrapper.mjs')).href
    const program = `
      import { Candela } from 'candela-client'
      import { runClient } from './client-program.mjs'
      const WebSocket = globalThis.WebSocket ?? (await import('${ws}')).WebSocket
      console.log(JSON.stringify(await runClient({ Candela, WebSocket, url: '${service.url}', key: 'many' })))`
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], {
      cwd: folder,
    })
    expect(JSON.parse(stdout)).toEqual(await expected())
  })

  it.skipIf(!hasBrowser)(
    'works in a page of another origin in Chromium',
    {
      tags: ['packages'],
      ...needs('chromium'),
    },
    async () => {
      const browser = await launchBrowser()
      try {
        const { page, errors } = await openTab(browser)
        await page.goto(origin)
        // A text, because the tests' compiler replaces imports.
        const seen = await page.evaluate(`(async () => {
        const { Candela } = await import('/node_modules/candela-client/dist/client/index.js')
        const { runClient } = await import('/client-program.mjs')
        return runClient({ Candela, WebSocket, url: '${service.url}', key: 'many' })
      })()`)
        expect(seen).toEqual(await expected())
        // The browser itself reports the two requests that fail on purpose.
        expect(errors.filter(text => !/404|ERR_UNSAFE_PORT/.test(text))).toEqual([])
      } finally {
        await browser.close()
      }
    },
  )
})
