import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

it('docs/indicators.md and the counts of README.md agree with the catalogue', () => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/docs-indicators.mjs', '--check'], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    encoding: 'utf8',
  })
  expect(status, stderr).toBe(0)
})
