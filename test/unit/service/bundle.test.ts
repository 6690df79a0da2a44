import { mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Bundle } from '../../../src/service/bundle.js'

const parameters = 'exports, require, module, importModule, distUrl'
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'candela-bundle-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const write = (name: string, body: string) =>
  writeFileSync(join(folder, name), `(function (${parameters}) {${body}\n})\n`)
const open = () => new Bundle(pathToFileURL(`${folder}/`), import.meta.url)
const codes = () => readdirSync(folder).filter(name => name.endsWith('.code'))

describe('a bundle', () => {
  it('runs each file once, and files may require each other, packages and files of Node', async () => {
    write(
      'main.cjs',
      `exports.at = distUrl; exports.join = require('node:path').join; exports.other = require('./other.cjs')
exports.path = importModule('node:path')`,
    )
    write('other.cjs', `globalThis.runs = (globalThis.runs ?? 0) + 1; exports.main = require('./main.cjs')`)
    const bundle = open()
    const main = bundle.load('main.cjs') as Record<string, unknown>
    expect(bundle.load('main.cjs')).toBe(main)
    expect(main).toMatchObject({ at: import.meta.url, join })
    expect(await main.path).toHaveProperty('join', join)
    expect(main.other).toHaveProperty('main', main)
    expect((globalThis as { runs?: number }).runs).toBe(1)
  })

  it('runs a file again that failed', () => {
    write('main.cjs', `if (!globalThis.isReady) throw new Error('not ready')`)
    const bundle = open()
    expect(() => bundle.load('main.cjs')).toThrow('not ready')
    Object.assign(globalThis, { isReady: true })
    expect(bundle.load('main.cjs')).toEqual({})
  })

  it('stores code once for each file that was run, and runs with it as without', () => {
    write('main.cjs', `exports.answer = () => 6 * 7`)
    write('unused.cjs', '')
    const answer = (bundle: Bundle) => (bundle.load('main.cjs') as { answer(): number }).answer()
    const bundle = open()
    expect(answer(bundle)).toBe(42)
    expect(codes()).toEqual([])
    bundle.storeCode()
    bundle.storeCode()
    expect(codes()).toHaveLength(1)
    expect(readdirSync(folder)).toHaveLength(3)
    expect(codes()[0]).toContain(process.versions.v8)
    expect(answer(open())).toBe(42)
  })

  it.each([
    ['nothing', (path: string) => writeFileSync(path, '')],
    ['its first half', (path: string) => truncateSync(path, 200)],
    ['other bytes', (path: string) => writeFileSync(path, Buffer.alloc(4096, 7))],
  ])('compiles the source where of the code there is %s', (_what, damage) => {
    write('main.cjs', `exports.answer = (() => 6 * 7)()`)
    const bundle = open()
    bundle.load('main.cjs')
    bundle.storeCode()
    damage(join(folder, codes()[0] as string))
    expect(open().load('main.cjs')).toEqual({ answer: 42 })
  })

  it.each(['42 + 1', '43'])('runs a file that was changed to %s since its code was stored', changed => {
    write('main.cjs', `exports.answer = 42`)
    const bundle = open()
    bundle.load('main.cjs')
    bundle.storeCode()
    write('main.cjs', `exports.answer = ${changed}`)
    expect(open().load('main.cjs')).toEqual({ answer: 43 })
  })

  it('is loaded as modules, without code, where Node.js shall apply source maps', () => {
    write('main.cjs', `exports.stack = new Error('here').stack`)
    const before = process.sourceMapsEnabled
    process.setSourceMapsEnabled(true)
    try {
      const bundle = open()
      expect(bundle.load('main.cjs')).toEqual({ stack: expect.stringContaining(join(folder, 'main.cjs')) })
      bundle.storeCode()
      expect(codes()).toEqual([])
    } finally {
      process.setSourceMapsEnabled(before)
    }
  })
})
