import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { codeBlocksOf, documentAt, root } from '../support/documents.js'
import { run } from '../support/kernel.js'
import { needs } from '../support/needs.js'
import { realShaped } from '../support/real-shaped-market.js'

const folder = mkdtempSync(join(tmpdir(), 'candela-kernels-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const hasGo = spawnSync('go', ['version']).status === 0

describe('docs/kernels.md', () => {
  it('has a program that computes the RSI', () => {
    const program = codeBlocksOf(documentAt('docs/kernels.md')).find(
      ({ language }) => language === 'js',
    )?.code
    mkdirSync(join(folder, 'node_modules'))
    symlinkSync(root, join(folder, 'node_modules', 'candela-ta'), 'junction')
    writeFileSync(join(folder, 'rsi.mjs'), program as string)
    const printed = execFileSync(process.execPath, ['rsi.mjs'], { cwd: folder, encoding: 'utf8' })
    const close = Array.from({ length: 100 }, (_, i) => 100 + 10 * Math.sin(i / 5))
    const [expected] = run('rsi', { ...realShaped(100, 1), close })
    expect(printed.trim()).toBe(`[ 'close' ] ${expected?.at(-1)}`)
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
