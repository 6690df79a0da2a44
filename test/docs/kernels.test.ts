import { execFileSync, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'vite'
import { afterAll, describe, expect, it } from 'vitest'
import { codeBlocksOf, documentAt, root } from '../support/documents.js'
import { run } from '../support/kernel.js'
import { needs } from '../support/needs.js'
import { realShaped } from '../support/real-shaped-market.js'

const folder = mkdtempSync(join(tmpdir(), 'candela-kernels-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const hasGo = spawnSync('go', ['version']).status === 0

/** The programs of a page, in a folder where the package is installed. */
function programsOf(path: string): readonly string[] {
  mkdirSync(join(folder, 'node_modules'), { recursive: true })
  const installed = join(folder, 'node_modules', 'candela-ta')
  if (!existsSync(installed)) symlinkSync(root, installed, 'junction')
  return codeBlocksOf(documentAt(path)).flatMap(({ language, code }) => (language === 'js' ? [code] : []))
}

/** The output of a program. */
function printedBy(program: string): string {
  writeFileSync(join(folder, 'program.mjs'), program)
  return execFileSync(process.execPath, ['program.mjs'], { cwd: folder, encoding: 'utf8' })
}

describe('docs/library.md', () => {
  it.each(programsOf('docs/library.md').map((program, k) => [k, program] as const))(
    'has program %i, which prints what its comments say',
    (_, program) => {
      const expected = [...program.matchAll(/console\.log\(.*\) \/\/ (.*)$/gm)].map(
        ([, output]) => `${output}\n`,
      )
      expect(expected.length).toBeGreaterThan(1)
      expect(printedBy(program)).toBe(expected.join(''))
    },
  )
})

it('Vite bundles the library with its kernels, without settings', { tags: ['packages'] }, async () => {
  programsOf('docs/library.md')
  const app = join(folder, 'app')
  mkdirSync(app)
  writeFileSync(join(app, 'index.html'), '<!doctype html><script type="module" src="./main.js"></script>')
  writeFileSync(
    join(app, 'main.js'),
    "import { load, rsi } from 'candela-ta/compute'\nload().then(() => rsi([1, 2]))\n",
  )
  await build({ root: app, configFile: false, logLevel: 'error', build: { target: 'es2022' } })
  const assets = join(app, 'dist', 'assets')
  const kernels = readdirSync(assets).filter(name => name.endsWith('.wasm'))
  expect(kernels).toHaveLength(1)
  expect(readFileSync(join(assets, kernels[0] as string))).toEqual(
    readFileSync(join(root, 'build', 'kernels.wasm')),
  )
})

describe('docs/kernels.md', () => {
  it('has a program that computes the RSI', () => {
    const [program = ''] = programsOf('docs/kernels.md')
    const close = Array.from({ length: 100 }, (_, i) => 100 + 10 * Math.sin(i / 5))
    const [expected] = run('rsi', { ...realShaped(100, 1), close })
    expect(printedBy(program).trim()).toBe(`[ 'close' ] ${expected?.at(-1)}`)
  })

  it.skipIf(!hasGo)(
    'is enough for a host in Go',
    { tags: ['packages'], timeout: 300_000, ...needs('go') },
    () => {
      const market = realShaped(1000, 54)
      const printed = execFileSync('go', ['run', '.', join(root, 'build')], {
        cwd: join(root, 'examples', 'go'),
        input: JSON.stringify(market.close),
        encoding: 'utf8',
      })
      const expected = Array.from(run('rsi', market)[0] as Float64Array, each =>
        Number.isNaN(each) ? null : each,
      )
      expect(JSON.parse(printed)).toEqual(expected)
    },
  )
})
