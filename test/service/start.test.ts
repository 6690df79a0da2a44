import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { Candela } from '../support/service-process.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

describe('starting', () => {
  it('prints a working curl command on the first start, and no key on the second', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'candela-test-'))
    const first = await Candela.start({ DATA_DIR: dataDir })
    const curl = /^curl .*$/m.exec(first.greeting)?.[0] ?? ''
    const { value, timestamp } = JSON.parse(
      execFileSync('sh', ['-c', curl], { stdio: ['ignore', 'pipe', 'ignore'] }).toString(),
    )
    expect(value).toHaveLength(1)
    expect(timestamp).toHaveLength(1)
    expect(first.cli('keys', 'list')).toContain('enterprise')

    // While the first one runs, its port is taken: a second one must say so instead of sharing it.
    const port = new URL(first.url).port
    const second = spawnSync(process.execPath, ['dist/main.js'], {
      cwd: root,
      env: { ...process.env, DATA_DIR: dataDir, PORT: port, LOG_LEVEL: 'error' },
      encoding: 'utf8',
    })
    expect(second.status).toBe(1)
    expect(second.stderr).toContain(`cannot listen on 127.0.0.1:${port}`)
    expect(second.stdout).not.toContain('First key')
    expect(await first.stop()).toBe(0)
    rmSync(dataDir, { recursive: true, force: true })
  })

  it.each(['SIGTERM', 'SIGINT'] as const)('ends with code 0 on %s', async signal => {
    const candela = await Candela.start()
    expect(await candela.stop(signal)).toBe(0)
  })

  it('names every wrong setting and ends with code 1', () => {
    const { status, stderr } = spawnSync(process.execPath, ['dist/main.js'], {
      cwd: root,
      env: { ...process.env, PORT: 'x', LOG_LEVEL: 'loud' },
      encoding: 'utf8',
    })
    expect(status).toBe(1)
    expect(stderr).toMatch(/^candela: PORT must be /m)
    expect(stderr).toMatch(/^candela: LOG_LEVEL must be /m)
  })
})
