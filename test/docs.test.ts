import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

it.each([
  ['indicators', 'the catalogue and the kernels'],
  ['comparison', 'the catalogue'],
  ['settling', 'the catalogue'],
  ['exchanges', 'ccxt'],
])('docs/%s.md agrees with %s', name => {
  const { status, stderr } = spawnSync(process.execPath, [`scripts/docs-${name}.mjs`, '--check'], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    encoding: 'utf8',
  })
  expect(status, stderr).toBe(0)
})
