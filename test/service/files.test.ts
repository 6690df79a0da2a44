import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeStreaming } from '../../interface/asyncapi.js'
import { describeInterface } from '../../interface/openapi.js'
import { version } from '../../src/runtime/version.js'
import { documentAt } from '../support/documents.js'
import { startTestService, type TestService } from '../support/test-service.js'

const index = '<!doctype html><title>Candela</title>'
const script = `console.log('${'candle '.repeat(1000)}')`

const directory = mkdtempSync(join(tmpdir(), 'candela-page-'))
let service: TestService
beforeAll(async () => {
  const page = join(directory, 'page')
  mkdirSync(join(page, 'assets'), { recursive: true })
  writeFileSync(join(directory, 'secret.txt'), 'secret')
  writeFileSync(join(page, '.stamp'), 'stamp')
  writeFileSync(join(page, 'index.html'), index)
  writeFileSync(join(page, 'assets', 'main-1a2b.js'), script)
  writeFileSync(join(page, 'assets', 'picture-1a2b.png'), Buffer.alloc(5000, 'x'))
  service = await startTestService({}, {}, { pageDirectory: page })
})
afterAll(async () => {
  await service.close()
  rmSync(directory, { recursive: true })
})

interface Answer {
  readonly status: number | undefined
  readonly headers: Record<string, unknown>
  readonly body: Buffer
}

/** Sends a request unchanged: the path and the header stay as given, and the answer is not decompressed. */
const ask = (
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
  { url } = service,
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const sent = request({ hostname, port, path, method, headers, agent: false }, response => {
      const chunks: Buffer[] = []
      response.on('data', chunk => chunks.push(chunk))
      response.on('end', () =>
        resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) }),
      )
    })
    sent.on('error', reject)
    sent.end()
  })

const strict =
  "default-src 'self'; img-src 'self' data:; object-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

describe('the page', () => {
  it('is served without a key, under a strict policy, and asked for again each time', async () => {
    const { status, headers, body } = await ask('/')
    expect([status, body.toString()]).toEqual([200, index])
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': strict,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-cache',
      'content-length': String(index.length),
    })
    expect((await ask('/?symbol=BTCUSDT')).status).toBe(200)
  })

  it('has assets that browsers keep', async () => {
    const { status, headers, body } = await ask('/assets/main-1a2b.js')
    expect([status, body.toString()]).toEqual([200, script])
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    })
  })

  it('has no files but those of its directory', async () => {
    const paths = [
      '/../secret.txt',
      '/assets/../../secret.txt',
      '/%2e%2e/secret.txt',
      '/assets/..%2f..%2fsecret.txt',
      '/assets',
      '/assets/',
      '//index.html',
      '/index.html/',
      '/.stamp',
      '/constructor',
      '/__proto__',
    ]
    for (const path of paths) {
      const { status, body } = await ask(path)
      expect([path, status]).toEqual([path, 404])
      expect(JSON.parse(body.toString())).toEqual({ error: `Not found: ${path}` })
    }
  })

  it('is not written to', async () => {
    const { status, headers } = await ask('/', {}, 'POST')
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD'])
  })

  it('is not found where it was not built', async () => {
    const bare = await startTestService({}, {}, { pageDirectory: join(directory, 'nothing') })
    const { status, body } = await ask('/', {}, 'GET', bare)
    await bare.close()
    expect([status, body.toString()]).toEqual([404, '{"error":"Not found: /"}'])
  })
})

