import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommand } from '../support/command-line.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
let directory: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'candela-'))
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

function run(cwd: string, ...words: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, words, {
    cwd,
    env: { PATH: process.env.PATH, DATA_DIR: join(directory, 'data'), PORT: '0' },
    encoding: 'utf8',
    timeout: 20_000,
  })
  return { status, stdout, stderr }
}

describe('node dist/main.js', () => {
  it('refuses commands and names the program that takes them, without starting the service', () => {
    expect(run(root, 'dist/main.js', 'keys', 'list')).toEqual({
      status: 1,
      stdout: '',
      stderr:
        'candela: dist/main.js runs the service and takes no commands. For commands: node dist/cli/candela.js keys list\n',
    })
    expect(existsSync(join(directory, 'data'))).toBe(false)
  })
})

describe('the command of a checkout', () => {
  it('says what to do before the first build', () => {
    mkdirSync(join(directory, 'scripts'))
    copyFileSync(join(root, 'scripts/candela.mjs'), join(directory, 'scripts/candela.mjs'))
    expect(run(directory, 'scripts/candela.mjs', 'keys', 'list')).toEqual({
      status: 1,
      stdout: '',
      stderr: 'candela: the service is not built yet. Run: npm run build\n',
    })
  })

  it.skipIf(process.platform === 'win32')('is a program of its own, as npx runs it', () => {
    const program = join(root, 'scripts/candela.mjs')
    // A shell would run the lines of a program without this one, and its comments may name commands.
    expect(readFileSync(program, 'utf8').split('\n', 1)).toEqual(['#!/usr/bin/env node'])
    const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8', shell: false })
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  })

  it('runs the command line once it is built, with required options marked', () => {
    const { status, stdout } = run(root, 'scripts/candela.mjs', 'keys', 'create', '--help')
    expect(status).toBe(0)
    const required = stdout.split(/\n(?= {2}-)/).filter(text => text.includes('(required)'))
    expect(required.map(text => /--\w+/.exec(text)?.[0])).toEqual(['--plan'])
  })
})

describe('candela export', () => {
  it('says where the candles of an exchange that computes them are', async () => {
    const DATA_DIR = join(directory, 'data')
    mkdirSync(DATA_DIR, { recursive: true })
    const { code, err } = await runCommand(['export', 'demo', 'BTCUSDT', '1h'], { DATA_DIR })
    expect(code).toBe(1)
    expect(err).toBe(
      'candela: demo computes its candles and stores none. A running service has them: GET /candles?exchange=demo&symbol=BTCUSDT&timeframe=1h&results=max\n',
    )
  })
})
