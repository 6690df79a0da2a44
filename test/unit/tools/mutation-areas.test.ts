import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = new URL('../../../', import.meta.url)
const areas: Readonly<Record<string, { readonly folder: string; readonly tests: readonly string[] }>> =
  JSON.parse(readFileSync(new URL('test/mutation/areas.json', root), 'utf8'))

it.each(Object.keys(areas))('the area %s of the mutation tests names folders and tests that exist', name => {
  const { folder = '', tests = [] } = areas[name] ?? {}
  expect(tests.length).toBeGreaterThan(0)
  expect([folder, ...tests].filter(path => !existsSync(new URL(path, root)))).toEqual([])
})

it('a mutation test of anything else is refused in one line', () => {
  const run = (...words: string[]) =>
    spawnSync(process.execPath, ['scripts/mutation.mjs', ...words], {
      cwd: fileURLToPath(root),
      encoding: 'utf8',
    })
  for (const word of ['nonsense', 'src/main.ts', 'src/contract/nonsense.ts', 'src/contracts']) {
    const { status, stderr } = run(word)
    expect([status, stderr]).toEqual([
      2,
      `"${word}" is neither an area (contract, stream, history) nor a file in one\n`,
    ])
  }
  expect(run('contract', '--concurrency', '0')).toMatchObject({
    status: 2,
    stderr: '--concurrency must be 1 to 99, got 0\n',
  })
})