describe('a file that does not change', () => {
  it.each([
    ['br, gzip', 'br', brotliDecompressSync],
    ['gzip, deflate, br;q=0.5', 'br', brotliDecompressSync],
    ['GZIP', 'gzip', gunzipSync],
    ['*', 'br', brotliDecompressSync],
    ['br;q=0, *', 'gzip', gunzipSync],
  ] as const)('is compressed for a client that accepts %s', async (accepted, encoding, decompress) => {
    for (let times = 0; times < 2; times++) {
      const { headers, body } = await ask('/assets/main-1a2b.js', { 'accept-encoding': accepted })
      expect(headers['content-encoding']).toBe(encoding)
      expect(headers.vary).toBe('Accept-Encoding, Origin')
      expect(body.byteLength).toBeLessThan(script.length / 10)
      expect(decompress(body).toString()).toBe(script)
    }
  })

  it.each(['', 'identity', 'deflate', 'br;q=0', 'br;q=0.0, gzip;q=0', 'brotli'])(
    'is sent as it is to a client that accepts "%s"',
    async accepted => {
      const { headers, body } = await ask('/assets/main-1a2b.js', { 'accept-encoding': accepted })
      expect(headers).not.toHaveProperty('content-encoding')
      expect(body.toString()).toBe(script)
    },
  )

  it('is not compressed where that gains nothing', async () => {
    for (const path of ['/', '/assets/picture-1a2b.png']) {
      const { headers } = await ask(path, { 'accept-encoding': 'br, gzip' })
      expect(headers).not.toHaveProperty('content-encoding')
    }
  })

  it('is not sent to a client that has it already', async () => {
    for (const path of ['/', '/assets/main-1a2b.js', '/openapi.json', '/asyncapi.json', '/docs']) {
      const first = await ask(path, { 'accept-encoding': 'gzip' })
      const etag = String(first.headers.etag)
      expect(etag, path).toMatch(/^W\/"[\w-]{22}"$/)
      for (const known of [etag, etag.slice(2), `"other", ${etag}`, '*']) {
        const { status, headers, body } = await ask(path, { 'if-none-match': known })
        expect([status, body.byteLength, headers.etag], `${path} ${known}`).toEqual([304, 0, etag])
        expect(headers).not.toHaveProperty('content-length')
        expect(headers['cache-control']).toBe(first.headers['cache-control'])
      }
      expect((await ask(path, { 'if-none-match': 'W/"other"' })).status).toBe(200)
    }
  })

  it('leaves its connection open after 304', async () => {
    const { headers } = await fetch(`${service.url}/openapi.json`)
    const known = { 'if-none-match': headers.get('etag') as string }
    for (let times = 0; times < 5; times++)
      expect((await fetch(`${service.url}/openapi.json`, { headers: known })).status).toBe(304)
    expect((await fetch(`${service.url}/health/live`)).status).toBe(200)
  })
})

describe('the documents', () => {
  const built = (name: string) => readFileSync(new URL(`../../build/${name}`, import.meta.url), 'utf8')

  it('are those of the build', async () => {
    for (const name of ['openapi.json', 'asyncapi.json'])
      expect((await (await fetch(`${service.url}/${name}`)).text()) === built(name), name).toBe(true)
  })

  // `npm test` builds them itself.
  it('are described by the sources (if they differ, run `npm run build`)', { tags: ['packages'] }, () => {
    expect(built('openapi.json') === JSON.stringify(describeInterface())).toBe(true)
    expect(built('asyncapi.json') === JSON.stringify(describeStreaming())).toBe(true)
  })

  it('includes the catalogue, for which a key is needed', async () => {
    const authorization = 'Bearer many'
    const first = await ask('/indicators', { authorization, 'accept-encoding': 'br' })
    expect([first.headers['content-encoding'], first.headers['content-type']]).toEqual([
      'br',
      'application/json',
    ])
    expect(JSON.parse(brotliDecompressSync(first.body).toString()).count).toBeGreaterThan(200)
    const etag = String(first.headers.etag)
    const second = await ask('/indicators', { authorization, 'if-none-match': etag })
    expect([second.status, second.body.byteLength]).toEqual([304, 0])
    expect(second.headers).toHaveProperty('ratelimit')
    expect((await ask('/indicators', { 'if-none-match': etag })).status).toBe(401)
  })
})

describe('the reference', () => {
  it('is served at /docs with everything that it loads', async () => {
    const { status, headers, body } = await ask('/docs')
    expect([status, headers['content-security-policy']]).toEqual([200, strict])
    const links = [...body.toString().matchAll(/(?:href|src)="([^"]+)"/g)].map(([, link]) => link as string)
    expect(links.length).toBeGreaterThan(6)
    for (const link of links) {
      expect(link, 'a link to this service, relative to the page').toMatch(/^(\.\/|[a-z])[\w./-]*$/)
      expect((await ask(new URL(link, `${service.url}/docs`).pathname)).status, link).toBe(200)
    }
  })

  it('has the clients at /packages, and nothing else of the folders beside them', async () => {
    const folder = fileURLToPath(new URL('../../dist/packages/', import.meta.url))
    const names = readdirSync(folder)
    const wheels = ['client', 'ta'].map(name => `candela_${name}-${version}-py3-none-any.whl`)
    expect(names.sort()).toEqual(['candela-client.tgz', ...wheels])
    for (const name of names)
      expect((await ask(`/packages/${name}`)).body.equals(readFileSync(join(folder, name))), name).toBe(true)
    for (const path of ['/packages', '/packages/../package.json', '/packages/%2e%2e/main.js', '/packages/..'])
      expect((await ask(path)).status, path).toBe(404)
    for (const [document, name] of [
      ['docs/client.md', names[0]],
      ['docs/python.md', names[1]],
      ['docs/python-library.md', names[2]],
    ] as const)
      expect(documentAt(document).text).toContain(`http://127.0.0.1:8080/packages/${name}`)
  })

  it('leads there from /docs/', async () => {
    const { status, headers } = await ask('/docs/')
    expect([status, headers.location]).toEqual([308, '../docs'])
    expect((await fetch(`${service.url}/docs/`)).status).toBe(200)
  })
})
